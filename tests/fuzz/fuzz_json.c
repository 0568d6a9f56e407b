/* SPDX-License-Identifier: GPL-2.0-or-later */
/* JSON from hostile bytes: parsed or refused with a text, and every typed reader agrees
 * with the type that is there. */
#include <assert.h>
#include <stdint.h>

#include "base/json.h"

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);

static void read_member(const json_t *obj, const char *key, const json_t *member)
{
	struct lt_err err = { 0 };
	const char *text;
	double num;
	bool flag;
	assert((lt_json_get_str(obj, "", key, &text, &err) == 0) == json_is_string(member));
	assert((lt_json_get_num(obj, "", key, &num, &err) == 0) == json_is_number(member));
	assert((lt_json_get_bool(obj, "", key, &flag, &err) == 0) == json_is_boolean(member));
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
	LT_AUTO_JSON json_t *root = NULL;
	struct lt_err err = { 0 };
	if (lt_json_parse((const char *)data, size, "input", &root, &err) < 0) {
		assert(!root && err.text[0]);
		return 0;
	}
	const char *key;
	json_t *member;
	if (json_is_object(root))
		json_object_foreach(root, key, member)
			read_member(root, key, member);
	return 0;
}
