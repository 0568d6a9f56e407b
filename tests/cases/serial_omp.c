/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Parallel loops with a part of their sequence left to one thread. */
#include "case.h"

static void __attribute__((noinline)) solve_boundary(void)
{
	case_sink = case_compute((uint64_t)(5e6 * case_scale));
}

int main(int argc, char **argv)
{
	case_start(argc, argv);
#pragma omp parallel num_threads(case_threads)
	for (int step = 0; step < 40; step++) {
#pragma omp for schedule(static)
		for (int i = 0; i < 64; i++)
			case_sink = case_compute((uint64_t)(150e3 * case_scale));
#pragma omp single
		solve_boundary();
	}
	return 0;
}
