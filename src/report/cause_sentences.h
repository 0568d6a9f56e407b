/* SPDX-License-Identifier: GPL-2.0-or-later */
/* What named causes of bad scaling say: a sentence with their numbers, and what is usually
 * done about them. As in sentences.h: plain text, unbroken. */
#ifndef REPORT_CAUSE_SENTENCES_H
#define REPORT_CAUSE_SENTENCES_H

#include <stdbool.h>

#include "base/buf.h"
#include "record/record.h"

/* Ids known, for the test that asks for a sentence for each; NULL at the end. */
const char *cause_sentence_id(size_t i);

/* Without its id. False, and nothing added, for an id that is not known. */
bool cause_sentence(const struct finding *f, struct lt_buf *out);

/* What is usually changed, as an order; NULL where there is nothing to be done. */
const char *cause_advice(const struct finding *f);

/* "runs alone", "writes": what a place of a finding is named for. */
void cause_role(const struct finding_place *p, struct lt_buf *out);

#endif
