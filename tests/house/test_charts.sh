#!/usr/bin/env bash
# SPDX-License-Identifier: GPL-2.0-or-later
# tools/fetch-charts without npm, and with one that fetches nothing: leat must build all the same,
# and know why it has no charts.
set -euo pipefail
tools=$(cd "$(dirname "$0")/../../tools" && pwd)
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT
mkdir "$work/bin"
for command in bash env dirname mktemp mkdir rm cp timeout sed; do
	ln -s "$(type -P $command)" "$work/bin/$command"
done
fail() {
	printf 'charts: %s\n' "$*" >&2
	exit 1
}

# Ends well, leaves empty files and a reason.
gives_up() { # REASON
	PATH=$work/bin "$tools/fetch-charts" "$work/out" >"$work/said" 2>&1 || fail 'it fails'
	for name in uplot.js uplot.css uplot.license; do
		[ -e "$work/out/$name" ] || fail "no file $name"
		[ ! -s "$work/out/$name" ] || fail "$name is not empty"
	done
	grep -q "$1" "$work/out/why" || fail "the reason is not '$1' but: $(cat "$work/out/why")"
	grep -q "$1" "$work/said" || fail 'it does not say why'
}
gives_up 'npm.* was not there'
printf '#!/bin/sh\necho "no network" >&2\nexit 1\n' >"$work/bin/npm"
chmod +x "$work/bin/npm"
gives_up 'could not fetch'
grep -q 'no network' "$work/said" || fail 'it does not pass on what npm says'

# Pinned: one version, its sum, and no word of where it comes from.
lock=$tools/../src/report/charts/package-lock.json
grep -q '"integrity": "sha512-' "$lock" || fail 'no sum in the lock file'
! grep -qE '"resolved"|https?:' "$lock" || fail 'the lock file names a host'
