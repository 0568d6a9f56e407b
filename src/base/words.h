/* SPDX-License-Identifier: MIT */
/* A command line as text, split into words with the shell's quoting but none of its
 * power: what would need a shell is refused, never passed on as an argument. */
#ifndef BASE_WORDS_H
#define BASE_WORDS_H

#include "base/arena.h"
#include "base/err.h"

/* Blanks part words; '...', "..." and \ quote. Owner: words live in the arena; the array
 * ends in NULL. Errors: -EINVAL for an open quote, no word at all, or an unquoted
 * character that only a shell understands ( | & ; < > ( ) $ ` * ? [ # ~ ),
 * with a hint to use --shell. */
int lt_words_split(const char *text, struct lt_arena *arena, char ***ret_words, struct lt_err *err);

/* The words as a person would have to type them: quoted where needed. NULL: no memory. */
char *lt_words_join(char *const *words, struct lt_arena *arena);

#endif
