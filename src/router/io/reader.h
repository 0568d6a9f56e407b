/* SPDX-License-Identifier: MIT */
/* Packets from files: pcap, pcapng and lines of text, one input or several merged into one
 * sequence, without copying.
 *
 * Reading is done in two steps so that threads share it. io_reader_next() walks over record
 * lengths, checks them and numbers the packets: cheap, serial, it decides the order.
 * io_chunk_packets() decodes a chunk: any thread, any order, cannot fail.
 *
 *	io_reader_open(&opts, &reader, &err);  io_chunk_init(&chunk, 256, &err);
 *	while ((n = io_reader_next(reader, &chunk, &err)) > 0) {
 *		io_chunk_packets(&chunk, packets);
 *		...
 *		io_reader_release(reader, &chunk);
 *	}
 */
#ifndef ROUTER_IO_READER_H
#define ROUTER_IO_READER_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "base/arena.h"
#include "base/err.h"
#include "router/io/packet.h"

struct io_reader;
struct io_view;
struct io_block;

/* One file to read, and the NIC that its packets came in by. The same path may be given once for
 * each of its interfaces; it is then read once. */
struct io_input {
	const char *path;      /* "-": standard input */
	const char *nic;       /* NULL: as the file says, see struct io_reader_opts */
	const char *interface; /* NULL: all; else name or number, from 0, of a pcapng interface */
};

enum io_order {
	IO_ORDER_TIME,  /* earliest first; at the same time, the input given first */
	IO_ORDER_GIVEN, /* one input after the other */
};

/* Names the NICs of the router. A packet's NIC is, from what says most: the io_input that names
 * its interface; the io_input of its file; the line of text; the name of its pcapng interface; the
 * name of its file without directory and ending ("in/eth3.pcap" is eth3's); default_nic. An
 * interface that no rule gives a NIC is an error once a packet of it comes. */
struct io_reader_opts {
	const struct io_input *inputs;
	size_t n_inputs;
	const char *const *nics; /* borrowed as long as the reader lives, as are all texts here */
	size_t n_nics;
	const char *default_nic; /* NULL: none */
	enum io_order order;
	int stop_fd; /* when it can be read, streams have ended; 0: there is none */
};

/* Reads "FILE", "NIC=FILE" or "NIC=FILE#INTERFACE"; a '#' belongs to the file's name if a file of
 * that whole name exists, as does a '=' after a '/'. Owner: the texts live in the arena.
 * Errors: LT-INPUT. */
int io_input_parse(
	const char *text, struct lt_arena *arena, struct io_input *ret_input, struct lt_err *err);

/* A run of records of one input that lie one behind the other. */
struct io_span {
	const struct io_view *view; /* how to read them */
	struct io_block *block;     /* what keeps them alive; NULL: a mapped file */
	const uint8_t *at;
	uint32_t n;
};

/* Some packets of the sequence, not yet decoded. */
struct io_chunk {
	uint64_t seq; /* number of its first packet, from 0 over all inputs */
	uint32_t n;   /* packets */
	uint32_t max;
	uint32_t n_spans;
	struct io_span *spans; /* room for max */
};

int io_chunk_init(struct io_chunk *chunk, uint32_t max, struct lt_err *err);
void io_chunk_done(struct io_chunk *chunk);

/* Opens every input and reads its head. Regular files are mapped; one that is
 * cut while it is read is a failure. Errors: LT-INPUT-OPEN (errno), LT-INPUT-FORMAT, LT-INPUT (a
 * NIC or default_nic that is not among opts->nics; standard input twice), and those below. */
int io_reader_open(
	const struct io_reader_opts *opts, struct io_reader **ret_reader, struct lt_err *err);
void io_reader_close(struct io_reader *reader);

/* Fills a chunk with up to chunk->max packets and returns how many, 0 at the end. Where an input is
 * damaged, its packets before the damage still come; other inputs are read to their ends; then,
 * instead of 0, the first failure is returned, and again on every further call (others were
 * logged). The text names file and offset, or line.
 * Threads: one caller at a time. Blocks: on inputs that are pipes.
 * Errors: LT-INPUT-TRUNCATED, LT-INPUT-LENGTH, LT-INPUT-BLOCK (pcapng structure),
 * LT-INPUT-LINK (link type), LT-INPUT-NIC (no NIC for an interface), LT-INPUT-LINE (text),
 * LT-INPUT-READ (errno), LT-INPUT-SHRUNK, LT-MEMORY. */
int io_reader_next(struct io_reader *reader, struct io_chunk *chunk, struct lt_err *err);

/* Whether every file is still as long as it was: for the end, when all packets were used, as some
 * may have been cut after they were walked over. Errors: LT-INPUT-SHRUNK. */
int io_reader_check(const struct io_reader *reader, struct lt_err *err);

/* Decodes a chunk: writes packets[0 .. chunk->n - 1]. Threads: any, also while the reader goes on
 * with other chunks, and several may decode the same chunk. */
void io_chunk_packets(const struct io_chunk *chunk, struct io_packet *packets);

/* Gives the bytes of a chunk's packets back; the chunk can be filled again. Threads: any. */
void io_reader_release(struct io_reader *reader, struct io_chunk *chunk);

/* Whether some input may hold times finer than a microsecond: by the magic number of a pcap; a
 * pcapng always, as each of its interfaces has its own units. What is written should have the same
 * resolution. */
bool io_reader_is_nano(const struct io_reader *reader);

/* What was read of an input so far. Threads: that of io_reader_next(). */
struct io_input_stats {
	const char *path;
	const char *format; /* "pcap", "pcapng", "text" */
	uint64_t packets;
	uint64_t bytes;   /* of the file */
	uint64_t skipped; /* pcapng blocks that are no packets, and of no other use here */
};
size_t io_reader_inputs(const struct io_reader *reader);
void io_reader_stats(const struct io_reader *reader, size_t input, struct io_input_stats *ret);

#endif
