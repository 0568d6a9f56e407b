/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Making, growing and asking a record. */
#include "record/record.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "record/evidence.h"

struct record *record_new(void)
{
	struct record *rec = calloc(1, sizeof(*rec));
	if (!rec)
		return NULL;
	rec->version = LEAT_VERSION;
	rec->machine.load_before = rec->machine.load_after = -1;
	return rec;
}

void record_free(struct record *rec)
{
	if (!rec)
		return;
	lt_arena_done(&rec->arena);
	free(rec);
}

/* Arrays live in the arena: growing copies to twice the room and leaves the old piece to
 * die with the rest. */
static void *grow(struct record *rec, void **array, size_t *n, size_t *cap, size_t size)
{
	if (*n == *cap) {
		size_t more = *cap ? 2 * *cap : 8;
		void *bigger = lt_arena_alloc(&rec->arena, more * size);
		if (!bigger)
			return NULL;
		if (*n)
			memcpy(bigger, *array, *n * size);
		*array = bigger;
		*cap = more;
	}
	return (char *)*array + (*n)++ * size;
}

#define GROW(rec, what)                                                          \
	grow((rec), (void **)&(rec)->what, &(rec)->n_##what, &(rec)->cap_##what, \
		sizeof(*(rec)->what))

struct trial *record_add_trial(struct record *rec)
{
	struct value *readings =
		lt_arena_alloc(&rec->arena, (rec->n_metrics + 1) * sizeof(*readings));
	struct trial *t = readings ? GROW(rec, trials) : NULL;
	if (t)
		t->readings = readings;
	return t;
}

struct summary *record_add_summary(struct record *rec)
{
	return GROW(rec, summaries);
}

struct comparison *record_add_comparison(struct record *rec)
{
	return GROW(rec, comparisons);
}

struct gate *record_add_gate(struct record *rec)
{
	return GROW(rec, gates);
}

struct finding *record_add_finding(struct record *rec)
{
	struct finding *f = GROW(rec, findings);
	if (f) {
		f->variant = -1;
		f->share = NAN;
	}
	return f;
}

struct curve_point *record_add_curve(struct record *rec)
{
	return GROW(rec, curve);
}

struct remedy_result *record_add_remedy(struct record *rec)
{
	struct remedy_result *r = GROW(rec, remedies);
	if (r) {
		r->variant = -1;
		r->ratio = estimate_missing("not tried", NULL);
		r->p = r->p_holm = NAN;
	}
	return r;
}

struct evidence *record_add_evidence(struct record *rec)
{
	return GROW(rec, evidence);
}

/* A finding has few places and facts, so each time their arrays grow by one. */
static void *grow_part(struct record *rec, void **array, size_t *n, size_t size)
{
	void *bigger = lt_arena_alloc(&rec->arena, (*n + 1) * size);
	if (!bigger)
		return NULL;
	if (*n)
		memcpy(bigger, *array, *n * size);
	*array = bigger;
	return (char *)bigger + (*n)++ * size;
}

struct finding_place *record_add_place(struct record *rec, struct finding *f)
{
	struct finding_place *p =
		grow_part(rec, (void **)&f->where, &f->n_where, sizeof(*f->where));
	if (p)
		p->offset = NAN;
	return p;
}

struct finding_fact *record_add_fact(
	struct record *rec, struct finding *f, const char *name, const char *unit, double num)
{
	struct finding_fact *fact =
		grow_part(rec, (void **)&f->facts, &f->n_facts, sizeof(*f->facts));
	if (fact)
		*fact = (struct finding_fact){ name, unit, value_of(num) };
	return fact;
}

int record_metric(const struct record *rec, const char *name)
{
	for (size_t i = 0; i < rec->n_metrics; i++)
		if (!strcmp(rec->metrics[i].name, name))
			return (int)i;
	return -1;
}

int record_factor(const struct record *rec, const char *name)
{
	for (size_t i = 0; i < rec->n_factors; i++)
		if (!strcmp(rec->factors[i].name, name))
			return (int)i;
	return -1;
}

const struct curve_point *record_point(const struct record *rec, unsigned variant)
{
	for (size_t i = 0; i < rec->n_curve; i++)
		if (rec->curve[i].variant == variant)
			return &rec->curve[i];
	return NULL;
}

int record_variant(const struct record *rec, const char *name)
{
	for (size_t i = 0; i < rec->n_variants; i++)
		if (!strcmp(rec->variants[i].name, name))
			return (int)i;
	return -1;
}

const struct summary *record_summary(
	const struct record *rec, unsigned variant, unsigned metric, bool per_work)
{
	for (size_t i = 0; i < rec->n_summaries; i++) {
		const struct summary *s = &rec->summaries[i];
		if (s->variant == variant && s->metric == metric && s->per_work == per_work)
			return s;
	}
	return NULL;
}

const struct comparison *record_comparison(const struct record *rec, unsigned b, unsigned metric)
{
	for (size_t i = 0; i < rec->n_comparisons; i++)
		if (rec->comparisons[i].b == b && rec->comparisons[i].metric == metric)
			return &rec->comparisons[i];
	return NULL;
}

bool record_in_curve(const struct record *rec, const struct trial *t)
{
	return t->kept &&
		(!rec->scaling || rec->variants[t->variant].remedy ||
			t->block < rec->scaling->rounds_end);
}

static size_t values(const struct record *rec, unsigned variant, unsigned metric, bool per_work,
	bool curve, double *x)
{
	size_t n = 0;
	for (size_t i = 0; i < rec->n_trials; i++) {
		const struct trial *t = &rec->trials[i];
		const struct value *v = &t->readings[metric];
		if (!t->kept || t->variant != variant || v->state == VALUE_UNAVAILABLE)
			continue;
		if ((per_work && !(t->work > 0)) || (curve && !record_in_curve(rec, t)))
			continue;
		x[n++] = per_work ? v->num / t->work : v->num;
	}
	return n;
}

size_t record_values(
	const struct record *rec, unsigned variant, unsigned metric, bool per_work, double *x)
{
	return values(rec, variant, metric, per_work, false, x);
}

size_t record_curve_values(
	const struct record *rec, unsigned variant, unsigned metric, bool per_work, double *x)
{
	return values(rec, variant, metric, per_work, true, x);
}

size_t record_pairs(
	const struct record *rec, unsigned a, unsigned b, unsigned metric, double *x, double *y)
{
	size_t n = 0;
	for (size_t i = 0; i < rec->n_trials;) {
		/* The trials of a block follow each other. */
		const struct value *va = NULL, *vb = NULL;
		unsigned block = rec->trials[i].block;
		for (; i < rec->n_trials && rec->trials[i].block == block; i++) {
			const struct trial *t = &rec->trials[i];
			const struct value *v = &t->readings[metric];
			if (!t->kept || v->state == VALUE_UNAVAILABLE)
				continue;
			if (t->variant == a)
				va = v;
			else if (t->variant == b)
				vb = v;
		}
		if (va && vb) {
			x[n] = va->num;
			y[n++] = vb->num;
		}
	}
	return n;
}
