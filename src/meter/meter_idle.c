/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Idle states: how deep the machine's CPUs slept, and how often they went to sleep. */
#include "meter/meter.h"

#include <ctype.h>
#include <string.h>

#include "base/clock.h"
#include "sys/cpuidle.h"

/* For the case that no state is known: which metrics there would be. */
static const struct metric metrics[] = {
	{
		.name = "idle-poll",
		.unit = "ratio",
		.better = METRIC_NEITHER,
		.kind = METRIC_GAUGE,
		.what = "share of CPU time in idle state POLL; every state has its own metric",
		.scope = "machine, all CPUs",
		.source = "cpuidle in sysfs, time",
	},
	{
		.name = "idle-poll-entries",
		.unit = "Hz",
		.better = METRIC_LOWER,
		.kind = METRIC_GAUGE,
		.what = "entries into idle state POLL a second, all CPUs together",
		.scope = "machine, all CPUs",
		.source = "cpuidle in sysfs, usage",
	},
};

struct idle {
	struct sys_cpuidle states;
	const struct metric *metrics; /* two per state */
	struct sys_cpuidle_counts begin;
	int64_t begin_ns;
	unsigned refused; /* CPUs that could not be roused */
	int error;
};

static const char no_states[] = "this kernel counts no idle states";
static const char no_states_hint[] =
	"a machine with a cpuidle driver; in a guest it needs the haltpoll driver";

static struct value idle_probe(const struct meter_place *place)
{
	if (sys_cpuidle_present(place->root_fd) < 0)
		return value_missing(no_states, no_states_hint);
	return (struct value){ .state = VALUE_MEASURED };
}

/* "haltpoll idle" becomes "idle-haltpoll-idle". */
static char *metric_name(struct lt_arena *arena, const char *state, const char *ending)
{
	char *name = lt_arena_printf(arena, "idle-%s%s", state, ending);
	for (char *c = name; c && *c; c++)
		*c = isalnum((unsigned char)*c) ? (char)tolower((unsigned char)*c) : '-';
	return name;
}

static int idle_open(
	void *inst, const struct meter_place *place, const char *arg, struct lt_err *err)
{
	struct idle *idle = inst;
	(void)arg;
	int r = sys_cpuidle_find(place->root_fd, &idle->states);
	if (r < 0) {
		lt_err_set(err, r, "LT-METER", "%s", no_states);
		return lt_hint(err, "%s", no_states_hint);
	}
	struct metric *mine = lt_arena_alloc(place->arena, 2 * idle->states.n * sizeof(*mine));
	if (!mine)
		return lt_fail_mem(err);
	for (size_t i = 0; i < idle->states.n; i++) {
		const char *state = idle->states.names[i];
		struct metric *share = &mine[2 * i], *entries = &mine[2 * i + 1];
		*share = metrics[0];
		*entries = metrics[1];
		share->name = metric_name(place->arena, state, "");
		share->what =
			lt_arena_printf(place->arena, "share of CPU time in idle state %s", state);
		entries->name = metric_name(place->arena, state, "-entries");
		entries->what = lt_arena_printf(place->arena,
			"entries into idle state %s a second, all CPUs together", state);
		if (!share->name || !share->what || !entries->name || !entries->what)
			return lt_fail_mem(err);
	}
	idle->metrics = mine;
	return 0;
}

static size_t idle_list(const void *inst, const struct metric **ret)
{
	const struct idle *idle = inst;
	*ret = idle->metrics;
	return 2 * idle->states.n;
}

static void idle_start(void *inst, const struct meter_place *place, const struct meter_window *win)
{
	struct idle *idle = inst;
	(void)win;
	idle->refused = sys_cpuidle_rouse(&idle->states.cpus);
	idle->error = sys_cpuidle_read(place->root_fd, &idle->states, &idle->begin);
	idle->begin_ns = lt_now_ns();
}

static void idle_read(void *inst, const struct meter_place *place, const struct meter_window *win,
	struct value *ret)
{
	const struct idle *idle = inst;
	struct sys_cpuidle_counts now = { 0 };
	(void)win;
	sys_cpuidle_rouse(&idle->states.cpus);
	double wall_s = (double)(lt_now_ns() - idle->begin_ns) * 1e-9;
	int r = idle->error ? idle->error : sys_cpuidle_read(place->root_fd, &idle->states, &now);
	for (size_t i = 0; i < idle->states.n; i++) {
		struct value *share = &ret[2 * i], *entries = &ret[2 * i + 1];
		if (r < 0) {
			*share = *entries = value_missing(
				"a CPU went offline or came online in the window", NULL);
			continue;
		}
		double slept_s = (double)(now.time_us[i] - idle->begin.time_us[i]) * 1e-6;
		*share = value_of(slept_s / (wall_s * idle->states.n_cpus));
		*entries = value_of((double)(now.entries[i] - idle->begin.entries[i]) / wall_s);
		if (idle->refused) {
			share->state = VALUE_ESTIMATED;
			share->reason = "CPUs that leat may not run on may have slept through "
					"an end of the window uncounted";
		}
	}
}

const struct meter meter_idle = {
	.name = "idle",
	.brief = "idle states of the machine: share of time and entries",
	.cost = "wakes every CPU and reads three files a state and CPU, at start and at end",
	.overhead = "Wakes every CPU once before and once after the window: about 100 us a CPU "
		    "each, with the reading.",
	.caveats = "Of the whole machine, whoever slept or woke it. A sleep is counted when it "
		   "ends, so leat wakes every CPU at start and end of the window: one entry a "
		   "CPU is its own. In a guest the hypervisor decides how deep the real CPU "
		   "sleeps.",
	.metrics = metrics,
	.n_metrics = LT_COUNT(metrics),
	.inst_size = sizeof(struct idle),
	.use = METER_USE_TRIAL | METER_USE_ATTACH,
	.probe = idle_probe,
	.open = idle_open,
	.list = idle_list,
	.start = idle_start,
	.read = idle_read,
};
