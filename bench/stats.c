/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Does the statistics keep its promises? Simulated runs under six kinds of noise go
 * through the real analysis; false alarms, misses, coverage and cost are counted.
 */
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>

#include "stats/compare.h"
#include "stats/desc.h"
#include "stats/hl.h"
#include "stats/plan.h"
#include "stats/ranksum.h"
#include "stats/rng.h"
#include "stats/signrank.h"

#define PAIRS        30
#define CAP          200
#define SEQUENCES    1000
#define COMPARISONS  4000
#define ORACLE_CASES 10000

enum noise {
	NORMAL,
	SKEWED,
	AR1,
	AR1_DRIFT,
	TWO_STATE,
	SPIKES,
	N_NOISES
};

static const char *const noise_name[N_NOISES] = {
	"normal",
	"skewed",
	"ar1",
	"ar1-drift",
	"two-state",
	"spikes",
};

/* A machine whose noise goes on from run to run. */
struct machine {
	enum noise noise;
	struct stats_rng rng;
	double ar;
	double drift;
	bool slow;
};

static void machine_start(struct machine *m, enum noise noise, uint64_t seed)
{
	memset(m, 0, sizeof(*m));
	m->noise = noise;
	stats_rng_seed(&m->rng, seed);
	m->ar = 0.01 * stats_rng_normal(&m->rng);
	m->slow = stats_rng_below(&m->rng, 2);
}

/* Relative noise of the next run, about 1 % of standard deviation. */
static double machine_noise(struct machine *m)
{
	const double z = stats_rng_normal(&m->rng);

	switch (m->noise) {
	case NORMAL:
		return 0.01 * z;
	case SKEWED:
		return 0.0075 * (exp(0.8 * z) - 1);
	case AR1_DRIFT:
		m->drift += 0.0005;
		/* fall through */
	case AR1:
		m->ar = 0.7 * m->ar + sqrt(1 - 0.7 * 0.7) * 0.01 * z;
		return m->ar + m->drift;
	case TWO_STATE:
		if (stats_rng_uniform(&m->rng) < 0.05)
			m->slow = !m->slow;
		return 0.002 * z + (m->slow ? 0.02 : 0);
	case SPIKES:
		if (stats_rng_uniform(&m->rng) < 0.05)
			return 0.005 * z + 0.05 + 0.10 * stats_rng_uniform(&m->rng);
		return 0.005 * z;
	case N_NOISES:
		break;
	}
	return 0;
}

/* One pair in random order; b costs ratio times a. Independent runs: pair SD 1 %. */
static void machine_pair(struct machine *m, double ratio, double *ret_a, double *ret_b)
{
	const bool b_first = stats_rng_below(&m->rng, 2);
	const double first = 1 + machine_noise(m) / sqrt(2);
	const double second = 1 + machine_noise(m) / sqrt(2);

	*ret_a = 0.1 * (b_first ? second : first);
	*ret_b = 0.1 * ratio * (b_first ? first : second);
}

static bool differs(enum stats_verdict v)
{
	return v == STATS_LOWER || v == STATS_HIGHER;
}

static bool decided(enum stats_verdict v)
{
	return differs(v) || v == STATS_SAME;
}

struct tally {
	size_t all;
	size_t differ;
	size_t covered;
	double pairs;
	size_t most;
};

static void count(struct tally *t, const struct stats_comparison *c, double ratio)
{
	t->all++;
	t->differ += differs(c->verdict);
	t->covered += c->lo <= ratio && ratio <= c->hi;
	t->pairs += (double)c->n;
	t->most = c->n > t->most ? c->n : t->most;
}

static struct tally run_fixed(
	enum noise noise, double ratio, size_t pairs, size_t times, uint64_t seed)
{
	struct stats_comparison c;
	struct tally t = { 0 };
	double a[CAP], b[CAP];

	for (size_t i = 0; i < times; i++) {
		struct machine m;

		machine_start(&m, noise, seed + i);
		for (size_t k = 0; k < pairs; k++)
			machine_pair(&m, ratio, &a[k], &b[k]);
		stats_compare(a, pairs, b, pairs, NULL, &c);
		count(&t, &c, ratio);
	}
	return t;
}

/* Look after every pair, stop when decided, at CAP pairs at the latest. */
static struct tally run_sequence(
	enum noise noise, double ratio, double same, size_t times, uint64_t seed)
{
	const struct stats_compare_opts opts = {
		.design = STATS_SEQUENCE,
		.same = same,
	};
	struct stats_comparison c;
	struct tally t = { 0 };
	double a[CAP], b[CAP];

	for (size_t i = 0; i < times; i++) {
		struct machine m;
		size_t n = 0;

		machine_start(&m, noise, seed + i);
		do {
			machine_pair(&m, ratio, &a[n], &b[n]);
			n++;
		} while (n < CAP && !decided(stats_compare_verdict(a, n, b, n, &opts)));
		stats_compare(a, n, b, n, &opts, &c);
		count(&t, &c, ratio);
	}
	return t;
}

/* Goal lines are kept until the tables are out. */
struct goal {
	char name[48];
	double value;
	double lo, hi;
	const char *unit;
	int digits; /* below 0: as a power of ten */
};

static struct goal goals[64];
static size_t n_goals;

static void goal(const char *name, const char *part, double value, double lo, double hi,
	const char *unit, int digits)
{
	struct goal *g = &goals[n_goals++];

	snprintf(g->name, sizeof(g->name), "%s%s%s", name, part ? "/" : "", part ? part : "");
	g->value = value;
	g->lo = lo;
	g->hi = hi;
	g->unit = unit;
	g->digits = digits;
}

static bool print_goals(void)
{
	bool all_ok = true;

	for (size_t i = 0; i < n_goals; i++) {
		const struct goal *g = &goals[i];
		const bool ok = g->value >= g->lo && g->value <= g->hi;

		if (g->digits < 0)
			printf("%s %.1e ", g->name, g->value);
		else
			printf("%s %.*f%s ", g->name, g->digits, g->value, g->unit);
		if (isinf(g->lo))
			printf("<=%g%s", g->hi, g->unit);
		else if (isinf(g->hi))
			printf(">=%g%s", g->lo, g->unit);
		else
			printf("%g..%g%s", g->lo, g->hi, g->unit);
		printf(" %s\n", ok ? "ok" : "short");
		all_ok = all_ok && ok;
	}
	return all_ok;
}

static double percent(size_t part, size_t whole)
{
	return 100 * (double)part / (double)whole;
}

static void false_alarms(uint64_t seed)
{
	printf("No effect, %d comparisons and %d sequences: share found different, %%\n",
		COMPARISONS, SEQUENCES);
	printf("%-12s %10s %10s %14s\n", "noise", "30 pairs", "sequence", "mean pairs");
	for (enum noise i = 0; i < N_NOISES; i++) {
		const struct tally fixed =
			run_fixed(i, 1, PAIRS, COMPARISONS, seed + (uint64_t)i * 100000);
		/* A margin too small to be reached: every sequence goes the whole way. */
		const struct tally seq =
			run_sequence(i, 1, 1e-9, SEQUENCES, seed + (uint64_t)i * 200000);

		printf("%-12s %10.1f %10.1f %14.1f\n", noise_name[i],
			percent(fixed.differ, fixed.all), percent(seq.differ, seq.all),
			seq.pairs / (double)seq.all);
		goal("false-alarms-fixed", noise_name[i], percent(fixed.differ, fixed.all),
			-INFINITY, 6.5, "%", 1);
		goal("false-alarms-sequence", noise_name[i], percent(seq.differ, seq.all),
			-INFINITY, 6.5, "%", 1);
	}
	printf("\n");
}

static void coverage(uint64_t seed)
{
	static const double ratio[] = { 1, 1.005, 1.05 };
	static const char *const name[] = { "1", "1.005", "1.05" };
	double farthest[] = { 95, 95, 95 };

	printf("Coverage of the 95 %% interval, %d comparisons of %d pairs, %%\n", COMPARISONS,
		PAIRS);
	printf("%-12s %10s %10s %10s\n", "noise", name[0], name[1], name[2]);
	for (enum noise i = 0; i < N_NOISES; i++) {
		printf("%-12s", noise_name[i]);
		for (size_t r = 0; r < 3; r++) {
			const struct tally t = run_fixed(i, ratio[r], PAIRS, COMPARISONS,
				seed + (r * N_NOISES + i) * 1000003);
			const double share = percent(t.covered, t.all);

			printf(" %10.1f", share);
			if (fabs(share - 95) > fabs(farthest[r] - 95))
				farthest[r] = share;
		}
		printf("\n");
	}
	for (size_t r = 0; r < 3; r++)
		goal("coverage-farthest", name[r], farthest[r], 93.5, 96.5, "%", 1);
	printf("\n");
}

static void power(uint64_t seed)
{
	const double ratio = 1.005;
	const struct tally fixed = run_fixed(NORMAL, ratio, 48, COMPARISONS, seed);
	const struct tally seq = run_sequence(NORMAL, ratio, 1e-9, SEQUENCES, seed);

	printf("Effect of 0.5 %% at pair SD 1 %%, normal noise\n");
	printf("%-24s %10s %12s %10s\n", "design", "power", "mean pairs", "most");
	printf("%-24s %10.3f %12.1f %10zu\n", "fixed, 48 pairs",
		percent(fixed.differ, fixed.all) / 100, 48.0, fixed.most);
	printf("%-24s %10.3f %12.1f %10zu\n\n", "sequence, 200 at most",
		percent(seq.differ, seq.all) / 100, seq.pairs / (double)seq.all, seq.most);
	goal("power-fixed", "48-pairs", percent(fixed.differ, fixed.all) / 100, 0.89, INFINITY, "",
		3);
	goal("sequence-pairs", "mean", seq.pairs / (double)seq.all, -INFINITY, 40, "", 1);
	goal("sequence-pairs", "most", (double)seq.most, -INFINITY, CAP, "", 0);
}

static void planning(void)
{
	const struct stats_plan_opts t = { .test = STATS_PLAN_T };
	const double pairs_t = (double)stats_plan_pairs(0.0037, 0.02, &t);
	const double pairs_rank = (double)stats_plan_pairs(0.0037, 0.02, NULL);

	printf("Pairs for 0.37 %% at pair SD 2 %%: %.0f (t), %.0f (rank)\n\n", pairs_t, pairs_rank);
	goal("plan-pairs", "t", pairs_t, 301, 313, "", 0);
	goal("plan-pairs", "rank", pairs_rank, 316, 328, "", 0);
}

/* CPU time: others on the machine do not count. */
static double now_ms(void)
{
	struct timespec t;

	clock_gettime(CLOCK_PROCESS_CPUTIME_ID, &t);
	return 1e3 * (double)t.tv_sec + 1e-6 * (double)t.tv_nsec;
}

static void cost(uint64_t seed)
{
	enum {
		RUNS = 1000,
		METRICS = 8
	};
	static double a[RUNS], b[RUNS];
	struct stats_comparison c;
	struct stats_interval in;
	double best = INFINITY, best_hl = INFINITY;

	for (int trial = 0; trial < 5; trial++) {
		double compare_ms = 0;

		for (unsigned i = 0; i < METRICS; i++) {
			struct machine m;

			machine_start(&m, (enum noise)(i % N_NOISES), seed + i);
			for (size_t k = 0; k < RUNS; k++)
				machine_pair(&m, 1.01, &a[k], &b[k]);

			const double start = now_ms();

			stats_compare(a, RUNS, b, RUNS, NULL, &c);
			compare_ms += now_ms() - start;
		}
		best = fmin(best, compare_ms);

		const double start = now_ms();

		stats_hl(a, RUNS, 0.95, &in);
		best_hl = fmin(best_hl, now_ms() - start);
	}
	printf("2 x %d runs x %d metrics: %.1f ms; one Hodges-Lehmann interval: %.2f ms\n\n", RUNS,
		METRICS, best, best_hl);
	goal("analysis", "2x1000x8", best, -INFINITY, 50, "ms", 1);
	goal("analysis", "interval-1000", best_hl, -INFINITY, 1, "ms", 2);
}

/*
 * The oracle: count the ways to reach each rank sum in whole numbers, which long double
 * holds exactly to 2^64, by a way of its own: with[k][s] over sets of size k.
 */
#define ORACLE_N   24
#define ORACLE_SUM (ORACLE_N * (ORACLE_N + 1))

struct oracle {
	long double with[ORACLE_N + 1][ORACLE_SUM + 1];
};

static void oracle_fill(struct oracle *o, const unsigned *rank2, size_t n)
{
	memset(o, 0, sizeof(*o));
	o->with[0][0] = 1;
	for (size_t i = 0; i < n; i++)
		for (size_t k = i + 1; k > 0; k--)
			for (size_t s = n * (n + 1); s >= rank2[i]; s--)
				o->with[k][s] += o->with[k - 1][s - rank2[i]];
}

/* Share of sets of size k (any: k < 0) as far from mean as observed, all doubled. */
static double oracle_p(const struct oracle *o, size_t n, int k, double observed, double mean)
{
	long double far = 0, all = 0;

	for (int i = 0; i <= (int)n; i++) {
		for (size_t s = 0; s <= n * (n + 1); s++) {
			if (k >= 0 && i != k)
				continue;
			all += o->with[i][s];
			if (fabs((double)s - mean) >= fabs(observed - mean) - 1e-6)
				far += o->with[i][s];
		}
	}
	return (double)(far / all);
}

/* Doubled mid-ranks by comparing all with all. */
static void plain_rank2(const double *x, size_t n, unsigned *ret)
{
	for (size_t i = 0; i < n; i++) {
		ret[i] = 1;
		for (size_t j = 0; j < n; j++)
			ret[i] += x[j] < x[i] ? 2 : x[j] <= x[i];
	}
}

static double relative_error(double got, double want)
{
	return fabs(got - want) / fabs(want);
}

static void numerics(uint64_t seed)
{
	static struct oracle o;
	struct stats_rng rng;
	double worst = 0;

	stats_rng_seed(&rng, seed);
	for (size_t i = 0; i < ORACLE_CASES; i++) {
		const size_t n = 2 + (size_t)stats_rng_below(&rng, ORACLE_N - 1);
		const size_t first = 1 + (size_t)stats_rng_below(&rng, n - 1);
		const bool tied = stats_rng_below(&rng, 2);
		double x[ORACLE_N] = { 0 }, size[ORACLE_N] = { 0 };
		double positive2 = 0, first2 = 0;
		unsigned rank2[ORACLE_N] = { 0 };

		for (size_t k = 0; k < n; k++) {
			x[k] = stats_rng_normal(&rng) + 0.5;
			if (tied)
				x[k] = ceil(3 * fabs(x[k])) * (x[k] < 0 ? -1 : 1);
			size[k] = fabs(x[k]);
		}

		const double total = (double)(n * (n + 1));

		if (i % 2) {
			plain_rank2(size, n, rank2);
			oracle_fill(&o, rank2, n);
			for (size_t k = 0; k < n; k++)
				positive2 += x[k] > 0 ? rank2[k] : 0;
			worst = fmax(worst,
				relative_error(stats_signrank_p(x, n),
					oracle_p(&o, n, -1, positive2, total / 2)));
		} else {
			plain_rank2(x, n, rank2);
			oracle_fill(&o, rank2, n);
			for (size_t k = 0; k < first; k++)
				first2 += rank2[k];
			worst = fmax(worst,
				relative_error(stats_ranksum_p(x, first, x + first, n - first),
					oracle_p(&o, n, (int)first, first2,
						total * (double)first / (double)n)));
		}
	}
	printf("Exact p of %d samples of up to %d values, half of them with ties: worst relative "
	       "error %.1e\n\n",
		ORACLE_CASES, ORACLE_N, worst);
	goal("p-error", "relative", worst, -INFINITY, 1e-8, "", -1);
}

int main(int argc, char **argv)
{
	uint64_t seed = 1;

	if (argc == 3 && strcmp(argv[1], "--seed") == 0) {
		seed = strtoull(argv[2], NULL, 0) * 1000000007;
	} else if (argc != 1) {
		fprintf(stderr, "usage: %s [--seed N]\n", argv[0]);
		return 2;
	}
	false_alarms(seed);
	coverage(seed + 11);
	power(seed + 12);
	planning();
	cost(seed + 13);
	numerics(seed + 14);
	return print_goals() ? 0 : 1;
}
