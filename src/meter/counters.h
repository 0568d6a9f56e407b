/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Metrics that are one perf event each: what the meters migrations, perf and pmu share. */
#ifndef METER_COUNTERS_H
#define METER_COUNTERS_H

#include "meter/meter.h"
#include "sys/perf.h"

struct counters {
	struct sys_perf perf;
	struct metric *metrics; /* in the place's arena; scope as it is here */
	struct value *why;      /* there too; of an event that cannot be counted */
	size_t n;
};

/* `metrics` and `codes` have n entries each. Errors: -ENOMEM only. */
int counters_open(struct counters *c, const struct meter_place *place, const struct metric *metrics,
	const struct sys_perf_code *codes, size_t n, struct lt_err *err);

/* The operations of a meter whose instance is a struct counters; see struct meter. */
size_t counters_list(const void *inst, const struct metric **ret);
void counters_start(void *inst, const struct meter_place *place, const struct meter_window *win);
void counters_read(void *inst, const struct meter_place *place, const struct meter_window *win,
	struct value *ret);
void counters_close(void *inst);

/* Can this event be counted here? Measured with a reason: the user's side only. */
struct value counters_probe(const struct meter_place *place, const struct sys_perf_code *code);

#endif
