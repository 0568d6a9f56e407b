/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Blocks of 200 KB, each written once; a fixed threshold makes each of them a map. */
#include "case.h"

#include <malloc.h>
#include <string.h>

static void *churn(void *arg)
{
	(void)arg;
	for (uint64_t i = case_share(12e3); i > 0; i--) {
		char *block = malloc(204800);
		case_need(block != NULL, "malloc");
		memset(block, (int)i, 204800);
		case_sink = (uint64_t)block[i % 204800];
		free(block);
	}
	return NULL;
}

int main(int argc, char **argv)
{
	case_start(argc, argv);
	mallopt(M_MMAP_THRESHOLD, 128 << 10);
	case_run(churn);
	return 0;
}
