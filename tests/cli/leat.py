# SPDX-License-Identifier: GPL-2.0-or-later
"""What the tests of the command line share: running leat, reading its records, small C
programs to measure, and the proof that nothing is left behind.

LEAT names the binary. Every test runs in a directory of its own, which is also TMPDIR, and
this process adopts every orphan below it: what leat leaves is found, process or file.
"""

import atexit
import contextlib
import ctypes
import json
import os
import re
import shutil
import signal
import subprocess
import tempfile
import time
import unittest

import jsonschema_lite

HERE = os.path.dirname(os.path.abspath(__file__))
SOURCE = os.path.dirname(os.path.dirname(HERE))
LEAT = os.path.abspath(os.environ.get("LEAT", os.path.join(SOURCE, "build-dev/bin/leat")))
HANGS = 70  # seconds: more than the budgets that leat has unless told
SCHEMA = os.path.join(SOURCE, "schema/record.schema.json")

USAGE, CANNOT, PROGRAM, INTERNAL = 2, 3, 4, 5

PR_SET_CHILD_SUBREAPER = 36
ctypes.CDLL(None).prctl(PR_SET_CHILD_SUBREAPER, 1, 0, 0, 0)

with open(LEAT, "rb") as binary:
    IMAGE = binary.read()
SANITIZED = b"__asan_init" in IMAGE or b"__tsan_init" in IMAGE
del IMAGE


class Result:
    """How a command ended and what it said."""

    def __init__(self, code, out, err):
        self.code = code
        self.out = out.decode("utf-8", "replace")
        self.err = err.decode("utf-8", "replace")

    def __repr__(self):
        return f"exit code {self.code}\n--- stdout\n{self.out}--- stderr\n{self.err}---"


def children():
    """Direct children of this process, zombies too, as {pid: (command name, state)}."""
    found = {}
    with open("/proc/thread-self/children", encoding="ascii") as file:
        pids = [int(word) for word in file.read().split()]
    for pid in pids:
        with contextlib.suppress(OSError):
            with open(f"/proc/{pid}/stat", encoding="utf-8", errors="replace") as file:
                stat = file.read()
            name = stat[stat.index("(") + 1 : stat.rindex(")")]
            found[pid] = (name, stat[stat.rindex(")") + 2])
    return found


def descendants(pid):
    """Every living process below `pid`, parents first."""
    found = []
    with contextlib.suppress(OSError):
        for task in os.listdir(f"/proc/{pid}/task"):
            with open(f"/proc/{pid}/task/{task}/children", encoding="ascii") as file:
                for child in [int(word) for word in file.read().split()]:
                    found += [child] + descendants(child)
    return found


def comm(pid):
    with contextlib.suppress(OSError):
        with open(f"/proc/{pid}/comm", encoding="utf-8", errors="replace") as file:
            return file.read().strip()
    return ""


def wait_until(what, seconds=10.0):
    """The first true value of what(), or None when the time is up."""
    end = time.monotonic() + seconds
    while time.monotonic() < end:
        value = what()
        if value:
            return value
        time.sleep(0.005)
    return None


PROGRAMS = tempfile.mkdtemp(prefix="leat-cli-programs-")
atexit.register(shutil.rmtree, PROGRAMS, ignore_errors=True)


def compile_c(name, source, *flags, static=False, shared=False):
    """Builds a C program (or a shared library) once per test file; returns its path."""
    path = os.path.join(PROGRAMS, name)
    if os.path.exists(path):
        return path
    cc = ["musl-gcc", "-static"] if static else [os.environ.get("CC", "cc")]
    if shared:
        cc += ["-shared", "-fPIC"]
    cc += ["-O1", "-w", "-D_GNU_SOURCE", "-o", path, "-x", "c", "-", *flags]
    subprocess.run(cc, input=source.encode(), check=True)
    return path


EMPTY = "int main(void) { return 0; }"

# MS [THREADS [each]]: computes for MS milliseconds of CPU time: itself, or shared out among
# THREADS more threads, or in each of them.
BURN = r"""
#include <pthread.h>
#include <stdlib.h>
#include <time.h>
static double ms;
static void *work(void *arg)
{
	struct timespec t;
	volatile double x = 0;
	do {
		for (int i = 0; i < 1000; i++)
			x += i;
		clock_gettime(CLOCK_THREAD_CPUTIME_ID, &t);
	} while (t.tv_sec * 1e3 + t.tv_nsec / 1e6 < ms);
	return arg;
}
int main(int argc, char **argv)
{
	int n = argc > 2 ? atoi(argv[2]) : 0;
	pthread_t t[64];
	ms = (argc > 1 ? atof(argv[1]) : 1) / (n && argc < 4 ? n : 1);
	if (n == 0)
		work(0);
	for (int i = 0; i < n && i < 64; i++)
		pthread_create(&t[i], 0, work, 0);
	for (int i = 0; i < n && i < 64; i++)
		pthread_join(t[i], 0);
	return 0;
}
"""

# Ignores what can be ignored, and never ends.
STUBBORN = r"""
#include <signal.h>
#include <unistd.h>
int main(void)
{
	for (int i = 1; i < 32; i++)
		signal(i, SIG_IGN);
	for (;;)
		pause();
}
"""


def burn():
    return compile_c("burn", BURN, "-pthread")


def empty():
    return compile_c("empty", EMPTY, static=True)


def _no_constant(word):
    raise ValueError(f"{word} is not JSON")


def _no_duplicates(pairs):
    keys = [key for key, _ in pairs]
    if len(keys) != len(set(keys)):
        raise ValueError(f"a key occurs twice among {keys}")
    return dict(pairs)


def parse_json(text):
    """Strictly: no NaN, no Infinity, no key twice, nothing behind the end."""
    return json.loads(text, parse_constant=_no_constant, object_pairs_hook=_no_duplicates)


def metric(record, variant, name, per_work=False):
    """The summary of one metric, or None."""
    for row in record["summaries"]:
        if (row["variant"], row["metric"], row["per_work"]) == (variant, name, per_work):
            return row
    return None


def comparison(record, name=None, b=None):
    """The comparison of the primary metric (or of `name`), of the last variant or of `b`."""
    name = name or record["plan"]["primary"]
    rows = [
        row
        for row in record["comparisons"]
        if row["metric"] == name and not row["aa"] and b in (None, row["b"])
    ]
    return rows[-1] if rows else None


def finding(record, name):
    for row in record["findings"]:
        if row["id"] == name:
            return row
    return None


def kept(record, variant=None):
    return [t for t in record["trials"] if t["kept"] and variant in (None, t["variant"])]


def outcomes(record):
    return [(t["outcome"]["kind"], t["outcome"]["code"]) for t in record["trials"]]


def walls(record, variant=None):
    return [t["readings"]["wall"] for t in kept(record, variant)]


def reading(trial, name):
    """A reading's number; None when it is unavailable."""
    value = trial["readings"][name]
    return value.get("num") if isinstance(value, dict) else value


def readings(record, name):
    return [reading(t, name) for t in kept(record)]


_meters = {}


def meter_state(name):
    """None when the meter works here, else what `leat list meters` says, else 'unknown'."""
    if not _meters:
        listed = subprocess.run(
            [LEAT, "list", "meters"], stdout=subprocess.PIPE, check=True
        ).stdout.decode()
        last = None
        for line in listed.splitlines():
            if line[:1].strip():
                last = line.split()[0]
                _meters[last] = None
            elif last and "not here" in line:
                _meters[last] = line.strip()
    return _meters.get(name, "unknown to this leat")


class Case(unittest.TestCase):
    """A test in a directory of its own, after which nothing may be left."""

    maxDiff = None

    def setUp(self):
        self.dir = tempfile.mkdtemp(prefix="leat-cli-")
        self.addCleanup(shutil.rmtree, self.dir, ignore_errors=True)
        self.mine = set()  # helpers that the test itself ends
        self.files = set()  # what the test itself made
        self.killed = False  # a failed test: its leat was ended with kill -9
        self.addCleanup(self._nothing_left)

    # -- running leat ------------------------------------------------------------

    def environment(self, env=None):
        e = dict(os.environ, TMPDIR=self.dir, LC_ALL="C.UTF-8")
        e.update(env or {})
        return e

    def start(self, *args, env=None, cwd=None, **how):
        """leat in the background; ended with the test at the latest."""
        how.setdefault("stdin", subprocess.DEVNULL)
        how.setdefault("stdout", subprocess.PIPE)
        how.setdefault("stderr", subprocess.PIPE)
        process = subprocess.Popen(
            [LEAT, *map(str, args)], env=self.environment(env), cwd=cwd or self.dir, **how
        )
        self.mine.add(process.pid)
        self.addCleanup(self._end, process)
        return process

    def _end(self, process):
        if process.poll() is None:
            process.kill()
            self.killed = True
        for stream in (process.stdin, process.stdout, process.stderr):
            if stream:
                stream.close()
        process.wait()
        self.mine.discard(process.pid)

    def helper(self, *argv, **how):
        """Some other process the test needs; ended with the test."""
        process = subprocess.Popen([*map(str, argv)], cwd=self.dir, **how)
        self.mine.add(process.pid)
        self.addCleanup(self._end, process)
        return process

    def finish(self, process, stdin=None, timeout=HANGS):
        try:
            out, err = process.communicate(stdin, timeout=timeout)
        except subprocess.TimeoutExpired:
            process.kill()
            out, err = process.communicate()
            self.fail(f"leat hangs: {process.args}\n{Result(None, out, err)}")
        self.mine.discard(process.pid)
        return Result(process.returncode, out or b"", err or b"")

    def leat(self, *args, stdin=None, timeout=HANGS, **how):
        if stdin is not None:
            how["stdin"] = subprocess.PIPE
        return self.finish(self.start(*args, **how), stdin, timeout)

    def ok(self, *args, code=0, **how):
        result = self.leat(*args, **how)
        self.assertEqual(result.code, code, f"{args}: {result!r}")
        return result

    def record(self, *args, code=0, **how):
        """Runs leat -q with --json and returns the record, held against the schema."""
        verb, *rest = args
        path = os.path.join(self.dir, "record.json")
        with contextlib.suppress(FileNotFoundError):
            os.unlink(path)
        self.result = self.leat(verb, "-q", "--json", path, *rest, **how)
        self.assertEqual(self.result.code, code, f"{args}: {self.result!r}")
        return self.load(path)

    def load(self, path):
        with open(path, encoding="utf-8") as file:
            record = parse_json(file.read())
        self.files.add(os.path.basename(path))
        self.check_record(record)
        return record

    # -- what holds for every record -------------------------------------------------

    def check_record(self, record):
        if os.path.exists(SCHEMA):  # test_json.py insists on it
            with open(SCHEMA, encoding="utf-8") as file:
                faults = jsonschema_lite.faults(record, json.load(file))
            self.assertEqual(faults, [], "the record does not follow schema/record.schema.json")
        names = [m["name"] for m in record["metrics"]]
        self.assertEqual(len(names), len(set(names)), "a metric's name occurs twice")
        orders = [t["order"] for t in record["trials"]]
        self.assertEqual(len(orders), len(set(orders)), "two trials at the same place in time")
        for trial in record["trials"]:
            self.assertEqual(sorted(trial["readings"]), sorted(names))
            for name, value in trial["readings"].items():
                if isinstance(value, dict):
                    self.assertIn("state", value)
                    if value["state"] == "unavailable":
                        self.assertNotIn("num", value, f"{name} is missing, yet a number")
                        self.assertTrue(value["reason"], f"{name} is missing without a reason")
                elif name not in ("wall-wait",):
                    self.assertGreaterEqual(value, 0, f"{name} is negative")
        for row in record["summaries"]:
            if row["lo"] is not None:
                self.assertLessEqual(row["lo"], row["center"])
                self.assertLessEqual(row["center"], row["hi"])
                self.assertTrue(row["what"], "an interval that does not say what it is")
        for row in record["comparisons"]:
            if row["lo"] is not None:
                self.assertLessEqual(row["lo"], row["hi"])
            if row["p"] is not None:
                self.assertTrue(0 <= row["p"] <= 1, row)

    # -- claims ------------------------------------------------------------------------

    def assert_refused(self, result, pattern, code=USAGE):
        """One clear line on stderr, perhaps a hint, nothing on stdout, the exit code."""
        self.assertEqual(result.code, code, f"{result!r}")
        self.assertEqual(result.out, "", f"{result!r}")
        lines = result.err.splitlines()
        self.assertTrue(1 <= len(lines) <= 2, f"not one line and perhaps a hint: {result!r}")
        self.assertRegex(lines[0], r"^leat( \w+)*: ", f"{result!r}")
        self.assertRegex(lines[0], pattern)
        self.assertLess(len(lines[0]), 400, "the line is not short")
        if len(lines) == 2:
            self.assertRegex(lines[1], r"^(leat: hint: |Try )", f"{result!r}")
        for line in lines:
            self.assertTrue(line.isprintable(), f"not printable: {line!r}")

    def need_meter(self, name):
        """The meter's number can be had here; else the test is skipped, with the reason."""
        state = meter_state(name)
        self.assertNotEqual(state, "unknown to this leat", f"there is no meter '{name}'")
        if state:
            self.skipTest(f"{name}: {state}")

    def path(self, name):
        self.files.add(name)
        return os.path.join(self.dir, name)

    def write(self, name, content, mode=0o644):
        path = self.path(name)
        with open(path, "wb") as file:
            file.write(content if isinstance(content, bytes) else content.encode())
        os.chmod(path, mode)
        return path

    def script(self, name, body):
        return self.write(name, "#!/bin/sh\n" + body, 0o755)

    def count_lines(self, name):
        try:
            with open(os.path.join(self.dir, name), "rb") as file:
                return file.read().count(b"\n")
        except FileNotFoundError:
            return 0

    def strangers(self):
        """Processes that came to this one as orphans, zombies too."""
        return {pid: what for pid, what in children().items() if pid not in self.mine}

    def reap_after_kill(self, seconds=10):
        """After kill -9 of leat its orphans come to us: they must all end by themselves."""

        def all_ended():
            for pid, (_, state) in self.strangers().items():
                if state == "Z":
                    os.waitpid(pid, 0)
            return not self.strangers()

        self.assertTrue(wait_until(all_ended, seconds), f"still there: {self.strangers()}")

    def _nothing_left(self):
        if self.killed:
            self.reap_after_kill()
        left = self.strangers()
        for pid in left:
            with contextlib.suppress(OSError):
                os.kill(pid, signal.SIGKILL)
            with contextlib.suppress(OSError):
                os.waitpid(pid, 0)
        self.assertEqual(left, {}, "processes are left behind")
        files = set(os.listdir(self.dir)) - self.files
        self.assertEqual(files, set(), "files are left behind")


def main():
    unittest.main(verbosity=2)


__all__ = [name for name in dir() if not name.startswith("_")]
