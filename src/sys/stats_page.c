/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Reading a statistics page slot by slot, with its sequence numbers. */
#include "sys/stats_page.h"

#include <stdbool.h>
#include <stddef.h>
#include <stdlib.h>
#include <sys/stat.h>
#include <time.h>

enum {
	TRIES = 16,  /* for a slot, before and between sleeps */
	SLEEPS = 32, /* for a page: a writer may have lost its CPU half way */
	SLEEP_NS = 200000,
	PART_MAX = 65536, /* of a head or a slot that a later version may have */
};

static bool read_exactly(int fd, void *to, size_t len, uint64_t at)
{
	ssize_t got;
	do
		got = pread(fd, to, len, (off_t)at);
	while (got < 0 && errno == EINTR);
	return got == (ssize_t)len;
}

static int check_head(const struct leat_stats_head *h, struct lt_err *err)
{
	if (h->magic == 0) /* set last */
		return -ENODATA;
	if (h->magic != LEAT_STATS_MAGIC)
		return lt_fail(err, -EINVAL, "LT-PAGE", "it is no statistics page of libleat");
	if (h->version != LEAT_STATS_VERSION)
		return lt_fail(err, -ENOTSUP, "LT-PAGE",
			"it is of version %u, and this leat reads %d", h->version,
			LEAT_STATS_VERSION);
	if (h->head_size < sizeof(*h) || h->head_size > PART_MAX || h->head_size % 8 != 0 ||
		h->slot_size < sizeof(struct leat_stats_slot) || h->slot_size > PART_MAX ||
		h->slot_size % 8 != 0)
		return lt_fail(err, -EINVAL, "LT-PAGE",
			"its head of %u bytes and slots of %u cannot be", h->head_size,
			h->slot_size);
	return 0;
}

/* How many slots there are to read, whatever the head says. */
static uint32_t slots_in(const struct leat_stats_head *h, int fd)
{
	struct stat st;
	if (fstat(fd, &st) < 0 || st.st_size < (off_t)h->head_size)
		return 0;
	uint64_t room = ((uint64_t)st.st_size - h->head_size) / h->slot_size;
	uint64_t n = h->used < h->n_slots ? h->used : h->n_slots;
	n = n < room ? n : room;
	return n < SYS_STATS_SLOTS ? (uint32_t)n : SYS_STATS_SLOTS;
}

/* The two words that tell whether the rest holds still. */
struct state {
	uint32_t kind, seq;
};

_Static_assert(
	offsetof(struct leat_stats_slot, kind) == 0 && offsetof(struct leat_stats_slot, seq) == 4,
	"the state of a slot is its first two words");

/* One look; true if nothing was written meanwhile. Each system call sees memory as it is then:
 * `seq` was the same, and even, before and after the values were copied. */
static bool look(int fd, uint64_t at, struct leat_stats_slot *ret)
{
	struct state before, after;
	if (!read_exactly(fd, &before, sizeof(before), at) ||
		!read_exactly(fd, ret, sizeof(*ret), at) ||
		!read_exactly(fd, &after, sizeof(after), at)) {
		*ret = (struct leat_stats_slot){ 0 }; /* the file was cut short */
		return true;
	}
	return before.kind == after.kind && ret->kind == after.kind && before.seq == after.seq &&
		ret->seq == after.seq && !(after.seq & 1);
}

static void end_text(char *text)
{
	text[LEAT_STATS_NAME - 1] = '\0';
}

static void read_slot(int fd, uint64_t at, unsigned *sleeps, struct leat_stats_slot *ret)
{
	for (unsigned tries = 1; !look(fd, at, ret); tries++) {
		struct timespec pause = { .tv_nsec = SLEEP_NS };
		if (tries % TRIES != 0)
			continue;
		if (*sleeps == 0) {
			ret->seq |= 1;
			break;
		}
		(*sleeps)--;
		nanosleep(&pause, NULL);
	}
	end_text(ret->name);
	end_text(ret->unit);
}

int sys_stats_page_read(int fd, struct sys_stats_page *ret, struct lt_err *err)
{
	struct sys_stats_page page = SYS_STATS_PAGE_NONE;
	if (!read_exactly(fd, &page.head, sizeof(page.head), 0))
		return -ENODATA; /* not sized yet */
	int r = check_head(&page.head, err);
	if (r < 0)
		return r;
	end_text(page.head.name);
	page.n = slots_in(&page.head, fd);
	page.slots = calloc(page.n + 1, sizeof(*page.slots));
	if (!page.slots)
		return lt_fail_mem(err);
	unsigned sleeps = SLEEPS;
	for (uint32_t i = 0; i < page.n; i++) {
		struct leat_stats_slot *slot = &page.slots[i];
		uint64_t at = page.head.head_size + (uint64_t)i * page.head.slot_size;
		read_slot(fd, at, &sleeps, slot);
		page.torn += slot->kind != LEAT_STATS_FREE && slot->seq & 1;
		if (slot->parent > page.n)
			slot->parent = 0;
	}
	*ret = page;
	return 0;
}

void sys_stats_page_done(struct sys_stats_page *page)
{
	free(page->slots);
	*page = (struct sys_stats_page)SYS_STATS_PAGE_NONE;
}
