/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Lines of a command's output, read with stdio by whoever is free. */
#include "case.h"

static FILE *from;

static void *work(void *arg)
{
	char line[64];
	(void)arg;
	while (fgets(line, sizeof(line), from))
		case_sink = case_compute(2000e3 + (uint64_t)line[0]);
	return NULL;
}

int main(int argc, char **argv)
{
	case_start(argc, argv);
	from = popen("i=0; while [ $i -lt 150 ]; do echo $i; i=$((i + 1)); sleep 0.006; done", "r");
	case_need(from != NULL, "popen");
	case_run(work);
	pclose(from);
	return 0;
}
