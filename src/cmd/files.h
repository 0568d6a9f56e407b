/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Saved records, from their files. */
#ifndef CMD_FILES_H
#define CMD_FILES_H

#include "base/err.h"
#include "record/record.h"

/* "-" is stdin. Owner: the caller (record_free). Errors: those of opening and reading, and
 * of record_load_json. */
int files_load(const char *path, struct record **ret, struct lt_err *err);

#endif
