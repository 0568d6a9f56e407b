/* SPDX-License-Identifier: GPL-2.0-or-later */
/* What meters share about windows on running processes, and about trees that are not
 * whole: metrics told as they are there, and reasons in the same words everywhere. */
#ifndef METER_ATTACHED_H
#define METER_ATTACHED_H

#include <time.h>

#include "meter/meter.h"

/* `metrics` as they are at this place: of a program leat starts as given, of a running
 * process with this scope and source instead. Owner: the place's arena. */
int meter_metrics_at(const struct meter_place *place, const struct metric *metrics, size_t n,
	const char *scope, const char *source, const struct metric **ret, struct lt_err *err);

/* The CPU clock of a running process, all its threads together. */
int meter_clock_open(pid_t pid, clockid_t *ret, struct lt_err *err);

/* 0 or a negative errno; -ESRCH once the process is gone. */
int meter_clock_read(clockid_t clock, double *ret_ns);

/* An unavailable value for a negative errno met while reading procfs of the program. */
struct value meter_unread(int error);

/* rusage and procfs know of a descendant only if somebody waited for it: where that was not
 * so, adds to each measured value that it is short. */
void meter_note_unwaited(const struct meter_window *win, struct value *values, size_t n);

#endif
