/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Rmath as a library of its own, with the warnings of its header kept out.
 */
#ifndef STATS_RMATH_H
#define STATS_RMATH_H

#define MATHLIB_STANDALONE 1
#pragma GCC diagnostic push
#pragma GCC diagnostic ignored "-Wstrict-prototypes"
#include <Rmath.h>
#pragma GCC diagnostic pop

#endif
