/* SPDX-License-Identifier: MIT */
/* Reading JSON that may be hostile, on top of jansson: typed access where every error
 * names the path of the member. */
#ifndef BASE_JSON_H
#define BASE_JSON_H

#include <jansson.h>
#include <stdbool.h>

#include "base/err.h"

static inline void lt_json_decrefp(json_t **j)
{
	json_decref(*j);
}

#define LT_AUTO_JSON LT_AUTO(lt_json_decrefp)

/* Parses one JSON value. Duplicate members are refused; at most `len` bytes are read.
 * Owner: the caller (json_decref). Errors: LT-JSON with line and column. */
int lt_json_parse(
	const char *bytes, size_t len, const char *name, json_t **ret, struct lt_err *err);

/* Members of an object. `where` is the object's path, for the error only; results are
 * borrowed. A missing or wrongly typed member is an error. */
int lt_json_get(const json_t *obj, const char *where, const char *key, json_type type, json_t **ret,
	struct lt_err *err);
int lt_json_get_str(const json_t *obj, const char *where, const char *key, const char **ret,
	struct lt_err *err);
int lt_json_get_num(
	const json_t *obj, const char *where, const char *key, double *ret, struct lt_err *err);
int lt_json_get_bool(
	const json_t *obj, const char *where, const char *key, bool *ret, struct lt_err *err);

#endif
