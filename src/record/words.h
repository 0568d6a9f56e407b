/* SPDX-License-Identifier: GPL-2.0-or-later */
/* The words that stand for the record's enums, in its JSON form and in every report. */
#ifndef RECORD_WORDS_H
#define RECORD_WORDS_H

#include "record/record.h"

/* Indexed by the enum's value. */
struct record_words {
	const char *const *words;
	unsigned n;
};

extern const struct record_words record_state_words;
extern const struct record_words record_better_words;
extern const struct record_words record_kind_words;
extern const struct record_words record_outcome_words;
extern const struct record_words record_note_words; /* indexed by bit number */
extern const struct record_words record_severity_words;
extern const struct record_words record_confidence_words;
extern const struct record_words record_how_words;
extern const struct record_words record_mode_words;
extern const struct record_words record_scale_words; /* the verdict of a curve */
extern const struct record_words record_law_words;
extern const struct record_words record_part_words; /* of a ledger */
extern const struct record_words record_remedy_words;
extern const struct record_words record_tier_words; /* of evidence */
extern const struct record_words record_op_words;

/* The word of a value, or "?" for a value that is none. */
const char *record_word(const struct record_words *words, unsigned value);

/* -1 when no word matches. */
int record_word_find(const struct record_words *words, const char *word);

/* A verdict about b: "faster" or "slower" where the metric is a time and less of it is
 * better, "less" or "more" elsewhere; "same", "undecided", "too-few". */
const char *record_verdict_word(const struct metric *metric, enum verdict verdict);

/* Takes the words of either kind; -1 for any other. */
int record_verdict_find(const char *word);

#endif
