/* SPDX-License-Identifier: MIT */
/* What is written reads back to the same bits. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <float.h>
#include <math.h>
#include <string.h>

#include <cmocka.h>

#include "base/json.h"
#include "base/jsonw.h"

static void numbers_read_back_exactly(void **state)
{
	(void)state;
	static const double nums[] = { 0, 1, -1, 0.1, 1.0 / 3, 1e300, -1e-300, DBL_MAX, DBL_MIN,
		4.9e-324, 0x1p53, 0x1p53 + 2, 0x1p60, -0x1p63, 1e22, 123456789.125, 5e-7 };
	LT_AUTO_BUF struct lt_buf out = { 0 };
	struct lt_jsonw w = { .out = &out };
	lt_jsonw_open(&w, NULL, '[', true);
	for (size_t i = 0; i < LT_COUNT(nums); i++)
		lt_jsonw_num(&w, NULL, nums[i]);
	lt_jsonw_close(&w);
	LT_AUTO_JSON json_t *j = NULL;
	struct lt_err err = { 0 };
	if (lt_json_parse(out.data, out.len, "t", &j, &err) < 0)
		fail_msg("%s", err.text);
	for (size_t i = 0; i < LT_COUNT(nums); i++)
		assert_true(json_number_value(json_array_get(j, i)) == nums[i]);
}

static void what_is_not_finite_is_null(void **state)
{
	(void)state;
	LT_AUTO_BUF struct lt_buf out = { 0 };
	struct lt_jsonw w = { .out = &out };
	lt_jsonw_open(&w, NULL, '[', true);
	lt_jsonw_num(&w, NULL, NAN);
	lt_jsonw_num(&w, NULL, -INFINITY);
	lt_jsonw_num(&w, NULL, -0.0);
	lt_jsonw_num(&w, NULL, 2.50);
	lt_jsonw_close(&w);
	assert_string_equal(out.data, "[null, null, 0, 2.5]\n");
}

static void any_bytes_become_valid_text(void **state)
{
	(void)state;
	LT_AUTO_BUF struct lt_buf out = { 0 };
	struct lt_jsonw w = { .out = &out };
	lt_jsonw_open(&w, NULL, '{', false);
	lt_jsonw_str(&w, "k\"", "a\\\"\n\x1b\xff\xc3\xa9");
	lt_jsonw_str(&w, "none", NULL);
	lt_jsonw_close(&w);
	assert_string_equal(out.data,
		"{\n  \"k\\\"\": \"a\\\\\\\"\\u000a\\u001b\xef\xbf\xbd\xc3\xa9\",\n  \"none\": "
		"null\n}\n");
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(numbers_read_back_exactly),
		cmocka_unit_test(what_is_not_finite_is_null),
		cmocka_unit_test(any_bytes_become_valid_text),
	};
	return cmocka_run_group_tests(tests, NULL, NULL);
}
