# SPDX-License-Identifier: GPL-2.0-or-later
"""What leat shows of a libleat program: where its threads' time went, modules and queues, units
of work without --work, regions; of children too, of one that runs, and of none that lies."""

import os
import re
import signal
import subprocess
import time

import leat

PROGRAM = os.environ.get(
    "LEAT_PROGRAM", os.path.join(os.path.dirname(leat.LEAT), "../tests/cli-program")
)
PARTS = ("cpu_ns", "no_cpu_ns", "other_ns", "input_ns", "credit_ns", "pool_ns", "timer_ns",
         "turn_ns", "task_ns")


def deeds(*words):
    """One run of the program: deeds with a comma between them."""
    out = []
    for deed in words:
        out += ([","] if out else []) + [str(w) for w in deed]
    return [PROGRAM, *out]


def part(record, kind, name, process=None):
    for row in record["program"][kind]:
        if row["name"] == name and process in (None, row["process"]):
            return row
    return None


class Program(leat.Case):
    def run_record(self, *args, **how):
        return self.record("run", "-n", "3", "--", *args, **how)

    def assert_adds_up(self, record):
        self.assertTrue(record["program"]["threads"], "no thread is shown")
        for thread in record["program"]["threads"]:
            parts = [thread[p] for p in PARTS]
            self.assertFalse([p for p in parts if isinstance(p, dict)], thread)
            # The clocks are read one after the other, of threads that may live a few us only.
            delta = 0.01 * thread["wall_ns"] + 20e3
            self.assertAlmostEqual(sum(parts), thread["wall_ns"], delta=delta, msg=str(thread))

    def assert_runs_add_up(self, *args, tries=20):
        """One of a few runs: on a busy machine a thread may be preempted between two clocks."""
        for left in reversed(range(tries)):
            record = self.run_record(*args)
            try:
                self.assert_adds_up(record)
                return record
            except AssertionError:
                if not left:
                    raise


class TimeAndPlace(Program):
    def test_causes_and_cpu_add_up_to_wall_time(self):
        for args in (
            ["chain", "-t", "0", "-n", "20000"],
            ["chain", "-t", "2", "-k", "main", "-n", "20000"],
            ["net", "-t", "all", "-n", "2000"],
            ["pipeline", "-t", "2", "-n", "20000", "-w", "2000"],
            ["queens", "-t", "2", "-n", "9"],
        ):
            with self.subTest(args=args):
                self.assert_runs_add_up(leat.LEAT, "bench", *args)

    def test_a_chain_shows_each_thread_module_and_queue(self):
        record = self.run_record(leat.LEAT, "bench", "chain", "-t", "0", "-n", "5000")
        self.assertEqual(
            [t["name"] for t in record["program"]["threads"]], [f"t{i}" for i in range(10)]
        )
        for i in range(10):
            module = part(record, "modules", f"m{i}")
            self.assertEqual(module["thread"], f"t{i}")
            self.assertEqual(module["in"], 0 if i == 0 else 5000)
            self.assertEqual(module["out"], 0 if i == 9 else 5000)
        self.assertEqual(len(record["program"]["queues"]), 9)
        for queue in record["program"]["queues"]:
            self.assertEqual((queue["depth"], queue["in"], queue["out"]), (10, 5000, 5000))

    def test_the_text_says_it_in_80_columns(self):
        out = self.ok("run", "-n", "2", "--", leat.LEAT, "bench", "chain", "-t", "0", "-n", "500").out
        self.assertRegex(out, r"\n  thread +wall +on CPU")
        self.assertRegex(out, r"\n  t0 .*%")
        self.assertRegex(out, r"\n  m0\.out>m1\.in +10 +500 ")
        self.assertRegex(out, r"\n  per buffer \(work counter 'chain' of the program\)\n")
        self.assertLessEqual(max(len(line) for line in out.splitlines()), 80)
        self.assertIn("spinning", self.ok("run", "-v", "-n", "1", "--", *deeds(["chain", 5])).out)

    def test_a_pipelines_worker_waits_for_its_turn(self):
        record = self.run_record(leat.LEAT, "bench", "pipeline", "-t", "2", "-n", "2000", "-w", "50000")
        pipeline = record["program"]["pipelines"][0]
        self.assertEqual((pipeline["items"], pipeline["workers"]), (2000, 2))
        self.assertTrue([t for t in record["program"]["threads"] if t["name"] == "main"])

    def test_the_examples_need_no_option(self):
        place = os.path.dirname(PROGRAM)
        record = self.assert_runs_add_up(os.path.join(place, "example-chain"), "each")
        self.assertEqual(part(record, "modules", "square")["in"], 1000)
        self.assertEqual(part(record, "queues", "source.out>square.in")["depth"], 10)
        words = self.write("words", "some words of a text\n" * 50000)
        record = self.assert_runs_add_up(os.path.join(place, "example-wordcount"), words)
        self.assertEqual(record["trials"][0]["work"], os.path.getsize(words))
        self.assertEqual(record["plan"]["work_unit"], "byte")
        self.assertEqual(part(record, "pipelines", "wordcount")["stages"], 3)

    def test_an_ordinary_program_has_none_of_this(self):
        record = self.run_record("true")
        self.assertIsNone(record["program"])
        self.assertNotIn("thread", self.ok("run", "-n", "1", "--", "true").out)

    def test_a_hang_shows_where_the_threads_stand(self):
        record = self.record(
            "run", "-n", "1", "--timeout", "1s", "--", *deeds(["stuck"]), code=leat.PROGRAM
        )
        thread = part(record, "threads", "t0")
        self.assertGreater(thread["credit_ns"], 0.5e9)
        self.assertEqual(thread["queue"], "source.out>sink.in")
        self.assertEqual(thread["cpu_ns"]["state"], "unavailable")
        self.assertIsNotNone(leat.finding(record, "program-of-failed"))

    def test_markdown_and_parts_hold_it_too(self):
        path, saved = self.path("t.md"), self.path("r.json")
        self.ok("run", "-q", "-n", "1", "--markdown", path, "--json", saved, "--", *deeds(["chain", 5]))
        with open(path, encoding="utf-8") as file:
            self.assertRegex(file.read(), r"\| source \| 0 \| 5 \|")
        rows = self.ok("report", "-f", "parts", saved).out.splitlines()
        self.assertEqual(rows[0], "variant,process,kind,name,of,count,value,unit,state,num")
        self.assertTrue([r for r in rows if ",modules,source,t0,1,out,count,measured,5" in r], rows)

    def test_two_saved_records_keep_it(self):
        a, b = self.path("a.json"), self.path("b.json")
        for path, n in ((a, 5), (b, 7)):
            self.ok("run", "-q", "-n", "6", "--json", path, "--", *deeds(["chain", n]))
        record = self.record("compare", a, b)
        got = {row["variant"]: row["out"] for row in record["program"]["modules"] if row["out"]}
        self.assertEqual(sorted(got.values()), [5, 7])


class Work(Program):
    def test_a_work_counter_gives_a_cost_per_unit(self):
        record = self.run_record(*deeds(["count", "packets", 1000]))
        self.assertEqual([t["work"] for t in record["trials"]], [1000] * 3)
        self.assertEqual(record["plan"]["work_from"], "work counter 'packets' of the program")
        self.assertEqual(record["plan"]["work_unit"], "packets")
        name = record["variants"][0]["name"]
        wall = leat.metric(record, name, "wall")["center"]
        self.assertAlmostEqual(leat.metric(record, name, "wall", True)["center"], wall / 1000, delta=1)

    def test_of_several_the_first_that_counted_is_taken_and_said(self):
        program = deeds(["count", "none", 0], ["count", "packets", 10], ["count", "bytes", 640])
        record = self.run_record(*program)
        self.assertEqual(record["trials"][0]["work"], 10)
        self.assertEqual(leat.finding(record, "counters-several")["name"], "packets")
        record = self.record("run", "-n", "1", "--work-counter", "bytes", "--", *program)
        self.assertEqual(record["trials"][0]["work"], 640)
        self.assertIsNone(leat.finding(record, "counters-several"))
        self.assertTrue(part(record, "counters", "bytes")["chosen"])
        self.assertFalse(part(record, "counters", "packets")["chosen"])
        record = self.record("run", "-n", "1", "--work-counter", "none", "--", *program)
        self.assertIsNone(record["trials"][0]["work"])
        record = self.record("run", "-n", "1", "--work-counter", "nix", "--", *program)
        self.assertIsNone(record["trials"][0]["work"])
        self.assertIsNotNone(leat.finding(record, "counter-missing"))

    def test_what_the_user_states_goes_before(self):
        program = deeds(["count", "packets", 10], ["say", "served 77"])
        record = self.record("run", "-n", "1", "--work", "5", "--", *program)
        self.assertEqual((record["trials"][0]["work"], record["plan"]["work_from"]), (5, "a constant"))
        record = self.record("run", "-n", "1", "--work-from", "served ([0-9]+)", "--", *program)
        self.assertEqual(record["trials"][0]["work"], 77)
        self.assertIsNone(record["plan"]["work_unit"])
        self.assert_refused(
            self.leat("run", "--work", "5", "--work-counter", "x", "--", "true"), "--work-counter"
        )

    def test_children_are_counted_in(self):
        record = self.run_record(*deeds(["count", "packets", 1], ["fork", 4, 100]))
        self.assertEqual(record["trials"][0]["work"], 401)
        name = os.path.basename(PROGRAM)
        self.assertEqual(part(record, "processes", name)["count"], 1)
        self.assertEqual(part(record, "processes", f"{name} (child)")["count"], 4)
        self.assertEqual(part(record, "counters", "packets", f"{name} (child)")["units"], 400)
        record = self.run_record(*deeds(["exec", "count", "packets", 7]))
        self.assertEqual(record["trials"][0]["work"], 7)
        record = self.run_record("sh", "-c", " ".join(deeds(["count", "packets", 9])) + "; exit 0")
        self.assertEqual(record["trials"][0]["work"], 9)

    def test_one_that_is_left_running_is_counted_up_to_the_end(self):
        record = self.record(
            "run", "-n", "1", "--", "sh", "-c", f"{PROGRAM} serve & sleep 0.4")
        self.assert_adds_up(record)
        self.assertGreater(part(record, "threads", "t1")["input_ns"], 50e6)
        self.assertGreater(record["trials"][0]["work"], 5)

    def test_compared_programs_each_have_their_own(self):
        record = self.record(
            "compare", "-n", "6", "--", f"{PROGRAM} count packets 5", f"{PROGRAM} count lines 7"
        )
        works = {t["variant"]: t["work"] for t in leat.kept(record)}
        self.assertEqual(sorted(works.values()), [5, 7])
        self.assertEqual(record["plan"]["work_from"], "a work counter of each program")
        self.assertIsNone(record["plan"]["work_unit"])


class Regions(Program):
    def test_readings_are_of_the_region(self):
        record = self.run_record(
            *deeds(["sleep", 60], ["count", "p", 5], ["begin", "hot"], ["burn", 20], ["count", "p", 23],
                   ["end", "hot"], ["burn", 30]))
        self.assertEqual(record["plan"]["region"], "hot")
        for trial in leat.kept(record):
            self.assertEqual(trial["work"], 23)
            cpu = leat.reading(trial, "cpu")
            self.assertTrue(19e6 <= cpu < 25e6, f"{cpu} ns of CPU time in the region")
            self.assertGreaterEqual(leat.reading(trial, "wall"), 19e6)
            self.assertIsNone(leat.reading(trial, "peak-rss"))
            self.assertRegex(trial["readings"]["peak-rss"]["reason"], "whole runs only")
        share = leat.finding(record, "region")["num"][0]
        self.assertTrue(0.05 < share < 0.9, share)

    def test_none_measures_whole_runs(self):
        program = deeds(["sleep", 30], ["begin", "hot"], ["count", "p", 2], ["end", "hot"], ["count", "p", 1])
        record = self.record("run", "-n", "2", "--region", "none", "--", *program)
        self.assertIsNone(record["plan"]["region"])
        self.assertEqual(record["trials"][0]["work"], 3)
        for trial in leat.kept(record):
            self.assertGreaterEqual(leat.reading(trial, "wall"), 30e6)
        self.assertEqual(part(record, "regions", "hot")["times"], 1)

    def test_of_several_one_is_chosen_and_said(self):
        program = deeds(["begin", "a"], ["sleep", 5], ["end", "a"], ["begin", "b"], ["sleep", 40], ["end", "b"])
        record = self.record("run", "-n", "2", "--", *program)
        self.assertEqual(record["plan"]["region"], "a")
        self.assertEqual(leat.finding(record, "regions-several")["num"][0], 2)
        record = self.record("run", "-n", "2", "--region", "b", "--", *program)
        self.assertEqual(record["plan"]["region"], "b")
        for wall in leat.walls(record):
            self.assertGreaterEqual(wall, 40e6)
        record = self.record("run", "-n", "1", "--region", "c", "--", *program)
        self.assertIsNone(record["plan"]["region"])
        self.assertIsNotNone(leat.finding(record, "region-missing"))

    def test_one_that_is_open_at_the_end_ends_there(self):
        record = self.run_record(*deeds(["begin", "hot"], ["burn", 20]))
        for trial in leat.kept(record):
            self.assertGreaterEqual(leat.reading(trial, "cpu"), 19e6)
        record = self.run_record(*deeds(["begin", "hot"], ["burn", 20], ["_exit", 0]))
        for trial in leat.kept(record):
            self.assertGreaterEqual(leat.reading(trial, "wall"), 19e6)
            self.assertIsNone(leat.reading(trial, "cpu"), "nobody knows")

    def test_a_run_that_does_not_enter_it_is_not_mixed_in(self):
        mark = self.path("mark")
        script = self.script(
            "now-and-then",
            f"if [ -e {mark} ]; then rm {mark}; exec {PROGRAM} count p 1; fi\n"
            f": >{mark}; exec {' '.join(deeds(['begin', 'hot'], ['sleep', 2], ['end', 'hot']))}\n",
        )
        record = self.record("run", "-n", "4", "--", script)
        self.assertEqual([leat.reading(t, "wall") is None for t in record["trials"]],
                         [False, True, False, True])
        self.assertEqual(leat.finding(record, "region-not-entered")["num"][0], 2)


class Place(Program):
    """Where the pages are left, and that nothing stays."""

    SHOW = ["sh", "-c", 'echo "$LEAT_STATS_DIR"; ls "$LEAT_STATS_DIR"; exec "$0" "$@"']

    def place(self, *args, **how):
        out = self.path("out")
        result = self.leat("run", "-q", "--stdout", f"file:{out}", *args, **how)
        with open(out, encoding="utf-8") as file:
            return result, file.read().split()

    def test_the_directory_is_private_empty_and_gone(self):
        result, lines = self.place("-n", "3", "--", *self.SHOW, *deeds(["count", "p", 1]))
        self.assertEqual(result.code, 0)
        self.assertEqual(len(lines), 1, f"something was left by the run before: {lines}")
        self.assertRegex(lines[0], r"^/")
        self.assertFalse(os.path.exists(lines[0]))

    def test_it_is_gone_after_interrupt_and_failure(self):
        for args, code in ((["sleep", "60"], 130), (["sh", "-c", "exit 7"], leat.PROGRAM)):
            with self.subTest(args=args):
                out = self.path("out")
                process = self.start(
                    "run", "-q", "--stdout", f"file:{out}", "--", "sh", "-c",
                    'echo "$LEAT_STATS_DIR"; exec "$@"', "sh", *args)
                self.assertTrue(leat.wait_until(lambda: os.path.exists(out) and os.path.getsize(out)))
                with open(out, encoding="utf-8") as file:
                    place = file.read().strip()
                if code == 130:
                    process.send_signal(signal.SIGINT)
                self.assertEqual(self.finish(process).code, code)
                self.assertFalse(os.path.exists(place))

    def test_one_that_was_killed_is_cleaned_up_after(self):
        out = self.path("out")
        process = self.start("run", "-q", "--stdout", f"file:{out}", "--", "sh", "-c",
                             'echo "$LEAT_STATS_DIR"; exec "$0" "$@"', *deeds(["count", "p", 1], ["sleep", 60000]))
        self.assertTrue(leat.wait_until(lambda: os.path.exists(out) and os.path.getsize(out)))
        with open(out, encoding="utf-8") as file:
            place = file.read().strip()
        if not place.startswith("/dev/shm/"):
            self.skipTest(f"pages are left in {place}, where nobody looks for them")
        process.kill()
        self.killed = True
        self.finish(process)
        self.assertTrue(os.path.exists(place))
        self.reap_after_kill()
        self.ok("run", "-q", "-n", "1", "--", "true")
        self.assertFalse(os.path.exists(place))

    def test_a_place_that_the_user_named_is_used_and_kept(self):
        mine = self.path("mine")
        os.mkdir(mine)
        for how in ({"env": {"LEAT_STATS_DIR": mine}}, {}):
            args = [] if how else ["--env", f"LEAT_STATS_DIR={mine}"]
            record = self.record("run", "-n", "2", *args, "--", *deeds(["count", "p", 23]), **how)
            self.assertEqual([t["work"] for t in record["trials"]], [23, 23])
        self.assertEqual(len(os.listdir(mine)), 4)
        record = self.record("run", "-n", "1", "--env", "LEAT_STATS_DIR=", "--", *deeds(["count", "p", 23]))
        self.assertIsNone(record["program"])

    def test_the_preparation_does_not_count(self):
        record = self.record("run", "-n", "2", "--prepare", " ".join(deeds(["count", "p", 1])), "--", "true")
        self.assertIsNone(record["program"])

    def test_garbage_is_told_and_does_no_harm(self):
        record = self.run_record(*deeds(["garbage", 3], ["count", "p", 5]))
        self.assertEqual(record["trials"][0]["work"], 5)
        found = leat.finding(record, "page-unread")
        self.assertEqual(found["num"][0], 9)
        self.assertRegex(found["name"], "no statistics page")

    def test_a_place_that_does_not_serve_does_no_harm(self):
        record = self.record("run", "-n", "1", "--env", "LEAT_STATS_DIR=/nowhere/at/all", "--", *deeds(["count", "p", 5]))
        self.assertIsNone(record["program"])


class Running(Program):
    def serve(self):
        process = self.helper(*deeds(["serve"]))
        self.assertTrue(leat.wait_until(lambda: len(os.listdir(f"/proc/{process.pid}/task")) >= 3))
        return process

    def test_a_running_program_is_shown(self):
        process = self.serve()
        record = self.record("run", "-p", process.pid, "--for", "2s")
        self.assert_adds_up(record)
        sink = part(record, "threads", "t1")
        self.assertAlmostEqual(sink["wall_ns"], 1e9, delta=0.2e9)
        self.assertGreater(sink["input_ns"], 0.3e9)
        moved = part(record, "queues", "source.out>sink.in")["in"]
        self.assertTrue(20 < moved < 1200, f"{moved} buffers a second, paced at 1000")
        for trial in leat.kept(record):
            self.assertTrue(20 < trial["work"] < 1200, trial["work"])
        self.assertEqual(record["plan"]["work_from"], "work counter 'buffers' of the program")

    def test_one_that_left_its_page_in_a_directory_too(self):
        mine = self.path("mine")
        os.mkdir(mine)
        process = self.helper(*deeds(["serve"]), env=self.environment({"LEAT_STATS_DIR": mine}))
        self.assertTrue(leat.wait_until(lambda: os.listdir(mine)))
        time.sleep(0.1)
        record = self.record("run", "-p", process.pid, "--for", "1s")
        self.assertIsNotNone(part(record, "threads", "t1"))

    def test_one_in_a_container_too(self):
        outer = self.helper("unshare", "-p", "-f", "--kill-child", *deeds(["serve"]))
        inner = leat.wait_until(lambda: [p for p in leat.descendants(outer.pid)
                                         if leat.comm(p).startswith("cli-prog")], 3)
        if not inner:
            self.skipTest("no process namespace can be made here")
        self.assertTrue(leat.wait_until(lambda: len(os.listdir(f"/proc/{inner[0]}/task")) >= 3))
        record = self.record("run", "-p", inner[0], "--for", "1s")
        self.assert_adds_up(record)
        self.assertIsNotNone(part(record, "threads", "t1"))

    def test_an_ordinary_one_has_none_of_this(self):
        process = self.helper("sleep", "60")
        self.assertIsNone(self.record("run", "-p", process.pid, "--for", "1s")["program"])

    def test_regions_are_shown_but_not_applied(self):
        process = self.helper(*deeds(["count", "p", 1], ["begin", "hot"], ["sleep", 30000]))
        self.assertTrue(leat.wait_until(lambda: self.has_page(process.pid)))
        record = self.record("run", "-p", process.pid, "--for", "1s")
        self.assertIsNone(record["plan"]["region"])
        hot = part(record, "regions", "hot")
        self.assertAlmostEqual(hot["wall_ns"], 1e9, delta=0.2e9)
        self.assertEqual(hot["cpu_ns"]["state"], "unavailable")
        self.assert_refused(self.leat("run", "-p", process.pid, "--region", "hot"), "--region")

    def has_page(self, pid):
        names = subprocess.run(["ls", "-l", f"/proc/{pid}/fd"], stdout=subprocess.PIPE, check=False)
        return re.search(b"leat-stats", names.stdout)


if __name__ == "__main__":
    leat.main()
