/* SPDX-License-Identifier: GPL-2.0-or-later */
/* `leat this-name WORD...`: counts its arguments. */
#include <stdio.h>
#include <string.h>

#include "cmd/cmd.h"

static int this_name_run(int argc, char **argv)
{
	if (argc > 1 && !strcmp(argv[1], "--help")) {
		printf("Usage: leat this-name [WORD...]\n"
		       "Counts its arguments.\n\n"
		       "Examples:\n"
		       "  leat this-name one two\n");
		return CMD_OK;
	}
	printf("%d\n", argc - 1);
	return CMD_OK;
}

const struct cmd cmd_this_name = {
	.name = "this-name",
	.brief = "count arguments",
	.run = this_name_run,
};
