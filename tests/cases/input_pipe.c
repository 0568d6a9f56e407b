/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Records come through a pipe from a process that makes one every half millisecond. */
#include "case.h"

#include <sys/wait.h>
#include <time.h>
#include <unistd.h>

static int from;

static void produce(int to)
{
	const struct timespec pause = { .tv_nsec = 500000 };
	for (uint64_t i = (uint64_t)(1600 * case_scale); i > 0; i--) {
		nanosleep(&pause, NULL);
		if (write(to, &i, sizeof(i)) != sizeof(i))
			_exit(1);
	}
	_exit(0);
}

static void *work(void *arg)
{
	uint64_t record;
	(void)arg;
	while (read(from, &record, sizeof(record)) == sizeof(record))
		case_sink = case_compute(100e3 + record % 2);
	return NULL;
}

int main(int argc, char **argv)
{
	int fd[2];
	case_start(argc, argv);
	case_need(pipe(fd) == 0, "pipe");
	pid_t child = fork();
	case_need(child >= 0, "fork");
	if (child == 0)
		produce(fd[1]);
	close(fd[1]);
	from = fd[0];
	case_run(work);
	waitpid(child, NULL, 0);
	return 0;
}
