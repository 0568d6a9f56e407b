/* SPDX-License-Identifier: GPL-2.0-or-later */
/* A loop that uses poll() as a clock and does a little at each tick. */
#include "case.h"

#include <poll.h>

static void *tick(void *arg)
{
	(void)arg;
	for (unsigned i = (unsigned)(900 * case_scale); i > 0; i--) {
		poll(NULL, 0, 1);
		case_sink = case_compute(case_share(200e3));
	}
	return NULL;
}

int main(int argc, char **argv)
{
	case_start(argc, argv);
	case_run(tick);
	return 0;
}
