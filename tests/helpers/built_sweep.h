/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Sweeps over thread counts, built by hand. Needs cmocka.h. */
#ifndef TESTS_BUILT_SWEEP_H
#define TESTS_BUILT_SWEEP_H

#include "base/own.h"
#include "record/record.h"

/* One of these thread counts, which live as long as the record, without any variant, of which
 * there is room for `room`. */
static LT_UNUSED struct record *built_sweep(const struct metric *metrics, size_t n_metrics,
	const char *const *threads, size_t n_threads, size_t room)
{
	struct record *rec = record_new();
	assert_non_null(rec);
	struct lt_arena *a = &rec->arena;
	rec->metrics = (struct metric *)metrics;
	rec->n_metrics = n_metrics;
	rec->scaling = lt_arena_alloc(a, sizeof(*rec->scaling));
	rec->factors = lt_arena_alloc(a, sizeof(*rec->factors));
	rec->variants = lt_arena_alloc(a, room * sizeof(*rec->variants));
	assert_true(rec->scaling && rec->factors && rec->variants);
	rec->factors[0] = (struct factor){
		.name = "threads", .levels = (const char **)threads, .n_levels = n_threads
	};
	rec->n_factors = 1;
	*rec->scaling =
		(struct scaling){ .cpus = 2, .focus = 1, .rounds_end = 1, .one_cpu.variant = -1 };
	return rec;
}

#endif
