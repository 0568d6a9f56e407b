/* SPDX-License-Identifier: MIT */
/* The packets of one NIC to a file: pcap or pcapng, written beside its name and renamed at the
 * end. A packet is given in two pieces, a new header and the payload as it came in. */
#ifndef ROUTER_IO_WRITER_H
#define ROUTER_IO_WRITER_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "base/err.h"
#include "router/io/packet.h"

struct io_writer;

enum io_writer_format {
	IO_WRITE_PCAP,
	IO_WRITE_PCAPNG,
	IO_WRITE_NONE, /* counts, and writes nothing */
};

struct io_writer_opts {
	enum io_writer_format format;
	enum io_link link;
	bool nano;       /* times in nanoseconds; else microseconds, cut off; io_reader_is_nano() */
	size_t buffered; /* bytes gathered before they are written; 0: 256 KiB */
};

struct io_out {
	int64_t time_ns;
	const void *head; /* what was rewritten */
	const void *tail; /* what follows it; may be NULL */
	uint32_t head_len;
	uint32_t tail_len;
	uint32_t wire_len; /* bytes the packet has; more than head and tail if it was cut off */
};

/* Opens DIR/NIC.pcap or DIR/NIC.pcapng, and makes DIR if it is not there.
 * Errors: LT-OUTPUT (errno; a name of a NIC that cannot be one of a file), LT-MEMORY. */
int io_writer_open(const char *dir, const char *nic, const struct io_writer_opts *opts,
	struct io_writer **ret_writer, struct lt_err *err);

/* Adds a packet; its bytes may change after the call. False once writing has failed (disk full,
 * file limit, ...): the packet is not counted, and io_writer_commit() will tell why. Threads: one
 * caller at a time. Blocks: on the file. */
bool io_writer_put(struct io_writer *writer, const struct io_out *out);

/* The same for a packet that the caller writes in place: of `out`, head and tail are not read, only
 * how long they are. Returns where its bytes go, before the next call; NULL once writing has
 * failed.
 */
uint8_t *io_writer_room(struct io_writer *writer, const struct io_out *out);

/* Whether all went well so far: what a long run asks now and then so that it can end early. */
bool io_writer_ok(const struct io_writer *writer);

/* Writes what is left and gives the file its name. After a failed write, too: what is in it then is
 * a valid file of the packets before the failure, and the failure is returned.
 * Errors: LT-OUTPUT with errno. */
int io_writer_commit(struct io_writer *writer, struct lt_err *err);

/* Packets that are in the file (after commit), or will be. */
uint64_t io_writer_packets(const struct io_writer *writer);
const char *io_writer_path(const struct io_writer *writer); /* NULL for IO_WRITE_NONE */

/* Frees it. What was not committed leaves no file. NULL is allowed. */
void io_writer_close(struct io_writer *writer);

#endif
