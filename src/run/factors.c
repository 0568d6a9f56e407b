/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Parsing factors and filling them in. */
#include "run/factors.h"

#include <ctype.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/buf.h"
#include "base/own.h"
#include "base/parse.h"
#include "base/words.h"

/* What common runtimes, and libleat, read. */
static const char *const threads_vars[] = { "OMP_NUM_THREADS", "OPENBLAS_NUM_THREADS",
	"MKL_NUM_THREADS", "BLIS_NUM_THREADS", "NUMEXPR_NUM_THREADS", "NUMBA_NUM_THREADS",
	"GOMAXPROCS", "RAYON_NUM_THREADS", "TOKIO_WORKER_THREADS", "JULIA_NUM_THREADS",
	"POLARS_MAX_THREADS", "LEAT_THREADS", NULL };
static const char *const tokens_vars[] = { "LEAT_TOKENS", NULL };
static const char *const burst_vars[] = { "LEAT_BURST", NULL };
static const char *const placement_vars[] = { "LEAT_PLACEMENT", NULL };

static const struct {
	const char *factor;
	const char *const *vars;
} variables[] = {
	{ "threads", threads_vars },
	{ "tokens", tokens_vars },
	{ "burst", burst_vars },
	{ "placement", placement_vars },
};

static bool is_name(const char *text, size_t len)
{
	for (size_t i = 0; i < len; i++)
		if (!isalnum((unsigned char)text[i]) && text[i] != '_' && text[i] != '-')
			return false;
	return len > 0;
}

/* Adds one level; each must be there once. */
static int add_level(struct factor_spec *f, size_t *cap, const char *level, struct lt_arena *arena,
	struct lt_err *err)
{
	for (size_t i = 0; i < f->n; i++)
		if (!strcmp(f->levels[i], level))
			return lt_fail(err, -EINVAL, "LT-FACTOR",
				"factor '%.80s' has the level '%.80s' twice", f->name, level);
	if (f->n == *cap) {
		size_t more = *cap ? 2 * *cap : 8;
		const char **bigger = lt_arena_alloc(arena, more * sizeof(*bigger));
		if (!bigger)
			return lt_fail_mem(err);
		if (f->n)
			memcpy(bigger, f->levels, f->n * sizeof(*bigger));
		f->levels = bigger;
		*cap = more;
	}
	f->levels[f->n++] = level;
	return 0;
}

int factors_parse(
	const char *text, struct lt_arena *arena, struct factor_spec *ret, struct lt_err *err)
{
	const char *eq = strchr(text, '=');
	if (!eq || !is_name(text, (size_t)(eq - text)) || !eq[1]) {
		lt_err_set(
			err, -EINVAL, "LT-FACTOR", "--factor: '%.80s' is not NAME=a,b,...", text);
		return lt_hint(err, "--factor size=10,100,1000 with {size} in the command");
	}
	struct factor_spec f = { .name = lt_arena_strndup(arena, text, (size_t)(eq - text)) };
	char *rest = lt_arena_strdup(arena, eq + 1);
	if (!f.name || !rest)
		return lt_fail_mem(err);
	const char *parting = strchr(rest, '|') ? "|" : strchr(rest, ';') ? ";" : ",";
	size_t cap = 0;
	for (char *level; (level = strsep(&rest, parting));) {
		int r = *level ? add_level(&f, &cap, level, arena, err)
			       : lt_fail(err, -EINVAL, "LT-FACTOR",
					 "--factor: '%.80s' has an empty level", text);
		if (r < 0)
			return r;
	}
	*ret = f;
	return 0;
}

static int compare_numbers(const void *a, const void *b)
{
	unsigned x = *(const unsigned *)a, y = *(const unsigned *)b;
	return x < y ? -1 : x > y;
}

static int fail_threads(struct lt_err *err, const char *list)
{
	lt_err_set(err, -EINVAL, "LT-THREADS",
		"--threads: '%.80s' is not a list of numbers from 1 to %d", list,
		FACTORS_THREADS_MAX);
	return lt_hint(err, "--threads 1,2,4");
}

/* Numbers as levels, sorted, each once. */
static int from_numbers(unsigned *counts, size_t n, struct lt_arena *arena, struct factor_spec *ret,
	struct lt_err *err)
{
	struct factor_spec f = { .name = "threads" };
	size_t cap = 0;
	qsort(counts, n, sizeof(*counts), compare_numbers);
	for (size_t i = 0; i < n; i++) {
		if (i > 0 && counts[i] == counts[i - 1])
			continue;
		const char *level = lt_arena_printf(arena, "%u", counts[i]);
		int r = level ? add_level(&f, &cap, level, arena, err) : lt_fail_mem(err);
		if (r < 0)
			return r;
	}
	*ret = f;
	return 0;
}

int factors_threads(
	const char *list, struct lt_arena *arena, struct factor_spec *ret, struct lt_err *err)
{
	LT_AUTO_FREE unsigned *counts = calloc(FACTORS_THREADS_MAX, sizeof(*counts));
	char *rest = lt_arena_strdup(arena, list);
	size_t n = 0;
	if (!counts || !rest)
		return lt_fail_mem(err);
	for (char *word; (word = strsep(&rest, ","));) {
		char *dash = strchr(word, '-');
		uint64_t first, last;
		if (dash)
			*dash++ = '\0';
		if (lt_parse_u64(word, "", 1, FACTORS_THREADS_MAX, &first, NULL) < 0)
			return fail_threads(err, list);
		last = first;
		if (dash && lt_parse_u64(dash, "", first, FACTORS_THREADS_MAX, &last, NULL) < 0)
			return fail_threads(err, list);
		if (n + (last - first) >= FACTORS_THREADS_MAX)
			return fail_threads(err, list);
		for (uint64_t t = first; t <= last; t++)
			counts[n++] = (unsigned)t;
	}
	return from_numbers(counts, n, arena, ret, err);
}

int factors_default_threads(
	unsigned cpus, struct lt_arena *arena, struct factor_spec *ret, struct lt_err *err)
{
	unsigned counts[40];
	size_t n = 0;
	for (unsigned t = 1; t < cpus && n < LT_COUNT(counts) - 2; t *= 2)
		counts[n++] = t;
	counts[n++] = cpus;
	counts[n++] = 2 * cpus;
	return from_numbers(counts, n, arena, ret, err);
}

/* The length of "{NAME}" at `text` if it is one of the factors, whose index is set; else 0. */
static size_t placeholder(
	const char *text, const struct factor_spec *specs, size_t n, size_t *ret_index)
{
	for (size_t i = 0; i < n; i++) {
		size_t len = strlen(specs[i].name);
		if (text[0] != '{' || strncmp(text + 1, specs[i].name, len) != 0 ||
			text[1 + len] != '}')
			continue;
		*ret_index = i;
		return len + 2;
	}
	return 0;
}

bool factors_placed(const char *text, const char *name)
{
	struct factor_spec spec = { .name = name };
	size_t index;
	for (const char *at = text; (at = strchr(at, '{')); at++)
		if (placeholder(at, &spec, 1, &index))
			return true;
	return false;
}

char *factors_fill(const char *text, const struct factor_spec *specs, const char *const *levels,
	size_t n, struct lt_arena *arena)
{
	LT_AUTO_BUF struct lt_buf out = { 0 };
	for (const char *at = text; *at;) {
		size_t index = 0, len = placeholder(at, specs, n, &index);
		if (len) {
			lt_buf_adds(&out, levels[index]);
			at += len;
			continue;
		}
		size_t plain = 1 + strcspn(at + 1, "{");
		lt_buf_add(&out, at, plain);
		at += plain;
	}
	return out.failed ? NULL : lt_arena_strndup(arena, out.data ? out.data : "", out.len);
}

/* The length of "{name}" at `text`, whatever the name; 0 = it is something else. */
static size_t any_placeholder(const char *text)
{
	size_t len = 1;
	while (islower((unsigned char)text[len]) ||
		(len > 1 && (text[len] == '_' || text[len] == '-')))
		len++;
	return len > 1 && text[len] == '}' ? len + 1 : 0;
}

int factors_unfilled(const char *text, const struct factor_spec *specs, size_t n,
	struct lt_arena *arena, const char **ret, struct lt_err *err)
{
	for (const char *at = text; (at = strchr(at, '{')); at++) {
		size_t index, len = any_placeholder(at);
		bool of_shell = at > text && at[-1] == '$';
		if (!len || of_shell || placeholder(at, specs, n, &index))
			continue;
		*ret = lt_arena_strndup(arena, at, len);
		return *ret ? 1 : lt_fail_mem(err);
	}
	return 0;
}

/* Braces alone are no reason for quotes: most shells leave {NAME} as it is. */
static const char *quoted(const char *word, struct lt_arena *arena)
{
	char *bare = lt_arena_strdup(arena, word);
	if (!bare)
		return NULL;
	size_t n = 0;
	for (const char *c = word; *c; c++)
		if (*c != '{' && *c != '}')
			bare[n++] = *c;
	bare[n] = '\0';
	char *words[] = { bare, NULL };
	const char *joined = lt_words_join(words, arena);
	if (joined && !strcmp(joined, bare))
		return word;
	words[0] = (char *)word;
	return lt_words_join(words, arena);
}

char *factors_join(char *const *words, struct lt_arena *arena)
{
	LT_AUTO_BUF struct lt_buf out = { 0 };
	for (size_t i = 0; words[i]; i++) {
		const char *word = quoted(words[i], arena);
		if (!word)
			return NULL;
		lt_buf_addf(&out, "%s%s", i ? " " : "", word);
	}
	return out.failed ? NULL : lt_arena_strndup(arena, out.data ? out.data : "", out.len);
}

static bool in_capitals(const char *name)
{
	for (const char *c = name; *c; c++)
		if (!isupper((unsigned char)*c) && !isdigit((unsigned char)*c) && *c != '_')
			return false;
	return isupper((unsigned char)*name);
}

const char *const *factors_variables(const struct factor_spec *spec, struct lt_arena *arena)
{
	for (size_t i = 0; i < LT_COUNT(variables); i++)
		if (!strcmp(variables[i].factor, spec->name))
			return variables[i].vars;
	if (!in_capitals(spec->name))
		return NULL;
	const char **own = lt_arena_alloc(arena, 2 * sizeof(*own));
	if (own)
		own[0] = spec->name;
	return own;
}
