/* SPDX-License-Identifier: GPL-2.0-or-later */
/* As an ordinary user the kernel's side is closed: its time is put down to what the program
 * went there for. */
#include "cause/book.h"
#include "unit/cause/scene.h"

static void close_kernel(struct scene *s)
{
	s->ev.sources[EVIDENCE_KERNEL].tier = EVIDENCE_NONE;
	s->ev.sources[EVIDENCE_WAITS].tier = EVIDENCE_PERF;
	s->ev.voluntary = value_of(100);
}

static void many_faults_are_churn(void **state)
{
	struct scene s;
	(void)state;
	scene_open(&s, 1.24, 0.11, 1.13, 1.32, 0.14, 1.67);
	scene_cores(&s, 0.05, 0.73, 0.54);
	close_kernel(&s);
	s.ev.minor_faults = value_of(612e3);
	scene_sample(&s, EVIDENCE_OP_USER, "churn", "memset", 0.14);
	scene_wait(&s, 0, EVIDENCE_OP_FAULT, NULL, 200, 0.31);
	scene_wait(&s, 0, EVIDENCE_OP_MAP, "munmap", 90, 0.18);
	assert_string_equal(scene_first(&s), "memory-map-churn");
}

static void samples_behind_yields_are_a_yield_storm(void **state)
{
	struct scene s;
	(void)state;
	scene_open(&s, 1.1, 1.09, 0, 1.1, 1.2, 0.9);
	scene_cores(&s, 0, 0.1, 1.0);
	close_kernel(&s);
	scene_sample(&s, EVIDENCE_OP_USER, "work", NULL, 1.08);
	struct evidence_sample *y = scene_sample(&s, EVIDENCE_OP_USER, "work", "sched_yield", 0.12);
	y->syscall = "sched_yield";
	y->entry_ns = y->ns;
	assert_string_equal(scene_first(&s), "yield-storm");
}

/* Few sleeps and much kernel time: the calls seldom sleep. */
static void a_convoy_is_told_from_a_hand_off(void **state)
{
	struct scene s;
	(void)state;
	for (int locks = 0; locks < 2; locks++) {
		scene_open(&s, 0.5, 0.5, 0, 2.0, 1.3, 1.3);
		scene_cores(&s, 0.1, 1.2, 0.7);
		close_kernel(&s);
		double sleeps = locks ? 13e3 : 150e3;
		s.ev.voluntary = value_of(sleeps);
		scene_sample(&s, EVIDENCE_OP_USER, "push", "sem_wait", 0.9);
		struct evidence_sample *e =
			scene_sample(&s, EVIDENCE_OP_USER, "push", "sem_post", 0.3);
		e->syscall = "futex";
		e->entry_ns = e->ns;
		scene_wait(&s, 0, EVIDENCE_OP_CONDITION, "sem_wait", sleeps, 1.2);
		assert_string_equal(scene_first(&s), locks ? "mutex-convoy" : "condvar-handoff");
	}
}

static void without_a_clue_nothing_is_guessed(void **state)
{
	struct scene s;
	(void)state;
	scene_open(&s, 1.0, 0.5, 0.5, 1.0, 0.5, 1.45);
	scene_cores(&s, 0, 0.05, 0.95);
	close_kernel(&s);
	scene_sample(&s, EVIDENCE_OP_USER, "ask", NULL, 0.5);
	assert_string_equal(scene_first(&s), "unknown");
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(many_faults_are_churn),
		cmocka_unit_test(samples_behind_yields_are_a_yield_storm),
		cmocka_unit_test(a_convoy_is_told_from_a_hand_off),
		cmocka_unit_test(without_a_clue_nothing_is_guessed),
	};
	return cmocka_run_group_tests(tests, NULL, NULL);
}
