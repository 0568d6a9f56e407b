# SPDX-License-Identifier: GPL-2.0-or-later
"""Numbers against truth: the cases in which other tools printed wrong ones."""

import os
import subprocess
import time
import unittest

import leat

# Runs argv[1...] once and prints its peak memory in KiB, from a parent that holds nothing.
TRUTH = r"""
#include <stdio.h>
#include <sys/resource.h>
#include <sys/wait.h>
#include <unistd.h>
int main(int argc, char **argv)
{
	struct rusage u;
	pid_t pid = vfork();
	if (pid == 0) {
		execv(argv[1], argv + 1);
		_exit(127);
	}
	wait4(pid, 0, 0, &u);
	printf("%ld\n", u.ru_maxrss);
	return 0;
}
"""

# Touches argv[1] MiB.
HOLD = r"""
#include <stdlib.h>
#include <string.h>
int main(int argc, char **argv)
{
	size_t size = (size_t)atoi(argv[1]) << 20;
	volatile char *p = malloc(size);
	for (size_t i = 0; i < size; i += 4096)
		p[i] = 1;
	return 0;
}
"""

# Loaded into leat: it holds 300 MB from before main on.
HOG = r"""
#include <string.h>
#include <sys/mman.h>
__attribute__((constructor)) static void hog(void)
{
	size_t size = 300u << 20;
	char *p = mmap(0, size, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
	memset(p, 1, size);
}
"""

# Loaded into leat: the wall clock runs backwards by an hour each time it is asked.
BACKWARDS = r"""
#include <sys/syscall.h>
#include <sys/time.h>
#include <time.h>
#include <unistd.h>
static long steps;
int clock_gettime(clockid_t id, struct timespec *ts)
{
	int r = syscall(SYS_clock_gettime, id, ts);
	if (id == CLOCK_REALTIME || id == CLOCK_REALTIME_COARSE || id == CLOCK_TAI)
		ts->tv_sec -= 3600 * ++steps;
	return r;
}
int gettimeofday(struct timeval *tv, void *tz)
{
	struct timespec ts;
	clock_gettime(CLOCK_REALTIME, &ts);
	tv->tv_sec = ts.tv_sec;
	tv->tv_usec = ts.tv_nsec / 1000;
	return 0;
}
time_t time(time_t *ret)
{
	struct timespec ts;
	clock_gettime(CLOCK_REALTIME, &ts);
	if (ret)
		*ret = ts.tv_sec;
	return ts.tv_sec;
}
"""


class Wall(leat.Case):
    def test_true_through_a_shell_is_neither_negative_nor_infinite(self):  # T1
        record = self.record("run", "-n", "20", "--shell", "--", "true")
        for wall in leat.walls(record):
            self.assertGreater(wall, 50e3)
        out = self.ok("compare", "-n", "6", "--shell", "--", "true", ":").out
        self.assertNotRegex(out, r"\b(inf|nan|NaN|-nan)\b")
        self.assertGreater(record["summaries"][0]["min"], 0)

    @unittest.skipIf(leat.SANITIZED, "a sanitized leat cannot be loaded behind another library")
    def test_a_wall_clock_that_runs_backwards_changes_nothing(self):  # T19
        shim = leat.compile_c("backwards.so", BACKWARDS, shared=True)
        record = self.record(
            "run", "--budget", "1", "--precision", "0.0001%", "--", "sleep", "0.05",
            env={"LD_PRELOAD": shim},
        )
        for wall in leat.walls(record):
            self.assertTrue(50e6 <= wall < 5e9, wall)
        at = [t["at_ns"] for t in record["trials"]]
        self.assertEqual(at, sorted(at))
        self.assertEqual(record["plan"]["stopped"], "budget")
        self.assertTrue(0.5e9 < record["plan"]["wall_ns"] < 10e9)

    def test_the_time_of_a_run_begins_at_exec_and_ends_at_exit(self):
        # What a vfork, exec and wait4 around the same program takes is the upper bound.
        bare = leat.compile_c("bare", r"""
#include <stdio.h>
#include <stdlib.h>
#include <sys/wait.h>
#include <time.h>
#include <unistd.h>
static int by_value(const void *a, const void *b)
{
	double x = *(double *)a, y = *(double *)b;
	return (x > y) - (x < y);
}
int main(int argc, char **argv)
{
	double us[200];
	for (int i = 0; i < 200; i++) {
		struct timespec a, b;
		clock_gettime(CLOCK_MONOTONIC, &a);
		pid_t pid = vfork();
		if (pid == 0) {
			execv(argv[1], argv + 1);
			_exit(127);
		}
		wait4(pid, 0, 0, 0);
		clock_gettime(CLOCK_MONOTONIC, &b);
		us[i] = (b.tv_sec - a.tv_sec) * 1e6 + (b.tv_nsec - a.tv_nsec) / 1e3;
	}
	qsort(us, 200, sizeof(*us), by_value);
	printf("%f\n", us[20]);
	return 0;
}
""", static=True)
        floor = float(subprocess.run([bare, leat.empty()], stdout=subprocess.PIPE, check=True).stdout)
        record = self.record("run", "-n", "200", "--", leat.empty())
        tenth = sorted(leat.walls(record))[20] / 1e3
        self.assertLess(tenth, floor * 2 + 200, f"{tenth:.0f} us, where bare start takes {floor:.0f}")


class Cpu(leat.Case):
    def setUp(self):
        super().setUp()
        self.need_meter("cpu")

    def test_two_threads_use_two_cpus_without_a_warning(self):  # T20
        record = self.record("run", "-n", "2", "--", leat.burn(), "150", "2", "each")
        for cpu in leat.readings(record, "cpu"):
            self.assertTrue(290e6 <= cpu < 400e6, cpu)
        for trial in leat.kept(record):
            cores = leat.reading(trial, "cores")
            self.assertAlmostEqual(
                cores, leat.reading(trial, "cpu") / leat.reading(trial, "wall"), delta=0.01
            )
            self.assertLess(cores, 2.1)
        for row in record["findings"]:
            self.assertNotIn(row["id"], ("mostly-waiting", "cpu-incomplete"))

    def test_children_are_counted_whoever_waits_for_them(self):
        burn = leat.burn()
        for line in (f"{burn} 80; {burn} 40", f"{burn} 80 & {burn} 40 & wait",
                     f"({burn} 120 &) ; sleep 0.6"):
            with self.subTest(line=line):
                record = self.record("run", "-n", "1", "--", "sh", "-c", line)
                cpu = leat.readings(record, "cpu")[0]
                self.assertTrue(118e6 <= cpu < 220e6, cpu)

    def test_a_child_that_burns_on_behind_the_programs_end_is_told(self):  # T4
        burn = leat.burn()
        record = self.record("run", "-n", "2", "--", "sh", "-c", f"{burn} 60000 & sleep 0.3")
        for trial in record["trials"]:
            cpu, limit = leat.reading(trial, "cpu"), leat.reading(trial, "wall")
            self.assertEqual(trial["outcome"]["left"], 1)
            if cpu is not None:
                self.assertGreater(cpu, limit * 0.1, "the child's CPU time is left out")
        self.assertTrue(
            leat.finding(record, "cpu-incomplete") or leat.finding(record, "left-children")
        )

    def test_waiting_for_descendants_counts_all_of_their_cpu(self):  # T4
        burn = leat.burn()
        record = self.record(
            "run", "-n", "2", "--descendants", "wait", "--", "sh", "-c", f"{burn} 120 & sleep 0.02"
        )
        for cpu in leat.readings(record, "cpu"):
            self.assertTrue(118e6 <= cpu < 220e6, cpu)
        self.assertIsNone(leat.finding(record, "cpu-incomplete"))

    def test_only_the_sum_of_user_and_system_is_judged(self):  # T18
        record = self.record("compare", "-n", "12", "--", f"a={leat.burn()} 1", f"b={leat.burn()} 9")
        sampled = {m["name"]: m["sampled"] for m in record["metrics"]}
        self.assertEqual((sampled["cpu"], sampled["user"], sampled["sys"]), (False, True, True))
        judged = {row["metric"] for row in record["comparisons"]}
        self.assertIn("cpu", judged)
        self.assertFalse(judged & {"user", "sys"})
        self.assertEqual(leat.comparison(record, "cpu")["verdict"], "slower")
        for name in ("user", "sys"):
            self.assert_refused(
                self.leat("compare", "--primary", name, "--", "true", "true"), "sampled"
            )
            self.assert_refused(
                self.leat("compare", "--gate", f"{name} +5%", "--", "true", "true"), "sampled"
            )
        self.assertRegex(self.ok("run", "-n", "2", "--", "true").out, "clock tick")

    def test_a_program_of_a_millisecond_has_no_zero_cpu_time(self):  # T18
        record = self.record("run", "-n", "10", "--", leat.burn(), "1")
        for cpu in leat.readings(record, "cpu"):
            self.assertGreater(cpu, 0.9e6)

    def test_a_sleeper_is_told_to_be_mostly_waiting(self):  # T6
        record = self.record("run", "-n", "2", "--", "sleep", "0.2")
        self.assertIsNotNone(leat.finding(record, "mostly-waiting"))
        record = self.record("run", "-n", "2", "--", leat.burn(), "80")
        self.assertIsNone(leat.finding(record, "mostly-waiting"))

    def test_waiting_for_a_cpu_is_seen_and_taken_out(self):
        self.need_meter("wait")
        cpu = min(os.sched_getaffinity(0))
        hog = self.helper("taskset", "-c", cpu, leat.burn(), "1e9")
        self.assertTrue(leat.wait_until(lambda: hog.poll() is None))
        time.sleep(0.05)
        record = self.record("run", "-n", "3", "--pin", cpu, "--", leat.burn(), "150")
        for trial in leat.kept(record):
            wall, wait = leat.reading(trial, "wall"), leat.reading(trial, "wait")
            self.assertGreater(wait, 0.2 * wall, "half of the CPU was another's")
            self.assertAlmostEqual(leat.reading(trial, "wall-wait"), wall - wait, delta=2e3)
        self.assertIsNotNone(leat.finding(record, "waited-for-cpu"))


class Memory(leat.Case):
    def setUp(self):
        super().setUp()
        self.need_meter("memory")
        self.truth_tool = leat.compile_c("truth", TRUTH, static=True)
        self.hold = leat.compile_c("hold", HOLD, static=True)

    def truth(self, *argv):
        out = subprocess.run([self.truth_tool, *argv], stdout=subprocess.PIPE, check=True).stdout
        return int(out) * 1024

    def peaks(self, *argv, env=None):
        return leat.readings(self.record("run", "-n", "3", "--", *argv, env=env), "peak-rss")

    @unittest.skipIf(leat.SANITIZED, "a sanitized leat cannot be loaded behind another library")
    def test_the_peak_of_an_empty_program_is_right_whatever_leat_holds(self):  # T8
        hog = leat.compile_c("hog.so", HOG, shared=True)
        for env in ({}, {"LD_PRELOAD": hog}):
            for peak in self.peaks(leat.empty(), env=env):
                self.assertLessEqual(peak, self.truth(leat.empty()) + (1 << 19))
        self.assertGreater(self.record("run", "-n", "1", "--", leat.empty(), env={"LD_PRELOAD": hog})
                           ["own"]["peak_bytes"], 300e6, "leat did not hold 300 MB in this test")

    def test_the_peak_of_33_mebibytes_is_33(self):
        for peak in self.peaks(self.hold, "33"):
            self.assertAlmostEqual(peak, 33 << 20, delta=1 << 20)
            self.assertAlmostEqual(peak, self.truth(self.hold, "33"), delta=1 << 19)

    def test_the_peak_is_of_the_largest_of_its_processes(self):
        record = self.record("run", "-n", "2", "--", "sh", "-c", f"{self.hold} 40; {self.hold} 10")
        for peak in leat.readings(record, "peak-rss"):
            self.assertAlmostEqual(peak, 40 << 20, delta=2 << 20)

    def test_leats_own_peak_is_its_own_and_not_its_parents(self):
        script = (
            "import subprocess, sys; x = bytearray(200 << 20); "
            "sys.exit(subprocess.call(sys.argv[1:]))"
        )
        path = self.path("own.json")
        subprocess.run(
            ["python3", "-c", script, leat.LEAT, "run", "-q", "-n", "1", "--json", path, "true"],
            check=True, cwd=self.dir, env=self.environment(),
        )
        self.assertLess(self.load(path)["own"]["peak_bytes"], 100e6)

    def test_faults_of_touched_pages_are_counted(self):
        self.need_meter("faults")
        base = min(leat.readings(self.record("run", "-n", "3", "--", self.hold, "1"), "minor-faults"))
        more = min(leat.readings(self.record("run", "-n", "3", "--", self.hold, "9"), "minor-faults"))
        pages = (8 << 20) // os.sysconf("SC_PAGESIZE")
        # Huge pages, where they are on, take one fault for many.
        with open("/sys/kernel/mm/transparent_hugepage/enabled", encoding="ascii") as file:
            if "[always]" in file.read():
                self.assertGreater(more, base)
                return
        self.assertAlmostEqual(more - base, pages, delta=pages * 0.02)


if __name__ == "__main__":
    leat.main()
