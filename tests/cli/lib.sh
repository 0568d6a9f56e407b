# SPDX-License-Identifier: GPL-2.0-or-later
# shellcheck shell=bash
# For tests of the command line: sourced first. LEAT is the program under test. Each test works
# in a folder of its own that goes away; the first claim that does not hold ends it.
set -euo pipefail
: "${LEAT:?the program under test}"
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT
cd "$work"

# Runs leat: $code, and the files out and err.
leat() {
	code=0
	"$LEAT" "$@" >out 2>err || code=$?
}

broken() {
	printf 'not so: %s (exit code %s)\n--- stdout\n%s\n--- stderr\n%s\n' \
		"$1" "${code:-none}" "$(cat out)" "$(cat err)" >&2
	exit 1
}

exits() { [ "$code" -eq "$1" ] || broken "exit code is $1"; }
says() { grep -qE -e "$1" out || broken "stdout matches '$1'"; }
complains() { grep -qE -e "$1" err || broken "stderr matches '$1'"; }
is_silent() { [ ! -s out ] || broken "stdout is empty"; }

# One error, and at most a hint: no more lines than that.
one_error() {
	is_silent
	complains '^leat: error: '
	[ "$(wc -l <err)" -le 2 ] || broken 'stderr is one error and at most a hint'
}
