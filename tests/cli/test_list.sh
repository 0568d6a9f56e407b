#!/usr/bin/env bash
# SPDX-License-Identifier: GPL-2.0-or-later
# leat list: what there is, and that what is missing has a reason.
# shellcheck source=tests/cli/lib.sh
. "$(dirname "$0")/lib.sh"

leat list meters
exits 0
says '^wall +wall time'
says '^null +'
[ "$(awk 'length > 80' out | wc -l)" -eq 0 ] || broken 'no line is longer than 80'

leat list loads
exits 0
says '^messaging +'

leat list causes
exits 0
says '^false-sharing +threads write different bytes'
says '^scales +'
[ "$(awk 'length > 80' out | wc -l)" -eq 0 ] || broken 'no line is longer than 80'

leat list remedies
exits 0
says '^tcmalloc +'
says 'for memory-map-churn'
says '^null +'
# only what is there to be copied may be longer than a line
[ "$(grep -v '=' out | awk 'length > 80' | wc -l)" -eq 0 ] || broken 'no line is longer than 80'

# what cannot be tried says why
PATH=/nonexistent HWLOC_SYNTHETIC='[numa] core:2 [numa] pu:1' leat list remedies
exits 0
says 'not here: '

leat list
exits 2
leat list nonsense
exits 2
is_silent
