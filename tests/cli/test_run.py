# SPDX-License-Identifier: GPL-2.0-or-later
"""leat run: how often it starts the program, with what, and when it stops."""

import os
import re
import subprocess
import sys
import time

import leat

# Appends a line to the file argv[1]; says `argv[2]` on stdout.
TALLY = r"""
#include <stdio.h>
#include <fcntl.h>
#include <unistd.h>
int main(int argc, char **argv)
{
	int fd = open(argv[1], O_WRONLY | O_CREAT | O_APPEND, 0644);
	write(fd, "x\n", 2);
	if (argc > 2)
		puts(argv[2]);
	return 0;
}
"""


class HowOften(leat.Case):
    def setUp(self):
        super().setUp()
        self.tally = leat.compile_c("tally", TALLY)
        self.log = self.path("log")

    def starts(self):
        return self.count_lines("log")

    def test_n_starts_the_program_exactly_that_often(self):
        for n in (1, 2, 7, 23):
            with self.subTest(n=n):
                before = self.starts()
                record = self.record("run", "-n", n, "--", self.tally, self.log)
                self.assertEqual(self.starts() - before, n)
                self.assertEqual(len(record["trials"]), n)
                self.assertEqual(len(leat.kept(record)), n)
                self.assertEqual(leat.metric(record, record["variants"][0]["name"], "wall")["n"], n)
                self.assertEqual(record["plan"]["stopped"], "n")
                self.assertFalse(record["partial"])

    def test_warm_up_runs_are_started_but_not_counted(self):
        record = self.record("run", "-n", "5", "--warmup", "3", "--", self.tally, self.log)
        self.assertEqual(self.starts(), 8)
        self.assertEqual(sum(t["warmup"] for t in record["trials"]), 3)
        self.assertEqual(len(leat.kept(record)), 5)
        self.assertEqual([t["warmup"] for t in record["trials"][:3]], [True] * 3)
        self.assertEqual(record["summaries"][0]["n"], 5)

    def test_without_n_it_stops_when_precise_or_out_of_budget(self):
        record = self.record("run", "--budget", "2", "--precision", "5%", "--", "sleep", "0.02")
        plan, row = record["plan"], record["summaries"][0]
        self.assertIn(plan["stopped"], ("precise", "budget"))
        self.assertEqual(plan["design"], "precision")
        if plan["stopped"] == "precise":
            half = max(row["hi"] - row["center"], row["center"] - row["lo"]) / row["center"]
            self.assertLessEqual(half, 0.05, "wider than asked for")
        self.assertGreaterEqual(row["n"], 6)

    def test_the_budget_ends_what_never_gets_precise(self):
        record = self.record(
            "run", "--budget", "600ms", "--precision", "0.001%", "--", "sleep", "0.03"
        )
        self.assertEqual(record["plan"]["stopped"], "budget")
        self.assertLess(record["plan"]["wall_ns"], 4e9)
        self.assertFalse(record["partial"])
        self.assertIsNotNone(leat.finding(record, "not-precise"))

    def test_a_budget_shorter_than_one_run_still_measures_once(self):
        record = self.record("run", "--budget", "1ms", "--", "sleep", "0.1")
        self.assertEqual(len(leat.kept(record)), 1)
        self.assertEqual(record["plan"]["stopped"], "budget")

    def test_n_is_not_cut_short_by_the_default_budget(self):
        record = self.record("run", "-n", "3", "--", self.tally, self.log)
        self.assertIsNone(record["plan"]["budget_ns"])

    def test_the_wall_time_of_a_sleep_is_its_length(self):
        record = self.record("run", "-n", "6", "--", "sleep", "0.1")
        for wall in leat.walls(record):
            self.assertGreaterEqual(wall, 100e6)
            self.assertLess(wall, 1e9)
        at = [t["at_ns"] for t in record["trials"]]
        self.assertEqual(at, sorted(at))
        for before, after in zip(at, at[1:]):
            self.assertGreaterEqual(after - before, 100e6)

    def test_the_interval_holds_the_centre_and_says_what_it_is(self):
        record = self.record("run", "-n", "8", "--", "sleep", "0.01")
        row = record["summaries"][0]
        self.assertEqual(row["level"] >= 0.95, True)
        self.assertTrue(row["lo"] <= row["center"] <= row["hi"])
        self.assertTrue(row["min"] <= row["median"] <= row["max"])
        self.assertRegex(row["what"], "95 %")

    def test_fewer_than_six_runs_give_no_interval_and_say_so(self):
        record = self.record("run", "-n", "5", "--", "true")
        row = record["summaries"][0]
        self.assertIsNone(row["lo"])
        self.assertIsNone(row["hi"])
        self.assertRegex(row["what"], "too few")
        self.assertRegex(self.ok("run", "-n", "5", "--", "true").out, "too few")


class WithWhat(leat.Case):
    SHOW = 'printf "%s\\n" "$@"; pwd; echo "$COLOUR,$EMPTY,${UNSET-unset}"'

    def output(self, *args, **how):
        """What the program printed, by way of --stdout file:PATH."""
        path = self.path("out")
        self.ok("run", "-q", "-n", "1", "--stdout", f"file:{path}", *args, **how)
        with open(path, encoding="utf-8") as file:
            return file.read()

    def test_arguments_arrive_unchanged(self):
        words = ["a b", "", "$HOME", "'", '"', "\\", "*", "a\nb", "-n", "--", "ü"]
        out = self.output("--", "python3", "-c", "import sys; print(sys.argv[1:])", *words)
        self.assertEqual(out.strip(), repr(words))

    def test_options_behind_the_command_are_the_commands(self):
        out = self.output("echo", "-n", "5", "--json", "x")
        self.assertEqual(out, "5 --json x")

    def test_env_sets_variables_and_the_last_one_holds(self):
        out = self.output(
            "--env", "COLOUR=red", "--env", "EMPTY=", "--env", "COLOUR=blue", "--env", "EQ=a=b",
            "--", "sh", "-c", 'echo "$COLOUR|$EMPTY|$EQ|${TMPDIR:+has TMPDIR}"',
        )
        self.assertEqual(out, "blue||a=b|has TMPDIR\n")

    def test_env_replaces_and_does_not_double_a_variable(self):
        out = self.output("--env", "LC_ALL=C", "--", "env")
        self.assertEqual(re.findall("^LC_ALL=.*", out, re.M), ["LC_ALL=C"])

    def test_cwd_is_where_the_program_runs(self):
        os.mkdir(self.path("there"))
        out = self.output("--cwd", "there", "--", "pwd")
        self.assertEqual(out.strip(), os.path.join(os.path.realpath(self.dir), "there"))

    def test_a_relative_program_is_found_from_cwd(self):
        os.mkdir(self.path("there"))
        with open(os.path.join(self.dir, "there/go"), "w", encoding="ascii") as file:
            file.write("#!/bin/sh\necho found\n")
        os.chmod(os.path.join(self.dir, "there/go"), 0o755)
        self.assertEqual(self.output("--cwd", "there", "--", "./go"), "found\n")

    def test_pin_is_the_programs_affinity_and_stands_in_the_record(self):
        cpu = min(os.sched_getaffinity(0))
        out = self.output(
            "--pin", str(cpu), "--", "python3", "-c", "import os; print(os.sched_getaffinity(0))"
        )
        self.assertEqual(out.strip(), f"{{{cpu}}}")
        record = self.record("run", "-n", "1", "--pin", str(cpu), "--", "true")
        self.assertEqual(record["plan"]["pin"], str(cpu))

    def test_the_program_has_no_descriptors_but_its_three(self):
        count = leat.compile_c("count-fds", r"""
#include <fcntl.h>
#include <stdio.h>
int main(void)
{
	for (int fd = 0; fd < 1024; fd++)
		if (fcntl(fd, F_GETFD) >= 0)
			printf("%d ", fd);
	return 0;
}
""")
        for how in ([], ["--pty"], ["--prepare", "true"]):
            if "--pty" in how:
                record = self.record("run", "-n", "1", "--pty", "--work-from", "2 ([0-9]+)", count)
                self.assertEqual(record["trials"][0]["work"], None, "a fourth descriptor")
            else:
                self.assertEqual(self.output(*how, "--", count), "0 1 2 ")

    def test_signals_of_the_program_are_as_without_leat(self):
        # whatever the test itself was started with: a background job ignores SIGINT
        command = ["grep", "-E", "^Sig(Blk|Ign)", "/proc/self/status"]
        plain = subprocess.run(command, stdout=subprocess.PIPE, text=True, check=True).stdout
        self.assertEqual(self.output("--", *command), plain)

    def test_a_pad_and_the_place_for_statistics_are_the_only_variables_added(self):
        out = self.output("--", "env", "-0", env={"ONLY": "1"}).split("\0")
        names = {entry.split("=")[0] for entry in out if entry}
        mine = set(self.environment({"ONLY": "1"}))
        self.assertEqual(names - mine, {"LEAT_PAD", "LEAT_STATS_DIR"})
        self.assertEqual(mine - names, set())

    def test_an_empty_environment_is_no_trouble(self):
        out = self.path("out")
        result = subprocess.run(
            [leat.LEAT, "run", "-q", "-n", "1", "--stdout", f"file:{out}", "--", "/usr/bin/env"],
            env={}, cwd=self.dir, stdout=subprocess.PIPE, stderr=subprocess.PIPE, check=False,
        )
        self.assertEqual((result.returncode, result.stderr), (0, b""))

    def test_shell_runs_the_line_through_sh(self):
        out = self.output("--shell", "--", "echo a | tr a b; echo $((6 * 7))")
        self.assertEqual(out, "b\n42\n")

    def test_one_quoted_argument_is_split_like_a_line(self):
        self.assertEqual(self.output("--", "echo 'a  b' \"c  d\" e\\ f"), "a  b c  d e f\n")


class Streams(leat.Case):
    def test_stdin_is_empty_by_default(self):  # T7
        record = self.record("run", "-n", "3", "--", "cat", stdin=b"not for the program")
        self.assertEqual(leat.outcomes(record), [("exit", 0)] * 3)
        self.assertEqual(record["plan"]["stdin"], "empty")

    def test_stdin_file_is_rewound_for_each_run(self):  # T7
        words = self.write("words", "one\ntwo\nthree\n")
        record = self.record(
            "run", "-n", "3", "--stdin", words, "--work-from", "^([0-9]+)$", "--", "wc", "-l"
        )
        self.assertEqual([t["work"] for t in record["trials"]], [3, 3, 3])
        self.assertEqual(record["plan"]["stdin"], words)

    def test_stdin_inherit_passes_leats_own(self):
        record = self.record(
            "run", "-n", "1", "--stdin", "inherit", "--work-from", "([0-9]+)", "--", "wc", "-c",
            stdin=b"12345",
        )
        self.assertEqual(record["trials"][0]["work"], 5)
        self.assertEqual(record["plan"]["stdin"], "inherit")

    def test_each_stdout_mode_is_what_the_program_sees_and_what_the_record_says(self):
        see = 'case $(readlink /proc/self/fd/1) in pipe:*) ;; esac; stat -Lc %F /proc/self/fd/1 >&2'
        kinds = {
            "null": "character special file",
            "pipe": "fifo",
            "file": "regular (empty )?file",
            "file:" + self.path("out"): "regular (empty )?file",
        }
        for mode, kind in kinds.items():
            with self.subTest(mode=mode):
                record = self.record(
                    "run", "-n", "1", "--stdout", mode, "--success", "3", "--ignore-failure",
                    "--", "sh", "-c", "stat -Lc %F - <&1 >&2; exit 3",
                )
                self.assertEqual(record["plan"]["stdout"], mode)
                self.assertRegex(record["trials"][0]["outcome"]["talk"], f"^{kind}$")

    def test_what_the_program_writes_never_lands_on_leats_stdout(self):
        for mode in ("null", "pipe", "file"):
            result = self.ok("run", "-q", "-n", "2", "--stdout", mode, "--", "echo", "XYZZY")
            self.assertEqual(result.out, "")
            self.assertEqual(result.err, "")

    def test_stdout_inherit_shows_each_runs_output(self):
        result = self.ok("run", "-q", "-n", "3", "--stdout", "inherit", "--", "echo", "XYZZY")
        self.assertEqual(result.out, "XYZZY\n" * 3)

    def test_stdout_file_holds_one_run_not_all(self):
        out = self.path("out")
        self.ok("run", "-q", "-n", "3", "--stdout", f"file:{out}", "--", "echo", "XYZZY")
        with open(out, encoding="ascii") as file:
            self.assertEqual(file.read(), "XYZZY\n")

    def test_null_stdout_is_warned_of_and_a_pipe_is_not(self):  # T5
        record = self.record("run", "-n", "1", "--", "true")
        self.assertIsNotNone(leat.finding(record, "stdout-null"))
        for mode in ("pipe", "file", "inherit"):
            record = self.record("run", "-n", "1", "--stdout", mode, "--", "true")
            self.assertIsNone(leat.finding(record, "stdout-null"))

    def test_grep_does_its_work_through_a_pipe_and_leat_says_how_much(self):  # T5
        big = self.write("big", ("a line of text, one of many\n" * 400000))
        through = self.record("run", "-n", "3", "--stdout", "pipe", "--", "grep", "a", big)
        null = self.record("run", "-n", "3", "--stdout", "null", "--", "grep", "a", big)
        size = os.path.getsize(big)
        self.assertEqual([t["outcome"]["out_bytes"] for t in through["trials"]], [size] * 3)
        self.assertEqual(null["plan"]["stdout"], "null")
        self.assertGreater(min(leat.walls(through)), min(leat.walls(null)))

    def test_pty_is_a_terminal_and_its_questions_are_answered(self):  # T6
        ask = leat.compile_c("ask", r"""
#include <poll.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <termios.h>
#include <unistd.h>
int main(void)
{
	struct termios t;
	char answer[64] = "";
	int len = 0;
	if (!isatty(0) || !isatty(1) || !isatty(2))
		return 3;
	tcgetattr(0, &t);
	cfmakeraw(&t);
	tcsetattr(0, TCSANOW, &t);
	write(1, "\033[6", 3); /* a question may come in pieces */
	usleep(2000);
	write(1, "n\033[c", 4);
	while (len < 60 && !strchr(answer, 'c')) {
		struct pollfd p = { 0, POLLIN };
		if (poll(&p, 1, 2000) <= 0)
			return 4;
		int got = read(0, answer + len, 60 - len);
		if (got <= 0)
			return 5;
		len += got;
		answer[len] = 0;
	}
	return strchr(answer, 'R') ? 0 : 6;
}
""")
        record = self.record("run", "-n", "2", "--pty", "--", ask)
        self.assertEqual(leat.outcomes(record), [("exit", 0)] * 2)
        self.assertLess(max(leat.walls(record)), 1.5e9)
        self.assertEqual(record["plan"]["stdout"], "pty")
        self.assertEqual(record["plan"]["stdin"], "pty")
        without = self.record("run", "-n", "1", "--success", "3", "--", ask)
        self.assertEqual(leat.outcomes(without), [("exit", 3)])

    def test_a_pty_program_does_not_write_on_leats_own_terminal_or_streams(self):
        result = self.ok("run", "-q", "-n", "2", "--pty", "--", "echo", "XYZZY")
        self.assertEqual((result.out, result.err), ("", ""))


class Work(leat.Case):
    def work(self, regex, line, *options, code=0):
        record = self.record(
            "run", "-n", "2", *options, "--work-from", regex, "--", "sh", "-c", line, code=code
        )
        return [t["work"] for t in record["trials"]], record

    def test_constant_work_gives_costs_per_unit(self):
        record = self.record("run", "-n", "6", "--work", "1000", "--", "sleep", "0.02")
        name = record["variants"][0]["name"]
        whole, unit = (leat.metric(record, name, "wall", per) for per in (False, True))
        self.assertIsNotNone(unit, "no cost per unit of work")
        self.assertAlmostEqual(unit["center"] * 1000, whole["center"], delta=1)
        self.assertRegex(self.ok("run", "-n", "6", "--work", "1000", "--", "true").out, "per unit")

    def test_work_is_found_on_stdout(self):
        self.assertEqual(self.work("done: ([0-9]+)", "echo done: 23")[0], [23, 23])

    def test_work_is_found_through_a_pipe_and_a_pty_as_well(self):
        for how in (["--stdout", "pipe"], ["--stdout", "file"], ["--pty"]):
            with self.subTest(how=how):
                self.assertEqual(self.work("done: ([0-9]+)", "echo done: 23", *how)[0], [23, 23])

    def test_work_is_found_on_stderr(self):
        self.assertEqual(self.work("done: ([0-9]+)", "echo done: 29 >&2")[0], [29, 29])

    def test_the_last_match_counts(self):
        self.assertEqual(self.work("n=([0-9]+)", "echo n=1 n=2; echo n=31")[0], [31, 31])

    def test_thousands_fractions_and_powers_are_numbers(self):
        for text, value in (("1,234,567", 1234567), ("2.5", 2.5), ("1.5e3", 1500)):
            self.assertEqual(self.work("n=([0-9.,e]+)", f"echo n={text}")[0], [value] * 2)

    def test_work_that_is_not_found_is_missing_not_zero(self):
        work, record = self.work("done: ([0-9]+)", "echo nothing")
        self.assertEqual(work, [None, None])
        self.assertIsNotNone(leat.finding(record, "work-missing"))
        name = record["variants"][0]["name"]
        unit = leat.metric(record, name, "wall", True)
        self.assertTrue(unit is None or unit["center"] is None, unit)

    def test_work_of_zero_is_not_divided_by(self):
        work, record = self.work("n=([0-9]+)", "echo n=0")
        self.assertEqual(work, [None, None])
        unit = leat.metric(record, record["variants"][0]["name"], "wall", True)
        self.assertTrue(unit is None or unit["center"] is None, unit)

    def test_a_regex_that_matches_nothing_between_the_letters_ends(self):
        self.assertEqual(self.work("x*", "echo 12345")[0], [None, None])

    def test_work_in_a_flood_of_output_is_found_at_its_end(self):
        self.assertEqual(
            self.work("done: ([0-9]+)", "yes | head -c 100000000; echo; echo done: 37")[0],
            [37, 37],
        )

    def test_work_behind_a_byte_of_zero_is_found(self):
        self.assertEqual(self.work("done: ([0-9]+)", "printf 'a\\0b\\n'; echo done: 41")[0], [41] * 2)


class Judging(leat.Case):
    def test_success_names_the_codes_that_are_none(self):
        record = self.record("run", "-n", "2", "--success", "0,3,7", "--", "sh", "-c", "exit 7")
        self.assertEqual(len(leat.kept(record)), 2)
        record = self.record("run", "-n", "2", "--success", "3", "--", "true", code=leat.PROGRAM)
        self.assertEqual(leat.kept(record), [])

    def test_the_first_failure_stops_it_with_the_code_named(self):  # T11
        go = self.script("go", "echo x >> log; [ $(wc -l < log) != 1 ] || { echo woe >&2; exit 5; }")
        self.path("log")
        record = self.record("run", "-n", "3", "--", go, code=leat.PROGRAM)
        self.assertEqual(self.count_lines("log"), 1)
        self.assertEqual(leat.outcomes(record), [("exit", 5)])
        self.assertTrue(record["partial"])
        self.assertEqual(record["plan"]["stopped"], "failure")
        self.assertRegex(self.result.err, "exit code 5")
        self.assertRegex(self.result.err, "woe")
        self.assertRegex(self.result.err, "run 1 ")

    def test_ignore_failure_goes_on_and_keeps_it_out_of_the_statistics(self):  # T11
        go = self.script("go", "echo x >> log; [ $(wc -l < log) != 1 ] || exit 5; sleep 0.01")
        self.path("log")
        record = self.record("run", "-n", "3", "--ignore-failure", "--", go)
        self.assertEqual(leat.outcomes(record), [("exit", 5), ("exit", 0), ("exit", 0)])
        self.assertEqual(len(leat.kept(record)), 2)
        self.assertEqual(record["summaries"][0]["n"], 2)
        failed = leat.finding(record, "failed-runs")
        self.assertEqual(failed["num"][:2], [1, 3])
        self.path("log")
        os.unlink(os.path.join(self.dir, "log"))
        self.assertRegex(self.ok("run", "-n", "3", "--ignore-failure", "--", go).out, r"1 of 3\b")

    def test_when_every_run_fails_ignoring_does_not_make_it_a_success(self):
        record = self.record("run", "-n", "2", "--ignore-failure", "--", "false", code=leat.PROGRAM)
        row = leat.metric(record, "false", "wall")
        self.assertTrue(row is None or row["center"] is None, "a mean over failed runs")
        self.assertRegex(self.result.err, "no run of 'false' succeeded")

    def test_a_timeout_ends_the_run_and_is_named(self):
        record = self.record("run", "-n", "2", "--timeout", "0.2", "--", "sleep", "30", code=4)
        self.assertEqual([t["outcome"]["kind"] for t in record["trials"]], ["timeout"])
        self.assertIn("asleep", record["trials"][0]["outcome"]["notes"])
        self.assertRegex(self.result.err, "timed out")
        self.assertLess(record["plan"]["wall_ns"], 5e9)

    def test_a_busy_program_that_times_out_is_not_called_asleep(self):
        record = self.record("run", "-n", "1", "--timeout", "0.3", "--", leat.burn(), "9e9", code=4)
        self.assertEqual(record["trials"][0]["outcome"]["kind"], "timeout")
        self.assertNotIn("asleep", record["trials"][0]["outcome"]["notes"])

    def test_nor_is_one_whose_other_threads_are_busy(self):
        spin = "def spin():\n while True: pass\n"
        code = f"import threading\n{spin}t = threading.Thread(target=spin)\nt.start()\nt.join()"
        record = self.record(
            "run", "-n", "1", "--timeout", "0.5", "--", sys.executable, "-c", code, code=4)
        self.assertNotIn("asleep", record["trials"][0]["outcome"]["notes"])

    def test_a_run_within_the_timeout_is_untouched(self):
        record = self.record("run", "-n", "2", "--timeout", "10s", "--", "true")
        self.assertEqual(leat.outcomes(record), [("exit", 0)] * 2)
        self.assertEqual(record["plan"]["timeout_ns"], 10e9)


class Preparing(leat.Case):
    def test_prepare_runs_before_each_run_and_is_not_measured(self):  # T17
        self.path("log")
        record = self.record(
            "run", "-n", "3", "--warmup", "1", "--prepare", "sleep 0.15; echo p >> log",
            "--", "sh", "-c", "echo r >> log",
        )
        with open(os.path.join(self.dir, "log"), encoding="ascii") as file:
            self.assertEqual(file.read().split(), ["p", "r"] * 4)
        self.assertEqual(record["plan"]["prepare"], "sleep 0.15; echo p >> log")
        self.assertLess(min(leat.walls(record)), 140e6)

    def test_a_preparation_that_fails_is_the_users_error_and_nothing_is_measured(self):
        self.path("log")
        result = self.leat(
            "run", "-n", "3", "--prepare", "echo no disk >&2; exit 9", "--",
            "sh", "-c", "echo r >> log",
        )
        self.assertEqual(self.count_lines("log"), 0)
        self.assertEqual(result.out, "")
        self.assertEqual(result.code, leat.PROGRAM, f"{result!r}")
        self.assertRegex(result.err, "preparation .*exit code 9")
        self.assertRegex(result.err, "no disk")

    def test_a_preparation_may_leave_a_server_for_the_program(self):
        self.path("pid")
        record = self.record(
            "run", "-n", "2", "--prepare", "sleep 60 >/dev/null 2>&1 & echo $! > pid",
            "--", "sh", "-c", "kill -0 $(cat pid)",
        )
        self.assertEqual(leat.outcomes(record), [("exit", 0)] * 2)
        self.assertIsNone(leat.finding(record, "left-children"))

    def test_a_preparation_does_not_print_on_leats_streams(self):
        result = self.ok("run", "-q", "-n", "1", "--prepare", "echo XYZZY; echo XYZZY >&2", "true")
        self.assertEqual((result.out, result.err), ("", ""))


if __name__ == "__main__":
    leat.main()
