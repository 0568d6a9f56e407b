/* SPDX-License-Identifier: MIT */
/* UTF-8, one character at a time, of text that may be anything. */
#ifndef BASE_UTF8_H
#define BASE_UTF8_H

#include <stddef.h>
#include <stdint.h>

/* Length of the character at the start of `text` (at most `len` bytes), or 0 when those
 * bytes are no UTF-8. `ret` may be NULL. Surrogates and overlong forms are refused. */
size_t lt_utf8_next(const char *text, size_t len, uint32_t *ret);

#endif
