/* SPDX-License-Identifier: GPL-2.0-or-later */
/* A program that maps its scratch memory itself, for each item anew. */
#include "case.h"

#include <string.h>
#include <sys/mman.h>

enum {
	BYTES = 1 << 20
};

static void *churn(void *arg)
{
	(void)arg;
	for (uint64_t i = case_share(2400); i > 0; i--) {
		char *scratch = mmap(
			NULL, BYTES, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
		case_need(scratch != MAP_FAILED, "mmap");
		for (size_t at = 0; at < BYTES; at += 512)
			scratch[at] = (char)i;
		case_sink = (uint64_t)scratch[i % BYTES];
		munmap(scratch, BYTES);
	}
	return NULL;
}

int main(int argc, char **argv)
{
	case_start(argc, argv);
	case_run(churn);
	return 0;
}
