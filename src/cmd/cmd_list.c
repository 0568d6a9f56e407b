/* SPDX-License-Identifier: GPL-2.0-or-later */
/* `leat list WHAT`: what there is, available or why not. */
#include <fcntl.h>
#include <stdio.h>
#include <string.h>

#include "base/buf.h"
#include "base/log.h"
#include "cause/cause.h"
#include "cmd/bench.h"
#include "cmd/cmd.h"
#include "meter/meter.h"
#include "remedy/change.h"
#include "remedy/remedy.h"

enum {
	WIDTH = 80,
	INDENT = 15,
	CAUSE_NAMES = 17,
	REMEDY_NAMES = 17,
	REMEDY_INDENT = 4, /* its environment lines are long */
};

/* Words of a text, wrapped. A word that is longer than a line, such as one to be copied, stays
 * whole. */
static void print_wrapped(const char *text, int indent)
{
	int column = indent;
	printf("%*s", indent, "");
	while (*text) {
		int len = (int)strcspn(text, " ");
		if (column > indent && column + 1 + len > WIDTH) {
			printf("\n%*s", indent, "");
			column = indent;
		} else if (column > indent) {
			putchar(' ');
			column++;
		}
		printf("%.*s", len, text);
		column += len;
		text += len + (text[len] == ' ');
	}
	putchar('\n');
}

static void print_meter(const struct meter *m, const struct value *state)
{
	LT_AUTO_BUF struct lt_buf line = { 0 };
	printf("%-12s %s\n", m->name, m->brief);
	for (size_t i = 0; i < m->n_metrics; i++)
		lt_buf_addf(&line, "%s%s", i ? ", " : "", m->metrics[i].name);
	if (m->n_metrics) {
		lt_buf_adds(&line,
			m->use & METER_USE_DEFAULT            ? " (default)"
				: m->use & METER_USE_EVIDENCE ? " (with --count, runs of its own)"
							      : " (with -m)");
		print_wrapped(line.data ? line.data : "", INDENT);
	}
	if (state->state != VALUE_UNAVAILABLE)
		return;
	lt_buf_reset(&line);
	lt_buf_addf(&line, "not here: %s%s%s", state->reason, state->hint ? "; " : "",
		state->hint ? state->hint : "");
	print_wrapped(line.data ? line.data : "", INDENT);
}

static int list_meters(void)
{
	LT_AUTO_CLOSE int root = open("/", O_PATH | O_DIRECTORY | O_CLOEXEC);
	LT_AUTO(lt_arena_done) struct lt_arena arena = { 0 };
	struct meter_place place = { .root_fd = root, .arena = &arena };
	for (const struct meter *const *m = meter_table; *m; m++) {
		struct value state = meter_probe(*m, &place);
		print_meter(*m, &state);
	}
	return CMD_OK;
}

/* Causes, then the change or why there is none. */
static void print_remedy(const struct remedy *r, const struct remedy_place *place)
{
	LT_AUTO_BUF struct lt_buf line = { 0 };
	struct remedy_change change;
	struct remedy_offer offer = r->offer(place, &change);
	printf("%-*s %s\n", REMEDY_NAMES, r->name, r->brief);
	for (const char *const *h = r->heals; h && *h; h++)
		lt_buf_addf(&line, "%s%s", h == r->heals ? "for " : ", ", *h);
	if (line.len)
		print_wrapped(line.data, REMEDY_INDENT);
	lt_buf_reset(&line);
	const char *text =
		offer.state == REMEDY_READY ? remedy_change_text(&change, place->arena) : NULL;
	if (text)
		lt_buf_adds(&line, text);
	else if (offer.state != REMEDY_READY)
		lt_buf_addf(&line, "not here: %s%s%s", offer.reason, offer.hint ? "; " : "",
			offer.hint ? offer.hint : "");
	if (line.len)
		print_wrapped(line.data, REMEDY_INDENT);
}

static int list_remedies(void)
{
	LT_AUTO_CLOSE int root = open("/", O_PATH | O_DIRECTORY | O_CLOEXEC);
	LT_AUTO(lt_arena_done) struct lt_arena arena = { 0 };
	struct lt_cpuset allowed;
	struct remedy_place place;
	struct lt_err err = { 0 };
	int r = lt_cpuset_allowed(&allowed, &err);
	if (r >= 0)
		r = remedy_place_open(&place, root, &arena, &allowed, NULL, &err);
	if (r < 0)
		return cmd_fail(&err, cmd_exit_of(&err));
	for (const struct remedy *const *m = remedy_table; *m; m++)
		print_remedy(*m, &place);
	return CMD_OK;
}

static int list_causes(void)
{
	for (const struct cause *const *c = cause_table; *c; c++) {
		printf("%-*s %s\n", CAUSE_NAMES, (*c)->id, (*c)->what);
		print_wrapped((*c)->help, CAUSE_NAMES + 1);
	}
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
	{ "causes", list_causes },
	{ "remedies", list_remedies },
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
		int code = lists[i].list();
		return fflush(stdout) == 0 ? code : CMD_INTERNAL;
	}
	if (argc >= 2)
		lt_log(LT_LOG_ERROR, "cmd", "there is no list '%.80s'", argv[argc > 2 ? 2 : 1]);
	return usage(stderr, CMD_USAGE);
}

const struct cmd cmd_list = {
	.name = "list",
	.brief = "what there is here: meters, loads, causes, remedies",
	.run = list_run,
};
