#!/usr/bin/env bash
# SPDX-License-Identifier: GPL-2.0-or-later
# leat this-name: from outside.
# shellcheck source=tests/cli/lib.sh
. "$(dirname "$0")/lib.sh"

leat this-name a b 'c d'
exits 0
says '^3$'
leat this-name --help
exits 0
says '^Usage: leat this-name'
