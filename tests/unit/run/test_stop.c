/* SPDX-License-Identifier: GPL-2.0-or-later */
/* When an experiment is over, asked of one that is not really running. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>

#include <cmocka.h>

#include "base/clock.h"
#include "helpers/built_record.h"
#include "run/stop.h"

static const struct metric metrics[] = {
	{ .name = "wall", .unit = "ns", .better = METRIC_LOWER },
	{ .name = "cpu", .unit = "ns", .better = METRIC_LOWER },
	{ .name = NULL },
};

/* An experiment with `n` blocks done, B `ratio` times A, noise `sd`. */
static struct signals quiet; /* none has come */

static struct experiment faked(
	const struct run_opts *opts, size_t n_cmds, unsigned n, double ratio, double sd)
{
	quiet = (struct signals)SIGNALS_NONE;
	struct experiment x = { .opts = opts,
		.n_cmds = n_cmds,
		.signals = &quiet,
		.rec = built_record(metrics, n_cmds),
		.begin_ns = lt_now_ns(),
		.blocks_kept = n,
		.reached = NAN };
	uint64_t noise = 4;
	for (unsigned i = 0; i < n; i++)
		for (unsigned v = 0; v < n_cmds; v++)
			built_trial(x.rec, v, i)->readings[0] =
				value_of(1e8 * (v ? ratio : 1) * (1 + sd * built_noise(&noise)));
	return x;
}

/* NULL = goes on. */
static const char *asked(struct experiment *x)
{
	struct lt_err err = { 0 };
	if (stop_rule(x, &err) < 0)
		fail_msg("%s", err.text);
	return x->stopped;
}

static const char *stopped(
	const struct run_opts *opts, size_t n_cmds, unsigned n, double ratio, double sd)
{
	struct experiment x = faked(opts, n_cmds, n, ratio, sd);
	const char *why = asked(&x);
	record_free(x.rec);
	return why;
}

static void a_fixed_number_is_run_whatever_it_shows(void **state)
{
	(void)state;
	struct run_opts opts = { .design = RUN_FIXED, .n = 40 };
	assert_null(stopped(&opts, 2, 0, 2, 0.001));
	assert_null(stopped(&opts, 2, 39, 2, 0.001));
	assert_string_equal(stopped(&opts, 2, 40, 2, 0.001), "n");
	opts.budget_ns = 1; /* a time that the user stated holds all the same */
	assert_string_equal(stopped(&opts, 2, 39, 2, 0.001), "budget");
}

static void precision_is_enough_when_reached(void **state)
{
	(void)state;
	struct run_opts opts = { .design = RUN_PRECISION, .precision = 0.01 };
	assert_null(stopped(&opts, 1, 5, 1, 0.0001)); /* too few for an interval */
	assert_string_equal(stopped(&opts, 1, 6, 1, 0.0001), "precise");
	assert_null(stopped(&opts, 1, 20, 1, 0.2));
}

static void precision_is_not_asked_after_every_run(void **state)
{
	(void)state;
	struct run_opts opts = { .design = RUN_PRECISION, .precision = 0.01 };
	struct experiment x = faked(&opts, 1, 50, 1, 0.2);
	assert_null(asked(&x));
	assert_true(x.reached > 0.01);
	/* From now on it would be precise, but the next look is five runs away. */
	for (size_t i = 0; i < x.rec->n_trials; i++)
		x.rec->trials[i].readings[0] = value_of(1e8 + (double)i);
	for (x.blocks_kept = 51; x.blocks_kept < 56; x.blocks_kept++)
		assert_null(asked(&x));
	assert_string_equal(asked(&x), "precise");
	record_free(x.rec);
}

static void a_sequence_stops_when_decided(void **state)
{
	(void)state;
	struct run_opts opts = { .design = RUN_SEQUENCE, .n_max = 200, .same = 0.01 };
	assert_null(stopped(&opts, 2, 0, 2, 0.001));
	assert_null(stopped(&opts, 2, 9, 2, 0.001)); /* a sequence begins with ten */
	assert_string_equal(stopped(&opts, 2, 10, 2, 0.001), "decided");
	assert_string_equal(stopped(&opts, 2, 20, 1, 0.0001), "decided"); /* the same */
	assert_null(stopped(&opts, 2, 20, 1.0, 0.1));
	assert_string_equal(stopped(&opts, 2, 200, 1.0, 0.1), "cap");
}

static void a_sequence_waits_for_every_program(void **state)
{
	(void)state;
	struct run_opts opts = { .design = RUN_SEQUENCE, .n_max = 200, .same = 0.01 };
	struct experiment x = faked(&opts, 3, 20, 2, 0.0001);
	assert_string_equal(asked(&x), "decided");
	x.stopped = NULL;
	uint64_t noise = 8;
	for (size_t i = 0; i < x.rec->n_trials; i++)
		if (x.rec->trials[i].variant == 2)
			x.rec->trials[i].readings[0] =
				value_of(1e8 * (1 + 0.1 * built_noise(&noise)));
	assert_null(asked(&x));
	record_free(x.rec);
}

static void a_gate_on_the_primary_metric_decides_instead(void **state)
{
	(void)state;
	const char *gate = "wall +5%", *other = "cpu +5%";
	struct run_opts opts = {
		.design = RUN_SEQUENCE, .n_max = 200, .same = 0.01, .gates = &gate, .n_gates = 1
	};
	assert_string_equal(stopped(&opts, 2, 30, 1.02, 0.001), "decided"); /* within */
	assert_string_equal(stopped(&opts, 2, 30, 1.10, 0.001), "decided"); /* beyond */
	/* Slower for sure, but by the limit itself: the gate is open. */
	assert_null(stopped(&opts, 2, 30, 1.05, 0.005));
	assert_null(stopped(&opts, 2, 9, 1.10, 0.001));
	opts.gates = &other; /* not on what is looked at */
	assert_string_equal(stopped(&opts, 2, 30, 1.05, 0.005), "decided");
}

static void the_budget_ends_what_has_begun(void **state)
{
	(void)state;
	struct run_opts opts = { .design = RUN_PRECISION, .precision = 1e-9, .budget_ns = 1000 };
	struct experiment x = faked(&opts, 1, 0, 1, 0.1);
	x.begin_ns -= 2000;
	assert_null(asked(&x)); /* one run at least */
	x.blocks_kept = 1;
	built_trial(x.rec, 0, 0)->readings[0] = value_of(1e8);
	assert_string_equal(asked(&x), "budget");
	record_free(x.rec);
}

static void failures_and_signals_come_first(void **state)
{
	(void)state;
	struct run_opts opts = { .design = RUN_FIXED, .n = 10 };
	struct experiment x = faked(&opts, 1, 10, 1, 0.1);
	x.signals->last = SIGINT;
	assert_string_equal(asked(&x), "signal");
	x.failed = true;
	assert_string_equal(asked(&x), "failure");
	record_free(x.rec);
}

static void without_a_metric_only_numbers_and_time_stop_it(void **state)
{
	(void)state;
	static const struct metric none[] = { { .name = NULL } };
	struct run_opts opts = { .design = RUN_PRECISION, .precision = 0.01, .n_max = 30 };
	quiet = (struct signals)SIGNALS_NONE;
	struct experiment x = {
		.opts = &opts, .n_cmds = 1, .rec = built_record(none, 1), .signals = &quiet
	};
	x.begin_ns = lt_now_ns();
	for (unsigned i = 0; i < 30; i++)
		built_trial(x.rec, 0, i);
	x.blocks_kept = 29;
	assert_null(asked(&x));
	x.blocks_kept = 30;
	assert_string_equal(asked(&x), "cap");
	record_free(x.rec);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(a_fixed_number_is_run_whatever_it_shows),
		cmocka_unit_test(precision_is_enough_when_reached),
		cmocka_unit_test(precision_is_not_asked_after_every_run),
		cmocka_unit_test(a_sequence_stops_when_decided),
		cmocka_unit_test(a_sequence_waits_for_every_program),
		cmocka_unit_test(a_gate_on_the_primary_metric_decides_instead),
		cmocka_unit_test(the_budget_ends_what_has_begun),
		cmocka_unit_test(failures_and_signals_come_first),
		cmocka_unit_test(without_a_metric_only_numbers_and_time_stop_it),
	};
	return cmocka_run_group_tests(tests, NULL, NULL);
}
