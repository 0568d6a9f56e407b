/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Time stolen: the hypervisor ran something else while a CPU of this guest had work. */
#include "meter/meter.h"

#include "base/clock.h"
#include "sys/procfs.h"

static const struct metric metrics[] = {
	{
		.name = "steal",
		.unit = "ns",
		.better = METRIC_LOWER,
		.kind = METRIC_COUNTER,
		.sampled = true,
		.what = "time the hypervisor took from this machine's CPUs",
		.scope = "machine, all CPUs",
		.source = "steal column of proc/stat",
	},
};

static const char no_steal[] =
	"none has been counted since boot: no hypervisor, or one that does not tell";
static const char no_steal_hint[] = "a guest whose hypervisor reports stolen time (KVM, Xen, ...)";

struct steal {
	uint64_t begin;
	int error;
	uint64_t last;
	int64_t last_at_ns; /* 0: never read */
};

/* proc/stat is dear to read, and steal is counted in ticks of 10 ms: what was read this short a
 * while ago is not read again. */
static const int64_t fresh_ns = 2000000;

static int ticks_now(struct steal *s, const struct meter_place *place, uint64_t *ret)
{
	int64_t now = lt_now_ns();
	if (!s->last_at_ns || now - s->last_at_ns >= fresh_ns) {
		int r = sys_steal_ticks(place->root_fd, &s->last);
		if (r < 0)
			return r;
		s->last_at_ns = now;
	}
	*ret = s->last;
	return 0;
}

static struct value steal_probe(const struct meter_place *place)
{
	uint64_t ticks;
	if (sys_steal_ticks(place->root_fd, &ticks) < 0)
		return value_missing("proc/stat has no steal column", NULL);
	if (!ticks)
		return value_missing(no_steal, no_steal_hint);
	return (struct value){ .state = VALUE_MEASURED };
}

static void steal_start(void *inst, const struct meter_place *place, const struct meter_window *win)
{
	struct steal *s = inst;
	(void)win;
	s->error = ticks_now(s, place, &s->begin);
}

static void steal_read(void *inst, const struct meter_place *place, const struct meter_window *win,
	struct value *ret)
{
	struct steal *s = inst;
	uint64_t now = 0;
	(void)win;
	int r = s->error ? s->error : ticks_now(s, place, &now);
	if (r < 0)
		ret[0] = value_missing("cannot read proc/stat", NULL);
	else if (!now)
		ret[0] = value_missing(no_steal, no_steal_hint);
	else
		ret[0] = value_of((double)(now - s->begin) * (1e9 / (double)sysconf(_SC_CLK_TCK)));
}

const struct meter meter_steal = {
	.name = "steal",
	.brief = "time the hypervisor took from this machine",
	.cost = "one procfs read at start and at end",
	.overhead = "Two reads of the head of proc/stat a window, both outside the program; fewer "
		    "where runs follow each other within 2 ms.",
	.caveats = "Of the whole machine, in steps of 10 ms: a short run reads 0 or 10 ms, "
		   "and runs shorter than 2 ms may read what a neighbour suffered. A "
		   "hypervisor need not report it, and a machine where none was ever counted "
		   "says unavailable.",
	.metrics = metrics,
	.n_metrics = LT_COUNT(metrics),
	.inst_size = sizeof(struct steal),
	.use = METER_USE_TRIAL | METER_USE_ATTACH | METER_USE_DEFAULT,
	.probe = steal_probe,
	.start = steal_start,
	.read = steal_read,
};
