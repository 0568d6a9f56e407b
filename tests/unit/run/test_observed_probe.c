/* SPDX-License-Identifier: GPL-2.0-or-later */
/* What the probe counted of the cores in use: up to the end, and with what came late. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdlib.h>

#include <cmocka.h>

#include "run/observed_procfs.h"

static struct observed *seen;

static int begin(void **state)
{
	(void)state;
	seen = calloc(1, sizeof(*seen));
	return seen ? 0 : -1;
}

static int end(void **state)
{
	(void)state;
	free(seen);
	return 0;
}

static void what_runs_at_the_end_runs_up_to_it(void **state)
{
	(void)state;
	static const struct probe_cores c = {
		.state = 2ull << PROBE_CORES_SHIFT | 1000,
		.ns = { 50, 300, 600 },
	};
	observed_probe_cores(seen, &c, 1200);
	assert_int_equal(seen->core_ns[1], 300);
	assert_int_equal(seen->core_ns[2], 800);
}

static void time_of_one_who_came_unseen_counts_one_core_more(void **state)
{
	(void)state;
	static const struct probe_cores c = {
		.state = 1000,
		.ns = { 500, 300, 200 },
		.late_ns = { 100, 250, 30 },
	};
	observed_probe_cores(seen, &c, 1000);
	assert_int_equal(seen->core_ns[0], 400);
	assert_int_equal(seen->core_ns[1], 150);
	assert_int_equal(seen->core_ns[2], 420);
	assert_int_equal(seen->core_ns[3], 30);
}

static void more_than_there_was_is_not_moved(void **state)
{
	(void)state;
	static const struct probe_cores c = {
		.state = 1000, .ns = { 0, 300, 200 }, .late_ns = { 0, 900, 0 }
	};
	observed_probe_cores(seen, &c, 1000);
	assert_int_equal(seen->core_ns[1], 0);
	assert_int_equal(seen->core_ns[2], 500);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test_setup_teardown(what_runs_at_the_end_runs_up_to_it, begin, end),
		cmocka_unit_test_setup_teardown(
			time_of_one_who_came_unseen_counts_one_core_more, begin, end),
		cmocka_unit_test_setup_teardown(more_than_there_was_is_not_moved, begin, end),
	};
	return cmocka_run_group_tests(tests, NULL, NULL);
}
