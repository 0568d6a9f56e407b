/* SPDX-License-Identifier: MIT */
/* Typed access to JSON members. */
#include "base/json.h"

static const char *type_name(json_type type)
{
	switch (type) {
	case JSON_OBJECT:
		return "an object";
	case JSON_ARRAY:
		return "an array";
	case JSON_STRING:
		return "a string";
	case JSON_INTEGER:
		return "a whole number";
	case JSON_REAL:
		return "a number";
	case JSON_TRUE:
	case JSON_FALSE:
		return "true or false";
	case JSON_NULL:
		break;
	}
	return "null";
}

int lt_json_parse(const char *bytes, size_t len, const char *name, json_t **ret, struct lt_err *err)
{
	json_error_t e;
	json_t *j = json_loadb(bytes, len, JSON_REJECT_DUPLICATES, &e);
	if (!j && (!e.text[0] || json_error_code(&e) == json_error_out_of_memory))
		return lt_fail_mem(err);
	if (!j)
		return lt_fail(err, -EINVAL, "LT-JSON", "%.200s:%d:%d: not valid JSON: %s", name,
			e.line, e.column, e.text);
	*ret = j;
	return 0;
}

static int fail_member(
	struct lt_err *err, const char *where, const char *key, const json_t *got, const char *want)
{
	if (!got)
		return lt_fail(err, -EINVAL, "LT-JSON-MEMBER", "%s: no member '%s'", where, key);
	return lt_fail(err, -EINVAL, "LT-JSON-MEMBER", "%s.%s is %s, not %s", where, key,
		type_name(json_typeof(got)), want);
}

int lt_json_get(const json_t *obj, const char *where, const char *key, json_type type, json_t **ret,
	struct lt_err *err)
{
	json_t *j = json_object_get(obj, key);
	if (!j || json_typeof(j) != type)
		return fail_member(err, where, key, j, type_name(type));
	*ret = j;
	return 0;
}

int lt_json_get_str(
	const json_t *obj, const char *where, const char *key, const char **ret, struct lt_err *err)
{
	json_t *j = NULL;
	int r = lt_json_get(obj, where, key, JSON_STRING, &j, err);
	if (r < 0)
		return r;
	*ret = json_string_value(j);
	return 0;
}

int lt_json_get_num(
	const json_t *obj, const char *where, const char *key, double *ret, struct lt_err *err)
{
	json_t *j = json_object_get(obj, key);
	if (!json_is_number(j))
		return fail_member(err, where, key, j, "a number");
	*ret = json_number_value(j);
	return 0;
}

int lt_json_get_bool(
	const json_t *obj, const char *where, const char *key, bool *ret, struct lt_err *err)
{
	json_t *j = json_object_get(obj, key);
	if (!json_is_boolean(j))
		return fail_member(err, where, key, j, "true or false");
	*ret = json_is_true(j);
	return 0;
}
