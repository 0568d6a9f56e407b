# SPDX-License-Identifier: GPL-2.0-or-later
"""What is counted, whose it is said to be, and what leat itself costs."""

import os
import time

import leat


class Counts(leat.Case):
    def test_voluntary_switches_are_the_sleeps(self):
        self.need_meter("switches")
        sleeper = leat.compile_c("sleeper", r"""
#include <stdlib.h>
#include <unistd.h>
int main(int argc, char **argv)
{
	for (int i = 0; i < atoi(argv[1]); i++)
		usleep(1000);
	return 0;
}
""", static=True)
        some = min(leat.readings(self.record("run", "-n", "3", "--", sleeper, "2"), "vol-switches"))
        more = min(leat.readings(self.record("run", "-n", "3", "--", sleeper, "25"), "vol-switches"))
        self.assertAlmostEqual(more - some, 23, delta=3)

    def test_bytes_and_calls_are_the_programs(self):
        self.need_meter("io")
        writer = leat.compile_c("writer", r"""
#include <stdlib.h>
#include <unistd.h>
int main(int argc, char **argv)
{
	static char buf[1000];
	for (int i = 0; i < atoi(argv[1]); i++)
		write(1, buf, sizeof(buf));
	return 0;
}
""", static=True)
        for mode in ("null", "pipe"):
            record = self.record("run", "-m", "wall,io", "-n", "2", "--stdout", mode, "--", writer, "23")
            self.assertEqual(leat.readings(record, "write-calls"), [23] * 2)
            self.assertEqual(leat.readings(record, "write-chars"), [23000] * 2)

    def test_every_count_says_whose_it_is(self):  # T23
        record = self.record("run", "-n", "1", "--", "true")
        for row in record["metrics"]:
            self.assertTrue(row["scope"], f"{row['name']} has no scope")
            self.assertTrue(row["source"], f"{row['name']} has no source")
            self.assertTrue(row["what"], f"{row['name']} does not say what it is")
        out = " ".join(self.ok("run", "-n", "1", "-v", "--", "true").out.split())
        for row in record["metrics"]:
            self.assertIn(row["name"] + ": ", out)

    def test_an_event_without_a_counter_is_missing_and_not_zero(self):
        state = leat.meter_state("pmu")
        self.assertNotEqual(state, "unknown to this leat", "there is no meter 'pmu'")
        if state is None:
            record = self.record("run", "-m", "wall,pmu", "-n", "2", "--", "true")
            self.assertGreater(leat.readings(record, "cycles")[0], 0)
            return
        result = self.leat("run", "-m", "wall,pmu", "-n", "2", "--json", self.path("x"), "--", "true")
        if result.code == 0:
            record = self.load(os.path.join(self.dir, "x"))
            meter = next(m for m in record["machine"]["meters"] if m["name"] == "pmu")
            self.assertEqual(meter["state"], "unavailable")
            self.assertTrue(meter["reason"])
            self.assertNotRegex(result.out, r"cycles +0")
            self.assertRegex(self.ok("run", "-m", "wall,pmu", "-n", "2", "-v", "--", "true").out, "PMU")
        else:
            self.assert_refused(result, "pmu|PMU", code=leat.CANNOT)

    def test_instructions_by_emulation_repeat_and_are_in_runs_of_their_own(self):
        self.need_meter("count")
        record = self.record("run", "-n", "3", "--count", "--", leat.empty(), timeout=60)
        evidence = [t for t in record["trials"] if t["evidence"]]
        timing = [t for t in record["trials"] if not t["evidence"]]
        self.assertEqual(len(timing), 3)
        self.assertGreaterEqual(len(evidence), 1)
        counts = {leat.reading(t, "sim-instructions") for t in evidence}
        self.assertEqual(len(counts), 1, "a static program, yet not the same count")
        self.assertGreater(counts.pop(), 10)
        for trial in timing:
            self.assertIsNone(leat.reading(trial, "sim-instructions"))
        for trial in evidence:
            self.assertIsNone(leat.reading(trial, "wall"), "a time under an instrument")
        row = leat.metric(record, record["variants"][0]["name"], "wall")
        self.assertEqual(row["n"], 3)

    def test_one_side_that_executes_more_is_shown_by_count(self):
        self.need_meter("count")
        loop = leat.compile_c("loop", r"""
#include <stdlib.h>
int main(int argc, char **argv)
{
	for (volatile int i = 0; i < atoi(argv[1]); i++)
		;
	return 0;
}
""", static=True)
        record = self.record(
            "compare", "-n", "6", "--count", "--", f"a={loop} 1000", f"b={loop} 3000", timeout=60
        )
        row = leat.comparison(record, "sim-instructions")
        self.assertEqual(row["verdict"], "more")


class Itself(leat.Case):
    def test_it_hardly_wakes_within_a_measured_window(self):
        for mode in ("null", "pipe", "file"):
            record = self.record("run", "-n", "2", "--stdout", mode, "--", "sleep", "0.6")
            own = record["own"]
            self.assertGreaterEqual(own["window_ns"], 1.2e9)
            self.assertLessEqual(own["window_wakeups"], own["window_ns"] / 1e9 + 1)

    def test_its_own_cost_is_told(self):
        record = self.record("run", "-n", "5", "--", "true")
        self.assertGreater(record["own"]["cpu_ns"], 0)
        self.assertGreater(record["own"]["peak_bytes"], 1e5)
        out = self.ok("run", "-v", "-n", "5", "--", "true").out
        self.assertRegex(out, r"(?s)leat itself.*CPU [0-9.]+ [mµ]s, peak memory [0-9.]+ MiB")
        self.assertRegex(out, r"wakeups? a second")

    def test_meters_can_be_chosen_down_to_none(self):
        record = self.record("run", "-m", "wall", "-n", "2", "--", "true")
        self.assertEqual([m["name"] for m in record["metrics"]], ["wall"])
        record = self.record("run", "-m", "null", "-n", "2", "--", "true")
        self.assertEqual(record["metrics"], [])

    def test_another_primary_metric_decides(self):
        self.need_meter("cpu")
        record = self.record(
            "compare", "-n", "6", "--primary", "cpu", "--", f"a={leat.burn()} 5", f"b={leat.burn()} 30"
        )
        self.assertEqual(record["plan"]["primary"], "cpu")
        row = leat.comparison(record)
        self.assertEqual((row["metric"], row["verdict"], row["primary"]), ("cpu", "slower", True))
        out = self.ok("compare", "-n", "6", "--primary", "cpu", "true", leat.burn() + " 20").out
        self.assertRegex(" ".join(out.split()), "the cpu time")

    def test_list_meters_is_quick_and_says_why_not(self):
        begin = time.monotonic()
        for _ in range(5):
            result = self.ok("list", "meters")
        self.assertLess((time.monotonic() - begin) / 5, 0.5)
        for line in result.out.splitlines():
            if "not here" in line:
                self.assertRegex(line, r"not here: \w+", "not available, without a reason")


if __name__ == "__main__":
    leat.main()
