/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Command lines from hostile text: words that were split are the same words after being
 * joined as a person would type them and split again. */
#include <assert.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>

#include "base/own.h"
#include "base/words.h"

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);

static void round_trip(const char *text, struct lt_arena *arena)
{
	struct lt_err err = { 0 };
	char **words, **again;
	if (lt_words_split(text, arena, &words, &err) < 0) {
		assert(err.text[0]);
		return;
	}
	assert(words[0]);
	char *joined = lt_words_join(words, arena);
	assert(joined && lt_words_split(joined, arena, &again, &err) == 0);
	size_t i = 0;
	for (; words[i]; i++)
		assert(again[i] && !strcmp(words[i], again[i]));
	assert(!again[i]);
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
	LT_AUTO_FREE char *text = malloc(size + 1);
	if (!text)
		return 0;
	memcpy(text, data, size);
	text[size] = '\0';
	struct lt_arena arena = { 0 };
	round_trip(text, &arena);
	lt_arena_done(&arena);
	return 0;
}
