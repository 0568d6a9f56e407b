/* SPDX-License-Identifier: MIT */
/* For the tests of io: prints every packet of the inputs, one line each, and writes them again.
 *
 *	router-dump [-o given] [-b BURST] [-w DIR pcap|pcapng] [-i NIC=FILE[#IF]]... IN...
 *
 * The NICs are eth0 to eth3. */
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "router/io/reader.h"
#include "router/io/writer.h"

enum {
	NICS = 4
};

static const char *const nics[NICS] = { "eth0", "eth1", "eth2", "eth3" };

struct dump {
	struct lt_arena arena;
	struct io_input inputs[64];
	struct io_reader_opts opts;
	uint32_t burst;
	const char *dir;
	enum io_writer_format format;
	struct io_writer *writers[NICS];
	struct io_packet *packets;
};

static int parse(struct dump *dump, char **argv, struct lt_err *err)
{
	for (; *argv && dump->opts.n_inputs < LT_COUNT(dump->inputs); argv++) {
		if (!strcmp(*argv, "-o")) {
			argv++;
			dump->opts.order = IO_ORDER_GIVEN;
		} else if (!strcmp(*argv, "-b")) {
			dump->burst = (uint32_t)atoi(*++argv);
		} else if (!strcmp(*argv, "-w")) {
			dump->dir = *++argv;
			dump->format =
				strcmp(*++argv, "pcapng") == 0 ? IO_WRITE_PCAPNG : IO_WRITE_PCAP;
		} else {
			argv += !strcmp(*argv, "-i");
			int r = io_input_parse(
				*argv, &dump->arena, &dump->inputs[dump->opts.n_inputs++], err);
			if (r < 0)
				return r;
		}
	}
	return 0;
}

static int open_writers(struct dump *dump, const struct io_reader *reader, struct lt_err *err)
{
	struct io_writer_opts opts = { .format = dump->format, .nano = io_reader_is_nano(reader) };
	for (int i = 0; i < NICS && dump->dir; i++) {
		int r = io_writer_open(dump->dir, nics[i], &opts, &dump->writers[i], err);
		if (r < 0)
			return r;
	}
	return 0;
}

static void show(struct dump *dump, const struct io_packet *p)
{
	printf("%s %d %lld %u %u ", nics[p->nic], p->link, (long long)p->time_ns, p->len,
		p->wire_len);
	for (uint32_t i = 0; i < p->len; i++)
		printf("%02x", p->data[i]);
	putchar('\n');
	uint32_t head = p->len < 34 ? p->len : 34;
	struct io_out out = { .time_ns = p->time_ns,
		.head = p->data,
		.tail = p->data + head,
		.head_len = head,
		.tail_len = p->len - head,
		.wire_len = p->wire_len };
	if (dump->dir)
		io_writer_put(dump->writers[p->nic], &out);
}

static int run(struct dump *dump, struct io_reader *reader, struct lt_err *err)
{
	struct io_chunk chunk;
	int n, r = io_chunk_init(&chunk, dump->burst, err);
	dump->packets = calloc(dump->burst, sizeof(*dump->packets));
	while (r == 0 && dump->packets && (n = io_reader_next(reader, &chunk, err)) != 0) {
		if (n < 0) {
			r = n;
			break;
		}
		io_chunk_packets(&chunk, dump->packets);
		for (int i = 0; i < n; i++)
			show(dump, &dump->packets[i]);
		io_reader_release(reader, &chunk);
	}
	for (int i = 0; i < NICS; i++) {
		if (dump->writers[i] && io_writer_commit(dump->writers[i], err) < 0)
			r = -EIO;
		io_writer_close(dump->writers[i]);
	}
	io_chunk_done(&chunk);
	free(dump->packets);
	return r;
}

int main(int argc, char **argv)
{
	static struct dump dump = { .burst = 64 };
	struct io_reader *reader = NULL;
	struct lt_err err = { 0 };
	(void)argc;
	signal(SIGXFSZ, SIG_IGN);
	dump.opts.inputs = dump.inputs;
	dump.opts.nics = nics;
	dump.opts.n_nics = NICS;
	int r = parse(&dump, argv + 1, &err);
	if (r == 0)
		r = io_reader_open(&dump.opts, &reader, &err);
	if (r == 0)
		r = open_writers(&dump, reader, &err);
	if (r == 0)
		r = run(&dump, reader, &err);
	if (r < 0)
		fprintf(stderr, "%s: %s\n%s\n", err.id, err.text, err.hint);
	io_reader_close(reader);
	lt_arena_done(&dump.arena);
	return r < 0;
}
