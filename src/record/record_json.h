/* SPDX-License-Identifier: GPL-2.0-or-later */
/* A record as JSON, by the closed schema in schema/record.schema.json. A saved record, loaded
 * and saved again, gives the same bytes. */
#ifndef RECORD_RECORD_JSON_H
#define RECORD_RECORD_JSON_H

#include <stddef.h>

#include "base/buf.h"
#include "base/err.h"
#include "record/record.h"

enum {
	RECORD_FORMAT_VERSION = 1,
	RECORD_MAX_BYTES = 256 << 20, /* of a file worth reading */
	RECORD_MAX_VARIANTS = 256,
	RECORD_MAX_METRICS = 1024,
	RECORD_MAX_FACTORS = 16,
	RECORD_MAX_EVIDENCE = 256,
	RECORD_MAX_PARTS = 1 << 16, /* of one ledger or finding */
	RECORD_MAX_ROWS = 1 << 20,  /* trials, summaries, comparisons, findings, ... */
};

/* Appends to `out`. Errors: -EINVAL (LT-RECORD-CHECK) for a record that could not be loaded
 * again, -ENOMEM. */
int record_save_json(const struct record *rec, struct lt_buf *out, struct lt_err *err);

/* `bytes` may be anything; `name` is the file's, for errors, which name the member too.
 * Owner: the caller (record_free). Errors: -EINVAL or -ERANGE with LT-JSON, LT-JSON-MEMBER
 * or LT-RECORD-...; -EFBIG beyond the limits above; -ENOMEM. */
int record_load_json(
	const char *bytes, size_t len, const char *name, struct record **ret, struct lt_err *err);

#endif
