/* SPDX-License-Identifier: GPL-2.0-or-later */
/* From a record to what causes are judged by, and back into the record. */
#include "cause/name.h"

#include <math.h>

#include "cause/cause.h"

enum {
	NAMED_MAX = 32
};

/* The first point with more threads than the point of interest and than CPUs. */
static const struct curve_point *point_beyond(
	const struct record *rec, const struct curve_point *focus)
{
	const struct curve_point *best = NULL;
	for (size_t i = 0; focus && i < rec->n_curve; i++) {
		const struct curve_point *p = &rec->curve[i];
		bool seen = p->n > 0 || p->given_up_ns > 0;
		if (!p->remedy && p->over && seen && p->threads > focus->threads &&
			(!best || p->threads < best->threads))
			best = p;
	}
	return best;
}

static const struct curve_point *point_of(const struct record *rec, int variant)
{
	return variant >= 0 ? record_point(rec, (unsigned)variant) : NULL;
}

static int add_place(struct record *rec, struct finding *f, const struct evidence *ev,
	const struct cause_place *from, struct lt_err *err)
{
	struct finding_place *to = record_add_place(rec, f);
	if (!to)
		return lt_fail_mem(err);
	*to = (struct finding_place){
		.role = from->role, .data = from->data, .offset = from->offset
	};
	if (from->group >= 0 && (size_t)from->group < ev->n_groups)
		to->thread = ev->groups[from->group].name;
	if (from->site < 0 || (size_t)from->site >= ev->n_sites)
		return 0;
	const struct evidence_site *s = &ev->sites[from->site];
	if (s->n_frames == 0)
		return 0;
	size_t frame = from->frame >= 0 ? (size_t)from->frame : s->call;
	const struct evidence_frame *at = &s->frames[frame < s->n_frames ? frame : 0];
	to->function = at->function;
	to->object = at->object;
	to->file = at->file;
	to->line = at->line;
	return 0;
}

static int add_finding(struct record *rec, const struct evidence *ev,
	const struct cause_named *named, struct lt_err *err)
{
	const struct cause_finding *from = &named->finding;
	struct finding *f = record_add_finding(rec);
	if (!f)
		return lt_fail_mem(err);
	double lost = rec->ledger ? rec->ledger->lost_ns : 0;
	*f = (struct finding){ .id = named->cause->id,
		.severity = from->aside || named->cause == cause_find("scales") ? SEVERITY_INFO
										: SEVERITY_WARNING,
		.variant = rec->scaling->focus,
		.num = { from->core_ns, NAN, NAN },
		.share = lost > 0 ? from->core_ns / lost : NAN,
		.confidence = from->confidence,
		.confirm = from->confirm ? from->confirm : named->cause->confirm };
	for (size_t i = 0; i < from->n_facts; i++)
		if (!record_add_fact(
			    rec, f, from->facts[i].name, from->facts[i].unit, from->facts[i].num))
			return lt_fail_mem(err);
	for (size_t i = 0; ev && i < from->n_places; i++) {
		int r = add_place(rec, f, ev, &from->places[i], err);
		if (r < 0)
			return r;
	}
	return 0;
}

int cause_name(struct record *rec, const struct evidence *at, struct lt_err *err)
{
	struct cause_named named[NAMED_MAX];
	if (!rec->scaling)
		return 0;
	const struct curve_point *focus = point_of(rec, rec->scaling->focus);
	struct cause_input in = { .scaling = rec->scaling,
		.base = point_of(rec, rec->scaling->baseline),
		.focus = focus,
		.beyond = point_beyond(rec, focus),
		.ledger = rec->ledger,
		.evidence = at,
		.online = rec->machine.cpus_online };
	int n = cause_judge(&in, named, LT_COUNT(named), err);
	for (int i = 0; i < n; i++) {
		int r = add_finding(rec, at, &named[i], err);
		if (r < 0)
			return r;
	}
	return n;
}
