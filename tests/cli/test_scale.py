# SPDX-License-Identifier: GPL-2.0-or-later
"""leat scale from outside: which points are run and how the program is told of them, and
programs that fork, exec, crash, change their output, take no notice, read stdin or are
scripts: each said clearly, nothing left behind. Counts and shapes only, no times: whether a
busy machine lets two threads run together is not what is tested here."""

import os
import re
import unittest

import leat

# Prints what it was told, in every way there is.
TOLD = r"""
#include <sched.h>
#include <stdio.h>
#include <stdlib.h>
int main(int argc, char **argv)
{
	cpu_set_t set;
	sched_getaffinity(0, sizeof(set), &set);
	const char *omp = getenv("OMP_NUM_THREADS"), *own = getenv("SIZE");
	FILE *f = fopen(argv[1], "a");
	fprintf(f, "%s %d %s\n", omp ? omp : "-", CPU_COUNT(&set), own ? own : "-");
	return fclose(f);
}
"""

CPUS = len(os.sched_getaffinity(0))


class Scale(leat.Case):
    def sweep(self, *args, code=0, **how):
        """The curve alone, of few rounds, whatever the machine does."""
        return self.record(
            "scale", "--curve", "--even-busy", "-n", "2", *args, code=code, timeout=60, **how
        )

    def explained(self, *args, code=0, **how):
        """All but remedies."""
        return self.record(
            "scale", "--even-busy", "-n", "2", "--try", "none", *args, code=code, timeout=100,
            **how
        )

    def threads(self, record):
        return [p["threads"] for p in record["curve"] if p["remedy"] is None]


class Points(Scale):
    def test_default_counts_are_those_of_the_allowed_cpus(self):
        record = self.sweep("--", leat.burn(), "4", "{threads}")
        expected = sorted({1 << i for i in range(9) if 1 << i < CPUS} | {CPUS, 2 * CPUS})
        self.assertEqual(self.threads(record), expected)
        self.assertEqual(record["scaling"]["cpus"], CPUS)
        over = [p["threads"] for p in record["curve"] if p["over"]]
        self.assertEqual(over, [2 * CPUS])

    def test_the_affinity_is_respected(self):
        one = str(min(os.sched_getaffinity(0)))
        record = self.sweep("--pin", one, "--", leat.burn(), "4", "{threads}")
        self.assertEqual(self.threads(record), [1, 2])
        self.assertEqual(record["scaling"]["cpus"], 1)

    def test_every_kept_point_has_its_numbers(self):
        record = self.sweep("--threads", "1,2", "--", leat.burn(), "200", "{threads}")
        first, second = record["curve"]
        self.assertEqual((first["threads"], first["speedup"], first["efficiency"]), (1, 1, 1))
        self.assertGreater(second["speedup"], 0)
        self.assertLessEqual(second["speedup_lo"], second["speedup"])
        self.assertLessEqual(second["speedup"], second["speedup_hi"])
        self.assertEqual(second["factors"], {"threads": "2"})
        # the work is the same, and CPU clocks do not care who else is there; beside it stands the
        # start of the program, some ms on a slow machine
        used = second["user_ns"] + second["system_ns"]
        self.assertAlmostEqual(used / 200e6, 1, delta=0.2)

    def test_points_come_in_random_order_from_the_seed(self):
        def order(seed):
            record = self.sweep("-n", "6", "--threads", "1,2", "--seed", seed, "--",
                                leat.burn(), "2", "{threads}")
            return [t["variant"] for t in record["trials"]]
        first = order("7")
        self.assertEqual(first, order("7"))
        blocks = [tuple(first[i:i + 2]) for i in range(1, len(first), 2)]
        self.assertGreater(len({b for b in blocks if len(b) == 2}), 1, first)

    def test_a_law_is_refused_with_its_reason_below_four_points(self):
        record = self.sweep("--threads", "1,2", "--", leat.burn(), "20", "{threads}")
        self.assertEqual(record["scaling"]["law"], "karp-flatt")
        self.assertEqual(record["scaling"]["sigma"]["state"], "unavailable")
        self.assertIn("four", record["scaling"]["sigma"]["reason"])

    def test_four_points_within_the_cpus_are_fitted(self):
        if CPUS < 4:
            self.skipTest("takes four CPUs")
        record = self.sweep("--threads", "1,2,3,4", "--", leat.burn(), "20", "{threads}")
        self.assertEqual(record["scaling"]["law"], "usl")

    @unittest.skipIf(CPUS < 2, "takes two CPUs")
    def test_strong_and_weak_are_told_apart(self):
        strong = self.sweep("--threads", "1,2", "--", leat.burn(), "60", "{threads}")
        self.assertEqual(strong["scaling"]["mode"], "strong", strong["scaling"])
        weak = self.sweep("--threads", "1,2", "--", leat.burn(), "60", "{threads}", "each")
        self.assertEqual(weak["scaling"]["mode"], "weak", weak["scaling"])
        self.assertEqual([p["work"] for p in weak["curve"]], [1, 2])

    def test_units_of_work_decide_where_they_are_stated(self):
        script = self.script("units", 'echo "did $((10 * $1)) units"\n')
        record = self.sweep("--threads", "1,2", "--work-from", "did ([0-9]+)", "--", script,
                            "{threads}")
        self.assertEqual(record["scaling"]["mode"], "weak")
        self.assertEqual(record["scaling"]["mode_why"], "units of work")
        self.assertGreater(record["curve"][1]["rate"], 0)


class Factors(Scale):
    def test_without_a_placeholder_variables_and_cpus_carry_the_number(self):
        told = leat.compile_c("told", TOLD)
        record = self.sweep("--threads", "1,2", "--", told, self.path("told.txt"))
        with open(os.path.join(self.dir, "told.txt"), encoding="ascii") as file:
            lines = {tuple(line.split()[:2]) for line in file}
        self.assertIn(("1", "1"), lines)
        self.assertIn(("2", str(min(2, CPUS))), lines)
        factor = record["factors"][0]
        self.assertEqual((factor["how"], factor["pinned"]), ("environment", True))
        self.assertIn("OMP_NUM_THREADS", factor["variables"])
        text = self.ok("report", os.path.join(self.dir, "record.json")).out
        self.assertIn("OMP_NUM_THREADS", text)

    def test_a_placeholder_may_stand_in_env(self):
        told = leat.compile_c("told", TOLD)
        record = self.sweep("--threads", "1,2", "--env", "SIZE=x{threads}", "--", told,
                            self.path("told.txt"))
        with open(os.path.join(self.dir, "told.txt"), encoding="ascii") as file:
            self.assertEqual({line.split()[2] for line in file}, {"x1", "x2"})
        self.assertEqual(record["factors"][0]["how"], "placeholder")

    def test_another_factor_alone_compares_its_levels(self):
        record = self.record("scale", "--even-busy", "-n", "8", "--factor", "ms=2,30", "--",
                             leat.burn(), "{ms}", "1", timeout=60)
        self.assertEqual([v["factors"] for v in record["variants"]],
                         [{"ms": "2"}, {"ms": "30"}])
        self.assertEqual(leat.comparison(record)["verdict"], "slower")
        self.assertEqual(record["curve"][0]["threads"], 0)

    def test_factors_are_crossed(self):
        record = self.sweep("--threads", "1,2", "--factor", "ms=2,4", "--", leat.burn(),
                            "{ms}", "{threads}")
        points = [(p["factors"]["ms"], p["factors"]["threads"]) for p in record["curve"]]
        self.assertEqual(points, [("2", "1"), ("2", "2"), ("4", "1"), ("4", "2")])
        # speed-up is against one thread of the same size
        self.assertEqual([p["speedup"] for p in record["curve"]][::2], [1, 1])

    def test_a_capital_name_is_a_variable(self):
        told = leat.compile_c("told", TOLD)
        self.sweep("--factor", "SIZE=small,big", "--", told, self.path("told.txt"))
        with open(os.path.join(self.dir, "told.txt"), encoding="ascii") as file:
            self.assertEqual({line.split()[2] for line in file}, {"small", "big"})

    def test_what_is_wrong_is_told_before_anything_runs(self):
        touch = self.script("touch-it", f"touch {self.dir}/ran\n")
        for args, pattern in (
            (["--threads", "0"], "LT-|0"),
            (["--threads", "2,x"], "2,x"),
            (["--factor", "size=1,2"], "nowhere in the command"),
            (["--factor", "size"], "NAME=a,b"),
            (["--factor", "threads=1,2"], "--threads"),
            (["--at", "3", "--threads", "1,2"], "--at 3"),
            (["--try", "prayer"], "prayer"),
        ):
            with self.subTest(args=args):
                self.assert_refused(self.leat("scale", *args, "--", touch), pattern)
        self.assertFalse(os.path.exists(os.path.join(self.dir, "ran")))
        self.assert_refused(self.leat("scale"), "no command")


class Behaviour(Scale):
    def test_a_crash_at_one_point_is_named_and_the_others_stay(self):
        script = self.script("crash", '[ "$1" = 4 ] && kill -SEGV $$\nexit 0\n')
        record = self.sweep("--threads", "1,2,4", "--", script, "{threads}", code=leat.PROGRAM)
        self.assertEqual([p["n"] for p in record["curve"]][2], 0)
        self.assertGreater(record["curve"][1]["n"], 0)
        text = self.ok("report", os.path.join(self.dir, "record.json")).out
        self.assertRegex(text, r"threads=4.*SIGSEGV")
        self.assertRegex(text, r"4 +- .*failed")

    def test_more_threads_than_cpus_may_not_take_for_ever(self):
        script = self.script("stuck", f'[ "$1" -gt {CPUS} ] && sleep 100\nsleep 0.1\n')
        for rounds in "1", "2":
            record = self.sweep("-n", rounds, "--", script, "{threads}")
            stuck = [p for p in record["curve"] if p["over"]][0]
            self.assertEqual(stuck["n"], 0)
            self.assertGreater(stuck["given_up_ns"], 0.5e9)
            self.assertIsNone(leat.finding(record, "failed-runs"))
        text = self.ok("report", os.path.join(self.dir, "record.json")).out
        self.assertRegex(text, r">.* s .*given up")
        self.assertNotIn("timed out", text)

    def test_a_program_that_always_fails_is_named(self):
        record = self.sweep("--threads", "1,2", "--", "false", code=leat.PROGRAM)
        self.assertIsNone(record["scaling"]["baseline"])
        text = self.ok("report", os.path.join(self.dir, "record.json")).out
        self.assertIn("no run succeeded", text)
        self.assertIn("exit code 1", text)

    def test_output_that_changes_with_threads_is_told(self):
        script = self.script("changes", 'echo "sum $((100 + $1))"\n')
        record = self.sweep("--threads", "1,2", "--", script, "{threads}")
        self.assertEqual(leat.finding(record, "outputs-differ")["name"],
                         "threads=1 and threads=2")

    def test_times_in_the_output_are_no_difference(self):
        script = self.script("times", 'date +"took %N ns"\n')
        record = self.sweep("--threads", "1,2", "--", script, "{threads}")
        self.assertIsNone(leat.finding(record, "outputs-differ"))
        self.assertIsNone(leat.finding(record, "outputs-vary"))

    def test_output_that_always_changes_is_no_difference(self):
        script = self.script("changes", "tr -dc a-z </dev/urandom | head -c 30\n")
        record = self.sweep("--threads", "1,2", "--", script, "{threads}")
        self.assertIsNone(leat.finding(record, "outputs-differ"))
        self.assertIsNotNone(leat.finding(record, "outputs-vary"))

    def test_the_same_output_is_silence(self):
        record = self.sweep("--threads", "1,2", "--", "echo", "the same")
        self.assertIsNone(leat.finding(record, "outputs-differ"))
        self.assertIsNone(leat.finding(record, "outputs-vary"))

    def test_who_reads_stdin_is_told_so(self):
        record = self.sweep("--threads", "1,2", "--", "cat")
        self.assertIsNotNone(leat.finding(record, "reads-stdin"))
        notes = [t["outcome"]["notes"] for t in record["trials"]]
        self.assertIn("reads-stdin", notes[0])
        self.assertNotIn("reads-stdin", sum(notes[1:], []))

    def test_with_a_file_stdin_is_no_matter(self):
        record = self.sweep("--threads", "1,2", "--stdin", self.write("in", "text"), "--", "cat")
        self.assertIsNone(leat.finding(record, "reads-stdin"))

    def test_a_script_is_called_one(self):
        record = self.sweep("--threads", "1,2", "--", self.script("s", "exit 0\n"))
        self.assertIn("sh", leat.finding(record, "script")["name"])

    def test_a_misspelt_placeholder_is_told(self):
        record = self.sweep("--threads", "1,2", "--", leat.burn(), "20", "2", "{thread}")
        self.assertEqual(leat.finding(record, "placeholder-unknown")["name"], "{thread}")
        record = self.sweep("--threads", "1,2", "--", leat.burn(), "20", "{threads}")
        self.assertIsNone(leat.finding(record, "placeholder-unknown"), record["findings"])

    def test_what_is_no_cause_has_no_share_of_the_loss(self):
        record = self.sweep("--threads", "1,2", "--region", "none-such", "--", "true")
        self.assertIsNone(leat.finding(record, "region-missing")["share"])

    def test_who_takes_no_notice_is_found_out(self):
        record = self.explained("--threads", "1,2", "--", leat.burn(), "150", "1")
        self.assertIsNotNone(leat.finding(record, "threads-same"), record["findings"])
        record = self.explained("--threads", "1,4", "--", leat.burn(), "150")
        self.assertIsNotNone(leat.finding(record, "threads-ignored"), record["findings"])

    def test_work_done_by_processes_is_told(self):
        script = self.script("forks", f"for i in 1 2; do {leat.burn()} 60 & done; wait\n")
        record = self.explained("--threads", "1,2", "--", script)
        self.assertGreaterEqual(leat.finding(record, "processes")["num"][0], 3)
        self.assertAlmostEqual(record["curve"][0]["user_ns"] / 120e6, 1, delta=0.5)

    def test_who_becomes_another_program_is_measured(self):
        record = self.explained("--threads", "1,2", "--", "env", "A=b", leat.burn(),
                                "80", "{threads}")
        self.assertGreater(record["curve"][0]["n"], 0)
        self.assertIsNone(leat.finding(record, "threads-ignored"), record["findings"])

    def test_children_left_behind_are_ended_and_told(self):
        script = self.script("leaves", "sleep 1000 &\nexit 0\n")
        record = self.sweep("--threads", "1,2", "--", script)
        self.assertIsNotNone(leat.finding(record, "left-children"))

    def test_a_signal_ends_it_with_what_there_is(self):
        process = self.start("scale", "--curve", "--even-busy", "--json",
                             self.path("part.json"), "--", leat.burn(), "300", "{threads}")
        leat.wait_until(lambda: len(leat.descendants(process.pid)) > 1)
        process.terminate()
        result = self.finish(process)
        self.assertEqual(result.code, 143, f"{result!r}")
        self.assertTrue(self.load(os.path.join(self.dir, "part.json"))["partial"])


class Reports(Scale):
    def test_ledger_and_reports_of_a_real_program(self):
        record = self.explained("--threads", "1,2", "--", leat.burn(), "200", "{threads}")
        ledger = record["ledger"]
        if ledger:
            parts = ledger["user_ns"] + ledger["system_ns"] + ledger["idle_ns"]
            self.assertAlmostEqual(parts, ledger["lost_ns"], delta=1e3)
            lines = sum(line["core_ns"] for line in ledger["lines"])
            self.assertAlmostEqual(lines + ledger["unexplained_ns"], ledger["lost_ns"], delta=1e3)
        path = os.path.join(self.dir, "record.json")
        text = self.ok("report", path).out
        self.assertRegex(text, r"threads +wall +speed-up")
        self.assertIn("{threads}", text.splitlines()[0])
        self.assertTrue(all(len(line) <= 80 for line in text.splitlines()), text)
        markdown = self.ok("report", "--format", "markdown", path).out
        self.assertIn("| point |", markdown)
        rows = self.ok("report", "--format", "csv", path).out.splitlines()
        self.assertTrue(rows[0].startswith("variant,threads,remedy,"), rows[0])
        self.assertTrue(re.match(r"threads=\d,\d,,", rows[1]), rows[1])

    def test_the_curve_is_shown_before_the_reasons(self):
        out = self.ok("scale", "--even-busy", "-n", "1", "--try", "none", "--threads", "1,2",
                      "--", leat.burn(), "100", "{threads}", timeout=60).out
        self.assertLess(out.index("speed-up"), out.index("Where the time went"))
        self.assertEqual(out.count("speed-up"), 1)


if __name__ == "__main__":
    unittest.main()
