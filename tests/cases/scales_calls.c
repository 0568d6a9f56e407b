/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Millions of system calls that hurt nobody. */
#include "case.h"

#include <sys/syscall.h>
#include <unistd.h>

static void *ask(void *arg)
{
	long sum = (long)(uintptr_t)arg;
	for (uint64_t i = case_share(10e6); i > 0; i--)
		sum += syscall(SYS_getppid);
	case_sink = (uint64_t)sum;
	return NULL;
}

int main(int argc, char **argv)
{
	case_start(argc, argv);
	case_run(ask);
	return 0;
}
