/* SPDX-License-Identifier: MIT */
/* What the fuzz targets of the router's inputs share: bytes of exactly their length as a source,
 * read in bursts of two sizes, which must yield the same packets. */
#ifndef TESTS_FUZZ_ROUTER_IO_H
#define TESTS_FUZZ_ROUTER_IO_H

#include <assert.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>

#include "router/io/format.h"
#include "router/io/link.h"

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);

enum {
	FUZZ_BURST = 64
};

struct fuzz_run {
	uint64_t packets, digest;
	int end;
};

static void fuzz_packet(const struct io_packet *packet, struct fuzz_run *run)
{
	struct io_l2 l2;
	assert(packet->len <= IO_PACKET_MAX && packet->len <= packet->wire_len);
	assert(packet->nic < 4 && packet->link < IO_LINKS);
	uint64_t digest = run->digest ^ (uint64_t)packet->time_ns ^ packet->nic;
	for (uint32_t i = 0; i < packet->len; i++)
		digest = (digest ^ packet->data[i]) * 0x100000001b3;
	if (io_link_parse((enum io_link)packet->link, packet->data, packet->len, &l2))
		assert(l2.offset <= packet->len && l2.n_tags <= IO_LINK_TAGS_MAX);
	run->digest = digest * 31 + packet->wire_len;
	run->packets++;
}

static void fuzz_walk(const struct io_format *format, struct io_source *source, uint32_t burst,
	struct fuzz_run *run)
{
	struct io_packet packets[FUZZ_BURST];
	struct io_span span;
	struct lt_err err = { 0 };
	while ((run->end = format->walk(source, burst, &span, &err)) > 0) {
		assert(span.n == (uint32_t)run->end && span.n <= burst);
		err = (struct lt_err){ 0 }; /* what lies behind these packets comes again */
		span.view->decode(span.view, span.at, span.n, packets);
		for (uint32_t i = 0; i < span.n; i++)
			fuzz_packet(&packets[i], run);
	}
	assert((run->end < 0) == (err.text[0] != '\0'));
}

static struct fuzz_run fuzz_read(
	const struct io_format *format, const uint8_t *data, size_t size, uint32_t burst)
{
	static const char *const nics[] = { "eth0", "eth1", "eth2", "eth3" };
	const struct io_reader_opts opts = { .nics = nics, .n_nics = 4, .default_nic = "eth1" };
	struct io_blocks blocks;
	struct fuzz_run run = { 0 };
	struct lt_err err = { 0 };
	uint8_t *bytes = malloc(size ? size : 1);
	void *state = calloc(1, format->state_size);
	if (!bytes || !state)
		abort();
	memcpy(bytes, data, size);
	io_blocks_init(&blocks);
	struct io_source source = {
		.path = "fuzz",
		.state = state,
		.nics = { .opts = &opts, .path = "fuzz" },
		.at = bytes,
		.end = bytes + size,
		.end_offset = size,
		.eof = true,
		.fd = -1,
		.blocks = &blocks,
	};
	run.end = format->open(&source, &err);
	assert((run.end < 0) == (err.text[0] != '\0'));
	if (run.end == 0)
		fuzz_walk(format, &source, burst, &run);
	if (format->close)
		format->close(&source);
	io_blocks_done(&blocks);
	free(state);
	free(bytes);
	return run;
}

static int fuzz_format(const struct io_format *format, const uint8_t *data, size_t size)
{
	if (!format->detect(data, size < IO_HEAD ? size : IO_HEAD))
		return 0;
	struct fuzz_run one = fuzz_read(format, data, size, 1);
	struct fuzz_run many = fuzz_read(format, data, size, FUZZ_BURST);
	assert(one.packets == many.packets && one.digest == many.digest && one.end == many.end);
	return 0;
}

#endif
