/* SPDX-License-Identifier: GPL-2.0-or-later */
/* From pages to parts: what adds up, what is missing and why, what is not believed. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include <stdlib.h>
#include <string.h>

#include "run/parts.h"

enum {
	SLOTS = 8,
	S = 1000000000,
};

/* Pages by hand: `n` of them with room for SLOTS each. */
static struct pages made(size_t n)
{
	struct pages p = { .list = calloc(n, sizeof(*p.list)), .n = n, .cap = n, .end_ns = 9l * S };
	assert_non_null(p.list);
	for (size_t i = 0; i < n; i++) {
		struct sys_stats_page *page = &p.list[i].page;
		page->slots = calloc(SLOTS, sizeof(*page->slots));
		assert_non_null(page->slots);
		page->n = SLOTS;
		page->head.n_slots = 512;
		page->head.start_ns = S + i;
		page->head.pid = (uint32_t)(100 + i);
		strcpy(page->head.name, "prog");
		p.list[i].main = i == 0;
	}
	return p;
}

static struct leat_stats_slot *slot(struct pages *p, size_t page, unsigned kind, const char *name)
{
	struct sys_stats_page *to = &p->list[page].page;
	for (uint32_t i = 0; i < to->n; i++) {
		if (to->slots[i].kind != LEAT_STATS_FREE)
			continue;
		to->slots[i].kind = kind;
		strcpy(to->slots[i].name, name);
		return &to->slots[i];
	}
	fail_msg("no slot left");
	return NULL;
}

/* From 2 s to 6 s: 1 s on a CPU, 0.5 s without one, asleep 2 s for input, 0.5 s unexplained. */
static struct leat_stats_slot *thread(struct pages *p, size_t page, const char *name)
{
	struct leat_stats_slot *s = slot(p, page, LEAT_STATS_THREAD, name);
	s->tid = 77;
	s->v[LEAT_V_THREAD_START] = 2ul * S;
	s->v[LEAT_V_THREAD_END] = 6ul * S;
	s->v[LEAT_V_THREAD_CPU0] = 5;
	s->v[LEAT_V_THREAD_CPU] = S + 5;
	s->v[LEAT_V_THREAD_RUNQ] = S / 2;
	s->v[LEAT_V_THREAD_HAS_SCHEDSTAT] = 1;
	s->v[LEAT_V_THREAD_SLEEP_NS + LEAT_CAUSE_INPUT] = 2ul * S;
	s->v[LEAT_V_THREAD_SLEEPS + LEAT_CAUSE_INPUT] = 23;
	return s;
}

static const struct program_part *part(
	const struct record *rec, enum program_kind kind, const char *process, const char *name)
{
	const struct program_parts *parts = &rec->program->kinds[kind];
	for (size_t i = 0; i < parts->n; i++)
		if (!strcmp(parts->list[i].name, name) && !strcmp(parts->list[i].process, process))
			return &parts->list[i];
	fail_msg("no %s '%s' of '%s'", program_kinds[kind].word, name, process);
	return NULL;
}

static double num(const struct program_part *p, unsigned value)
{
	assert_int_equal(p->v[value].state, VALUE_MEASURED);
	return p->v[value].num;
}

static struct record *parts_of(struct pages *p)
{
	struct record *rec = record_new();
	struct lt_err err = { 0 };
	assert_non_null(rec);
	assert_int_equal(parts_of_pages(p, rec, &err), 0);
	return rec;
}

static void the_parts_of_a_thread_add_up(void **state)
{
	(void)state;
	PAGES_AUTO struct pages p = made(1);
	thread(&p, 0, "t0");
	thread(&p, 0, "t0");
	LT_AUTO_RECORD struct record *rec = parts_of(&p);
	const struct program_part *t = part(rec, PROGRAM_THREADS, "prog", "t0");
	assert_true(t->count == 2);
	assert_true(num(t, PROGRAM_THREAD_wall_ns) == 8e9);
	assert_true(num(t, PROGRAM_THREAD_cpu_ns) == 2e9);
	assert_true(num(t, PROGRAM_THREAD_no_cpu_ns) == 1e9);
	assert_true(num(t, PROGRAM_THREAD_input_ns) == 4e9);
	assert_true(num(t, PROGRAM_THREAD_other_ns) == 1e9);
	assert_true(num(t, PROGRAM_THREAD_sleeps) == 46);
}

static void a_thread_of_a_killed_process_has_no_cpu_time(void **state)
{
	(void)state;
	PAGES_AUTO struct pages p = made(2);
	for (size_t i = 0; i < 2; i++) {
		struct leat_stats_slot *s = thread(&p, i, "t0");
		s->v[LEAT_V_THREAD_END] = 0;
		s->v[LEAT_V_THREAD_CAUSE] = LEAT_CAUSE_CREDIT;
		s->v[LEAT_V_THREAD_SINCE] = 8ul * S;
	}
	LT_AUTO_RECORD struct record *rec = parts_of(&p);
	const struct program_part *t = part(rec, PROGRAM_THREADS, "prog", "t0");
	assert_true(num(t, PROGRAM_THREAD_wall_ns) == 7e9);
	assert_true(num(t, PROGRAM_THREAD_input_ns) == 2e9);
	assert_true(num(t, PROGRAM_THREAD_credit_ns) == 1e9);
	assert_int_equal(t->v[PROGRAM_THREAD_cpu_ns].state, VALUE_UNAVAILABLE);
	assert_non_null(t->v[PROGRAM_THREAD_cpu_ns].reason);
	assert_int_equal(t->v[PROGRAM_THREAD_other_ns].state, VALUE_UNAVAILABLE);
	/* when a child ended is not known either */
	const struct program_part *child = part(rec, PROGRAM_THREADS, "prog (child)", "t0");
	assert_int_equal(child->v[PROGRAM_THREAD_wall_ns].state, VALUE_ESTIMATED);
}

static void what_cannot_be_is_not_believed(void **state)
{
	(void)state;
	static const struct {
		unsigned value;
		uint64_t to;
	} lies[] = {
		{ LEAT_V_THREAD_START, 7ul * S },
		{ LEAT_V_THREAD_START, UINT64_MAX },
		{ LEAT_V_THREAD_START, 0 },
		{ LEAT_V_THREAD_END, UINT64_MAX },
		{ LEAT_V_THREAD_CPU, 100ul * S },
		{ LEAT_V_THREAD_CPU, 0 },
		{ LEAT_V_THREAD_RUNQ0, S },
		{ LEAT_V_THREAD_SLEEP_NS + LEAT_CAUSE_TASK, UINT64_MAX / 2 },
	};
	for (size_t i = 0; i < LT_COUNT(lies); i++) {
		PAGES_AUTO struct pages p = made(1);
		thread(&p, 0, "t0")->v[lies[i].value] = lies[i].to;
		LT_AUTO_RECORD struct record *rec = parts_of(&p);
		const struct program_part *t = part(rec, PROGRAM_THREADS, "prog", "t0");
		for (unsigned k = 0; k < PROGRAM_THREAD_N; k++) {
			assert_int_equal(t->v[k].state, VALUE_UNAVAILABLE);
			assert_non_null(t->v[k].reason);
		}
	}
}

static void names_of_others_are_found_and_bad_ones_are_not(void **state)
{
	(void)state;
	PAGES_AUTO struct pages p = made(1);
	struct leat_stats_slot *t = thread(&p, 0, "t0");
	slot(&p, 0, LEAT_STATS_QUEUE, "a>b");
	struct leat_stats_slot *m = slot(&p, 0, LEAT_STATS_MODULE, "m");
	struct leat_stats_slot *n = slot(&p, 0, LEAT_STATS_MODULE, "n");
	t->v[LEAT_V_THREAD_PORT] = 2;
	m->parent = 1;
	n->parent = 2; /* a queue is no thread */
	slot(&p, 0, 99, "of a later version");
	LT_AUTO_RECORD struct record *rec = parts_of(&p);
	assert_string_equal(part(rec, PROGRAM_THREADS, "prog", "t0")->of, "a>b");
	assert_string_equal(part(rec, PROGRAM_MODULES, "prog", "m")->of, "t0");
	assert_null(part(rec, PROGRAM_MODULES, "prog", "n")->of);
	t->v[LEAT_V_THREAD_PORT] = UINT64_MAX;
	LT_AUTO_RECORD struct record *again = parts_of(&p);
	assert_null(part(again, PROGRAM_THREADS, "prog", "t0")->of);
}

static void a_slot_half_written_is_an_estimate(void **state)
{
	(void)state;
	PAGES_AUTO struct pages p = made(1);
	thread(&p, 0, "t0")->seq = 3;
	LT_AUTO_RECORD struct record *rec = parts_of(&p);
	const struct program_part *t = part(rec, PROGRAM_THREADS, "prog", "t0");
	assert_int_equal(t->v[PROGRAM_THREAD_cpu_ns].state, VALUE_ESTIMATED);
	assert_non_null(t->v[PROGRAM_THREAD_cpu_ns].reason);
}

static void runs_become_their_mean(void **state)
{
	(void)state;
	LT_AUTO_RECORD struct record *sums = record_new();
	for (unsigned run = 0; run < 4; run++) {
		PAGES_AUTO struct pages p = made(1);
		slot(&p, 0, LEAT_STATS_WORK, "packets")->v[0] = 10 * run;
		if (run == 0)
			thread(&p, 0, "only once");
		slot(&p, 0, LEAT_STATS_QUEUE, "q")->v[LEAT_V_QUEUE_DEPTH] = 7;
		slot(&p, 0, LEAT_STATS_QUEUE, "q")->v[LEAT_V_QUEUE_DEPTH] = 5;
		LT_AUTO_RECORD struct record *one = parts_of(&p);
		assert_int_equal(parts_sum(sums, 1, one->program, NULL), 0);
	}
	for (unsigned kind = 0; kind < PROGRAM_KINDS; kind++)
		for (size_t i = 0; i < sums->program->kinds[kind].n; i++)
			parts_divide(&sums->program->kinds[kind].list[i], kind, 4);
	const struct program_part *c = part(sums, PROGRAM_COUNTERS, "prog", "packets");
	assert_int_equal(c->variant, 1);
	assert_true(num(c, PROGRAM_COUNTER_units) == 15);
	const struct program_part *t = part(sums, PROGRAM_THREADS, "prog", "only once");
	assert_true(t->count == 0.25 && num(t, PROGRAM_THREAD_wall_ns) == 1e9);
	const struct program_part *q = part(sums, PROGRAM_QUEUES, "prog", "q");
	assert_true(q->count == 2 && num(q, PROGRAM_QUEUE_depth) == 7);
}

static void a_window_holds_what_happened_in_it(void **state)
{
	(void)state;
	PAGES_AUTO struct pages before = made(1);
	PAGES_AUTO struct pages after = made(1);
	before.end_ns = 6l * S;
	thread(&before, 0, "t0");
	struct leat_stats_slot *t = thread(&after, 0, "t0");
	t->v[LEAT_V_THREAD_END] = 8ul * S;
	t->v[LEAT_V_THREAD_CPU] += S;
	t->v[LEAT_V_THREAD_SLEEP_NS + LEAT_CAUSE_INPUT] += S;
	t->v[LEAT_V_THREAD_SLEEPS + LEAT_CAUSE_INPUT] += 3;
	slot(&before, 0, LEAT_STATS_QUEUE, "q")->v[LEAT_V_QUEUE_IN] = 100;
	struct leat_stats_slot *q = slot(&after, 0, LEAT_STATS_QUEUE, "q");
	q->v[LEAT_V_QUEUE_IN] = 130;
	q->v[LEAT_V_QUEUE_DEPTH] = 7;
	slot(&before, 0, LEAT_STATS_WORK, "w")->v[8] = 1000;
	slot(&after, 0, LEAT_STATS_WORK, "w")->v[8] = 1500;
	/* made anew within the window: counts from zero */
	slot(&before, 0, LEAT_STATS_MODULE, "m")->v[LEAT_V_MODULE_IN] = 50;
	slot(&after, 0, LEAT_STATS_MODULE, "m")->v[LEAT_V_MODULE_IN] = 20;
	/* over before the window began */
	thread(&before, 0, "gone")->v[LEAT_V_THREAD_END] = 3ul * S;
	thread(&after, 0, "gone")->v[LEAT_V_THREAD_END] = 3ul * S;
	pages_subtract(&after, &before);
	LT_AUTO_RECORD struct record *rec = parts_of(&after);
	const struct program_part *p = part(rec, PROGRAM_THREADS, "prog", "t0");
	assert_true(num(p, PROGRAM_THREAD_wall_ns) == 2e9);
	assert_true(num(p, PROGRAM_THREAD_cpu_ns) == 1e9);
	assert_true(num(p, PROGRAM_THREAD_no_cpu_ns) == 0);
	assert_true(num(p, PROGRAM_THREAD_input_ns) == 1e9);
	assert_true(num(p, PROGRAM_THREAD_sleeps) == 3);
	assert_int_equal(rec->program->kinds[PROGRAM_THREADS].n, 1);
	p = part(rec, PROGRAM_QUEUES, "prog", "q");
	assert_true(num(p, PROGRAM_QUEUE_in) == 30 && num(p, PROGRAM_QUEUE_depth) == 7);
	assert_true(num(part(rec, PROGRAM_COUNTERS, "prog", "w"), PROGRAM_COUNTER_units) == 500);
	assert_true(num(part(rec, PROGRAM_MODULES, "prog", "m"), PROGRAM_MODULE_in) == 20);
}

static void units_inside_a_region_are_those_of_the_counter(void **state)
{
	(void)state;
	PAGES_AUTO struct pages p = made(2);
	for (size_t i = 0; i < 2; i++) {
		slot(&p, i, LEAT_STATS_WORK, "bytes")->v[0] = 999;
		slot(&p, i, LEAT_STATS_WORK, "packets")->v[0] = 500;
		struct leat_stats_slot *r = slot(&p, i, LEAT_STATS_REGION, "hot");
		r->v[LEAT_V_REGION_WORK + 1] = 23;
		if (i == 1) { /* open: what the counter had at its begin was taken off */
			r->v[LEAT_V_REGION_OPEN] = 1;
			r->v[LEAT_V_REGION_WORK + 1] = 0 - (uint64_t)400;
		}
	}
	assert_true(parts_units_inside(&p, "hot", "packets") == 123);
	assert_true(parts_units_inside(&p, "cold", "packets") == 0);
	assert_true(parts_units_inside(&p, "hot", "no such") == 0);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(the_parts_of_a_thread_add_up),
		cmocka_unit_test(a_thread_of_a_killed_process_has_no_cpu_time),
		cmocka_unit_test(what_cannot_be_is_not_believed),
		cmocka_unit_test(names_of_others_are_found_and_bad_ones_are_not),
		cmocka_unit_test(a_slot_half_written_is_an_estimate),
		cmocka_unit_test(runs_become_their_mean),
		cmocka_unit_test(a_window_holds_what_happened_in_it),
		cmocka_unit_test(units_inside_a_region_are_those_of_the_counter),
	};
	return cmocka_run_group_tests(tests, NULL, NULL);
}
