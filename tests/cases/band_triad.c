/* SPDX-License-Identifier: GPL-2.0-or-later */
/* a = b + s * c over arrays far larger than the caches. */
#include "case.h"

enum {
	N = 24 << 20, /* doubles in each of three arrays: 576 MiB in all */
	SWEEPS = 16
};

static double *a, *b, *c;

static void *triad(void *arg)
{
	size_t self = (size_t)(uintptr_t)arg;
	size_t from = (size_t)N * self / case_threads, to = (size_t)N * (self + 1) / case_threads;
	for (size_t i = from; i < to; i++)
		a[i] = 0, b[i] = 1, c[i] = 2;
	for (int s = 0; s < (int)(SWEEPS * case_scale + 0.5); s++)
		for (size_t i = from; i < to; i++)
			a[i] = b[i] + 3.0 * c[i];
	return NULL;
}

int main(int argc, char **argv)
{
	case_start(argc, argv);
	a = aligned_alloc(1 << 21, N * sizeof(*a));
	b = aligned_alloc(1 << 21, N * sizeof(*b));
	c = aligned_alloc(1 << 21, N * sizeof(*c));
	case_need(a && b && c, "aligned_alloc");
	case_run(triad);
	case_sink = (uint64_t)a[N / 2];
	return 0;
}
