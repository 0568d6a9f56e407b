/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Making the points of a sweep. */
#include "run/points.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/buf.h"
#include "base/own.h"

static bool placed(const struct points_opts *o, const char *name)
{
	for (size_t i = 0; o->words[i]; i++)
		if (factors_placed(o->words[i], name))
			return true;
	for (size_t i = 0; i < o->n_env; i++)
		if (factors_placed(o->env[i], name))
			return true;
	return false;
}

static const char *list_names(const char *const *vars, struct lt_arena *arena)
{
	LT_AUTO_BUF struct lt_buf out = { 0 };
	for (size_t i = 0; vars[i]; i++)
		lt_buf_addf(&out, "%s%s", i ? ", " : "", vars[i]);
	return out.failed ? NULL : lt_arena_strdup(arena, out.data ? out.data : "");
}

/* How the program hears of one factor. */
static int describe_factor(const struct points_opts *o, const struct factor_spec *spec,
	struct lt_arena *arena, struct factor *ret, struct lt_err *err)
{
	*ret = (struct factor){ .name = spec->name, .levels = spec->levels, .n_levels = spec->n };
	if (placed(o, spec->name))
		return 0;
	const char *const *vars = factors_variables(spec, arena);
	if (!vars) {
		lt_err_set(err, -EINVAL, "LT-FACTOR",
			"{%.80s} is nowhere in the command, and no variable is known to carry it",
			spec->name);
		return lt_hint(err, "put {%.80s} where its level belongs, or in --env NAME={%.80s}",
			spec->name, spec->name);
	}
	ret->how = FACTOR_ENVIRONMENT;
	ret->pinned = !strcmp(spec->name, "threads");
	ret->variables = list_names(vars, arena);
	return ret->variables ? 0 : lt_fail_mem(err);
}

static int add_factor(struct points *p, const struct points_opts *o, const struct factor_spec *spec,
	struct lt_arena *arena, struct lt_err *err)
{
	for (size_t i = 0; i < p->n_factors; i++)
		if (!strcmp(p->specs[i].name, spec->name))
			return lt_fail(err, -EINVAL, "LT-FACTOR",
				"the factor '%.80s' is given twice", spec->name);
	if (p->n_factors == FACTORS_MAX)
		return lt_fail(err, -EINVAL, "LT-FACTOR", "more than %d factors", FACTORS_MAX);
	int r = describe_factor(o, spec, arena, &p->factors[p->n_factors], err);
	if (r >= 0)
		p->specs[p->n_factors++] = *spec;
	return r;
}

/* Threads are swept when asked for, when the command takes them, or when nothing else is. */
static int add_threads(
	struct points *p, const struct points_opts *o, struct lt_arena *arena, struct lt_err *err)
{
	struct factor_spec spec;
	p->threads = -1;
	for (size_t i = 0; i < p->n_factors; i++) {
		if (strcmp(p->specs[i].name, "threads") != 0)
			continue;
		return lt_fail(err, -EINVAL, "LT-FACTOR",
			"threads have an option of their own: --threads 1,2,4");
	}
	if (!o->threads && !placed(o, "threads") && p->n_factors > 0)
		return 0;
	int r = o->threads
		? factors_threads(o->threads, arena, &spec, err)
		: factors_default_threads((unsigned)fmax(1, ceil(o->cpus)), arena, &spec, err);
	if (r >= 0)
		r = add_factor(p, o, &spec, arena, err);
	if (r >= 0)
		p->threads = (int)p->n_factors - 1;
	return r;
}

/* The variables of the point: those of --env filled in, and those that carry factors. */
static int point_env(const struct points_opts *o, const struct points *p, struct point *pt,
	struct lt_arena *arena, struct lt_err *err)
{
	size_t most = o->n_env;
	for (size_t i = 0; i < p->n_factors; i++)
		for (const char *const *v = factors_variables(&p->specs[i], arena); v && *v; v++)
			most++;
	const char **env = lt_arena_alloc(arena, (most + 1) * sizeof(*env));
	if (!env)
		return lt_fail_mem(err);
	size_t n = 0;
	for (size_t i = 0; i < p->n_factors; i++) {
		if (p->factors[i].how != FACTOR_ENVIRONMENT)
			continue;
		for (const char *const *v = factors_variables(&p->specs[i], arena); v && *v; v++) {
			env[n] = lt_arena_printf(arena, "%s=%s", *v, pt->levels[i]);
			if (!env[n++])
				return lt_fail_mem(err);
		}
	}
	for (size_t i = 0; i < o->n_env; i++) { /* the user's own come last: they win */
		env[n] = factors_fill(o->env[i], p->specs, pt->levels, p->n_factors, arena);
		if (!env[n++])
			return lt_fail_mem(err);
	}
	pt->cmd.env = env;
	pt->cmd.n_env = n;
	return 0;
}

/* The first so many of the allowed CPUs. */
static int point_pin(
	const struct points_opts *o, struct point *pt, struct lt_arena *arena, struct lt_err *err)
{
	if (pt->threads >= o->n_cpus)
		return 0;
	struct lt_cpuset *pin = lt_arena_alloc(arena, sizeof(*pin));
	if (!pin)
		return lt_fail_mem(err);
	for (unsigned i = 0; i < pt->threads; i++)
		lt_cpuset_add(pin, o->cpu_order[i]);
	pt->cmd.pin = pin;
	return 0;
}

static const char *point_name(
	const struct points *p, const struct point *pt, struct lt_arena *arena)
{
	LT_AUTO_BUF struct lt_buf out = { 0 };
	for (size_t i = 0; i < p->n_factors; i++)
		lt_buf_addf(&out, "%s%s=%s", i ? " " : "", p->specs[i].name, pt->levels[i]);
	return out.failed ? NULL : lt_arena_strdup(arena, out.data ? out.data : "");
}

static int make_point(const struct points_opts *o, const struct points *p, struct point *pt,
	struct lt_arena *arena, struct lt_err *err)
{
	size_t n = 0;
	while (o->words[n])
		n++;
	char **words = lt_arena_alloc(arena, (n + 1) * sizeof(*words));
	if (!words)
		return lt_fail_mem(err);
	for (size_t i = 0; i < n; i++) {
		words[i] = factors_fill(o->words[i], p->specs, pt->levels, p->n_factors, arena);
		if (!words[i])
			return lt_fail_mem(err);
	}
	if (p->threads >= 0)
		pt->threads = (unsigned)strtoul(pt->levels[p->threads], NULL, 10);
	int r = run_command_words(words, &o->how, arena, &pt->cmd, err);
	if (r >= 0)
		r = point_env(o, p, pt, arena, err);
	if (r >= 0 && p->threads >= 0 && p->factors[p->threads].pinned)
		r = point_pin(o, pt, arena, err);
	if (r < 0)
		return r;
	pt->cmd.name = point_name(p, pt, arena);
	return pt->cmd.name ? 0 : lt_fail_mem(err);
}

int points_make(const struct points_opts *opts, struct lt_arena *arena, struct points *ret,
	struct lt_err *err)
{
	struct points p = { .threads = -1 };
	int r = 0;
	for (size_t i = 0; i < opts->n_factors && r >= 0; i++) {
		struct factor_spec spec;
		r = factors_parse(opts->factors[i], arena, &spec, err);
		if (r >= 0)
			r = add_factor(&p, opts, &spec, arena, err);
	}
	if (r >= 0)
		r = add_threads(&p, opts, arena, err);
	size_t all = 1;
	for (size_t i = 0; i < p.n_factors && all <= POINTS_MAX; i++)
		all *= p.specs[i].n;
	if (r >= 0 && all > POINTS_MAX)
		return lt_fail(err, -EINVAL, "LT-POINTS",
			"the factors make more than %d points together", POINTS_MAX);
	p.list = r < 0 ? NULL : lt_arena_alloc(arena, all * sizeof(*p.list));
	if (r >= 0 && !p.list)
		r = lt_fail_mem(err);
	for (; r >= 0 && p.n < all; p.n++) {
		struct point *pt = &p.list[p.n];
		pt->levels = lt_arena_alloc(arena, (p.n_factors + 1) * sizeof(*pt->levels));
		if (!pt->levels)
			return lt_fail_mem(err);
		size_t rest = p.n;
		for (size_t i = p.n_factors; i-- > 0; rest /= p.specs[i].n)
			pt->levels[i] = p.specs[i].levels[rest % p.specs[i].n];
		r = make_point(opts, &p, pt, arena, err);
	}
	if (r >= 0)
		*ret = p;
	return r;
}

int points_with_threads(const struct points_opts *opts, const struct points *all,
	const struct point *like, unsigned threads, struct lt_arena *arena, struct point *ret,
	struct lt_err *err)
{
	struct point pt = { .levels = lt_arena_alloc(
				    arena, (all->n_factors + 1) * sizeof(*pt.levels)) };
	const char *level = lt_arena_printf(arena, "%u", threads);
	if (!pt.levels || !level)
		return lt_fail_mem(err);
	memcpy(pt.levels, like->levels, all->n_factors * sizeof(*pt.levels));
	if (all->threads >= 0)
		pt.levels[all->threads] = level;
	int r = make_point(opts, all, &pt, arena, err);
	if (r >= 0)
		*ret = pt;
	return r;
}
