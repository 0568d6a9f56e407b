/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Are remedies found without being told which, and is none found where none is?
 *   make bench B=remedies          what still goes wrong in an allocator, healed: some minutes
 *   tools/bench remedies NAME     one of these cases; a wrong name lists them
 *   tools/bench remedies sim      the rules of proof on made-up times: seconds
 *   tools/bench remedies aa [N [SEED]]   N races on a program that nothing can heal, beside a
 *                                  CPU hog: how often there is a winner all the same. For the
 *                                  night. */
#include <math.h>
#include <sched.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "common/run_leat.h"
#include "run/remedy_proof.h"
#include "run/sweep.h"
#include "run/sweep_remedies.h"
#include "stats/rng.h"

static struct lt_cpuset cpus;

/* Lets remedies race at `threads`; with causes to heal after a short sweep of two thread counts,
 * as their users would. */
static struct record *heal(char **words, unsigned threads, const char *list, const char *cause,
	uint64_t seed, double budget_s)
{
	char counts[32];
	snprintf(counts, sizeof(counts), "1,%u", threads);
	struct sweep_opts opts = { .words = words,
		.threads = counts,
		.focus = threads,
		.run = { .n = 1, .seed = seed, .budget_ns = (int64_t)(budget_s * 1e9) },
		.even_busy = true };
	struct remedies_opts remedies = {
		.list = list, .causes = &cause, .n_causes = cause ? 1 : 0, .seed = seed
	};
	struct lt_err err = { 0 };
	SWEEP_AUTO struct sweep *s = NULL;
	sched_setaffinity(0, sizeof(cpus.bits), (cpu_set_t *)cpus.bits); /* the last one stayed */
	if (sweep_open(&s, &opts, NULL, &err) < 0 || (cause && sweep_time(s, &err) < 0) ||
		sweep_remedies(s, &remedies, &err) < 0 || (cause && sweep_finish(s, &err) < 0)) {
		fprintf(stderr, "remedies: %s\n", err.text);
		return NULL;
	}
	return sweep_take_record(s);
}

static const struct remedy_result *best_of(const struct record *rec)
{
	for (size_t i = 0; rec && i < rec->n_remedies; i++)
		if (rec->remedies[i].best)
			return &rec->remedies[i];
	return NULL;
}

static const struct {
	const char *name, *rounds, *mode;
	unsigned threads;
	double goal;
} cases[] = {
	{ "remedy-aligned", "5000", "aligned", 2, 10 },
	{ "remedy-batch", "500", "batch", 2, 10 },
	{ "remedy-threshold", "3000", "threshold", 2, 10 },
	{ "remedy-classic-8", "4000", "threshold", 8, 50 },
};

static int fail_case(const char *name)
{
	fprintf(stderr, "remedies: no case '%s'; there are sim, aa", name);
	for (size_t i = 0; i < LT_COUNT(cases); i++)
		fprintf(stderr, ", %s", cases[i].name);
	fprintf(stderr, "\n");
	return 2;
}

/* How many times as fast the best remedy makes it; NAN: there is none. */
static double run_case(size_t i)
{
	char program[] = "build/bin/leat", bench[] = "bench", load[] = "malloc";
	char threads[] = "{threads}", bytes[] = "204800";
	char *words[] = { program, bench, load, threads, (char *)cases[i].rounds, bytes,
		(char *)cases[i].mode, NULL };
	LT_AUTO_RECORD struct record *rec =
		heal(words, cases[i].threads, NULL, "memory-map-churn", 1, 300);
	const struct remedy_result *best = best_of(rec);
	printf("%-18s %u threads: %s\n", cases[i].name, cases[i].threads,
		best ? best->change : "no remedy helps");
	for (size_t k = 0; rec && k < rec->n_remedies; k++) {
		const struct remedy_result *r = &rec->remedies[k];
		if (r->n)
			printf("    %-18s %7.2f x (%.2f .. %.2f), %zu pairs, p %.4f\n", r->name,
				r->ratio.value.num, r->ratio.lo, r->ratio.hi, r->n, r->p_holm);
	}
	return best ? best->ratio.value.num : NAN;
}

/* One case by its name, or all of them. */
static int run_cases(const char *only)
{
	double gain[LT_COUNT(cases)] = { 0 };
	size_t first = 0, end = LT_COUNT(cases);
	if (only) {
		while (first < end && strcmp(only, cases[first].name) != 0)
			first++;
		if (first == end)
			return fail_case(only);
		end = first + 1;
	}
	for (size_t i = first; i < end; i++)
		gain[i] = run_case(i);
	for (size_t i = first; i < end; i++)
		printf("%-32s %8.3g %-5s >= %-7g %s\n", cases[i].name, gain[i], "x", cases[i].goal,
			gain[i] >= cases[i].goal ? "ok" : "short");
	return 0;
}

static int run_aa(int races, uint64_t seed)
{
	char path[256], threads[] = "{threads}";
	int wins = 0, controls = 0, done = 0;
	if (races < 1 || bench_compile(bench_spin, "", path) != 0) {
		fprintf(stderr, "remedies: aa RACES [SEED]; needs cc\n");
		return 2;
	}
	pid_t hog = bench_hog_start();
	for (int i = 0; i < races; i++) {
		char *words[] = { path, threads, NULL };
		LT_AUTO_RECORD struct record *rec = heal(words, 2,
			"glibc-keep,glibc-threshold,glibc-tcache", NULL, seed + (uint64_t)i, 0);
		const struct remedy_result *best = best_of(rec);
		done += rec != NULL;
		wins += best != NULL;
		if (done % 20 == 0)
			fprintf(stderr, "remedies: %d of %d races, %d winners\n", done, races,
				wins);
		for (size_t k = 0; rec && k < rec->n_remedies; k++)
			controls += !strcmp(rec->remedies[k].name, "null") &&
				rec->remedies[k].verdict == REMEDY_HELPS;
		if (best)
			printf("seed %llu: %s %.3f x (%.3f .. %.3f), p %.4f\n",
				(unsigned long long)seed + (unsigned)i, best->name,
				best->ratio.value.num, best->ratio.lo, best->ratio.hi,
				best->p_holm);
	}
	bench_hog_stop(hog);
	unlink(path);
	printf("%d races of three remedies that do nothing, one CPU hog: %d named a winner, in %d "
	       "the control won\n",
		done, wins, controls);
	bench_goal("remedy-false-wins", done == races ? 100.0 * wins / done : NAN, "%", 1);
	return 0;
}

enum {
	SIM_RACES = 20000,
	SIM_FINAL = 3,
	SIM_PAIRS = 16
};

/* Times that drift from block to block, with spikes in one run of seven. */
static double sim_time(struct stats_rng *rng, double noise, double drift)
{
	double z = stats_rng_normal(rng);
	return exp(drift + noise * (stats_rng_uniform(rng) < 0.15 ? 4 * fabs(z) : z));
}

/* One race of three candidates that are `gain` times as fast as the default: does one win? */
static bool sim_race(struct stats_rng *rng, size_t pairs, double noise, double gain)
{
	double base[SIM_PAIRS], control[SIM_PAIRS], with[SIM_FINAL][SIM_PAIRS];
	struct remedy_proof p[SIM_FINAL], again[SIM_FINAL], aa;
	bool any = false;
	for (size_t i = 0; i < pairs; i++) {
		double drift = 0.3 * noise * stats_rng_normal(rng);
		base[i] = sim_time(rng, noise, drift);
		control[i] = sim_time(rng, noise, drift);
		for (size_t k = 0; k < SIM_FINAL; k++)
			with[k][i] = sim_time(rng, noise, drift) / gain;
	}
	remedy_proof_pairs(base, control, pairs, 1, &aa);
	for (size_t k = 0; k < SIM_FINAL; k++) {
		remedy_proof_pairs(base, with[k], pairs, 1, &p[k]);
		remedy_proof_pairs(control, with[k], pairs, 1, &again[k]);
	}
	remedy_proof_judge(p, again, SIM_FINAL, &aa);
	for (size_t k = 0; k < SIM_FINAL; k++)
		any |= p[k].helps;
	return any;
}

static int run_sim(void)
{
	static const size_t pairs[] = { 8, SIM_PAIRS };
	static const double noises[] = { 0.02, 0.1, 0.4 };
	static const double gains[] = { 1, 1.1, 1.5, 3 };
	double worst = 0;
	printf("winners in %d races (16 pairs: a tenth), by pairs, scatter of one run, and gain\n",
		SIM_RACES);
	printf("%6s %8s", "pairs", "scatter");
	for (size_t g = 0; g < LT_COUNT(gains); g++)
		printf(" %8.3g x", gains[g]);
	for (size_t i = 0; i < LT_COUNT(pairs) * LT_COUNT(noises); i++) {
		size_t n = pairs[i / LT_COUNT(noises)];
		double noise = noises[i % LT_COUNT(noises)];
		printf("\n%6zu %6.0f %%", n, 100 * noise);
		for (size_t g = 0; g < LT_COUNT(gains); g++) {
			struct stats_rng rng;
			int wins = 0;
			stats_rng_seed(&rng, 7);
			/* more patterns of signs take longer */
			int races = n > 8 ? SIM_RACES / 10 : SIM_RACES;
			for (int k = 0; k < races; k++)
				wins += sim_race(&rng, n, noise, gains[g]);
			double share = 100.0 * wins / races;
			printf(" %7.2f %%", share);
			worst = g == 0 ? fmax(worst, share) : worst;
		}
	}
	printf("\n");
	bench_goal("remedy-false-wins-simulated", worst, "%", 1);
	return 0;
}

int main(int argc, char **argv)
{
	if (argc > 1 && !strcmp(argv[1], "sim"))
		return run_sim();
	if (lt_cpuset_allowed(&cpus, NULL) < 0)
		return 2;
	if (argc > 1 && !strcmp(argv[1], "aa"))
		return run_aa(argc > 2 ? atoi(argv[2]) : 200,
			argc > 3 ? strtoull(argv[3], NULL, 10) : 1000);
	return run_cases(argc > 1 ? argv[1] : NULL);
}
