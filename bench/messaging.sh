#!/usr/bin/env bash
# SPDX-License-Identifier: GPL-2.0-or-later
# Is `leat bench messaging` the workload it says it is? Its CPU time against two others that do
# the same, in random pairs: rt-tests' hackbench, and perf's in thread mode. (In process mode
# perf's differs by design: each task copies perf's own large image.)
# bench/messaging.sh [PAIRS [GROUPS]]: goal is that the 95 % interval of the ratio lies in ±5 %.
set -euo pipefail
cd "$(dirname "$0")/.."
pairs=${1:-40}
groups=${2:-4}
leat=$PWD/build/bin/leat
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT

against() { # NAME OURS THEIRS
	local name=$1
	printf '\n%s\n' "$name"
	"$leat" compare -n "$pairs" --primary cpu --json "$work/$name.json" -- "theirs=$3" "ours=$2"
	python3 - "$name" "$work/$name.json" >>"$work/goals" <<-'END'
		import json
		import sys
		name, path = sys.argv[1:]
		c = next(c for c in json.load(open(path))["comparisons"] if c["metric"] == "cpu")
		good = 0.95 <= c["lo"] and c["hi"] <= 1.05
		print(f"messaging-cpu-vs-{name} {c['lo']:.3f}..{c['hi']:.3f} 0.950..1.050 {'ok' if good else 'short'}")
	END
}

size="-g $groups -l 100"
against hackbench "$leat bench messaging $size" "hackbench $size"
against hackbench-pipe "$leat bench messaging $size -p" "hackbench $size -p"
against hackbench-threads "$leat bench messaging $size -t" "hackbench $size -T"
if perf bench sched messaging -t -g 1 -l 1 >/dev/null 2>&1; then
	against perf-threads "$leat bench messaging $size -t" "perf bench sched messaging -t $size"
else
	printf '\nperf bench does not run here: left out\n'
fi
printf '\n'
cat "$work/goals"
