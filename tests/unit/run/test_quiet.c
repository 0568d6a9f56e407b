/* SPDX-License-Identifier: GPL-2.0-or-later */
/* What counts as a machine that gives its cores. */
#include <math.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <unistd.h>

#include <cmocka.h>

#include "helpers/near.h"
#include "run/quiet.h"

static void all_cores_given_is_quiet(void **state)
{
	(void)state;
	double given, shares[] = { 0.99, 1.02, 0.98, 1 };
	assert_true(quiet_enough(shares, 4, 4, &given));
	assert_near(given, 3.97, 1e-9); /* nothing gives more than itself */
}

static void one_core_taken_is_not(void **state)
{
	(void)state;
	double given, shares[] = { 0.5, 1, 1, 1, 1, 1, 1, 1 };
	assert_false(quiet_enough(shares, 8, 8, &given));
	assert_near(given, 7.5, 1e-9);
}

static void a_little_from_each_is_not_either(void **state)
{
	(void)state;
	double given, shares[] = { 0.85, 0.85 };
	assert_false(quiet_enough(shares, 2, 2, &given));
	assert_near(given, 1.7, 1e-9);
}

static void a_quota_may_rest_a_core(void **state)
{
	(void)state;
	double given, shares[] = { 1, 0.5 };
	assert_true(quiet_enough(shares, 2, 1.5, &given));
	assert_near(given, 1.5, 1e-9);
}

/* Whatever this machine gives, it is between nothing and all, and pinning left no trace. */
static void looking_leaves_the_caller_where_it_was(void **state)
{
	(void)state;
	struct lt_cpuset before, after;
	struct lt_err err = { 0 };
	struct quiet q;
	double given = -1;
	bool quiet;
	assert_int_equal(lt_cpuset_allowed(&before, &err), 0);
	assert_int_equal(quiet_open(&q, QUIET_CHAIN, &before, 0, &err), 0);
	assert_int_equal(q.n, lt_cpuset_count(&before));
	assert_int_equal(quiet_look(&q, &given, &quiet, &err), 0);
	assert_true(given > 0 && given <= q.n);
	quiet_close(&q);
	assert_int_equal(lt_cpuset_allowed(&after, &err), 0);
	assert_memory_equal(&before, &after, sizeof(before));
}

static void a_quota_takes_fewer_cores(void **state)
{
	(void)state;
	struct lt_cpuset allowed;
	struct lt_err err = { 0 };
	struct quiet q;
	assert_int_equal(lt_cpuset_allowed(&allowed, &err), 0);
	assert_int_equal(quiet_open(&q, QUIET_CHAIN, &allowed, 0.5, &err), 0);
	assert_int_equal(q.n, 1);
	assert_near(q.asked, 0.5, 0);
	quiet_close(&q);
}

/* Hardware threads of one core get less far with the wide loop than with the chain; none gets
 * farther than alone. */
static void a_wide_loop_gets_no_farther_than_all(void **state)
{
	(void)state;
	struct lt_cpuset allowed;
	struct lt_err err = { 0 };
	struct quiet q;
	double given = -1;
	bool quiet;
	assert_int_equal(lt_cpuset_allowed(&allowed, &err), 0);
	assert_int_equal(quiet_open(&q, QUIET_WIDE, &allowed, 0, &err), 0);
	for (unsigned i = 0; i < q.n; i++)
		assert_true(q.cpus[i].slice_ns > 0 && isfinite(q.cpus[i].slice_ns));
	assert_int_equal(quiet_look(&q, &given, &quiet, &err), 0);
	assert_true(given > 0 && given <= q.n);
	quiet_close(&q);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(all_cores_given_is_quiet),
		cmocka_unit_test(one_core_taken_is_not),
		cmocka_unit_test(a_little_from_each_is_not_either),
		cmocka_unit_test(a_quota_may_rest_a_core),
		cmocka_unit_test(looking_leaves_the_caller_where_it_was),
		cmocka_unit_test(a_wide_loop_gets_no_farther_than_all),
		cmocka_unit_test(a_quota_takes_fewer_cores),
	};
	return cmocka_run_group_tests(tests, NULL, NULL);
}
