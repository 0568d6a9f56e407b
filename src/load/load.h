/* SPDX-License-Identifier: GPL-2.0-or-later */
/* What a load is: a built-in workload of known size, `leat bench NAME`. A load is one file,
 * load_NAME.c, ending in one const descriptor, and one line in table.def. It counts what it
 * did and checks it; it prints nothing. */
#ifndef LOAD_LOAD_H
#define LOAD_LOAD_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "base/err.h"

enum load_type {
	LOAD_COUNT, /* a whole number from min to max */
	LOAD_FLAG,  /* 1 when given, else 0 */
	LOAD_TEXT,  /* any text; NULL when not given */
};

/* One option of a load; the verb makes parser and help from these. */
struct load_option {
	const char *name; /* --groups */
	char letter;      /* -g */
	enum load_type type;
	uint64_t def, min, max; /* LOAD_COUNT only */
	const char *what;       /* one line */
};

/* The value of the option of the same index; one more, for the operand, comes last. */
struct load_value {
	uint64_t count; /* LOAD_COUNT, LOAD_FLAG */
	const char *text;
};

enum {
	LOAD_FIGURES_MAX = 8
};

/* Something else that a load found out, e.g. a latency. */
struct load_figure {
	const char *name; /* lower case with dashes */
	const char *unit; /* base units: "ns", "bytes", "count", "ratio" */
	double num;
};

struct load_result {
	uint64_t work;      /* units done, counted where they arrived */
	int64_t elapsed_ns; /* of the timed part only */
	struct load_figure figures[LOAD_FIGURES_MAX];
	size_t n_figures;
	char *text; /* more to show, in whole lines; the caller frees it; NULL: nothing */
};

struct load {
	const char *name;
	const char *brief; /* one line for `leat list loads` */
	const char *work;  /* what a unit of its work is, as a plural: "messages" */
	const char *timed; /* what the clock covers, for the manual */
	const struct load_option *options;
	size_t n_options;
	bool in_order; /* values may also stand without names, in the order of the options */
	/* What its one argument without a dash is, e.g. "FILE"; NULL: it takes none. Its value
	 * is the text of values[n_options], NULL when not given: the load then has a sample. */
	const char *operand;

	/* Required. Does the work and fills *ret, or leaves nothing behind and says why:
	 * neither a child, a thread, a file nor a changed signal. */
	int (*run)(const struct load_value *values, struct load_result *ret, struct lt_err *err);
};

/* Every load, in the order of table.def, ending in NULL. */
extern const struct load *const load_table[];

const struct load *load_find(const char *name);

/* Fills values[0..n_options - 1] with the defaults. */
void load_defaults(const struct load *load, struct load_value *values);

#endif
