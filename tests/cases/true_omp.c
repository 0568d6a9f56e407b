/* SPDX-License-Identifier: GPL-2.0-or-later */
/* A sum by `omp atomic` instead of a reduction. */
#include "case.h"

int main(int argc, char **argv)
{
	static double sum;
	case_start(argc, argv);
	long n = (long)(60e6 * case_scale);
#pragma omp parallel for num_threads(case_threads) schedule(static)
	for (long i = 0; i < n; i++) {
#pragma omp atomic
		sum += (double)i;
	}
	case_sink = (uint64_t)sum;
	return 0;
}
