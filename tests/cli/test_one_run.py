# SPDX-License-Identifier: GPL-2.0-or-later
"""A single run that stands in for the program (--pass-exit, as time does), and a process
that runs already (-p)."""

import os
import signal
import subprocess
import time

import leat


class PassExit(leat.Case):
    def passing(self, *command, options=(), **how):
        return self.leat("run", "--pass-exit", *options, "--", *command, **how)

    def test_the_exit_code_is_the_programs(self):
        for code in (0, 1, 2, 5, 77, 137, 255):
            self.assertEqual(self.passing("sh", "-c", f"exit {code}").code, code)

    def test_a_signal_is_128_more(self):
        for number in (1, 2, 9, 11, 15):
            result = self.passing("sh", "-c", f"ulimit -c 0; kill -{number} $$")
            self.assertEqual(result.code, 128 + number, f"{result!r}")

    def test_it_runs_once(self):
        self.path("log")
        self.passing("sh", "-c", "echo x >> log")
        self.assertEqual(self.count_lines("log"), 1)

    def test_stdin_and_stdout_pass_through_and_the_report_is_on_stderr(self):
        content = bytes(range(256)) * 5000
        process = self.start("run", "--pass-exit", "--", "cat", stdin=subprocess.PIPE)
        out, err = process.communicate(content, timeout=20)
        self.mine.discard(process.pid)
        self.assertEqual(process.returncode, 0)
        self.assertEqual(out, content)
        self.assertRegex(err.decode(), "wall +[0-9]")

    def test_its_stderr_passes_through_as_well(self):
        result = self.passing("sh", "-c", "echo woe >&2; exit 3", options=["-q"])
        self.assertEqual((result.code, result.out, result.err.splitlines()[0]), (3, "", "woe"))

    def test_quiet_adds_nothing_of_its_own(self):
        result = self.passing("sh", "-c", "echo out; echo err >&2", options=["-q"])
        self.assertEqual((result.code, result.out, result.err), (0, "out\n", "err\n"))

    def test_a_record_is_saved_whatever_the_code(self):
        for code in (0, 7):
            record = self.record("run", "--pass-exit", "--", "sh", "-c", f"exit {code}", code=code)
            self.assertEqual(leat.outcomes(record), [("exit", code)])
            self.assertEqual(record["plan"]["stdin"], "inherit")
            self.assertEqual(record["plan"]["stdout"], "inherit")

    def test_the_run_of_a_program_that_said_no_is_measured_all_the_same(self):
        result = self.passing("sh", "-c", "sleep 0.05; exit 1")
        self.assertEqual(result.code, 1)
        self.assertRegex(result.err, r"wall +[0-9]")

    def test_a_program_that_cannot_be_started_is_a_usage_error(self):
        self.assert_refused(self.passing("no-such-program"), "no-such-program")

    def test_a_timeout_is_not_taken_for_the_programs_code(self):
        result = self.passing("sleep", "100", options=["--timeout", "0.2"])
        self.assertEqual(result.code, leat.PROGRAM, f"{result!r}")
        self.assertRegex(result.err, "timed out")

    def test_the_program_is_in_leats_process_group_so_that_job_control_works(self):
        process = self.start(
            "run", "-q", "--pass-exit", "--", "sh", "-c", "ps -o pgid= -p $$; echo x >> log; sleep 0.2",
            start_new_session=True,
        )
        self.path("log")
        result = self.finish(process)
        self.assertEqual(int(result.out), process.pid)

    def test_a_signal_to_leat_ends_both_with_the_signals_code(self):
        process = self.start("run", "-q", "--pass-exit", "--", "sh", "-c", "echo x >> log; exec sleep 99")
        self.path("log")
        leat.wait_until(lambda: self.count_lines("log"))
        process.send_signal(signal.SIGTERM)
        self.assertEqual(self.finish(process).code, 143)

    def test_stdin_can_still_be_a_file(self):
        words = self.write("words", "one\ntwo\n")
        result = self.passing("cat", options=["-q", "--stdin", words])
        self.assertEqual(result.out, "one\ntwo\n")


class Attached(leat.Case):
    def attach(self, process, *args, code=0, **how):
        return self.record("run", "-p", process.pid, *args, code=code, **how)

    def test_a_running_process_is_measured_for_as_long_as_asked(self):
        sleeper = self.helper("sleep", "100")
        begin = time.monotonic()
        record = self.attach(sleeper, "--for", "0.4")
        self.assertTrue(0.4 <= time.monotonic() - begin < 5)
        self.assertEqual(record["plan"]["verb"], "attach")
        self.assertEqual([t["outcome"]["kind"] for t in record["trials"]], ["window"])
        self.assertAlmostEqual(record["trials"][0]["readings"]["wall"], 0.4e9, delta=0.2e9)
        self.assertIsNone(sleeper.poll(), "the process was ended")

    def test_a_busy_process_shows_its_cpu_time(self):
        self.need_meter("cpu")
        burner = self.helper(leat.burn(), "1e9")
        record = self.attach(burner, "--for", "1")
        reading = record["trials"][0]["readings"]["cpu"]
        self.assertGreater(reading["num"] if isinstance(reading, dict) else reading, 0.05e9)

    def test_an_idle_process_costs_nothing_measurable(self):
        self.need_meter("cpu")
        record = self.attach(self.helper("sleep", "100"), "--for", "0.5")
        reading = record["trials"][0]["readings"]["cpu"]
        self.assertLess(reading["num"] if isinstance(reading, dict) else reading, 20e6)

    def test_a_process_that_ends_early_is_told(self):
        sleeper = self.helper("sleep", "1.4")
        path = self.path("x.json")
        result = self.leat("run", "--json", path, "-p", sleeper.pid, "--for", "60")
        sleeper.wait()
        self.assertIn(result.code, (0, leat.CANNOT), f"{result!r}")
        record = self.load(path)
        self.assertEqual(record["plan"]["stopped"], "ended")
        self.assertRegex(result.out + result.err, r"\bended\b")

    def test_a_process_that_ends_before_one_window_is_whole_gives_no_number(self):
        sleeper = self.helper("sleep", "0.3")
        result = self.leat("run", "-p", sleeper.pid, "--for", "60")
        self.assertEqual(result.code, leat.CANNOT, f"{result!r}")
        self.assertNotEqual(result.err, "", "in silence")

    def interrupted(self, seconds, *options):
        sleeper = self.helper("sleep", "100")
        path = self.path("x.json")
        process = self.start("run", "--json", path, "-p", sleeper.pid, *options)
        time.sleep(seconds)
        process.send_signal(signal.SIGINT)
        result = self.finish(process)
        self.assertEqual(result.code, 130)
        record = self.load(path)
        self.assertTrue(record["partial"])
        self.assertIsNone(sleeper.poll(), "the process was ended too")
        return record

    def test_control_c_reports_the_windows_there_were(self):
        record = self.interrupted(1.4, "--for", "20")
        self.assertEqual(len(leat.kept(record)), 1)

    def test_control_c_within_the_first_window_reports_what_there_was_of_it(self):
        record = self.interrupted(0.7, "--for", "60")
        self.assertEqual(len(leat.kept(record)), 1, "the only window was thrown away")

    def test_work_per_window_gives_costs_per_unit(self):
        record = self.attach(self.helper("sleep", "100"), "--for", "0.2", "--work", "50")
        self.assertEqual(record["trials"][0]["work"], 50)

    def test_a_zombie_a_kernel_thread_and_a_thread_are_no_crash(self):
        zombie = self.helper("true")
        leat.wait_until(lambda: leat.children().get(zombie.pid, ("", ""))[1] == "Z")
        for pid in (zombie.pid, 2):
            result = self.leat("run", "-p", pid, "--for", "0.2")
            self.assertIn(result.code, (0, leat.CANNOT), f"{pid}: {result!r}")
            self.assertNotRegex(result.out, r"\b(inf|nan)\b")

    def test_leat_itself_cannot_be_asked_to_hang_on_itself(self):
        result = self.leat("run", "-p", os.getpid(), "--for", "0.2")
        self.assertEqual(result.code, 0, f"{result!r}")


if __name__ == "__main__":
    leat.main()
