/* SPDX-License-Identifier: GPL-2.0-or-later */
/* What a sweep says, in sentences: verdict, law, ledger, remedies. As in sentences.h: plain
 * text, unbroken. All need rec->scaling. */
#ifndef REPORT_SCALE_SENTENCES_H
#define REPORT_SCALE_SENTENCES_H

#include <stdbool.h>

#include "base/buf.h"
#include "record/record.h"
#include "report/format.h"

/* The answer of the curve. */
void scale_verdict(const struct record *rec, struct lt_buf *out);

/* Strong or weak, how many rounds, what the brackets are. */
void scale_basis(const struct record *rec, struct lt_buf *out);

/* How the program is told a factor without a placeholder; empty with one. */
void scale_factor(const struct factor *f, struct lt_buf *out);

/* The law and what it means; why there is none. */
void scale_law(const struct record *rec, struct lt_buf *out);

/* The one-CPU run; empty when it was not run. */
void scale_one_cpu(const struct record *rec, struct lt_buf *out);

/* Core time of the ledger, on one scale for all of it: "1,402 ms", "12.3 s". */
struct format scale_time(const struct time_ledger *l, double ns);

/* "At 2 threads 4.12 s of 5.58 core-seconds were lost: ..." */
void scale_loss(const struct record *rec, struct lt_buf *out);

/* "0 cores in use for 1 %, 1 for 5 %, 2 for 94 % of the time"; empty when not known. */
void scale_used(const struct record *rec, struct lt_buf *out);

/* Words for a line of the ledger, and for where it is. */
void scale_line_what(const struct ledger_line *line, struct lt_buf *out);
void scale_line_where(const struct ledger_line *line, struct lt_buf *out);

/* Is the finding a cause, the answer to why, or a fact beside it? */
bool scale_is_cause(const struct finding *f);

/* "false-sharing, 93 % of the loss, confidence high: ..." */
void scale_cause(const struct record *rec, const struct finding *f, struct lt_buf *out);

/* "count_up (prog.c:23), counters+8, in worker" */
void scale_place(const struct finding_place *p, struct lt_buf *out);

/* What came of the remedies as a whole. */
void scale_remedies(const struct record *rec, struct lt_buf *out);

/* Is it the program as it is once more, which must not win? */
bool scale_is_control(const struct remedy_result *r);

/* What came of one: a word or two. */
const char *scale_remedy_word(const struct remedy_result *r);

#endif
