/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Programs with one known cause, with the figures that the study measured of each: each is
 * named. Seconds, of two CPUs. */
#include "unit/cause/scene.h"

static void perfect_scaling_is_said(void **state)
{
	struct scene s;
	(void)state;
	scene_open(&s, 2.46, 2.46, 0, 1.24, 2.45, 0);
	scene_sample(&s, EVIDENCE_OP_USER, "work", NULL, 2.45);
	assert_string_equal(scene_first(&s), "scales");
	assert_int_equal(s.n_named, 1);
}

static void a_part_done_alone_is_a_serial_section(void **state)
{
	struct scene s;
	(void)state;
	scene_open(&s, 2.46, 2.45, 0, 1.49, 2.46, 0);
	scene_cores(&s, 0, 0.5, 0.99);
	scene_sample(&s, EVIDENCE_OP_USER, "work", NULL, 1.96);
	scene_sample(&s, EVIDENCE_OP_USER, "merge", NULL, 0.5)->alone_ns = 0.49e9;
	scene_wait(&s, 0, EVIDENCE_OP_BARRIER, "pthread_barrier_wait", 100, 0.49);
	assert_string_equal(scene_first(&s), "serial-section");
	const struct cause_finding *f = &s.named[0].finding;
	assert_string_equal(f->places[0].role, "runs-alone");
	assert_string_equal(s.frames[f->places[0].site][0].function, "merge");
	assert_true(scene_fact(f, "most-speedup") > 4.5 && scene_fact(f, "most-speedup") < 5.5);
}

static void a_short_lock_is_a_convoy(void **state)
{
	struct scene s;
	(void)state;
	scene_open(&s, 0.49, 0.49, 0, 1.20, 1.08, 0.94);
	scene_cores(&s, 0.02, 0.33, 0.85);
	scene_one_cpu(&s, 0.48, 0.3);
	struct evidence_sample *lock =
		scene_sample(&s, EVIDENCE_OP_USER, "update", "pthread_mutex_lock", 0.6);
	scene_sample(&s, EVIDENCE_OP_USER, "update", NULL, 0.48);
	scene_sample(&s, EVIDENCE_OP_LOCK, "update", "pthread_mutex_lock", 0.5);
	scene_sample(&s, EVIDENCE_OP_WAKE, "update", NULL, 0.44);
	scene_line(&s, lock, 0.3, 0, 0);
	scene_wait(&s, 0, EVIDENCE_OP_LOCK, "pthread_mutex_lock", 20e3, 0.3);
	assert_string_equal(scene_first(&s), "mutex-convoy");
	assert_int_equal(s.n_named, 1);
	assert_int_equal(s.named[0].finding.confidence, CONFIDENCE_HIGH);
}

static void counters_side_by_side_are_false_sharing(void **state)
{
	struct scene s;
	(void)state;
	scene_open(&s, 1.46, 1.46, 0, 2.79, 5.41, 0);
	scene_cores(&s, 0, 0.17, 2.62);
	scene_one_cpu(&s, 1 / 3.87, 0.27);
	struct evidence_sample *count = scene_sample(&s, EVIDENCE_OP_USER, "count", NULL, 5.41);
	scene_line(&s, count, 5.3, 0, 8);
	assert_string_equal(scene_first(&s), "false-sharing");
	const struct cause_finding *f = &s.named[0].finding;
	assert_int_equal(f->n_places, 2);
	assert_true(f->places[0].offset + f->places[1].offset == 8);
	assert_string_equal(f->places[0].data, "counters");
	assert_true(f->core_ns > 0.9 * s.ledger.lost_ns);
}

static void its_padded_twin_has_no_line_in_dispute(void **state)
{
	struct scene s;
	(void)state;
	scene_open(&s, 1.46, 1.46, 0, 0.74, 1.47, 0);
	scene_sample(&s, EVIDENCE_OP_USER, "count", NULL, 1.47);
	assert_string_equal(scene_first(&s), "scales");
	assert_int_equal(s.n_named, 1);
}

static void maps_made_anew_are_churn(void **state)
{
	struct scene s;
	(void)state;
	scene_open(&s, 1.24, 0.11, 1.13, 1.32, 0.14, 1.67);
	scene_cores(&s, 0.05, 0.73, 0.54);
	s.ev.minor_faults = value_of(612e3);
	scene_sample(&s, EVIDENCE_OP_FAULT, "churn", NULL, 1.2);
	scene_sample(&s, EVIDENCE_OP_MAP, "churn", "munmap", 0.4)->syscall = "munmap";
	scene_sample(&s, EVIDENCE_OP_USER, "churn", "memset", 0.14);
	scene_wait(&s, 0, EVIDENCE_OP_FAULT, NULL, 20e3, 0.31);
	scene_wait(&s, 0, EVIDENCE_OP_MAP, "munmap", 9e3, 0.18);
	assert_string_equal(scene_first(&s), "memory-map-churn");
}

/* Where a hypervisor follows each change of the page tables, to touch a page takes user time. */
static void touching_fresh_pages_belongs_to_churn(void **state)
{
	struct scene s;
	(void)state;
	scene_open(&s, 6.5, 2.7, 3.8, 5.7, 4.2, 5.4);
	scene_cores(&s, 0.02, 1.8, 3.9);
	s.ev.minor_faults = value_of(612e3);
	scene_sample(&s, EVIDENCE_OP_FAULT, "churn", NULL, 5.1);
	scene_sample(&s, EVIDENCE_OP_MAP, "churn", "munmap", 0.3)->syscall = "munmap";
	struct evidence_sample *use = scene_sample(&s, EVIDENCE_OP_USER, "churn", "memset", 4.2);
	scene_first(&s);
	double without = scene_finding(&s, "memory-map-churn")->core_ns;
	use->fresh_ns = 0.98 * use->ns;
	assert_string_equal(scene_first(&s), "memory-map-churn");
	assert_true(scene_finding(&s, "memory-map-churn")->core_ns > 1.5 * without);
}

static void churn_that_scales_is_said_beside(void **state)
{
	struct scene s;
	(void)state;
	scene_open(&s, 1.20, 0.12, 1.07, 0.62, 0.15, 1.09);
	s.ev.minor_faults = value_of(552e3);
	scene_sample(&s, EVIDENCE_OP_FAULT, "churn", NULL, 1.0);
	scene_sample(&s, EVIDENCE_OP_USER, "churn", NULL, 0.15);
	assert_string_equal(scene_first(&s), "scales");
	assert_int_equal(s.n_named, 2);
	assert_non_null(scene_finding(&s, "memory-map-churn"));
	assert_true(isnan(scene_finding(&s, "memory-map-churn")->core_ns));
}

static void a_loop_with_frozen_registers_is_spinning(void **state)
{
	struct scene s;
	(void)state;
	scene_open(&s, 2.62, 2.62, 0, 1.99, 3.93, 0);
	scene_cores(&s, 0, 0.05, 1.94);
	scene_one_cpu(&s, 1.9, 0.9);
	scene_sample(&s, EVIDENCE_OP_USER, "work", NULL, 2.6);
	struct evidence_sample *spin =
		scene_sample(&s, EVIDENCE_OP_USER, "barrier_wait", NULL, 1.33);
	spin->frozen_ns = 1.3e9;
	/* The flag's line is hot too, and not the matter. */
	scene_line(&s, spin, 1.0, 0, 0);
	assert_string_equal(scene_first(&s), "spin-wait");
	assert_int_equal(s.n_named, 1);
}

static void a_slot_between_threads_is_a_hand_off(void **state)
{
	struct scene s;
	(void)state;
	scene_open(&s, 0.59, 0.59, 0, 1.97, 0.85, 1.03);
	scene_cores(&s, 0.5, 1.1, 0.37);
	scene_sample(&s, EVIDENCE_OP_USER, "pass", NULL, 0.85);
	scene_sample(&s, EVIDENCE_OP_CONDITION, "pass", "pthread_cond_wait", 0.6);
	scene_sample(&s, EVIDENCE_OP_WAKE, "pass", "pthread_cond_signal", 0.4);
	scene_wait(&s, 0, EVIDENCE_OP_CONDITION, "pthread_cond_wait", 116e3, 2.0);
	scene_wait(&s, 0, EVIDENCE_OP_LOCK, "pthread_mutex_lock", 9e3, 0.1);
	assert_string_equal(scene_first(&s), "condvar-handoff");
	assert_null(scene_finding(&s, "mutex-convoy"));
}

static void more_cpu_time_for_large_data_is_bandwidth(void **state)
{
	struct scene s;
	(void)state;
	scene_open(&s, 2.68, 2.41, 0.3, 2.38, 4.71, 0);
	scene_cores(&s, 0, 0.05, 2.33);
	scene_one_cpu(&s, 1 / 1.05, 2.5 / 4.9);
	s.ev.peak_bytes = value_of(600e6);
	scene_sample(&s, EVIDENCE_OP_USER, "triad", NULL, 4.7);
	assert_string_equal(scene_first(&s), "memory-bandwidth");
	assert_int_equal(s.n_named, 1);
}

/* Two hardware threads of one core; counters of their own, each in a line of its own. */
static void more_cpu_time_on_halves_of_a_core_is_told(void **state)
{
	struct scene s;
	(void)state;
	scene_open(&s, 0.177, 0.177, 0, 0.118, 0.231, 0);
	scene_cores(&s, 0, 0.01, 0.108);
	scene_one_cpu(&s, 1.5, 0.77);
	scene_sample(&s, EVIDENCE_OP_USER, "count", NULL, 0.231);
	s.scaling.check.wide = 1.1;
	assert_string_equal(scene_first(&s), "shared-core");
	assert_int_equal(s.n_named, 1);
	s.scaling.check.wide = 1.95; /* whole cores: then why is not known */
	assert_string_equal(scene_first(&s), "unknown");
	s.scaling.check.wide = 0; /* nobody looked */
	assert_string_equal(scene_first(&s), "unknown");
	s.scaling.check.wide = 1.1;
	s.scaling.one_cpu.cpu = value_of(1.01); /* it takes as long on one: not the core */
	assert_string_equal(scene_first(&s), "unknown");
}

static void a_slow_pipe_is_waiting_for_input(void **state)
{
	struct scene s;
	(void)state;
	scene_open(&s, 1.50, 0.57, 0, 1.50, 0.55, 0.03);
	scene_cores(&s, 0.95, 0.52, 0.03);
	scene_sample(&s, EVIDENCE_OP_USER, "work", NULL, 0.55);
	scene_wait(&s, 0, EVIDENCE_OP_READ, "read", 3000, 2.49);
	/* The other end is a process of the tree that sleeps. */
	s.groups[s.ev.n_groups++] = (struct evidence_group){
		.name = "producer", .threads = 1, .run_ns = value_of(80e6)
	};
	scene_wait(&s, 2, EVIDENCE_OP_SLEEP, "nanosleep", 3000, 1.45);
	assert_string_equal(scene_first(&s), "waiting-for-input");
	assert_null(scene_finding(&s, "timer-polling"));
}

static void sleeps_between_looks_are_timer_polling(void **state)
{
	struct scene s;
	(void)state;
	scene_open(&s, 1.87, 0.31, 0, 1.62, 0.28, 0);
	scene_cores(&s, 1.35, 0.26, 0.01);
	scene_sample(&s, EVIDENCE_OP_USER, "work", NULL, 0.28);
	scene_wait(&s, 0, EVIDENCE_OP_SLEEP, "nanosleep", 4300, 4.6);
	scene_wait(&s, 1, EVIDENCE_OP_JOIN, "pthread_join", 1, 1.6);
	assert_string_equal(scene_first(&s), "timer-polling");
	assert_int_equal(s.n_named, 1);
}

static void teams_of_each_thread_are_oversubscription(void **state)
{
	struct scene s;
	(void)state;
	scene_open(&s, 0.50, 0.99, 0, 0.51, 0.99, 0);
	scene_cores(&s, 0, 0.03, 0.48);
	scene_sample(&s, EVIDENCE_OP_USER, "part", NULL, 0.99);
	scene_wait(&s, 0, EVIDENCE_OP_RUNQUEUE, NULL, 260, 0.9);
	assert_string_equal(scene_first(&s), "oversubscribed");
	assert_int_equal(s.n_named, 1);
}

static void yielding_all_the_time_is_a_yield_storm(void **state)
{
	struct scene s;
	(void)state;
	scene_open(&s, 1.64, 1.63, 0, 1.74, 1.78, 1.66);
	scene_cores(&s, 0, 0.05, 1.69);
	scene_sample(&s, EVIDENCE_OP_USER, "work", NULL, 1.7);
	scene_sample(&s, EVIDENCE_OP_YIELD, "work", "sched_yield", 1.66)->syscall = "sched_yield";
	assert_string_equal(scene_first(&s), "yield-storm");
	assert_int_equal(s.n_named, 1);
}

static void harmless_calls_are_not_a_cause(void **state)
{
	struct scene s;
	(void)state;
	scene_open(&s, 1.09, 0.44, 0.65, 0.56, 0.52, 0.58);
	scene_sample(&s, EVIDENCE_OP_OTHER, "ask", "syscall", 0.58);
	scene_sample(&s, EVIDENCE_OP_USER, "ask", NULL, 0.52);
	assert_string_equal(scene_first(&s), "scales");
	assert_int_equal(s.n_named, 1);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(perfect_scaling_is_said),
		cmocka_unit_test(a_part_done_alone_is_a_serial_section),
		cmocka_unit_test(a_short_lock_is_a_convoy),
		cmocka_unit_test(counters_side_by_side_are_false_sharing),
		cmocka_unit_test(its_padded_twin_has_no_line_in_dispute),
		cmocka_unit_test(maps_made_anew_are_churn),
		cmocka_unit_test(touching_fresh_pages_belongs_to_churn),
		cmocka_unit_test(churn_that_scales_is_said_beside),
		cmocka_unit_test(a_loop_with_frozen_registers_is_spinning),
		cmocka_unit_test(a_slot_between_threads_is_a_hand_off),
		cmocka_unit_test(more_cpu_time_for_large_data_is_bandwidth),
		cmocka_unit_test(more_cpu_time_on_halves_of_a_core_is_told),
		cmocka_unit_test(a_slow_pipe_is_waiting_for_input),
		cmocka_unit_test(sleeps_between_looks_are_timer_polling),
		cmocka_unit_test(teams_of_each_thread_are_oversubscription),
		cmocka_unit_test(yielding_all_the_time_is_a_yield_storm),
		cmocka_unit_test(harmless_calls_are_not_a_cause),
	};
	return cmocka_run_group_tests(tests, NULL, NULL);
}
