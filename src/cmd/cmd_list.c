/* SPDX-License-Identifier: GPL-2.0-or-later */
/* `leat list WHAT`: what there is, available or why not. */
#include <fcntl.h>
#include <stdio.h>
#include <string.h>

#include "base/own.h"
#include "cmd/bench.h"
#include "cmd/cmd.h"
#include "meter/meter.h"

static void print_meter(const struct meter *m, const struct value *state)
{
	printf("%-12s %s\n", m->name, m->brief);
	for (size_t i = 0; i < m->n_metrics; i++)
		printf("%s%s", i ? ", " : "               ", m->metrics[i].name);
	if (m->n_metrics)
		printf("  (%s)\n",
			m->use & METER_USE_DEFAULT            ? "default"
				: m->use & METER_USE_EVIDENCE ? "runs of its own"
							      : "with -m");
	if (state->state == VALUE_UNAVAILABLE)
		printf("               not here: %s%s%s\n", state->reason, state->hint ? "; " : "",
			state->hint ? state->hint : "");
}

static void list_meters(void)
{
	LT_AUTO_CLOSE int root = open("/", O_PATH | O_DIRECTORY | O_CLOEXEC);
	LT_AUTO(lt_arena_done) struct lt_arena arena = { 0 };
	struct meter_place place = { .root_fd = root, .arena = &arena };
	for (const struct meter *const *m = meter_table; *m; m++) {
		struct value state = meter_probe(*m, &place);
		print_meter(*m, &state);
	}
}

static const struct {
	const char *name;
	void (*list)(void);
} lists[] = {
	{ "meters", list_meters },
	{ "loads", bench_list },
};

static int usage(FILE *to, int code)
{
	fprintf(to, "Usage: leat list WHAT\nWHAT is one of:");
	for (size_t i = 0; i < LT_COUNT(lists); i++)
		fprintf(to, " %s", lists[i].name);
	fprintf(to, "\n\nExamples:\n  leat list meters\n");
	return code;
}

static int list_run(int argc, char **argv)
{
	if (argc == 2 && (!strcmp(argv[1], "--help") || !strcmp(argv[1], "-h")))
		return usage(stdout, CMD_OK);
	for (size_t i = 0; argc == 2 && i < LT_COUNT(lists); i++) {
		if (strcmp(argv[1], lists[i].name))
			continue;
		lists[i].list();
		return fflush(stdout) == 0 ? CMD_OK : CMD_INTERNAL;
	}
	if (argc >= 2)
		fprintf(stderr, "leat: error: there is no list '%.80s'\n", argv[argc > 2 ? 2 : 1]);
	return usage(stderr, CMD_USAGE);
}

const struct cmd cmd_list = {
	.name = "list",
	.brief = "what there is here: meters, loads, available or why not",
	.run = list_run,
};
