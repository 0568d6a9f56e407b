/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Metrics and reasons that meters share. */
#include "meter/attached.h"

#include <string.h>

#include "base/clock.h"

int meter_metrics_at(const struct meter_place *place, const struct metric *metrics, size_t n,
	const char *scope, const char *source, const struct metric **ret, struct lt_err *err)
{
	if (!place->target) {
		*ret = metrics;
		return 0;
	}
	struct metric *mine = lt_arena_alloc(place->arena, n * sizeof(*mine));
	if (!mine)
		return lt_fail_mem(err);
	memcpy(mine, metrics, n * sizeof(*mine));
	for (size_t i = 0; i < n; i++) {
		mine[i].scope = scope;
		mine[i].source = source;
	}
	*ret = mine;
	return 0;
}

int meter_clock_open(pid_t pid, clockid_t *ret, struct lt_err *err)
{
	if (clock_getcpuclockid(pid, ret))
		return lt_fail(err, -ESRCH, "LT-METER", "no process %d", (int)pid);
	return 0;
}

int meter_clock_read(clockid_t clock, double *ret_ns)
{
	struct timespec ts;
	if (clock_gettime(clock, &ts) < 0)
		return errno == EINVAL ? -ESRCH : -errno;
	*ret_ns = (double)lt_timespec_ns(&ts);
	return 0;
}

struct value meter_unread(int error)
{
	switch (error) {
	case -ENOENT:
	case -ESRCH:
		return value_missing("the process has ended, or this kernel lacks the file", NULL);
	case -EACCES:
	case -EPERM:
		return value_missing("the process has changed to another user, or belongs to one",
			"run leat as root");
	case -EMFILE:
	case -ENFILE:
		return value_missing("too many open files", "raise the limit with 'ulimit -n'");
	default:
		return value_missing("procfs gave no number that leat understands", NULL);
	}
}

void meter_note_unwaited(const struct meter_window *win, struct value *values, size_t n)
{
	if (!win->left && win->orphans_cpu_ns <= 0)
		return;
	for (size_t i = 0; i < n; i++)
		if (values[i].state != VALUE_UNAVAILABLE)
			values[i].reason = "without the descendants that nobody waited for";
}
