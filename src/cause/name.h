/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Naming the causes of a record's sweep. */
#ifndef CAUSE_NAME_H
#define CAUSE_NAME_H

#include "base/err.h"
#include "record/evidence.h"
#include "record/record.h"

/* Adds a finding to the record for each cause that holds at its point of interest, the
 * largest part of the loss first; rec->scaling, curve and ledger are made before. `at` is
 * evidence of that point; NULL: none could be had. Nothing is added when no point of interest
 * was run. Returns how many were added. Errors: -ENOMEM. */
int cause_name(struct record *rec, const struct evidence *at, struct lt_err *err);

#endif
