/* SPDX-License-Identifier: GPL-2.0-or-later */
/* The race of remedies, with made-up programs: times, failures and outputs come from a table,
 * noise from a seed. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include <fcntl.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "helpers/remedy_result.h"
#include "run/remedies.h"
#include "stats/rng.h"

enum {
	WHO_MAX = 64,
};

/* How the made-up program behaves with one remedy. */
struct act {
	const char *name; /* NULL = as it is */
	double seconds;
	unsigned fails_at; /* its run of this number ends badly; from 1 */
	uint64_t output;
	bool unloaded;
};

struct stage {
	const struct act *acts; /* ends in one of 0 s */
	const struct act *who[WHO_MAX];
	unsigned runs[WHO_MAX];
	unsigned n;
	double noise;
	double left_s, spent_s;
	unsigned over_after; /* runs; 0 = never */
	unsigned total, blocks, looks;
	struct stats_rng rng;
	bool output_varies; /* every run writes something else */
	bool numbers_vary;  /* every variant does */
};

static const struct act *act_of(const struct stage *s, const char *name)
{
	static const struct act slow = { .seconds = 3, .output = 1 };
	for (const struct act *a = s->acts; a->seconds > 0; a++)
		if ((!a->name && !name) || (a->name && name && !strcmp(a->name, name)))
			return a;
	return name && !strcmp(name, "null") ? act_of(s, NULL) : &slow;
}

static int stage_add(void *ctx, const char *name, const struct remedy_change *change,
	unsigned *ret_variant, struct lt_err *err)
{
	struct stage *s = ctx;
	(void)err;
	assert_true(!name == !change);
	assert_true(s->n < WHO_MAX);
	s->who[s->n] = act_of(s, name);
	*ret_variant = s->n++;
	return 0;
}

static int stage_block(void *ctx, const unsigned *variants, size_t n, int64_t limit_ns, bool look,
	struct remedies_seen *seen, struct lt_err *err)
{
	struct stage *s = ctx;
	(void)err;
	s->blocks++;
	s->looks += look;
	for (size_t i = 0; i < n; i++) {
		const struct act *a = s->who[variants[i]];
		double took = a->seconds * exp(s->noise * stats_rng_normal(&s->rng));
		if (s->over_after && s->total >= s->over_after)
			return 0;
		unsigned run = ++s->runs[variants[i]];
		seen[i] = (struct remedies_seen){
			.ran = true,
			.wall_ns = took * 1e9,
			.peak = value_of(a->seconds * 1e6),
			.output = s->numbers_vary  ? a->output + 100 * variants[i]
				: s->output_varies ? ++s->total + 100
						   : a->output,
			.output_text = a->output,
			.unloaded = a->unloaded && look ? "worker" : NULL,
			.bad = run == a->fails_at ? "signal 11 (SIGSEGV)" : NULL,
		};
		if (limit_ns && seen[i].wall_ns > (double)limit_ns) {
			seen[i].late = true;
			seen[i].bad = "signal 15";
			took = (double)limit_ns / 1e9;
		}
		s->spent_s += took;
		s->total++;
	}
	return 0;
}

static size_t stage_maps(void *ctx, const char *const **ret)
{
	static const char *const none[] = { NULL };
	(void)ctx;
	*ret = none;
	return 0;
}

static int64_t stage_left(void *ctx)
{
	const struct stage *s = ctx;
	return (int64_t)((s->left_s - s->spent_s) * 1e9);
}

static bool stage_over(void *ctx)
{
	const struct stage *s = ctx;
	return s->over_after && s->total >= s->over_after;
}

struct given {
	const char *list, *cause;
	double noise, left_s;
	unsigned over_after;
	uint64_t seed;
	bool output_varies, numbers_vary;
};

/* Everything is there: a glibc with all tunables, all allocators as /bin/true's loader has. */
static struct record *race(
	const struct act *acts, struct given g, struct stage *s, const struct remedy **ret_best)
{
	struct record *rec = record_new();
	struct remedy_place place;
	struct lt_cpuset cpus;
	struct lt_err err = { 0 };
	assert_non_null(rec);
	*s = (struct stage){ .acts = acts,
		.noise = g.noise,
		.left_s = g.left_s > 0 ? g.left_s : 1e6,
		.over_after = g.over_after,
		.output_varies = g.output_varies,
		.numbers_vary = g.numbers_vary };
	stats_rng_seed(&s->rng, g.seed);
	struct remedies_host host = { .ctx = s,
		.add = stage_add,
		.block = stage_block,
		.maps = stage_maps,
		.left_ns = stage_left,
		.over = stage_over };
	struct remedies_opts opts = {
		.list = g.list, .causes = &g.cause, .n_causes = g.cause ? 1 : 0
	};
	LT_AUTO_CLOSE int root = open("/", O_PATH | O_DIRECTORY | O_CLOEXEC);
	lt_cpuset_allowed(&cpus, NULL);
	assert_int_equal(remedy_place_open(&place, root, &rec->arena, &cpus, NULL, &err), 0);
	place.threads = 4;
	place.tunables = "glibc.malloc.mmap_max: 0 (min: 0, max: 100)\n"
			 "glibc.malloc.mmap_threshold: 0 (min: 0, max: 0xffffffff)\n"
			 "glibc.malloc.trim_threshold: 0 (min: 0, max: 0xffffffff)\n"
			 "glibc.malloc.tcache_count: 0 (min: 0, max: 999)\n";
	if (remedies_try(rec, &place, &opts, &host, ret_best, &err) != 0)
		fail_msg("%s", err.text);
	return rec;
}

#define MALLOC "glibc-keep,glibc-threshold,glibc-tcache,omp-passive,omp-active"

static void remedy_that_helps_wins_with_proof(void **state)
{
	(void)state;
	static const struct act acts[] = { { NULL, 1, 0, 1, 0 }, { "glibc-keep", 0.1, 0, 1, 0 },
		{ "glibc-threshold", 0.9, 0, 1, 0 }, { 0 } };
	struct stage s;
	const struct remedy *best;
	LT_AUTO_RECORD struct record *rec =
		race(acts, (struct given){ .list = MALLOC, .noise = 0.05 }, &s, &best);
	assert_non_null(best);
	assert_string_equal(best->name, "glibc-keep");
	const struct remedy_result *r = remedy_result(rec, "glibc-keep");
	assert_int_equal(r->verdict, REMEDY_HELPS);
	assert_true(r->best);
	assert_true(r->n >= 8);
	assert_true(r->ratio.lo > 8 && r->ratio.hi < 12);
	assert_true(r->p_holm < 0.05);
	assert_true(r->peak.num == 1e5 && r->peak_without.num == 1e6);
	assert_non_null(strstr(r->change, "mmap_max=0"));
	/* 1.5 times behind the best: not even proved to be no better */
	r = remedy_result(rec, "glibc-threshold");
	assert_int_equal(r->verdict, REMEDY_DROPPED);
	assert_int_equal(r->n, 0);
	r = remedy_result(rec, "null");
	assert_int_equal(r->verdict, REMEDY_NO_HELP);
	assert_true(r->n >= 8);
	assert_true(r->ratio.lo < 1.02);
	assert_false(r->best);
}

static void simpler_remedy_wins_among_equals(void **state)
{
	(void)state;
	static const struct act acts[] = { { NULL, 1, 0, 1, 0 },
		{ "glibc-threshold", 0.5, 0, 1, 0 }, { "omp-passive", 0.49, 0, 1, 0 }, { 0 } };
	struct stage s;
	const struct remedy *best;
	LT_AUTO_RECORD struct record *rec =
		race(acts, (struct given){ .list = MALLOC, .noise = 0.002 }, &s, &best);
	assert_int_equal(remedy_result(rec, "omp-passive")->verdict, REMEDY_HELPS);
	assert_non_null(best);
	assert_string_equal(best->name, "glibc-threshold");
}

static void nothing_wins_where_nothing_helps(void **state)
{
	(void)state;
	static const struct act acts[] = { { NULL, 1, 0, 1, 0 }, { "glibc-keep", 1, 0, 1, 0 },
		{ "glibc-threshold", 1, 0, 1, 0 }, { "omp-passive", 1, 0, 1, 0 },
		{ "glibc-tcache", 1, 0, 1, 0 }, { 0 } };
	unsigned wins = 0, runs = 0;
	for (uint64_t seed = 0; seed < 200; seed++) {
		struct stage s;
		const struct remedy *best;
		LT_AUTO_RECORD struct record *rec = race(acts,
			(struct given){ .list = MALLOC, .noise = 0.1, .seed = seed }, &s, &best);
		wins += best != NULL;
		assert_int_equal(rec->n_remedies, 6);
		runs += s.total;
	}
	assert_true(wins <= 2); /* one in a hundred */
	/* the hopeless were let go: far from all the blocks there could be */
	assert_true(runs / 200 < 2 + 5 + 16 * 5);
}

static void small_gain_below_the_bar_does_not_win(void **state)
{
	(void)state;
	static const struct act acts[] = { { NULL, 1, 0, 1, 0 }, { "glibc-keep", 0.985, 0, 1, 0 },
		{ 0 } };
	struct stage s;
	const struct remedy *best;
	LT_AUTO_RECORD struct record *rec =
		race(acts, (struct given){ .list = "glibc-keep", .noise = 1e-4 }, &s, &best);
	assert_null(best);
	assert_int_equal(remedy_result(rec, "glibc-keep")->verdict, REMEDY_NO_HELP);
}

/* A machine on which the default is faster under another name proves nothing of that size. */
static void control_that_wins_raises_the_bar(void **state)
{
	(void)state;
	static const struct act acts[] = { { NULL, 1, 0, 1, 0 }, { "null", 0.8, 0, 1, 0 },
		{ "glibc-keep", 0.79, 0, 1, 0 }, { "glibc-threshold", 0.4, 0, 1, 0 }, { 0 } };
	struct stage s;
	const struct remedy *best;
	LT_AUTO_RECORD struct record *rec =
		race(acts, (struct given){ .list = "glibc-keep", .noise = 0.02 }, &s, &best);
	assert_null(best);
	assert_int_equal(remedy_result(rec, "null")->verdict, REMEDY_HELPS);
	assert_int_equal(remedy_result(rec, "glibc-keep")->verdict, REMEDY_NO_HELP);
	LT_AUTO_RECORD struct record *other =
		race(acts, (struct given){ .list = "glibc-threshold", .noise = 0.02 }, &s, &best);
	assert_int_equal(remedy_result(other, "glibc-threshold")->verdict, REMEDY_HELPS);
	assert_non_null(best);
}

static void crashes_and_other_output_are_broken(void **state)
{
	(void)state;
	static const struct act acts[] = { { NULL, 1, 0, 1, 0 },
		{ "glibc-keep", 0.1, 1, 1, 0 },       /* crashes at once */
		{ "glibc-threshold", 0.12, 4, 1, 0 }, /* crashes in the proof */
		{ "omp-passive", 0.1, 0, 2, 0 },      /* writes something else */
		{ "glibc-tcache", 0.14, 0, 1, 0 }, { 0 } };
	struct stage s;
	const struct remedy *best;
	LT_AUTO_RECORD struct record *rec =
		race(acts, (struct given){ .list = MALLOC, .noise = 0.01 }, &s, &best);
	assert_int_equal(remedy_result(rec, "glibc-keep")->verdict, REMEDY_BROKEN);
	assert_non_null(strstr(remedy_result(rec, "glibc-keep")->reason, "SIGSEGV"));
	assert_int_equal(remedy_result(rec, "glibc-threshold")->verdict, REMEDY_BROKEN);
	assert_int_equal(remedy_result(rec, "omp-passive")->verdict, REMEDY_BROKEN);
	assert_non_null(strstr(remedy_result(rec, "omp-passive")->reason, "writes something else"));
	assert_non_null(best);
	assert_string_equal(best->name, "glibc-tcache");
}

/* A program that prints the time never writes the same twice: then its words are compared, and
 * others are told, though they may come of being faster. */
static void output_that_varies_by_itself_is_compared_by_words(void **state)
{
	(void)state;
	static const struct act acts[] = { { NULL, 1, 0, 7, 0 }, { "glibc-keep", 0.1, 0, 7, 0 },
		{ "omp-passive", 0.1, 0, 8, 0 }, { 0 } };
	struct stage s;
	const struct remedy *best;
	LT_AUTO_RECORD struct record *rec = race(acts,
		(struct given){ .list = MALLOC, .noise = 0.01, .output_varies = true }, &s, &best);
	assert_int_equal(remedy_result(rec, "glibc-keep")->verdict, REMEDY_HELPS);
	assert_null(remedy_result(rec, "glibc-keep")->reason);
	assert_int_equal(remedy_result(rec, "omp-passive")->verdict, REMEDY_HELPS);
	assert_non_null(strstr(remedy_result(rec, "omp-passive")->reason, "other words"));
}

/* "8 threads: done" and "4 threads: done" are the same but for what was changed. */
static void fewer_threads_may_be_told_in_the_output(void **state)
{
	(void)state;
	static const struct act acts[] = { { NULL, 1, 0, 1, 0 }, { "fewer-threads", 0.5, 0, 1, 0 },
		{ 0 } };
	struct stage s;
	const struct remedy *best;
	LT_AUTO_RECORD struct record *rec = race(acts,
		(struct given){ .list = "fewer-threads", .noise = 0.01, .numbers_vary = true }, &s,
		&best);
	assert_int_equal(remedy_result(rec, "fewer-threads")->verdict, REMEDY_HELPS);
}

static void preload_that_does_not_show_is_ignored(void **state)
{
	(void)state;
	static const struct act acts[] = { { NULL, 1, 0, 1, 0 }, { "jemalloc", 0.1, 0, 1, true },
		{ 0 } };
	struct stage s;
	const struct remedy *best;
	LT_AUTO_RECORD struct record *rec =
		race(acts, (struct given){ .list = "jemalloc", .noise = 0.01 }, &s, &best);
	if (remedy_result(rec, "jemalloc")->verdict == REMEDY_NOT_TRIED) {
		print_message("skipped: %s\n", remedy_result(rec, "jemalloc")->reason);
		skip();
	}
	assert_int_equal(remedy_result(rec, "jemalloc")->verdict, REMEDY_IGNORED);
	assert_non_null(strstr(remedy_result(rec, "jemalloc")->reason, "worker"));
	assert_null(best);
}

static void slow_candidates_are_cut_short(void **state)
{
	(void)state;
	static const struct act acts[] = { { NULL, 100, 0, 1, 0 }, { "glibc-keep", 1, 0, 1, 0 },
		{ "glibc-threshold", 100, 0, 1, 0 }, { "glibc-tcache", 100, 0, 1, 0 }, { 0 } };
	struct stage s;
	const struct remedy *best;
	LT_AUTO_RECORD struct record *rec =
		race(acts, (struct given){ .list = MALLOC, .noise = 0.01 }, &s, &best);
	assert_int_equal(remedy_result(rec, "glibc-tcache")->verdict, REMEDY_DROPPED);
	/* 2 of the default, then 8 blocks of two; what lies behind cost next to nothing */
	assert_true(s.spent_s < 100 * (2 + 2 * 8) + 50);
	assert_int_equal(remedy_result(rec, "glibc-keep")->n, 8); /* no more for what is clear */
}

static void causes_choose_the_remedies(void **state)
{
	(void)state;
	static const struct act acts[] = { { NULL, 1, 0, 1, 0 }, { 0 } };
	struct stage s;
	const struct remedy *best;
	LT_AUTO_RECORD struct record *rec =
		race(acts, (struct given){ .cause = "allocator-lock" }, &s, &best);
	remedy_result(rec, "glibc-tcache");
	for (size_t i = 0; i < rec->n_remedies; i++)
		assert_string_not_equal(rec->remedies[i].name, "one-cpu");
	LT_AUTO_RECORD struct record *none =
		race(acts, (struct given){ .cause = "serial-section" }, &s, &best);
	assert_int_equal(none->n_remedies, 1); /* the control, not tried */
	assert_int_equal(s.total, 0);
	LT_AUTO_RECORD struct record *asked =
		race(acts, (struct given){ .cause = "allocator-lock", .list = "none" }, &s, &best);
	assert_true(asked->n_remedies > 1); /* named, not tried */
	for (size_t i = 0; i < asked->n_remedies; i++)
		assert_int_equal(asked->remedies[i].verdict, REMEDY_NOT_TRIED);
	assert_int_equal(s.total, 0);
	LT_AUTO_RECORD struct record *all = race(acts, (struct given){ .list = "all" }, &s, &best);
	size_t n = 0;
	while (remedy_table[n])
		n++;
	assert_int_equal(all->n_remedies, n);
}

static void names_are_checked_before_anything_runs(void **state)
{
	(void)state;
	struct lt_err err = { 0 };
	assert_int_equal(remedies_check(NULL, &err), 0);
	assert_int_equal(remedies_check("all", &err), 0);
	assert_int_equal(remedies_check("none", &err), 0);
	assert_int_equal(remedies_check("tcmalloc,one-cpu", &err), 0);
	static const char *const bad[] = { "", "tcmalloc,", "tcmaloc", "null", "all,tcmalloc",
		"tcmalloc one-cpu",
		"a-name-that-is-much-longer-than-any-remedy-has-and-than-leat-keeps-of-it" };
	for (size_t i = 0; i < LT_COUNT(bad); i++)
		assert_int_equal(remedies_check(bad[i], &err), -EINVAL);
	assert_string_equal(err.id, "LT-TRY");
	assert_non_null(strstr(err.hint, "leat list remedies"));
}

static void time_budget_is_kept(void **state)
{
	(void)state;
	static const struct act acts[] = { { NULL, 1, 0, 1, 0 }, { "glibc-keep", 0.5, 0, 1, 0 },
		{ "glibc-threshold", 0.6, 0, 1, 0 }, { 0 } };
	struct stage s;
	const struct remedy *best;
	/* enough for one finalist: 2 + 5 screens, then 8 x 2.5, and time for the curve */
	LT_AUTO_RECORD struct record *one = race(acts,
		(struct given){ .list = "glibc-keep,glibc-threshold", .left_s = 31 }, &s, &best);
	assert_non_null(best);
	assert_true(s.spent_s <= 31);
	assert_int_equal(remedy_result(one, "glibc-threshold")->verdict, REMEDY_DROPPED);
	assert_non_null(strstr(remedy_result(one, "glibc-threshold")->reason, "no time"));
	/* for none */
	LT_AUTO_RECORD struct record *none = race(acts,
		(struct given){ .list = "glibc-keep,glibc-threshold", .left_s = 12 }, &s, &best);
	assert_null(best);
	assert_true(s.spent_s <= 12);
	assert_int_equal(remedy_result(none, "glibc-keep")->verdict, REMEDY_DROPPED);
	/* not even for looking at them */
	LT_AUTO_RECORD struct record *nothing = race(acts,
		(struct given){ .list = "glibc-keep,glibc-threshold", .left_s = 2 }, &s, &best);
	assert_int_equal(remedy_result(nothing, "glibc-keep")->verdict, REMEDY_NOT_TRIED);
}

/* The default takes so long that there is no time for it twice in each of eight blocks. */
static void a_slow_default_is_run_once_a_block(void **state)
{
	(void)state;
	static const struct act good[] = { { NULL, 4, 0, 1, 0 }, { "glibc-keep", 0.3, 0, 1, 0 },
		{ "glibc-threshold", 0.2, 0, 1, 0 }, { "null", 0.2, 0, 1, 0 }, { 0 } };
	struct stage s;
	const struct remedy *best;
	struct given g = { .list = "glibc-keep,glibc-threshold", .left_s = 55, .noise = 0.02 };
	LT_AUTO_RECORD struct record *rec = race(good, g, &s, &best);
	assert_non_null(best);
	assert_string_equal(best->name, "glibc-threshold");
	assert_int_equal(remedy_result(rec, "glibc-threshold")->n, 8);
	assert_non_null(strstr(remedy_result(rec, "null")->reason, "best remedy"));
	assert_int_equal(remedy_result(rec, "null")->verdict, REMEDY_NO_HELP);
	assert_int_equal(remedy_result(rec, "glibc-keep")->verdict, REMEDY_DROPPED);
	assert_true(s.spent_s <= 55);
	/* under another name it does nothing */
	static const struct act luck[] = { { NULL, 4, 0, 1, 0 },
		{ "glibc-threshold", 0.2, 0, 1, 0 }, { "null", 4, 0, 1, 0 }, { 0 } };
	LT_AUTO_RECORD struct record *none = race(luck, g, &s, &best);
	assert_null(best);
	assert_int_not_equal(remedy_result(none, "glibc-threshold")->verdict, REMEDY_HELPS);
	/* or breaks the program */
	static const struct act breaks[] = { { NULL, 4, 0, 1, 0 },
		{ "glibc-threshold", 0.2, 0, 1, 0 }, { "null", 0.2, 3, 1, 0 }, { 0 } };
	LT_AUTO_RECORD struct record *broken = race(breaks, g, &s, &best);
	assert_null(best);
	assert_int_equal(remedy_result(broken, "glibc-threshold")->verdict, REMEDY_BROKEN);
}

/* Whenever leat is told to stop, what is not proved is not claimed. */
static void stop_at_any_run_claims_nothing(void **state)
{
	(void)state;
	static const struct act acts[] = { { NULL, 1, 0, 1, 0 }, { "glibc-keep", 0.5, 0, 1, 0 },
		{ "glibc-threshold", 0.6, 0, 1, 0 }, { 0 } };
	for (unsigned after = 1; after < 40; after++) {
		struct stage s;
		const struct remedy *best;
		LT_AUTO_RECORD struct record *rec = race(acts,
			(struct given){ .list = "glibc-keep,glibc-threshold", .over_after = after },
			&s, &best);
		if (after < 2 + 2 + 8 * 4)
			assert_null(best);
		for (size_t i = 0; i < rec->n_remedies; i++)
			assert_true(rec->remedies[i].verdict != REMEDY_HELPS || best);
	}
}

static void program_that_fails_by_itself_is_no_case(void **state)
{
	(void)state;
	static const struct act acts[] = { { NULL, 1, 1, 1, 0 }, { "glibc-keep", 0.5, 0, 1, 0 },
		{ 0 } };
	struct stage s;
	const struct remedy *best;
	LT_AUTO_RECORD struct record *rec =
		race(acts, (struct given){ .list = "glibc-keep" }, &s, &best);
	assert_int_equal(remedy_result(rec, "glibc-keep")->verdict, REMEDY_NOT_TRIED);
	assert_non_null(strstr(remedy_result(rec, "glibc-keep")->reason, "fails as it is"));
	assert_int_equal(s.total, 1);
}

static void slower_one_is_let_go(void **state)
{
	(void)state;
	static const struct act acts[] = { { NULL, 1, 0, 1, 0 }, { "glibc-keep", 1.05, 0, 1, 0 },
		{ "glibc-threshold", 0.9, 0, 1, 0 }, { 0 } };
	struct stage s;
	const struct remedy *best;
	LT_AUTO_RECORD struct record *rec = race(acts,
		(struct given){ .list = "glibc-keep,glibc-threshold", .noise = 0.001 }, &s, &best);
	/* let go after a few pairs: time is for those that may help */
	const struct remedy_result *r = remedy_result(rec, "glibc-keep");
	assert_true(r->verdict == REMEDY_NO_HELP);
	assert_true(r->ratio.value.num < 0.97);
	assert_true(r->n >= 4 && r->n < 8);
	assert_int_equal(remedy_result(rec, "glibc-threshold")->verdict, REMEDY_HELPS);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(remedy_that_helps_wins_with_proof),
		cmocka_unit_test(simpler_remedy_wins_among_equals),
		cmocka_unit_test(nothing_wins_where_nothing_helps),
		cmocka_unit_test(small_gain_below_the_bar_does_not_win),
		cmocka_unit_test(control_that_wins_raises_the_bar),
		cmocka_unit_test(crashes_and_other_output_are_broken),
		cmocka_unit_test(output_that_varies_by_itself_is_compared_by_words),
		cmocka_unit_test(fewer_threads_may_be_told_in_the_output),
		cmocka_unit_test(preload_that_does_not_show_is_ignored),
		cmocka_unit_test(slow_candidates_are_cut_short),
		cmocka_unit_test(causes_choose_the_remedies),
		cmocka_unit_test(names_are_checked_before_anything_runs),
		cmocka_unit_test(time_budget_is_kept),
		cmocka_unit_test(a_slow_default_is_run_once_a_block),
		cmocka_unit_test(stop_at_any_run_claims_nothing),
		cmocka_unit_test(program_that_fails_by_itself_is_no_case),
		cmocka_unit_test(slower_one_is_let_go),
	};
	return cmocka_run_group_tests(tests, NULL, NULL);
}
