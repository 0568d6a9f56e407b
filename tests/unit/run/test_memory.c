/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Whichever allocation fails: an error or success, never a crash, nothing left behind. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <fcntl.h>
#include <string.h>
#include <sys/wait.h>

#include <cmocka.h>

#include "helpers/built_record.h"
#include "helpers/failing_alloc.h"
#include "run/analysis.h"
#include "run/command.h"
#include "run/environment.h"
#include "run/experiment.h"
#include "run/launch.h"
#include "run/merge.h"
#include "run/meterset.h"
#include "run/published.h"
#include "run/streams.h"

static int open_descriptors(void)
{
	int n = 0;
	for (int fd = 0; fd < 256; fd++)
		n += fcntl(fd, F_GETFD) >= 0;
	return n;
}

/* Calls `once` with the first, second, ... allocation failing until none is left to fail.
 * It must say -ENOMEM when one failed, or succeed if it can do without. */
static void survives(const char *name, int (*once)(void))
{
	int before = open_descriptors();
	for (long n = 0;; n++) {
		alloc_fail_after(n);
		int r = once();
		alloc_recover();
		if (open_descriptors() != before)
			fail_msg("%s, allocation %ld: a descriptor is lost", name, n);
		if (!alloc_hit) {
			if (r < 0)
				fail_msg("%s: %d without a failed allocation", name, r);
			assert_true(n > 0);
			return;
		}
		if (r < 0 && r != -ENOMEM)
			fail_msg("%s, allocation %ld: %d", name, n, r);
	}
}

static int once_line(void)
{
	struct lt_arena arena = { 0 };
	struct run_command cmd;
	struct lt_err err;
	struct run_command_opts opts = { 0 };
	int r = run_command_line("true 'a b' c", &opts, &arena, &cmd, &err);
	lt_arena_done(&arena);
	return r;
}

static int once_shell(void)
{
	struct lt_arena arena = { 0 };
	struct run_command cmd;
	struct run_command_opts opts = { .shell = true };
	const char *words[] = { "echo", "it's", NULL };
	int r = run_command_words((char *const *)words, &opts, &arena, &cmd, NULL);
	lt_arena_done(&arena);
	return r;
}

static int once_environment(void)
{
	struct environment env = { 0 };
	const char *const change = "A=b";
	int r = environment_open(&env, &change, 1, NULL);
	if (r >= 0)
		environment_list(&env, 100, true);
	environment_close(&env);
	return r;
}

static int once_launcher(void)
{
	struct launcher l = LAUNCHER_NONE;
	static char path[] = "/bin/true";
	char *argv[] = { path, NULL }, *envp[] = { NULL };
	LT_AUTO_CLOSE int null_fd = open("/dev/null", O_RDWR | O_CLOEXEC);
	struct launch_command cmd = {
		.path = path, .argv = argv, .envp = envp, .fds = { null_fd, null_fd, null_fd }
	};
	struct launch_reply rep;
	int r = launcher_open(&l, NULL);
	if (r >= 0)
		r = launcher_start(&l, &cmd, NULL);
	if (r >= 0)
		r = launcher_hear(&l, &rep, NULL);
	launcher_close(&l);
	return r;
}

static int once_streams(void)
{
	struct streams s;
	struct run_opts opts = { .stdout_mode = RUN_STDOUT_PIPE, .work_from = "x" };
	LT_AUTO_BUF struct lt_buf out = { 0 };
	int fds[3];
	int r = streams_open(&s, &opts, NULL);
	if (r >= 0)
		r = streams_begin(&s, fds, NULL);
	if (r >= 0 && write(fds[1], "output", 6) != 6)
		r = -EIO;
	streams_started(&s, fds);
	if (r >= 0) {
		streams_end(&s);
		r = streams_output(&s, &out, NULL);
	}
	streams_close(&s);
	return r;
}

static int once_meters(void)
{
	LT_AUTO_RECORD struct record *rec = record_new();
	if (!rec)
		return -ENOMEM;
	LT_AUTO_CLOSE int root = open("/", O_PATH | O_CLOEXEC);
	struct meterset set = { .place = { .root_fd = root, .arena = &rec->arena } };
	int r = meterset_open(&set, rec, NULL, false, NULL);
	meterset_close(&set);
	return r;
}

static const struct metric metrics[] = {
	{ .name = "wall", .unit = "ns", .kind = METRIC_COUNTER, .better = METRIC_LOWER },
	{ .name = "cpu", .unit = "ns", .kind = METRIC_COUNTER, .better = METRIC_LOWER },
	{ .name = NULL },
};

/* Built while nothing fails. */
static struct record *built(void)
{
	struct record *rec = built_record(metrics, 2);
	for (unsigned i = 0; i < 20; i++) {
		built_pair(rec, i, 100 + i, 110 + i % 3);
		for (size_t k = 1; k <= 2; k++)
			rec->trials[rec->n_trials - k].readings[1] = value_of(5);
	}
	return rec;
}

static struct record *first, *second;

static int build_both(void **state)
{
	(void)state;
	first = built();
	second = built();
	/* Texts that fill a block each, so that whatever is copied next needs a new one. */
	static char big[40000];
	memset(big, 'b', sizeof(big) - 1);
	for (size_t m = 0; m < first->n_metrics; m++)
		first->metrics[m].source = big;
	first->machine.cpu = first->machine.virt = big;
	first->plan.stdin_mode = first->plan.stdout_mode = big;
	first->variants[0].command = big;
	first->trials[2].outcome.talk = big;
	first->trials[2].readings[1] = value_missing(big, big);
	return 0;
}

static int free_both(void **state)
{
	(void)state;
	record_free(first);
	record_free(second);
	return 0;
}

static int once_growing(void)
{
	LT_AUTO_RECORD struct record *rec = record_new();
	if (!rec)
		return -ENOMEM;
	rec->n_metrics = 3;
	for (int i = 0; i < 2000; i++)
		if (!record_add_trial(rec) || !record_add_summary(rec) ||
			!record_add_comparison(rec) || !record_add_gate(rec) ||
			!record_add_finding(rec))
			return -ENOMEM;
	return rec->n_trials == 2000 && rec->n_findings == 2000 ? 0 : -EINVAL;
}

static int once_analysis(void)
{
	/* The answers are dropped again, so that each round begins with the trials alone. */
	struct record *rec = first;
	const char *gate = "wall +5%";
	struct run_opts opts = { .design = RUN_FIXED, .gates = &gate, .n_gates = 1 };
	struct stats_comparison now;
	rec->n_summaries = rec->n_comparisons = rec->n_gates = rec->n_findings = 0;
	int r = analysis_summaries(rec, NULL);
	if (r >= 0)
		r = analysis_comparisons(rec, &opts, NULL);
	if (r >= 0)
		r = analysis_gates(rec, &opts, NULL);
	if (r >= 0)
		r = analysis_findings(rec, &opts, NULL);
	return r < 0 ? r : analysis_now(rec, &opts, 0, 1, &now, NULL);
}

static int once_merge(void)
{
	struct record *const both[] = { first, second };
	static const char *const names[] = { "a.json", "b.json" };
	struct run_opts opts = { 0 };
	LT_AUTO_RECORD struct record *rec = NULL;
	return merge_records(both, names, 2, &opts, &rec, NULL);
}

static int once_published(void)
{
	static const char *const texts[2] = { "100 ± 1", "104 ± 1" };
	struct run_opts opts = { .n = 20 };
	LT_AUTO_RECORD struct record *rec = NULL;
	return published_judge(texts, STATS_SPREAD_SE, &opts, &rec, NULL);
}

static int once_experiment(void)
{
	static char sh[] = "/bin/sh", c[] = "-c", script[] = "echo units: 5";
	char *argv[] = { sh, c, script, NULL };
	struct run_command cmd = { .name = "a", .display = script, .argv = argv, .path = sh };
	struct run_opts opts = { .design = RUN_FIXED,
		.n = 2,
		.meters = "wall",
		.stdout_mode = RUN_STDOUT_FILE,
		.work_from = "units: ([0-9]+)",
		.prepare = ":" };
	LT_AUTO_RECORD struct record *rec = NULL;
	return experiment_run("run", &opts, &cmd, 1, NULL, &rec, NULL);
}

static void commands_survive(void **state)
{
	(void)state;
	survives("line", once_line);
	survives("shell", once_shell);
}

static void what_is_opened_survives(void **state)
{
	(void)state;
	survives("environment", once_environment);
	survives("launcher", once_launcher);
	survives("streams", once_streams);
	survives("meters", once_meters);
}

static void records_survive(void **state)
{
	(void)state;
	survives("growing", once_growing);
	survives("analysis", once_analysis);
	survives("merge", once_merge);
	survives("published", once_published);
}

static void an_experiment_survives(void **state)
{
	(void)state;
	survives("experiment", once_experiment);
	assert_int_equal(waitpid(-1, NULL, WNOHANG), -1);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(commands_survive),
		cmocka_unit_test(what_is_opened_survives),
		cmocka_unit_test_setup_teardown(records_survive, build_both, free_both),
		cmocka_unit_test(an_experiment_survives),
	};
	return cmocka_run_group_tests(tests, NULL, NULL);
}
