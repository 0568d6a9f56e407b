/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Each thread looks every two milliseconds whether it is its turn, with select() on a pipe that
 * nobody writes to. */
#include "case.h"

#include <sys/select.h>
#include <unistd.h>

static int never[2];
static _Atomic unsigned turn;

static void wait_a_bit(void)
{
	struct timeval bit = { .tv_usec = 2000 };
	fd_set set;
	FD_ZERO(&set);
	FD_SET(never[0], &set);
	select(never[0] + 1, &set, NULL, NULL, &bit);
}

static void *take_turns(void *arg)
{
	unsigned me = (unsigned)(size_t)arg;
	for (unsigned i = (unsigned)(300 * case_scale); i > 0; i--) {
		while (turn % case_threads != me)
			wait_a_bit();
		case_sink = case_compute(200e3);
		turn++;
	}
	return NULL;
}

int main(int argc, char **argv)
{
	case_start(argc, argv);
	if (pipe(never) < 0)
		return 1;
	case_run(take_turns);
	return 0;
}
