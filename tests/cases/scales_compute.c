/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Nothing is shared and nothing is waited for. */
#include "case.h"

static void *work(void *arg)
{
	(void)arg;
	case_sink = case_compute(case_share(600e6));
	return NULL;
}

int main(int argc, char **argv)
{
	case_start(argc, argv);
	case_run(work);
	return 0;
}
