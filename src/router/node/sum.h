/* SPDX-License-Identifier: MIT */
/* The Internet's checksum, and how it changes with the data (RFC 1624). Sums are of 16-bit words
 * as they lie in memory, so that no byte is swapped. */
#ifndef ROUTER_NODE_SUM_H
#define ROUTER_NODE_SUM_H

#include <arpa/inet.h>
#include <stddef.h>
#include <stdint.h>
#include <string.h>

static inline uint16_t sum_fold(uint64_t sum)
{
	sum = (sum & 0xffffffff) + (sum >> 32);
	sum = (sum & 0xffffffff) + (sum >> 32);
	sum = (sum & 0xffff) + (sum >> 16);
	sum = (sum & 0xffff) + (sum >> 16);
	return (uint16_t)sum;
}

/* Of len bytes; an odd last one has a zero behind it. */
static inline uint64_t sum_bytes(const uint8_t *bytes, size_t len)
{
	uint64_t sum = 0;
	uint32_t word;
	for (; len >= 4; bytes += 4, len -= 4) {
		memcpy(&word, bytes, 4);
		sum += word;
	}
	if (len) {
		word = 0;
		memcpy(&word, bytes, len);
		sum += word;
	}
	return sum;
}

/* What an IPv4 header, checksum included, adds up to when it is right. */
#define SUM_RIGHT 0xffff

/* Deltas: what to add to a sum when a value, given in the host's byte order, is replaced. */
static inline uint32_t sum_delta16(uint16_t from, uint16_t to)
{
	return (uint32_t)(uint16_t)~htons(from) + htons(to);
}

static inline uint32_t sum_delta32(uint32_t from, uint32_t to)
{
	uint32_t f = ~htonl(from), t = htonl(to);
	return (f & 0xffff) + (f >> 16) + (t & 0xffff) + (t >> 16);
}

/* The checksum that `check` becomes when the sum of its data grows by delta: ~(~C + delta). */
static inline uint16_t sum_update(uint16_t check, uint32_t delta)
{
	uint32_t sum = (uint32_t)(uint16_t)~check + delta;
	sum = (sum & 0xffff) + (sum >> 16);
	sum = (sum & 0xffff) + (sum >> 16);
	return (uint16_t)~sum;
}

#endif
