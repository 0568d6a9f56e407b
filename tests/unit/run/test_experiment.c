/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Whole experiments with tiny programs: their order, their blocks, how they end. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <fcntl.h>
#include <signal.h>
#include <stdio.h>
#include <string.h>
#include <sys/stat.h>
#include <sys/wait.h>
#include <unistd.h>

#include <cmocka.h>

#include "helpers/near.h"
#include "run/experiment.h"
#include "run/signals.h"

static sigset_t old_mask;

static int keep_mask(void **state)
{
	(void)state;
	return sigprocmask(SIG_SETMASK, NULL, &old_mask);
}

/* An experiment leaves signals blocked, for leat ends after it. */
static int restore_mask(void **state)
{
	(void)state;
	return sigprocmask(SIG_SETMASK, &old_mask, NULL);
}

static char sh[] = "/bin/sh", dash_c[] = "-c";

enum {
	MAX_CMDS = 64
};

struct commands {
	struct run_command list[MAX_CMDS];
	char *argv[MAX_CMDS][4];
};

static const char *const names[] = { "a", "b", "c" };

static void add(struct commands *c, size_t i, const char *script)
{
	c->argv[i][0] = sh;
	c->argv[i][1] = dash_c;
	c->argv[i][2] = (char *)script;
	c->argv[i][3] = NULL;
	c->list[i] = (struct run_command){
		.name = names[i % 3], .display = script, .argv = c->argv[i], .path = sh
	};
}

static int try(const struct run_opts *opts, const char *const *scripts, size_t n,
	struct record **ret, struct lt_err *err)
{
	struct commands c;
	for (size_t i = 0; i < n; i++)
		add(&c, i, scripts[i]);
	return experiment_run(n > 1 ? "compare" : "run", opts, c.list, n, NULL, ret, err);
}

static struct record *run(const struct run_opts *opts, const char *const *scripts, size_t n)
{
	struct record *rec = NULL;
	struct lt_err err = { 0 };
	if (try(opts, scripts, n, &rec, &err) < 0)
		fail_msg("%s", err.text);
	assert_int_equal(record_check(rec, NULL), 0);
	return rec;
}

/* What every test wants unless it says otherwise. */
static const struct run_opts fixed = { .design = RUN_FIXED, .n = 1, .meters = "wall", .seed = 1 };

static void blocks_are_complete_and_their_order_is_random(void **state)
{
	(void)state;
	static const char *const scripts[] = { "exit 0", ":", "true" };
	struct run_opts opts = fixed;
	opts.n = 12;
	opts.warmup = 1;
	LT_AUTO_RECORD struct record *rec = run(&opts, scripts, 3);
	assert_int_equal(rec->n_trials, 39);
	unsigned first[3] = { 0 };
	for (unsigned block = 0; block < 13; block++) {
		unsigned seen = 0;
		for (unsigned k = 0; k < 3; k++) {
			const struct trial *t = &rec->trials[(size_t)3 * block + k];
			assert_int_equal(t->block, block);
			assert_int_equal(t->order, 3 * block + k);
			assert_true(t->warmup == (block == 0));
			assert_true(t->kept == (block != 0));
			seen |= 1u << t->variant;
		}
		assert_int_equal(seen, 7);
		first[rec->trials[(size_t)3 * block].variant]++;
	}
	for (int v = 0; v < 3; v++)
		assert_true(first[v] > 0); /* false for one seed in sixty; this is not one */
	assert_string_equal(rec->plan.stopped, "n");
	assert_false(rec->partial);
}

/* The order of the variants as digits. */
static void order_of(uint64_t seed, char *ret, size_t size)
{
	static const char *const scripts[] = { "exit 0", ":", "true" };
	struct run_opts opts = fixed;
	opts.n = 6;
	opts.seed = seed;
	LT_AUTO_RECORD struct record *rec = run(&opts, scripts, 3);
	assert_int_equal(rec->plan.seed, seed);
	size_t i = 0;
	for (; i < rec->n_trials && i + 1 < size; i++)
		ret[i] = (char)('0' + rec->trials[i].variant);
	ret[i] = '\0';
}

static void the_seed_is_the_order(void **state)
{
	(void)state;
	char first[32], again[32], other[32];
	order_of(42, first, sizeof(first));
	order_of(42, again, sizeof(again));
	order_of(43, other, sizeof(other));
	assert_string_equal(first, again);
	assert_string_not_equal(first, other);
}

static void a_block_shares_its_environment(void **state)
{
	(void)state;
	char path[] = "/tmp/leat-experiment-XXXXXX", script[96], line[64];
	int fd = mkstemp(path);
	assert_true(fd >= 0);
	close(fd);
	snprintf(script, sizeof(script), "echo ${#LEAT_PAD} >>%s", path);
	const char *const scripts[] = { script, script };
	struct run_opts opts = fixed;
	opts.n = 10;
	LT_AUTO_RECORD struct record *rec = run(&opts, scripts, 2);
	FILE *file = fopen(path, "r");
	assert_non_null(file);
	int pad[20], different = 0;
	for (int i = 0; i < 20; i++) {
		assert_non_null(fgets(line, sizeof(line), file));
		pad[i] = atoi(line);
		assert_in_range(pad[i], 0, 4095);
		if (i % 2)
			assert_int_equal(pad[i], pad[i - 1]);
		else if (i > 0)
			different += pad[i] != pad[i - 1];
	}
	fclose(file);
	unlink(path);
	assert_true(different >= 7);
	assert_int_equal(rec->n_trials, 20);
}

static void a_failure_ends_it_and_is_kept_out(void **state)
{
	(void)state;
	static const char *const scripts[] = { "exit 3" };
	struct run_opts opts = fixed;
	opts.n = 5;
	LT_AUTO_RECORD struct record *rec = run(&opts, scripts, 1);
	assert_int_equal(rec->n_trials, 1);
	assert_string_equal(rec->plan.stopped, "failure");
	assert_true(rec->partial);
	assert_false(rec->trials[0].kept);
	assert_int_equal(rec->trials[0].outcome.code, 3);
	opts.ignore_failure = true;
	LT_AUTO_RECORD struct record *all = run(&opts, scripts, 1);
	assert_int_equal(all->n_trials, 5);
	assert_false(all->partial);
	assert_false(all->trials[4].kept);
	opts.ignore_failure = false;
	opts.success = "0,3";
	LT_AUTO_RECORD struct record *good = run(&opts, scripts, 1);
	assert_int_equal(good->n_trials, 5);
	assert_true(good->trials[4].kept);
}

static void a_program_that_does_not_start_is_named(void **state)
{
	(void)state;
	char path[] = "/tmp/leat-experiment-XXXXXX", script[128];
	int fd = mkstemp(path);
	assert_true(fd >= 0);
	snprintf(script, sizeof(script), "#!/bin/sh\nrm %s\n", path);
	assert_int_equal(write(fd, script, strlen(script)), strlen(script));
	assert_int_equal(fchmod(fd, 0700), 0);
	close(fd);
	char *argv[] = { path, NULL };
	struct run_command cmd = { .name = "x", .display = path, .argv = argv, .path = path };
	struct run_opts opts = fixed;
	opts.n = 3;
	LT_AUTO_RECORD struct record *rec = NULL;
	assert_int_equal(experiment_run("run", &opts, &cmd, 1, NULL, &rec, NULL), 0);
	assert_int_equal(rec->n_trials, 2);
	assert_true(rec->trials[0].kept); /* what was measured is not lost */
	assert_int_equal(rec->trials[1].outcome.kind, OUTCOME_NOT_STARTED);
	assert_true(rec->partial);
}

static void a_clear_difference_is_decided_early(void **state)
{
	(void)state;
	static const char *const scripts[] = { "exit 0", "sleep 0.03" };
	struct run_opts opts = {
		.design = RUN_SEQUENCE, .n_max = 40, .meters = "wall", .seed = 1, .same = 0.01
	};
	LT_AUTO_RECORD struct record *rec = run(&opts, scripts, 2);
	assert_string_equal(rec->plan.stopped, "decided");
	assert_true(rec->n_trials >= 20 && rec->n_trials <= 84);
	assert_int_equal(record_comparison(rec, 1, 0)->verdict, VERDICT_HIGHER);
}

static void the_budget_and_the_cap_end_it(void **state)
{
	(void)state;
	static const char *const scripts[] = { "sleep 0.02" };
	struct run_opts opts = { .design = RUN_PRECISION,
		.precision = 1e-9,
		.budget_ns = 100000000,
		.meters = "wall",
		.seed = 1 };
	LT_AUTO_RECORD struct record *rec = run(&opts, scripts, 1);
	assert_string_equal(rec->plan.stopped, "budget");
	assert_true(rec->n_trials >= 1 && rec->n_trials <= 6);
	opts.n_max = 2;
	opts.budget_ns = 0;
	LT_AUTO_RECORD struct record *capped = run(&opts, scripts, 1);
	assert_string_equal(capped->plan.stopped, "cap");
	assert_int_equal(capped->n_trials, 2);
}

static void a_long_first_run_is_not_thrown_away(void **state)
{
	(void)state;
	static const char *const scripts[] = { "sleep 0.1" };
	struct run_opts opts = { .design = RUN_PRECISION,
		.precision = 1e-9,
		.budget_ns = 150000000,
		.warmup = 1,
		.meters = "wall",
		.seed = 1 };
	LT_AUTO_RECORD struct record *rec = run(&opts, scripts, 1);
	assert_true(rec->trials[0].kept);
	assert_false(rec->trials[0].warmup);
	assert_int_equal(rec->plan.warmup, 0);
}

static void the_aa_check_runs_the_first_against_itself(void **state)
{
	(void)state;
	static const char *const scripts[] = { "exit 0", ":" };
	struct run_opts opts = fixed;
	opts.n = 2;
	opts.aa = true;
	LT_AUTO_RECORD struct record *rec = run(&opts, scripts, 2);
	assert_int_equal(rec->n_variants, 4);
	assert_true(rec->variants[2].aa && rec->variants[3].aa);
	assert_string_equal(rec->variants[3].command, "exit 0");
	size_t aa = 0, timed = 0;
	for (size_t i = 0; i < rec->n_trials; i++) {
		const struct trial *t = &rec->trials[i];
		aa += t->variant >= 2 && t->kept;
		timed += t->variant < 2 && t->kept;
	}
	assert_int_equal(aa, 40);
	assert_int_equal(timed, 4);
	assert_int_equal(record_comparison(rec, 3, 0)->a, 2);
}

static void the_preparation_comes_before_each_run(void **state)
{
	(void)state;
	char path[] = "/tmp/leat-experiment-XXXXXX", prepare[64], script[96];
	int fd = mkstemp(path);
	assert_true(fd >= 0);
	close(fd);
	snprintf(prepare, sizeof(prepare), "echo ready >%s; echo noise", path);
	snprintf(script, sizeof(script), "[ -s %s ] && : >%s", path, path);
	const char *const scripts[] = { script };
	struct run_opts opts = fixed;
	opts.n = 4;
	opts.prepare = prepare;
	LT_AUTO_RECORD struct record *rec = run(&opts, scripts, 1);
	unlink(path);
	assert_int_equal(rec->n_trials, 4);
	assert_false(rec->partial);
	assert_true(rec->trials[3].kept);
	assert_true(rec->trials[3].outcome.out_bytes < 1);
}

static void work_is_stated_or_found(void **state)
{
	(void)state;
	static const char *const scripts[] = { "echo units: 250; echo units: 50 >&2" };
	static const char *const talks[] = { "echo units: 50 >&2" };
	struct run_opts opts = fixed;
	opts.n = 2;
	opts.work = 7;
	LT_AUTO_RECORD struct record *stated = run(&opts, scripts, 1);
	assert_near(stated->trials[1].work, 7, 0);
	opts.work = 0;
	opts.work_from = "units: ([0-9]+)";
	opts.stdout_mode = RUN_STDOUT_FILE;
	LT_AUTO_RECORD struct record *found = run(&opts, scripts, 1);
	assert_near(found->trials[1].work, 250, 0);
	const struct summary *unit = record_summary(found, 0, 0, true);
	assert_non_null(unit);
	assert_near(unit->center.num * 250, record_summary(found, 0, 0, false)->center.num, 1);
	LT_AUTO_RECORD struct record *said = run(&opts, talks, 1);
	assert_near(said->trials[1].work, 50, 0);
}

static void a_signal_ends_it_with_what_there_is(void **state)
{
	(void)state;
	static const char *const scripts[] = { "sleep 100" };
	struct run_opts opts = fixed;
	opts.n = 3;
	sigset_t set;
	sigemptyset(&set);
	sigaddset(&set, SIGINT);
	sigprocmask(SIG_BLOCK, &set, NULL); /* so that it waits for the experiment */
	kill(getpid(), SIGINT);
	LT_AUTO_RECORD struct record *rec = run(&opts, scripts, 1);
	assert_string_equal(rec->plan.stopped, "signal");
	assert_int_equal(rec->plan.stop_signal, SIGINT);
	assert_true(rec->partial);
	assert_true(rec->n_trials <= 1);
}

struct heard {
	unsigned calls, last_done, of;
};

static void hear(void *ctx, const struct run_progress *p)
{
	struct heard *h = ctx;
	h->calls++;
	assert_true(p->done >= h->last_done);
	assert_true(p->share >= 0 && p->share <= 1);
	assert_string_equal(p->name, "a");
	h->last_done = p->done;
	h->of = p->of;
}

static void progress_is_told_after_every_block(void **state)
{
	(void)state;
	struct commands c;
	struct heard h = { 0 };
	struct run_hooks hooks = { .progress = hear, .ctx = &h };
	add(&c, 0, "exit 0");
	struct run_opts opts = fixed;
	opts.n = 5;
	LT_AUTO_RECORD struct record *rec = NULL;
	assert_int_equal(experiment_run("run", &opts, c.list, 1, &hooks, &rec, NULL), 0);
	assert_int_equal(h.calls, 5);
	assert_int_equal(h.last_done, 5);
	assert_int_equal(h.of, 5);
}

static void without_meters_it_still_runs(void **state)
{
	(void)state;
	static const char *const scripts[] = { "exit 0" };
	struct run_opts opts = fixed;
	opts.n = 3;
	opts.meters = "null";
	LT_AUTO_RECORD struct record *rec = run(&opts, scripts, 1);
	assert_int_equal(rec->n_metrics, 0);
	assert_int_equal(rec->n_trials, 3);
	assert_null(rec->plan.primary);
}

static void what_is_wrong_is_told_before_anything_runs(void **state)
{
	(void)state;
	static const char *const bad_gate[] = { "fog +5%" };
	static const char *const bad_env[] = { "NAME" };
	char path[] = "/tmp/leat-experiment-XXXXXX", script[64];
	int fd = mkstemp(path);
	assert_true(fd >= 0);
	close(fd);
	snprintf(script, sizeof(script), "echo ran >%s", path);
	struct run_opts cases[] = { fixed, fixed, fixed, fixed, fixed, fixed, fixed, fixed };
	static const char *const ids[] = { "LT-METER", "LT-METRIC", "LT-WORK-REGEX", "LT-METRIC",
		"LT-ENV", "LT-STDIN", "LT-STDOUT", "LT-METER" };
	cases[0].meters = "fog";
	cases[1].primary = "fog";
	cases[2].work_from = "(";
	cases[3].gates = bad_gate;
	cases[3].n_gates = 1;
	cases[4].env = bad_env;
	cases[4].n_env = 1;
	cases[5].stdin_mode = RUN_STDIN_FILE;
	cases[5].stdin_path = "/nowhere";
	cases[6].stdout_mode = RUN_STDOUT_FILE;
	cases[6].stdout_path = "/nowhere/at/all";
	cases[7].meters = "wall:";
	for (size_t i = 0; i < LT_COUNT(cases); i++) {
		const char *const scripts[] = { script };
		struct record *rec = NULL;
		struct lt_err err = { 0 };
		if (try(&cases[i], scripts, 1, &rec, &err) >= 0 || strcmp(err.id, ids[i]))
			fail_msg("%zu: %s, %s", i, err.id, err.text);
		assert_null(rec);
	}
	fd = open(path, O_RDONLY);
	assert_int_equal(lseek(fd, 0, SEEK_END), 0);
	close(fd);
	unlink(path);
}

static void there_is_an_end_to_the_number_of_programs(void **state)
{
	(void)state;
	const char *scripts[MAX_CMDS];
	for (size_t i = 0; i < MAX_CMDS; i++)
		scripts[i] = ":";
	struct run_opts opts = fixed;
	struct record *rec = NULL;
	struct lt_err err = { 0 };
	assert_int_equal(try(&opts, scripts, MAX_CMDS - 1, &rec, &err), -EINVAL);
	assert_string_equal(err.id, "LT-VARIANTS");
}

static void no_descriptor_and_no_child_is_left(void **state)
{
	(void)state;
	static const char *const scripts[] = { "sleep 100 & setsid sleep 100 & exit 0", ":" };
	struct run_opts opts = fixed;
	opts.n = 2;
	opts.stdout_mode = RUN_STDOUT_PIPE;
	opts.prepare = ":";
	opts.meters = NULL;
	int before = 0, after = 0;
	for (int fd = 0; fd < 256; fd++)
		before += fcntl(fd, F_GETFD) >= 0;
	record_free(run(&opts, scripts, 2));
	for (int fd = 0; fd < 256; fd++)
		after += fcntl(fd, F_GETFD) >= 0;
	assert_int_equal(before, after);
	assert_int_equal(waitpid(-1, NULL, WNOHANG), -1);
	assert_int_equal(errno, ECHILD);
}

#define WHOLE(test) cmocka_unit_test_setup_teardown(test, keep_mask, restore_mask)

int main(void)
{
	const struct CMUnitTest tests[] = {
		WHOLE(blocks_are_complete_and_their_order_is_random),
		WHOLE(the_seed_is_the_order),
		WHOLE(a_block_shares_its_environment),
		WHOLE(a_failure_ends_it_and_is_kept_out),
		WHOLE(a_program_that_does_not_start_is_named),
		WHOLE(a_clear_difference_is_decided_early),
		WHOLE(the_budget_and_the_cap_end_it),
		WHOLE(a_long_first_run_is_not_thrown_away),
		WHOLE(the_aa_check_runs_the_first_against_itself),
		WHOLE(the_preparation_comes_before_each_run),
		WHOLE(work_is_stated_or_found),
		WHOLE(a_signal_ends_it_with_what_there_is),
		WHOLE(progress_is_told_after_every_block),
		WHOLE(without_meters_it_still_runs),
		WHOLE(what_is_wrong_is_told_before_anything_runs),
		WHOLE(there_is_an_end_to_the_number_of_programs),
		WHOLE(no_descriptor_and_no_child_is_left),
	};
	return cmocka_run_group_tests(tests, NULL, NULL);
}
