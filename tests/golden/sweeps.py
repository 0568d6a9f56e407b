# SPDX-License-Identifier: GPL-2.0-or-later
"""Records of sweeps for make-records: one that does not scale, with everything that can be
said of it, and those whose answer is another."""

import copy


def none(reason, hint=None):
    return {"state": "unavailable", "reason": reason, "hint": hint}


def estimate(key, center, half=None):
    """A value with its interval: three members. `half` is relative."""
    bounded = half is not None and not isinstance(center, dict)
    return {key: center, f"{key}_lo": center * (1 - half) if bounded else None,
            f"{key}_hi": center * (1 + half) if bounded else None}


def point(name, threads, wall, base, cpus=2, n=4, half=0.015, user=None, system=0.0, work=1,
          remedy=None, factors=None, rate=None, given_up_ns=0):
    """One point of a curve; wall in seconds, None for one without runs."""
    missing = none("no run counts here")
    if wall is None:
        speed = eff = missing
    else:
        speed = base / wall if rate is None else rate / 100
        eff = speed / min(threads, cpus) if threads else none("threads are no factor")
        speed = speed if threads else none("threads are no factor")
    user = wall * min(threads or 1, cpus) if user is None and wall else user
    return {"variant": name, "threads": threads, "factors": factors or {"threads": str(threads)},
            "remedy": remedy, "over": threads > cpus, "n": n if wall else 0,
            "given_up_ns": given_up_ns, "work": work,
            **estimate("wall_ns", missing if wall is None else wall * 1e9, half),
            **estimate("rate", rate if rate else none("units of work are not stated", "--work N"),
                       half),
            **estimate("speedup", speed, None if threads == 1 else half),
            **estimate("efficiency", eff, None if threads == 1 else half),
            "user_ns": user * 1e9 if wall else missing,
            "system_ns": system * 1e9 if wall else missing,
            "cores": (user + system) / wall if wall else missing,
            "peak_bytes": 2 << 20 if wall else missing}


def scaling(**given):
    few = "the universal scalability law takes four thread counts up to the CPUs"
    return {"command": "./prog {threads}", "cpus": 2, "allowed": 2, "quota": None,
            "baseline": "threads=1", "focus": "threads=2", "mode": "strong",
            "mode_why": "CPU time of the same threads on one CPU", "verdict": "slower",
            "busy": False,
            "check": {"checks": 5, "failed": 0, "asked": 2, "given": 1.98, "wide": None},
            "rounds_end": 5,
            "law": "karp-flatt", "law_why": few, "law_points": 2,
            **estimate("sigma", none(few)), **estimate("kappa", none(few)),
            **estimate("serial", 2.81, 0.03), "lambda": none(few), "best_cpus": none(few),
            "most": none(few),
            "one_cpu": {"variant": None, **estimate("ratio", none("not run")),
                        "cpu_ratio": none("not run")}, **given}


def cause(name, share, confidence, where=(), facts=(), confirm=None, severity="warning"):
    return {"id": name, "severity": severity, "variant": "threads=2", "num": [None] * 3,
            "name": None, "share": share, "confidence": confidence, "confirm": confirm,
            "where": list(where), "facts": list(facts)}


def place(role, function, line, data=None, offset=None, thread="worker", file="prog.c"):
    return {"role": role, "thread": thread, "function": function, "object": "prog",
            "file": f"/src/{file}", "line": line, "data": data, "offset": offset}


def fact(name, unit, value):
    return {"name": name, "unit": unit, "value": value}


def remedy(name, verdict, ratio=None, half=0.05, **given):
    tried = ratio is not None
    return {"name": name, "change": None, "variant": None, "verdict": verdict, "best": False,
            "reason": None, "hint": None, "n": 8 if tried else 0,
            "ratio": ratio if tried else none("not tried"),
            "lo": ratio * (1 - half) if tried else None,
            "hi": ratio * (1 + half) if tried else None, "level": 0.95 if tried else None,
            "p": 0.0078 if tried else None, "p_holm": 0.0234 if tried else None,
            "peak": 3 << 20 if tried else none("not tried"),
            "peak_without": 2 << 20 if tried else none("not tried"), **given}


def ledger_line(part, op, seconds, function=None, line=0, group="worker", tier="clock samples"):
    return {"part": part, "group": group, "op": op, "function": function, "object": "prog",
            "file": "/src/prog.c" if line else None, "line": line, "core_ns": seconds * 1e9,
            "tier": tier}


def ledger(**given):
    return {"variant": "threads=2", "threads": 2, "cores": 2, "wall_ns": 2.79e9,
            "useful_ns": 1.46e9, "lost_ns": 4.12e9, "user_ns": 3.95e9, "system_ns": 0,
            "idle_ns": 0.17e9, "unexplained_ns": 0.12e9,
            "lines": [ledger_line("user", "user", 2.1, "count_up", 23),
                      ledger_line("user", "user", 1.8, "count_down", 31),
                      ledger_line("idle", "join", 0.1, "main", 55, "main", "scheduler")],
            "used": [{"cores": 0, "ns": 0.01e9}, {"cores": 1, "ns": 0.17e9},
                     {"cores": 2, "ns": 2.61e9}],
            "used_tier": "probe at sched_switch", **given}


def sweep(record, trial, points, scaled, factors=None, findings=(), made_ledger=None,
          remedies=(), variants=(), comparisons=(), stopped="budget", **plan):
    """`record` and `trial` are make-records' own."""
    names = [(p["variant"], "./prog") for p in points] + list(variants)
    trials = [trial(p["variant"], i, {"wall": p["wall_ns"]}, block=0)
              for i, p in enumerate(points) if not isinstance(p["wall_ns"], dict)]
    made = record("scale", "sweep", names, ["wall"], trials, [], list(comparisons),
                  stopped=stopped, stdout="file", **plan)
    levels = {p["variant"]: p["factors"] for p in points}
    of_remedy = {p["variant"]: p["remedy"] for p in points}
    for v in made["variants"]:
        v["factors"] = levels.get(v["name"], points[0]["factors"])
        v["remedy"] = of_remedy.get(v["name"])
    for t in made["trials"]:
        t["out_hash"] = t["out_text"] = "0"
    plain = []
    for f in findings:
        g = {"share": None, "confidence": "fact", "confirm": None, "where": [], "facts": []}
        g.update(f)
        plain.append(g)
    made.update(findings=plain, scaling=scaled, curve=points, ledger=made_ledger, evidence=[],
                remedies=list(remedies),
                factors=factors or [{"name": "threads", "how": "placeholder", "variables": None,
                                     "pinned": False,
                                     "levels": [str(p["threads"]) for p in points
                                                if not p["remedy"]]}])
    return made


def make(record, trial, finding, comparison):
    """{name: record}"""
    slow = [point("threads=1", 1, 1.46, 1.46), point("threads=2", 2, 2.79, 1.46, user=5.41),
            point("threads=4", 4, 2.85, 1.46, user=5.61)]
    one = {"variant": "threads=2 on one CPU", **estimate("ratio", 0.26, 0.02), "cpu_ratio": 0.27}
    helped = [point("threads=1, close", 1, 1.41, 1.41, remedy="close"),
              point("threads=2, close", 2, 0.75, 1.41, remedy="close",
                    factors={"threads": "2"})]
    whole = sweep(
        record, trial, slow + helped, scaling(one_cpu=one),
        variants=[("threads=2 on one CPU", "./prog")],
        findings=[cause("false-sharing", 0.95, "high",
                        [place("writes", "count_up", 23, "counters", 0),
                         place("writes", "count_down", 31, "counters", 8)],
                        [fact("share-of-samples", "ratio", 0.98)],
                        "give each thread's counter a cache line of its own"),
                  finding("few-runs", 3, 6), finding("script", text="/bin/sh")],
        made_ledger=ledger(),
        remedies=[remedy("close", "helps", 3.72, best=True, change="taskset -c 0,1",
                         variant="threads=2, close"),
                  remedy("fewer-threads", "no-help", 1.01, p=0.4, p_holm=0.4),
                  remedy("one-cpu", "broken", reason="its output is another"),
                  remedy("jemalloc", "not-tried", reason="libjemalloc.so.2 is not installed",
                         hint="apt install libjemalloc2")])
    scales = sweep(
        record, trial, [point("threads=1", 1, 2.0, 2.0), point("threads=2", 2, 1.01, 2.0),
                        point("threads=4", 4, None, 2.0, given_up_ns=12.5e9)],
        scaling(verdict="scales", **estimate("serial", 0.01, 0.9)),
        findings=[cause("scales", None, "high", severity="info"),
                  cause("oversubscribed", None, "high", facts=[
                      fact("cpus", "count", 2), fact("slower-at-least", "ratio", 12.4)])],
        made_ledger=ledger(wall_ns=1.01e9, useful_ns=2e9, lost_ns=0.02e9, user_ns=0.01e9,
                           idle_ns=0.01e9, unexplained_ns=0.02e9, lines=[], used=[],
                           used_tier=None))
    busy = sweep(record, trial, slow, scaling(
        verdict="undecided", busy=True,
        check={"checks": 4, "failed": 4, "asked": 2, "given": 1.31, "wide": None}))
    walls = {1: 8.0, 2: 4.3, 4: 2.5, 8: 1.9, 16: 1.95}
    law = sweep(
        record, trial, [point(f"threads={n}", n, w, 8.0, cpus=8, n=1, half=None)
                        for n, w in walls.items()],
        scaling(cpus=8, allowed=8, focus="threads=8", verdict="limited", law="usl", law_why=None,
                law_points=4, mode="unknown", mode_why=None, **estimate("sigma", 0.071, 0.1),
                **estimate("kappa", 0.0061, 0.2), **estimate("serial", none("a law was fitted")),
                **{"lambda": 0.125, "best_cpus": 12.3, "most": 4.41}))
    weak = sweep(
        record, trial,
        [point("threads=1", 1, 1.0, 1.0, rate=100), point("threads=2", 2, 1.05, 1.0, work=2,
                                                          rate=190)],
        scaling(mode="weak", mode_why="units of work", verdict="scales", quota=1.5, cpus=1.5,
                check={"checks": 3, "failed": 1, "asked": 1.5, "given": 1.2, "wide": None}),
        factors=[{"name": "threads", "how": "environment",
                  "variables": "OMP_NUM_THREADS, GOMAXPROCS", "pinned": True,
                  "levels": ["1", "2"]}])
    failed = sweep(
        record, trial,
        [point("threads=1", 1, 1.0, 1.0), point("threads=2", 2, 0.55, 1.0),
         point("threads=4", 4, None, 1.0)],
        scaling(verdict="limited", **estimate("serial", 0.1, 0.2)), partial=True, stopped="signal",
        stop_signal=15, findings=[finding("failed-runs", 1, 1, severity="error",
                                          variant="threads=4")])
    gone = trial("threads=4", 2, {"wall": none("the run failed")}, block=0, kind="signal", code=11)
    gone["out_hash"] = gone["out_text"] = "0"
    failed["trials"].append(gone)
    levels = [point("block=4k", 0, 2.0, 2.0, factors={"block": "4k"}),
              point("block=1M", 0, 1.1, 2.0, factors={"block": "1M"}),
              point("block=64M", 0, 2.02, 2.0, factors={"block": "64M"})]
    factor = sweep(
        record, trial, levels,
        scaling(command="./copy --block {block}", baseline="block=4k", focus="block=4k",
                verdict="undecided", mode="unknown", mode_why=None, law="none",
                law_why="threads are no factor", **estimate("serial", none("no threads"))),
        comparisons=[comparison("block=4k", "block=1M", "wall", 0.55, 0.54, 0.56, "faster", 2e9,
                                True, n=8, p=0.0078),
                     comparison("block=4k", "block=64M", "wall", 1.01, 0.99, 1.03, "undecided",
                                2e9, True, n=8, p=0.4)],
        factors=[{"name": "block", "how": "placeholder", "variables": None, "pinned": False,
                  "levels": ["4k", "1M", "64M"]}])
    crossed = copy.deepcopy(slow[:2])
    for p in crossed:
        p["factors"] = {"size": "10", **p["factors"]}
        p["variant"] = "size=10 " + p["variant"]
    for p in copy.deepcopy(slow[:2]):
        p["factors"] = {"size": "99", **p["factors"]}
        p["variant"] = "size=99 " + p["variant"]
        crossed.append(p)
    two = sweep(
        record, trial, crossed,
        scaling(baseline="size=10 threads=1", focus="size=10 threads=2"),
        factors=[{"name": name, "how": "placeholder", "variables": None, "pinned": False,
                  "levels": levels}
                 for name, levels in (("size", ["10", "99"]), ("threads", ["1", "2"]))])
    return {"scale-slower": whole, "scale-scales": scales, "scale-busy": busy, "scale-law": law,
            "scale-weak": weak, "scale-failed": failed, "scale-factor": factor,
            "scale-crossed": two}
