/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Questions to the dynamic loader, in its own words: what can be tuned, what would be
 * preloaded. They run the loader, never the program. */
#ifndef SYS_LOADER_H
#define SYS_LOADER_H

#include <stdbool.h>

#include "base/arena.h"
#include "base/err.h"

/* The list of its tunables, "NAME: VALUE (min: A, max: B)" a line. Owner: the arena.
 * Errors: LT-LOADER: not there, or one that knows no tunables. */
int sys_loader_tunables(
	const char *loader, struct lt_arena *arena, const char **ret_text, struct lt_err *err);

/* The file that the loader would preload into `program` for this name, or NULL in *ret_file
 * when it finds none that fits. Owner: the arena. Errors: LT-LOADER. */
int sys_loader_find(const char *loader, const char *program, const char *library,
	struct lt_arena *arena, const char **ret_file, struct lt_err *err);

#endif
