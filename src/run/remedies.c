/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Which remedies are tried, and what becomes of them. */
#include "run/remedies.h"

#include <math.h>
#include <string.h>

#include "base/str.h"
#include "remedy/change.h"
#include "run/remedies_inside.h"
#include "stats/desc.h"

/* ---- which ---- */

static bool is_control(const struct remedy *r)
{
	return !r->heals;
}

/* Is `name` in "a,b,c"? */
static bool is_listed(const char *list, const char *name)
{
	size_t len = strlen(name);
	for (const char *at = list; at; at = lt_next_item(at, ','))
		if (!strncmp(at, name, len) && (at[len] == ',' || at[len] == '\0'))
			return true;
	return false;
}

/* Then those that the causes ask for are named all the same. */
static bool tries_none(const struct remedies_opts *o)
{
	return o->list && !strcmp(o->list, "none");
}

static bool is_wanted(const struct remedy *r, const struct remedies_opts *o)
{
	if (is_control(r))
		return false;
	if (o->list && !tries_none(o))
		return !strcmp(o->list, "all") || is_listed(o->list, r->name);
	for (size_t i = 0; i < o->n_causes; i++)
		if (remedy_heals(r, o->causes[i]))
			return true;
	return false;
}

int remedies_check(const char *list, struct lt_err *err)
{
	if (!list || !strcmp(list, "all") || !strcmp(list, "none"))
		return 0;
	for (const char *at = list; at; at = lt_next_item(at, ',')) {
		char name[64] = "";
		size_t len = strcspn(at, ",");
		memcpy(name, at, len < sizeof(name) ? len : sizeof(name) - 1);
		const struct remedy *r = remedy_find(name);
		if (r && !is_control(r))
			continue;
		lt_err_set(err, -EINVAL, "LT-TRY",
			r ? "remedy '%.40s' is the control, which is always tried"
			  : "there is no remedy '%.40s'",
			name);
		return lt_hint(err,
			"all, none, or names parted by commas; 'leat list remedies' "
			"lists them");
	}
	return 0;
}

/* ---- what becomes of them ---- */

struct remedy_result *remedies_result(struct remedies *x, const struct candidate *c)
{
	return &x->rec->remedies[c->result];
}

void remedies_out(struct remedies *x, struct candidate *c, enum remedy_verdict verdict,
	const char *reason, const char *hint)
{
	struct remedy_result *res = remedies_result(x, c);
	c->in = false;
	res->verdict = verdict;
	res->reason = reason;
	res->hint = hint;
}

void remedies_take_peak(struct candidate *c, const struct remedies_seen *seen)
{
	if (value_known(seen->peak) && c->n_peaks < REMEDIES_PAIRS)
		c->peak[c->n_peaks++] = seen->peak.num;
}

bool remedies_sound(struct remedies *x, struct candidate *c, const struct remedies_seen *seen)
{
	struct lt_arena *arena = &x->rec->arena;
	if (seen->unloaded) {
		remedies_out(x, c, REMEDY_IGNORED,
			lt_arena_printf(arena, "process '%s' runs without %s", seen->unloaded,
				c->change.preload),
			"it is statically linked, or clears its environment");
		return false;
	}
	if (seen->bad) {
		remedies_out(x, c, REMEDY_BROKEN,
			lt_arena_printf(arena, "with it the program ends with %s", seen->bad),
			NULL);
		return false;
	}
	bool same_words = seen->output_text == x->output_text || !x->output_text;
	/* Another number of threads may well be told in the output. */
	bool same = c->change.threads ? same_words : seen->output == x->output;
	if (x->output && !same) {
		remedies_out(
			x, c, REMEDY_BROKEN, "with it the program writes something else", NULL);
		return false;
	}
	c->other_words |= !same_words;
	return true;
}

static int add_result(
	struct remedies *x, const struct remedy *r, struct candidate *c, struct lt_err *err)
{
	struct remedy_result *res = record_add_remedy(x->rec);
	if (!res)
		return lt_fail_mem(err);
	*c = (struct candidate){ .remedy = r, .result = x->rec->n_remedies - 1, .in = true };
	*res = (struct remedy_result){
		.name = r->name,
		.variant = -1,
		.ratio = estimate_missing("it was not compared", NULL),
		.p = NAN,
		.p_holm = NAN,
		.peak = value_missing("it was not run", NULL),
		.peak_without = value_missing("it was not run", NULL),
	};
	return 0;
}

static int add_all(struct remedies *x, struct lt_err *err)
{
	int r = 0;
	for (const struct remedy *const *m = remedy_table; *m && r >= 0; m++) {
		if (is_control(*m))
			r = add_result(x, *m, &x->control, err);
		else if (x->n < REMEDIES_MAX && is_wanted(*m, x->opts))
			r = add_result(x, *m, &x->list[x->n++], err);
	}
	return r;
}

/* Asks each what it would change; those that cannot be tried are out. */
static int ask_all(struct remedies *x, struct lt_err *err)
{
	for (size_t i = 0; i < x->n; i++) {
		struct candidate *c = &x->list[i];
		struct remedy_offer offer = c->remedy->offer(x->place, &c->change);
		if (offer.state != REMEDY_READY) {
			remedies_out(x, c,
				offer.state == REMEDY_UNHEARD ? REMEDY_IGNORED : REMEDY_NOT_TRIED,
				offer.reason, offer.hint);
			continue;
		}
		int r = x->host->add(x->host->ctx, c->remedy->name, &c->change, &c->variant, err);
		if (r < 0)
			return r;
		struct remedy_result *res = remedies_result(x, c);
		res->change = remedy_change_text(&c->change, &x->rec->arena);
		res->variant = (int)c->variant;
	}
	return 0;
}

/* Memory, and for those that were not compared what their single run hints at. */
static void put_rest(struct remedies *x, const struct candidate *c)
{
	struct remedy_result *res = remedies_result(x, c);
	if (!res->n && isfinite(c->screened_ns) && c->screened_ns > 0)
		res->ratio.value = (struct value){ .state = VALUE_ESTIMATED,
			.num = x->base.screened_ns / c->screened_ns,
			.reason = "from one run" };
	if (c->n_peaks)
		res->peak = value_of(stats_median(c->peak, c->n_peaks));
	if (c->other_words && !res->reason)
		res->reason = "its output is another in every run, and with it in other words, too";
	if (c->n_peaks && x->base.n_peaks)
		res->peak_without = value_of(stats_median(x->base.peak, x->base.n_peaks));
}

/* A program that fails by itself, or time that ended before they had their turn. */
static void give_up(struct remedies *x, const char *reason)
{
	for (size_t i = 0; i < x->n; i++)
		if (x->list[i].in)
			remedies_out(x, &x->list[i], REMEDY_NOT_TRIED, reason, NULL);
}

static int race(struct remedies *x, const struct remedy **ret_best, struct lt_err *err)
{
	bool good = false;
	int r = x->host->add(x->host->ctx, NULL, NULL, &x->base.variant, err);
	if (r >= 0)
		r = remedies_screen_base(x, &good, err);
	if (r < 0 || !good) {
		give_up(x,
			x->host->over(x->host->ctx) ? "leat was told to stop"
						    : "the program fails as it is");
		return r;
	}
	x->place->n_maps = x->host->maps(x->host->ctx, &x->place->maps);
	r = ask_all(x, err);
	if (r >= 0)
		r = remedies_screen(x, err);
	if (r >= 0)
		r = remedies_prove(x, ret_best, err);
	return r;
}

int remedies_try(struct record *rec, struct remedy_place *place, const struct remedies_opts *opts,
	const struct remedies_host *host, const struct remedy **ret_best, struct lt_err *err)
{
	LT_AUTO_FREE struct remedies *x = calloc(1, sizeof(*x));
	if (!x)
		return lt_fail_mem(err);
	x->rec = rec;
	x->place = place;
	x->opts = opts;
	x->host = host;
	*ret_best = NULL;
	int r = remedies_check(opts->list, err);
	if (r >= 0)
		r = add_all(x, err);
	if (r >= 0)
		remedies_out(x, &x->control, REMEDY_NOT_TRIED,
			"there was nothing to prove that it could control", NULL);
	if (r >= 0 && tries_none(opts))
		give_up(x, "--try none was given");
	if (r < 0 || !x->n || tries_none(opts))
		return r;
	r = race(x, ret_best, err);
	if (r < 0)
		return r;
	for (size_t i = 0; i < x->n; i++)
		put_rest(x, &x->list[i]);
	put_rest(x, &x->control);
	return rec->arena.failed ? lt_fail_mem(err) : 0;
}
