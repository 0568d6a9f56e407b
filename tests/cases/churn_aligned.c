/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Page-aligned buffers, taken, written and given back; nothing is set in the allocator. */
#include "case.h"

#include <string.h>

static void *churn(void *arg)
{
	(void)arg;
	for (uint64_t i = case_share(12e3); i > 0; i--) {
		void *block;
		case_need(!posix_memalign(&block, 4096, 204800), "posix_memalign");
		memset(block, (int)i, 204800);
		case_sink = ((unsigned char *)block)[i % 204800];
		free(block);
	}
	return NULL;
}

int main(int argc, char **argv)
{
	case_start(argc, argv);
	case_run(churn);
	return 0;
}
