/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Changes put into words and into an environment. */
#ifndef REMEDY_CHANGE_H
#define REMEDY_CHANGE_H

#include "remedy/remedy.h"

/* What a person types in front of the command, or does instead: "LD_PRELOAD=libX.so",
 * "taskset -c 0-3", "4 threads"; NULL when nothing is changed or memory has run out. */
const char *remedy_change_text(const struct remedy_change *change, struct lt_arena *arena);

/* The variables to set, "NAME=VALUE", n_env of them into ret: lists that the program is to be
 * given anyway (`had`, of n) are joined with, not replaced. Errors: no memory. */
int remedy_change_env(const struct remedy_change *change, const char *const *had, size_t n,
	struct lt_arena *arena, const char **ret, struct lt_err *err);

#endif
