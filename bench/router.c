/* SPDX-License-Identifier: GPL-2.0-or-later */
/* The router's packet path beside bare loops that do the least that must be done (router/bare.h).
 * Every measure is a process of its own; they take turns, and medians of CPU time are compared.
 * Started by bench/router.sh, which makes captures and configurations.
 *
 *	router SHAPE CAPTURE CONFIG [OUTPUT-DIRECTORY]      prints: PACKETS CPU-NS WALL-NS */
#include <fcntl.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/stat.h>
#include <time.h>

#include "base/clock.h"
#include "router/bare.h"
#include "router/conf/conf.h"
#include "router/node/run.h"

static int64_t cpu_ns(void)
{
	struct timespec ts;
	clock_gettime(CLOCK_PROCESS_CPUTIME_ID, &ts);
	return lt_timespec_ns(&ts);
}

static void die(const struct lt_err *err)
{
	fprintf(stderr, "router: %s\n", err->text);
	exit(1);
}

static void print(uint64_t packets, int64_t cpu, int64_t wall)
{
	printf("%llu %lld %lld\n", (unsigned long long)packets, (long long)cpu, (long long)wall);
}

static void bare(enum bare_work work, const char *capture, const struct fib *fib)
{
	int fd = open(capture, O_RDONLY);
	struct stat st;
	if (fd < 0 || fstat(fd, &st) < 0)
		exit(1);
	int64_t cpu = cpu_ns(), wall = lt_now_ns();
	uint8_t *file = mmap(NULL, (size_t)st.st_size, PROT_READ, MAP_SHARED, fd, 0);
	if (file == MAP_FAILED)
		exit(1);
	uint64_t sum;
	size_t n = bare_run(work, file, (size_t)st.st_size, &fib->v4, 16, &sum);
	print(n, cpu_ns() - cpu, lt_now_ns() - wall);
	fprintf(stderr, "%llu\n", (unsigned long long)sum);
}

static void ours(const char *capture, const struct conf *conf, const struct fib *fib,
	const char *dir, struct run_opts *opts)
{
	struct lt_err err = { 0 };
	const char *nics[CONF_MAX_NICS];
	struct io_writer *writers[CONF_MAX_NICS];
	struct run_counts counts;
	struct io_input input = { .path = capture };
	struct router *router;
	for (size_t i = 0; i < conf->n_nics; i++)
		nics[i] = conf->nics[i].name;
	struct io_reader_opts ro = {
		.inputs = &input, .n_inputs = 1, .nics = nics, .n_nics = conf->n_nics
	};
	int64_t cpu = cpu_ns(), wall = lt_now_ns();
	if (io_reader_open(&ro, &opts->reader, &err) < 0 ||
		router_new(conf, fib, NULL, &router, &err) < 0)
		die(&err);
	struct io_writer_opts wo = { .format = dir ? IO_WRITE_PCAP : IO_WRITE_NONE, .nano = true };
	for (size_t i = 0; i < conf->n_nics; i++) {
		if (io_writer_open(dir, nics[i], &wo, &writers[i], &err) < 0)
			die(&err);
	}
	opts->writers = writers;
	if (run_counts_init(&counts, conf, &err) < 0)
		die(&err);
	if (run_router(router, opts, &counts, &err) < 0 || router_finish(router, &err) < 0)
		die(&err);
	for (size_t i = 0; i < conf->n_nics; i++) {
		if (io_writer_commit(writers[i], &err) < 0)
			die(&err);
	}
	uint64_t in = 0;
	counters_add(counts.nics, router->counters, conf->n_nics);
	if (!counters_balance(counts.nics, conf->n_nics))
		exit(5);
	for (size_t i = 0; i < conf->n_nics; i++)
		in += counts.nics[i].in;
	print(in, cpu_ns() - cpu, lt_now_ns() - wall);
	fprintf(stderr, "%zu bytes a flow\n",
		router->flows.pairs.used ? router_flow_bytes(router) / router->flows.pairs.used
					 : 0);
}

int main(int argc, char **argv)
{
	if (argc < 4)
		return 2;
	const char *shape = argv[1], *dir = argc > 4 ? argv[4] : NULL;
	struct lt_err err = { 0 };
	struct conf *conf;
	struct fib *fib;
	if (conf_load(argv[3], &conf, &err) < 0 || conf_fib(conf, &fib, &err) < 0)
		die(&err);
	struct run_opts opts = { .threads = 1 };
	static const char *const bares[] = { "walk", "route", "route-out", "nat-out" };
	for (size_t i = 0; i < LT_COUNT(bares); i++) {
		if (!strcmp(shape, bares[i])) {
			bare((enum bare_work)i, argv[2], fib);
			return 0;
		}
	}
	if (!strcmp(shape, "serial"))
		opts.serial = true;
	else
		opts.threads = (unsigned)atoi(shape);
	if (getenv("CHUNK"))
		opts.chunk = (unsigned)atoi(getenv("CHUNK"));
	if (getenv("TOKENS"))
		opts.tokens = (unsigned)atoi(getenv("TOKENS"));
	if (getenv("QUEENS"))
		opts.queens = (unsigned)atoi(getenv("QUEENS"));
	ours(argv[2], conf, fib, dir, &opts);
	return 0;
}
