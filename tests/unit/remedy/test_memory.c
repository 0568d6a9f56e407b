/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Whichever allocation fails: looking at machine and program ends in an error, and a remedy
 * without memory for its change is refused, never half made. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <cmocka.h>

#include <fcntl.h>

#include "helpers/failing_alloc.h"
#include "remedy/change.h"
#include "remedy/remedy.h"

static void any_allocation_may_fail(void **state)
{
	(void)state;
	LT_AUTO_CLOSE int root = open("/", O_PATH | O_DIRECTORY | O_CLOEXEC);
	struct lt_cpuset cpus;
	assert_int_equal(lt_cpuset_allowed(&cpus, NULL), 0);
	for (long n = 0;; n++) {
		LT_AUTO(lt_arena_done) struct lt_arena arena = { 0 };
		struct remedy_place place;
		struct lt_err err = { 0 };
		alloc_fail_after(n);
		int r = remedy_place_open(&place, root, &arena, &cpus, "/bin/true", &err);
		bool open_hit = alloc_hit;
		for (const struct remedy *const *m = remedy_table; *m && r >= 0; m++) {
			struct remedy_change change = { 0 };
			struct remedy_offer offer = (*m)->offer(&place, &change);
			if (offer.state == REMEDY_READY)
				remedy_change_text(&change, &arena);
		}
		alloc_recover();
		if (r < 0)
			assert_int_equal(r, -ENOMEM);
		assert_true(r < 0 || !open_hit || arena.failed || place.tunables_why ||
			place.topology_why);
		if (!alloc_hit)
			break;
	}
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(any_allocation_may_fail),
	};
	return cmocka_run_group_tests(tests, NULL, NULL);
}
