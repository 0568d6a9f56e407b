/* SPDX-License-Identifier: MIT */
/* Numbers in network byte order, at any address. */
#ifndef ROUTER_NODE_BYTES_H
#define ROUTER_NODE_BYTES_H

#include <endian.h>
#include <stdint.h>
#include <string.h>

#include "router/node/sum.h"

static inline uint16_t get16(const uint8_t *p)
{
	uint16_t v;
	memcpy(&v, p, sizeof(v));
	return be16toh(v);
}

static inline uint32_t get32(const uint8_t *p)
{
	uint32_t v;
	memcpy(&v, p, sizeof(v));
	return be32toh(v);
}

static inline void put16(uint8_t *p, uint16_t v)
{
	v = htobe16(v);
	memcpy(p, &v, sizeof(v));
}

static inline void put32(uint8_t *p, uint32_t v)
{
	v = htobe32(v);
	memcpy(p, &v, sizeof(v));
}

/* A checksum as it lies in memory: what sum.h calculates with. */
static inline uint16_t get_raw(const uint8_t *p)
{
	uint16_t v;
	memcpy(&v, p, sizeof(v));
	return v;
}

static inline void put_raw(uint8_t *p, uint16_t v)
{
	memcpy(p, &v, sizeof(v));
}

/* The checksum of what adds up to `sum`. */
static inline void put_sum(uint8_t *p, uint64_t sum)
{
	put_raw(p, (uint16_t)~sum_fold(sum));
}

#endif
