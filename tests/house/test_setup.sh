#!/usr/bin/env bash
# SPDX-License-Identifier: GPL-2.0-or-later
# tools/setup against a Debian that is made up: what it installs, when it does nothing, what it
# says when it cannot.
set -euo pipefail
tools=$(cd "$(dirname "$0")/../../tools" && pwd)
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT
mkdir "$work/bin"

fake() { # NAME: a command of that name from standard input
	{ printf '#!/bin/bash\n' && cat; } >"$work/bin/$1"
	chmod +x "$work/bin/$1"
}
fail() {
	printf 'setup: %s\n--- output\n%s\n--- apt-get\n%s\n' "$*" "$(cat "$work/out")" "$(cat "$work/apt")" >&2
	exit 1
}
# With only the faked commands and what setup is written in.
for command in bash env awk sed cut tr dirname cat grep true; do
	ln -s "$(type -P $command)" "$work/bin/$command"
done
setup() {
	code=0
	: >"$work/apt"
	PATH=$work/bin "$tools/setup" "$@" </dev/null >"$work/out" 2>&1 || code=$?
}
exits() { [ "$code" -eq "$1" ] || fail "exit code is not $1 but $code: $2"; }
says() { grep -qE -e "$1" "$work/out" || fail "does not say '$1'"; }
ran() { grep -qE -e "$1" "$work/apt" || fail "did not run '$1'"; }
ran_nothing() { [ ! -s "$work/apt" ] || fail "ran something: $1"; }

fake apt-get <<-END
	echo "\$*" >>'$work/apt'
END
fake id <<<'echo 0'

# all is there: nothing happens, nothing is said
fake dpkg-query <<-END
	sed -nE 's/^(build|run|test) +([^ =]+)[ =].*/installed \2/p' '$tools/packages.txt'
END
setup
exits 0 'all is there'
ran_nothing 'all is there'
[ ! -s "$work/out" ] || fail 'talks when all is there'

# two packages are missing, one of them half removed
fake dpkg-query <<-END
	sed -nE 's/^(build|run|test) +([^ =]+)[ =].*/installed \2/p' '$tools/packages.txt' |
		sed 's/^installed cmake/config-files cmake/; /valgrind/d'
	exit 1
END
setup
exits 0 'two are missing'
ran '^.* update$'
ran 'install .* cmake valgrind$'
says '^  cmake +the build'

# only the group asked for
setup run
ran 'install --no-install-recommends valgrind$'

# a package for the sake of a command, which is there from elsewhere
fake dpkg-query <<-END
	sed -nE 's/^(build|run|test) +([^ =]+)[ =].*/installed \2/p' '$tools/packages.txt' | sed '/npm/d'
END
setup
exits 0 'npm is missing'
ran 'install .* npm$'
fake npm <<<'exit 1'
setup
exits 0 'npm is there from elsewhere'
ran_nothing 'npm is there from elsewhere'
rm "$work/bin/npm"
fake dpkg-query <<-END
	sed -nE 's/^(build|run|test) +([^ =]+)[ =].*/installed \2/p' '$tools/packages.txt' |
		sed 's/^installed cmake/config-files cmake/; /valgrind/d'
END

# neither root nor sudo
fake id <<<'echo 1000'
setup
exits 1 'no right to install'
says 'neither root'
says 'apt-get install cmake valgrind'
ran_nothing 'no right to install'

# sudo
fake sudo <<-END
	[ "\$1" != -n ] || shift
	echo "sudo \$*" >>'$work/sudo'
	exec "\$@"
END
setup
exits 0 'sudo'
ran 'install .* cmake valgrind$'
grep -q '^sudo env .*apt-get .*install' "$work/sudo" || fail 'does not use sudo'

# apt-get fails
fake id <<<'echo 0'
fake apt-get <<<'echo "E: no network" >&2; exit 100'
setup
exits 1 'apt-get failed'
says 'E: no network'
says 'update failed'

# not Debian
rm "$work/bin/dpkg-query"
setup
exits 1 'not Debian'
says "knows only Debian's packages"
setup nonsense
exits 1 'no such group'
says "no group 'nonsense'"
