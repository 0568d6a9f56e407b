/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Perf events as metrics: open, explain, read. */
#include "meter/counters.h"

#include <string.h>

static struct value why_not(
	const struct meter_place *place, const struct sys_perf_code *code, int error)
{
	struct lt_err err = { 0 };
	sys_perf_explain(place->root_fd, code, error, &err);
	const char *reason = lt_arena_strdup(place->arena, err.text);
	const char *hint = err.hint[0] ? lt_arena_strdup(place->arena, err.hint) : NULL;
	return value_missing(reason ? reason : "cannot count, and out of memory", hint);
}

/* Whose events they are, as it is at this level of privilege. */
static const char *scope_of(const struct sys_perf_event *ev, bool attached)
{
	if (ev->user_only)
		return attached ? "process and what it starts, user only" : "tree, user only";
	if (ev->code.exclude_user)
		return attached ? "process and what it starts, kernel only" : "tree, kernel only";
	return attached ? "process and what it starts, user and kernel" : "tree, user and kernel";
}

int counters_open(struct counters *c, const struct meter_place *place, const struct metric *metrics,
	const struct sys_perf_code *codes, size_t n, struct lt_err *err)
{
	*c = (struct counters){ .perf = SYS_PERF_NONE };
	struct metric *mine = lt_arena_alloc(place->arena, n * sizeof(*mine));
	struct value *why = lt_arena_alloc(place->arena, n * sizeof(*why));
	if (!mine || !why)
		return lt_fail_mem(err);
	int r = place->target
		? sys_perf_open_process(&c->perf, place->root_fd, place->target, codes, n, err)
		: sys_perf_open_tree(&c->perf, place->launcher, codes, n, err);
	if (r < 0)
		return r;
	memcpy(mine, metrics, n * sizeof(*mine));
	for (size_t i = 0; i < n; i++) {
		const struct sys_perf_event *ev = &c->perf.events[i];
		mine[i].scope = scope_of(ev, place->target != 0);
		if (ev->error)
			why[i] = why_not(place, &ev->code, ev->error);
	}
	c->metrics = mine;
	c->why = why;
	c->n = n;
	return 0;
}

size_t counters_list(const void *inst, const struct metric **ret)
{
	const struct counters *c = inst;
	*ret = c->metrics;
	return c->n;
}

void counters_start(void *inst, const struct meter_place *place, const struct meter_window *win)
{
	struct counters *c = inst;
	(void)place, (void)win;
	sys_perf_begin(&c->perf);
}

void counters_read(void *inst, const struct meter_place *place, const struct meter_window *win,
	struct value *ret)
{
	struct counters *c = inst;
	(void)win;
	for (size_t i = 0; i < c->n; i++) {
		double count;
		bool scaled;
		if (c->why[i].reason) {
			ret[i] = c->why[i];
			continue;
		}
		int r = sys_perf_counted(&c->perf, i, &count, &scaled);
		ret[i] = r < 0 ? why_not(place, &c->perf.events[i].code, r) : value_of(count);
		if (r >= 0 && scaled) {
			ret[i].state = VALUE_ESTIMATED;
			ret[i].reason = "shared a hardware counter: extrapolated over time";
		}
	}
}

void counters_close(void *inst)
{
	struct counters *c = inst;
	sys_perf_close(&c->perf);
}

struct value counters_probe(const struct meter_place *place, const struct sys_perf_code *code)
{
	bool user_only = false;
	int r = sys_perf_try(code, &user_only);
	if (r < 0)
		return why_not(place, code, r);
	return (struct value){ .state = VALUE_MEASURED,
		.reason = user_only ? "the user's side only" : NULL };
}
