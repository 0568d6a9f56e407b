/* SPDX-License-Identifier: GPL-2.0-or-later */
/* A counter for each thread, side by side. With PADDED each has a line of its own. */
#include "case.h"

struct counter {
#ifdef PADDED
	_Alignas(CASE_LINE)
#endif
		volatile uint64_t n;
};

static _Alignas(CASE_LINE) struct counter counters[CASE_THREADS_MAX];

static void *count(void *arg)
{
	unsigned self = (unsigned)(uintptr_t)arg;
	for (uint64_t i = case_share(600e6); i > 0; i--)
		counters[self].n++;
	return NULL;
}

int main(int argc, char **argv)
{
	case_start(argc, argv);
	case_run(count);
	return 0;
}
