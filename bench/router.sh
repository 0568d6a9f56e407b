#!/usr/bin/env bash
# SPDX-License-Identifier: GPL-2.0-or-later
# bench/router.sh [ROUNDS]: the router beside bare loops that do the least that must be done, by one
# thread and by two, and the classic example's shape beside oneTBB. Captures and route table are
# made here, in memory (TMPDIR, else /dev/shm). All programs run in turn, ROUNDS times (7); goals are
# medians of the ratios within each round: of CPU time where one thread is measured, of wall time
# where two are, so that the latter mean something on an idle machine with two CPUs only. What
# two CPUs can give is measured too: two serial runs at once, which share nothing.
set -euo pipefail
cd "$(dirname "$0")/.."
rounds=${1:-7}
build=build
packets=${PACKETS:-5000000}
flows=${FLOWS:-100000}
routes=${ROUTES:-200000}
cmake --build --preset release --target bench-router bench-router-classic make-capture -- --quiet
dir=$(mktemp -d "${TMPDIR:-/dev/shm}/leat-router-bench.XXXXXX")
trap 'rm -rf "$dir"' EXIT

say() {
	printf '%s\n' "$*" >&2
}

# Routes of the lengths that tables of the Internet have, to 16 interfaces.
make_routes() {
	awk -v n="$routes" 'BEGIN {
		srand(1)
		split("24 580 22 120 23 100 21 50 20 50 19 30 16 30 18 20 17 10 15 5 14 3 13 2", mix, " ")
		while (have < n) {
			dice = int(rand() * 1000)
			for (i = 1; dice >= mix[i + 1]; i += 2)
				dice -= mix[i + 1]
			size = 2 ^ (32 - mix[i])
			addr = 16777216 + int(rand() * 3690987520)
			addr -= addr % size
			top = int(addr / 16777216)
			if (top == 10 || top == 127 || (addr, mix[i]) in seen)
				continue
			seen[addr, mix[i]]
			nic = int(rand() * 16)
			printf "%d.%d.%d.%d/%d 100.64.%d.2 out%d\n", top, int(addr / 65536) % 256,
				int(addr / 256) % 256, addr % 256, mix[i], nic, nic
			have++
		}
	}' >"$dir/routes.txt"
}

make_config() { # NAME LINES
	{
		printf '[interface eth0]\naddress = 10.255.255.254/8\nside = inside\n'
		for ((i = 0; i < 16; i++)); do
			printf '[interface out%d]\naddress = 100.64.%d.1/30\nside = outside\n' "$i" "$i"
		done
		printf '[routes]\nfile = routes.txt\n%b' "$2"
	} >"$dir/$1.conf"
}

capture() { # NAME OPTION...
	local name=$1
	shift
	"$build/tools/make-capture" --hosts 1000 -p uniform -l small -t udp=1,tcp=1 -r "$dir/routes.txt" \
		-o "$dir/$name" "$@"
}

say "making $packets packets of $flows flows, and $routes routes"
make_routes
make_config route ''
make_config nat '[nat]\naddress = 100.64.0.1\n'
capture many -n "$packets" -f "$flows"
capture new -n 200000 -f 5000 --life 3
capture classic -n 113405 -f 1000

peers=0
if printf '#include <tbb/version.h>\n' | "${CXX:-c++}" -E -xc++ - >/dev/null 2>&1; then
	"${CXX:-c++}" -std=c++17 -O2 -Wall -Wextra -Ibench bench/router/tbb.cpp -o "$dir/tbb" \
		"$build/bench/libbench-router-classic.a" "$build/src/router/libleat_router.a" \
		"$build/src/libleat.a" "$build/src/libleat_base.a" -ltbb -ljansson -lm -pthread
	peers=1
else
	say "oneTBB is not installed (libtbb-dev): its goal is left out"
fi

ours=$build/bench/router
queens=6
cases=(bare-route bare-nat bare-new route nat nat-2 nat-pair new classic-1 classic-2 classic-pair)
[ $peers -eq 0 ] || cases+=(tbb-2)
declare -A line=(
	[bare-route]="$ours route $dir/many/eth0.pcap $dir/route.conf"
	[bare-nat]="$ours nat-out $dir/many/eth0.pcap $dir/nat.conf"
	[bare-new]="$ours nat-out $dir/new/eth0.pcap $dir/nat.conf"
	[route]="$ours serial $dir/many/eth0.pcap $dir/route.conf"
	[nat]="$ours serial $dir/many/eth0.pcap $dir/nat.conf $dir/out"
	[nat-2]="$ours 2 $dir/many/eth0.pcap $dir/nat.conf $dir/out"
	[new]="$ours serial $dir/new/eth0.pcap $dir/nat.conf $dir/out"
	[classic-1]="env QUEENS=$queens CHUNK=1600 $ours serial $dir/classic/eth0.pcap $dir/nat.conf"
	[classic-2]="env QUEENS=$queens CHUNK=1600 TOKENS=24 $ours 2 $dir/classic/eth0.pcap $dir/nat.conf"
	[tbb-2]="$dir/tbb 2 $dir/classic/eth0.pcap $dir/nat.conf 1600 24 $queens"
)
# Two at once, the second with an output of its own: as if it were one with twice the packets.
pair() { # NAME
	local second=${line[$1]//"$dir/out"/"$dir/out2"}
	$second >"$dir/second" 2>>"$dir/notes" &
	${line[$1]} 2>>"$dir/notes"
	wait
	cat "$dir/second"
}

for ((round = 0; round < rounds; round++)); do
	for name in "${cases[@]}"; do
		rm -rf "$dir/out" "$dir/out2"
		case $name in
		nat-pair) pair nat ;;
		classic-pair) pair classic-1 ;;
		*) ${line[$name]} 2>>"$dir/notes" ;;
		esac | awk '{ n += $1; cpu += $2; if ($3 > wall) wall = $3 }
			END { printf "%.2f %.2f\n", cpu / n, wall / n }' >>"$dir/$name.ns"
	done
done

median() { # NAME COLUMN
	awk -v c="$2" '{ print $c }' "$dir/$1.ns" | sort -n | awk '{ v[NR] = $1 } END { print v[int((NR + 1) / 2)] }'
}

printf '%-12s %12s %13s %8s\n' 'ns a packet' 'CPU time' 'wall time' 'Mpps'
for name in "${cases[@]}"; do
	awk -v n="$name" -v c="$(median "$name" 1)" -v w="$(median "$name" 2)" \
		'BEGIN { printf "%-12s %12.1f %13.1f %8.2f\n", n, c, w, 1000 / w }'
done
printf '\n'

# NAME VALUE GOAL: at least that much
goal() {
	awk -v n="$1" -v v="$2" -v g="$3" \
		'BEGIN { printf "%s %.3f >=%s %s\n", n, v, g, (v >= g ? "ok" : "short") }'
}

ratio() { # A B COLUMN [DIVISOR]
	paste -d' ' "$dir/$1.ns" "$dir/$2.ns" | awk -v c="$3" -v d="${4:-1}" '{ print $c / $(c + 2) / d }' |
		sort -n | awk '{ v[NR] = $1 } END { print v[int((NR + 1) / 2)] }'
}

goal nat-of-bare "$(ratio bare-nat nat 1)" 0.4
goal route-of-bare "$(ratio bare-route route 1)" 0.5
goal new-flows-of-bare "$(ratio bare-new new 1)" 0.44
goal two-cores-efficiency "$(ratio nat nat-2 2 2)" 0.85
goal two-cores-of-pair "$(ratio nat-pair nat-2 2)" 0.9
goal classic-two-cores "$(ratio classic-1 classic-2 2)" 1.93
goal classic-of-pair "$(ratio classic-pair classic-2 2)" 0.97
[ $peers -eq 0 ] || goal classic-of-tbb "$(ratio tbb-2 classic-2 2)" 1
bytes=$(awk '/bytes a flow/ && $1 > 0 { print $1; exit }' "$dir/notes")
awk -v v="$bytes" 'BEGIN { printf "bytes-a-flow %d <=256 %s\n", v, (v > 0 && v <= 256 ? "ok" : "short") }'
