/* SPDX-License-Identifier: GPL-2.0-or-later */
/* The environment of the measured program: leat's own, what --env changes, and a variable
 * of random length, so that no variant owes its time to where its stack happens to start
 * (Mytkowicz et al., ASPLOS 2009). */
#ifndef RUN_ENVIRONMENT_H
#define RUN_ENVIRONMENT_H

#include <stddef.h>

#include "base/err.h"

enum {
	ENVIRONMENT_PAD = 4096
};

struct environment {
	char **list; /* borrowed strings, `pad` among them; ends in NULL */
	size_t n;
	char **with; /* the list of one program, with its own changes */
	char pad[sizeof("LEAT_PAD=") + ENVIRONMENT_PAD];
};

/* changes: "NAME=VALUE", borrowed. Errors: LT-ENV for one without a name or '='. */
int environment_open(
	struct environment *env, const char *const *changes, size_t n_changes, struct lt_err *err);
void environment_close(struct environment *env);

/* The list with a pad of `pad` bytes (< ENVIRONMENT_PAD); valid until the next call. */
char *const *environment_list(struct environment *env, size_t pad);

/* The same with the changes of one program, which win; NULL when memory has run out. */
char *const *environment_with(
	struct environment *env, size_t pad, const char *const *changes, size_t n_changes);

#endif
