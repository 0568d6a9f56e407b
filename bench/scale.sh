#!/usr/bin/env bash
# SPDX-License-Identifier: GPL-2.0-or-later
# bench/scale.sh [CASE...]: `leat scale` on programs of about 1.5 s whose cause is known: how long
# until the curve and until the end, does the ledger add up, how much stays unexplained, how much
# longer a run under observation takes. On a busy machine the figures are those of the machine.
set -euo pipefail
cd "$(dirname "$0")/.."
cmake --preset release -DLEAT_TESTS=ON --log-level=WARNING >/dev/null
cmake --build --preset release -- --quiet
exec python3 -B bench/scale/measure.py "$@"
