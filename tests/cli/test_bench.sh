#!/usr/bin/env bash
# SPDX-License-Identifier: GPL-2.0-or-later
# leat bench: counts what was done, says what was asked wrongly.
# shellcheck source=tests/cli/lib.sh
. "$(dirname "$0")/lib.sh"

for mode in "" -p -t -tp; do
	# shellcheck disable=SC2086 # no mode is no argument
	leat bench messaging -g 1 -l 7 $mode
	exits 0
	says '^messages: 2800$'
	says '^elapsed: 0\.[0-9]{6} s$'
done
leat bench messaging --groups=2 --loops=3 --threads
exits 0
says '^messaging: groups 2 loops 3 threads$'
says '^messages: 2400$'

leat bench null
exits 0
says '^units: 0$'

# values without names, in order; names go with them
leat bench malloc 2 7 5000 batch
exits 0
says '^malloc: threads 2 rounds 7 bytes 5000 mode batch$'
says '^blocks: 112$'
leat bench malloc 3 --rounds=5
exits 0
says '^malloc: threads 3 rounds 5 bytes 204800$'
says '^blocks: 15$'
leat bench malloc 2 7 5000 batch more
exits 2
one_error
leat bench malloc 0
exits 2
one_error
leat bench malloc 1 1 1 nonesuch
exits 2
one_error
complains 'plain, threshold'
leat bench malloc --help
says '\[THREADS \[ROUNDS'

leat bench
exits 0
says '^messaging +'
leat bench messaging --help
exits 0
says '--loops=N'

leat bench nonesuch
exits 2
one_error
for value in 0 -1 1001 x 1.5 ''; do
	leat bench messaging --groups="$value"
	exits 2
	one_error
done
leat bench messaging --unknown
exits 2
leat bench messaging word
exits 2
one_error

# a limit of the machine is named, with what to do about it
ulimit -n 60
leat bench messaging -g 2 -t
exits 3
one_error
complains 'need 96 open files, the limit is 60'
complains 'ulimit'
