/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Phases of unequal length between barriers that burn the CPU while they wait. */
#include "case.h"

#include <stdatomic.h>

static _Atomic unsigned arrived, phase;

static void __attribute__((noinline)) barrier_wait(void)
{
	unsigned now = atomic_load(&phase);
	if (atomic_fetch_add(&arrived, 1) == case_threads - 1) {
		atomic_store(&arrived, 0);
		atomic_store(&phase, now + 1);
		return;
	}
	while (atomic_load_explicit(&phase, memory_order_acquire) == now)
		;
}

static void *work(void *arg)
{
	unsigned self = (unsigned)(uintptr_t)arg;
	for (unsigned r = 0; r < 200; r++) {
		double part = case_threads == 1 ? 1 : (self + r) % case_threads ? 0.5 : 1.5;
		case_sink = case_compute((uint64_t)(part * (double)case_share(3e6)));
		barrier_wait();
	}
	return NULL;
}

int main(int argc, char **argv)
{
	case_start(argc, argv);
	case_run(work);
	return 0;
}
