/* SPDX-License-Identifier: MIT */
/* Whichever allocation fails: the error says so, nothing leaks, and the table still answers. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <string.h>

#include <cmocka.h>

#include "helpers/failing_alloc.h"
#include "router/fib/fib.h"

static const char *const nics[] = { "eth0" };

static void a_table_without_memory_is_not_made(void **state)
{
	(void)state;
	for (long n = 0;; n++) {
		struct lt_err err = { 0 };
		struct fib *fib = NULL;
		alloc_fail_after(n);
		int rc = fib_new(&fib, &err);
		alloc_recover();
		if (!alloc_hit) {
			assert_int_equal(rc, 0);
			fib_free(fib);
			assert_in_range(n, 5, 20);
			return;
		}
		assert_int_equal(rc, -ENOMEM);
		assert_null(fib);
	}
}

static void change(struct fib *fib, const char *text, bool add)
{
	struct prefix p;
	struct fib_hop hop = { .kind = FIB_BLACKHOLE };
	assert_true(prefix_parse(text, strlen(text), &p));
	for (long n = 0;; n++) {
		struct lt_err err = { 0 };
		alloc_fail_after(n);
		int rc = add ? fib_add(fib, &p, &hop, &err) : fib_delete(fib, &p, &err);
		alloc_recover();
		if (!alloc_hit) {
			assert_int_equal(rc, 0);
			return;
		}
		assert_int_equal(rc, -ENOMEM);
		assert_string_equal(err.id, "LT-MEMORY");
		assert_int_equal(fib_find(fib, &p) != NULL, !add);
		assert_int_equal(fib_lookup(fib, &p.addr)->kind, add ? FIB_NONE : FIB_BLACKHOLE);
	}
}

static void a_change_happens_whole_or_not_at_all(void **state)
{
	(void)state;
	struct lt_err err = { 0 };
	struct fib *fib;
	assert_int_equal(fib_new(&fib, &err), 0);
	static const char *const texts[] = { "10.0.0.0/8", "11.1.2.3/32", "2001:db8:1::/48",
		"2001:db8:2:3::4/128" };
	for (size_t i = 0; i < LT_COUNT(texts); i++)
		change(fib, texts[i], true);
	change(fib, texts[1], false);
	assert_int_equal(fib_n_routes(fib), 3);
	change(fib, texts[3], false);
	change(fib, texts[2], false);
	fib_free(fib);
}

static void a_file_without_memory_is_refused(void **state)
{
	(void)state;
	static const char text[] = "10.0.0.0/8 - eth0\n10.0.1.0/24 - eth0\n2001:db8::/48 - eth0\n"
				   "2001:db8:7::/48 - eth0\n::/0 - eth0\n";
	for (long n = 0;; n++) {
		struct lt_err err = { 0 };
		struct fib *fib;
		assert_int_equal(fib_new(&fib, &err), 0);
		alloc_fail_after(n);
		int rc = fib_load_text(fib, text, strlen(text), "r", nics, 1, &err);
		alloc_recover();
		fib_free(fib);
		if (!alloc_hit) {
			assert_int_equal(rc, 5);
			assert_true(n > 5);
			return;
		}
		assert_int_equal(rc, -ENOMEM);
	}
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(a_table_without_memory_is_not_made),
		cmocka_unit_test(a_change_happens_whole_or_not_at_all),
		cmocka_unit_test(a_file_without_memory_is_refused),
	};
	return cmocka_run_group_tests_name("router fib without memory", tests, NULL, NULL);
}
