/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Eight blocks live together, then all are freed: the heap's top goes back each time. */
#include "case.h"

#include <string.h>

enum {
	BLOCKS = 8,
	BYTES = 204800
};

static void *churn(void *arg)
{
	(void)arg;
	for (uint64_t i = case_share(1500); i > 0; i--) {
		char *block[BLOCKS];
		for (int b = 0; b < BLOCKS; b++) {
			block[b] = malloc(BYTES);
			case_need(block[b] != NULL, "malloc");
			memset(block[b], (int)i, BYTES);
			case_sink = (uint64_t)block[b][i % BYTES];
		}
		for (int b = 0; b < BLOCKS; b++)
			free(block[b]);
	}
	return NULL;
}

int main(int argc, char **argv)
{
	case_start(argc, argv);
	case_run(churn);
	return 0;
}
