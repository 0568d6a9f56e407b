/* SPDX-License-Identifier: MIT */
/* What the tests of reading and writing share: a directory of their own, files from bytes, and
 * everything a reader yields, copied. */
#ifndef TESTS_ROUTER_IO_RIG_H
#define TESTS_ROUTER_IO_RIG_H

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <fcntl.h>
#include <stdio.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include <cmocka.h>

#include "base/buf.h"
#include "base/own.h"
#include "router/io/reader.h"

enum {
	SEEN_MAX = 20000
};

static char rig_dir[] = "/tmp/leat-router-io-XXXXXX";

LT_UNUSED static int rig_enter(void **state)
{
	(void)state;
	memcpy(rig_dir + sizeof(rig_dir) - 7, "XXXXXX", 7);
	return mkdtemp(rig_dir) && chdir(rig_dir) == 0 ? 0 : -1;
}

LT_UNUSED static int rig_leave(void **state)
{
	(void)state;
	char command[64];
	snprintf(command, sizeof(command), "rm -rf %s", rig_dir);
	return chdir("/") == 0 && system(command) == 0 ? 0 : -1;
}

LT_UNUSED static void rig_file(const char *path, const void *bytes, size_t len)
{
	LT_AUTO_CLOSE int fd = open(path, O_WRONLY | O_CREAT | O_TRUNC, 0666);
	assert_true(fd >= 0);
	assert_int_equal(write(fd, bytes, len), len);
}

/* Bytes in either byte order, appended. */
LT_UNUSED static void add16(struct lt_buf *buf, bool big, unsigned v)
{
	unsigned char b[2] = { (unsigned char)(v >> 8), (unsigned char)v };
	unsigned char l[2] = { b[1], b[0] };
	lt_buf_add(buf, big ? b : l, 2);
}

LT_UNUSED static void add32(struct lt_buf *buf, bool big, uint32_t v)
{
	add16(buf, big, big ? v >> 16 : v & 0xffff);
	add16(buf, big, big ? v & 0xffff : v >> 16);
}

LT_UNUSED static void pcap_head(struct lt_buf *buf, bool big, bool nano, uint32_t link)
{
	add32(buf, big, nano ? 0xa1b23c4d : 0xa1b2c3d4);
	add16(buf, big, 2);
	add16(buf, big, 4);
	add32(buf, big, 0);
	add32(buf, big, 0);
	add32(buf, big, 65535);
	add32(buf, big, link);
}

LT_UNUSED static void pcap_record(struct lt_buf *buf, bool big, uint32_t sec, uint32_t rest,
	const void *bytes, uint32_t len, uint32_t wire_len)
{
	add32(buf, big, sec);
	add32(buf, big, rest);
	add32(buf, big, len);
	add32(buf, big, wire_len);
	lt_buf_add(buf, bytes, len);
}

/* All that came, and how it ended. */
static struct seen {
	struct io_packet packets[SEEN_MAX]; /* data points into bytes */
	size_t n;
	struct lt_buf bytes;
	int end; /* 0, or the failure's code */
	struct lt_err err;
} seen;

LT_UNUSED static void rig_drain(struct io_reader *reader, uint32_t burst)
{
	static struct io_packet packets[SEEN_MAX];
	static size_t offsets[SEEN_MAX];
	struct io_chunk chunk;
	assert_int_equal(io_chunk_init(&chunk, burst, NULL), 0);
	lt_buf_done(&seen.bytes);
	memset(&seen, 0, sizeof(seen));
	int n;
	while ((n = io_reader_next(reader, &chunk, &seen.err)) > 0) {
		assert_int_equal(chunk.n, n);
		assert_true(chunk.n <= burst);
		assert_int_equal(chunk.seq, seen.n);
		assert_true(seen.n + chunk.n <= SEEN_MAX);
		io_chunk_packets(&chunk, packets);
		for (int i = 0; i < n; i++) {
			offsets[seen.n] = seen.bytes.len;
			seen.packets[seen.n++] = packets[i];
			lt_buf_add(&seen.bytes, packets[i].data, packets[i].len);
		}
		io_reader_release(reader, &chunk);
	}
	for (size_t i = 0; i < seen.n; i++)
		seen.packets[i].data = (const uint8_t *)seen.bytes.data + offsets[i];
	seen.end = n;
	if (n < 0) /* it stays so */
		assert_int_equal(io_reader_next(reader, &chunk, NULL), n);
	io_chunk_done(&chunk);
}

static const char *const rig_nics[] = { "eth0", "eth1", "eth2", "eth3" };

/* Opens and reads inputs; what cannot be opened ends the same way. */
LT_UNUSED static void rig_read(
	const struct io_input *inputs, size_t n, enum io_order order, uint32_t burst)
{
	struct io_reader *reader;
	struct io_reader_opts opts = {
		.inputs = inputs,
		.n_inputs = n,
		.nics = rig_nics,
		.n_nics = LT_COUNT(rig_nics),
		.order = order,
	};
	seen.n = 0;
	seen.end = io_reader_open(&opts, &reader, &seen.err);
	if (seen.end < 0)
		return;
	rig_drain(reader, burst);
	io_reader_close(reader);
}

/* One file, all of whose packets are eth1's. */
LT_UNUSED static void rig_read_file(const char *path)
{
	rig_read(&(struct io_input){ .path = path, .nic = "eth1" }, 1, IO_ORDER_TIME, 7);
}

LT_UNUSED static void rig_read_bytes(const struct lt_buf *buf)
{
	rig_file("input", buf->data, buf->len);
	rig_read_file("input");
}

/* The reading ended with that failure, whose text has that word. */
LT_UNUSED static void rig_failed(const char *id, const char *word)
{
	assert_true(seen.end < 0);
	assert_string_equal(seen.err.id, id);
	if (!strstr(seen.err.text, word))
		fail_msg("\"%s\" does not say \"%s\"", seen.err.text, word);
}

#endif
