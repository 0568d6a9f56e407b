/* SPDX-License-Identifier: GPL-2.0-or-later */
/* What a sweep must tell of its program, causes apart: how its runs ended, whether they gave
 * the same output, what kind of program it is. */
#include <math.h>
#include <string.h>

#include "run/analysis.h"
#include "run/curve.h"
#include "run/sweep_inside.h"
#include "sys/program.h"

static int found(struct sweep *s, const char *id, enum severity severity, const char *name,
	struct lt_err *err)
{
	struct finding *f = record_add_finding(s->x.rec);
	if (!f)
		return lt_fail_mem(err);
	f->id = id;
	f->severity = severity;
	f->name = name;
	return 0;
}

/* Each said once, and not for every point. */
static int about_outcomes(struct sweep *s, struct lt_err *err)
{
	struct record *rec = s->x.rec;
	for (unsigned v = 0; v < rec->n_variants; v++) {
		size_t before = rec->n_findings;
		int r = rec->variants[v].remedy ? 0 : analysis_outcomes(rec, &s->run, (int)v, err);
		if (r < 0)
			return r;
		for (size_t i = before; i < rec->n_findings;) {
			bool said = false;
			for (size_t k = 0; k < before && !said; k++)
				said = !strcmp(rec->findings[k].id, rec->findings[i].id);
			if (said)
				rec->findings[i] = rec->findings[--rec->n_findings];
			else
				i++;
		}
	}
	return 0;
}

static bool compares(const struct sweep *s, const struct trial *t)
{
	return t->out_hash && !t->evidence && !s->x.rec->variants[t->variant].remedy &&
		experiment_succeeded(&s->x, &t->outcome);
}

/* Two runs of one point whose output differs: then it says nothing that others do too. */
static bool output_varies(const struct sweep *s)
{
	const struct record *rec = s->x.rec;
	for (size_t i = 0; i < rec->n_trials; i++)
		for (size_t k = 0; k < i && compares(s, &rec->trials[i]); k++)
			if (compares(s, &rec->trials[k]) &&
				rec->trials[k].variant == rec->trials[i].variant &&
				rec->trials[k].out_hash != rec->trials[i].out_hash)
				return true;
	return false;
}

/* Points that differ in threads alone should do the same. */
static int about_output(struct sweep *s, struct lt_err *err)
{
	const struct record *rec = s->x.rec;
	if (output_varies(s))
		return found(s, "outputs-vary", SEVERITY_INFO, NULL, err);
	for (size_t i = 0; i < rec->n_trials; i++) {
		for (size_t k = 0; k < i && compares(s, &rec->trials[i]); k++) {
			const struct trial *a = &rec->trials[k], *b = &rec->trials[i];
			if (!compares(s, a) || a->out_hash == b->out_hash ||
				!curve_alike(rec, a->variant, b->variant))
				continue;
			const char *name = lt_arena_printf(&s->x.rec->arena, "%s and %s",
				rec->variants[a->variant].name, rec->variants[b->variant].name);
			return name ? found(s, "outputs-differ", SEVERITY_WARNING, name, err)
				    : lt_fail_mem(err);
		}
	}
	return 0;
}

static int about_program(struct sweep *s, struct lt_err *err)
{
	struct sys_program p;
	struct lt_arena *arena = &s->x.rec->arena;
	const char *path;
	if (s->opts.how.shell || sys_program(s->cmds[0].path, arena, &p, NULL) < 0 ||
		p.kind != SYS_PROGRAM_SCRIPT)
		return 0;
	if (sys_program_behind(s->cmds[0].path, arena, &path, &p, NULL) < 0)
		path = p.loader;
	return found(s, "script", SEVERITY_INFO, path, err);
}

int sweep_findings(struct sweep *s, struct lt_err *err)
{
	int r = about_outcomes(s, err);
	if (r >= 0)
		r = about_output(s, err);
	if (r >= 0)
		r = about_program(s, err);
	return r;
}
