#!/usr/bin/env bash
# SPDX-License-Identifier: MIT
# test_library.sh BUILD: installs libleat into a place of its own and builds the examples there,
# in C and C++, by pkg-config and by CMake, shared and static.
set -euo pipefail
build=$1
src=$(cd "$(dirname "$0")/../.." && pwd)
prefix=$(mktemp -d)
trap 'rm -rf "$prefix"' EXIT

fail() {
	printf 'library: %s\n' "$*" >&2
	exit 1
}

if grep -q '^LEAT_SANITIZE:STRING=.' "$build/CMakeCache.txt"; then
	echo "library: skipped, this build needs a sanitizer's run time"
	exit 77
fi
cmake --install "$build" --prefix "$prefix" >/dev/null
pc=$(find "$prefix" -name leat.pc)
[ -n "$pc" ] || fail "no leat.pc"
PKG_CONFIG_PATH=$(dirname "$pc")
export PKG_CONFIG_PATH
lib=$(pkg-config --variable=libdir leat)
[ -e "$lib/libleat.so.0" ] || fail "no libleat.so.0 in $lib"

# every public name has the prefix, and every name in the headers is there
nm -D --defined-only "$lib/libleat.so" | awk '$2 ~ /[A-Z]/ && $3 !~ /^(leat_|LEAT_)/ { print $3; bad = 1 }
	END { exit bad }' || fail "names without prefix are exported"
sed -n 's/^LEAT_API[^(]*[ *]\(leat_[a-z0-9_]*\)(.*/\1/p' "$prefix"/include/leat/*.h | sort -u >"$prefix/api"
[ "$(wc -l <"$prefix/api")" -gt 50 ] || fail "found too few functions in the headers"
while read -r name; do
	nm -D --defined-only "$lib/libleat.so" | grep -q " $name\(@\|\$\)" || fail "$name is not exported"
done <"$prefix/api"

mkdir "$prefix/pc"
for name in wordcount chain share; do
	# shellcheck disable=SC2046 # the flags are words
	cc -std=gnu11 -Wall -Wextra -Wpedantic -Werror "$src/examples/$name.c" -o "$prefix/pc/$name" \
		$(pkg-config --cflags --libs leat) "-Wl,-rpath,$lib" || fail "$name.c does not build"
done
# shellcheck disable=SC2046
c++ -std=c++11 -Wall -Wextra -Werror "$src/examples/sum.cpp" -o "$prefix/pc/sum" \
	$(pkg-config --cflags leat) "$lib/libleat.a" -pthread || fail "sum.cpp does not build"

cmake -S "$src/examples" -B "$prefix/cm" -DCMAKE_PREFIX_PATH="$prefix" >/dev/null ||
	fail "find_package(leat) fails"
cmake --build "$prefix/cm" >/dev/null || fail "the examples do not build with CMake"

for dir in "$prefix/pc" "$prefix/cm"; do
	[ "$("$dir/chain" each)" = "sum of squares: 333833500, buffers home: 64 of 64" ] ||
		fail "chain says '$("$dir/chain" each)'"
	[ "$("$dir/sum")" = "sum: 5050" ] || fail "sum says '$("$dir/sum")'"
	want=$(wc -w <"$src/LICENSES/MIT.txt")
	"$dir/wordcount" "$src/LICENSES/MIT.txt" | grep -q "^$want words" || fail "wordcount counts wrongly"
done

# seen from outside while it runs
mkfifo "$prefix/fifo"
"$prefix/pc/wordcount" "$prefix/fifo" >/dev/null &
pid=$!
exec 3>"$prefix/fifo"
for _ in 1 2 3 4 5 6 7 8 9 10; do
	"$prefix/pc/share" "$pid" >"$prefix/seen" 2>/dev/null && [ -s "$prefix/seen" ] && break
	sleep 0.1
done
exec 3>&-
wait "$pid"
grep -q '^main .*cpu' "$prefix/seen" || fail "share sees no thread from outside"
