# SPDX-License-Identifier: GPL-2.0-or-later
"""leat report: a saved record again in every format; hostile records are refused."""

import copy
import csv
import io
import json
import os
import random
import re

import leat


class Again(leat.Case):
    """What report prints is what the verb printed when it measured."""

    VERBS = {
        "run": ["run", "-n", "7", "--work", "10", "--", "sh", "-c", "echo a; sleep 0.001"],
        "partial": ["run", "-n", "3", "--", "sh", "-c", "echo woe >&2; exit 3"],
        "few": ["run", "-n", "1", "--", "true"],
        "compare": ["compare", "-n", "6", "--gate", "wall +900%", "--plan", "1%", "--",
                    "a=true", "b=sleep 0.01", "c=sleep 0.002"],
        "aa": ["compare", "-n", "6", "--aa", "--", "a=true", "b=true"],
        "reported": ["compare", "--reported", "-n", "9", "5 ± 1%", "6 ± 1%"],
    }

    def measure(self, verb, *more):
        path = self.path(f"{verb}.json")
        csv_path, md_path = self.path(f"{verb}.csv"), self.path(f"{verb}.md")
        name, *rest = self.VERBS[verb]
        result = self.leat(
            name, "--json", path, "--csv", csv_path, "--markdown", md_path, *more, *rest
        )
        self.assertIn(result.code, (0, 1, leat.PROGRAM), f"{result!r}")
        return path, csv_path, md_path, result

    def read(self, path):
        with open(path, encoding="utf-8") as file:
            return file.read()

    def test_every_format_of_every_kind_of_record_comes_back_the_same(self):
        for verb in self.VERBS:
            with self.subTest(verb=verb):
                path, csv_path, md_path, result = self.measure(verb)
                self.load(path)
                self.assertEqual(self.ok("report", path).out, result.out)
                self.assertEqual(self.ok("report", "-f", "text", path).out, result.out)
                self.assertEqual(self.ok("report", "-f", "json", path).out, self.read(path))
                self.assertEqual(self.ok("report", "--format=csv", path).out, self.read(csv_path))
                self.assertEqual(self.ok("report", "-f", "markdown", path).out, self.read(md_path))

    def test_verbose_says_more_both_times(self):
        path, _, _, brief = self.measure("compare")
        long = self.ok("report", "-v", path).out
        self.assertGreater(len(long.splitlines()), len(brief.out.splitlines()) + 10)
        path, _, _, result = self.measure("compare", "-v")
        self.assertEqual(self.ok("report", "-v", path).out, result.out)
        for word in ("seed", "kernel", "CLOCK_MONOTONIC", "wakeups", "peak memory", "sd"):
            self.assertIn(word, result.out)

    def test_a_record_can_come_by_stdin(self):
        path, *_ = self.measure("run")
        with open(path, "rb") as file:
            content = file.read()
        self.assertEqual(self.ok("report", "-", stdin=content).out, self.ok("report", path).out)

    def test_text_fits_80_columns(self):
        for verb in self.VERBS:
            path, *_ = self.measure(verb)
            for args in ([], ["-v"]):
                for line in self.ok("report", *args, path).out.splitlines():
                    self.assertLessEqual(len(line), 80, f"{verb} {args}: {line}")

    def test_every_plus_minus_says_what_it_is(self):  # T15
        for verb in self.VERBS:
            path, *_ = self.measure(verb)
            for how in ([], ["-v"], ["-f", "markdown"]):
                out = self.ok("report", *how, path).out
                if "±" in out:
                    self.assertRegex(
                        " ".join(out.split()),
                        r"9[0-9.]* % [a-z-]*\s?interval|standard error|standard deviation|same within ±",
                        f"{verb} {how}: a ± without a word on what it is",
                    )

    def test_each_format_can_take_the_place_of_the_text_on_stdout(self):
        for option, first in (("--json", "{"), ("--csv", "variant,"), ("--markdown", "- true")):
            for quiet in ([], ["-q"]):
                result = self.ok("run", *quiet, "-n", "2", option, "-", "--", "true")
                self.assertTrue(result.out.startswith(first), result.out)
                self.assertNotIn("as many as asked for; stdin", result.out)
                self.assertEqual(result.err, "")

    def test_csv_has_one_row_a_run_and_parses(self):
        path, csv_path, *_ = self.measure("compare")
        record = self.load(path)
        rows = list(csv.DictReader(io.StringIO(self.read(csv_path))))
        self.assertEqual(len(rows), len(record["trials"]))
        for row, trial in zip(rows, record["trials"]):
            self.assertEqual(row["variant"], trial["variant"])
            self.assertEqual(row["warmup"], str(int(trial["warmup"])))
            self.assertEqual(float(row["wall_ns"]), trial["readings"]["wall"])
            self.assertNotIn(None, row)

    def test_markdown_tables_have_equally_many_cells_in_each_row(self):
        for verb in self.VERBS:
            _, _, md_path, _ = self.measure(verb)
            width = None
            for line in self.read(md_path).splitlines():
                if not line.startswith("|"):
                    width = None
                    continue
                cells = len(re.findall(r"(?<!\\)\|", line))
                self.assertEqual(cells, width or cells, line)
                width = cells


class Odd(leat.Case):
    """Records that a person or another tool changed, all within the format."""

    def setUp(self):
        super().setUp()
        self.base = self.record("run", "-n", "6", "-m", "wall", "--", "true")

    def save(self, record, name="odd.json"):
        return self.write(name, json.dumps(record))

    def rename(self, record, name):
        record["variants"][0]["name"] = record["variants"][0]["command"] = name
        for rows in (record["trials"], record["summaries"]):
            for row in rows:
                row["variant"] = name
        for row in record["findings"]:
            row["variant"] = name if row["variant"] else None
        return record

    NAMES = ["a|b", "a,b", 'say "hi"', "two\nlines", "*bold* `code` <b>", "ünïcödé ± µ", "日本語",
             "x" * 3000, "\x1b[31mred\x1b[0m", "tab\there", "\x7f\x08\x07", "-", "\u202egnp.exe", "' OR 1"]

    def test_any_name_comes_back_whole_from_json_and_csv(self):
        for name in self.NAMES:
            with self.subTest(name=name[:20]):
                path = self.save(self.rename(copy.deepcopy(self.base), name))
                again = leat.parse_json(self.ok("report", "-f", "json", path).out)
                self.assertEqual(again["variants"][0]["name"], name)
                self.check_record(again)
                rows = list(csv.DictReader(io.StringIO(self.ok("report", "-f", "csv", path).out,
                                                       newline="")))
                self.assertEqual(len(rows), 6)
                self.assertEqual({row["variant"] for row in rows}, {name})

    def test_no_name_sends_control_characters_to_the_terminal(self):
        for name in self.NAMES:
            with self.subTest(name=name[:20]):
                path = self.save(self.rename(copy.deepcopy(self.base), name))
                for how in ([], ["-v"], ["-f", "markdown"]):
                    out = self.ok("report", *how, path).out
                    bad = [c for c in out if c != "\n" and (ord(c) < 32 or ord(c) == 127)]
                    self.assertEqual(bad, [], f"{how}")
                    if how != ["-f", "markdown"] and len(name) < 60:  # words are not cut
                        for line in out.splitlines():
                            self.assertLessEqual(len(line), 80, line)

    def test_a_pipe_in_a_name_does_not_split_a_markdown_cell(self):
        record = self.rename(copy.deepcopy(self.base), "a|b")
        out = self.ok("report", "-f", "markdown", self.save(record)).out
        for line in out.splitlines():
            if line.startswith("|"):
                self.assertNotRegex(line, r"a\|b")

    def test_an_unavailable_value_is_never_zero(self):
        record = copy.deepcopy(self.base)
        gone = {"state": "unavailable", "reason": "no clock here", "hint": "buy one"}
        for trial in record["trials"]:
            trial["readings"]["wall"] = gone
        for row in record["summaries"]:
            row.update(state="unavailable", reason="no clock here", hint="buy one", n=0, center=None,
                       lo=None, hi=None, level=None, mean=None, sd=None, min=None, median=None,
                       max=None)
        path = self.save(record)
        brief = self.ok("report", path).out
        self.assertRegex(brief, r"n/a")
        self.assertNotRegex(brief, r"wall +0")
        self.assertRegex(self.ok("report", "-v", path).out, "no clock here")
        rows = list(csv.DictReader(io.StringIO(self.ok("report", "-f", "csv", path).out)))
        for row in rows:
            self.assertNotRegex(row["wall_ns"], "[0-9]")

    def test_tiny_and_huge_numbers_keep_80_columns_and_a_unit(self):
        for wall in (0, 1e-3, 1, 999.9999, 999999.9, 59.9999e9, 3600e9, 1e18, 1.7e308):
            record = copy.deepcopy(self.base)
            for trial in record["trials"]:
                trial["readings"]["wall"] = wall
            for row in record["summaries"]:
                for key in ("center", "lo", "hi", "mean", "min", "median", "max"):
                    row[key] = wall
                row["sd"] = 0
            out = self.ok("report", self.save(record)).out
            line = next(l for l in out.splitlines() if l.strip().startswith("wall"))
            self.assertRegex(line, r"[0-9] ?(ns|µs|us|ms|s|min|h|d|y)\b|too many|[0-9]", out)
            self.assertNotRegex(line, "inf|nan")
            for text in out.splitlines():
                self.assertLessEqual(len(text), 80, text)

    def test_a_record_of_nothing_is_printed_as_such(self):
        record = copy.deepcopy(self.base)
        record.update(trials=[], summaries=[], findings=[], comparisons=[])
        for how in ("text", "json", "csv", "markdown"):
            self.ok("report", "-f", how, self.save(record))

    def test_unknown_findings_are_shown_by_their_name(self):
        record = copy.deepcopy(self.base)
        record["findings"] = [{"id": "new-kind-of-trouble", "severity": "warning", "variant": None,
                               "num": [1, 2, 3], "name": None}]
        self.assertRegex(self.ok("report", self.save(record)).out, "new-kind-of-trouble")


class Hostile(leat.Case):
    def setUp(self):
        super().setUp()
        self.good = self.path("good.json")
        self.ok("compare", "-q", "-n", "6", "--json", self.good, "--", "a=true", "b=true")
        with open(self.good, "rb") as file:
            self.bytes = file.read()

    def refuse(self, content, pattern="bad.json"):
        path = self.write("bad.json", content)
        self.assert_refused(self.leat("report", path), pattern)

    def test_each_truncation_is_refused(self):
        whole = len(self.bytes.rstrip())
        for cut in sorted({0, 1, 2, whole - 1} | {whole * i // 23 for i in range(23)}):
            with self.subTest(cut=cut):
                self.refuse(self.bytes[:cut])

    def test_random_damage_never_crashes(self):
        seed = random.randrange(1 << 32)
        rng = random.Random(seed)
        for i in range(60):
            damaged = bytearray(self.bytes)
            for _ in range(rng.randrange(1, 6)):
                at = rng.randrange(len(damaged))
                kind = rng.randrange(4)
                if kind == 0:
                    damaged[at] = rng.randrange(256)
                elif kind == 1:
                    del damaged[at : at + rng.randrange(40)]
                elif kind == 2:
                    damaged[at:at] = bytes(rng.choice(b'{}[]",:0123456789eE-+.nul') for _ in range(9))
                else:
                    damaged[at:at] = damaged[at : at + rng.randrange(400)]
            path = self.write("bad.json", bytes(damaged))
            result = self.leat("report", path)
            with self.subTest(seed=seed, i=i):
                if result.code != 0:
                    self.assert_refused(result, ".")

    def test_what_is_no_record_is_refused(self):
        for content in ("", "\0" * 1000, "hello", "[]", "{}", "null", "42", '"x"', "{" * 100000,
                        "[" * 1000000, '{"format": "leat-record"}', "\xef\xbb\xbf{}",
                        '{"format": "leat-record", "version": 1}', "x" * 10_000_000,
                        '{"a": 1e999999}', '{"\\ud800": 1}'):
            with self.subTest(content=content[:30]):
                self.refuse(content)

    def test_what_stands_behind_the_record_is_refused(self):
        self.refuse(self.bytes + b"{}")
        self.refuse(self.bytes + self.bytes)

    def change(self, function):
        record = leat.parse_json(self.bytes.decode())
        function(record)
        return json.dumps(record)

    def test_each_lie_about_its_own_parts_is_refused(self):
        def set_path(*path):
            *steps, last, value = path

            def change(record):
                node = record
                for step in steps:
                    node = node[step]
                node[last] = value

            return change

        lies = {
            "another format": set_path("format", "pcap"),
            "a later version": set_path("version", 999),
            "a version that is none": set_path("version", "1"),
            "a trial of no variant": set_path("trials", 0, "variant", "nobody"),
            "a number for a name": set_path("trials", 0, "variant", 0),
            "a summary of no metric": set_path("summaries", 0, "metric", "nothing"),
            "a comparison with nobody": set_path("comparisons", 0, "b", "nobody"),
            "a word that is none": set_path("trials", 0, "outcome", "kind", "vanished"),
            "a text for a number": set_path("trials", 0, "readings", "wall", "fast"),
            "a negative count": set_path("summaries", 0, "n", -1),
            "half a run": set_path("summaries", 0, "n", 1.5),
            "too large a count": set_path("plan", "n", 1e30),
            "trials that are none": set_path("trials", {}),
            "a null in the rows": set_path("trials", 0, None),
            "the same variant twice": set_path("variants", 1, "name", "a"),
            "a verdict that is none": set_path("comparisons", 0, "verdict", "great"),
            "a member that is not known": set_path("surprise", 1),
            "a seed that is no number": set_path("plan", "seed", "xyz"),
        }
        for lie, change in lies.items():
            with self.subTest(lie=lie):
                self.refuse(self.change(change))

    def test_each_missing_part_is_refused(self):
        for key in leat.parse_json(self.bytes.decode()):
            with self.subTest(key=key):
                self.refuse(self.change(lambda record: record.pop(key)))

    def test_a_file_that_cannot_be_read_is_named(self):
        self.assert_refused(self.leat("report", "no-such.json"), "no-such.json")
        self.assert_refused(self.leat("report", self.dir), "directory")
        self.assert_refused(self.leat("report", ""), ".")
        self.assert_refused(self.leat("report", "/dev/null"), "/dev/null")
        self.assert_refused(self.leat("report", "-", stdin=b""), "stdin")
        self.assert_refused(self.leat("report"), "no record")
        self.assert_refused(self.leat("report", self.good, self.good), "one file")

    def test_an_endless_file_is_refused_in_bounded_memory(self):
        self.assert_refused(self.leat("report", "/dev/zero"), "/dev/zero")

    def test_an_unknown_format_is_refused_with_the_known_ones(self):
        for name in ("pdf", "", "TEXT", "text,json"):
            result = self.leat("report", "-f", name, self.good)
            self.assert_refused(result, "format")
            self.assertRegex(result.err, "markdown")


class Schema(leat.Case):
    """Every record that leat emits follows schema/record.schema.json; every other test here
    that loads a record checks it as well."""

    def test_the_schema_is_there_and_closed(self):
        with open(leat.SCHEMA, encoding="utf-8") as file:
            schema = json.load(file)

        def walk(node, at):
            if isinstance(node, dict):
                if "properties" in node:
                    self.assertIs(node.get("additionalProperties"), False, f"{at} is open")
                for key, value in node.items():
                    walk(value, f"{at}/{key}")
            elif isinstance(node, list):
                for i, value in enumerate(node):
                    walk(value, f"{at}/{i}")

        walk(schema, "")

    def test_the_judge_of_the_schema_finds_faults(self):
        with open(leat.SCHEMA, encoding="utf-8") as file:
            schema = json.load(file)
        record = self.record("run", "-n", "2", "--", "true")
        self.assertEqual(leat.jsonschema_lite.faults(record, schema), [])
        for path, value in ((("plan", "n"), "two"), (("trials", 0, "outcome", "kind"), "lost"),
                            (("extra",), 1), (("version",), 2), (("partial",), None)):
            bad = copy.deepcopy(record)
            node = bad
            for step in path[:-1]:
                node = node[step]
            node[path[-1]] = value
            self.assertNotEqual(leat.jsonschema_lite.faults(bad, schema), [], path)

    def test_records_of_every_verb_and_ending_follow_it(self):
        path = self.path("x.json")
        for args in (
            ["run", "-n", "6", "--work", "3", "--", "true"],
            ["run", "-n", "2", "--timeout", "0.05", "--ignore-failure", "--", "sleep", "9"],
            ["run", "-n", "1", "--", "sh", "-c", "kill -9 $$"],
            ["run", "-p", str(os.getpid()), "--for", "0.1"],
            ["compare", "-n", "6", "--gate", "wall +5%", "--", "true", "true", "true"],
            ["compare", "--reported", "-n", "3", "5 ± 1", "6 ± 1"],
            ["compare", "--reported", "5 ± 1", "6 ± 1"],
        ):
            with self.subTest(args=args):
                self.leat(*args[:1], "-q", "--json", path, *args[1:])
                self.load(path)
                os.unlink(path)


if __name__ == "__main__":
    leat.main()
