# SPDX-License-Identifier: GPL-2.0-or-later
"""leat in odd surroundings: descriptors closed, no environment, no root, within itself, a
world that changes while it measures."""

import os
import resource
import shutil
import subprocess
import tempfile

import leat


class Descriptors(leat.Case):
    def shell(self, redirections, *args):
        """leat started by sh with descriptors closed or turned elsewhere."""
        process = self.helper(
            "sh", "-c", f'"$@" {redirections}', "sh", leat.LEAT, *args,
            stdin=subprocess.DEVNULL, stdout=subprocess.PIPE, stderr=subprocess.PIPE,
            env=self.environment(),
        )
        return self.finish(process)

    def test_with_any_of_its_descriptors_closed_the_record_is_right(self):
        path = self.path("record.json")
        see = "test -e /proc/self/fd/0 && test -e /proc/self/fd/1 && test -e /proc/self/fd/2"
        for closed in ("<&-", ">&-", "2>&-", "<&- >&-", "<&- >&- 2>&-", ">&- 2>&-", "<&- 2>&-"):
            for mode in ("null", "pipe", "file"):
                with self.subTest(closed=closed, mode=mode):
                    result = self.shell(
                        closed, "run", "-q", "-n", "2", "--stdout", mode, "--json", path, "--",
                        "sh", "-c", f"{see} && echo a && echo b >&2",
                    )
                    self.assertEqual(result.code, 0, f"{result!r}")
                    record = self.load(path)
                    self.assertEqual(leat.outcomes(record), [("exit", 0)] * 2)
                    if mode == "pipe":
                        self.assertEqual(record["trials"][0]["outcome"]["out_bytes"], 2)
                    os.unlink(path)

    def test_no_report_goes_into_a_file_that_took_a_closed_descriptor(self):
        path = self.path("record.json")
        self.shell(">&- 2>&-", "run", "-n", "2", "--json", path, "--", "true")
        self.load(path)

    def test_inherit_of_a_closed_descriptor_is_no_crash(self):
        result = self.shell(">&-", "run", "-q", "-n", "1", "--stdout", "inherit", "--", "true")
        self.assertIn(result.code, (0, leat.USAGE, leat.CANNOT), f"{result!r}")

    def test_few_descriptors_are_enough_or_named(self):
        for limit in (64, 16, 12, 8, 6):
            result = self.leat(
                "run", "-q", "-n", "2", "--", "true",
                preexec_fn=lambda: resource.setrlimit(resource.RLIMIT_NOFILE, (limit, limit)),
            )
            if result.code:
                self.assert_refused(result, "[Tt]oo many open files|descriptor", code=result.code)
                self.assertIn(result.code, (leat.CANNOT, leat.INTERNAL))


class World(leat.Case):
    def test_a_program_that_vanishes_leaves_what_was_measured(self):
        go = self.script("go", "echo x >> log; [ $(wc -l < log) != 3 ] || rm go")
        self.path("log")
        path = self.path("record.json")
        result = self.leat("run", "-n", "6", "--json", path, "--", go)
        self.assertNotEqual(result.code, 0)
        self.assertRegex(result.err, "cannot start .*go")
        record = self.load(path)
        self.assertTrue(record["partial"])
        self.assertEqual(len(leat.kept(record)), 3)

    def test_a_preparation_that_fails_later_leaves_what_was_measured(self):
        path = self.path("record.json")
        self.path("log")
        result = self.leat(
            "run", "-n", "6", "--json", path, "--prepare", "echo x >> log; [ $(wc -l < log) != 4 ]",
            "--", "true",
        )
        self.assertEqual(result.code, leat.PROGRAM, f"{result!r}")
        self.assertRegex(result.err, "preparation")
        record = self.load(path)
        self.assertTrue(record["partial"])
        self.assertEqual(len(leat.kept(record)), 3)

    def test_a_directory_that_vanished_is_no_crash(self):
        gone = tempfile.mkdtemp(dir=self.dir)
        process = self.helper(
            "sh", "-c", f'cd {gone} && rmdir {gone} && "$@"', "sh", leat.LEAT,
            "run", "-q", "-n", "2", "--", "true", stdout=subprocess.PIPE, stderr=subprocess.PIPE,
        )
        self.assertEqual(self.finish(process).code, 0)

    def test_no_place_for_temporary_files_is_named_before_anything_runs(self):
        mark = self.path("mark")
        result = self.leat(
            "run", "--stdout", "file", "--", "touch", mark, env={"TMPDIR": "/no/such/place"}
        )
        self.assert_refused(result, "/no/such/place", code=result.code)
        self.assertIn(result.code, (leat.USAGE, leat.CANNOT))
        self.assertFalse(os.path.exists(mark))

    def test_a_path_with_empty_and_missing_parts_still_finds_programs(self):
        self.script("here", "exit 0")
        for path in (":/usr/bin:/bin", "/usr/bin:/bin:", "/no/such::/usr/bin:/bin"):
            self.ok("run", "-q", "-n", "1", "--", "here", env={"PATH": path})
            self.ok("run", "-q", "-n", "1", "--", "true", env={"PATH": path})

    def test_the_first_program_in_the_path_that_can_run_is_the_one(self):
        os.mkdir(self.path("a"))
        os.mkdir(self.path("b"))
        with open(os.path.join(self.dir, "a/prog"), "w", encoding="ascii") as file:
            file.write("not executable")
        with open(os.path.join(self.dir, "b/prog"), "w", encoding="ascii") as file:
            file.write("#!/bin/sh\nexit 0\n")
        os.chmod(os.path.join(self.dir, "b/prog"), 0o755)
        path = f"{self.dir}/a:{self.dir}/b:/usr/bin:/bin"
        self.ok("run", "-q", "-n", "1", "--", "prog", env={"PATH": path})

    def test_words_that_are_not_utf_8_reach_the_program_and_the_record_stays_good(self):
        result = self.leat(
            "run", "-q", "-n", "1", "--json", self.path("x.json"), "--", "test",
            os.fsdecode(b"\xff\xfe"), "!=", "",
        )
        self.assertEqual(result.code, 0, f"{result!r}")
        self.load(os.path.join(self.dir, "x.json"))

    def test_a_comma_for_a_point_in_the_locale_changes_no_number(self):
        for name in ("de_DE.UTF-8", "C", "POSIX", "nonsense"):
            record = self.record(
                "run", "-n", "2", "--work", "1.5", "--", "true", env={"LC_ALL": name}
            )
            self.assertEqual(record["trials"][0]["work"], 1.5)

    def test_options_behind_the_commands_are_options_of_compare(self):
        for env in ({}, {"POSIXLY_CORRECT": "1"}):
            result = self.leat("compare", "-n", "6", "true", "true", env=env)
            self.assertEqual(result.code, 0, f"{result!r}")

    def test_leat_measures_leat(self):
        record = self.record(
            "run", "-n", "2", "--", leat.LEAT, "run", "-q", "-n", "3", "--", "sh", "-c", "sleep 60 &"
        )
        self.assertEqual(leat.outcomes(record), [("exit", 0)] * 2)
        self.assertEqual([t["outcome"]["left"] for t in record["trials"]], [0, 0])

    def test_leat_within_leat_ends_with_it(self):
        self.path("log")
        process = self.start(
            "run", "-q", "-n", "1", "--", leat.LEAT, "run", "-q", "-n", "1", "--",
            "sh", "-c", "echo x >> log; exec sleep 1000",
        )
        self.assertTrue(leat.wait_until(lambda: self.count_lines("log")))
        process.terminate()
        self.assertEqual(self.finish(process).code, 143)

    def test_two_at_once_do_not_disturb_each_other(self):
        both = [
            self.start("run", "-q", "-n", "5", "--stdout", "file", "--work-from", "n=([0-9]+)",
                       "--json", self.path(f"{i}.json"), "--", "sh", "-c", f"echo n={i}; sleep 0.02")
            for i in (23, 29)
        ]
        for process, i in zip(both, (23, 29)):
            self.assertEqual(self.finish(process).code, 0)
            record = self.load(os.path.join(self.dir, f"{i}.json"))
            self.assertEqual([t["work"] for t in record["trials"]], [i] * 5)


class Unprivileged(leat.Case):
    def setUp(self):
        super().setUp()
        if os.getuid() != 0:
            self.skipTest("not root: every other test is unprivileged already")
        # The build may lie where nobody else can go.
        self.public = tempfile.mkdtemp(prefix="leat-cli-public-")
        self.addCleanup(shutil.rmtree, self.public, ignore_errors=True)
        self.leat_copy = os.path.join(self.public, "leat")
        shutil.copy(leat.LEAT, self.leat_copy)
        os.chmod(self.public, 0o777)
        os.chmod(self.leat_copy, 0o755)

    def as_nobody(self, *args):
        process = self.helper(
            self.leat_copy, *args, user=65534, group=65534, extra_groups=[],
            stdout=subprocess.PIPE, stderr=subprocess.PIPE,
            env=dict(os.environ, TMPDIR=self.public),
        )
        return self.finish(process)

    def test_nobody_can_measure_and_compare(self):
        path = os.path.join(self.public, "x.json")
        result = self.as_nobody("run", "-n", "6", "--json", path, "--stdout", "file", "--", "true")
        self.assertEqual(result.code, 0, f"{result!r}")
        self.assertRegex(result.out, "wall +[0-9]")
        with open(path, encoding="utf-8") as file:
            self.check_record(leat.parse_json(file.read()))
        self.assertEqual(self.as_nobody("compare", "-q", "-n", "6", "true", "true").code, 0)

    def test_nobody_sees_the_meters_and_why_some_are_not_there(self):
        result = self.as_nobody("list", "meters")
        self.assertEqual((result.code, result.err), (0, ""))

    def test_a_program_that_nobody_may_run_is_refused(self):
        secret = os.path.join(self.public, "secret")
        with open(secret, "w", encoding="ascii") as file:
            file.write("#!/bin/sh\n")
        os.chmod(secret, 0o700)
        self.assert_refused(self.as_nobody("run", "--", secret), "secret' is not executable")

    def test_an_output_that_nobody_may_write_is_refused(self):
        self.assert_refused(self.as_nobody("run", "--json", "/root.json", "--", "true"), "/root.json")

    def test_a_process_of_another_user_is_measured_or_refused_with_the_reason(self):
        result = self.as_nobody("run", "-p", str(os.getpid()), "--for", "0.2")
        if result.code:
            self.assertEqual(result.code, leat.CANNOT, f"{result!r}")
        self.assertNotRegex(result.out, r"\bcpu +0\b")


if __name__ == "__main__":
    leat.main()
