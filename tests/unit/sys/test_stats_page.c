/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Statistics pages that are whole, half written, cut short, or made to hurt. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include <fcntl.h>
#include <pthread.h>
#include <stdbool.h>
#include <stdlib.h>
#include <sys/mman.h>
#include <unistd.h>

#include "sys/stats_page.h"

enum {
	SLOTS = 8
};

struct made {
	struct leat_stats_head head;
	struct leat_stats_slot slots[SLOTS];
};

static struct made good(void)
{
	struct made m = { .head = { .magic = LEAT_STATS_MAGIC,
				  .version = LEAT_STATS_VERSION,
				  .head_size = sizeof(struct leat_stats_head),
				  .slot_size = sizeof(struct leat_stats_slot),
				  .n_slots = SLOTS,
				  .used = 2,
				  .pid = 4711,
				  .name = "prog" } };
	m.slots[0] = (struct leat_stats_slot){
		.kind = LEAT_STATS_WORK, .name = "packets", .unit = "packet", .v = { 23 }
	};
	m.slots[1] =
		(struct leat_stats_slot){ .kind = LEAT_STATS_MODULE, .name = "m", .parent = 9 };
	return m;
}

static int file_of(const void *bytes, size_t len)
{
	int fd = memfd_create("test", MFD_CLOEXEC);
	assert_true(fd >= 0);
	assert_int_equal(write(fd, bytes, len), (ssize_t)len);
	return fd;
}

static int read_bytes(const void *bytes, size_t len, struct sys_stats_page *ret, struct lt_err *err)
{
	int fd = file_of(bytes, len);
	*err = (struct lt_err){ 0 };
	int r = sys_stats_page_read(fd, ret, err);
	close(fd);
	return r;
}

static void a_page_is_read_as_it_is(void **state)
{
	(void)state;
	struct made m = good();
	SYS_AUTO_STATS_PAGE struct sys_stats_page page = SYS_STATS_PAGE_NONE;
	struct lt_err err;
	assert_int_equal(read_bytes(&m, sizeof(m), &page, &err), 0);
	assert_int_equal(page.n, 2);
	assert_int_equal(page.torn, 0);
	assert_string_equal(page.head.name, "prog");
	assert_int_equal(page.head.pid, 4711);
	assert_string_equal(page.slots[0].unit, "packet");
	assert_int_equal(page.slots[0].v[0], 23);
	assert_int_equal(page.slots[1].parent, 0); /* 9 is out of range */
}

static void a_slot_half_written_is_told(void **state)
{
	(void)state;
	struct made m = good();
	SYS_AUTO_STATS_PAGE struct sys_stats_page page = SYS_STATS_PAGE_NONE;
	struct lt_err err;
	m.slots[1].seq = 7;
	assert_int_equal(read_bytes(&m, sizeof(m), &page, &err), 0);
	assert_int_equal(page.torn, 1);
	assert_int_equal(page.slots[1].seq & 1, 1);
	assert_int_equal(page.slots[0].v[0], 23);
}

static void what_is_no_page_is_refused(void **state)
{
	(void)state;
	const struct {
		size_t off, len;
		uint64_t to;
		int r;
	} bad[] = {
		{ offsetof(struct made, head.magic), 8, 1, -EINVAL },
		{ offsetof(struct made, head.magic), 8, 0, -ENODATA },
		{ offsetof(struct made, head.version), 4, 2, -ENOTSUP },
		{ offsetof(struct made, head.version), 4, 0, -ENOTSUP },
		{ offsetof(struct made, head.head_size), 4, 0, -EINVAL },
		{ offsetof(struct made, head.head_size), 4, UINT32_MAX, -EINVAL },
		{ offsetof(struct made, head.head_size), 4, 129, -EINVAL },
		{ offsetof(struct made, head.slot_size), 4, 0, -EINVAL },
		{ offsetof(struct made, head.slot_size), 4, 8, -EINVAL },
		{ offsetof(struct made, head.slot_size), 4, UINT32_MAX - 7, -EINVAL },
	};
	for (size_t i = 0; i < LT_COUNT(bad); i++) {
		struct made m = good();
		SYS_AUTO_STATS_PAGE struct sys_stats_page page = SYS_STATS_PAGE_NONE;
		struct lt_err err;
		memcpy((char *)&m + bad[i].off, &bad[i].to, bad[i].len);
		assert_int_equal(read_bytes(&m, sizeof(m), &page, &err), bad[i].r);
		if (bad[i].r != -ENODATA)
			assert_string_equal(err.id, "LT-PAGE");
	}
}

static void no_count_leads_out_of_the_file(void **state)
{
	(void)state;
	struct made m = good();
	struct lt_err err;
	m.head.used = m.head.n_slots = UINT32_MAX;
	for (size_t len = 0; len <= sizeof(m); len += 40) {
		SYS_AUTO_STATS_PAGE struct sys_stats_page page = SYS_STATS_PAGE_NONE;
		int r = read_bytes(&m, len, &page, &err);
		assert_int_equal(r, len < sizeof(m.head) ? -ENODATA : 0);
		if (r == 0)
			assert_int_equal(page.n, (len - sizeof(m.head)) / sizeof(m.slots[0]));
	}
}

static void a_huge_sparse_file_is_read_in_part(void **state)
{
	(void)state;
	struct made m = good();
	SYS_AUTO_STATS_PAGE struct sys_stats_page page = SYS_STATS_PAGE_NONE;
	struct lt_err err = { 0 };
	m.head.used = m.head.n_slots = UINT32_MAX;
	int fd = file_of(&m, sizeof(m));
	assert_int_equal(ftruncate(fd, (off_t)1 << 40), 0);
	assert_int_equal(sys_stats_page_read(fd, &page, &err), 0);
	assert_int_equal(page.n, SYS_STATS_SLOTS);
	close(fd);
}

static void texts_end(void **state)
{
	(void)state;
	struct made m = good();
	SYS_AUTO_STATS_PAGE struct sys_stats_page page = SYS_STATS_PAGE_NONE;
	struct lt_err err;
	memset(m.head.name, 'x', sizeof(m.head.name));
	memset(m.slots[0].name, 'y', sizeof(m.slots[0].name));
	memset(m.slots[0].unit, 'z', sizeof(m.slots[0].unit));
	assert_int_equal(read_bytes(&m, sizeof(m), &page, &err), 0);
	assert_int_equal(strlen(page.head.name), LEAT_STATS_NAME - 1);
	assert_int_equal(strlen(page.slots[0].name), LEAT_STATS_NAME - 1);
	assert_int_equal(strlen(page.slots[0].unit), LEAT_STATS_NAME - 1);
}

/* Writes v[1..3] = i under the slot's sequence number, again and again. */
struct writer {
	struct leat_stats_slot *slot;
	int stop;
};

static void *write_on(void *arg)
{
	struct writer *w = arg;
	for (uint64_t i = 1; !__atomic_load_n(&w->stop, __ATOMIC_RELAXED); i++) {
		__atomic_fetch_add(&w->slot->seq, 1, __ATOMIC_ACQ_REL);
		for (int k = 1; k <= 3; k++)
			__atomic_store_n(&w->slot->v[k], i, __ATOMIC_RELAXED);
		__atomic_fetch_add(&w->slot->seq, 1, __ATOMIC_ACQ_REL);
	}
	return NULL;
}

static void values_of_one_moment_belong_together(void **state)
{
	(void)state;
	struct made m = good();
	int fd = file_of(&m, sizeof(m));
	struct made *shared = mmap(NULL, sizeof(m), PROT_READ | PROT_WRITE, MAP_SHARED, fd, 0);
	assert_ptr_not_equal(shared, MAP_FAILED);
	struct writer w = { .slot = &shared->slots[0] };
	pthread_t thread;
	assert_int_equal(pthread_create(&thread, NULL, write_on, &w), 0);
	unsigned whole = 0;
	for (int i = 0; i < 2000; i++) {
		SYS_AUTO_STATS_PAGE struct sys_stats_page page = SYS_STATS_PAGE_NONE;
		assert_int_equal(sys_stats_page_read(fd, &page, NULL), 0);
		const struct leat_stats_slot *s = &page.slots[0];
		if (s->seq & 1)
			continue;
		whole++;
		assert_true(s->v[1] == s->v[2] && s->v[2] == s->v[3]);
	}
	__atomic_store_n(&w.stop, 1, __ATOMIC_RELAXED);
	pthread_join(thread, NULL);
	assert_true(whole > 0);
	munmap(shared, sizeof(m));
	close(fd);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(a_page_is_read_as_it_is),
		cmocka_unit_test(a_slot_half_written_is_told),
		cmocka_unit_test(what_is_no_page_is_refused),
		cmocka_unit_test(no_count_leads_out_of_the_file),
		cmocka_unit_test(a_huge_sparse_file_is_read_in_part),
		cmocka_unit_test(texts_end),
		cmocka_unit_test(values_of_one_moment_belong_together),
	};
	return cmocka_run_group_tests(tests, NULL, NULL);
}
