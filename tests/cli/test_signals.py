# SPDX-License-Identifier: GPL-2.0-or-later
"""Told to stop, at any moment: the measured tree ends, what was measured is reported as
partial, the exit code names the signal, and nothing is left (which every test checks)."""

import os
import pty
import random
import re
import select
import signal
import time
import unittest

import leat

NAMES = {signal.SIGINT: 130, signal.SIGTERM: 143, signal.SIGHUP: 129, signal.SIGQUIT: 131}

# Loaded into leat: it takes half a second to make its file, and to give it its name.
SLOW = r"""
#include <dlfcn.h>
#include <stdlib.h>
#include <unistd.h>
int mkostemp(char *path, int flags)
{
	int (*real)(char *, int) = dlsym(RTLD_NEXT, "mkostemp");
	int fd = real(path, flags);
	usleep(500000);
	return fd;
}
int rename(const char *from, const char *to)
{
	int (*real)(const char *, const char *) = dlsym(RTLD_NEXT, "rename");
	usleep(500000);
	return real(from, to);
}
"""


class Stopped(leat.Case):
    def interrupt(self, delay, signals, *args, pause=0.0, **how):
        """Starts leat, sends the signals, and returns how it ended."""
        process = self.start(*args, **how)
        time.sleep(delay)
        for number in signals:
            if process.poll() is None:
                process.send_signal(number)
            time.sleep(pause)
        return self.finish(process)

    def check_partial(self, path, number):
        record = self.load(path)
        self.assertTrue(record["partial"])
        self.assertEqual(record["plan"]["stopped"], "signal")
        self.assertEqual(record["plan"]["stop_signal"], int(number))
        return record

    def started(self, name="log", lines=1):
        """Waits until the measured program has written to its log."""
        self.path(name)
        self.assertTrue(leat.wait_until(lambda: self.count_lines(name) >= lines), "never started")

    def test_each_signal_ends_it_with_its_code_and_a_partial_record(self):
        for number, code in NAMES.items():
            with self.subTest(signal=number):
                path = self.path("record.json")
                log = self.path("log")
                process = self.start(
                    "run", "--json", path, "-n", "100000", "--",
                    "sh", "-c", "echo x >> log; sleep 0.02",
                )
                self.started(lines=8)
                process.send_signal(number)
                result = self.finish(process)
                self.assertEqual(result.code, code, f"{result!r}")
                record = self.check_partial(path, number)
                self.assertGreaterEqual(len(leat.kept(record)), 6)
                self.assertIsNotNone(record["summaries"][0]["lo"])
                self.assertRegex(result.out, "SIG" + number.name[3:])
                self.assertRegex(result.err, "stopped by " + number.name)
                self.assertRegex(result.err, "partial")
                os.unlink(log)

    def test_the_interrupted_run_is_cancelled_and_not_counted(self):
        path = self.path("record.json")
        process = self.start(
            "run", "-q", "--json", path, "-n", "3", "--", "sh", "-c", "echo x >> log; exec sleep 100"
        )
        self.started()
        process.send_signal(signal.SIGINT)
        self.assertEqual(self.finish(process).code, 130)
        record = self.check_partial(path, signal.SIGINT)
        self.assertEqual([t["outcome"]["kind"] for t in record["trials"]], ["cancelled"])
        self.assertEqual(leat.kept(record), [])

    def test_at_random_moments_it_ends_cleanly_or_had_ended(self):
        seed = random.randrange(1 << 32)
        rng = random.Random(seed)
        for i in range(12):
            verb = rng.choice(["run", "compare"])
            number = rng.choice(list(NAMES))
            delay = rng.choice([0, 0.001, 0.003, 0.01, 0.05, 0.2]) * rng.random()
            commands = ["sleep 0.01"] if verb == "run" else ["sleep 0.01", "sh -c 'sleep 0.01 & wait'"]
            with self.subTest(seed=seed, i=i, verb=verb, signal=number, delay=delay):
                path = self.path("record.json")
                if os.path.exists(path):
                    os.unlink(path)
                result = self.interrupt(
                    delay, [number], verb, "-q", "--json", path, "-n", "10000", "--", *commands
                )
                # Before leat listens the kernel ends it, as any program.
                if result.code == -number:
                    self.assertFalse(os.path.exists(path))
                    self.reap_after_kill()
                    continue
                self.assertEqual(result.code, 128 + number, f"{result!r}")
                self.assertEqual(result.out, "")
                self.check_partial(path, number)
                self.assertEqual(self.strangers(), {})

    @unittest.skipIf(leat.SANITIZED, "a sanitized leat cannot be loaded behind another library")
    def test_while_its_files_are_opened_or_named_nothing_is_left_of_them(self):
        slow = leat.compile_c("slow.so", SLOW, "-ldl", shared=True)
        path = self.path("record.json")

        def size():
            for name in os.listdir(self.dir):
                if name.startswith("record.json."):
                    return os.path.getsize(os.path.join(self.dir, name))
            return -1

        for when, numbers in (("opened", [signal.SIGINT]), ("opened", [signal.SIGTERM]),
                              ("named", [signal.SIGINT]), ("named", [signal.SIGTERM] * 3)):
            with self.subTest(when=when, numbers=numbers):
                process = self.start(
                    "run", "-q", "--json", path, "-n", "2", "--", "true", env={"LD_PRELOAD": slow}
                )
                ready = (lambda: size() >= 0) if when == "opened" else (lambda: size() > 0)
                self.assertTrue(leat.wait_until(ready))
                for number in numbers:
                    process.send_signal(number)
                    time.sleep(0.01)
                result = self.finish(process)
                self.assertEqual(size(), -1, "half a file is left")
                if when == "opened":
                    self.assertIn(result.code, (-numbers[0], 128 + numbers[0]), f"{result!r}")
                else:  # all was measured: the record is whole, whichever code it ends with
                    self.assertFalse(self.load(path)["trials"] == [])
                    os.unlink(path)
                if os.path.exists(path):
                    self.check_partial(path, numbers[0])
                    os.unlink(path)

    def test_several_signals_in_a_row_end_it_all_the_same(self):
        many = [signal.SIGINT, signal.SIGINT, signal.SIGTERM, signal.SIGHUP, signal.SIGINT]
        for pause in (0, 0.02):
            path = self.path("record.json")
            result = self.interrupt(
                0.2, many, "run", "-q", "--json", path, "-n", "1000", "--", "sleep", "0.05",
                pause=pause,
            )
            # Of those that wait together the kernel hands out the lowest number first.
            self.assertIn(result.code, (130,) if pause else (130, 129, 143), f"{result!r}")
            self.check_partial(path, result.code - 128)

    def test_a_program_that_ignores_the_signal_is_ended_all_the_same(self):
        process = self.start(
            "run", "-q", "-n", "1", "--", "sh", "-c",
            "trap '' INT TERM HUP; echo x >> log; while :; do sleep 0.1; done",
        )
        self.started()
        process.send_signal(signal.SIGTERM)
        self.assertEqual(self.finish(process, timeout=10).code, 143)

    def test_a_second_signal_does_not_wait_for_a_program_that_takes_its_time(self):
        process = self.start(
            "run", "-q", "-n", "1", "--", "sh", "-c",
            "trap '' INT; echo x >> log; while :; do sleep 0.1; done",
        )
        self.started()
        begin = time.monotonic()
        process.send_signal(signal.SIGINT)
        process.send_signal(signal.SIGINT)
        time.sleep(0.02)
        process.send_signal(signal.SIGINT)
        self.assertEqual(self.finish(process, timeout=10).code, 130)
        self.assertLess(time.monotonic() - begin, 5)

    def test_a_program_that_cleans_up_on_the_signal_may_do_so(self):
        self.path("bye")
        process = self.start(
            "run", "-q", "-n", "1", "--", "sh", "-c",
            "trap 'echo bye >> bye; exit 0' TERM; echo x >> log; while :; do sleep 0.02; done",
        )
        self.started()
        process.send_signal(signal.SIGTERM)
        self.assertEqual(self.finish(process).code, 143)
        self.assertEqual(self.count_lines("bye"), 1)

    def test_a_forked_and_detached_tree_ends_with_it(self):
        process = self.start(
            "run", "-q", "-n", "1", "--", "sh", "-c",
            "(setsid sh -c 'trap \"\" TERM; sleep 1000' &) ; sleep 1000 & echo x >> log; wait",
        )
        self.started()
        process.send_signal(signal.SIGTERM)
        self.assertEqual(self.finish(process).code, 143)

    def test_while_the_preparation_runs_it_ends_as_well(self):
        for number in (signal.SIGINT, signal.SIGTERM):
            path = self.path("record.json")
            log = self.path("log")
            process = self.start(
                "run", "-q", "--json", path, "-n", "3", "--prepare",
                "echo x >> log; sleep 100", "--", "true",
            )
            self.started()
            process.send_signal(number)
            result = self.finish(process)
            self.assertEqual(result.code, 128 + number, f"{result!r}")
            record = self.check_partial(path, number)
            self.assertEqual(record["trials"], [])
            os.unlink(log)

    def test_what_a_preparation_left_running_ends_too(self):
        process = self.start(
            "run", "-q", "-n", "1", "--prepare", "setsid sleep 1000 >/dev/null 2>&1 &", "--",
            "sh", "-c", "echo x >> log; sleep 100",
        )
        self.started()
        process.send_signal(signal.SIGINT)
        self.assertEqual(self.finish(process).code, 130)

    def test_while_descendants_are_waited_for_it_ends_as_well(self):
        process = self.start(
            "run", "-q", "-n", "1", "--descendants", "wait", "--",
            "sh", "-c", "sleep 1000 & echo x >> log",
        )
        self.started()
        time.sleep(0.1)
        process.send_signal(signal.SIGINT)
        self.assertEqual(self.finish(process).code, 130)

    def test_before_the_first_run_is_done_there_is_no_number_at_all(self):
        process = self.start("run", "-n", "5", "--", "sh", "-c", "echo x >> log; sleep 100")
        self.started()
        process.send_signal(signal.SIGINT)
        result = self.finish(process)
        self.assertEqual(result.code, 130)
        self.assertNotRegex(result.out, r"\b0(\.0+)? (ns|µs|ms|s)\b")
        self.assertRegex(result.out + result.err, "SIGINT")

    def test_a_compare_stopped_between_pairs_judges_whole_pairs_only(self):
        path = self.path("record.json")
        process = self.start(
            "compare", "-q", "--json", path, "-n", "1000", "--",
            "sh -c 'echo x >> log; sleep 0.01'", "sleep 0.02",
        )
        self.started(lines=10)
        process.send_signal(signal.SIGINT)
        self.assertEqual(self.finish(process).code, 130)
        record = self.check_partial(path, signal.SIGINT)
        row = leat.comparison(record)
        names = [v["name"] for v in record["variants"]]
        blocks = [{t["block"] for t in leat.kept(record, name)} for name in names]
        self.assertEqual(row["n"], len(blocks[0] & blocks[1]))
        self.assertGreaterEqual(row["n"], 6)

    def test_an_existing_output_is_replaced_by_the_whole_partial_record_or_not_at_all(self):
        path = self.write("record.json", "what was here before\n")
        process = self.start(
            "run", "-q", "--json", path, "-n", "9999", "--", "sh", "-c", "echo x >> log"
        )
        self.started(lines=3)
        process.send_signal(signal.SIGTERM)
        self.assertEqual(self.finish(process).code, 143)
        self.check_partial(path, signal.SIGTERM)

    def test_ignored_signals_stay_ignored_as_under_nohup(self):
        process = self.start(
            "run", "-q", "-n", "3", "--", "sh", "-c", "echo x >> log; sleep 0.1",
            preexec_fn=lambda: signal.signal(signal.SIGHUP, signal.SIG_IGN),
        )
        self.started()
        process.send_signal(signal.SIGHUP)
        self.assertEqual(self.finish(process).code, 0)
        self.assertEqual(self.count_lines("log"), 3)

    def test_a_stopped_and_continued_leat_goes_on(self):
        process = self.start("run", "-q", "-n", "4", "--", "sh", "-c", "echo x >> log; sleep 0.1")
        self.started()
        process.send_signal(signal.SIGSTOP)
        time.sleep(0.2)
        process.send_signal(signal.SIGCONT)
        self.assertEqual(self.finish(process).code, 0)
        self.assertEqual(self.count_lines("log"), 4)


class Killed(leat.Case):
    """kill -9 of leat itself: the launcher hears the end of its socket and ends the tree."""

    def kill(self, *args):
        process = self.start(*args)
        self.path("log")
        self.assertTrue(leat.wait_until(lambda: self.count_lines("log") >= 1), "never started")
        process.kill()
        process.communicate()
        self.mine.discard(process.pid)
        self.reap_after_kill()

    def test_the_measured_tree_ends(self):
        self.kill("run", "-q", "-n", "5", "--", "sh", "-c", "echo x >> log; sleep 1000")

    def test_a_detached_and_stubborn_tree_ends(self):
        self.kill(
            "run", "-q", "-n", "5", "--", "sh", "-c",
            "(setsid sh -c 'trap \"\" TERM HUP INT; sleep 1000; sleep 1000' &) ; echo x >> log; wait;"
            "sleep 1000",
        )

    def test_the_tree_of_a_compare_ends(self):
        self.kill("compare", "-q", "--", *["sh -c 'echo x >> log; sleep 1000'"] * 2)

    def test_a_preparation_ends(self):
        self.kill("run", "-q", "--prepare", "echo x >> log; sleep 1000", "--", "true")

    def test_no_file_is_left_but_the_one_being_written_at_most(self):
        path = self.path("record.json")
        process = self.start(
            "run", "-q", "--json", path, "--stdout", "file", "-n", "5", "--",
            "sh", "-c", "echo x >> log; sleep 1000",
        )
        self.path("log")
        leat.wait_until(lambda: self.count_lines("log") >= 1)
        process.kill()
        process.communicate()
        self.mine.discard(process.pid)
        self.reap_after_kill()
        self.assertFalse(os.path.exists(path), "a half record under the final name")
        for name in os.listdir(self.dir):
            if name.startswith("record.json."):
                self.assertEqual(os.path.getsize(os.path.join(self.dir, name)), 0)
                self.files.add(name)  # nobody is left to remove it

    def test_a_launcher_that_is_killed_ends_leat_with_a_clear_line(self):
        process = self.start("run", "-n", "5", "--", "sh", "-c", "echo x >> log; exec sleep 1000")
        self.path("log")
        leat.wait_until(lambda: self.count_lines("log") >= 1)
        launcher = leat.descendants(process.pid)[0]
        self.assertIn("leat", leat.comm(launcher))
        os.kill(launcher, signal.SIGKILL)
        result = self.finish(process)
        self.assert_refused(result, "launcher", code=leat.INTERNAL)
        # Its orphans went to the next reaper, which here is this test.
        for pid in self.strangers():
            os.kill(pid, signal.SIGKILL)
        self.reap_after_kill()


class Terminal(leat.Case):
    """leat on a real terminal, where ^C goes to its whole foreground group."""

    def on_terminal(self, *args):
        pid, fd = pty.fork()
        if pid == 0:
            os.chdir(self.dir)
            os.execve(leat.LEAT, [leat.LEAT, *args], self.environment())
        self.mine.add(pid)
        self.addCleanup(os.close, fd)
        return pid, fd

    def read(self, fd, until=None, seconds=10):
        """What the terminal shows, until a pattern is seen or leat closes it."""
        text, end = "", time.monotonic() + seconds
        while time.monotonic() < end and not (until and re.search(until, text)):
            if not select.select([fd], [], [], 0.1)[0]:
                continue
            try:
                more = os.read(fd, 65536)
            except OSError:
                break
            if not more:
                break
            text += more.decode("utf-8", "replace")
        return text

    def wait(self, pid):
        self.mine.discard(pid)
        _, status = os.waitpid(pid, 0)
        return os.waitstatus_to_exitcode(status)

    def test_control_c_ends_it_with_a_partial_report(self):
        log = self.path("log")
        pid, fd = self.on_terminal(
            "run", "-n", "100000", "--", "sh", "-c", "echo x >> log; sleep 0.02"
        )
        self.assertTrue(leat.wait_until(lambda: self.count_lines("log") >= 8))
        os.write(fd, b"\x03")
        text = self.read(fd)
        self.assertEqual(self.wait(pid), 130)
        self.assertRegex(text, "SIGINT")
        self.assertRegex(text, "wall +[0-9]")
        self.assertTrue(log)

    def test_control_backslash_ends_it_without_a_core(self):
        self.path("log")
        pid, fd = self.on_terminal("run", "-n", "1", "--", "sh", "-c", "echo x >> log; sleep 100")
        self.assertTrue(leat.wait_until(lambda: self.count_lines("log") >= 1))
        os.write(fd, b"\x1c")
        self.read(fd)
        self.assertEqual(self.wait(pid), 131)

    def test_progress_is_drawn_on_a_terminal_and_taken_away(self):
        pid, fd = self.on_terminal("run", "-n", "20", "--", "sleep", "0.03")
        text = self.read(fd)
        self.assertEqual(self.wait(pid), 0)
        self.assertRegex(text, r"\[#*\.*\] *[0-9]+ done")
        *_, last = re.split("\r(?!\n)", text)
        self.assertNotIn(" done", last)
        self.assertRegex(last, "wall +[0-9]")

    def test_a_long_run_shows_that_it_still_runs(self):
        pid, fd = self.on_terminal("run", "-n", "1", "--", "sleep", "2.3")
        text = self.read(fd)
        self.assertEqual(self.wait(pid), 0)
        self.assertRegex(text, "this one for [12] s")

    def test_quiet_is_quiet_on_a_terminal_too(self):
        pid, fd = self.on_terminal("run", "-q", "-n", "10", "--", "sleep", "0.03")
        text = self.read(fd)
        self.assertEqual(self.wait(pid), 0)
        self.assertEqual(text, "")

    def test_the_measured_program_does_not_get_the_terminal(self):
        pid, fd = self.on_terminal(
            "run", "-q", "-n", "1", "--", "sh", "-c", "! test -t 0 && ! test -t 1 && ! test -t 2 && "
            "! (: < /dev/tty) 2>/dev/null",
        )
        text = self.read(fd)
        self.assertEqual(self.wait(pid), 0, text)

    def test_pass_exit_on_a_terminal_gives_the_program_the_terminal(self):
        pid, fd = self.on_terminal(
            "run", "--pass-exit", "--", "sh", "-c", "test -t 0 && test -t 1 && read x && echo got $x"
        )
        os.write(fd, b"XYZZY\n")
        text = self.read(fd)
        self.assertEqual(self.wait(pid), 0, text)
        self.assertRegex(text, "got XYZZY")
        self.assertRegex(text, "wall +[0-9]")

    def test_control_c_under_pass_exit_reaches_the_program_and_its_own_ending_counts(self):
        self.path("log")
        pid, fd = self.on_terminal(
            "run", "--pass-exit", "--", "sh", "-c",
            "trap 'echo bye; exit 3' INT; echo x >> log; while :; do sleep 0.02; done",
        )
        self.assertTrue(leat.wait_until(lambda: self.count_lines("log") >= 1))
        os.write(fd, b"\x03")
        text = self.read(fd)
        code = self.wait(pid)
        self.assertRegex(text, "bye")
        self.assertIn(code, (3, 130))


if __name__ == "__main__":
    leat.main()
