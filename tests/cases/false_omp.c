/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Partial sums by number of the thread, in one array. */
#include "case.h"

#include <omp.h>

int main(int argc, char **argv)
{
	static double sum[CASE_THREADS_MAX];
	volatile double *partial = sum;
	case_start(argc, argv);
	long n = (long)(250e6 * case_scale);
#pragma omp parallel for num_threads(case_threads) schedule(static)
	for (long i = 0; i < n; i++)
		partial[omp_get_thread_num()] += (double)i;
	case_sink = (uint64_t)partial[0];
	return 0;
}
