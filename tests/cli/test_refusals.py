# SPDX-License-Identifier: GPL-2.0-or-later
"""Bad input: one clear line, perhaps a hint, nothing on stdout, exit code 2, and no file."""

import os
import stat
import subprocess
import time

import leat

NO_NUMBERS = ["", " ", "x", "nan", "NaN", "inf", "-inf", "0x10", "1e", "--", "1 2", "1,5", "٣", "+",
              ".", "1.2.3", "\n1", "1\n"]


class Usage(leat.Case):
    def test_no_verb_shows_how_and_fails(self):
        result = self.leat()
        self.assertEqual((result.code, result.out), (leat.USAGE, ""))
        self.assertRegex(result.err, "Usage: leat VERB")

    def test_an_unknown_verb_is_named(self):
        for verb in ("rnu", "", "-x", "--json"):
            self.assert_refused(self.leat(verb), "no verb '" + verb)

    def test_an_unknown_option_is_named(self):
        for verb in ("run", "compare", "report"):
            with self.subTest(verb=verb):
                self.assert_refused(self.leat(verb, "--frobnicate", "--", "true"), "frobnicate")
                self.assert_refused(self.leat(verb, "-Z", "--", "true"), "Z")

    def test_an_option_without_its_value_is_named(self):
        for verb, option in (("run", "-n"), ("run", "--json"), ("compare", "--gate"), ("report", "-f")):
            self.assert_refused(self.leat(verb, option), option.strip("-"))

    def test_a_value_for_an_option_that_takes_none_is_refused(self):
        self.assert_refused(self.leat("run", "--pty=yes", "--", "true"), "pty")

    def test_help_is_on_stdout_and_fits_80_columns(self):
        for args in (["--help"], ["run", "--help"], ["compare", "--help"], ["report", "--help"],
                     ["bench", "--help"], ["list", "--help"]):
            with self.subTest(args=args):
                result = self.ok(*args)
                self.assertEqual(result.err, "")
                self.assertRegex(result.out, "^Usage: leat")
                for line in result.out.splitlines():
                    self.assertLessEqual(len(line), 80, line)
        for verb in ("run", "compare", "report"):
            self.assertRegex(self.ok(verb, "--help").out, r"Examples:\n(  leat .*\n)+\Z")

    def test_version_is_one_line(self):
        self.assertRegex(self.ok("--version").out, r"^leat [0-9]+\.[0-9]+\.[0-9]+\n\Z")

    def test_help_of_each_common_option_has_one_name_in_run_and_compare(self):
        common = ["-n", "--warmup", "-m", "--work", "--pin", "--seed", "--timeout", "--json", "--csv",
                  "-q", "-v", "--budget", "--prepare", "--env", "--cwd", "--shell", "--stdin", "--stdout"]
        for verb in ("run", "compare"):
            text = self.ok(verb, "--help").out
            for option in common:
                self.assertIn(option, text, f"{verb} lacks {option}")

    def test_list_meters_names_each_with_its_state(self):
        begin = time.monotonic()
        result = self.ok("list", "meters")
        self.assertLess(time.monotonic() - begin, 1.0)
        self.assertRegex(result.out, "(?m)^wall +")
        self.assertRegex(result.out, "(?m)^null +")

    def test_list_of_something_unknown_is_refused(self):
        for args in (["list"], ["list", "unicorns"], ["list", "meters", "more"]):
            result = self.leat(*args)
            self.assertEqual((result.code, result.out), (leat.USAGE, ""), f"{args}: {result!r}")


class Commands(leat.Case):
    def both(self, command, pattern, code=leat.USAGE):
        """The same command is refused by run and by compare, whichever side it is on."""
        self.assert_refused(self.leat("run", "--", command), pattern, code)
        self.assert_refused(self.leat("compare", "--", command, "true"), pattern, code)
        self.assert_refused(self.leat("compare", "--", "true", command), pattern, code)

    def test_an_empty_command_is_refused(self):
        self.assert_refused(self.leat("run"), "no command")
        self.assert_refused(self.leat("run", "--"), "no command")
        self.both("", "empty")
        self.both("   ", "empty|no program")
        self.assert_refused(self.leat("run", "--shell", "--", " "), "empty")
        self.assert_refused(self.leat("compare", "--shell", "--", "true", ""), "empty")

    def test_compare_needs_two_commands(self):
        self.assert_refused(self.leat("compare"), "no commands")
        self.assert_refused(self.leat("compare", "--", "true"), "only one command")

    def test_a_missing_program_is_named(self):
        self.both("no-such-program-here", "no program 'no-such-program-here'")
        self.both("./no-such-file", "no program './no-such-file'")
        self.both("/no/such/dir/prog", "/no/such/dir/prog")

    def test_a_directory_is_not_a_program(self):
        os.mkdir(self.path("folder"))
        self.both("./folder", "folder' is a directory")
        self.both("/tmp", "/tmp' is a directory")

    def test_a_file_that_is_not_executable_is_named(self):
        self.write("data", "#!/bin/sh\n", 0o644)
        self.both("./data", "data' is not executable")

    def test_a_file_in_the_way_of_a_directory_is_named(self):
        self.write("data", "x")
        self.both("./data/prog", "data/prog")

    def test_a_loop_of_links_is_a_usage_error(self):
        os.symlink("b", self.path("a"))
        os.symlink("a", self.path("b"))
        self.both("./a", "a'")

    def test_a_device_or_fifo_is_not_a_program(self):
        os.mkfifo(self.path("fifo"), 0o755)
        self.both("./fifo", "fifo")
        self.both("/dev/null", "/dev/null")

    def test_an_argument_of_a_megabyte_is_refused_in_one_short_line(self):
        # The kernel takes no argument of 1 MB for leat either: it comes in one line of a
        # command that compare splits, or not at all.
        line = "echo " + "x" * 131000
        result = self.leat("run", "-n", "2", "--", "echo", "y" * 131071)
        self.assertEqual(result.code, 0, "the longest that Linux passes runs")
        self.assertEqual(self.leat("run", "-q", "-n", "1", "--", line).code, 0)
        with self.assertRaises(OSError):
            self.leat("run", "--", "echo", "z" * (1 << 20))

    def test_arguments_that_are_too_long_together_are_refused(self):
        words = ["x" * 100000] * 16
        env = {"FILL": "y" * 100000}
        result = self.leat("run", "-n", "1", "--env", "MORE=" + "z" * 100000, "--", "true", *words,
                           env=env)
        if result.code:
            self.assert_refused(result, "cannot start|too long")
        self.assertLess(len(result.err), 1000, "the line is not short")

    def test_shell_syntax_without_a_shell_is_refused_with_what_to_do(self):  # T2
        for words in (["cat", "<", "f"], ["a", "|", "b"], ["true", "&&", "true"], ["x", ">", "y"],
                      ["sleep", "1", "&"], ["true", ";", "true"], ["cat", "2>", "f"]):
            with self.subTest(words=words):
                result = self.leat("run", "--", *words)
                self.assert_refused(result, "needs a shell")
                self.assertRegex(result.err, "--shell")
                if "<" in words:
                    self.assertRegex(result.err, "--stdin")
        for line in ("cat <f", "cat < f", "ls|wc", "ls *.c", "echo $HOME", "echo `id`", "a;b",
                     "sleep 1 &", "echo ~/x", "echo (x)", 'echo "$HOME"', "a&&b"):
            with self.subTest(line=line):
                result = self.leat("compare", "--", line, "true")
                self.assert_refused(result, "needs a shell")
                self.assertRegex(result.err, "--shell")

    def test_literal_passes_the_words_on(self):
        out = self.path("out")
        self.ok("run", "-q", "-n", "1", "--literal", "--stdout", "file:" + out, "echo", "<", "|")
        with open(out, encoding="ascii") as file:
            self.assertEqual(file.read(), "< |\n")

    def test_a_quote_that_is_not_closed_is_refused(self):
        for line in ("echo 'a", 'echo "a', "echo a\\"):
            self.assert_refused(self.leat("compare", "--", line, "true"), "closing|backslash")

    def test_a_variable_in_front_of_the_command_gets_a_hint(self):
        result = self.leat("run", "--", "A=1", "true")
        self.assert_refused(result, "no program 'A=1'")
        self.assertRegex(result.err, "--env A=1")

    def test_a_shell_builtin_gets_a_hint(self):
        result = self.leat("run", "--", "ulimit", "-a")
        self.assert_refused(result, "no program 'ulimit'")
        self.assertRegex(result.err, "--shell")

    def test_too_many_commands_are_refused(self):
        self.assert_refused(self.leat("compare", "--", *["true"] * 1000), "more than|commands")


class Numbers(leat.Case):
    OPTIONS = {
        # option: (verb, values out of range besides what is no number at all)
        "-n": ("run", ["0", "-1", "1.5", "1e3", "1e99", "99999999999999999999"]),
        "--warmup": ("run", ["-1", "1.5", "1e99", "99999999999999999999"]),
        "--budget": ("run", ["0", "-1", "1e99", "5 parsecs", "-1s", "1e-30"]),
        "--timeout": ("run", ["0", "-1", "1e99", "5x", "0s"]),
        "--precision": ("run", ["0", "-1%", "0%", "1e99", "100000%", "5 %%"]),
        "--seed": ("run", ["-1", "1.5", "1e3", "99999999999999999999"]),
        "--work": ("run", ["0", "-5", "1e999"]),
        "--pin": ("run", ["-1", "999999", "3-1", "0-", "1e99", "0,", ",0", "0-99999"]),
        "--success": ("run", ["256", "-1", "0,", ",0", "0,,1", "1e2"]),
        "-p": ("run", ["0", "-1", "1e99", "99999999999"]),
        "--for": ("run", ["0", "-1", "1e99"]),
        "--max": ("compare", ["0", "-1", "5", "1e99", "99999999999999999999"]),
        "--same": ("compare", ["0", "-1%", "1e99", "nan%"]),
        "--plan": ("compare", ["0", "-1%", "1e99", "inf%"]),
    }

    def test_each_numeric_option_refuses_what_is_no_number_or_out_of_range(self):
        mark = self.path("mark")
        for option, (verb, bad) in self.OPTIONS.items():
            for value in NO_NUMBERS + bad:
                args = [option, value] if option.startswith("--") else [option + value]
                if option.startswith("--"):
                    args = [f"{option}={value}"]
                if option == "--for":
                    args += ["-p", str(os.getpid())]
                command = [] if option in ("-p", "--for") else ["--", "touch mark"]
                if verb == "compare":
                    command += ["true"]
                if option in ("-n", "-p") and value == "":
                    continue  # -n followed by nothing takes the next word
                if (option, value) in (("--success", "1,5"), ("--pin", "1\n")):
                    continue  # a list of two; a list as /sys prints it
                with self.subTest(option=option, value=value):
                    self.assert_refused(self.leat(verb, *args, *command), ".")
        self.assertFalse(os.path.exists(mark), "something was run all the same")

    def test_each_line_names_the_option_and_the_value(self):
        for option, (verb, _) in self.OPTIONS.items():
            if option in ("-p", "--for"):
                continue
            with self.subTest(option=option):
                joined = f"{option}=wobble" if option.startswith("--") else option + "wobble"
                result = self.leat(verb, joined, "--", "true", "true")
                self.assert_refused(result, f"{option}.*wobble")

    def test_durations_and_shares_are_read_as_people_write_them(self):
        for value, ns in (("2", 2e9), ("2s", 2e9), ("1.5s", 1.5e9), ("200ms", 2e8), ("3m", 180e9),
                          ("1h", 3600e9), ("2 s", 2e9), ("500us", 5e5)):
            record = self.record("run", "-n", "1", "--budget", value, "--", "true")
            self.assertEqual(record["plan"]["budget_ns"], ns)
        for value, share in (("1%", 0.01), ("0.5 %", 0.005), ("0.02", 0.02)):
            record = self.record("run", "--budget", "1ms", "--precision", value, "--", "true")
            self.assertAlmostEqual(record["plan"]["precision"], share)

    def test_a_seed_is_kept_whole(self):
        for seed in ("0", "7", "9007199254740993", "9223372036854775807"):
            record = self.record("run", "-n", "1", "--seed", seed, "--", "true")
            self.assertEqual(record["plan"]["seed"], seed)


class Values(leat.Case):
    def refuse(self, pattern, *args):
        self.assert_refused(self.leat(*args), pattern)

    def test_an_unknown_meter_or_metric_is_named(self):
        self.refuse("unicorn", "run", "-m", "unicorn", "--", "true")
        self.refuse("unicorn", "run", "-m", "wall,unicorn", "--", "true")
        self.refuse("unicorn", "run", "--primary", "unicorn", "--", "true")
        self.refuse("unicorn", "compare", "--gate", "unicorn +5%", "--", "true", "true")
        self.refuse(".", "run", "-m", "", "--", "true")
        self.refuse(".", "run", "-m", ",", "--", "true")
        self.refuse(".", "run", "--primary", "", "--", "true")

    def test_a_bad_gate_is_refused_before_anything_runs(self):
        mark = self.path("mark")
        for gate in ("", "wall", "wall 5%", "wall +", "wall +x%", "wall + 5 6", "+5%", "wall +0%",
                     "wall +1e99%", "wall +nan%", "wall ++5%", "wall +5%%", "wall " + "+" * 500,
                     "w" * 5000 + " +5%"):
            with self.subTest(gate=gate[:20]):
                self.refuse(".", "compare", "--gate", gate, "--", "touch mark", "true")
        self.assertFalse(os.path.exists(mark))

    def test_a_bad_regex_is_refused_before_anything_runs(self):
        mark = self.path("mark")
        for regex in ("(", "[", "a{2", "*(", "(?P<x>a)", "\\"):
            with self.subTest(regex=regex):
                self.refuse("regular expression", "run", "--work-from", regex, "--", "touch", mark)
        self.assertFalse(os.path.exists(mark))

    def test_an_empty_regex_is_refused(self):
        self.refuse(".", "run", "--work-from", "", "--", "true")

    def test_bad_words_are_refused_with_the_good_ones(self):
        for option, good in (("--stdout", "pipe"), ("--descendants", "wait")):
            result = self.leat("run", f"{option}=bogus", "--", "true")
            self.assert_refused(result, "bogus")
            self.assertIn(good, result.err)
            self.assert_refused(self.leat("run", f"{option}=", "--", "true"), option)
        result = self.leat("compare", "--reported-as", "iqr", "--reported", "1 ± 1", "1 ± 1")
        self.assert_refused(result, "iqr")
        self.assertIn("ci95", result.err)

    def test_a_bad_variable_is_refused(self):
        for value in ("", "NAME", "=x"):
            self.refuse("--env", "run", "--env", value, "--", "true")

    def test_a_bad_directory_is_refused(self):
        self.write("data", "x")
        for value in ("no-such", "data", ""):
            self.refuse("--cwd", "run", "--cwd", value, "--", "true")

    def test_a_bad_stdin_is_refused_before_anything_runs(self):
        mark = self.path("mark")
        for value in ("no-such", self.dir, ""):
            with self.subTest(value=value):
                self.refuse(".", "run", "--stdin", value, "--", "touch", mark)
        self.assertFalse(os.path.exists(mark))

    def test_a_bad_stdout_file_is_refused_before_anything_runs(self):
        mark = self.path("mark")
        for value in ("file:", "file:no-such/dir/out", "file:" + self.dir):
            with self.subTest(value=value):
                self.refuse(".", "run", "--warmup=3", "--stdout", value, "--prepare", "touch mark",
                            "--", "touch", mark)
        self.assertFalse(os.path.exists(mark))

    def test_options_that_exclude_each_other_are_refused(self):
        for args in (["-n", "3", "--precision", "1%"], ["--work", "3", "--work-from", "x"],
                     ["--shell", "--literal"], ["--pty", "--stdout", "pipe"],
                     ["--pty", "--stdin", "inherit"], ["--pass-exit", "-n", "2"],
                     ["--pass-exit", "--pty"], ["--work-from", "x", "--stdout", "null"],
                     ["--work-from", "x", "--stdout", "inherit"], ["--for", "1s"]):
            with self.subTest(args=args):
                self.refuse(".", "run", *args, "--", "true")
        self.refuse("-n and --max", "compare", "-n", "9", "--max", "9", "--", "true", "true")
        self.refuse("-p", "run", "-p", "1", "--", "true")
        self.refuse("-p", "run", "-p", "1", "-n", "3")

    def test_a_process_that_is_not_there_cannot_be_measured(self):
        gone = self.helper("true")
        gone.wait()
        result = self.leat("run", "-p", gone.pid, "--for", "1s")
        self.assert_refused(result, f"process {gone.pid}", code=leat.CANNOT)

    def test_bad_claims_are_refused(self):
        for claim in ("", "x", "5", "± 3", "5 ±", "-5 ± 1", "0 ± 1", "5 ± -1", "nan ± 1", "5 ± nan",
                      "inf ± 1%", "1e400 ± 1%", "5 ± 1% of something else (", "1,00 ± 1"):
            with self.subTest(claim=claim):
                self.refuse(".", "compare", "--reported", "--", claim, "5 ± 1")
                self.refuse(".", "compare", "--reported", "--", "5 ± 1", claim)
        for claims in ([], ["5 ± 1"], ["5 ± 1"] * 3):
            self.refuse(".", "compare", "--reported", "--", *claims)


class Files(leat.Case):
    FORMATS = ("--json", "--csv", "--markdown")

    def test_an_unwritable_output_is_refused_before_anything_runs(self):
        mark = self.path("mark")
        for option in self.FORMATS:
            for path in ("no-such/dir/out", self.dir, "", "/proc/leat.json", "x" * 5000,
                         "/dev/full/x", mark + "/x"):
                with self.subTest(option=option, path=path[:30]):
                    self.assert_refused(
                        self.leat("run", option, path, "--", "touch", mark), "cannot write|empty"
                    )
        self.assertFalse(os.path.exists(mark))

    def test_an_output_that_cannot_be_filled_fails_in_one_line(self):
        result = self.leat("run", "-q", "-n", "1", "--json", "/dev/full", "--", "true")
        self.assert_refused(result, "cannot write '/dev/full'.*[Nn]o space", code=leat.INTERNAL)
        with open("/dev/full", "wb") as full:
            result = self.leat("run", "-n", "1", "--", "true", stdout=full)
        self.assert_refused(result, "cannot write", code=leat.INTERNAL)

    def test_a_reader_that_goes_away_is_not_a_crash(self):
        read, write = os.pipe()
        os.close(read)
        result = self.leat("run", "-n", "1", "--", "true", stdout=write)
        os.close(write)
        self.assertIn(result.code, (leat.INTERNAL, -13), f"{result!r}")
        self.assertLessEqual(len(result.err.splitlines()), 1)

    def test_an_existing_output_is_untouched_when_nothing_was_measured(self):
        path = self.write("out", "what was here before\n", 0o600)
        for args in (["--", "no-such-program"], ["-m", "unicorn", "--", "true"],
                     ["--prepare", "false", "--", "true"], ["--stdin", "no-such", "--", "true"]):
            for option in self.FORMATS:
                with self.subTest(args=args, option=option):
                    self.assertNotEqual(self.leat("run", option, path, *args).code, 0)
                    with open(path, encoding="ascii") as file:
                        self.assertEqual(file.read(), "what was here before\n")
                    self.assertEqual(stat.S_IMODE(os.stat(path).st_mode), 0o600)

    def test_a_new_output_has_the_mode_of_any_new_file(self):
        path = self.path("out")
        self.ok("run", "-q", "-n", "1", "--json", path, "--", "true", umask=0o027)
        self.assertEqual(stat.S_IMODE(os.stat(path).st_mode), 0o640)

    def test_all_outputs_are_written_at_once_and_stdout_takes_one(self):
        paths = {option: self.path("out" + option[1:4]) for option in self.FORMATS}
        args = [word for pair in paths.items() for word in pair]
        result = self.ok("run", "-q", "-n", "2", *args, "--", "true")
        self.assertEqual((result.out, result.err), ("", ""))
        for path in paths.values():
            self.assertGreater(os.path.getsize(path), 0)
        self.assert_refused(
            self.leat("run", "--json", "-", "--csv", "-", "--", "true"), "only one report"
        )

    def test_the_same_file_for_two_outputs_is_refused(self):
        path = self.path("out")
        result = self.leat("run", "-n", "1", "--json", path, "--csv", path, "--", "true")
        self.assert_refused(result, "out")

    def test_json_on_stdout_is_the_record_and_nothing_else(self):
        for quiet in ([], ["-q"]):
            result = self.ok("run", *quiet, "-n", "2", "--json", "-", "--", "true")
            self.check_record(leat.parse_json(result.out))
            self.assertEqual(result.err, "")

    def test_a_symbolic_link_as_output_is_followed_or_replaced_whole(self):
        real = self.write("real", "old\n")
        os.symlink("real", self.path("link"))
        self.ok("run", "-q", "-n", "1", "--json", os.path.join(self.dir, "link"), "--", "true")
        with open(os.path.join(self.dir, "link"), encoding="utf-8") as file:
            leat.parse_json(file.read())
        with open(real, encoding="utf-8") as file:
            content = file.read()
        self.assertNotEqual(content, "", "half a file behind the link")
        self.assertTrue(os.path.islink(os.path.join(self.dir, "link")), "the link was replaced")

    def test_a_disk_that_is_full_leaves_no_half_file(self):
        # A limit on the size of files stands in for a full disk; sh begins to ignore the
        # signal that would come with it.
        path = self.write("out", "what was here before\n")
        process = self.helper(
            "sh", "-c", 'trap "" XFSZ; ulimit -f 200; exec "$@"', "sh", leat.LEAT,
            "run", "-q", "-n", "1200", "--json", path, "--", leat.empty(),
            stdout=subprocess.PIPE, stderr=subprocess.PIPE,
        )
        result = self.finish(process)
        self.assert_refused(result, "cannot write .*out", code=leat.INTERNAL)
        with open(path, encoding="ascii") as file:
            self.assertEqual(file.read(), "what was here before\n")


if __name__ == "__main__":
    leat.main()
