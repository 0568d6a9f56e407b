/* SPDX-License-Identifier: GPL-2.0-or-later */
/* What a record says, in sentences: findings by their ids, and the words for outcomes,
 * ends, verdicts and gates. Plain text, unbroken, as the record has it: page_* and
 * markdown_* make it harmless. */
#ifndef REPORT_SENTENCES_H
#define REPORT_SENTENCES_H

#include "base/buf.h"
#include "record/record.h"

/* Ids known, for the test that asks for a sentence for each; NULL at the end. */
const char *sentence_id(size_t i);

/* Never empty, also for an id that is not known. */
void sentence_finding(const struct record *rec, const struct finding *f, struct lt_buf *out);

/* The same after its severity: "warning: ...". */
void sentence_note(const struct record *rec, const struct finding *f, struct lt_buf *out);

/* "PARTIAL: ...", of a record that is. */
void sentence_partial(const struct record *rec, struct lt_buf *out);

/* "exit code 5", "signal 9 (SIGKILL)", "timed out after 5 s, it was asleep" */
void sentence_outcome(const struct record *rec, const struct outcome *o, struct lt_buf *out);

/* Whether the outcome is worth naming: not an exit with code 0, nor a window. */
bool sentence_is_failure(const struct outcome *o);

/* "run", or "window" on a running process; "runs" when there are more. */
const char *sentence_run(const struct record *rec, double n);

/* Nothing was run for this record: saved records or reported figures were compared. */
bool sentence_is_old(const struct record *rec);

/* The same, but "pair" where the plan repeats pairs. */
const char *sentence_unit(const struct record *rec, double n);

/* How the experiment ended: "stopped: wall known to ±0.8 %". */
void sentence_stop(const struct record *rec, struct lt_buf *out);

/* "wall time", "peak-memory" */
void sentence_metric(const struct metric *metric, struct lt_buf *out);

/* The answer: "B is faster than A: 0.912 x the wall time (0.905 .. 0.919), 8.8 % less". */
void sentence_verdict(const struct record *rec, const struct comparison *c, struct lt_buf *out);

/* What it rests on: "95 % confidence sequence; 36 pairs in random order, seed 7; p = 0.08". */
void sentence_basis(const struct record *rec, const struct comparison *c, struct lt_buf *out);

/* What could have been proved, and what it takes to prove what --plan asks. May be empty. */
void sentence_provable(const struct comparison *c, struct lt_buf *out);

/* "gate wall +5%: passed" */
void sentence_gate(const struct record *rec, const struct gate *g, struct lt_buf *out);

/* Half the width of an interval: what stands behind ±. */
double sentence_half(double lo, double hi);

#endif
