/* SPDX-License-Identifier: MIT */
/* Decoding UTF-8, strictly. */
#include "base/utf8.h"

size_t lt_utf8_next(const char *text, size_t len, uint32_t *ret)
{
	static const uint32_t least[] = { 0, 0, 0x80, 0x800, 0x10000 };
	const unsigned char *s = (const unsigned char *)text;
	if (!len)
		return 0;
	size_t n = s[0] < 0x80 ? 1
		: s[0] < 0xc0  ? 0
		: s[0] < 0xe0  ? 2
		: s[0] < 0xf0  ? 3
		: s[0] < 0xf8  ? 4
			       : 0;
	if (n == 0 || n > len)
		return 0;
	uint32_t c = n == 1 ? s[0] : s[0] & (0x7fu >> n);
	for (size_t i = 1; i < n; i++) {
		if ((s[i] & 0xc0) != 0x80)
			return 0;
		c = c << 6 | (s[i] & 0x3fu);
	}
	if (c < least[n] || c > 0x10ffff || (c >= 0xd800 && c < 0xe000))
		return 0;
	if (ret)
		*ret = c;
	return n;
}
