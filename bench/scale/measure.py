# SPDX-License-Identifier: GPL-2.0-or-later
"""measure.py [CASE...]: runs `leat scale` on cases scaled to about 1.5 s with one thread. Prints
a table, then one line per goal: NAME VALUE GOAL ok|short."""
import json
import os
import statistics
import subprocess
import sys
import tempfile
import time

TOP = os.path.join(os.path.dirname(os.path.abspath(__file__)), "..", "..")
LEAT = os.path.join(TOP, "build/bin/leat")
CASES = os.path.join(TOP, "build/cases")
DEFAULT = ["scales-compute", "scales-calls", "serial-phase", "mutex-short", "false-array",
           "churn-batch", "handoff-queue"]
CURVE_S, WHOLE_S, SECONDS = 20, 90, 1.5


def scale_for(case):
    """The case's size at which one thread takes 1.5 s."""
    begin = time.monotonic()
    subprocess.run([os.path.join(CASES, case), "1", "0.2"], check=True,
                   stdout=subprocess.DEVNULL)
    return max(0.05, 0.2 * SECONDS / (time.monotonic() - begin))


def sweep(case):
    """(seconds to the curve, seconds in all, record)"""
    with tempfile.TemporaryDirectory() as folder:
        path = os.path.join(folder, "record.json")
        begin = time.monotonic()
        process = subprocess.Popen(
            [LEAT, "scale", "--even-busy", "--json", path, "--", os.path.join(CASES, case),
             "{threads}", f"{scale_for(case):.3g}"], stdout=subprocess.PIPE, text=True)
        curve = None
        for line in process.stdout:
            if curve is None and "in random order" in line:
                curve = time.monotonic() - begin
        process.wait()
        with open(path, encoding="utf-8") as file:
            return curve, time.monotonic() - begin, json.load(file)


def observed(record):
    """How much longer a run under observation took, by point."""
    curve = {p["variant"]: p["wall_ns"] for p in record["curve"] if not p["remedy"]}
    return [e["elapsed_ns"] / curve[e["variant"]] - 1 for e in record["evidence"]
            if isinstance(curve.get(e["variant"]), (int, float))]


def goal(name, value, limit, text):
    print(f"{name} {text} {limit} {'ok' if value <= limit else 'short'}")


def main(names):
    rows = []
    print(f"{'case':16} {'curve s':>8} {'all s':>6} {'lost s':>7} {'parts':>7} {'unexpl.':>8} "
          f"{'observed':>9}  causes")
    for name in names:
        curve, whole, record = sweep(name)
        ledger = record["ledger"]
        lost = ledger["lost_ns"]
        parts = ledger["user_ns"] + ledger["system_ns"] + ledger["idle_ns"]
        lines = sum(line["core_ns"] for line in ledger["lines"]) + ledger["unexplained_ns"]
        off = max(abs(parts - lost), abs(lines - lost)) / max(abs(lost), 1)
        share = ledger["unexplained_ns"] / lost
        over = statistics.median(observed(record) or [float("nan")])
        causes = [f["id"] for f in record["findings"] if f["share"] is not None or
                  f["confidence"] != "fact"]
        small = abs(lost) < 0.1 * ledger["cores"] * ledger["wall_ns"]
        rows.append((name, curve, whole, off, share if not small else 0, over))
        print(f"{name:16} {curve:8.1f} {whole:6.1f} {lost / 1e9:7.2f} {off:7.2%} {share:8.1%} "
              f"{over:9.1%}  {', '.join(causes)}")
    print()
    goal("curve-s", max(r[1] for r in rows), CURVE_S, f"{max(r[1] for r in rows):.1f}")
    goal("whole-s", max(r[2] for r in rows), WHOLE_S, f"{max(r[2] for r in rows):.1f}")
    goal("ledger-off", max(r[3] for r in rows), 0.05, f"{max(r[3] for r in rows):.4f}")
    goal("unexplained", max(r[4] for r in rows), 0.3, f"{max(r[4] for r in rows):.3f}")
    still = [r[5] for r in rows if r[0] in ("scales-compute", "scales-calls")]
    if still:
        goal("observed", max(still), 0.05, f"{max(still):.3f}")


if __name__ == "__main__":
    main(sys.argv[1:] or DEFAULT)
