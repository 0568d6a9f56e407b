/* SPDX-License-Identifier: GPL-2.0-or-later */
/* What a sweep must tell of its program, causes apart: how its runs ended, whether they gave
 * the same output, what kind of program it is. */
#include <math.h>
#include <string.h>

#include "run/analysis.h"
#include "run/curve.h"
#include "run/sweep_inside.h"
#include "sys/program.h"

/* Runs that take less are mostly start and end. */
static const double short_ns = 20e6;

static int found(struct sweep *s, const char *id, enum severity severity, double a, double b,
	const char *name, struct lt_err *err)
{
	return analysis_found(s->x.rec, id, severity, -1, a, b, name, err);
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

typedef uint64_t hash_of(const struct trial *t);

static uint64_t whole_output(const struct trial *t)
{
	return t->out_hash;
}

/* Where programs print times: their words. */
static uint64_t output_words(const struct trial *t)
{
	return t->out_text;
}

/* Two runs of one point whose output differs: then it says nothing that others do too. */
static bool output_varies(const struct sweep *s, hash_of *hash)
{
	const struct record *rec = s->x.rec;
	for (size_t i = 0; i < rec->n_trials; i++)
		for (size_t k = 0; k < i && compares(s, &rec->trials[i]); k++)
			if (compares(s, &rec->trials[k]) &&
				rec->trials[k].variant == rec->trials[i].variant &&
				hash(&rec->trials[k]) != hash(&rec->trials[i]))
				return true;
	return false;
}

/* Points that differ in threads alone should do the same. */
static int about_output(struct sweep *s, struct lt_err *err)
{
	const struct record *rec = s->x.rec;
	hash_of *hash = output_varies(s, whole_output) ? output_words : whole_output;
	if (output_varies(s, hash))
		return found(s, "outputs-vary", SEVERITY_INFO, 0, 0, NULL, err);
	for (size_t i = 0; i < rec->n_trials; i++) {
		for (size_t k = 0; k < i && compares(s, &rec->trials[i]); k++) {
			const struct trial *a = &rec->trials[k], *b = &rec->trials[i];
			if (!compares(s, a) || hash(a) == hash(b) ||
				!curve_alike(rec, a->variant, b->variant))
				continue;
			const char *name = lt_arena_printf(&s->x.rec->arena, "%s and %s",
				rec->variants[a->variant].name, rec->variants[b->variant].name);
			return name ? found(s, "outputs-differ", SEVERITY_WARNING, 0, 0, name, err)
				    : lt_fail_mem(err);
		}
	}
	return 0;
}

/* A misspelt factor reaches the program as it is. */
static int about_command(struct sweep *s, struct lt_err *err)
{
	const char *name;
	int r = 0;
	for (char *const *word = s->opts.words; *word && !r; word++)
		r = factors_unfilled(
			*word, s->points.specs, s->points.n_factors, &s->x.rec->arena, &name, err);
	return r > 0 ? found(s, "placeholder-unknown", SEVERITY_WARNING, 0, 0, name, err) : r;
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
	return found(s, "script", SEVERITY_INFO, 0, 0, path, err);
}

/* Threads that there were in a run, all together. */
static unsigned all_threads(const struct evidence *ev)
{
	unsigned n = 0;
	for (size_t i = 0; i < ev->n_groups; i++)
		n += ev->groups[i].threads;
	return n;
}

/* Does it run as many threads as asked for? */
static int about_threads(struct sweep *s, struct lt_err *err)
{
	const struct evidence *at = s->at, *base = s->base;
	int r = 0;
	if (at && at->processes > 1)
		r = found(s, "processes", SEVERITY_INFO, at->processes, 0, NULL, err);
	if (r < 0 || !at || s->points.threads < 0)
		return r;
	unsigned n = all_threads(at);
	if (n && n < at->threads)
		return found(s, "threads-ignored", SEVERITY_WARNING, at->threads, n, NULL, err);
	if (n && base && all_threads(base) == n && base->threads != at->threads)
		return found(s, "threads-same", SEVERITY_WARNING, n, 0, NULL, err);
	return 0;
}

static int about_length(struct sweep *s, struct lt_err *err)
{
	const struct record *rec = s->x.rec;
	const struct curve_point *p = rec->scaling->baseline < 0
		? NULL
		: record_point(rec, (unsigned)rec->scaling->baseline);
	if (!p || !value_known(p->wall_ns.value) || p->wall_ns.value.num >= short_ns)
		return 0;
	return found(s, "short-runs", SEVERITY_WARNING, p->wall_ns.value.num, 0, NULL, err);
}

int sweep_findings(struct sweep *s, struct lt_err *err)
{
	int r = about_outcomes(s, err);
	if (r >= 0)
		r = about_command(s, err);
	if (r >= 0)
		r = about_output(s, err);
	if (r >= 0)
		r = about_program(s, err);
	if (r >= 0)
		r = about_threads(s, err);
	if (r >= 0)
		r = about_length(s, err);
	return r;
}
