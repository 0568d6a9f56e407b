/* SPDX-License-Identifier: GPL-2.0-or-later */
/* The meters of one experiment: chosen by name, opened together, read together, each
 * metric at its place in the record. */
#ifndef RUN_METERSET_H
#define RUN_METERSET_H

#include "base/err.h"
#include "meter/meter.h"
#include "record/record.h"

struct meterset_item {
	const struct meter *meter;
	void *inst;
	size_t first; /* index of its first metric in the record */
	size_t n;
	bool open;
	struct value why; /* not open: state, reason and hint for its readings */
};

struct meterset {
	struct meter_place place;
	struct meterset_item *items; /* in the record's arena */
	size_t n_items;
};

/* Opens what `names` lists ("NAME[:ARG],..."), or the default meters, and describes all
 * metrics in rec. A meter that is not available stays in, its values unavailable with the
 * reason. `count` adds the evidence meter of that name. Errors: LT-METER for an unknown
 * name or argument, -EINVAL. */
int meterset_open(struct meterset *set, struct record *rec, const char *names, bool count,
	struct lt_err *err);
void meterset_close(struct meterset *set);

/* Notes down the beginning of a window. Evidence meters sit out timing windows, all others
 * sit out evidence windows. */
void meterset_start(struct meterset *set, const struct meter_window *win);
void meterset_read(struct meterset *set, const struct meter_window *win, struct value *readings);

/* An evidence meter's turn: its wrapped command, and its readings afterwards. */
int meterset_wrap(
	struct meterset *set, size_t item, char *const *argv, char ***ret, struct lt_err *err);
void meterset_start_evidence(struct meterset *set, size_t item, const struct meter_window *win);
void meterset_read_evidence(
	struct meterset *set, size_t item, const struct meter_window *win, struct value *readings);

static inline bool meterset_is_evidence(const struct meterset_item *item)
{
	return item->meter->use & METER_USE_EVIDENCE;
}

#endif
