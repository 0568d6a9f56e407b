/* SPDX-License-Identifier: GPL-2.0-or-later */
/* What every writer may rely on: indexes in range, names present and unique. */
#include <math.h>
#include <string.h>

#include "base/own.h"
#include "record/evidence.h"
#include "record/program.h"
#include "record/record.h"

#define BROKEN(err, ...) lt_fail((err), -EINVAL, "LT-RECORD-CHECK", __VA_ARGS__)

static int check_names(const struct record *rec, struct lt_err *err)
{
	for (size_t i = 0; i < rec->n_variants; i++) {
		const char *name = rec->variants[i].name;
		if (!name || !*name)
			return BROKEN(err, "variants[%zu] has no name", i);
		if ((size_t)record_variant(rec, name) != i)
			return BROKEN(err, "two variants are named '%.80s'", name);
	}
	for (size_t i = 0; i < rec->n_metrics; i++) {
		const char *name = rec->metrics[i].name;
		if (!name || !*name || !rec->metrics[i].unit)
			return BROKEN(err, "metrics[%zu] has no name or no unit", i);
		if ((size_t)record_metric(rec, name) != i)
			return BROKEN(err, "two metrics are named '%.80s'", name);
	}
	for (size_t i = 0; i < rec->machine.n_meters; i++)
		if (!rec->machine.meters[i].name)
			return BROKEN(err, "machine.meters[%zu] has no name", i);
	return 0;
}

static int check_row(
	const struct record *rec, const char *what, size_t i, unsigned variant, struct lt_err *err)
{
	if (variant >= rec->n_variants)
		return BROKEN(err, "%s[%zu] speaks of variant %u of %zu", what, i, variant,
			rec->n_variants);
	return 0;
}

static int check_index(const struct record *rec, const char *what, size_t i, unsigned variant,
	unsigned metric, struct lt_err *err)
{
	int r = check_row(rec, what, i, variant, err);
	if (r < 0)
		return r;
	if (metric >= rec->n_metrics)
		return BROKEN(
			err, "%s[%zu] speaks of metric %u of %zu", what, i, metric, rec->n_metrics);
	return 0;
}

static int check_variant(
	const struct record *rec, const char *what, int variant, struct lt_err *err)
{
	if (variant < -1 || (variant >= 0 && (size_t)variant >= rec->n_variants))
		return BROKEN(
			err, "%s speaks of variant %d of %zu", what, variant, rec->n_variants);
	return 0;
}

/* A group of threads and a site that a row of evidence speaks of. */
static int check_where(const struct evidence *e, const char *what, size_t i, unsigned group,
	int site, struct lt_err *err)
{
	if (group >= e->n_groups)
		return BROKEN(err, "evidence: %s[%zu] speaks of group %u of %zu", what, i, group,
			e->n_groups);
	if (site < -1 || (site >= 0 && (size_t)site >= e->n_sites))
		return BROKEN(err, "evidence: %s[%zu] speaks of site %d of %zu", what, i, site,
			e->n_sites);
	return 0;
}

static int check_line(const struct evidence *e, size_t i, struct lt_err *err)
{
	const struct evidence_line *line = &e->lines[i];
	int r = check_where(e, "lines", i, 0, line->allocated, err);
	for (size_t k = 0; k < line->n_accesses && r == 0; k++)
		r = check_where(
			e, "accesses", k, line->accesses[k].group, line->accesses[k].site, err);
	return r;
}

static int check_evidence(const struct evidence *e, struct lt_err *err)
{
	int r = 0;
	for (size_t i = 0; i < e->n_groups && r == 0; i++)
		if (!e->groups[i].name)
			r = BROKEN(err, "evidence: groups[%zu] has no name", i);
	for (size_t i = 0; i < e->n_sites && r == 0; i++)
		if (e->sites[i].call > e->sites[i].n_frames || !e->sites[i].n_frames)
			r = BROKEN(err, "evidence: sites[%zu] calls from frame %u of %zu", i,
				e->sites[i].call, e->sites[i].n_frames);
	for (size_t i = 0; i < e->n_waits && r == 0; i++)
		r = check_where(e, "waits", i, e->waits[i].group, e->waits[i].site, err);
	for (size_t i = 0; i < e->n_samples && r == 0; i++)
		r = check_where(e, "samples", i, e->samples[i].group, e->samples[i].site, err);
	for (size_t i = 0; i < e->n_faults && r == 0; i++)
		r = check_where(e, "faults", i, e->faults[i].group, e->faults[i].site, err);
	for (size_t i = 0; i < e->n_lines && r == 0; i++)
		r = check_line(e, i, err);
	return r;
}

/* What records of sweeps have beside. */
static int check_scale(const struct record *rec, struct lt_err *err)
{
	int r = 0;
	for (size_t i = 0; i < rec->n_factors && r == 0; i++) {
		const char *name = rec->factors[i].name;
		if (!name || !*name)
			r = BROKEN(err, "factors[%zu] has no name", i);
		else if ((size_t)record_factor(rec, name) != i)
			r = BROKEN(err, "two factors are named '%.80s'", name);
	}
	if (!rec->scaling)
		return r < 0 ||
				!(rec->n_factors || rec->n_curve || rec->ledger ||
					rec->n_remedies || rec->n_evidence)
			? r
			: BROKEN(err, "it has parts of a sweep but no scaling");
	const struct scaling *s = rec->scaling;
	const struct {
		const char *what;
		int variant;
	} optional[] = { { "scaling.baseline", s->baseline }, { "scaling.focus", s->focus },
		{ "scaling.one_cpu", s->one_cpu.variant } };
	for (size_t i = 0; i < LT_COUNT(optional) && r == 0; i++)
		r = check_variant(rec, optional[i].what, optional[i].variant, err);
	for (size_t i = 0; i < rec->n_curve && r == 0; i++)
		r = check_row(rec, "curve", i, rec->curve[i].variant, err);
	if (r == 0 && rec->ledger)
		r = check_row(rec, "ledger", 0, rec->ledger->variant, err);
	for (size_t i = 0; i < rec->n_evidence && r == 0; i++) {
		r = check_row(rec, "evidence", i, rec->evidence[i].variant, err);
		if (r == 0)
			r = check_evidence(&rec->evidence[i], err);
	}
	for (size_t i = 0; i < rec->n_remedies && r == 0; i++) {
		if (!rec->remedies[i].name)
			r = BROKEN(err, "remedies[%zu] has no name", i);
		else
			r = check_variant(rec, "remedies", rec->remedies[i].variant, err);
	}
	return r;
}

static int check_parts(const struct record *rec, enum program_kind kind, struct lt_err *err)
{
	const struct program_parts *parts = &rec->program->kinds[kind];
	for (size_t i = 0; i < parts->n; i++) {
		const struct program_part *p = &parts->list[i];
		if (p->variant >= rec->n_variants)
			return BROKEN(err, "program.%s[%zu] speaks of variant %u of %zu",
				program_kinds[kind].word, i, p->variant, rec->n_variants);
		if (!p->process || !p->name)
			return BROKEN(err, "program.%s[%zu] has no name or no process",
				program_kinds[kind].word, i);
	}
	return 0;
}

int record_check(const struct record *rec, struct lt_err *err)
{
	int r = check_names(rec, err);
	if (r == 0)
		r = check_scale(rec, err);
	for (size_t i = 0; i < rec->n_trials && r == 0; i++)
		r = check_row(rec, "trials", i, rec->trials[i].variant, err);
	for (size_t i = 0; i < rec->n_summaries && r == 0; i++) {
		const struct summary *s = &rec->summaries[i];
		r = check_index(rec, "summaries", i, s->variant, s->metric, err);
	}
	for (size_t i = 0; i < rec->n_comparisons && r == 0; i++) {
		const struct comparison *c = &rec->comparisons[i];
		r = check_index(rec, "comparisons", i, c->a, c->metric, err);
		if (r == 0)
			r = check_index(rec, "comparisons", i, c->b, c->metric, err);
	}
	for (size_t i = 0; i < rec->n_gates && r == 0; i++)
		r = check_index(rec, "gates", i, rec->gates[i].b, rec->gates[i].metric, err);
	for (size_t i = 0; i < rec->n_findings && r == 0; i++) {
		const struct finding *f = &rec->findings[i];
		if (!f->id || !*f->id)
			r = BROKEN(err, "findings[%zu] has no id", i);
		else if (f->variant < -1 ||
			(f->variant >= 0 && (size_t)f->variant >= rec->n_variants))
			r = BROKEN(err, "findings[%zu] speaks of variant %d of %zu", i, f->variant,
				rec->n_variants);
	}
	for (unsigned kind = 0; rec->program && kind < PROGRAM_KINDS && r == 0; kind++)
		r = check_parts(rec, kind, err);
	return r;
}

bool record_ratio_bounded(const struct comparison *c)
{
	return c->ratio.state != VALUE_UNAVAILABLE && isfinite(c->lo) && isfinite(c->hi) &&
		c->hi > 0;
}

bool record_diff_bounded(const struct comparison *c)
{
	return c->diff.state != VALUE_UNAVAILABLE && isfinite(c->diff_lo) && isfinite(c->diff_hi) &&
		c->verdict != VERDICT_TOO_FEW;
}
