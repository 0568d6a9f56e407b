/* SPDX-License-Identifier: GPL-2.0-or-later */
/* The environment of the measured program: leat's own, what --env changes, and a variable
 * of random length, so that no variant owes its time to where its stack happens to start
 * (Mytkowicz et al., ASPLOS 2009). */
#ifndef RUN_ENVIRONMENT_H
#define RUN_ENVIRONMENT_H

#include <stdbool.h>
#include <stddef.h>

#include "base/err.h"

enum {
	ENVIRONMENT_PAD = 4096
};

struct environment {
	char **list; /* borrowed strings, `pad` among them; ends in NULL */
	size_t n;
	char **with; /* the list of one program, with its own changes */
	char *own;   /* one more, behind the list, for measured programs only; NULL = none */
	char pad[sizeof("LEAT_PAD=") + ENVIRONMENT_PAD];
};

/* changes: "NAME=VALUE", borrowed. Errors: LT-ENV for one without a name or '='. */
int environment_open(
	struct environment *env, const char *const *changes, size_t n_changes, struct lt_err *err);
void environment_close(struct environment *env);

/* A variable's value as the user wants it, or NULL. */
const char *environment_get(const struct environment *env, const char *name);

/* The one variable that leat itself adds, `name` not being in the list. Errors: LT-MEMORY. */
int environment_set_own(
	struct environment *env, const char *name, const char *value, struct lt_err *err);

/* The list with a pad of `pad` bytes (< ENVIRONMENT_PAD), with leat's own variable or without;
 * valid until the next call. */
char *const *environment_list(struct environment *env, size_t pad, bool own);

/* The same with the changes of one program, which win; NULL when memory has run out. */
char *const *environment_with(
	struct environment *env, size_t pad, const char *const *changes, size_t n_changes);

#endif
