/* SPDX-License-Identifier: MIT */
/* leat-router: captures in, managed, translated and routed packets out. */
#include <argp.h>
#include <fcntl.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include <leat/base.h>

#include "base/cpuset.h"
#include "base/log.h"
#include "base/parse.h"
#include "router/conf/conf.h"
#include "router/io/reader.h"
#include "router/io/writer.h"
#include "router/node/queens.h"
#include "router/node/report.h"
#include "router/node/run.h"

enum exit_code {
	EXIT_USAGE = 2,    /* options, configuration, an input that is not there */
	EXIT_DAMAGED = 3,  /* an input is damaged; what came before the damage was routed */
	EXIT_INTERNAL = 5, /* output cannot be written, or packets are missing */
};

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
	INPUTS_MAX = 4096,
	CPUS_MAX = 1024,
};

/* How a run is tuned: by options, else by the variables that set it in every program on libleat. */
enum number {
	NUMBER_THREADS,
	NUMBER_BURST,
	NUMBER_CHUNK,
	NUMBER_TOKENS,
	N_NUMBERS,
};

static const struct {
	int key;
	const char *option, *variable;
	unsigned max;
} numbers[N_NUMBERS] = {
	[NUMBER_THREADS] = { KEY_THREADS, "--threads", "LEAT_THREADS", CPUS_MAX },
	[NUMBER_BURST] = { KEY_BURST, "--burst", "LEAT_BURST", ROUTER_BURST_MAX },
	[NUMBER_CHUNK] = { KEY_CHUNK, "--chunk", NULL, RUN_CHUNK_MAX },
	[NUMBER_TOKENS] = { KEY_TOKENS, "--tokens", "LEAT_TOKENS", RUN_TOKENS_MAX },
};

struct args {
	const char *config, *dir, *default_nic;
	struct io_input inputs[INPUTS_MAX];
	size_t n_inputs;
	enum io_order order;
	enum io_writer_format format;
	bool check, quiet;
	unsigned numbers[N_NUMBERS]; /* 0: not given */
	struct run_opts run;
	struct lt_arena arena;
	struct lt_err err;
};

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

/* ---- options ---- */

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
	for (size_t i = 0; i < N_NUMBERS; i++)
		if (key == numbers[i].key)
			return take_count(
				args, arg, numbers[i].option, numbers[i].max, &args->numbers[i]);
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

static int fail(const struct lt_err *err, int code)
{
	lt_log(LT_LOG_ERROR, "router", "%s", err->text);
	if (err->hint[0])
		lt_log(LT_LOG_NOTE, "router", "hint: %s", err->hint);
	return code;
}

/* What no option says. libleat would take the variables' word before ours: it is to find none. */
static int take_environment(struct args *args)
{
	for (size_t i = 0; i < N_NUMBERS; i++) {
		const char *variable = numbers[i].variable;
		const char *text = variable ? secure_getenv(variable) : NULL;
		int r = 0;
		if (text && *text && !args->numbers[i])
			r = take_count(args, text, variable, numbers[i].max, &args->numbers[i]);
		if (r < 0)
			return lt_hint(&args->err,
				"give %s a number from 1 to %u, or unset it, or use %s", variable,
				numbers[i].max, numbers[i].option);
		if (text)
			unsetenv(variable);
	}
	return 0;
}

static void tune(struct args *args)
{
	struct lt_cpuset cpus;
	args->run.threads = args->numbers[NUMBER_THREADS];
	if (!args->run.threads)
		args->run.threads =
			lt_cpuset_allowed(&cpus, NULL) == 0 ? lt_cpuset_count(&cpus) : 1;
	args->run.chunk = args->numbers[NUMBER_CHUNK];
	args->run.tokens = args->numbers[NUMBER_TOKENS];
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

/* ---- a run ---- */

static volatile sig_atomic_t caught;

static void catch (int sig)
{
	caught = sig;
}

/* The first signal ends the input: what was read is still routed and written. The second kills. */
static void catch_signals(void)
{
	struct sigaction sa = { .sa_handler = catch, .sa_flags = (int)SA_RESETHAND };
	sigaction(SIGINT, &sa, NULL);
	sigaction(SIGTERM, &sa, NULL);
}

struct session {
	struct args *args;
	struct conf *conf;
	struct fib *fib;
	struct router *router;
	struct io_reader *reader;
	struct io_writer **writers;
	struct run_counts counts;
	const char **nics;
};

static void session_done(struct session *s)
{
	router_free(s->router);
	for (size_t i = 0; s->writers && i < s->conf->n_nics; i++)
		io_writer_close(s->writers[i]);
	free(s->writers);
	io_reader_close(s->reader);
	run_counts_done(&s->counts);
	free(s->nics);
	fib_free(s->fib);
	conf_free(s->conf);
}

static int open_reader(struct session *s)
{
	const struct args *args = s->args;
	for (size_t i = 0; i < s->conf->n_nics; i++)
		s->nics[i] = s->conf->nics[i].name;
	struct io_reader_opts opts = {
		.inputs = args->inputs,
		.n_inputs = args->n_inputs,
		.nics = s->nics,
		.n_nics = s->conf->n_nics,
		.default_nic = args->default_nic,
		.order = args->order,
	};
	return io_reader_open(&opts, &s->reader, &s->args->err);
}

static int open_writers(struct session *s)
{
	struct io_writer_opts opts = { .format = s->args->format,
		.link = IO_LINK_ETHERNET,
		.nano = io_reader_is_nano(s->reader) };
	int r = 0;
	for (size_t i = 0; i < s->conf->n_nics && r == 0; i++)
		r = io_writer_open(s->args->dir ? s->args->dir : "", s->nics[i], &opts,
			&s->writers[i], &s->args->err);
	return r;
}

/* A capture is never replaced by what the router makes of it. */
static int check_outputs(const struct session *s)
{
	struct lt_err *err = &s->args->err;
	for (size_t i = 0; i < s->conf->n_nics; i++) {
		const char *path = io_writer_path(s->writers[i]);
		struct stat in, out;
		if (!path || stat(path, &out) < 0)
			continue;
		for (size_t k = 0; k < s->args->n_inputs; k++) {
			if (stat(s->args->inputs[k].path, &in) < 0 || in.st_dev != out.st_dev ||
				in.st_ino != out.st_ino || !S_ISREG(in.st_mode))
				continue;
			lt_err_set(err, -EEXIST, "LT-USAGE",
				"'%.200s' is an input, and would be overwritten", path);
			return lt_hint(err, "give -o another directory");
		}
	}
	return 0;
}

static char *log_path(struct session *s)
{
	const char *log = s->conf->nat.on ? s->conf->nat.log : NULL;
	if (!log || s->args->format == IO_WRITE_NONE)
		return NULL;
	if (log[0] == '/')
		return lt_arena_strdup(&s->args->arena, log);
	return lt_arena_printf(&s->args->arena, "%s/%s", s->args->dir, log);
}

/* What can be wrong before the first packet. */
static int prepare(struct session *s)
{
	struct lt_err *err = &s->args->err;
	int r = conf_load(s->args->config, &s->conf, err);
	if (r == 0)
		r = conf_fib(s->conf, &s->fib, err);
	if (r < 0)
		return fail(err, EXIT_USAGE);
	size_t n = s->conf->n_nics;
	s->nics = calloc(n, sizeof(*s->nics));
	s->writers = calloc(n, sizeof(struct io_writer *));
	if (!s->nics || !s->writers)
		lt_fail_mem(err);
	if (!s->nics || !s->writers || run_counts_init(&s->counts, s->conf, err) < 0)
		return fail(err, EXIT_INTERNAL);
	if (open_reader(s) < 0)
		return fail(err, EXIT_USAGE);
	if (open_writers(s) < 0)
		return fail(err, EXIT_INTERNAL);
	if (check_outputs(s) < 0)
		return fail(err, EXIT_USAGE);
	if (router_new(s->conf, s->fib, log_path(s), &s->router, err) < 0)
		return fail(err, EXIT_INTERNAL);
	if (s->args->numbers[NUMBER_BURST])
		s->router->burst = s->args->numbers[NUMBER_BURST];
	return 0;
}

static int commit(struct session *s)
{
	struct lt_err err = { 0 };
	int code = 0;
	if (router_finish(s->router, &err) < 0)
		code = fail(&err, EXIT_INTERNAL);
	counters_add(s->counts.nics, s->router->counters, s->conf->n_nics);
	for (size_t i = 0; i < s->conf->n_nics; i++) {
		if (io_writer_commit(s->writers[i], &err) < 0)
			code = fail(&err, EXIT_INTERNAL);
	}
	return code;
}

static int print_report(const struct session *s)
{
	LT_AUTO_BUF struct lt_buf text = { 0 };
	report_counts(s->router, &s->counts, &text);
	if (text.failed || fputs(text.data, stdout) < 0 || fflush(stdout) != 0) {
		struct lt_err err = { 0 };
		lt_fail_sys(&err, "LT-OUTPUT", "cannot print the counters");
		return fail(&err, EXIT_INTERNAL);
	}
	return 0;
}

static int worse(int a, int b)
{
	return a > b ? a : b;
}

static int route(struct args *args)
{
	struct session s = { .args = args };
	int code = prepare(&s);
	if (code == 0) {
		catch_signals();
		args->run.reader = s.reader;
		args->run.writers = s.writers;
		args->run.stop = &caught;
		int r = run_router(s.router, &args->run, &s.counts, &args->err);
		if (r < 0)
			code = fail(&args->err,
				strncmp(args->err.id, "LT-INPUT", 8) ? EXIT_INTERNAL
								     : EXIT_DAMAGED);
		code = worse(code, commit(&s));
		if (!args->quiet)
			code = worse(code, print_report(&s));
		if (!counters_balance(s.counts.nics, s.conf->n_nics)) {
			lt_err_set(&args->err, -EBADMSG, "LT-ROUTER-BALANCE",
				"packets are missing: what came in and was made is not what left "
				"and was dropped");
			code = fail(&args->err, EXIT_INTERNAL);
		}
		if (caught)
			code = worse(code, 128 + caught);
	}
	session_done(&s);
	return code;
}

static int check(struct args *args)
{
	LT_AUTO_BUF struct lt_buf text = { 0 };
	if (conf_check(args->config, &text, &args->err) < 0)
		return fail(&args->err, EXIT_USAGE);
	if (fwrite(text.data, 1, text.len, stdout) != text.len || fflush(stdout) != 0) {
		lt_fail_sys(&args->err, "LT-OUTPUT", "cannot print the configuration");
		return fail(&args->err, EXIT_INTERNAL);
	}
	return 0;
}

/* A program started without stdin, stdout or stderr must not take a file of its own for one. */
static void open_missing_streams(void)
{
	for (int fd = 0; fd <= 2; fd++)
		if (fcntl(fd, F_GETFD) < 0 && open("/dev/null", O_RDWR) != fd)
			_exit(EXIT_INTERNAL);
}

const char *argp_program_version = "leat-router " LEAT_VERSION;

int main(int argc, char **argv)
{
	static struct args args;
	const struct argp argp = { options, parse, "FILE...", doc, NULL, NULL, NULL };
	open_missing_streams();
	lt_log_program("leat-router");
	argp_err_exit_status = EXIT_USAGE;
	int code;
	if (argp_parse(&argp, argc, argv, 0, NULL, &args) || check_args(&args) < 0 ||
		take_environment(&args) < 0) {
		code = fail(&args.err, EXIT_USAGE);
	} else {
		tune(&args);
		code = args.check ? check(&args) : route(&args);
	}
	lt_arena_done(&args.arena);
	return code;
}
