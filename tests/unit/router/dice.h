/* SPDX-License-Identifier: MIT */
/* A small generator that gives the same numbers everywhere. */
#ifndef TESTS_ROUTER_DICE_H
#define TESTS_ROUTER_DICE_H

#include <stdint.h>

struct dice {
	uint64_t state;
};

static inline uint32_t dice_u32(struct dice *d)
{
	d->state += 0x9e3779b97f4a7c15u;
	uint64_t z = d->state;
	z = (z ^ z >> 30) * 0xbf58476d1ce4e5b9u;
	z = (z ^ z >> 27) * 0x94d049bb133111ebu;
	return (uint32_t)(z >> 32);
}

static inline uint32_t dice_below(struct dice *d, uint32_t n)
{
	return (uint32_t)((uint64_t)dice_u32(d) * n >> 32);
}

#endif
