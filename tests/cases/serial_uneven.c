/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Shares that differ: one thread has three fifths of the work, the others wait for it. */
#include "case.h"

static void *work(void *arg)
{
	double total = 600e6 * case_scale;
	double part = case_threads == 1 ? 1 : arg == NULL ? 0.75 : 0.25 / (case_threads - 1);
	case_sink = case_compute((uint64_t)(total * part));
	return NULL;
}

int main(int argc, char **argv)
{
	case_start(argc, argv);
	case_run(work);
	return 0;
}
