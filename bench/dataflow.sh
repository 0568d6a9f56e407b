#!/usr/bin/env bash
# SPDX-License-Identifier: MIT
# bench/dataflow.sh [ROUNDS]: pipelines and module chains of libleat beside oneTBB, GStreamer and
# this machine's own limits. All programs run in turn, ROUNDS times (5); goals are medians of the
# ratios within each round. A peer that is not installed is left out, and the
# goals that need it say so. Peers that Debian has no package of are built from checkouts that
# TASKFLOW, FASTFLOW and DABC (with its libraries built) name; rte_graph is found by pkg-config as
# libdpdk, and PKG_CONFIG_PATH leads to that of a checkout. IDLE_S is the length of the idle test in seconds (10).
# A run during which other programs used more than half a CPU is repeated once; a median that
# rests on such runs is marked with ~.
set -euo pipefail
cd "$(dirname "$0")/.."
rounds=${1:-5}
src=bench/dataflow
out=build/bench/dataflow
mkdir -p "$out"

say() {
	printf '%s\n' "$*" >&2
}

cc=${CC:-cc}
cxx=${CXX:-c++}
flags=(-O2 -Wall -Wextra -Iinclude -I"$src")
"$cc" "${flags[@]}" -std=gnu11 -D_GNU_SOURCE -c "$src/router.c" -o "$out/router.o"
"$cc" "${flags[@]}" -std=gnu11 "$src/ours.c" "$out/router.o" -o "$out/ours" build/src/libleat.a -pthread
"$cc" "${flags[@]}" -std=gnu11 -D_GNU_SOURCE "$src/limits.c" -o "$out/limits" -pthread
# The same library without its statistics, to see what they cost.
"$cc" "${flags[@]}" -std=gnu17 -D_GNU_SOURCE -DLIB_NO_STATS -Isrc -g -fPIC -fvisibility=hidden \
	"$src/ours.c" "$out/router.o" src/lib/*.c -o "$out/bare" -pthread
peers=(limits ours bare)
if printf '#include <tbb/version.h>\n' | "$cxx" -E -xc++ - >/dev/null 2>&1; then
	"$cxx" -std=c++17 "${flags[@]}" "$src/tbb.cpp" "$out/router.o" -o "$out/tbb" -ltbb
	peers+=(tbb)
else
	say "oneTBB is not installed (libtbb-dev): its goals are left out"
fi
if pkg-config --exists gstreamer-1.0; then
	# shellcheck disable=SC2046 # the flags are words
	"$cc" "${flags[@]}" -std=gnu11 -D_GNU_SOURCE "$src/gst.c" -o "$out/gst" \
		$(pkg-config --cflags --libs gstreamer-1.0)
	peers+=(gst)
else
	say "GStreamer is not installed (libgstreamer1.0-dev): its goals are left out"
fi
# NAME DIRECTORY HEADER FLAGS...: a peer from a checkout; that it does not build is said and is
# no reason to stop
checkout() {
	local name=$1 dir=$2 header=$3
	shift 3
	if [ -z "$dir" ]; then
		say "$name: no checkout is named by ${name^^}, so it is left out"
	elif [ ! -e "$dir/$header" ]; then
		say "$name: ${name^^}=$dir has no $header, so it is left out"
	elif "$cxx" -std=c++20 "${flags[@]}" -w "$src/$name.cpp" "$out/router.o" -o "$out/$name" \
		-pthread "$@"; then
		peers+=("$name")
	else
		say "$name: the checkout in $dir does not build with $src/$name.cpp, so it is left out"
	fi
}
checkout taskflow "${TASKFLOW:-}" taskflow/taskflow.hpp -I"${TASKFLOW:-}"
checkout fastflow "${FASTFLOW:-}" ff/ff.hpp -I"${FASTFLOW:-}"
checkout dabc "${DABC:-}" base/dabc/Manager.h -I"${DABC:-}/include" -I"${DABC:-}/base" \
	-L"${DABC:-}/lib" -Wl,-rpath,"${DABC:-}/lib" -lDabcBase
# shellcheck disable=SC2046 # the flags are words
if ! pkg-config --exists libdpdk; then
	say "rte_graph: pkg-config knows no libdpdk, so it is left out"
elif "$cc" "${flags[@]}" -w -std=gnu11 -D_GNU_SOURCE "$src/graph.c" -o "$out/graph" \
	$(pkg-config --cflags --libs libdpdk); then
	peers+=(graph)
fi

declare -A shapes=(
	[limits]="call line futex-same futex-other ring-10-one-cpu paced-0 paced-1 paced-3"
	[ours]="pipe-serial-1 pipe-parallel-1 pipe-serial-2 pipe-parallel-2 router-loop router-1 \
		router-2 router-1-of-loop router-2-of-loop \
		two-loops-of-loop chain-1 chain-1-deep chain-main-1 chain-10 chain-main-10 chain-10-one-cpu \
		share paced-pipe paced-chain work key"
	[bare]="chain-1"
	[tbb]="pipe-serial-1 pipe-parallel-1 pipe-serial-2 pipe-parallel-2 flow-1 flow-2 router-1 \
		router-2 paced-pipe"
	[gst]="chain-1 chain-10"
	[taskflow]="pipe-serial-1 pipe-parallel-1 pipe-serial-2 pipe-parallel-2 router-1 router-2"
	[fastflow]="chain-10"
	[dabc]="chain-1 chain-10"
	[graph]="chain-1 chain-8 chain-32 chain-256"
)
nice=()
if nice -n -20 true 2>/dev/null; then
	# the scheduler weighs sessions first, where it groups them, then what is inside
	# shellcheck disable=SC2016 # for the inner shell
	nice=(setsid -w sh -c
		'echo -20 >/proc/self/autogroup 2>/dev/null; exec nice -n -20 "$@"' sh)
fi
values=$out/values
: >"$values"
ticks=$(getconf CLK_TCK)

# CPU time of the whole machine so far, in ticks
machine() {
	awk '$1 == "cpu" { print $2 + $3 + $4 + $7 + $8 + $9; exit }' /proc/stat
}

# PEER SHAPE: one line, PEER SHAPE VALUE quiet|noisy
measure() {
	local before value after begin end how=noisy
	before=$(machine)
	begin=$EPOCHREALTIME
	value=$({ TIMEFORMAT='%U %S'; time "${nice[@]}" "$out/$1" "$2" 2>&3; } 3>&2 2>"$out/time")
	end=$EPOCHREALTIME
	after=$(machine)
	how=$(awk -v busy=$((after - before)) -v hz="$ticks" -v begin="$begin" -v end="$end" \
		'{ others = busy / hz - $1 - $2; print (others > 0.5 * (end - begin) + 0.02) ? "noisy" : "quiet" }' \
		"$out/time")
	printf '%s %s %s %s\n' "$1" "$2" "$value" "$how"
}
for ((round = 0; round < rounds; round++)); do
	for peer in "${peers[@]}"; do
		for shape in ${shapes[$peer]}; do
			line=$(measure "$peer" "$shape")
			[ "${line##* }" = quiet ] || line=$(measure "$peer" "$shape")
			printf '%s\n' "$line" >>"$values"
		done
	done
done
printf 'ours idle %s quiet\n' "$("$out/ours" idle "${IDLE_S:-10}")" >>"$values"

awk -v rounds="$rounds" '
{ k = $1 " " $2; i = runs[k]++
  v[k, i] = $3
  calm[k, i] = $4 == "quiet"
  n_calm[k] += calm[k, i]
  if (i == 0) order[m++] = k }
function median_of(a, c,    i, j, t) {
	for (i = 1; i < c; i++)
		for (j = i; j > 0 && a[j - 1] > a[j]; j--) {
			t = a[j]; a[j] = a[j - 1]; a[j - 1] = t
		}
	return c % 2 ? a[int(c / 2)] : (a[c / 2 - 1] + a[c / 2]) / 2
}
# quiet runs alone if there are any, else all
function median(k,    i, c, a) {
	for (i = 0; i < runs[k]; i++)
		if (calm[k, i] || !n_calm[k])
			a[c++] = v[k, i]
	return median_of(a, c)
}
# of the ratios within each round: speeds of this machine change from one to the next
function median_ratio(x, y,    i, c, a, quiet) {
	for (quiet = 1; quiet >= 0 && !c; quiet--)
		for (i = 0; i < runs[x] && i < runs[y]; i++)
			if (!quiet || (calm[x, i] && calm[y, i]))
				a[c++] = v[x, i] / v[y, i]
	return median_of(a, c)
}
function goal(name, value, op, bound) {
	ok = op == "<=" ? value <= bound : value >= bound
	printf "%-34s %10.4g  %s %-6g %s\n", name, value, op, bound, ok ? "ok" : "short"
}
function ratio(name, a, b, op, bound) {
	if ((a in runs) && (b in runs))
		goal(name, median_ratio(a, b), op, bound)
	else
		printf "%-34s %10s  %s %-6g n/a (%s did not run)\n", name, "n/a", op, bound, (a in runs) ? b : a
}
# a peer that most machines do not have: without it no line
function peer(name, a, b, op, bound) {
	if (b in runs)
		ratio(name, a, b, op, bound)
}
END {
	printf "%-28s %12s\n", "median of " rounds " rounds", "ns (paced, share: %; of-loop: ratio)"
	for (i = 0; i < m; i++)
		printf "%-28s %12.2f %s\n", order[i], median(order[i]), n_calm[order[i]] ? "" : "~"
	printf "\n"
	ratio("pipe-serial-1/tbb", "ours pipe-serial-1", "tbb pipe-serial-1", "<=", 0.2)
	ratio("pipe-parallel-1/tbb", "ours pipe-parallel-1", "tbb pipe-parallel-1", "<=", 0.4)
	ratio("pipe-serial-2/tbb", "ours pipe-serial-2", "tbb pipe-serial-2", "<=", 0.2)
	ratio("pipe-parallel-2/tbb", "ours pipe-parallel-2", "tbb pipe-parallel-2", "<=", 0.25)
	ratio("pipe-serial-2/own-1", "ours pipe-serial-2", "ours pipe-serial-1", "<=", 1.6)
	ratio("pipe-parallel-2/own-1", "ours pipe-parallel-2", "ours pipe-parallel-1", "<=", 1.6)
	goal("router-1/loop", median("ours router-1-of-loop"), "<=", 1.01)
	goal("router-speedup-2", 1 / median("ours router-2-of-loop"), ">=", 1.93)
	goal("router-2/two-loops", median_ratio("ours two-loops-of-loop", "ours router-2-of-loop"), ">=", 0.97)
	ratio("chain-1/gstreamer", "ours chain-1", "gst chain-1", "<=", 0.05)
	ratio("chain-10/gstreamer", "ours chain-10", "gst chain-10", "<=", 0.4)
	ratio("chain-10-one-cpu/futex-ring", "ours chain-10-one-cpu", "limits ring-10-one-cpu", "<=", 1.2)
	ratio("chain-main-1/chain-main-10", "ours chain-main-1", "ours chain-main-10", "<=", 0.05)
	peer("pipe-serial-1/taskflow", "ours pipe-serial-1", "taskflow pipe-serial-1", "<=", 0.4)
	peer("pipe-serial-2/taskflow", "ours pipe-serial-2", "taskflow pipe-serial-2", "<=", 0.4)
	peer("router-2/taskflow", "ours router-2", "taskflow router-2", "<=", 1)
	peer("chain-1/dabc", "ours chain-1", "dabc chain-1", "<=", 1 / 15)
	peer("chain-10/dabc", "ours chain-10", "dabc chain-10", "<=", 0.4)
	peer("chain-10/fastflow", "ours chain-10", "fastflow chain-10", "<=", 0.4)
	peer("chain-1/rte_graph-1", "ours chain-1", "graph chain-1", "<=", 1)
	ratio("paced-pipe/floor", "ours paced-pipe", "limits paced-1", "<=", 1.5)
	ratio("paced-chain/floor", "ours paced-chain", "limits paced-3", "<=", 1.5)
	goal("idle-switches", median("ours idle"), "<=", 0)
	goal("wait-share-miss-percent", median("ours share"), "<=", 1)
	ratio("chain-1/without-statistics", "ours chain-1", "bare chain-1", "<=", 1.03)
	goal("work-counter-ns", median("ours work"), "<=", 10)
	goal("key-off-ns", median("ours key"), "<=", 0.3)
}' "$values"
