/* SPDX-License-Identifier: GPL-2.0-or-later */
/* The timing runs of a sweep: rounds of all its points, until they are known well enough or
 * their share of the budget is spent, with a look at the machine before and after each. */
#include <math.h>
#include <string.h>
#include <time.h>

#include "base/clock.h"
#include "run/curve.h"
#include "run/sweep_inside.h"

enum {
	PRECISE_ROUNDS = 6,
	LOOK_EVERY_MS = 400, /* short runs share a look */
	WAIT_MS = 150,       /* before looking again at a machine that is busy */
	WAIT_TIMES = 3,
	WAIT_ALL_MS = 3000,
};

static const double timing_share = 0.18; /* of the budget, if reasons are to follow */
static const double precise = 0.02;      /* half-width of speed-ups, as a share */
static const double patience = 3;        /* times what an extra point is expected to take */

static int64_t timing_ns(const struct sweep *s)
{
	double share = s->opts.curve_only || s->points.threads < 0 ? 1 : timing_share;
	return s->run.budget_ns ? (int64_t)(share * (double)s->run.budget_ns) : INT64_MAX;
}

/* Looks, and again after a while if the machine is busy. */
static int look(struct sweep *s, bool *ret_quiet, struct lt_err *err)
{
	struct core_check *check = &s->x.rec->scaling->check;
	int64_t now = lt_now_ns();
	*ret_quiet = s->was_quiet;
	if (s->looked_ns && now - s->looked_ns < LOOK_EVERY_MS * LT_NS_PER_MS)
		return 0;
	double given = 0;
	for (int i = 0;; i++) {
		int r = quiet_look(&s->quiet, &given, ret_quiet, err);
		if (r < 0)
			return r;
		if (*ret_quiet || s->opts.even_busy || i == WAIT_TIMES || s->x.signals->last ||
			s->waited_ns > WAIT_ALL_MS * LT_NS_PER_MS)
			break;
		struct timespec pause = { .tv_nsec = WAIT_MS * LT_NS_PER_MS };
		nanosleep(&pause, NULL);
		s->waited_ns += WAIT_MS * LT_NS_PER_MS;
	}
	check->given = check->checks == 0 ? given : fmin(check->given, given);
	check->checks++;
	check->failed += !*ret_quiet;
	s->was_quiet = *ret_quiet;
	s->looked_ns = lt_now_ns();
	return 0;
}

static const char *why_dead(const struct outcome *o)
{
	if (o->kind == OUTCOME_CANCELLED)
		return "leat was told to stop";
	return o->kind == OUTCOME_TIMEOUT ? "it did not end in the time of three runs"
					  : "it failed there";
}

/* What came of the runs of a block: walls for the next forecast, points that fail. */
static void take_block(struct sweep *s, size_t first)
{
	struct record *rec = s->x.rec;
	struct one_cpu *one = &rec->scaling->one_cpu;
	int wall = record_metric(rec, "wall");
	for (size_t i = first; i < rec->n_trials; i++) {
		const struct trial *t = &rec->trials[i];
		struct sweep_slot *slot = &s->slots[t->variant];
		bool dead = !experiment_succeeded(&s->x, &t->outcome);
		slot->dead = slot->dead || dead;
		if (dead && (int)t->variant == one->variant)
			one->ratio = estimate_missing(why_dead(&t->outcome), NULL);
		if (wall >= 0 && value_known(t->readings[wall]))
			slot->wall_ns = t->readings[wall].num;
	}
}

/* Runs seldom, and not before the others. */
static bool is_extra(const struct sweep *s, unsigned v)
{
	const struct scaling *sc = s->x.rec->scaling;
	bool asked = (int)v == sc->baseline || (int)v == sc->focus;
	return (int)v == sc->one_cpu.variant || (s->slots[v].over && !asked);
}

/* What an extra point may take if its threads are not in each other's way, by the runs that are
 * like it but for threads; 0 = there are none yet. */
static double expected_ns(const struct sweep *s, unsigned v)
{
	const struct sweep_slot *extra = &s->slots[v];
	double longest = 0;
	for (unsigned u = 0; u < s->x.rec->n_variants; u++) {
		const struct sweep_slot *slot = &s->slots[u];
		if (is_extra(s, u) || !curve_alike(s->x.rec, u, v))
			continue;
		/* each thread brings work of its own; or all on one CPU take turns */
		double times = extra->over ? extra->threads / s->x.rec->scaling->cpus
					   : fmin(slot->threads, s->n_cpus);
		longest = fmax(longest, slot->wall_ns * times);
	}
	return longest;
}

/* A program that spins might take for ever, with more threads than CPUs or on one of them. */
static void limit_extras(struct sweep *s)
{
	for (unsigned v = 0; v < s->x.rec->n_variants; v++) {
		double expected = is_extra(s, v) ? expected_ns(s, v) : 0;
		int64_t limit = (int64_t)(patience * expected) + LT_NS_PER_S / 2;
		if (expected > 0 && (!s->run.timeout_ns || limit < s->run.timeout_ns))
			s->cmds[v].timeout_ns = limit;
	}
}

/* Which extra points a round has: the one-CPU run in the odd ones, those with more threads than
 * CPUs in the even ones; the first of these waits until there is something to limit it by. */
static size_t choose(const struct sweep *s, unsigned round, bool extras, int *list)
{
	const struct record *rec = s->x.rec;
	int one = rec->scaling->one_cpu.variant;
	size_t n = 0;
	for (unsigned v = 0; v < rec->n_variants; v++) {
		const struct sweep_slot *slot = &s->slots[v];
		bool extra = is_extra(s, v);
		bool turn =
			(int)v == one ? round % 2 == 1 : round == 1 || (round && round % 2 == 0);
		if (slot->dead || rec->variants[v].remedy || (extra && !(extras && turn)))
			continue;
		list[n++] = (int)v;
	}
	return n;
}

static double forecast_ns(const struct sweep *s, const int *list, size_t n)
{
	double sum = 0;
	for (size_t i = 0; i < n; i++) {
		const struct sweep_slot *slot = &s->slots[list[i]];
		sum += slot->wall_ns > 0 ? slot->wall_ns : s->slots[0].wall_ns;
	}
	return sum;
}

/* Are all speed-ups known well enough? */
static int precise_enough(struct sweep *s, bool *ret, struct lt_err *err)
{
	struct record *rec = s->x.rec;
	*ret = false;
	if (s->rounds < PRECISE_ROUNDS)
		return 0;
	int r = curve_points(rec, err);
	*ret = r >= 0;
	for (size_t i = 0; i < rec->n_curve && *ret; i++) {
		const struct curve_point *p = &rec->curve[i];
		const struct estimate *e = p->threads ? &p->speedup : &p->wall_ns;
		if (p->over || (int)p->variant == rec->scaling->baseline || !value_known(e->value))
			continue;
		*ret = estimate_bounded(e) && (e->hi - e->lo) / 2 <= precise * e->value.num;
	}
	return r;
}

/* May another round begin, and with which points? Sets s->stopped when not. */
static int next_round(struct sweep *s, int *list, size_t *ret_n, struct lt_err *err)
{
	bool enough = false;
	int r = precise_enough(s, &enough, err);
	if (r < 0)
		return r;
	int64_t left = s->begin_ns + timing_ns(s) - lt_now_ns();
	*ret_n = choose(s, s->rounds, true, list);
	if (*ret_n && s->rounds && forecast_ns(s, list, *ret_n) > (double)left)
		*ret_n = choose(s, s->rounds, false, list);
	if (s->run.n ? s->rounds >= s->run.n : s->rounds >= SWEEP_ROUNDS_MAX)
		s->stopped = s->run.n ? "n" : "cap";
	else if (!s->run.n && enough)
		s->stopped = "precise";
	else if (!*ret_n)
		s->stopped = "failure";
	else if (!s->run.n && s->rounds && forecast_ns(s, list, *ret_n) > (double)left)
		s->stopped = "budget";
	return 0;
}

static int run_round(struct sweep *s, const int *list, size_t n, struct lt_err *err)
{
	bool before = false, after = false;
	size_t first = s->x.rec->n_trials;
	int r = look(s, &before, err);
	if (r >= 0)
		limit_extras(s);
	s->round_block[s->rounds] = s->x.next_block;
	if (r >= 0)
		r = experiment_block(&s->x, list, n, false, err);
	take_block(s, first);
	if (r >= 0)
		r = look(s, &after, err);
	s->round_busy[s->rounds] = r >= 0 && (!before || !after);
	s->rounds += r >= 0;
	s->x.rec->scaling->rounds_end = s->x.next_block;
	return r;
}

/* The first run finds caches cold, and may find that there is nothing to sweep. */
static int warm_up(struct sweep *s, struct lt_err *err)
{
	size_t first = s->x.rec->n_trials;
	int list[] = { s->x.rec->scaling->baseline };
	s->x.streams.probe = true;
	int r = s->run.warmup_given && !s->run.warmup ? 0
						      : experiment_block(&s->x, list, 1, true, err);
	s->x.streams.probe = false;
	take_block(s, first);
	/* What takes long is not thrown away. */
	struct trial *t = s->x.rec->n_trials ? &s->x.rec->trials[0] : NULL;
	if (r >= 0 && t && !s->slots[0].dead &&
		s->slots[t->variant].wall_ns > (double)timing_ns(s) / 6) {
		t->warmup = false;
		t->kept = true;
	}
	return r;
}

/* Rounds that the machine disturbed do not count, if enough others do. */
static void drop_busy_rounds(struct sweep *s)
{
	struct record *rec = s->x.rec;
	unsigned good = 0;
	for (unsigned i = 0; i < s->rounds; i++)
		good += !s->round_busy[i];
	rec->scaling->busy = good < s->rounds && good < 2 && !s->opts.even_busy;
	if (good < 2)
		return;
	for (size_t k = 0; k < rec->n_trials; k++)
		for (unsigned i = 0; i < s->rounds; i++)
			if (s->round_busy[i] && rec->trials[k].block == s->round_block[i])
				rec->trials[k].kept = false;
}

/* Extra points that had no turn are worth a little more time than their share. */
static int run_missing(struct sweep *s, struct lt_err *err)
{
	const struct scaling *sc = s->x.rec->scaling;
	int list[EXPERIMENT_VARIANTS];
	size_t n = 0, first = s->x.rec->n_trials;
	for (unsigned v = 0; v < s->x.rec->n_variants; v++)
		if (is_extra(s, v) && s->slots[v].wall_ns == 0 && !s->slots[v].dead &&
			!((int)v == sc->one_cpu.variant && s->slots[sc->focus].dead))
			list[n++] = (int)v;
	if (!n)
		return 0;
	limit_extras(s);
	int r = experiment_block(&s->x, list, n, false, err);
	take_block(s, first);
	return r;
}

/* A focus that fails gives way to the largest thread count below it that does not. */
static void move_focus(struct sweep *s)
{
	struct scaling *sc = s->x.rec->scaling;
	while (sc->focus > sc->baseline && s->slots[sc->focus].dead)
		sc->focus--;
	for (unsigned v = (unsigned)sc->baseline; s->slots[v].dead; v++) {
		if (v + 1 >= s->points.n || !curve_alike(s->x.rec, v, v + 1)) {
			sc->baseline = sc->focus = -1;
			return;
		}
		sc->baseline = (int)v + 1;
	}
	if (sc->focus < sc->baseline)
		sc->focus = sc->baseline;
}

int sweep_time(struct sweep *s, struct lt_err *err)
{
	struct scaling *sc = s->x.rec->scaling;
	int r = quiet_open(&s->quiet, QUIET_CHAIN, &s->allowed, sc->quota, err);
	sc->check.asked = s->quiet.asked;
	if (r >= 0)
		r = warm_up(s, err);
	while (r >= 0 && !experiment_must_stop(&s->x)) {
		int list[EXPERIMENT_VARIANTS];
		size_t n = 0;
		r = next_round(s, list, &n, err);
		if (r < 0 || s->stopped)
			break;
		r = run_round(s, list, n, err);
	}
	if (r >= 0 && !experiment_must_stop(&s->x))
		r = run_missing(s, err);
	if (r < 0)
		return r;
	sc->rounds_end = s->x.next_block;
	drop_busy_rounds(s);
	move_focus(s);
	return curve_judge(s->x.rec, s->opts.mode, err);
}
