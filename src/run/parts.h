/* SPDX-License-Identifier: GPL-2.0-or-later */
/* From statistics pages to parts of a record (record/program.h). A page is believed nothing that
 * cannot be. */
#ifndef RUN_PARTS_H
#define RUN_PARTS_H

#include "record/program.h"
#include "run/pages.h"

/* Adds the parts of one run to `rec`, all as of variant 0. Errors: LT-MEMORY. */
int parts_of_pages(const struct pages *pages, struct record *rec, struct lt_err *err);

/* Adds the parts of `one` to the sums in `rec`, as of variant `key`. Errors: LT-MEMORY. */
int parts_sum(struct record *rec, unsigned key, const struct program *one, struct lt_err *err);

/* A sum over `runs` runs becomes their mean. */
void parts_divide(struct program_part *part, enum program_kind kind, unsigned runs);

/* Units of the counter within the region, over all pages. */
double parts_units_inside(const struct pages *pages, const char *region, const char *counter);

#endif
