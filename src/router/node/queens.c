/* SPDX-License-Identifier: MIT */
/* N queens by bits: columns and both diagonals that are attacked in the next row. */
#include "router/node/queens.h"

#include <stdint.h>

static unsigned place(uint32_t all, uint32_t columns, uint32_t left, uint32_t right)
{
	if (columns == all)
		return 1;
	unsigned count = 0;
	for (uint32_t free = all & ~(columns | left | right); free; free &= free - 1) {
		uint32_t queen = free & -free;
		count += place(all, columns | queen, (left | queen) << 1, (right | queen) >> 1);
	}
	return count;
}

unsigned queens_count(unsigned n)
{
	return place((UINT32_C(1) << n) - 1, 0, 0, 0);
}

void queens_work(unsigned n, unsigned packets)
{
	for (unsigned i = 0; i < packets; i++) {
		unsigned count = queens_count(n);
		__asm__ volatile("" : : "r"(count)); /* it is wanted */
	}
}
