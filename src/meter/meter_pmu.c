/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Hardware events by the names libpfm4 knows. */
#include <ctype.h>
#include <linux/perf_event.h>
#include <string.h>

#include "meter/counters.h"
#include "meter/meter.h"
#include "sys/pmu.h"

#define PMU_METRIC(n, w)                                                                        \
	{                                                                                       \
		.name = (n), .unit = "count", .better = METRIC_LOWER, .kind = METRIC_COUNTER,   \
		.what = (w), .scope = "tree, user and kernel", .source = "perf hardware event", \
	}

static const struct metric metrics[] = {
	PMU_METRIC("cycles", "CPU cycles"),
	PMU_METRIC("instructions", "instructions retired"),
	PMU_METRIC("branches", "branch instructions retired"),
	PMU_METRIC("branch-misses", "branches predicted wrongly"),
	PMU_METRIC("cache-misses", "misses of the last cache level"),
};

static const char default_names[] = "cycles+instructions+branches+branch-misses+cache-misses";

static const struct sys_perf_code cycles = {
	.type = PERF_TYPE_HARDWARE,
	.config = PERF_COUNT_HW_CPU_CYCLES,
};

enum {
	MAX_EVENTS = 32
};

static struct value pmu_probe(const struct meter_place *place)
{
	return counters_probe(place, &cycles);
}

/* "skl::UOPS_ISSUED:ANY" becomes "skl-uops-issued-any". */
static char *metric_name(struct lt_arena *arena, const char *event)
{
	char *name = lt_arena_strdup(arena, event), *to = name;
	if (!name)
		return NULL;
	for (const char *c = event; *c; c++) {
		if (isalnum((unsigned char)*c))
			*to++ = (char)tolower((unsigned char)*c);
		else if (to > name && to[-1] != '-')
			*to++ = '-';
	}
	*to = '\0';
	return name;
}

static int describe(
	const struct meter_place *place, const char *event, struct metric *ret, struct lt_err *err)
{
	struct metric m = { .unit = "count", .better = METRIC_LOWER, .kind = METRIC_COUNTER };
	m.name = metric_name(place->arena, event);
	m.what = lt_arena_printf(place->arena, "hardware event %s", event);
	m.source = lt_arena_printf(place->arena, "perf event %s", event);
	if (!m.name || !m.what || !m.source)
		return lt_fail_mem(err);
	for (size_t i = 0; i < LT_COUNT(metrics); i++)
		if (!strcmp(m.name, metrics[i].name))
			m.what = metrics[i].what;
	*ret = m;
	return 0;
}

static int pmu_open(
	void *inst, const struct meter_place *place, const char *arg, struct lt_err *err)
{
	struct metric list[MAX_EVENTS];
	struct sys_perf_code codes[MAX_EVENTS];
	size_t n = 0;
	char *names = lt_arena_strdup(place->arena, arg ? arg : default_names);
	if (!names)
		return lt_fail_mem(err);
	for (char *name; (name = strsep(&names, "+")); n++) {
		if (n == MAX_EVENTS)
			return lt_fail(err, -EINVAL, "LT-METER", "more than %d events", MAX_EVENTS);
		int r = sys_pmu_encode(name, &codes[n], err);
		if (r >= 0)
			r = describe(place, name, &list[n], err);
		if (r < 0)
			return r;
	}
	return counters_open(inst, place, list, codes, n, err);
}

const struct meter meter_pmu = {
	.name = "pmu",
	.brief = "hardware events: cycles, branches, ..., or pmu:EVENT+EVENT",
	.cost = "one perf event each, read at start and at end",
	.overhead =
		"Perf events that every process of the tree inherits: 10 to 20 us a program, and "
		"a few us a fork and a context switch for each event.",
	.caveats = "More events than the PMU has counters take turns; their numbers are "
		   "extrapolated and marked estimated. Without privilege and with "
		   "perf_event_paranoid 2 the kernel's side is left out, and the scope says so. "
		   "cache-misses is what the CPU maker chose it to be.",
	.metrics = metrics,
	.n_metrics = LT_COUNT(metrics),
	.inst_size = sizeof(struct counters),
	.use = METER_USE_TRIAL | METER_USE_ATTACH,
	.probe = pmu_probe,
	.open = pmu_open,
	.list = counters_list,
	.start = counters_start,
	.read = counters_read,
	.close = counters_close,
};
