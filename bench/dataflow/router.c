/* SPDX-License-Identifier: MIT */
/* The work of a router's stage, compiled once for all programs that are compared. */
#include "shape.h"

void router_work(struct chunk *c, unsigned stage)
{
	uint64_t sum = c->sum;
	for (int i = 0; i < PACKETS; i++) {
		uint32_t x = c->packet[i] + stage;
		for (int k = 0; k < 9; k++) {
			x ^= x << 13;
			x ^= x >> 17;
			x ^= x << 5;
		}
		c->packet[i] = x;
		sum = sum * 31 + x;
	}
	c->sum = sum;
}
