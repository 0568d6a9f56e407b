/* SPDX-License-Identifier: GPL-2.0-or-later */
/* A program that keeps all its threads on one CPU. With SPREAD each has one of its own. */
#include "case.h"

#include <sched.h>
#include <unistd.h>

static void pin(unsigned cpu)
{
	cpu_set_t set;
	CPU_ZERO(&set);
	CPU_SET(cpu, &set);
	sched_setaffinity(0, sizeof(set), &set);
}

static void *work(void *arg)
{
#ifdef SPREAD
	pin((unsigned)(uintptr_t)arg % (unsigned)sysconf(_SC_NPROCESSORS_ONLN));
#endif
	for (uint64_t i = case_share(100); i > 0; i--)
		case_sink = case_compute(6000000 + (uint64_t)(uintptr_t)arg);
	return NULL;
}

int main(int argc, char **argv)
{
	case_start(argc, argv);
#ifndef SPREAD
	pin(0);
#endif
	case_run(work);
	return 0;
}
