/* SPDX-License-Identifier: GPL-2.0-or-later */
/* What pairs prove: numbers that can be worked out by hand. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include <math.h>

#include "run/remedy_proof.h"

enum {
	N = 8
};

static struct remedy_proof pairs(const double *with, size_t n)
{
	static const double without[N] = { 1, 1.1, 0.9, 1, 1.05, 0.95, 1, 1 };
	struct remedy_proof p;
	remedy_proof_pairs(without, with, n, 1, &p);
	return p;
}

static struct remedy_proof scaled(double by)
{
	static const double without[N] = { 1, 1.1, 0.9, 1, 1.05, 0.95, 1, 1 };
	double with[N];
	for (size_t i = 0; i < N; i++)
		with[i] = without[i] / (by * (i % 2 ? 1.001 : 0.999));
	return pairs(with, N);
}

static void eight_pairs_all_one_way_reach_two_in_256(void **state)
{
	(void)state;
	struct remedy_proof p = scaled(3), control = scaled(1);
	assert_true(fabs(p.p - 2.0 / 256) < 1e-12);
	assert_true(fabs(p.ratio - 3) < 0.01);
	assert_true(p.lo > 2.99 && p.hi < 3.01);
	remedy_proof_judge(&p, &p, 1, &control);
	assert_true(p.helps);
	assert_false(p.hurts);
	assert_false(control.helps);
}

static void holm_corrects_for_the_number_of_candidates(void **state)
{
	(void)state;
	struct remedy_proof p[] = { scaled(3), scaled(2), scaled(1.5) }, control = scaled(1);
	remedy_proof_judge(p, p, 3, &control);
	for (int i = 0; i < 3; i++) {
		assert_true(fabs(p[i].p_holm - 6.0 / 256) < 1e-12);
		assert_true(p[i].helps);
	}
}

static void too_few_pairs_have_no_interval_and_help_nothing(void **state)
{
	(void)state;
	double with[N] = { 0.1, 0.1, 0.1, 0.1, 0.1 };
	struct remedy_proof p = pairs(with, 5), none = pairs(with, 0), control = pairs(with, 0);
	assert_true(isnan(p.lo) && isnan(p.hi));
	assert_true(isnan(none.p) && isnan(none.ratio));
	remedy_proof_judge(&p, &p, 1, &control);
	assert_false(p.helps);
	remedy_proof_judge(&none, &none, 1, &control);
	assert_false(none.helps || none.hurts);
}

static void gains_must_be_clear_of_two_percent(void **state)
{
	(void)state;
	struct remedy_proof small = scaled(1.019), clear = scaled(1.03), slow = scaled(0.9);
	struct remedy_proof control = scaled(1);
	remedy_proof_judge(&small, &small, 1, &control);
	assert_false(small.helps);
	remedy_proof_judge(&clear, &clear, 1, &control);
	assert_true(clear.helps);
	remedy_proof_judge(&slow, &slow, 1, &control);
	assert_true(slow.hurts && !slow.helps);
}

/* The default alone had bad luck: against the control nothing is left of the gain. */
static void gain_must_hold_against_the_control_too(void **state)
{
	(void)state;
	struct remedy_proof p = scaled(1.2), again = scaled(1.01), control = scaled(1);
	remedy_proof_judge(&p, &again, 1, &control);
	assert_false(p.helps);
	/* nor is a gain that is none by the test: some pairs the other way */
	double with[N] = { 0.5, 0.5, 2, 0.5, 0.5, 2, 0.5, 0.5 };
	p = scaled(1.2);
	again = pairs(with, N);
	remedy_proof_judge(&p, &again, 1, &control);
	assert_true(p.p > 0.05);
	assert_false(p.helps);
	p = scaled(1.2);
	again = scaled(1.19);
	remedy_proof_judge(&p, &again, 1, &control);
	assert_true(p.helps);
}

static void control_with_a_gain_is_the_bar(void **state)
{
	(void)state;
	struct remedy_proof control = scaled(1.2), less = scaled(1.15), more = scaled(1.3);
	remedy_proof_judge(&less, &less, 1, &control);
	assert_true(control.helps);
	assert_false(less.helps);
	remedy_proof_judge(&more, &more, 1, &control);
	assert_true(more.helps);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(eight_pairs_all_one_way_reach_two_in_256),
		cmocka_unit_test(holm_corrects_for_the_number_of_candidates),
		cmocka_unit_test(too_few_pairs_have_no_interval_and_help_nothing),
		cmocka_unit_test(gains_must_be_clear_of_two_percent),
		cmocka_unit_test(gain_must_hold_against_the_control_too),
		cmocka_unit_test(control_with_a_gain_is_the_bar),
	};
	return cmocka_run_group_tests(tests, NULL, NULL);
}
