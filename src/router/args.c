/* SPDX-License-Identifier: MIT */
/* The options of leat-router. */
#include "router/args.h"

#include <argp.h>
#include <stdlib.h>
#include <string.h>

#include "base/cpuset.h"
#include "base/log.h"
#include "base/parse.h"
#include "router/node/queens.h"

enum {
	KEY_THREADS = 256,
	KEY_SERIAL,
	KEY_BURST,
	KEY_CHUNK,
	KEY_TOKENS,
	KEY_WORK,
	KEY_DROP,
	KEY_CHECK,
	KEY_FORMAT,
	KEY_ORDER,
	KEY_DEFAULT_NIC,
	CPUS_MAX = 1024,
};

/* How a run is tuned: by options, else by the variables that set it in every program on libleat. */
static const struct {
	int key;
	const char *option, *variable;
	unsigned max;
	size_t at; /* of the unsigned in struct args; 0 there: not given */
} numbers[] = {
	{ KEY_THREADS, "--threads", "LEAT_THREADS", CPUS_MAX, offsetof(struct args, run.threads) },
	{ KEY_BURST, "--burst", "LEAT_BURST", ROUTER_BURST_MAX, offsetof(struct args, burst) },
	{ KEY_CHUNK, "--chunk", "LEAT_CHUNK", RUN_CHUNK_MAX, offsetof(struct args, run.chunk) },
	{ KEY_TOKENS, "--tokens", "LEAT_TOKENS", RUN_TOKENS_MAX,
		offsetof(struct args, run.tokens) },
};

static unsigned *number_of(struct args *args, size_t i)
{
	return (unsigned *)(void *)((char *)args + numbers[i].at);
}

static const struct argp_option options[] = {
	{ "config", 'c', "FILE", 0, "What the router is: leat-router.conf(5)", 1 },
	{ "input", 'i', "[NIC=]FILE", 0,
		"Packets that came in by NIC: pcap, pcapng or text; - is standard input; may be "
		"given again",
		1 },
	{ "output", 'o', "DIR", 0, "Write one capture for each NIC there", 1 },
	{ "check", KEY_CHECK, NULL, 0, "Check the configuration, and show what it means", 1 },
	{ "drop", KEY_DROP, NULL, 0, "Do all the work, but write nothing", 2 },
	{ "format", KEY_FORMAT, "FORM", 0, "Of what is written: pcap (default) or pcapng", 2 },
	{ "order", KEY_ORDER, "HOW", 0,
		"Of several inputs: time (default), or given, one after the other", 2 },
	{ "default-nic", KEY_DEFAULT_NIC, "NIC", 0, "Of inputs that do not tell theirs", 2 },
	{ "quiet", 'q', NULL, 0, "Do not print the counters", 2 },
	{ "threads", KEY_THREADS, "N", 0, "Threads (one for each CPU); the output is the same", 3 },
	{ "serial", KEY_SERIAL, NULL, 0, "The same work as one plain loop", 3 },
	{ "burst", KEY_BURST, "N", 0, "Packets whose table lines are fetched ahead (64)", 3 },
	{ "chunk", KEY_CHUNK, "N", 0, "Packets that go through the stages together (1024)", 3 },
	{ "tokens", KEY_TOKENS, "N", 0, "Chunks under way (4 for each thread)", 3 },
	{ "work", KEY_WORK, "queens:N", 0, "Simulated work in three stages, for each packet", 3 },
	{ 0 },
};

static const char doc[] =
	"Route captures: packets of one or several NICs go through network address translation, "
	"route lookup and bandwidth management; what each NIC would send is written to a capture "
	"of its own, and what became of every packet is counted."
	"\v"
	"Exit codes: 0 done, 2 usage or configuration, 3 an input is damaged, 5 output cannot be "
	"written or packets are missing, 130 and 143 after ^C and SIGTERM.\n\n"
	"Examples:\n"
	"  leat-router --check -c router.conf\n"
	"  leat-router -c router.conf -i lan=lan.pcap -i wan=wan.pcap -o out\n"
	"  leat-router -c router.conf --serial --drop capture.txt\n"
	"  leat run -- leat-router -c router.conf --drop lan.pcap";

static int take_input(struct args *args, const char *text)
{
	if (args->n_inputs == INPUTS_MAX)
		return lt_fail(&args->err, -E2BIG, "LT-USAGE", "more than %d inputs", INPUTS_MAX);
	int r = io_input_parse(text, &args->arena, &args->inputs[args->n_inputs], &args->err);
	args->n_inputs += r == 0;
	return r;
}

static int take_count(
	struct args *args, const char *text, const char *what, uint64_t max, unsigned *ret)
{
	uint64_t n;
	int r = lt_parse_u64(text, what, 1, max, &n, &args->err);
	if (r == 0)
		*ret = (unsigned)n;
	return r;
}

static int take_word(struct args *args, const char *text, const char *what,
	const char *const words[2], unsigned *ret)
{
	for (unsigned i = 0; i < 2; i++) {
		if (!strcmp(text, words[i])) {
			*ret = i;
			return 0;
		}
	}
	return lt_fail(&args->err, -EINVAL, "LT-USAGE", "%s '%.40s' is neither %s nor %s", what,
		text, words[0], words[1]);
}

static int take_work(struct args *args, const char *text)
{
	if (strncmp(text, "queens:", 7) != 0)
		return lt_fail(
			&args->err, -EINVAL, "LT-USAGE", "--work '%.40s' is not queens:N", text);
	return take_count(args, text + 7, "--work queens", QUEENS_MAX, &args->run.queens);
}

static int take_place(struct args *args, int key, const char *arg)
{
	static const char *const forms[] = { "pcap", "pcapng" },
				 *const orders[] = { "time", "given" };
	unsigned i = 0;
	int r;
	switch (key) {
	case 'c':
		args->config = arg;
		return 0;
	case 'o':
		args->dir = arg;
		return 0;
	case KEY_DEFAULT_NIC:
		args->default_nic = arg;
		return 0;
	case KEY_DROP:
		args->format = IO_WRITE_NONE;
		return 0;
	case KEY_FORMAT:
		r = take_word(args, arg, "--format", forms, &i);
		if (args->format != IO_WRITE_NONE)
			args->format = i ? IO_WRITE_PCAPNG : IO_WRITE_PCAP;
		return r;
	case KEY_ORDER:
		r = take_word(args, arg, "--order", orders, &i);
		args->order = i ? IO_ORDER_GIVEN : IO_ORDER_TIME;
		return r;
	default:
		return -ENOSYS;
	}
}

static int take(struct args *args, int key, const char *arg)
{
	for (size_t i = 0; i < LT_COUNT(numbers); i++)
		if (key == numbers[i].key)
			return take_count(
				args, arg, numbers[i].option, numbers[i].max, number_of(args, i));
	switch (key) {
	case 'i':
	case ARGP_KEY_ARG:
		return take_input(args, arg);
	case KEY_CHECK:
		args->check = true;
		return 0;
	case 'q':
		args->quiet = true;
		return 0;
	case KEY_SERIAL:
		args->run.serial = true;
		return 0;
	case KEY_WORK:
		return take_work(args, arg);
	default:
		return take_place(args, key, arg);
	}
}

static error_t parse(int key, char *arg, struct argp_state *state)
{
	int r = take(state->input, key, arg);
	return r == -ENOSYS ? ARGP_ERR_UNKNOWN : -r;
}

/* What no option says. libleat would take the variables' word before ours: it is to find none. */
static int take_environment(struct args *args)
{
	for (size_t i = 0; i < LT_COUNT(numbers); i++) {
		const char *variable = numbers[i].variable;
		const char *text = secure_getenv(variable);
		int r = 0;
		if (text && *text && !*number_of(args, i))
			r = take_count(args, text, variable, numbers[i].max, number_of(args, i));
		if (r < 0)
			return lt_hint(&args->err,
				"give %s a number from 1 to %u, or unset it, or use %s", variable,
				numbers[i].max, numbers[i].option);
		if (text)
			unsetenv(variable);
	}
	return 0;
}

static int check_args(struct args *args)
{
	struct lt_err *err = &args->err;
	if (!args->config) {
		lt_err_set(err, -EINVAL, "LT-USAGE", "no configuration is named");
		return lt_hint(err, "-c router.conf; 'leat-router --help' explains");
	}
	if (args->check)
		return 0;
	if (!args->n_inputs) {
		lt_err_set(err, -EINVAL, "LT-USAGE", "no input is named");
		return lt_hint(err, "-i NIC=FILE, or -i - for standard input");
	}
	for (size_t i = 0; i < args->n_inputs; i++) {
		if (!strcmp(args->config, "-") && !strcmp(args->inputs[i].path, "-")) {
			lt_err_set(err, -EINVAL, "LT-USAGE",
				"standard input is to be configuration and packets");
			return lt_hint(err, "give one of them as a file");
		}
	}
	if (!args->dir && args->format != IO_WRITE_NONE) {
		lt_err_set(err, -EINVAL, "LT-USAGE", "no output directory is named");
		return lt_hint(err, "-o DIR, or --drop to write nothing");
	}
	return 0;
}

int args_fail(const struct lt_err *err, int code)
{
	lt_log(LT_LOG_ERROR, "router", "%s", err->text);
	if (err->hint[0])
		lt_log(LT_LOG_NOTE, "router", "hint: %s", err->hint);
	return code;
}

int args_read(struct args *args, int argc, char **argv)
{
	const struct argp argp = { options, parse, "FILE...", doc, NULL, NULL, NULL };
	argp_err_exit_status = EXIT_USAGE;
	int r = -argp_parse(&argp, argc, argv, 0, NULL, args);
	if (r >= 0)
		r = check_args(args);
	if (r >= 0)
		r = take_environment(args);
	struct lt_cpuset cpus;
	if (!args->run.threads)
		args->run.threads =
			lt_cpuset_allowed(&cpus, NULL) == 0 ? lt_cpuset_count(&cpus) : 1;
	return r;
}
