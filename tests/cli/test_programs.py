# SPDX-License-Identifier: GPL-2.0-or-later
"""Programs that die, hang, flood or cannot be started: each is named as what it is, with the
right exit code, and nothing is left behind (which every test checks at its end)."""

import os
import subprocess

import leat


class Dying(leat.Case):
    def test_each_deadly_signal_is_named_and_fails_the_run(self):  # T10
        for number, name in ((9, "KILL"), (15, "TERM"), (11, "SEGV"), (13, "PIPE"), (2, "INT")):
            with self.subTest(signal=name):
                record = self.record(
                    "run", "-n", "3", "--", "sh", "-c", f"ulimit -c 0; kill -{number} $$",
                    code=leat.PROGRAM,
                )
                self.assertEqual(leat.outcomes(record), [("signal", number)])
                self.assertEqual(leat.kept(record), [])
                self.assertRegex(self.result.err, rf"signal {number} \(SIG{name}\)")
                self.assertTrue(record["partial"])

    def test_a_real_time_signal_is_named_without_nonsense(self):
        self.record("run", "-n", "1", "--", "sh", "-c", "kill -40 $$", code=leat.PROGRAM)
        self.assertRegex(self.result.err, r"signal 40")
        self.assertNotRegex(self.result.err, r"null|\(SIG\)")

    def test_a_core_dump_is_told(self):
        dumper = leat.compile_c("dumper", r"""
#include <stdlib.h>
#include <sys/resource.h>
int main(void)
{
	struct rlimit unlimited = { RLIM_INFINITY, RLIM_INFINITY };
	setrlimit(RLIMIT_CORE, &unlimited);
	abort();
}
""")
        with open("/proc/sys/kernel/core_pattern", encoding="ascii") as file:
            pattern = file.read().strip()
        if not pattern.startswith("core"):
            self.skipTest(f"core dumps go elsewhere: {pattern}")
        record = self.record("run", "-n", "1", "--", dumper, code=leat.PROGRAM)
        for name in os.listdir(self.dir):
            if name.startswith("core"):
                self.files.add(name)  # the program's own, in its own directory
        self.assertEqual(leat.outcomes(record), [("signal", 6)])
        self.assertIn("core", record["trials"][0]["outcome"]["notes"])
        self.assertIsNotNone(leat.finding(record, "core-dump"))
        self.assertRegex(self.result.err, r"SIGABRT.*core dumped")

    def test_an_exit_code_like_a_shells_signal_is_still_an_exit_code(self):
        record = self.record("run", "-n", "1", "--", "sh", "-c", "exit 137", code=leat.PROGRAM)
        self.assertEqual(leat.outcomes(record), [("exit", 137)])
        self.assertRegex(self.result.err, "exit code 137")

    def test_its_last_words_are_passed_on_in_one_printable_line(self):
        record = self.record(
            "run", "-n", "1", "--", "sh", "-c",
            r"printf 'first\n\033[31mred \001\002 woe\033[0m\r\n\n  \n' >&2; exit 1", code=4,
        )
        talk = record["trials"][0]["outcome"]["talk"]
        self.assertIn("woe", talk)
        self.assertTrue(talk.isprintable(), repr(talk))
        for line in self.result.err.splitlines():
            self.assertTrue(line.isprintable(), repr(line))

    def test_last_words_that_are_not_utf_8_still_give_a_good_record(self):
        self.record(
            "run", "-n", "1", "--", "sh", "-c", r"printf '\377\376\303 woe \355\240\200' >&2; exit 1",
            code=leat.PROGRAM,
        )
        self.assertRegex(self.result.err, "woe")


class Hanging(leat.Case):
    def test_a_program_that_ignores_every_signal_is_ended_by_the_timeout(self):
        record = self.record(
            "run", "-n", "1", "--timeout", "0.1", "--", leat.compile_c("stubborn", leat.STUBBORN), code=4
        )
        self.assertEqual(record["trials"][0]["outcome"]["kind"], "timeout")
        self.assertLess(record["plan"]["wall_ns"], 5e9)

    def test_a_program_that_stopped_itself_is_ended_by_the_timeout(self):
        record = self.record(
            "run", "-n", "1", "--timeout", "0.1", "--", "sh", "-c", "kill -STOP $$", code=4
        )
        self.assertEqual(record["trials"][0]["outcome"]["kind"], "timeout")

    def test_sigterm_comes_first_so_that_a_program_may_clean_up(self):
        self.path("bye")
        self.record(
            "run", "-n", "1", "--timeout", "0.2", "--",
            "sh", "-c", "trap 'echo bye > bye; exit 0' TERM; while :; do sleep 0.02; done", code=4,
        )
        self.assertEqual(self.count_lines("bye"), 1)

    def test_the_whole_tree_of_a_hanging_program_is_ended(self):
        record = self.record(
            "run", "-n", "1", "--timeout", "0.2", "--",
            "sh", "-c", "(setsid sleep 100 &) ; sleep 100 & sleep 100 | sleep 100", code=4,
        )
        self.assertEqual(record["trials"][0]["outcome"]["kind"], "timeout")

    def test_a_timeout_with_failures_ignored_goes_on(self):
        go = self.script("go", "echo x >> log; [ $(wc -l < log) != 2 ] || exec sleep 100")
        self.path("log")
        record = self.record("run", "-n", "3", "--timeout", "0.3", "--ignore-failure", "--", go)
        kinds = [t["outcome"]["kind"] for t in record["trials"]]
        self.assertEqual(kinds, ["exit", "timeout", "exit"])
        self.assertEqual(record["summaries"][0]["n"], 2)


class Talking(leat.Case):
    def test_a_flood_on_stdout_is_drained_counted_and_told(self):
        flood = "head -c 300000000 /dev/zero"
        for mode in ("pipe", "null"):
            record = self.record("run", "-n", "1", "--stdout", mode, "--", *flood.split())
            self.assertEqual(leat.outcomes(record), [("exit", 0)])
            if mode == "pipe":
                self.assertEqual(record["trials"][0]["outcome"]["out_bytes"], 300000000)
            self.assertLess(record["own"]["peak_bytes"], 100e6)

    def test_a_flood_of_more_than_a_gigabyte_is_called_one(self):
        record = self.record(
            "run", "-n", "1", "--stdout", "pipe", "--", "head", "-c", "1100000000", "/dev/zero"
        )
        self.assertEqual(record["trials"][0]["outcome"]["out_bytes"], 1.1e9)
        self.assertIsNotNone(leat.finding(record, "output-flood"))

    def test_a_flood_into_a_file_leaves_no_file(self):
        record = self.record(
            "run", "-n", "2", "--stdout", "file", "--", "head", "-c", "50000000", "/dev/zero"
        )
        self.assertEqual(leat.outcomes(record), [("exit", 0)] * 2)

    def test_a_flood_on_stderr_neither_blocks_the_program_nor_fills_the_record(self):
        self.record(
            "run", "-n", "1", "--", "sh", "-c", "yes woe | head -c 100000000 >&2; exit 1", code=4
        )
        self.assertLess(os.path.getsize(os.path.join(self.dir, "record.json")), 20000)
        self.assertRegex(self.result.err, "woe")
        self.assertLess(len(self.result.err), 1000)

    def test_an_endless_writer_is_ended_by_the_timeout(self):
        for mode in ("null", "pipe", "file", "inherit"):
            if mode in ("file", "inherit"):
                args = ["sh", "-c", "while :; do echo y; sleep 0.001; done"]
            else:
                args = ["yes"]
            record = self.record(
                "run", "-n", "1", "--timeout", "0.2", "--stdout", mode, "--", *args, code=4
            )
            self.assertEqual(record["trials"][0]["outcome"]["kind"], "timeout")

    def test_closed_descriptors_are_told_and_the_run_is_timed_to_its_end(self):
        record = self.record(
            "run", "-n", "1", "--stdout", "pipe", "--", "sh", "-c", "exec >&- 2>&-; sleep 0.3"
        )
        self.assertGreaterEqual(record["trials"][0]["readings"]["wall"], 0.3e9)
        self.assertIn("closed-output", record["trials"][0]["outcome"]["notes"])
        self.assertIsNotNone(leat.finding(record, "closed-output"))

    def test_a_long_run_that_closed_its_descriptors_is_told_in_every_mode(self):
        record = self.record("run", "-n", "1", "--", "sh", "-c", "exec >&- 2>&- <&-; sleep 1.2")
        self.assertIn("closed-output", record["trials"][0]["outcome"]["notes"])

    def test_a_program_that_ends_normally_closed_nothing(self):
        record = self.record("run", "-n", "2", "--stdout", "pipe", "--", "sh", "-c", "echo a; sleep 0.1")
        for trial in record["trials"]:
            self.assertEqual(trial["outcome"]["notes"], [])

    def test_a_pty_program_that_floods_its_terminal_is_drained(self):
        record = self.record("run", "-n", "1", "--pty", "--", "head", "-c", "5000000", "/dev/zero")
        self.assertEqual(leat.outcomes(record), [("exit", 0)])


class Unstartable(leat.Case):
    def test_a_script_without_its_first_line_is_called_one(self):
        path = self.write("go", "echo hi\n", 0o755)
        self.assert_refused(self.leat("run", "--", path), "script without a #! line")

    def test_a_script_whose_interpreter_is_missing_is_called_one(self):
        path = self.write("go", "#!/no/such/interpreter\n", 0o755)
        result = self.leat("run", "--", path)
        self.assert_refused(result, "cannot start")
        self.assertRegex(result.err, "interpreter")

    def test_a_binary_that_is_none_is_refused(self):
        for name, content in (
            ("noise", b"\x00\x01\x02\x03" * 100),
            ("elf", b"\x7fELF" + b"\0" * 200),
            ("nothing", b""),
        ):
            with self.subTest(name=name):
                path = self.write(name, content, 0o755)
                self.assert_refused(self.leat("run", "--", path), name)

    def test_a_program_for_another_machine_is_refused(self):
        with open(leat.empty(), "rb") as file:
            image = bytearray(file.read())
        image[18] = 0xB7 if image[18] != 0xB7 else 0x3E  # aarch64 or x86-64
        path = self.write("foreign", bytes(image), 0o755)
        result = self.leat("run", "--", path)
        if result.code == 0 or "exit code" in result.err or "signal" in result.err:
            self.skipTest("this machine starts it all the same (binfmt_misc)")
        self.assert_refused(result, "cannot start .*foreign")

    def test_a_program_that_is_open_for_writing_is_refused(self):
        with open(leat.empty(), "rb") as file:
            path = self.write("busy", file.read(), 0o755)
        with open(path, "ab"):
            result = self.leat("run", "--", path)
        self.assert_refused(result, "busy", code=result.code)
        self.assertIn(result.code, (leat.USAGE, leat.CANNOT))

    def test_no_processes_left_is_the_machines_limit_not_leats_failure(self):
        if os.getuid() == 0:
            self.skipTest("root has no such limit")
        result = subprocess.run(
            ["sh", "-c", f"ulimit -u 1; exec {leat.LEAT} run -n 1 -- true"], check=False
        )
        self.assertEqual(result.returncode, leat.CANNOT)


if __name__ == "__main__":
    leat.main()
