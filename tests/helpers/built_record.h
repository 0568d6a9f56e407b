/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Records built by hand, block by block, for tests of the analysis. */
#ifndef TESTS_BUILT_RECORD_H
#define TESTS_BUILT_RECORD_H

#include <math.h>
#include <stdint.h>
#include <string.h>

#include "base/own.h"
#include "record/record.h"

/* A record with these metrics (ending in a NULL name) and `n` variants named A, B, ... */
static LT_UNUSED struct record *built_record(const struct metric *metrics, size_t n)
{
	struct record *rec = record_new();
	size_t n_metrics = 0;
	while (metrics[n_metrics].name)
		n_metrics++;
	rec->metrics = lt_arena_alloc(&rec->arena, (n_metrics + 1) * sizeof(*rec->metrics));
	memcpy(rec->metrics, metrics, n_metrics * sizeof(*metrics));
	rec->n_metrics = n_metrics;
	rec->variants = lt_arena_alloc(&rec->arena, (n + 1) * sizeof(*rec->variants));
	for (size_t i = 0; i < n; i++)
		rec->variants[i] = (struct variant){
			.name = lt_arena_printf(&rec->arena, "%c", (int)('A' + i)),
			.command = "command",
		};
	rec->n_variants = n;
	rec->plan = (struct plan){ .verb = n > 1 ? "compare" : "run",
		.design = "fixed",
		.primary = n_metrics ? metrics[0].name : NULL };
	rec->machine.cpus_online = 2;
	return rec;
}

/* A kept run whose metrics all read NAN = unavailable until set. */
static LT_UNUSED struct trial *built_trial(struct record *rec, unsigned variant, unsigned block)
{
	struct trial *t = record_add_trial(rec);
	t->variant = variant;
	t->block = block;
	t->order = (unsigned)rec->n_trials - 1;
	t->kept = true;
	return t;
}

/* A block in which A reads a and B reads b in the given metric; returns A's run. */
static LT_UNUSED void built_pair(struct record *rec, unsigned block, double a, double b)
{
	built_trial(rec, 0, block)->readings[0] = value_of(a);
	built_trial(rec, 1, block)->readings[0] = value_of(b);
}

/* Roughly normal noise, SD about 1, the same on every machine. */
static LT_UNUSED double built_noise(uint64_t *state)
{
	double sum = -6;
	for (int i = 0; i < 12; i++) {
		*state = *state * 6364136223846793005u + 1442695040888963407u;
		sum += (double)(*state >> 11) / 9007199254740992.0;
	}
	return sum;
}

#endif
