/* SPDX-License-Identifier: GPL-2.0-or-later */
/* The proof: the default, the control and the best few candidates, each once a block, in random
 * order, for a number of blocks fixed beforehand. The control is the default under another name;
 * where the default is so slow that there is no time for it twice, it is the best candidate under
 * another name, alone in the race. */
#include <math.h>
#include <string.h>

#include "base/clock.h"
#include "run/remedies_inside.h"

enum {
	PAIRS = 8,        /* all one way: p = 2 / 2^8, times 3 for three candidates */
	PAIRS_MAX = 16,   /* more than this waits for small gains */
	LOOK_FROM = 4,    /* pairs after which the hopeless may go */
	LOOK_HARD = 6,    /* pairs after which those without a worthwhile gain may go */
	FAILURES_MAX = 2, /* of the program as it is */
	START_MS = 10,    /* of a run, beside its wall time */
};

static const double time_share = 0.75; /* of what is left: estimates err, the curve follows */
static const double large = 1.5;       /* times faster: the least number of pairs will do */
static const double as_good = 1.05;    /* times the best time: the simpler remedy is better */
static const double twin_share = 0.9;  /* of what is left: the curve of what is fast follows */

struct proof {
	struct remedies *x;
	struct candidate *final[REMEDIES_FINAL];
	size_t n;
	unsigned blocks; /* planned */
	unsigned failures;
	bool twin; /* the control is the only finalist once more */
	bool over; /* stopped, or the program itself failed too often */
};

static void pick_finalists(struct proof *p)
{
	struct remedies *x = p->x;
	for (size_t i = 0; i < x->n; i++) {
		struct candidate *c = &x->list[i];
		if (!c->in)
			continue;
		size_t at = p->n;
		while (at > 0 && p->final[at - 1]->screened_ns > c->screened_ns)
			at--;
		struct candidate *last = p->n == REMEDIES_FINAL ? p->final[p->n - 1] : NULL;
		if (at == REMEDIES_FINAL)
			last = c;
		if (last)
			remedies_out(x, last, REMEDY_DROPPED, "run once, three others were faster",
				NULL);
		if (last == c)
			continue;
		p->n -= last != NULL;
		memmove(&p->final[at + 1], &p->final[at], (p->n - at) * sizeof(*p->final));
		p->final[at] = c;
		p->n++;
	}
}

static double block_ns(const struct proof *p)
{
	double ns = p->x->base.screened_ns + (p->twin ? p->final[0] : &p->x->base)->screened_ns;
	for (size_t i = 0; i < p->n; i++)
		ns += p->final[i]->screened_ns;
	return ns + (double)((int64_t)(p->n + 2) * START_MS * LT_NS_PER_MS);
}

/* Is there time for the best alone, if the default is run but once a block? */
static bool suits_twin(const struct proof *p, unsigned least, double left)
{
	struct proof alone = { .x = p->x, .final = { p->final[0] }, .n = 1, .twin = true };
	return p->x->base.screened_ns > large * p->final[0]->screened_ns &&
		left >= (double)least * block_ns(&alone);
}

static void drop_last(struct proof *p)
{
	remedies_out(p->x, p->final[--p->n], REMEDY_DROPPED,
		"promising when run once, but there was no time left to prove it",
		"give the whole more of it (--budget)");
}

/* Small gains take more blocks, as many as the time allows; with too little of it there are
 * fewer finalists. */
static void plan_blocks(struct proof *p)
{
	struct remedies *x = p->x;
	unsigned least = x->opts->pairs ? x->opts->pairs : PAIRS;
	unsigned most = x->opts->pairs_max ? x->opts->pairs_max : PAIRS_MAX;
	double all = (double)x->host->left_ns(x->host->ctx), left = time_share * all;
	if (p->n && x->base.screened_ns > large * p->final[0]->screened_ns)
		most = least;
	most = most < least ? least : most;
	most = most > REMEDIES_PAIRS ? REMEDIES_PAIRS : most;
	while (p->n > 1 && left < (double)least * block_ns(p))
		drop_last(p);
	if (p->n == 1 && left < (double)least * block_ns(p)) {
		left = twin_share * all;
		p->twin = suits_twin(p, least, left);
		if (!p->twin)
			drop_last(p);
	}
	double blocks = p->n ? left / block_ns(p) : 0;
	p->blocks = blocks > most ? most : (unsigned)blocks;
}

static void remove_finalist(struct proof *p, size_t i)
{
	p->n--;
	memmove(&p->final[i], &p->final[i + 1], (p->n - i) * sizeof(*p->final));
}

/* `block`: what the default and the control showed in it. */
static void take_pair(
	struct candidate *c, const struct remedies_seen *block, const struct remedies_seen *seen)
{
	c->without[c->n] = block[0].wall_ns;
	c->control[c->n] = block[1].wall_ns;
	c->with[c->n++] = seen->wall_ns;
	remedies_take_peak(c, seen);
}

/* What the twin showed is the control of its original, which must be as good both times. */
static void take_twin(struct proof *p, const struct remedies_seen *seen)
{
	struct candidate *c = p->final[0];
	const struct remedies_seen *twin = &seen[1], *one = &seen[2];
	if (!remedies_sound(p->x, c, twin) || !remedies_sound(p->x, c, one)) {
		remove_finalist(p, 0);
		return;
	}
	take_pair(&p->x->control, (const struct remedies_seen[]){ *one, *one }, twin);
	take_pair(c, (const struct remedies_seen[]){ seen[0], seen[0] }, one);
}

static void take_all(struct proof *p, const struct remedies_seen *seen)
{
	struct remedies *x = p->x;
	take_pair(&x->control, seen, &seen[1]);
	for (size_t i = p->n; i-- > 0;) {
		if (remedies_sound(x, p->final[i], &seen[i + 2]))
			take_pair(p->final[i], seen, &seen[i + 2]);
		else
			remove_finalist(p, i);
	}
}

static int run_block(struct proof *p, struct lt_err *err)
{
	struct remedies *x = p->x;
	unsigned variants[REMEDIES_FINAL + 2] = { x->base.variant, x->control.variant };
	struct remedies_seen seen[REMEDIES_FINAL + 2] = { 0 };
	for (size_t i = 0; i < p->n; i++)
		variants[i + 2] = p->final[i]->variant;
	int r = x->host->block(x->host->ctx, variants, p->n + 2, 0, false, seen, err);
	if (r < 0)
		return r;
	for (size_t i = 0; i < p->n + 2; i++)
		p->over |= !seen[i].ran;
	if (p->over)
		return 0;
	if (seen[0].bad || (seen[1].bad && !p->twin)) {
		p->over = ++p->failures > FAILURES_MAX;
		return 0;
	}
	remedies_take_peak(&x->base, &seen[0]);
	if (p->twin)
		take_twin(p, seen);
	else
		take_all(p, seen);
	return 0;
}

static struct remedy_proof weigh(
	const struct remedies *x, const struct candidate *c, const double *without)
{
	struct remedy_proof proof;
	remedy_proof_pairs(without, c->with, c->n, x->opts->seed, &proof);
	return proof;
}

/* Time spent on what shows no gain is taken from the others; letting it go proves nothing. */
static bool is_hopeless(const struct remedies *x, const struct candidate *c)
{
	if (c->n < LOOK_FROM)
		return false;
	return weigh(x, c, c->without).ratio < (c->n < LOOK_HARD ? 1.0 : REMEDY_PROOF_GAIN);
}

static int run_blocks(struct proof *p, struct lt_err *err)
{
	struct remedies *x = p->x;
	for (unsigned i = 0; i < p->blocks && p->n && !p->over; i++) {
		if ((double)x->host->left_ns(x->host->ctx) < block_ns(p))
			break;
		int r = run_block(p, err);
		if (r < 0)
			return r;
		for (size_t k = p->n; k-- > 0;)
			if (is_hopeless(x, p->final[k]))
				remove_finalist(p, k);
	}
	return 0;
}

static void put_proof(struct remedies *x, struct candidate *c, const struct remedy_proof *proof)
{
	struct remedy_result *res = remedies_result(x, c);
	if (!proof->n)
		return;
	res->n = proof->n;
	res->ratio = (struct estimate){ value_of(proof->ratio), proof->lo, proof->hi };
	res->level = 1 - REMEDY_PROOF_ALPHA;
	res->p = proof->p;
	res->p_holm = proof->p_holm;
}

static void judge_one(
	struct remedies *x, struct candidate *c, const struct remedy_proof *proof, unsigned least)
{
	put_proof(x, c, proof);
	if (!c->in) /* broken on the way */
		return;
	if (proof->helps && proof->n >= least)
		remedies_out(x, c, REMEDY_HELPS, NULL, NULL);
	else if (proof->hurts && proof->n >= least)
		remedies_out(x, c, REMEDY_WORSE, NULL, NULL);
	else if (proof->n < least && proof->ratio > REMEDY_PROOF_GAIN)
		remedies_out(x, c, REMEDY_NO_HELP, "the runs ended before there were pairs enough",
			"give the whole more time (--budget)");
	else
		remedies_out(x, c, REMEDY_NO_HELP, NULL, NULL);
}

/* The fastest of those that help; or one that is as good and stands before it in the table. */
static const struct remedy *pick_best(struct remedies *x)
{
	double most = 0;
	for (size_t i = 0; i < x->n; i++) {
		const struct remedy_result *res = remedies_result(x, &x->list[i]);
		if (res->verdict == REMEDY_HELPS)
			most = fmax(most, res->ratio.value.num);
	}
	for (size_t i = 0; i < x->n; i++) {
		struct remedy_result *res = remedies_result(x, &x->list[i]);
		if (res->verdict != REMEDY_HELPS || res->ratio.value.num * as_good < most)
			continue;
		res->best = true;
		return x->list[i].remedy;
	}
	return NULL;
}

int remedies_prove(struct remedies *x, const struct remedy **ret_best, struct lt_err *err)
{
	struct proof p = { .x = x };
	struct candidate *all[REMEDIES_FINAL];
	struct remedy_proof proofs[REMEDIES_FINAL], again[REMEDIES_FINAL], control;
	pick_finalists(&p);
	plan_blocks(&p);
	if (!p.n)
		return 0;
	size_t n = p.n;
	memcpy(all, p.final, sizeof(all));
	const struct remedy_change *change = p.twin ? &all[0]->change : &x->control.change;
	int r = x->host->add(
		x->host->ctx, x->control.remedy->name, change, &x->control.variant, err);
	if (r < 0)
		return r;
	remedies_result(x, &x->control)->variant = (int)x->control.variant;
	r = run_blocks(&p, err);
	if (r < 0)
		return r;
	for (size_t i = 0; i < n; i++) {
		proofs[i] = weigh(x, all[i], all[i]->without);
		again[i] = weigh(x, p.twin ? &x->control : all[i],
			p.twin ? all[i]->without : all[i]->control);
	}
	control = weigh(x, &x->control, x->control.without);
	remedy_proof_judge(proofs, again, n, &control);
	unsigned least = x->opts->pairs ? x->opts->pairs : PAIRS;
	for (size_t i = 0; i < n; i++)
		judge_one(x, all[i], &proofs[i], least);
	x->control.in = true;
	judge_one(x, &x->control, &control, least);
	if (p.twin)
		remedies_result(x, &x->control)->reason =
			"the best remedy under another name: there was no time for the default "
			"twice";
	if (control.helps)
		remedies_result(x, &x->control)->reason =
			"the default was faster under another name: this machine is not quiet";
	*ret_best = pick_best(x);
	return 0;
}
