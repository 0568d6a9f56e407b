/* SPDX-License-Identifier: GPL-2.0-or-later */
/* One run watched from start to end: every way of ending is named as what it is. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <signal.h>
#include <string.h>

#include <cmocka.h>

#include "run/trial.h"
#include "unit/run/trial_rig.h"

static int run_words(struct trial_run *t, const struct run_opts *opts, const char *const *argv,
	struct lt_err *err)
{
	static char *none[] = { NULL };
	struct run_command cmd = { .argv = (char *const *)argv, .path = argv[0] };
	*t = trial_rig_run(opts, none);
	int r = trial_run_wait(t, &cmd, err);
	return r < 0 ? r : trial_run_end(t, err);
}

static struct trial_run run(const char *script, const struct run_opts *opts)
{
	const char *argv[] = { "/bin/sh", "-c", script, NULL };
	struct trial_run t;
	struct lt_err err = { 0 };
	if (run_words(&t, opts, argv, &err) < 0)
		fail_msg("%s", err.text);
	return t;
}

static const struct run_opts plain;

static void exit_codes_and_signals_are_told_apart(void **state)
{
	(void)state;
	struct trial_run t = run("exit 0", &plain);
	assert_int_equal(t.outcome.kind, OUTCOME_EXIT);
	assert_int_equal(t.outcome.code, 0);
	assert_int_equal(t.outcome.notes, 0);
	assert_null(t.outcome.talk);
	assert_true(t.window.ended && t.window.end_ns > t.window.begin_ns);
	assert_int_equal(t.window.pid, t.reply.pid);
	t = run("exit 137", &plain);
	assert_int_equal(t.outcome.kind, OUTCOME_EXIT);
	assert_int_equal(t.outcome.code, 137);
	t = run("kill -KILL $$", &plain);
	assert_int_equal(t.outcome.kind, OUTCOME_SIGNAL);
	assert_int_equal(t.outcome.code, SIGKILL);
}

static void its_last_words_are_kept_when_it_fails(void **state)
{
	(void)state;
	struct trial_run t =
		run("echo first >&2; printf 'la\\tst \\033[31m\\n\\n  \\n' >&2; exit 1", &plain);
	assert_string_equal(t.outcome.talk, "la st  [31m");
	t = run("exit 1", &plain);
	assert_null(t.outcome.talk); /* nothing is left over from the run before */
	t = run("i=0; while [ $i -lt 3000 ]; do echo line $i >&2; i=$((i+1)); done; exit 1",
		&plain);
	assert_string_equal(t.outcome.talk, "line 2999");
}

static void a_timeout_says_whether_it_slept(void **state)
{
	(void)state;
	struct run_opts opts = { .timeout_ns = 100000000 };
	struct trial_run t = run("sleep 100", &opts);
	assert_int_equal(t.outcome.kind, OUTCOME_TIMEOUT);
	assert_true(t.outcome.notes & NOTE_ASLEEP);
	assert_true(t.window.end_ns - t.window.begin_ns >= 95000000);
	t = run("while :; do :; done", &opts);
	assert_int_equal(t.outcome.kind, OUTCOME_TIMEOUT);
	assert_false(t.outcome.notes & NOTE_ASLEEP);
}

static void a_signal_to_us_cancels_it(void **state)
{
	(void)state;
	kill(getpid(), SIGTERM); /* blocked: it waits to be taken */
	struct trial_run t = run("sleep 100", &plain);
	assert_int_equal(t.outcome.kind, OUTCOME_CANCELLED);
	assert_int_equal(signals.last, SIGTERM);
	signals.last = 0;
}

static void children_left_behind_are_noted_and_gone(void **state)
{
	(void)state;
	struct trial_run t = run("sleep 100 & sleep 100 & exit 0", &plain);
	assert_int_equal(t.outcome.kind, OUTCOME_EXIT);
	assert_true(t.outcome.notes & NOTE_LEFT_CHILDREN);
	assert_false(t.outcome.notes & NOTE_DAEMON);
	assert_int_equal(t.outcome.left, 2);
	assert_int_equal(t.window.left, 2);
	assert_non_null(t.outcome.left_name);
	t = run("exit 0", &plain);
	assert_int_equal(t.outcome.left, 0);
}

static void a_session_of_its_own_makes_a_daemon(void **state)
{
	(void)state;
	struct trial_run t = run("setsid sleep 100 & sleep 0.1", &plain);
	assert_true(t.outcome.notes & NOTE_DAEMON);
	assert_int_equal(t.outcome.left, 1);
	assert_string_equal(t.outcome.left_name, "sleep");
}

static void what_orphans_used_is_in_the_window(void **state)
{
	(void)state;
	struct trial_run t = run("((i=0; while [ $i -lt 100000 ]; do i=$((i+1)); done; sleep 100)"
				 " & ); sleep 0.7",
		&plain);
	assert_int_equal(t.outcome.left, 1); /* running still, and counted as far as it came */
	assert_true(t.window.orphans_cpu_ns > 10e6);
	assert_true(meter_window_cpu_ns(&t.window) > t.window.orphans_cpu_ns);
}

static void descendants_are_waited_for_when_asked(void **state)
{
	(void)state;
	struct run_opts opts = { .wait_descendants = true };
	struct trial_run t = run("sleep 0.3 & exit 0", &opts);
	assert_int_equal(t.outcome.left, 0);
	assert_int_equal(t.outcome.notes & NOTE_LEFT_CHILDREN, 0);
	assert_true(meter_window_wall_ns(&t.window) >= 300e6);
}

static void who_listens_to_no_signal_is_killed(void **state)
{
	(void)state;
	struct run_opts opts = { .wait_descendants = true, .timeout_ns = 100000000 };
	struct trial_run t = run("trap '' TERM; setsid sleep 100 & wait; sleep 100", &opts);
	assert_int_equal(t.outcome.kind, OUTCOME_TIMEOUT);
	assert_int_equal(t.outcome.code, SIGKILL);
	/* And what it left elsewhere is not waited for, though descendants are. */
	assert_true(meter_window_wall_ns(&t.window) < 10e9);
}

static void a_flood_is_drained_and_counted(void **state)
{
	(void)state;
	struct run_opts opts = { .stdout_mode = RUN_STDOUT_PIPE };
	struct trial_run t = run("head -c 20000000 /dev/zero", &opts);
	assert_int_equal(t.outcome.code, 0);
	assert_true(t.outcome.out_bytes >= 20e6 && t.outcome.out_bytes <= 20e6);
	t = run("echo hello", &opts);
	assert_true(t.outcome.out_bytes >= 6 && t.outcome.out_bytes <= 6);
	t = run("head -c 20000000 /dev/zero >&2; exit 1", &opts); /* nor does stderr block it */
	assert_int_equal(t.outcome.code, 1);
}

static void output_is_kept_for_who_looks_for_work_in_it(void **state)
{
	(void)state;
	static const enum run_stdout modes[] = { RUN_STDOUT_PIPE, RUN_STDOUT_FILE };
	for (size_t i = 0; i < LT_COUNT(modes); i++) {
		LT_AUTO_BUF struct lt_buf out = { 0 };
		struct run_opts opts = { .stdout_mode = modes[i], .work_from = "x" };
		run("head -c 100000 /dev/zero; echo end", &opts);
		assert_int_equal(streams_output(&streams, &out, NULL), 0);
		assert_int_equal(out.len, 100004);
		assert_string_equal(out.data + 100000, "end\n");
		run("echo short", &opts); /* emptied before each run */
		assert_int_equal(streams_output(&streams, &out, NULL), 0);
		assert_string_equal(out.data, "short\n");
	}
}

static void a_file_is_read_from_its_start_each_time(void **state)
{
	(void)state;
	struct run_opts opts = { .stdin_mode = RUN_STDIN_FILE,
		.stdin_path = "/proc/self/status",
		.stdout_mode = RUN_STDOUT_PIPE };
	double first = run("head -n 1", &opts).outcome.out_bytes;
	assert_true(first > 6);
	assert_true(run("cat", &opts).outcome.out_bytes > first);
	assert_true(run("head -n 1", &opts).outcome.out_bytes >= first);
	assert_true(
		run("cat", &(struct run_opts){ .stdout_mode = RUN_STDOUT_PIPE }).outcome.out_bytes <
		1);
}

static void a_terminal_is_one(void **state)
{
	(void)state;
	struct run_opts opts = { .pty = true };
	struct trial_run t = run("[ -t 0 ] && [ -t 1 ] && [ -t 2 ] && : </dev/tty && "
				 "[ \"$(stty size)\" = '24 80' ]",
		&opts);
	assert_int_equal(t.outcome.kind, OUTCOME_EXIT);
	assert_int_equal(t.outcome.code, 0);
	t = run("echo on the terminal; exit 3", &opts);
	assert_string_equal(t.outcome.talk, "on the terminal");
	t = run("[ -t 1 ] || exit 5", &plain);
	assert_int_equal(t.outcome.code, 5);
}

static void what_does_not_start_is_an_error(void **state)
{
	(void)state;
	struct trial_run t;
	struct lt_err err = { 0 };
	const char *gone[] = { "/nowhere/at/all", NULL };
	assert_int_equal(run_words(&t, &plain, gone, &err), -ENOENT);
	assert_string_equal(err.id, "LT-COMMAND-EXEC");
	assert_int_equal(t.outcome.kind, OUTCOME_NOT_STARTED);
	const char *sh[] = { "/bin/sh", "-c", ":", NULL };
	struct run_opts lost = { .cwd = "/nowhere" };
	assert_int_equal(run_words(&t, &lost, sh, &err), -ENOENT);
	assert_string_equal(err.id, "LT-CWD");
	struct lt_cpuset none = { 0 };
	struct run_opts pinned = { .pin = &none };
	assert_int_equal(run_words(&t, &pinned, sh, &err), -EINVAL);
	assert_string_equal(err.id, "LT-PIN");
	assert_int_equal(run("exit 2", &plain).outcome.code, 2); /* and on it goes */
}

static void success_is_a_list_of_codes(void **state)
{
	(void)state;
	static const struct {
		enum outcome_kind kind;
		int code;
		const char *success;
		bool good;
	} cases[] = {
		{ OUTCOME_EXIT, 0, NULL, true },
		{ OUTCOME_EXIT, 1, NULL, false },
		{ OUTCOME_EXIT, 1, "0,1", true },
		{ OUTCOME_EXIT, 0, "1", false },
		{ OUTCOME_EXIT, 10, "1,10", true },
		{ OUTCOME_EXIT, 10, "1", false },
		{ OUTCOME_SIGNAL, 0, "0", false },
		{ OUTCOME_TIMEOUT, 0, NULL, false },
		{ OUTCOME_CANCELLED, 0, NULL, false },
	};
	for (size_t i = 0; i < LT_COUNT(cases); i++) {
		struct outcome o = { .kind = cases[i].kind, .code = cases[i].code };
		assert_true(trial_succeeded(&o, cases[i].success) == cases[i].good);
	}
}

#define WATCHED(test) cmocka_unit_test_setup_teardown(test, trial_rig_open, trial_rig_close)

int main(void)
{
	const struct CMUnitTest tests[] = {
		WATCHED(exit_codes_and_signals_are_told_apart),
		WATCHED(its_last_words_are_kept_when_it_fails),
		WATCHED(a_timeout_says_whether_it_slept),
		WATCHED(a_signal_to_us_cancels_it),
		WATCHED(children_left_behind_are_noted_and_gone),
		WATCHED(a_session_of_its_own_makes_a_daemon),
		WATCHED(what_orphans_used_is_in_the_window),
		WATCHED(descendants_are_waited_for_when_asked),
		WATCHED(who_listens_to_no_signal_is_killed),
		WATCHED(a_flood_is_drained_and_counted),
		WATCHED(output_is_kept_for_who_looks_for_work_in_it),
		WATCHED(a_file_is_read_from_its_start_each_time),
		WATCHED(a_terminal_is_one),
		WATCHED(what_does_not_start_is_an_error),
		cmocka_unit_test(success_is_a_list_of_codes),
	};
	return cmocka_run_group_tests(tests, NULL, NULL);
}
