/* SPDX-License-Identifier: GPL-2.0-or-later */
/* The contract of the cause table: each entry is complete, claims no more than there is, names
 * nothing on a program that scales or was not observed, and gives facts and places by rule. */
#include "contract/contract.h"

#include <math.h>

#include "cause/book.h"
#include "cause/cause.h"
#include "report/cause_sentences.h"
#include "unit/cause/scene.h"

static void descriptors_are_complete(void **state)
{
	(void)state;
	assert_non_null(cause_table[0]);
	for (const struct cause *const *c = cause_table; *c; c++) {
		owes(is_name((*c)->id), (*c)->id, "an id of lower case and dashes");
		owes(cause_find((*c)->id) == *c, (*c)->id, "an id that no other cause has");
		owes(is_line((*c)->what, 62), (*c)->id, "a short line on what it is");
		owes(is_prose((*c)->help), (*c)->id, "help, in whole sentences");
		owes(strchr((*c)->help, '.')[1] != '\0', (*c)->id, "what it is, and the change");
		owes(is_line((*c)->confirm, 100), (*c)->id, "a line on what would confirm it");
		owes((*c)->judge, (*c)->id, "a judge op");
		owes((*c)->claim || !(*c)->contention, (*c)->id, "a claim, if it is contention");
	}
	assert_null(cause_find("no-such-cause"));
}

/* Writers know each of them, and no others. */
static void words_and_causes_go_together(void **state)
{
	(void)state;
	size_t n = 0;
	for (; cause_sentence_id(n); n++)
		owes(cause_find(cause_sentence_id(n)), cause_sentence_id(n), "a cause of that id");
	for (const struct cause *const *c = cause_table; *c; c++, n--) {
		struct finding f = { .id = (*c)->id };
		LT_AUTO_BUF struct lt_buf line = { 0 };
		owes(cause_sentence(&f, &line), (*c)->id, "a sentence in report/cause_sentences.c");
	}
	assert_int_equal(n, 0);
}

/* Something of everything: waits of each kind, samples of each kind, a line of either. */
static void fill(struct scene *s)
{
	static const char *const calls[] = { NULL, "pthread_mutex_lock", "malloc",
		"pthread_cond_wait", "sched_yield", "GOMP_barrier" };
	scene_open(s, 1.0, 0.9, 0.1, 1.2, 1.6, 0.3);
	scene_cores(s, 0.1, 0.3, 0.8);
	scene_one_cpu(s, 0.7, 0.7);
	for (int op = EVIDENCE_OP_LOCK; op <= EVIDENCE_OP_FAULT; op++)
		scene_wait(s, 0, (enum evidence_op)op, calls[op % 6], 100, 0.02);
	for (size_t i = 0; i < LT_COUNT(calls) && s->ev.n_sites < SCENE_MAX; i++) {
		struct evidence_sample *p =
			scene_sample(s, EVIDENCE_OP_USER, "work", calls[i], 0.25);
		p->frozen_ns = p->ns / 2;
		p->alone_ns = p->ns / 3;
	}
	scene_line(s, &s->samples[0], 0.1, 0, 8);
	scene_line(s, &s->samples[1], 0.1, 8, 8);
}

static void claims_add_up_to_no_more_than_was_seen(void **state)
{
	(void)state;
	struct scene s;
	LT_AUTO(lt_arena_done) struct lt_arena arena = { 0 };
	struct cause_book book;
	struct lt_err err = { 0 };
	fill(&s);
	assert_int_equal(cause_book_open(&s.in, &arena, &book, &err), 0);
	for (size_t i = 0; i < book.n_items; i++) {
		struct cause_item *item = &book.items[i];
		for (const struct cause *const *c = cause_table; *c; c++) {
			double ns = (*c)->claim ? (*c)->claim(&book, item) : 0;
			owes(ns >= 0 && ns <= item->left_ns * (1 + 1e-9), (*c)->id,
				"a claim of what is there");
		}
	}
	assert_int_equal(cause_book_claim(&book, &arena, &err), 0);
	double sum[CAUSE_PARTS] = { 0 };
	for (size_t c = 0; cause_table[c]; c++)
		for (int p = 0; p < CAUSE_PARTS; p++)
			sum[p] += book.accounts[c].part_ns[p];
	for (int p = 0; p < CAUSE_PARTS; p++)
		assert_true(sum[p] <= book.part_ns[p] * (1 + 1e-9));
	assert_true(fabs(book.part_ns[0] + book.part_ns[1] + book.part_ns[2] - book.lost_ns) <
		1e-6 * book.lost_ns);
}

static void findings_keep_the_rules(void **state)
{
	(void)state;
	struct scene s;
	fill(&s);
	scene_first(&s);
	assert_true(s.n_named > 0);
	for (int i = 0; i < s.n_named; i++) {
		const char *id = s.named[i].cause->id;
		const struct cause_finding *f = &s.named[i].finding;
		owes(isnan(f->core_ns) ||
				(f->core_ns > 0 && f->core_ns <= s.ledger.lost_ns * 1.001),
			id, "a part of the loss");
		owes(f->n_facts > 0, id, "a number");
		for (size_t k = 0; k < f->n_facts; k++) {
			owes(is_name(f->facts[k].name), id, "names of facts");
			owes(f->facts[k].unit && isfinite(f->facts[k].num), id, "finite facts");
		}
		for (size_t k = 0; k < f->n_places; k++) {
			owes(is_name(f->places[k].role), id, "roles of places");
			owes(f->places[k].site < (int)s.ev.n_sites, id, "sites that there are");
			owes(f->places[k].group < (int)s.ev.n_groups, id, "groups that there are");
		}
	}
}

/* Every judge alone, on an input with nothing in it that it could go by. */
static void nothing_is_named_without_observation(void **state)
{
	(void)state;
	struct scene s;
	scene_open(&s, 1.0, 1.0, 0, 0.5, 1.0, 0);
	s.in = (struct cause_input){ .scaling = &s.scaling, .online = 2 };
	assert_string_equal(scene_first(&s), "nothing");
	s.scaling.verdict = SCALE_FLAT; /* also where there is a loss */
	scene_open(&s, 1.0, 1.0, 0, 1.0, 1.0, 0);
	s.in.evidence = NULL;
	assert_string_equal(scene_first(&s), "unknown");
	assert_int_equal(s.n_named, 1);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(descriptors_are_complete),
		cmocka_unit_test(words_and_causes_go_together),
		cmocka_unit_test(claims_add_up_to_no_more_than_was_seen),
		cmocka_unit_test(findings_keep_the_rules),
		cmocka_unit_test(nothing_is_named_without_observation),
	};
	return cmocka_run_group_tests(tests, NULL, NULL);
}
