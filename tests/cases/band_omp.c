/* SPDX-License-Identifier: GPL-2.0-or-later */
/* The sum over a large array, again and again. */
#include "case.h"

int main(int argc, char **argv)
{
	const long n = 80 << 20; /* 640 MiB */
	case_start(argc, argv);
	double *data = malloc((size_t)n * sizeof(*data)), sum = 0;
	case_need(data != NULL, "malloc");
#pragma omp parallel for num_threads(case_threads)
	for (long i = 0; i < n; i++)
		data[i] = (double)i;
	for (int s = 0; s < (int)(16 * case_scale + 0.5); s++) {
#pragma omp parallel for simd reduction(+ : sum) num_threads(case_threads)
		for (long i = 0; i < n; i++)
			sum += data[i];
	}
	case_sink = (uint64_t)sum;
	free(data);
	return 0;
}
