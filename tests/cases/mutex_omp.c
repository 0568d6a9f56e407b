/* SPDX-License-Identifier: GPL-2.0-or-later */
/* A histogram filled inside a critical section. */
#include "case.h"

int main(int argc, char **argv)
{
	static uint64_t bins[128];
	case_start(argc, argv);
	long n = (long)(16e6 * case_scale);
#pragma omp parallel for num_threads(case_threads) schedule(static)
	for (long i = 0; i < n; i++) {
		uint64_t bin = case_compute(3 + (uint64_t)i % 3) % 128;
#pragma omp critical
		bins[bin]++;
	}
	case_sink = bins[0];
	return 0;
}
