/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Balanced parallel loops with a reduction. */
#include "case.h"

int main(int argc, char **argv)
{
	case_start(argc, argv);
	uint64_t sum = 0;
	for (int step = 0; step < 20; step++) {
#pragma omp parallel for reduction(^ : sum) num_threads(case_threads) schedule(dynamic)
		for (int i = 0; i < 128; i++)
			sum ^= case_compute((uint64_t)(250e3 * case_scale));
	}
	case_sink = sum;
	return 0;
}
