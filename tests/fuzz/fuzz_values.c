/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Option values from hostile text: what is accepted is in range, and a CPU list that was
 * accepted is the same set after a round through its text form. */
#include <assert.h>
#include <math.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>

#include "base/cpuset.h"
#include "base/own.h"
#include "base/parse.h"

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);

static void numbers(const char *text)
{
	struct lt_err err = { 0 };
	uint64_t whole;
	if (lt_parse_u64(text, "-n", 1, 1000, &whole, &err) == 0)
		assert(whole >= 1 && whole <= 1000);
	else
		assert(err.code < 0 && err.text[0]);

	int64_t ns;
	if (lt_parse_duration_ns(text, "--budget", &ns, &err) == 0)
		assert(ns > 0);

	double x;
	if (lt_parse_fraction(text, "--same", &x, &err) == 0)
		assert(x > 0 && x < 10);
	if (lt_parse_double(text, "--work", &x, &err) == 0)
		assert(isfinite(x));
}

static void cpu_list(const char *text)
{
	struct lt_err err = { 0 };
	struct lt_cpuset set, again;
	if (lt_cpuset_parse(&set, text, &err) < 0)
		return;
	assert(lt_cpuset_count(&set) > 0);
	struct lt_arena arena = { 0 };
	char *list = lt_cpuset_format(&set, &arena);
	assert(list && lt_cpuset_parse(&again, list, &err) == 0);
	assert(!memcmp(&set, &again, sizeof(set)));
	lt_arena_done(&arena);
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
	LT_AUTO_FREE char *text = malloc(size + 1);
	if (!text)
		return 0;
	memcpy(text, data, size);
	text[size] = '\0';
	numbers(text);
	cpu_list(text);
	return 0;
}
