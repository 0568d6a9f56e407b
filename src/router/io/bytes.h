/* SPDX-License-Identifier: MIT */
/* Numbers in files: unaligned, in either byte order. */
#ifndef ROUTER_IO_BYTES_H
#define ROUTER_IO_BYTES_H

#include <stdbool.h>
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

#endif
