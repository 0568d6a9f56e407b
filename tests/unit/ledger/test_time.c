/* SPDX-License-Identifier: GPL-2.0-or-later */
/* The time ledger: it adds up exactly, and its lines name who was seen. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <string.h>

#include <cmocka.h>

#include "helpers/built_sweep.h"
#include "helpers/near.h"
#include "ledger/time.h"

static const struct metric metrics[] = {
	{ .name = "wall", .unit = "ns" },
	{ .name = "cpu", .unit = "ns" },
	{ .name = "sys", .unit = "ns" },
};

static const char *const levels[] = { "1", "2" };

/* Two points; run times in seconds. */
static struct record *two_points(double wall1, double user1, double sys1, double wall2,
	double user2, double sys2, double work)
{
	struct record *rec = built_sweep(metrics, LT_COUNT(metrics), levels, LT_COUNT(levels), 2);
	rec->n_variants = 2;
	for (unsigned v = 0; v < 2; v++) {
		rec->variants[v] = (struct variant){ .name = v ? "two" : "one",
			.levels = (const char **)&levels[v] };
		struct curve_point *p = record_add_curve(rec);
		assert_non_null(p);
		*p = (struct curve_point){ .variant = v, .threads = v + 1, .work = v ? work : 1 };
		for (int i = 0; i < 2; i++) { /* two runs around the mean */
			struct trial *t = record_add_trial(rec);
			assert_non_null(t);
			double off = i ? 1.02 : 0.98;
			t->variant = v;
			t->kept = true;
			t->readings[0] = value_of(off * 1e9 * (v ? wall2 : wall1));
			t->readings[1] = value_of(off * 1e9 * (v ? user2 + sys2 : user1 + sys1));
			t->readings[2] = value_of(off * 1e9 * (v ? sys2 : sys1));
		}
	}
	return rec;
}

static struct evidence_frame frames[] = {
	{ .object = "prog", .function = "hot", .file = "prog.c", .line = 23 },
	{ .object = "prog", .function = "cold", .file = "prog.c", .line = 41 },
	{ .object = "libc.so.6", .function = "pthread_mutex_lock" },
	{ .object = "prog", .function = "take", .file = "prog.c", .line = 7 },
};
static struct evidence_site sites[] = {
	{ &frames[0], 1, 0 },
	{ &frames[1], 1, 0 },
	{ &frames[2], 2, 1 },
};
static struct evidence_group groups[] = { { .name = "worker", .threads = 2 } };

static struct evidence observed(void)
{
	struct evidence ev = {
		.elapsed_ns = 2e9, .sites = sites, .n_sites = 3, .groups = groups, .n_groups = 1
	};
	for (int i = 0; i < EVIDENCE_FACTS; i++)
		ev.sources[i] = (struct evidence_source){ EVIDENCE_PROBE, "a test", NULL, NULL, 0 };
	return ev;
}

static double sum_lines(const struct time_ledger *l)
{
	double sum = 0;
	for (size_t i = 0; i < l->n_lines; i++)
		sum += l->lines[i].core_ns;
	return sum;
}

static void assert_adds_up(const struct time_ledger *l)
{
	assert_near(l->user_ns + l->system_ns + l->idle_ns, l->lost_ns, 1);
	assert_near(sum_lines(l) + l->unexplained_ns, l->lost_ns, 1);
	assert_near(l->cores * l->wall_ns - l->useful_ns, l->lost_ns, 1);
}

static void the_loss_is_split_exactly(void **state)
{
	(void)state;
	struct lt_err err = { 0 };
	/* False sharing as measured: 1.46 s alone, 2.79 s and 5.41 s of CPU with two. */
	LT_AUTO_RECORD struct record *rec = two_points(1.46, 1.46, 0, 2.79, 5.41, 0, 1);
	assert_int_equal(ledger_time(rec, NULL, NULL, &err), 0);
	const struct time_ledger *l = rec->ledger;
	assert_non_null(l);
	assert_near(l->lost_ns, 4.12e9, 1);
	assert_near(l->user_ns, 3.95e9, 1);
	assert_near(l->system_ns, 0, 1);
	assert_near(l->idle_ns, 0.17e9, 1);
	assert_near(l->unexplained_ns, l->lost_ns, 1);
	assert_adds_up(l);
}

static void work_that_grows_is_useful(void **state)
{
	(void)state;
	struct lt_err err = { 0 };
	LT_AUTO_RECORD struct record *rec = two_points(1, 0.8, 0.2, 1.5, 1.6, 1, 2);
	assert_int_equal(ledger_time(rec, NULL, NULL, &err), 0);
	assert_near(rec->ledger->useful_ns, 2e9, 1);
	assert_near(rec->ledger->lost_ns, 1e9, 1);
	assert_near(rec->ledger->system_ns, 0.6e9, 1);
	assert_near(rec->ledger->idle_ns, 0.4e9, 1);
	assert_adds_up(rec->ledger);
}

static void what_the_baseline_needed_too_is_no_loss(void **state)
{
	(void)state;
	struct lt_err err = { 0 };
	struct evidence_sample one[] = { { .n = 100, .ns = 0.9e9, .site = 1 },
		{ .n = 10, .ns = 0.1e9, .site = 0 } };
	struct evidence_sample two[] = { { .n = 100, .ns = 0.9e9, .site = 1 },
		{ .n = 300, .ns = 3.1e9, .site = 0 } };
	struct evidence base = observed(), at = observed();
	base.samples = one;
	at.samples = two;
	base.n_samples = at.n_samples = 2;
	LT_AUTO_RECORD struct record *rec = two_points(1, 1, 0, 2, 4, 0, 1);
	assert_int_equal(ledger_time(rec, &at, &base, &err), 0);
	const struct time_ledger *l = rec->ledger;
	assert_int_equal(l->n_lines, 1);
	assert_string_equal(l->lines[0].function, "hot");
	assert_int_equal(l->lines[0].line, 23);
	assert_string_equal(l->lines[0].group, "worker");
	assert_near(l->lines[0].core_ns, 3e9, 1e6);
	assert_near(l->unexplained_ns, 0, 1e6);
	assert_adds_up(l);
}

static void idle_cores_are_put_down_to_waits(void **state)
{
	(void)state;
	struct lt_err err = { 0 };
	struct evidence_wait waits[] = {
		{ .op = EVIDENCE_OP_LOCK, .total_ns = 1e9, .site = 2 },
		{ .op = EVIDENCE_OP_JOIN, .total_ns = 2e9, .site = 1 },
	};
	struct evidence at = observed();
	at.waits = waits;
	at.n_waits = 2;
	LT_AUTO_RECORD struct record *rec = two_points(2, 2, 0, 2, 2, 0, 1);
	assert_int_equal(ledger_time(rec, &at, NULL, &err), 0);
	const struct time_ledger *l = rec->ledger;
	assert_near(l->idle_ns, 2e9, 1);
	/* First who waited for a lock, called from outside libc; the rest to the join. */
	assert_int_equal(l->n_lines, 2);
	assert_near(l->lines[0].core_ns, 1e9, 1);
	assert_near(l->lines[1].core_ns, 1e9, 1);
	for (size_t i = 0; i < 2; i++) {
		bool lock = !strcmp(l->lines[i].op, "lock");
		assert_string_equal(l->lines[i].function, lock ? "take" : "cold");
	}
	assert_near(l->unexplained_ns, 0, 1);
	assert_adds_up(l);
}

/* A busy machine: the cores were taken by others. */
static void waiting_for_a_cpu_is_a_core_lost(void **state)
{
	(void)state;
	struct lt_err err = { 0 };
	struct evidence_wait waits[] = {
		{ .op = EVIDENCE_OP_RUNQUEUE, .total_ns = 1.5e9, .site = -1 },
		{ .op = EVIDENCE_OP_JOIN, .total_ns = 2e9, .site = 1 },
	};
	struct evidence at = observed();
	at.waits = waits;
	at.n_waits = 2;
	LT_AUTO_RECORD struct record *rec = two_points(2, 2, 0, 2, 2, 0, 1);
	assert_int_equal(ledger_time(rec, &at, NULL, &err), 0);
	const struct time_ledger *l = rec->ledger;
	assert_string_equal(l->lines[0].op, "runqueue");
	assert_near(l->lines[0].core_ns, 1.5e9, 1);
	assert_adds_up(l);
	/* More threads than CPUs always wait for one: no core is idle for that. */
	rec->curve[1].threads = 3;
	assert_int_equal(ledger_time(rec, &at, NULL, &err), 0);
	assert_int_equal(rec->ledger->n_lines, 1);
	assert_string_equal(rec->ledger->lines[0].op, "join");
}

/* Threads that do not exist cannot wait: the one that runs alone is what keeps cores idle. */
static void a_thread_alone_keeps_the_others_idle(void **state)
{
	(void)state;
	struct lt_err err = { 0 };
	struct evidence_sample s[] = { { .n = 50, .ns = 0.5e9, .alone_ns = 0.4e9, .site = 0 },
		{ .n = 150, .ns = 1.5e9, .site = 1 } };
	struct evidence at = observed();
	at.samples = s;
	at.n_samples = 2;
	at.elapsed_ns = 1.2e9;
	LT_AUTO_RECORD struct record *rec = two_points(2, 2, 0, 1.2, 2, 0, 1);
	assert_int_equal(ledger_time(rec, &at, NULL, &err), 0);
	const struct time_ledger *l = rec->ledger;
	assert_int_equal(l->n_lines, 1);
	assert_string_equal(l->lines[0].op, "alone");
	assert_near(l->lines[0].core_ns, 0.4e9, 1e6);
	assert_adds_up(l);
}

/* More waiting than idle cores, as with a pool of threads: no more is assigned than lost. */
static void lines_are_never_more_than_the_part(void **state)
{
	(void)state;
	struct lt_err err = { 0 };
	struct evidence_wait waits[] = {
		{ .op = EVIDENCE_OP_CONDITION, .total_ns = 20e9, .site = 2 }
	};
	struct evidence at = observed();
	at.waits = waits;
	at.n_waits = 1;
	LT_AUTO_RECORD struct record *rec = two_points(2, 2, 0, 1.5, 2, 0.2, 1);
	assert_int_equal(ledger_time(rec, &at, NULL, &err), 0);
	assert_near(sum_lines(rec->ledger), rec->ledger->idle_ns, 1);
	assert_near(rec->ledger->unexplained_ns, 0.2e9, 1);
	assert_adds_up(rec->ledger);
}

/* Memory bandwidth: more user time, less system time than with one thread. */
static void what_was_saved_is_a_line_too(void **state)
{
	(void)state;
	struct lt_err err = { 0 };
	struct evidence at = observed();
	struct evidence_sample s[] = { { .n = 470, .ns = 4.7e9, .site = 0 } };
	at.samples = s;
	at.n_samples = 1;
	LT_AUTO_RECORD struct record *rec = two_points(2.68, 2.41, 0.27, 2.38, 4.7, 0.01, 1);
	assert_int_equal(ledger_time(rec, &at, NULL, &err), 0);
	const struct time_ledger *l = rec->ledger;
	assert_near(l->system_ns, -0.26e9, 1);
	bool saved = false;
	for (size_t i = 0; i < l->n_lines; i++)
		saved = saved ||
			(l->lines[i].part == LEDGER_SYSTEM && !strcmp(l->lines[i].op, "saved") &&
				l->lines[i].core_ns < 0);
	assert_true(saved);
	assert_adds_up(l);
}

static void the_histogram_has_the_length_of_the_runs(void **state)
{
	(void)state;
	struct lt_err err = { 0 };
	struct evidence_core cores[] = { { 0.2e9 }, { 0.8e9 }, { 1e9 } };
	struct evidence at = observed();
	at.cores = cores;
	at.n_cores = 3;
	LT_AUTO_RECORD struct record *rec = two_points(2, 2, 0, 1, 1.5, 0, 1);
	assert_int_equal(ledger_time(rec, &at, NULL, &err), 0);
	assert_int_equal(rec->ledger->n_used, 3);
	assert_near(rec->ledger->used[1].ns, 0.4e9, 1);
	assert_string_equal(rec->ledger->used_tier, "a test");
}

static void without_a_second_point_there_is_none(void **state)
{
	(void)state;
	struct lt_err err = { 0 };
	LT_AUTO_RECORD struct record *rec = two_points(1, 1, 0, 1, 1, 0, 1);
	rec->scaling->focus = 0;
	assert_int_equal(ledger_time(rec, NULL, NULL, &err), 0);
	assert_null(rec->ledger);
	rec->scaling->focus = 1;
	for (size_t i = 0; i < rec->n_trials; i++)
		rec->trials[i].kept = rec->trials[i].variant == 0;
	assert_int_equal(ledger_time(rec, NULL, NULL, &err), 0);
	assert_null(rec->ledger);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(the_loss_is_split_exactly),
		cmocka_unit_test(work_that_grows_is_useful),
		cmocka_unit_test(what_the_baseline_needed_too_is_no_loss),
		cmocka_unit_test(idle_cores_are_put_down_to_waits),
		cmocka_unit_test(waiting_for_a_cpu_is_a_core_lost),
		cmocka_unit_test(a_thread_alone_keeps_the_others_idle),
		cmocka_unit_test(lines_are_never_more_than_the_part),
		cmocka_unit_test(what_was_saved_is_a_line_too),
		cmocka_unit_test(the_histogram_has_the_length_of_the_runs),
		cmocka_unit_test(without_a_second_point_there_is_none),
	};
	return cmocka_run_group_tests(tests, NULL, NULL);
}
