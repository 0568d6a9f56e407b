# SPDX-License-Identifier: GPL-2.0-or-later
"""leat compare: order, names, verdicts, gates, when it stops, saved records and claims."""

import copy
import json
import os
import re

import leat


class Order(leat.Case):
    def blocks(self, record):
        """The order of the variants in each block, block by block."""
        found = {}
        for trial in sorted(record["trials"], key=lambda t: t["order"]):
            if not trial["warmup"]:
                found.setdefault(trial["block"], []).append(trial["variant"])
        return list(found.values())

    def test_each_pair_holds_both_and_both_orders_occur(self):
        record = self.record("compare", "-n", "40", "--seed", "7", "--", "a=true", "b=true")
        blocks = self.blocks(record)
        self.assertEqual(len(blocks), 40)
        for block in blocks:
            self.assertEqual(sorted(block), ["a", "b"])
        first = [block[0] for block in blocks]
        self.assertGreaterEqual(min(first.count("a"), first.count("b")), 8)

    def test_the_runs_of_a_pair_are_neighbours_in_time(self):
        record = self.record("compare", "-n", "12", "--", "a=true", "b=true", "c=true")
        trials = sorted(record["trials"], key=lambda t: t["order"])
        self.assertEqual([t["order"] for t in trials], list(range(len(trials))))
        for i in range(0, len(trials), 3):
            self.assertEqual(len({t["block"] for t in trials[i : i + 3]}), 1)
            self.assertEqual(len({t["variant"] for t in trials[i : i + 3]}), 3)

    def test_a_seed_repeats_the_order_and_another_does_not(self):
        def order(seed):
            args = ["compare", "-n", "30", "--seed", seed, "--", "a=true", "b=true"]
            return self.blocks(self.record(*args))

        self.assertEqual(order("11"), order("11"))
        self.assertNotEqual(order("11"), order("12"))

    def test_without_a_seed_one_is_chosen_printed_and_new_each_time(self):
        seeds = set()
        for _ in range(3):
            result = self.ok("compare", "-n", "6", "--", "true", "true")
            seeds.add(re.search(r"seed\s+([0-9]+)", result.out).group(1))
        self.assertGreater(len(seeds), 1)

    def test_the_sides_of_a_pair_share_their_environment_pad_and_pairs_do_not(self):
        self.path("pads")
        say = """sh -c 'echo "$0 ${#LEAT_PAD}" >> pads'"""
        self.record("compare", "-n", "16", "--warmup", "0", "--", f"a={say} A", f"b={say} B")
        with open(os.path.join(self.dir, "pads"), encoding="ascii") as file:
            pads = [line.split()[1] for line in file]
        pairs = [pads[i : i + 2] for i in range(0, len(pads), 2)]
        self.assertEqual(len(pairs), 16)
        for one, other in pairs:
            self.assertEqual(one, other)
        self.assertGreater(len({one for one, _ in pairs}), 8)
        self.assertTrue(all(0 <= int(one) < 4096 for one, _ in pairs))

    def test_one_warm_up_pair_is_discarded(self):
        record = self.record("compare", "-n", "6", "--", "a=true", "b=true")
        warm = [t["variant"] for t in record["trials"] if t["warmup"]]
        self.assertEqual(sorted(warm), ["a", "b"])
        self.assertEqual(leat.comparison(record)["n"], 6)

    def test_n_starts_each_command_exactly_that_often(self):
        self.path("log")
        line = "sh -c 'echo x >> log'"
        self.record("compare", "-n", "7", "--warmup", "2", "--", line, line, "true")
        self.assertEqual(self.count_lines("log"), 2 * 9)

    def test_the_same_preparation_runs_before_every_run_of_both(self):  # T17
        self.path("log")
        record = self.record(
            "compare", "-n", "4", "--warmup", "0", "--prepare", "echo p >> log", "--",
            "sh -c 'echo r >> log'", "b=sh -c 'echo r >> log'",
        )
        with open(os.path.join(self.dir, "log"), encoding="ascii") as file:
            self.assertEqual(file.read().split(), ["p", "r"] * 8)
        self.assertEqual(record["plan"]["prepare"], "echo p >> log")
        self.assertRegex(
            self.ok("compare", "-n", "6", "--prepare", "true # warm", "--", "true", "true").out,
            "true # warm",
        )


class Names(leat.Case):
    def names(self, *commands):
        record = self.record("compare", "-n", "6", "--", *commands)
        return [v["name"] for v in record["variants"]], [v["command"] for v in record["variants"]]

    def test_a_name_in_front_of_the_command_is_used(self):
        names, commands = self.names("old=sleep 0", "new-2.1_x=sleep 0.0")
        self.assertEqual(names, ["old", "new-2.1_x"])
        self.assertEqual(commands, ["sleep 0", "sleep 0.0"])

    def test_without_one_the_command_is_its_name(self):
        self.assertEqual(self.names("sleep 0", "sleep 0.0")[0], ["sleep 0", "sleep 0.0"])

    def test_the_same_command_twice_gets_two_names(self):
        names, commands = self.names("true", "true", "true")
        self.assertEqual(len(set(names)), 3)
        self.assertEqual(commands, ["true"] * 3)

    def test_a_name_given_twice_is_told_apart(self):
        names, _ = self.names("x=true", "x=sleep 0")
        self.assertEqual(len(set(names)), 2)

    def test_an_equals_sign_within_the_command_is_not_a_name(self):
        names, commands = self.names("env A=1 true", "true a=b")
        self.assertEqual(commands, ["env A=1 true", "true a=b"])
        self.assertEqual(names, commands)


class Verdicts(leat.Case):
    def test_twice_as_long_is_slower_and_the_reverse_is_faster(self):
        for first, second, word, low, high in (
            ("0.01", "0.06", "slower", 1.5, 6.5), ("0.06", "0.01", "faster", 0.15, 0.7)
        ):
            record = self.record(
                "compare", "-n", "9", "--", f"a=sleep {first}", f"b=sleep {second}"
            )
            row = leat.comparison(record)
            self.assertEqual(row["verdict"], word)
            self.assertEqual((row["a"], row["b"]), ("a", "b"))
            self.assertTrue(low < row["ratio"] < high, row)
            self.assertTrue(row["lo"] <= row["ratio"] <= row["hi"])
            self.assertTrue(2 / 2**9 - 1e-12 <= row["p"] < 0.05, row["p"])
            self.assertEqual(row["method"], "signed-rank")
            self.assertTrue(row["interleaved"])
            self.assertTrue(row["diff_lo"] <= row["diff"] <= row["diff_hi"])
            self.assertEqual(row["diff"] > 0, word == "slower")
            self.assertGreater(row["provable"], 0)

    def test_the_text_begins_with_the_verdict_and_says_what_its_numbers_are(self):
        out = self.ok("compare", "-n", "9", "--seed", "5", "--", "a=sleep 0.01", "b=sleep 0.06").out
        flat = " ".join(out.split())
        self.assertRegex(out, r"\Ab is slower than a: ")
        self.assertRegex(flat, r"95 % signed-rank interval")
        self.assertRegex(flat, r"9 pairs in random order, seed 5")
        self.assertRegex(flat, r"p = 0\.00")
        self.assertRegex(flat, "provable")
        self.assertRegex(flat, r"\+[0-9.]+ ms")
        for line in out.splitlines():
            self.assertLessEqual(len(line), 80, line)

    def test_fewer_than_six_pairs_allow_no_verdict(self):
        record = self.record("compare", "-n", "5", "--", "a=sleep 0.01", "b=sleep 0.03")
        row = leat.comparison(record)
        self.assertEqual(row["verdict"], "too-few")
        self.assertIsNone(row["lo"])
        self.assertIsNone(row["hi"])
        out = self.ok("compare", "-n", "5", "--", "a=sleep 0.01", "b=sleep 0.03").out
        self.assertRegex(out, r"\Atoo few pairs for a verdict")

    def test_three_are_each_compared_with_the_first_at_a_shared_level(self):
        record = self.record(
            "compare", "-n", "10", "--", "a=sleep 0.01", "b=sleep 0.06", "c=sleep 0.03"
        )
        rows = [r for r in record["comparisons"] if r["metric"] == "wall"]
        self.assertEqual([(r["a"], r["b"]) for r in rows], [("a", "b"), ("a", "c")])
        for row in rows:
            self.assertEqual(row["verdict"], "slower")
            self.assertAlmostEqual(row["level"], 0.975)
        self.assertGreater(rows[0]["ratio"], rows[1]["ratio"])

    def test_same_is_a_claim_of_its_own(self):
        record = self.record(
            "compare", "-n", "15", "--same", "80%", "--", "a=sleep 0.05", "b=sleep 0.05"
        )
        self.assertEqual(leat.comparison(record)["verdict"], "same")
        self.assertEqual(record["plan"]["same"], 0.8)
        tight = self.record(
            "compare", "-n", "6", "--same", "0.0001%", "--", "a=sleep 0.01", "b=sleep 0.01"
        )
        self.assertNotEqual(leat.comparison(tight)["verdict"], "same")

    def test_undecided_says_what_would_have_been_seen(self):
        path = self.path("u.json")
        for _ in range(4):  # one in twenty may look different by chance
            out = self.ok("compare", "-n", "6", "--json", path, "--", "a=true", "b=true").out
            record = self.load(path)
            if leat.comparison(record)["verdict"] == "undecided":
                break
        self.assertRegex(out, r"\Aundecided, no difference between b and a is proved")
        self.assertRegex(" ".join(out.split()), r"would have been seen with 90 % chance")

    def test_plan_says_how_many_pairs_would_prove_it(self):
        record = self.record(
            "compare", "-n", "8", "--plan", "0.5%", "--", "a=sleep 0.01", "b=sleep 0.01"
        )
        row = leat.comparison(record)
        self.assertEqual(row["plan_effect"], 0.005)
        self.assertGreater(row["plan_runs"], 6)
        out = self.ok("compare", "-n", "8", "--plan", "20%", "--", "a=true", "b=true").out
        self.assertRegex(" ".join(out.split()), r"To prove 20 % takes about [0-9,]+ pairs")

    def test_secondary_metrics_are_adjusted_together(self):
        record = self.record("compare", "-n", "8", "--", "a=true", "b=sleep 0")
        others = [r for r in record["comparisons"] if not r["primary"] and r["p"] is not None]
        self.assertGreater(len(others), 3, "no secondary metrics")
        ordered = sorted(others, key=lambda r: r["p"])
        for i, row in enumerate(ordered):
            self.assertGreaterEqual(row["p_holm"], row["p"] - 1e-12)
            self.assertLessEqual(row["p_holm"], min(1, row["p"] * (len(others))) + 1e-12)
        self.assertEqual(len([r for r in record["comparisons"] if r["primary"]]), 1)

    def test_a_failing_side_ends_it_and_is_named(self):
        record = self.record("compare", "-n", "6", "--", "good=true", "bad=false", code=leat.PROGRAM)
        self.assertRegex(self.result.err, "run 1 of 'false' failed: exit code 1")
        self.assertTrue(record["partial"])

    def test_a_failing_side_that_is_ignored_leaves_nothing_to_compare(self):
        record = self.record(
            "compare", "-n", "6", "--ignore-failure", "--", "good=true", "bad=false",
            code=leat.PROGRAM,
        )
        row = leat.comparison(record)
        self.assertTrue(row is None or row["lo"] is None)
        self.assertRegex(self.result.err, "no run of 'false' succeeded")

    def test_a_pair_of_which_one_failed_is_left_out_whole(self):
        self.path("count")
        flaky = self.script(
            "flaky", "echo x >> count; [ $(($(wc -l < count) % 4)) != 3 ] || exit 1; sleep 0.01"
        )
        record = self.record(
            "compare", "-n", "12", "--warmup", "0", "--ignore-failure", "--", "a=sleep 0.01",
            f"b={flaky}",
        )
        self.assertEqual(len(leat.kept(record, "a")), 12)
        self.assertEqual(len(leat.kept(record, "b")), 9)
        self.assertEqual(leat.comparison(record)["n"], 9)


class Stopping(leat.Case):
    def test_a_clear_difference_is_decided_early(self):
        record = self.record("compare", "--", "a=sleep 0.004", "b=sleep 0.03", timeout=60)
        self.assertEqual(record["plan"]["stopped"], "decided")
        self.assertEqual(record["plan"]["n_max"], 200)
        row = leat.comparison(record)
        self.assertEqual(row["verdict"], "slower")
        self.assertEqual(row["method"], "confidence-sequence")
        self.assertTrue(10 <= row["n"] < 60, row["n"])

    def test_the_cap_ends_what_is_never_decided(self):
        record = self.record("compare", "--max", "9", "--", "a=true", "b=true")
        self.assertEqual(record["plan"]["stopped"], "cap")
        self.assertEqual(leat.comparison(record)["n"], 9)

    def test_the_budget_ends_it_with_whole_pairs(self):
        record = self.record("compare", "--budget", "400ms", "--", "a=sleep 0.05", "b=sleep 0.05")
        self.assertIn(record["plan"]["stopped"], ("budget", "decided"))
        self.assertLess(record["plan"]["wall_ns"], 5e9)
        self.assertEqual(len(leat.kept(record, "a")), len(leat.kept(record, "b")))

    def test_n_is_not_cut_short(self):
        record = self.record("compare", "-n", "12", "--", "a=sleep 0.002", "b=sleep 0.03")
        self.assertEqual(record["plan"]["stopped"], "n")
        self.assertEqual(leat.comparison(record)["n"], 12)

    def test_aa_judges_the_machine_first(self):
        path = self.path("aa.json")
        result = self.leat(
            "compare", "--aa", "-n", "6", "--json", path, "--", "a=sleep 0.01", "b=sleep 0.03"
        )
        record = self.load(path)
        found = {f["id"] for f in record["findings"]}
        judged = found & {"aa-fit", "aa-unfit", "aa-blunt"}
        self.assertEqual(len(judged), 1, found)
        self.assertEqual(result.code, 1 if judged == {"aa-unfit"} else 0)
        rows = [r for r in record["comparisons"] if r["aa"] and r["metric"] == "wall"]
        self.assertEqual([r["n"] for r in rows], [20])
        self.assertEqual({v["command"] for v in record["variants"] if v["aa"]}, {"sleep 0.01"})
        self.assertEqual(leat.comparison(record)["n"], 6)
        self.assertRegex(result.out, "A/A")


class Saved(leat.Case):
    """Comparing records made by hand: the statistics are known exactly."""

    def setUp(self):
        super().setUp()
        self.template = self.record("run", "-n", "2", "-m", "wall", "--", "true")

    def save(self, name, walls, command="prog", change=None):
        record = copy.deepcopy(self.template)
        record["variants"] = [{"name": command, "command": command, "aa": False}]
        trial = record["trials"][0]
        record["trials"] = []
        for i, wall in enumerate(walls):
            t = copy.deepcopy(trial)
            t.update(variant=command, block=i, order=i, at_ns=i * 10**9)
            t["readings"] = {"wall": wall}
            record["trials"].append(t)
        record["summaries"], record["findings"] = [], []
        if change:
            change(record)
        return self.write(name, json.dumps(record))

    def compare(self, a, b, *args, code=0):
        return self.record("compare", *args, "--", a, b, code=code)

    def test_they_are_marked_as_not_interleaved_and_judged_by_rank_sum(self):
        a = self.save("a.json", [100e6 + i for i in range(10)])
        b = self.save("b.json", [110e6 + i for i in range(12)])
        record = self.compare(a, b)
        row = leat.comparison(record)
        self.assertFalse(row["interleaved"])
        self.assertEqual(row["method"], "rank-sum")
        self.assertEqual((row["n"], row["m"]), (10, 12))
        self.assertEqual(row["verdict"], "slower")
        self.assertAlmostEqual(row["ratio"], 1.1, places=4)
        self.assertAlmostEqual(row["p"], 2 / 646646, delta=1e-10)  # 2 / (22 choose 10)
        self.assertRegex(" ".join(self.ok("compare", a, b).out.split()), "not interleaved")

    def test_the_mean_of_two_runs_is_their_mean(self):  # T12, T13
        a = self.save("a.json", [1.0e9, 2.5e9])
        b = self.save("b.json", [1.0e9, 2.5e9])
        row = self.compare(a, b)["summaries"][0]
        self.assertEqual(row["mean"], 1.75e9)
        self.assertAlmostEqual(row["sd"], 1.0606601717798212e9, delta=1)
        self.assertIsNone(row["lo"], "two runs have no such interval")
        self.assertRegex(row["what"], "too few")

    def test_thirty_against_thirty_one_of_one_distribution_do_not_differ(self):  # T14
        values = [1e9 * (1 + 0.01 * ((i * 37) % 61 - 30) / 30) for i in range(61)]
        a, b = self.save("a.json", values[0::2]), self.save("b.json", values[1::2])
        row = leat.comparison(self.compare(a, b))
        self.assertEqual((row["n"], row["m"]), (31, 30))
        self.assertIn(row["verdict"], ("undecided", "same"))
        self.assertGreater(row["p"], 0.1)

    def test_equal_records_are_the_same(self):
        a = self.save("a.json", [5e6] * 10)
        b = self.save("b.json", [5e6] * 10)
        row = leat.comparison(self.compare(a, b))
        self.assertEqual((row["verdict"], row["ratio"], row["p"]), ("same", 1, 1))

    def test_a_gate_fails_only_when_the_interval_proves_it(self):  # T22
        base = self.save("a.json", [100e6 + 1e5 * i for i in range(12)])
        clear = self.save("b.json", [120e6 + 1e5 * i for i in range(12)])
        noisy = self.save("c.json", [100e6 * (0.80 + 0.07 * i) for i in range(12)])
        gate = ["--gate", "wall +10%"]
        record = self.compare(base, clear, *gate, code=1)
        self.assertEqual([(g["violated"], g["decided"]) for g in record["gates"]], [(True, True)])
        record = self.compare(base, noisy, *gate)
        row = leat.comparison(record)
        self.assertGreater(row["ratio"], 1.1, "the point estimate alone would fail it")
        self.assertLess(row["lo"], 1.1)
        self.assertEqual([(g["violated"], g["decided"]) for g in record["gates"]], [(False, False)])
        record = self.compare(base, base, *gate)
        self.assertEqual([(g["violated"], g["decided"]) for g in record["gates"]], [(False, True)])

    def test_each_of_several_gates_can_fail_it(self):
        base = self.save("a.json", [100e6 + 1e5 * i for i in range(12)])
        slow = self.save("b.json", [120e6 + 1e5 * i for i in range(12)])
        many = ["--gate", "wall +50%", "--gate", "wall +30%", "--gate", "wall+10%"]
        record = self.compare(base, slow, *many, code=1)
        self.assertEqual([g["violated"] for g in record["gates"]], [False, False, True])
        self.compare(slow, base, *many)
        self.compare(slow, base, "--gate", "wall -10%", code=1)
        out = self.leat("compare", *many, base, slow).out
        self.assertRegex(" ".join(out.split()), r"gate wall\s?\+10 ?%.*: violated")

    def test_three_records_are_each_compared_with_the_first(self):
        paths = [self.save(f"{k}.json", [k * 1e8 + i for i in range(8)]) for k in (1, 2, 3)]
        record = self.record("compare", "--", *paths)
        rows = [r for r in record["comparisons"] if r["metric"] == "wall"]
        self.assertEqual([round(r["ratio"]) for r in rows], [2, 3])

    def test_names_are_the_files(self):
        a = self.save("monday.json", [1e8] * 6)
        b = self.save("tuesday.json", [2e8] * 6)
        out = self.ok("compare", a, b).out
        self.assertRegex(out, r"\A\S*tuesday\S* is slower than\s+\S*monday")
        table = out[out.rindex("\n\n", 0, out.index("wall  ") if "wall  " in out else None) :]
        self.assertRegex(table, "tuesday", "cut so short that the two look alike")

    def test_a_name_can_be_given_to_a_record_too(self):
        a = self.save("monday.json", [1e8] * 6)
        b = self.save("tuesday.json", [2e8] * 6)
        record = self.record("compare", f"old={a}", f"new={b}")
        self.assertEqual([v["name"] for v in record["variants"]], ["old", "new"])

    def test_the_same_record_twice_is_no_crash(self):
        a = self.save("a.json", [1e8 + i for i in range(6)])
        row = leat.comparison(self.record("compare", a, a))
        self.assertIn(row["verdict"], ("same", "undecided"))

    def test_a_missing_or_broken_record_is_named(self):
        a = self.save("a.json", [1e8] * 6)
        broken = self.write("broken.json", "{")
        self.assert_refused(self.leat("compare", a, "no-such.json"), "no-such.json")
        self.assert_refused(self.leat("compare", a, broken), "broken.json")

    def test_a_record_and_a_command_are_not_mixed(self):
        a = self.save("a.json", [1e8] * 6)
        result = self.leat("compare", "--", a, "true")
        self.assert_refused(result, "(?=.*record)(?=.*'true')(?=.*command)")

    def test_a_record_without_runs_cannot_be_judged(self):
        a = self.save("a.json", [1e8] * 6)
        self.assert_refused(
            self.leat("compare", a, self.save("b.json", [])), "b.json.*no run", code=leat.CANNOT
        )

    def test_records_that_share_no_metric_cannot_be_judged(self):
        def rename(record):
            record["metrics"][0]["name"] = "other"
            for trial in record["trials"]:
                trial["readings"] = {"other": trial["readings"]["wall"]}
            record["plan"]["primary"] = "other"

        a = self.save("a.json", [1e8] * 6)
        b = self.save("b.json", [1e8] * 6, change=rename)
        self.assert_refused(self.leat("compare", a, b), "no metric", code=leat.CANNOT)

    def test_a_metric_in_two_units_is_not_compared(self):
        def count(record):
            record["metrics"][0]["unit"] = "count"

        a = self.save("a.json", [1e8] * 6)
        b = self.save("b.json", [1e8] * 6, change=count)
        result = self.leat("compare", a, b)
        self.assertEqual(result.code, leat.CANNOT, f"nanoseconds against a count: {result!r}")

    def test_a_record_of_two_commands_is_not_taken_for_its_first(self):
        two = self.path("two.json")
        self.ok("compare", "-q", "-n", "6", "--json", two, "--", "a=true", "b=true")
        a = self.save("a.json", [1e8] * 6)
        result = self.leat("compare", a, two)
        said = result.out + result.err
        self.assertTrue(result.code == leat.USAGE or re.search(r"\bb\b.*two|two.*\bb\b", said),
                        f"one of its commands was dropped in silence: {result!r}")

    def test_readings_that_are_missing_are_not_zero(self):
        def lose(record):
            gone = {"state": "unavailable", "reason": "lost", "hint": None}
            for trial in record["trials"][:4]:
                trial["readings"]["wall"] = gone

        a = self.save("a.json", [1e8 + i for i in range(12)])
        b = self.save("b.json", [2e8 + i for i in range(12)], change=lose)
        row = leat.comparison(self.compare(a, b))
        self.assertEqual((row["n"], row["m"]), (12, 8))
        self.assertAlmostEqual(row["ratio"], 2, places=4)

    def test_different_output_modes_are_told(self):
        def pipe(record):
            record["plan"]["stdout"] = "pipe"

        a = self.save("a.json", [1e8] * 6)
        b = self.save("b.json", [1e8] * 6, change=pipe)
        out = " ".join(self.ok("compare", a, b).out.split())
        self.assertRegex(out, r"warning: .*different conditions \(stdout\b")


class Reported(leat.Case):
    ARGS = ["compare", "--reported", "-n", "200", "2085813986 ±0.16%", "2078109565 ±0.14%"]

    def test_the_published_cycles_are_undecided(self):
        record = self.record(*self.ARGS)
        row = leat.comparison(record)
        self.assertEqual(row["verdict"], "undecided")
        self.assertAlmostEqual(row["p"], 0.08, delta=0.005)
        self.assertAlmostEqual(row["provable"], 0.0069, delta=0.00005)
        self.assertAlmostEqual(row["ratio"], 2078109565 / 2085813986, places=12)

    def test_the_text_says_so(self):
        out = " ".join(self.ok(*self.ARGS).out.split())
        self.assertRegex(out, r"\Aundecided")
        self.assertRegex(out, r"p = 0\.08")
        self.assertRegex(out, r"0\.69 %")
        self.assertNotRegex(out, "stdin", "nothing was run")

    def test_an_interval_that_holds_one_is_not_printed_as_if_it_ended_there(self):
        out = " ".join(self.ok(*self.ARGS).out.split())
        self.assertNotRegex(out, r"\.\. 1\.000\b")

    def test_a_clear_claim_is_confirmed(self):
        row = leat.comparison(
            self.record("compare", "--reported", "-n", "20", "1.000 ± 0.5%", "0.900 +- 0.004")
        )
        self.assertEqual(row["verdict"], "less")
        self.assertLess(row["p"], 1e-6)

    def test_what_the_spread_is_changes_the_answer(self):
        claims = ["1.00 ± 1%", "1.02 ± 1%"]
        p = {}
        for kind in ("se", "sd", "ci95"):
            row = leat.comparison(
                self.record("compare", "--reported", "--reported-as", kind, "-n", "25", *claims)
            )
            p[kind] = row["p"]
        self.assertLess(p["sd"], p["ci95"])
        self.assertLess(p["ci95"], p["se"])

    def test_a_standard_deviation_needs_the_number_of_runs(self):
        result = self.leat("compare", "--reported", "--reported-as", "sd", "5 ± 1", "6 ± 1")
        self.assert_refused(result, "cannot be judged|needs")
        self.assertRegex(result.err, "-n")

    def test_lines_pasted_from_perf_stat_are_read(self):
        row = leat.comparison(self.record(
            "compare", "--reported", "-n", "200",
            "     2,085,813,986      cycles       #    2.106 GHz     ( +-  0.16% )",
            "     2,078,109,565      cycles       #    2.106 GHz     ( +-  0.14% )",
        ))
        self.assertAlmostEqual(row["p"], 0.08, delta=0.005)

    def test_plan_counts_the_runs_that_would_prove_it(self):
        row = leat.comparison(self.record(*self.ARGS, "--plan", "0.37%"))
        self.assertTrue(600 < row["plan_runs"] < 800, row["plan_runs"])


if __name__ == "__main__":
    leat.main()
