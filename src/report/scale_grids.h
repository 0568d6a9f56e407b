/* SPDX-License-Identifier: GPL-2.0-or-later */
/* What a sweep says, in tables with a header row; for forms that can be as wide as they need. */
#ifndef REPORT_SCALE_GRIDS_H
#define REPORT_SCALE_GRIDS_H

#include "record/record.h"
#include "report/grid.h"

/* Each fills an empty grid and sets its columns. */
void scale_grid_curve(const struct record *rec, struct grid *g);
void scale_grid_ledger(const struct record *rec, struct grid *g); /* needs rec->ledger */
void scale_grid_remedies(const struct record *rec, struct grid *g);

/* A point's wall time as a cell, or `none`. */
void scale_add_wall(struct grid *g, const struct curve_point *p, const char *none);

#endif
