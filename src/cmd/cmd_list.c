/* SPDX-License-Identifier: GPL-2.0-or-later */
/* `leat list WHAT`: what there is, available or why not. */
#include <fcntl.h>
#include <stdio.h>
#include <string.h>

#include "base/own.h"
#include "cmd/bench.h"
#include "cmd/cmd.h"
#include "meter/meter.h"

static int list_meters(void)
{
	LT_AUTO_CLOSE int root = open("/", O_PATH | O_DIRECTORY | O_CLOEXEC);
	struct lt_arena arena = { 0 };
	struct meter_place place = { .root_fd = root, .arena = &arena };
	for (const struct meter *const *m = meter_table; *m; m++) {
		struct value state = meter_probe(*m, &place);
		printf("%-12s %s\n", (*m)->name, (*m)->brief);
		if (state.state == VALUE_UNAVAILABLE)
			printf("%-12s   not here: %s%s%s\n", "", state.reason,
				state.hint ? "; " : "", state.hint ? state.hint : "");
	}
	lt_arena_done(&arena);
	return CMD_OK;
}

static int list_loads(void)
{
	bench_list();
	return CMD_OK;
}

static const struct {
	const char *name;
	int (*list)(void);
} lists[] = {
	{ "meters", list_meters },
	{ "loads", list_loads },
};

static int list_run(int argc, char **argv)
{
	for (size_t i = 0; argc == 2 && i < LT_COUNT(lists); i++)
		if (!strcmp(argv[1], lists[i].name))
			return lists[i].list();
	fprintf(argc == 2 && !strcmp(argv[1], "--help") ? stdout : stderr,
		"Usage: leat list meters|loads\n");
	return argc == 2 && !strcmp(argv[1], "--help") ? CMD_OK : CMD_USAGE;
}

const struct cmd cmd_list = {
	.name = "list",
	.brief = "what there is here: meters, available or why not, and loads",
	.run = list_run,
};
