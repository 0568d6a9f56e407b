/* SPDX-License-Identifier: GPL-2.0-or-later */
/* A parallel loop whose body takes an aligned scratch buffer for each iteration. */
#include "case.h"

#include <string.h>

int main(int argc, char **argv)
{
	case_start(argc, argv);
	int n = (int)(6000 * case_scale);
#pragma omp parallel for num_threads(case_threads) schedule(static)
	for (int i = 0; i < n; i++) {
		char *scratch = aligned_alloc(4096, 409600);
		case_need(scratch != NULL, "aligned_alloc");
		memset(scratch, i, 409600);
		case_sink = (uint64_t)scratch[i];
		free(scratch);
	}
	return 0;
}
