/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Nested teams: the outer one as asked, the inner ones as large as the machine. */
#include "case.h"

#include <omp.h>

int main(int argc, char **argv)
{
	case_start(argc, argv);
	omp_set_max_active_levels(2);
	int inner = omp_get_num_procs();
#pragma omp parallel num_threads(case_threads)
	for (int step = 0; step < 10; step++) {
#pragma omp parallel for num_threads(inner) schedule(static)
		for (int i = 0; i < 64; i++)
			case_sink = case_compute(case_share(1e6));
	}
	return 0;
}
