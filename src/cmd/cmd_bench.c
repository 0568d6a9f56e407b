/* SPDX-License-Identifier: GPL-2.0-or-later */
/* `leat bench NAME`: runs a built-in workload once. Its options come from its table, so a
 * new load needs no line here. */
#include <argp.h>
#include <ctype.h>
#include <inttypes.h>
#include <stdbool.h>
#include <stdio.h>
#include <string.h>

#include "base/arena.h"
#include "base/buf.h"
#include "base/own.h"
#include "base/parse.h"
#include "cmd/bench.h"
#include "cmd/cmd.h"
#include "load/load.h"

struct bench_input {
	const struct load *load;
	struct load_value *values;
	struct lt_err err;
};

void bench_list(void)
{
	for (const struct load *const *l = load_table; *l; l++)
		printf("%-12s %s\n", (*l)->name, (*l)->brief);
}

static int take_value(struct bench_input *in, size_t i, const char *arg)
{
	const struct load_option *opt = &in->load->options[i];
	char what[64];
	snprintf(what, sizeof(what), "--%s", opt->name);
	switch (opt->type) {
	case LOAD_COUNT:
		return lt_parse_u64(arg, what, opt->min, opt->max, &in->values[i].count, &in->err);
	case LOAD_FLAG:
		in->values[i].count = 1;
		return 0;
	case LOAD_TEXT:
		in->values[i].text = arg;
		return 0;
	}
	return lt_fail(&in->err, -EINVAL, "LT-OPTION", "%s: no such kind of option", what);
}

static error_t take_option(int key, char *arg, struct argp_state *state)
{
	struct bench_input *in = state->input;
	if (key == ARGP_KEY_ARG && in->load->operand && !in->values[in->load->n_options].text) {
		in->values[in->load->n_options].text = arg;
		return 0;
	}
	if (key == ARGP_KEY_ARG && in->load->in_order && state->arg_num < in->load->n_options)
		return take_value(in, state->arg_num, arg);
	if (key == ARGP_KEY_ARG)
		return lt_fail(&in->err, -EINVAL, "LT-OPTION", "%s takes no %sargument '%.80s'",
			in->load->name, in->load->operand || in->load->in_order ? "further " : "",
			arg);
	for (size_t i = 0; i < in->load->n_options; i++)
		if (key == (unsigned char)in->load->options[i].letter)
			return take_value(in, i, arg);
	return ARGP_ERR_UNKNOWN;
}

/* The load's options as argp wants them; the default stands in the help. */
static struct argp_option *argp_options(const struct load *load, struct lt_arena *arena)
{
	struct argp_option *opts = lt_arena_alloc(arena, (load->n_options + 1) * sizeof(*opts));
	for (size_t i = 0; opts && i < load->n_options; i++) {
		const struct load_option *from = &load->options[i];
		bool count = from->type == LOAD_COUNT;
		opts[i].key = (unsigned char)from->letter;
		opts[i].name = from->name;
		opts[i].arg = count ? "N" : from->type == LOAD_TEXT ? "TEXT" : NULL;
		opts[i].doc = count
			? lt_arena_printf(arena, "%s (%" PRIu64 ")", from->what, from->def)
			: from->what;
		if (!opts[i].doc)
			return NULL;
	}
	return opts;
}

/* What may follow without a dash, as the usage line says it. */
static const char *args_doc(const struct load *load, struct lt_arena *arena)
{
	LT_AUTO_BUF struct lt_buf buf = { 0 };
	if (load->operand)
		return lt_arena_printf(arena, "[%s]", load->operand);
	if (!load->in_order)
		return "";
	for (size_t i = 0; i < load->n_options; i++) {
		lt_buf_adds(&buf, i ? " [" : "[");
		for (const char *c = load->options[i].name; *c; c++)
			lt_buf_addf(&buf, "%c", toupper((unsigned char)*c));
	}
	for (size_t i = 0; i < load->n_options; i++)
		lt_buf_adds(&buf, "]");
	return buf.failed ? NULL : lt_arena_strdup(arena, buf.data);
}

static void print_result(const struct bench_input *in, const struct load_result *res)
{
	printf("%s:", in->load->name);
	for (size_t i = 0; i < in->load->n_options; i++) {
		const struct load_option *opt = &in->load->options[i];
		if (opt->type == LOAD_COUNT)
			printf(" %s %" PRIu64, opt->name, in->values[i].count);
		else if (opt->type == LOAD_FLAG && in->values[i].count)
			printf(" %s", opt->name);
		else if (opt->type == LOAD_TEXT && in->values[i].text)
			printf(" %s %s", opt->name, in->values[i].text);
	}
	if (in->values[in->load->n_options].text)
		printf(" %s", in->values[in->load->n_options].text);
	double seconds = (double)res->elapsed_ns / 1e9;
	printf("\n%s: %" PRIu64 "\nelapsed: %.6f s\n", in->load->work, res->work, seconds);
	if (res->work && res->elapsed_ns > 0)
		printf("rate: %.0f %s/s\n", (double)res->work / seconds, in->load->work);
	for (size_t i = 0; i < res->n_figures; i++)
		printf("%s: %g %s\n", res->figures[i].name, res->figures[i].num,
			res->figures[i].unit);
	if (res->text)
		fputs(res->text, stdout);
}

static int bench_load(const struct load *load, int argc, char **argv, struct lt_arena *arena)
{
	struct bench_input in = { .load = load };
	struct load_result res;
	char name[64];
	const char *args = args_doc(load, arena);
	struct argp_option *opts = argp_options(load, arena);
	char *doc = lt_arena_printf(arena, "%s.\vTimed: %s.", load->brief, load->timed);
	in.values = lt_arena_alloc(arena, (load->n_options + 1) * sizeof(*in.values));
	if (!opts || !doc || !args || !in.values) {
		lt_fail_mem(&in.err);
		return cmd_fail(&in.err, CMD_INTERNAL);
	}
	load_defaults(load, in.values);

	struct argp argp = {
		.options = opts, .parser = take_option, .doc = doc, .args_doc = *args ? args : NULL
	};
	snprintf(name, sizeof(name), "leat bench %s", load->name);
	argv[0] = name;
	argp_err_exit_status = CMD_USAGE;
	if (argp_parse(&argp, argc, argv, 0, NULL, &in) != 0)
		return cmd_fail(&in.err, CMD_USAGE);
	if (load->run(in.values, &res, &in.err) < 0)
		return cmd_fail(
			&in.err, cmd_exit_of(&in.err) == CMD_USAGE ? CMD_USAGE : CMD_CANNOT);
	print_result(&in, &res);
	free(res.text);
	return CMD_OK;
}

static int usage(void)
{
	printf("Usage: leat bench NAME [OPTION...]\n"
	       "Runs a built-in workload of known size once:\n\n");
	bench_list();
	printf("\n'leat bench NAME --help' lists its options.\n\n"
	       "Examples:\n"
	       "  leat bench messaging -g 4 -l 50\n"
	       "  leat compare -- 'leat bench messaging' 'leat bench messaging -p'\n");
	return CMD_OK;
}

static int bench_run(int argc, char **argv)
{
	if (argc < 2 || !strcmp(argv[1], "--help"))
		return usage();
	const struct load *load = load_find(argv[1]);
	if (!load) {
		struct lt_err err;
		lt_err_set(&err, -EINVAL, "LT-LOAD", "no load '%.80s'", argv[1]);
		lt_hint(&err, "'leat list loads' lists them");
		return cmd_fail(&err, CMD_USAGE);
	}
	struct lt_arena arena = { 0 };
	int code = bench_load(load, argc - 1, argv + 1, &arena);
	lt_arena_done(&arena);
	return code;
}

const struct cmd cmd_bench = {
	.name = "bench",
	.brief = "built-in workloads of known size",
	.run = bench_run,
};
