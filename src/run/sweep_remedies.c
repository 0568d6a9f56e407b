/* SPDX-License-Identifier: GPL-2.0-or-later */
/* What remedies.h asks of its host, answered by a sweep. */
#include "run/sweep_remedies.h"

#include <signal.h>
#include <string.h>

#include "remedy/change.h"
#include "run/curve.h"
#include "run/loaded.h"
#include "run/sweep_inside.h"

enum {
	AFTER_ROUNDS = 3 /* of the winner along the curve */
};

struct sweep_host {
	struct sweep *s;
	unsigned focus;
	const char *preload[EXPERIMENT_VARIANTS]; /* that each variant has to load */
	struct loaded loaded;                     /* of the last block that looked */
	struct loaded base;                       /* of the program as it is */
};

/* The environment that a variant has anyway: leat's own, then its own. */
static const char *const *environment_of(
	struct sweep *s, const struct run_command *cmd, size_t *ret_n)
{
	size_t n = 0;
	while (environ && environ[n])
		n++;
	const char **list = lt_arena_alloc(
		&s->x.rec->arena, (n + s->run.n_env + cmd->n_env + 1) * sizeof(*list));
	*ret_n = 0;
	if (!list)
		return NULL;
	for (size_t i = 0; i < n; i++)
		list[(*ret_n)++] = environ[i];
	for (size_t i = 0; i < s->run.n_env; i++)
		list[(*ret_n)++] = s->run.env[i];
	for (size_t i = 0; i < cmd->n_env; i++)
		list[(*ret_n)++] = cmd->env[i];
	return list;
}

/* `variant` with a remedy's change, as another variant. */
static int vary(struct sweep_host *h, unsigned variant, const char *name,
	const struct remedy_change *change, unsigned *ret, struct lt_err *err)
{
	struct sweep *s = h->s;
	struct lt_arena *arena = &s->x.rec->arena;
	const char **env = lt_arena_alloc(arena, REMEDY_ENV_MAX * sizeof(*env));
	struct remedy_change *kept = lt_arena_alloc(arena, sizeof(*kept));
	size_t n;
	const char *const *had = environment_of(s, sweep_command(s, variant), &n);
	if (!env || !kept || !had)
		return lt_fail_mem(err);
	*kept = *change;
	int r = remedy_change_env(kept, had, n, arena, env, err);
	if (r < 0)
		return r;
	struct sweep_change c = {
		.name = name,
		.env = env,
		.n_env = kept->n_env,
		.prefix = kept->prefix,
		.n_prefix = kept->n_prefix,
		.pin = kept->pinned ? &kept->pin : NULL,
		.threads = kept->threads,
	};
	r = sweep_vary(s, variant, &c, ret, err);
	if (r >= 0)
		h->preload[*ret] = kept->preload;
	return r;
}

static int host_add(void *ctx, const char *name, const struct remedy_change *change,
	unsigned *ret_variant, struct lt_err *err)
{
	struct sweep_host *h = ctx;
	*ret_variant = h->focus;
	return change ? vary(h, h->focus, name, change, ret_variant, err) : 0;
}

/* How a run ended that did not do what it should. */
static const char *how_bad(struct lt_arena *arena, const struct outcome *o)
{
	const char *name;
	switch (o->kind) {
	case OUTCOME_EXIT:
		return lt_arena_printf(arena, "exit code %d", o->code);
	case OUTCOME_SIGNAL:
		name = sigabbrev_np(o->code);
		return lt_arena_printf(
			arena, "signal %d (SIG%s)", o->code, name ? name : "unknown");
	case OUTCOME_TIMEOUT:
		return "a timeout";
	case OUTCOME_NOT_STARTED:
		return "no start at all";
	case OUTCOME_CANCELLED:
	case OUTCOME_WINDOW:
		break;
	}
	return "a signal to leat";
}

static struct remedies_seen see(struct sweep *s, const struct trial *t, bool limited)
{
	struct record *rec = s->x.rec;
	int wall = record_metric(rec, "wall"), peak = record_metric(rec, "peak-rss");
	struct remedies_seen seen = {
		.ran = t->outcome.kind != OUTCOME_CANCELLED && wall >= 0 &&
			(value_known(t->readings[wall]) || t->outcome.kind == OUTCOME_NOT_STARTED),
		.late = limited && t->outcome.kind == OUTCOME_TIMEOUT,
		.peak = peak >= 0 ? t->readings[peak]
				  : value_missing("peak memory is not measured", NULL),
		.output = t->out_hash,
		.output_text = t->out_text,
	};
	if (wall >= 0)
		seen.wall_ns = t->readings[wall].num;
	if (!experiment_succeeded(&s->x, &t->outcome))
		seen.bad = how_bad(&rec->arena, &t->outcome);
	return seen;
}

static int host_block(void *ctx, const unsigned *variants, size_t n, int64_t limit_ns, bool look,
	struct remedies_seen *seen, struct lt_err *err)
{
	struct sweep_host *h = ctx;
	struct sweep *s = h->s;
	struct record *rec = s->x.rec;
	int list[EXPERIMENT_VARIANTS] = { 0 };
	int64_t before[EXPERIMENT_VARIANTS];
	size_t first;
	for (size_t i = 0; i < n; i++) {
		list[i] = (int)variants[i];
		before[i] = s->cmds[list[i]].timeout_ns;
		if (limit_ns && (!s->run.timeout_ns || limit_ns < s->run.timeout_ns))
			s->cmds[list[i]].timeout_ns = limit_ns;
	}
	if (look) {
		loaded_begin(&h->loaded, s->x.root_fd, s->x.launcher.pid, h->preload[variants[0]],
			&rec->arena);
		s->x.trial.look = loaded_look;
		s->x.trial.look_ctx = &h->loaded;
	}
	/* A block by itself is no part of a comparison, and what looks disturbs. */
	int r = sweep_block(s, list, n, n == 1, &first, err);
	s->x.trial.look = NULL;
	for (size_t i = 0; i < n; i++)
		s->cmds[list[i]].timeout_ns = before[i];
	for (size_t i = 0; r >= 0 && i < n; i++)
		for (size_t k = first; k < rec->n_trials; k++)
			if (rec->trials[k].variant == variants[i])
				seen[i] = see(s, &rec->trials[k], limit_ns != 0);
	if (r >= 0 && look) {
		seen[0].unloaded = loaded_without(&h->loaded);
		if (variants[0] == h->focus)
			h->base = h->loaded;
	}
	return r;
}

static size_t host_maps(void *ctx, const char *const **ret)
{
	struct sweep_host *h = ctx;
	*ret = h->base.files;
	return h->base.n_files;
}

static int64_t host_left(void *ctx)
{
	const struct sweep_host *h = ctx;
	return sweep_left_ns(h->s);
}

static bool host_over(void *ctx)
{
	const struct sweep_host *h = ctx;
	return sweep_over(h->s);
}

/* Threads of the fastest point that differs from the focus in them alone. */
static unsigned fastest_threads(const struct record *rec, unsigned focus)
{
	const struct curve_point *best = NULL;
	for (size_t i = 0; i < rec->n_curve; i++) {
		const struct curve_point *p = &rec->curve[i];
		if (p->remedy || !value_known(p->wall_ns.value) ||
			!curve_alike(rec, focus, p->variant))
			continue;
		if (!best || p->wall_ns.value.num < best->wall_ns.value.num)
			best = p;
	}
	return best ? best->threads : 0;
}

static int open_place(struct sweep_host *h, struct remedy_place *place, struct lt_err *err)
{
	struct sweep *s = h->s;
	struct record *rec = s->x.rec;
	const char *program = sweep_command(s, h->focus)->path;
	int r = remedy_place_open(place, s->x.root_fd, &rec->arena, &s->allowed, program, NULL);
	if (r < 0) /* not readable, perhaps: what is known of the machine must do */
		r = remedy_place_open(place, s->x.root_fd, &rec->arena, &s->allowed, NULL, err);
	place->threads = s->slots[h->focus].threads;
	place->pin = sweep_command(s, h->focus)->pin;
	place->threads_best = fastest_threads(rec, h->focus);
	place->grows = rec->scaling->mode != SCALE_STRONG; /* or may do so */
	int f = record_factor(rec, "threads");
	place->threads_by_env = f >= 0 && rec->factors[f].how == FACTOR_ENVIRONMENT;
	return r;
}

/* The winner at the other thread counts, each with the CPUs that it would choose for them. */
static int add_after(struct sweep_host *h, const struct remedy *best, struct remedy_place *place,
	int *list, size_t *ret_n, struct lt_err *err)
{
	struct record *rec = h->s->x.rec;
	size_t n_points = h->s->points.n;
	*ret_n = 0;
	for (unsigned v = 0; v < n_points; v++) {
		struct remedy_change change;
		unsigned varied;
		if (v == h->focus || h->s->slots[v].dead || !curve_alike(rec, h->focus, v))
			continue;
		place->threads = h->s->slots[v].threads;
		place->pin = sweep_command(h->s, v)->pin;
		if (best->offer(place, &change).state != REMEDY_READY || change.threads)
			continue;
		int r = vary(h, v, best->name, &change, &varied, err);
		if (r < 0)
			return r;
		list[(*ret_n)++] = (int)varied;
	}
	return 0;
}

static int run_after(struct sweep_host *h, const struct remedy *best, struct remedy_place *place,
	struct lt_err *err)
{
	int list[EXPERIMENT_VARIANTS];
	size_t n = 0, first;
	int r = add_after(h, best, place, list, &n, err);
	int64_t began = sweep_left_ns(h->s), took = 0;
	for (int i = 0; i < AFTER_ROUNDS && n && r >= 0; i++) {
		if (sweep_over(h->s) || sweep_left_ns(h->s) < took)
			break;
		r = sweep_block(h->s, list, n, false, &first, err);
		took = (began - sweep_left_ns(h->s)) / (i + 1);
	}
	return r;
}

int sweep_remedies(struct sweep *s, const struct remedies_opts *opts, struct lt_err *err)
{
	struct record *rec = s->x.rec;
	struct remedy_place place;
	const struct remedy *best = NULL;
	LT_AUTO_FREE struct sweep_host *h = calloc(1, sizeof(*h));
	if (!h)
		return lt_fail_mem(err);
	if (rec->scaling->focus < 0 || sweep_over(s))
		return 0;
	h->s = s;
	h->focus = (unsigned)rec->scaling->focus;
	const struct remedies_host host = { .ctx = h,
		.add = host_add,
		.block = host_block,
		.maps = host_maps,
		.left_ns = host_left,
		.over = host_over };
	int r = open_place(h, &place, err);
	if (r >= 0)
		r = remedies_try(rec, &place, opts, &host, &best, err);
	if (r >= 0 && best)
		r = run_after(h, best, &place, err);
	return r;
}
