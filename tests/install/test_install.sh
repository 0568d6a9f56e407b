#!/usr/bin/env bash
# SPDX-License-Identifier: GPL-2.0-or-later
# test_install.sh BUILD: installs into a place of its own and uses what is there, from there.
set -euo pipefail
build=$1
version=$(sed -n 's/^CMAKE_PROJECT_VERSION:STATIC=//p' "$build/CMakeCache.txt")
prefix=$(mktemp -d)
trap 'rm -rf "$prefix"' EXIT
cmake --install "$build" --prefix "$prefix" >/dev/null
cd "$prefix"

fail() {
	printf 'install: %s\n' "$*" >&2
	exit 1
}

[ "$(bin/leat --version)" = "leat $version" ] || fail "--version says '$(bin/leat --version)'"
bin/leat list meters | grep -q '^wall ' || fail "list meters names no wall"
bin/leat bench messaging -g 1 -l 1 | grep -qx 'messages: 400' || fail "bench does not run"
# the launcher must come along: it is inside the program, not beside the build
bin/leat run -n 7 --csv runs.csv -- true >/dev/null || fail "run does not run"
[ "$(grep -c true runs.csv)" -ge 7 ] || fail "run did not write its runs"
if strings -a bin/leat 2>/dev/null | grep -qF "$build/"; then
	fail "the program names its build directory"
fi
for page in leat.1 leat-run.1 leat-record.5 leat-meters.7; do
	[ -s "share/man/man${page##*.}/$page" ] || fail "no page $page"
done
for file in share/leat/record.schema.json share/doc/leat/LICENSE share/doc/leat/LICENSES/MIT.txt; do
	[ -s "$file" ] || fail "no $file"
done
