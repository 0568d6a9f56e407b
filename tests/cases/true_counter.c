/* SPDX-License-Identifier: GPL-2.0-or-later */
/* One number that everybody counts up. */
#include "case.h"

static uint64_t events;

static void *count(void *arg)
{
	(void)arg;
	for (uint64_t i = case_share(120e6); i > 0; i--)
		__atomic_fetch_add(&events, 1, __ATOMIC_RELAXED);
	return NULL;
}

int main(int argc, char **argv)
{
	case_start(argc, argv);
	case_run(count);
	return 0;
}
