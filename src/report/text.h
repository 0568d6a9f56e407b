/* SPDX-License-Identifier: GPL-2.0-or-later */
/* The parts of the text report. Inside this room only. */
#ifndef REPORT_TEXT_H
#define REPORT_TEXT_H

#include "base/buf.h"
#include "record/record.h"
#include "report/grid.h"
#include "report/report.h"

/* One report being written. */
struct text {
	const struct record *rec;
	struct lt_buf *out;
	bool verbose;
	unsigned width;
};

/* What the program costs: one variant's metrics with their intervals. */
void text_variant(const struct text *t, unsigned variant);
/* Threads, modules, queues and the like of a libleat program; nothing for any other. Brief: only
 * threads, unless verbose. */
void text_program(const struct text *t, unsigned variant, bool brief);
/* b against a: verdict first, then every metric. */
void text_versus(const struct text *t, unsigned a, unsigned b);
/* The command against itself; nothing when that was not asked. */
void text_aa(const struct text *t);

/* A sweep: verdict and curve; then what the time was lost to, why, and what helps. */
void text_scale_curve(const struct text *t);
void text_scale_why(const struct text *t);

/* "PARTIAL: ..." when it is. */
void text_partial(const struct text *t);
void text_failures(const struct text *t);
void text_gates(const struct text *t);
void text_notes(const struct text *t); /* but for causes, which text_scale_why says */
/* -v: machine, plan, meters, own cost. */
void text_background(const struct text *t);
/* -v: mean, sd, min, median, max of each metric of a variant. */
void text_details(const struct text *t, unsigned variant);
/* -v: what each metric is, whose, and where it comes from. */
void text_metrics(const struct text *t);

/* Metrics that have no value for one or both variants, and those that are nothing but
 * zero, in a line each; what is unavailable with its reason when verbose. */
void text_missing(const struct text *t, unsigned a, unsigned b);

/* Shown in a row of its own? Not when it has no value, or, unless verbose, when it is zero
 * throughout. */
bool text_has_row(const struct text *t, const struct summary *s);

/* '~' for sampled, '^' for estimated, '+' for integrated, else '\0'; and what they mean,
 * for those met. */
char text_mark(const struct text *t, const struct summary *s);
void text_legend(const struct text *t, const char *marks);

/* A sentence as a paragraph; fails with it. */
void text_line(
	const struct text *t, const char *first, const char *rest, const struct lt_buf *line);

/* Printf into a paragraph. */
void text_para(const struct text *t, const char *first, const char *rest, const char *fmt, ...)
	LT_PRINTF(4, 5);

#endif
