/* SPDX-License-Identifier: MIT */
/* The talk: everything that is not the result goes to stderr through here. Rooms below
 * cmd log only that they go on after a failure; nobody logs inside a measured window. */
#ifndef BASE_LOG_H
#define BASE_LOG_H

#include "base/own.h"

enum lt_log_level {
	LT_LOG_ERROR,
	LT_LOG_WARNING,
	LT_LOG_NOTE,
	LT_LOG_DEBUG, /* only for areas picked with lt_log_debug */
};

void lt_log(enum lt_log_level level, const char *area, const char *fmt, ...) LT_PRINTF(3, 4);

/* What the lines begin with, instead of "leat". The text must live on. */
void lt_log_program(const char *name);

/* Picks debug areas, "launch,meter" or "all". The text must live on. */
void lt_log_debug(const char *areas);

#endif
