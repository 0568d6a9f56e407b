/* SPDX-License-Identifier: MIT */
/* What was put is found, whatever the keys; nothing else is. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>

#include <cmocka.h>

#include "base/u64map.h"

#define NONE UINT32_MAX

static void an_empty_map_finds_nothing(void **state)
{
	(void)state;
	struct lt_u64map map = { 0 };
	assert_int_equal(lt_u64map_get(&map, 0, NONE), NONE);
	assert_int_equal(lt_u64map_get(&map, 7, 3), 3);
	lt_u64map_done(&map);
}

static void every_key_keeps_its_last_value(void **state)
{
	(void)state;
	struct lt_u64map map = { 0 };
	for (uint64_t k = 0; k < 5000; k++) /* many that differ in high bits only */
		assert_true(lt_u64map_put(&map, k << 40, (uint32_t)k));
	for (uint64_t k = 0; k < 5000; k += 3)
		assert_true(lt_u64map_put(&map, k << 40, (uint32_t)k + 1));
	assert_int_equal(map.n, 5000);
	for (uint64_t k = 0; k < 5000; k++)
		assert_int_equal(lt_u64map_get(&map, k << 40, NONE), k + (k % 3 == 0));
	for (uint64_t k = 1; k < 5000; k++)
		assert_int_equal(lt_u64map_get(&map, k, NONE), NONE);
	lt_u64map_done(&map);
}

static void zero_and_the_largest_are_keys_like_others(void **state)
{
	(void)state;
	struct lt_u64map map = { 0 };
	assert_true(lt_u64map_put(&map, 0, 1));
	assert_true(lt_u64map_put(&map, UINT64_MAX, 2));
	assert_int_equal(lt_u64map_get(&map, 0, NONE), 1);
	assert_int_equal(lt_u64map_get(&map, UINT64_MAX, NONE), 2);
	lt_u64map_done(&map);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(an_empty_map_finds_nothing),
		cmocka_unit_test(every_key_keeps_its_last_value),
		cmocka_unit_test(zero_and_the_largest_are_keys_like_others),
	};
	return cmocka_run_group_tests(tests, NULL, NULL);
}
