/* SPDX-License-Identifier: GPL-2.0-or-later */
/* What looks like a cause and is another one, or none. */
#include "unit/cause/scene.h"

/* A hand-off whose wake-ups leave both cores idle for a while, beside a thread that reports
 * once in a tenth of a second. */
static void a_reporter_that_sleeps_is_not_polling(void **state)
{
	struct scene s;
	(void)state;
	scene_open(&s, 0.59, 0.59, 0, 1.97, 0.85, 1.03);
	scene_cores(&s, 0.6, 1.0, 0.37);
	scene_sample(&s, EVIDENCE_OP_USER, "pass", NULL, 0.85);
	scene_sample(&s, EVIDENCE_OP_WAKE, "pass", "pthread_cond_signal", 1.0);
	scene_wait(&s, 0, EVIDENCE_OP_CONDITION, "pthread_cond_wait", 116e3, 2.0);
	scene_wait(&s, 1, EVIDENCE_OP_SLEEP, "nanosleep", 19, 1.9);
	assert_string_equal(scene_first(&s), "condvar-handoff");
	assert_null(scene_finding(&s, "timer-polling"));
}

/* Workers wait for a condition, the one that reads waits for its input. */
static void a_pool_behind_a_reader_waits_for_input(void **state)
{
	struct scene s;
	(void)state;
	scene_open(&s, 1.0, 0.4, 0, 1.0, 0.42, 0);
	scene_cores(&s, 0.6, 0.38, 0.02);
	scene_sample(&s, EVIDENCE_OP_USER, "work", NULL, 0.42);
	scene_wait(&s, 0, EVIDENCE_OP_CONDITION, "pthread_cond_wait", 400, 1.6);
	scene_wait(&s, 1, EVIDENCE_OP_POLL, "epoll_wait", 400, 0.99);
	assert_string_equal(scene_first(&s), "waiting-for-input");
}

/* So it is when what feeds it, a process of the same tree, sleeps between its writes. */
static void a_slow_child_is_input_to_its_parent(void **state)
{
	struct scene s;
	(void)state;
	scene_open(&s, 1.0, 0.4, 0, 1.0, 0.42, 0);
	scene_cores(&s, 0.6, 0.38, 0.02);
	scene_sample(&s, EVIDENCE_OP_USER, "work", NULL, 0.42);
	scene_wait(&s, 0, EVIDENCE_OP_CONDITION, "pthread_cond_wait", 400, 1.6);
	scene_wait(&s, 1, EVIDENCE_OP_READ, "read", 400, 0.97);
	s.groups[s.ev.n_groups++] =
		(struct evidence_group){ .name = "feeder", .threads = 1, .run_ns = value_of(15e6) };
	scene_wait(&s, 2, EVIDENCE_OP_SLEEP, "usleep", 400, 0.99);
	assert_string_equal(scene_first(&s), "waiting-for-input");
	assert_null(scene_finding(&s, "timer-polling"));
}

/* The same picture, but someone always runs: the reader is not to blame. */
static void a_reader_on_the_side_is_not_waiting_for_input(void **state)
{
	struct scene s;
	(void)state;
	scene_open(&s, 1.0, 1.0, 0, 0.8, 1.0, 0);
	scene_cores(&s, 0, 0.6, 0.2);
	scene_sample(&s, EVIDENCE_OP_USER, "merge", NULL, 1.0)->alone_ns = 0.6e9;
	scene_wait(&s, 0, EVIDENCE_OP_CONDITION, "pthread_cond_wait", 60, 0.6);
	scene_wait(&s, 1, EVIDENCE_OP_POLL, "epoll_wait", 3, 0.79);
	assert_string_equal(scene_first(&s), "serial-section");
	assert_null(scene_finding(&s, "waiting-for-input"));
}

/* One interpreter for all threads: those that want it wait with a deadline, and ask again. */
static void a_deadline_while_another_runs_is_not_polling(void **state)
{
	struct scene s;
	(void)state;
	scene_open(&s, 1.0, 1.0, 0, 1.05, 1.04, 0);
	scene_cores(&s, 0, 1.05, 0);
	scene_sample(&s, EVIDENCE_OP_USER, "evaluate", NULL, 1.04)->alone_ns = 1.0e9;
	scene_wait(&s, 0, EVIDENCE_OP_CONDITION, "pthread_cond_timedwait", 200, 1.04);
	assert_string_equal(scene_first(&s), "serial-section");
	assert_null(scene_finding(&s, "timer-polling"));
	scene_cores(&s, 0.9, 0.15, 0); /* nobody would have ended the waiting */
	assert_string_equal(scene_first(&s), "timer-polling");
}

static void a_lock_held_for_long_is_a_serial_section(void **state)
{
	struct scene s;
	(void)state;
	scene_open(&s, 0.86, 0.85, 0, 0.66, 0.86, 0.01);
	scene_cores(&s, 0, 0.44, 0.22);
	scene_sample(&s, EVIDENCE_OP_USER, "update_index", NULL, 0.65)->alone_ns = 0.4e9;
	scene_wait(&s, 0, EVIDENCE_OP_LOCK, "pthread_mutex_lock", 240, 0.44);
	assert_string_equal(scene_first(&s), "serial-section");
	assert_null(scene_finding(&s, "mutex-convoy"));
}

/* Main prepares before there are others, and waits for nobody. */
static void a_start_without_threads_is_a_serial_section(void **state)
{
	struct scene s;
	(void)state;
	scene_open(&s, 1.11, 1.10, 0, 0.77, 1.08, 0);
	scene_cores(&s, 0, 0.46, 0.31);
	scene_sample(&s, EVIDENCE_OP_USER, "prepare", NULL, 0.45)->alone_ns = 0.45e9;
	scene_sample(&s, EVIDENCE_OP_USER, "work", NULL, 0.62);
	scene_wait(&s, 1, EVIDENCE_OP_JOIN, "pthread_join", 2, 0.31);
	assert_string_equal(scene_first(&s), "serial-section");
	assert_string_equal(s.frames[s.named[0].finding.places[0].site][0].function, "prepare");
}

static void short_balanced_phases_are_a_hand_off(void **state)
{
	struct scene s;
	(void)state;
	scene_open(&s, 0.71, 0.65, 0, 1.72, 0.88, 0.79);
	scene_cores(&s, 0.3, 1.17, 0.25);
	scene_sample(&s, EVIDENCE_OP_USER, "step", NULL, 0.88);
	scene_sample(&s, EVIDENCE_OP_BARRIER, "step", "pthread_barrier_wait", 0.4);
	scene_sample(&s, EVIDENCE_OP_WAKE, "step", "pthread_barrier_wait", 0.39);
	scene_wait(&s, 0, EVIDENCE_OP_BARRIER, "pthread_barrier_wait", 30e3, 1.5);
	assert_string_equal(scene_first(&s), "condvar-handoff");
}

/* Phases as short, but many more threads have to come to the barrier than can run. */
static void a_crowd_at_a_barrier_is_oversubscribed(void **state)
{
	struct scene s;
	(void)state;
	scene_open(&s, 0.71, 0.65, 0, 1.72, 0.88, 0.79);
	scene_cores(&s, 0.3, 1.17, 0.25);
	scene_sample(&s, EVIDENCE_OP_USER, "step", NULL, 0.88);
	scene_sample(&s, EVIDENCE_OP_WAKE, "step", "pthread_barrier_wait", 0.79);
	scene_wait(&s, 0, EVIDENCE_OP_BARRIER, "pthread_barrier_wait", 160e3, 14);
	scene_wait(&s, 0, EVIDENCE_OP_RUNQUEUE, NULL, 160e3, 9);
	assert_string_equal(scene_first(&s), "condvar-handoff"); /* threads from elsewhere queue */
	s.ev.peak_threads = 17;
	assert_string_equal(scene_first(&s), "oversubscribed");
	assert_null(scene_finding(&s, "condvar-handoff"));
}

/* A semaphore as a lock: most calls do not sleep, so each sleep goes with much kernel time. */
static void a_semaphore_that_locks_is_a_convoy(void **state)
{
	struct scene s;
	(void)state;
	scene_open(&s, 0.5, 0.5, 0, 1.9, 1.4, 1.9);
	scene_sample(&s, EVIDENCE_OP_USER, "push", "sem_wait", 1.0);
	scene_sample(&s, EVIDENCE_OP_CONDITION, "push", "sem_wait", 1.0);
	scene_sample(&s, EVIDENCE_OP_WAKE, "push", "sem_post", 0.9);
	scene_wait(&s, 0, EVIDENCE_OP_CONDITION, "sem_wait", 19e3, 0.3);
	assert_string_equal(scene_first(&s), "mutex-convoy");
}

static void a_semaphore_that_passes_a_turn_is_a_hand_off(void **state)
{
	struct scene s;
	(void)state;
	scene_open(&s, 0.96, 0.95, 0, 2.8, 1.2, 1.6);
	scene_cores(&s, 0.5, 2.0, 0.3);
	scene_sample(&s, EVIDENCE_OP_USER, "sit", NULL, 1.2);
	scene_sample(&s, EVIDENCE_OP_CONDITION, "sit", "sem_wait", 0.8);
	scene_sample(&s, EVIDENCE_OP_WAKE, "sit", "sem_post", 0.8);
	scene_wait(&s, 0, EVIDENCE_OP_CONDITION, "sem_wait", 110e3, 2.7);
	assert_string_equal(scene_first(&s), "condvar-handoff");
}

static void a_lock_inside_malloc_is_the_allocators(void **state)
{
	struct scene s;
	(void)state;
	scene_open(&s, 1.17, 1.16, 0, 2.01, 1.76, 0.72);
	scene_cores(&s, 0.05, 1.4, 0.56);
	scene_sample(&s, EVIDENCE_OP_USER, "work", "malloc", 0.9);
	scene_sample(&s, EVIDENCE_OP_USER, "work", "free", 0.8);
	scene_sample(&s, EVIDENCE_OP_LOCK, "work", "malloc", 0.4);
	scene_sample(&s, EVIDENCE_OP_WAKE, "work", "free", 0.3);
	scene_wait(&s, 0, EVIDENCE_OP_LOCK, "malloc", 47e3, 1.4);
	assert_string_equal(scene_first(&s), "allocator-lock");
	assert_int_equal(s.n_named, 1);
}

static void much_malloc_without_waiting_is_not_a_lock(void **state)
{
	struct scene s;
	(void)state;
	scene_open(&s, 1.0, 1.0, 0, 1.5, 2.9, 0);
	scene_cores(&s, 0, 0.1, 1.4);
	scene_one_cpu(&s, 0.5, 0.4);
	scene_sample(&s, EVIDENCE_OP_USER, "work", "malloc", 1.0);
	struct evidence_sample *count = scene_sample(&s, EVIDENCE_OP_USER, "count", NULL, 1.9);
	scene_line(&s, count, 1.8, 16, 24);
	assert_string_equal(scene_first(&s), "false-sharing");
	assert_null(scene_finding(&s, "allocator-lock"));
}

static void the_same_bytes_are_true_sharing(void **state)
{
	struct scene s;
	(void)state;
	scene_open(&s, 0.99, 0.98, 0, 2.01, 3.87, 0);
	scene_one_cpu(&s, 0.5, 0.26);
	struct evidence_sample *count = scene_sample(&s, EVIDENCE_OP_USER, "count", NULL, 3.87);
	scene_line(&s, count, 3.8, 0, 0);
	assert_string_equal(scene_first(&s), "true-sharing");
	assert_null(scene_finding(&s, "false-sharing"));
}

/* Everybody reads it, one writes it now and then. */
static void a_line_that_is_mostly_read_is_not_in_dispute(void **state)
{
	struct scene s;
	(void)state;
	scene_open(&s, 1.0, 1.0, 0, 0.9, 1.7, 0);
	struct evidence_sample *look = scene_sample(&s, EVIDENCE_OP_USER, "look", NULL, 1.7);
	struct evidence_line *line = scene_line(&s, look, 1.0, 0, 8);
	for (size_t i = 0; i < line->n_accesses; i++)
		line->accesses[i].write = false;
	assert_string_equal(scene_first(&s), "unknown");
	assert_int_equal(s.n_named, 1);
}

static void small_data_is_not_bandwidth(void **state)
{
	struct scene s;
	(void)state;
	scene_open(&s, 1.0, 1.0, 0, 0.98, 1.95, 0);
	scene_one_cpu(&s, 1.0, 0.52);
	scene_sample(&s, EVIDENCE_OP_USER, "work", NULL, 1.95);
	assert_string_equal(scene_first(&s), "unknown");
	assert_true(scene_fact(&s.named[0].finding, "unexplained") > 0.9e9);
}

/* On one CPU it needs as much CPU time: memory is not what it waits for. */
static void as_much_cpu_time_on_one_cpu_is_not_bandwidth(void **state)
{
	struct scene s;
	(void)state;
	scene_open(&s, 1.0, 1.0, 0, 0.98, 1.95, 0);
	scene_one_cpu(&s, 2.0, 0.99);
	s.ev.peak_bytes = value_of(600e6);
	scene_sample(&s, EVIDENCE_OP_USER, "work", NULL, 1.95);
	assert_string_equal(scene_first(&s), "unknown");
}

/* All of a big array touched once at the start: many faults, and no churn. */
static void a_first_touch_is_not_churn(void **state)
{
	struct scene s;
	(void)state;
	scene_open(&s, 1.40, 0.89, 0.25, 1.20, 0.9, 0.27);
	scene_cores(&s, 0.1, 1.0, 0.1);
	s.ev.minor_faults = value_of(147e3);
	scene_sample(&s, EVIDENCE_OP_FAULT, "main", NULL, 0.27)->alone_ns = 0.27e9;
	scene_sample(&s, EVIDENCE_OP_USER, "main", NULL, 0.9)->alone_ns = 0.7e9;
	scene_first(&s);
	assert_null(scene_finding(&s, "memory-map-churn"));
}

/* Few faults, as pages are huge, but the same memory again and again. */
static void churn_of_huge_pages_has_few_faults(void **state)
{
	struct scene s;
	(void)state;
	scene_open(&s, 1.2, 0.1, 1.1, 1.0, 0.1, 1.5);
	scene_cores(&s, 0.1, 0.2, 0.7);
	s.ev.minor_faults = value_of(1500);
	s.ev.peak_bytes = value_of(84e6);
	scene_sample(&s, EVIDENCE_OP_FAULT, "churn", NULL, 1.4);
	scene_sample(&s, EVIDENCE_OP_MAP, "churn", "munmap", 0.1);
	scene_sample(&s, EVIDENCE_OP_USER, "churn", NULL, 0.1);
	assert_string_equal(scene_first(&s), "memory-map-churn");
	s.ev.peak_bytes = value_of(4e9); /* it is simply large */
	scene_first(&s);
	assert_null(scene_finding(&s, "memory-map-churn"));
}

static void threads_that_queue_beside_an_idle_core_are_held(void **state)
{
	struct scene s;
	(void)state;
	scene_open(&s, 1.14, 1.08, 0, 1.16, 1.08, 0);
	scene_cores(&s, 0.01, 1.15, 0);
	scene_sample(&s, EVIDENCE_OP_USER, "work", NULL, 1.08);
	scene_wait(&s, 0, EVIDENCE_OP_RUNQUEUE, NULL, 380, 1.1);
	assert_string_equal(scene_first(&s), "cpu-limit");
	assert_int_equal(s.n_named, 1);
}

static void threads_that_queue_behind_others_are_not(void **state)
{
	struct scene s;
	(void)state;
	scene_open(&s, 1.14, 1.08, 0, 1.16, 1.08, 0);
	scene_cores(&s, 0.01, 1.15, 0);
	s.ev.foreign_ns = value_of(1.1e9);
	scene_sample(&s, EVIDENCE_OP_USER, "work", NULL, 1.08);
	scene_wait(&s, 0, EVIDENCE_OP_RUNQUEUE, NULL, 380, 1.1);
	assert_string_equal(scene_first(&s), "foreign-load");
	assert_null(scene_finding(&s, "cpu-limit"));
}

/* It uses more than one core with one thread, but not all, and there is some noise. */
static void teams_that_queue_explain_a_flat_curve_with_noise(void **state)
{
	struct scene s;
	(void)state;
	scene_open(&s, 0.866, 1.25, 0, 0.785, 1.255, 0.008);
	scene_cores(&s, 0, 0.14, 0.64);
	scene_sample(&s, EVIDENCE_OP_USER, "part", NULL, 1.25);
	scene_wait(&s, 0, EVIDENCE_OP_RUNQUEUE, NULL, 260, 0.9);
	assert_string_equal(scene_first(&s), "unknown"); /* as many threads as asked for */
	s.ev.peak_threads = 7;
	assert_string_equal(scene_first(&s), "oversubscribed");
}

static void a_busy_machine_is_all_that_is_said(void **state)
{
	struct scene s;
	(void)state;
	scene_open(&s, 1.46, 1.46, 0, 2.79, 5.41, 0);
	scene_line(&s, scene_sample(&s, EVIDENCE_OP_USER, "count", NULL, 5.41), 5.3, 0, 8);
	s.scaling.busy = true;
	s.scaling.check.given = 1.2;
	assert_string_equal(scene_first(&s), "foreign-load");
	assert_int_equal(s.n_named, 1);
	assert_true(scene_fact(&s.named[0].finding, "cores-given") == 1.2);
}

static void a_mask_from_outside_is_said_when_threads_go_beyond_it(void **state)
{
	struct scene s;
	(void)state;
	scene_open(&s, 1.1, 1.1, 0, 1.1, 1.1, 0);
	s.scaling.cpus = s.scaling.allowed = 1;
	s.scaling.verdict = SCALE_SCALES;
	s.beyond = s.focus;
	s.focus = s.base;
	s.in.beyond = &s.beyond;
	assert_string_equal(scene_first(&s), "cpu-limit");
	s.in.online = 1; /* there are no more */
	assert_string_equal(scene_first(&s), "scales");
}

/* CPUs that are halves of one core hardly mind a line that two threads write. */
static void a_line_that_costs_little_is_said_beside(void **state)
{
	struct scene s;
	(void)state;
	scene_open(&s, 1.0, 1.0, 0, 0.54, 1.07, 0);
	scene_line(&s, scene_sample(&s, EVIDENCE_OP_USER, "count", NULL, 1.07), 0.9, 0, 8);
	assert_string_equal(scene_first(&s), "scales");
	const struct cause_finding *f = scene_finding(&s, "false-sharing");
	assert_non_null(f);
	assert_true(f->aside && isnan(f->core_ns));
	assert_int_equal(f->places[0].offset, 0);
	assert_int_equal(f->places[1].offset, 8);
	s.ev.n_lines = 0; /* each has a line of its own */
	scene_first(&s);
	assert_int_equal(s.n_named, 1);
}

/* Loads wait for the line that the store before them asked for: there the samples are. */
static void an_update_is_a_write_though_it_is_caught_reading(void **state)
{
	struct scene s;
	(void)state;
	scene_open(&s, 1.0, 1.0, 0, 1.5, 3.0, 0);
	struct evidence_line *line =
		scene_line(&s, scene_sample(&s, EVIDENCE_OP_USER, "count", NULL, 3.0), 2.9, 0, 8);
	for (unsigned t = 0; t < 2; t++) {
		s.accesses[0][2 + t] = s.accesses[0][t];
		s.accesses[0][2 + t].n *= 0.02;
		s.accesses[0][t].write = false;
	}
	line->n_accesses = 4;
	assert_string_equal(scene_first(&s), "false-sharing");
	s.accesses[0][2].n = s.accesses[0][3].n = 1; /* as good as never */
	scene_first(&s);
	assert_null(scene_finding(&s, "false-sharing"));
}

/* It may scale: what noise cannot look like is named, the rest is not. */
static void an_open_question_names_what_is_no_noise(void **state)
{
	struct scene s;
	(void)state;
	scene_open(&s, 1.0, 0.99, 0.01, 0.58, 0.99, 0.04);
	scene_cores(&s, 0.01, 0.11, 0.46);
	scene_sample(&s, EVIDENCE_OP_USER, "work", NULL, 0.99);
	struct evidence_wait *wait =
		scene_wait(&s, 0, EVIDENCE_OP_LOCK, "pthread_mutex_lock", 20000, 0.12);
	s.scaling.verdict = SCALE_UNDECIDED;
	assert_string_equal(scene_first(&s), "mutex-convoy");
	assert_int_equal(s.named[0].finding.confidence, CONFIDENCE_MEDIUM);
	wait->count = 1; /* one waited for the other's end */
	assert_string_equal(scene_first(&s), "nothing");
}

/* Whose lock of a stream it is that threads queue at: a writer's, or one that waits to read. */
static void a_stream_that_is_written_is_a_lock_like_others(void **state)
{
	struct scene s;
	(void)state;
	scene_open(&s, 0.9, 0.9, 0, 1.9, 1.5, 1.2);
	scene_cores(&s, 0, 1.0, 0.9);
	scene_sample(&s, EVIDENCE_OP_USER, "note", NULL, 0.9);
	struct evidence_sample *put = scene_sample(&s, EVIDENCE_OP_USER, "note", "fputs", 0.6);
	scene_line(&s, put, 0.6, 0, 0);
	scene_sample(&s, EVIDENCE_OP_LOCK, "note", "fputs", 1.2);
	scene_wait(&s, 0, EVIDENCE_OP_LOCK, "fputs", 40e3, 1.1);
	assert_string_equal(scene_first(&s), "mutex-convoy");
	assert_null(scene_finding(&s, "waiting-for-input"));
	assert_null(scene_finding(&s, "true-sharing"));
	scene_wait(&s, 0, EVIDENCE_OP_READ, "fgets", 1000, 1.0);
	scene_first(&s);
	assert_non_null(scene_finding(&s, "waiting-for-input"));
}

/* The limit lies below the only count beside one thread, which then is the focus. */
static void a_limit_below_the_focus_is_said(void **state)
{
	struct scene s;
	(void)state;
	scene_open(&s, 1.5, 1.5, 0, 1.01, 1.5, 0);
	s.scaling.cpus = s.scaling.quota = 1.5;
	s.scaling.verdict = SCALE_SCALES;
	assert_string_equal(scene_first(&s), "cpu-limit");
	s.scaling.cpus = s.scaling.quota = 2; /* as many as it has threads */
	assert_string_equal(scene_first(&s), "scales");
}

/* It does not use what the limit allows: the limit is not what holds it. */
static void a_limit_that_is_not_reached_is_not_blamed(void **state)
{
	struct scene s;
	(void)state;
	scene_open(&s, 1.5, 1.5, 0, 1.4, 1.5, 0);
	s.scaling.cpus = s.scaling.quota = 1.5;
	scene_first(&s);
	assert_null(scene_finding(&s, "cpu-limit"));
}

static void collapse_beyond_the_cores_is_said_beside(void **state)
{
	struct scene s;
	(void)state;
	scene_open(&s, 2.46, 2.45, 0, 1.24, 2.45, 0);
	s.beyond = scene_point(4, 2.8, 5.5, 0);
	s.in.beyond = &s.beyond;
	assert_string_equal(scene_first(&s), "scales");
	assert_non_null(scene_finding(&s, "oversubscribed"));
	s.beyond = scene_point(4, 1.5, 2.6, 0);
	scene_first(&s);
	assert_null(scene_finding(&s, "oversubscribed"));
}

/* A team of a runtime spins before it sleeps: what it waits for is the matter. */
static void a_team_that_spins_and_sleeps_waits_for_one(void **state)
{
	struct scene s;
	(void)state;
	scene_open(&s, 1.05, 1.05, 0, 0.73, 1.29, 0.01);
	scene_cores(&s, 0, 0.17, 0.56);
	scene_sample(&s, EVIDENCE_OP_USER, "solve", NULL, 0.41)->alone_ns = 0.17e9;
	scene_sample(&s, EVIDENCE_OP_USER, "loop", NULL, 0.62);
	scene_sample(&s, EVIDENCE_OP_USER, "loop", "GOMP_barrier", 0.25)->pause_ns = 0.25e9;
	scene_wait(&s, 0, EVIDENCE_OP_BARRIER, "GOMP_barrier", 40, 0.17);
	assert_string_equal(scene_first(&s), "serial-section");
	assert_null(scene_finding(&s, "spin-wait"));
}

static void a_team_that_only_spins_is_spinning(void **state)
{
	struct scene s;
	(void)state;
	scene_open(&s, 1.05, 1.05, 0, 0.8, 1.59, 0);
	scene_cores(&s, 0, 0.01, 0.79);
	scene_sample(&s, EVIDENCE_OP_USER, "loop", NULL, 1.05);
	scene_sample(&s, EVIDENCE_OP_USER, "loop", "GOMP_barrier", 0.54)->pause_ns = 0.54e9;
	assert_string_equal(scene_first(&s), "spin-wait");
}

/* The runtime's lock functions have no names, and spin before they sleep. */
static void a_critical_section_is_a_lock_without_its_name(void **state)
{
	struct scene s;
	(void)state;
	scene_open(&s, 0.40, 0.37, 0, 0.87, 1.39, 0);
	scene_cores(&s, 0, 0.3, 0.57);
	scene_one_cpu(&s, 0.43, 0.25);
	struct evidence_sample *in =
		scene_sample(&s, EVIDENCE_OP_USER, "main._omp_fn.0", "gomp", 1.3);
	s.frames[in->site][0] = (struct evidence_frame){ .object = "libgomp.so.1.0.0" };
	in->pause_ns = 0.5e9;
	in->locked_ns = 0.6e9;
	scene_sample(&s, EVIDENCE_OP_USER, "main._omp_fn.0", NULL, 0.09);
	scene_line(&s, in, 0.9, 8, 8);
	scene_wait(&s, 0, EVIDENCE_OP_BARRIER, "GOMP_parallel", 1, 0.0006);
	scene_wait(&s, 0, EVIDENCE_OP_RUNQUEUE, NULL, 400, 0.3);
	assert_string_equal(scene_first(&s), "mutex-convoy");
	assert_null(scene_finding(&s, "spin-wait"));
	assert_null(scene_finding(&s, "condvar-handoff"));
}

/* The runtime has names for entering a critical section, none for the spinning there. */
static void spinning_beside_a_named_lock_is_for_it(void **state)
{
	struct scene s;
	(void)state;
	scene_open(&s, 0.40, 0.37, 0, 1.5, 2.9, 0);
	scene_cores(&s, 0, 0.03, 1.47);
	struct evidence_sample *enter =
		scene_sample(&s, EVIDENCE_OP_USER, "main._omp_fn.0", "GOMP_critical_start", 1.3);
	struct evidence_sample *spin =
		scene_sample(&s, EVIDENCE_OP_USER, "main._omp_fn.0", "gomp", 1.5);
	s.frames[spin->site][0] = (struct evidence_frame){ .object = "libgomp.so.1.0.0" };
	s.frames[spin->site][1].line = s.frames[enter->site][1].line;
	enter->locked_ns = 1.2e9;
	spin->locked_ns = 0.05e9;
	scene_line(&s, enter, 0.9, 8, 8);
	assert_string_equal(scene_first(&s), "mutex-convoy");
	assert_null(scene_finding(&s, "spin-wait"));
	s.frames[spin->site][1].line++; /* elsewhere it waits for the team */
	scene_first(&s);
	assert_non_null(scene_finding(&s, "spin-wait"));
}

static void without_evidence_nothing_is_claimed(void **state)
{
	struct scene s;
	(void)state;
	scene_open(&s, 1.0, 1.0, 0, 1.5, 2.5, 0.2);
	s.in.evidence = NULL;
	assert_string_equal(scene_first(&s), "unknown");
	assert_int_equal(s.n_named, 1);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(a_reporter_that_sleeps_is_not_polling),
		cmocka_unit_test(a_pool_behind_a_reader_waits_for_input),
		cmocka_unit_test(a_slow_child_is_input_to_its_parent),
		cmocka_unit_test(a_reader_on_the_side_is_not_waiting_for_input),
		cmocka_unit_test(a_deadline_while_another_runs_is_not_polling),
		cmocka_unit_test(a_lock_held_for_long_is_a_serial_section),
		cmocka_unit_test(a_start_without_threads_is_a_serial_section),
		cmocka_unit_test(short_balanced_phases_are_a_hand_off),
		cmocka_unit_test(a_crowd_at_a_barrier_is_oversubscribed),
		cmocka_unit_test(a_semaphore_that_locks_is_a_convoy),
		cmocka_unit_test(a_semaphore_that_passes_a_turn_is_a_hand_off),
		cmocka_unit_test(a_lock_inside_malloc_is_the_allocators),
		cmocka_unit_test(much_malloc_without_waiting_is_not_a_lock),
		cmocka_unit_test(the_same_bytes_are_true_sharing),
		cmocka_unit_test(a_line_that_is_mostly_read_is_not_in_dispute),
		cmocka_unit_test(small_data_is_not_bandwidth),
		cmocka_unit_test(as_much_cpu_time_on_one_cpu_is_not_bandwidth),
		cmocka_unit_test(a_first_touch_is_not_churn),
		cmocka_unit_test(churn_of_huge_pages_has_few_faults),
		cmocka_unit_test(threads_that_queue_beside_an_idle_core_are_held),
		cmocka_unit_test(threads_that_queue_behind_others_are_not),
		cmocka_unit_test(teams_that_queue_explain_a_flat_curve_with_noise),
		cmocka_unit_test(a_busy_machine_is_all_that_is_said),
		cmocka_unit_test(a_mask_from_outside_is_said_when_threads_go_beyond_it),
		cmocka_unit_test(a_line_that_costs_little_is_said_beside),
		cmocka_unit_test(an_open_question_names_what_is_no_noise),
		cmocka_unit_test(a_stream_that_is_written_is_a_lock_like_others),
		cmocka_unit_test(an_update_is_a_write_though_it_is_caught_reading),
		cmocka_unit_test(a_limit_below_the_focus_is_said),
		cmocka_unit_test(a_limit_that_is_not_reached_is_not_blamed),
		cmocka_unit_test(collapse_beyond_the_cores_is_said_beside),
		cmocka_unit_test(a_team_that_spins_and_sleeps_waits_for_one),
		cmocka_unit_test(a_team_that_only_spins_is_spinning),
		cmocka_unit_test(a_critical_section_is_a_lock_without_its_name),
		cmocka_unit_test(spinning_beside_a_named_lock_is_for_it),
		cmocka_unit_test(without_evidence_nothing_is_claimed),
	};
	return cmocka_run_group_tests(tests, NULL, NULL);
}
