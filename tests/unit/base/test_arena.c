/* SPDX-License-Identifier: MIT */
/* What an arena gives is zeroed, aligned, apart from everything else, and gone in one go. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <string.h>

#include <cmocka.h>

#include "base/arena.h"

enum {
	PIECES = 3000
};

static void pieces_are_zeroed_aligned_and_apart(void **state)
{
	(void)state;
	struct lt_arena arena = { 0 };
	static unsigned char *at[PIECES];
	static size_t size[PIECES];
	for (size_t i = 0; i < PIECES; i++) {
		size[i] = i * 7919 % 611 + (i % 500 == 499 ? 40000 : 0);
		at[i] = lt_arena_alloc(&arena, size[i]);
		assert_non_null(at[i]);
		assert_int_equal((uintptr_t)at[i] % _Alignof(max_align_t), 0);
		for (size_t k = 0; k < size[i]; k++)
			assert_int_equal(at[i][k], 0);
		memset(at[i], (int)(i % 255 + 1), size[i]);
	}
	for (size_t i = 0; i < PIECES; i++)
		for (size_t k = 0; k < size[i]; k++)
			assert_int_equal(at[i][k], i % 255 + 1);
	lt_arena_done(&arena);
	assert_null(arena.blocks);
	lt_arena_done(&arena);
}

static void texts_are_copied_whole(void **state)
{
	(void)state;
	struct lt_arena arena = { 0 };
	char text[] = "hello";
	char *copy = lt_arena_strdup(&arena, text);
	char *part = lt_arena_strndup(&arena, text, 2);
	text[0] = 'j';
	assert_string_equal(copy, "hello");
	assert_string_equal(part, "he");
	assert_string_equal(lt_arena_strdup(&arena, ""), "");
	assert_string_equal(lt_arena_printf(&arena, "%s-%d", copy, 5), "hello-5");
	static char big[100001];
	memset(big, 'b', sizeof(big) - 1);
	assert_string_equal(lt_arena_printf(&arena, "%s", big), big);
	lt_arena_done(&arena);
}

static void more_than_can_be_had_is_null(void **state)
{
	(void)state;
	struct lt_arena arena = { 0 };
	char *volatile kept = lt_arena_strdup(&arena, "kept");
	static const size_t sizes[] = { (size_t)-1, (size_t)-15, (size_t)-1 / 2 + 1 };
	assert_false(arena.failed);
	for (size_t i = 0; i < LT_COUNT(sizes); i++)
		assert_null(lt_arena_alloc(&arena, sizes[i]));
	assert_true(arena.failed); /* and stays so: who asked for many asks once */
	assert_string_equal(kept, "kept");
	assert_non_null(lt_arena_alloc(&arena, 10));
	lt_arena_done(&arena);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(pieces_are_zeroed_aligned_and_apart),
		cmocka_unit_test(texts_are_copied_whole),
		cmocka_unit_test(more_than_can_be_had_is_null),
	};
	return cmocka_run_group_tests(tests, NULL, NULL);
}
