/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Factors of a sweep: their levels as typed, their places in the command, and the variables
 * that stand in where there is no place. */
#ifndef RUN_FACTORS_H
#define RUN_FACTORS_H

#include <stdbool.h>
#include <stddef.h>

#include "base/arena.h"
#include "base/err.h"

enum {
	FACTORS_MAX = 8, /* crossed with each other */
	FACTORS_THREADS_MAX = 4096,
};

struct factor_spec {
	const char *name;
	const char **levels;
	size_t n;
};

/* "NAME=a,b,c"; with a ';' or '|' among the levels they are parted by it, and may hold
 * commas, or commas and semicolons.
 * Owner: the arena. Errors: LT-FACTOR. */
int factors_parse(
	const char *text, struct lt_arena *arena, struct factor_spec *ret, struct lt_err *err);

/* "1,2,4-8": numbers of threads, in ascending order, each once. Errors: LT-THREADS. */
int factors_threads(
	const char *list, struct lt_arena *arena, struct factor_spec *ret, struct lt_err *err);

/* 1, 2, 4, ... `cpus`, twice `cpus`. */
int factors_default_threads(
	unsigned cpus, struct lt_arena *arena, struct factor_spec *ret, struct lt_err *err);

/* Is {NAME} in the text? */
bool factors_placed(const char *text, const char *name);

/* The first "{name}" in the text that is none of the factors: 1, or 0 if there is none. */
int factors_unfilled(const char *text, const struct factor_spec *specs, size_t n,
	struct lt_arena *arena, const char **ret, struct lt_err *err);

/* The text with every {NAME} replaced by the level of that factor; other braces stay.
 * NULL when memory has run out. */
char *factors_fill(const char *text, const struct factor_spec *specs, const char *const *levels,
	size_t n, struct lt_arena *arena);

/* The words as a person would type them, placeholders unquoted. NULL when memory has run
 * out. */
char *factors_join(char *const *words, struct lt_arena *arena);

/* Environment variables that carry a factor of this name without a placeholder, ending in
 * NULL; NULL when none are known. A name in capitals is a variable itself. */
const char *const *factors_variables(const struct factor_spec *spec, struct lt_arena *arena);

#endif
