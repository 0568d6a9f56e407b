/* SPDX-License-Identifier: MIT */
/* Classic pcap: a head of 24 bytes, then records of 16 bytes and the packet; microseconds or
 * nanoseconds by the magic number, in the byte order of who wrote it. */
#include "router/io/bytes.h"
#include "router/io/format.h"
#include "router/io/link.h"

enum {
	MAGIC_MICRO = 0xa1b2c3d4,
	MAGIC_NANO = 0xa1b23c4d,
	HEAD_SIZE = 24,
	RECORD_SIZE = 16,
};

struct pcap {
	struct io_view view;
	bool swapped;
	bool nano;
	uint16_t nic, link;
};

static inline void decode(const struct pcap *pcap, const uint8_t *at, uint32_t n,
	struct io_packet *packets, bool swapped)
{
	const uint32_t scale = pcap->nano ? 1 : 1000;
	const struct pcap p = *pcap;
	for (uint32_t i = 0; i < n; i++) {
		uint32_t len = io_get32(at + 8, swapped);
		uint32_t wire_len = io_get32(at + 12, swapped);
		packets[i] = (struct io_packet){
			.data = at + RECORD_SIZE,
			.time_ns = (int64_t)io_get32(at, swapped) * 1000000000 +
				(int64_t)io_get32(at + 4, swapped) * scale,
			.len = len,
			.wire_len = wire_len > len ? wire_len : len,
			.nic = p.nic,
			.link = p.link,
		};
		at += RECORD_SIZE + len;
	}
}

static void decode_native(
	const struct io_view *view, const uint8_t *at, uint32_t n, struct io_packet *packets)
{
	decode((const struct pcap *)view, at, n, packets, false);
}

static void decode_swapped(
	const struct io_view *view, const uint8_t *at, uint32_t n, struct io_packet *packets)
{
	decode((const struct pcap *)view, at, n, packets, true);
}

static bool is_magic(uint32_t magic)
{
	return magic == MAGIC_MICRO || magic == MAGIC_NANO;
}

static bool pcap_detect(const uint8_t *head, size_t n)
{
	return n >= 4 && (is_magic(io_get32(head, false)) || is_magic(io_get32(head, true)));
}

static int pcap_open(struct io_source *source, struct lt_err *err)
{
	struct pcap *pcap = source->state;
	int r = io_source_need(source, HEAD_SIZE, err);
	if (r < 0)
		return r;
	if (io_source_left(source) < HEAD_SIZE)
		return io_bad(source, err, "LT-INPUT-TRUNCATED",
			"the head of a pcap file has %d bytes, here are %zu", HEAD_SIZE,
			io_source_left(source));
	const uint8_t *head = source->at;
	bool swapped = !is_magic(io_get32(head, false));
	uint32_t type = io_get32(head + 20, swapped);
	unsigned major = io_get16(head + 4, swapped), minor = io_get16(head + 6, swapped);
	if (major != 2 || minor < 3) { /* before 2.3 the two lengths stood the other way round */
		io_bad(source, err, "LT-INPUT-FORMAT", "pcap version %u.%u", major, minor);
		return lt_hint(err, "convert it: tcpdump -r FILE -w NEW");
	}
	/* Above the type's 16 bits: the length of frame check sequences, which IP's own length
	 * keeps out of a packet, in 4 bits that bit 26 announces. */
	if (type & 0x03ff0000)
		return io_bad(source, err, "LT-INPUT-LINK",
			"link type 0x%08x has reserved bits set", type);
	enum io_link link;
	if (!io_link_from_file(type & 0xffff, &link))
		return io_bad(source, err, "LT-INPUT-LINK", "link type %u %s cannot be routed",
			type & 0xffff, io_link_name(type & 0xffff));
	int nic = io_nics_find(&source->nics, NULL, -1);
	if (nic == IO_NIC_NONE) {
		lt_err_set(err, -EINVAL, "LT-INPUT-NIC",
			"'%.200s' does not say which NIC its packets came in by", source->path);
		return lt_hint(err, "-i NIC=%.200s, or name the file NIC.pcap", source->nics.path);
	}
	*pcap = (struct pcap){
		.view.decode = swapped ? decode_swapped : decode_native,
		.swapped = swapped,
		.nano = io_get32(head, swapped) == MAGIC_NANO,
		.nic = (uint16_t)nic,
		.link = (uint16_t)link,
	};
	source->at += HEAD_SIZE;
	return 0;
}

/* Brings one more record into the window: 1, 0 at the end, or what is wrong with it. */
static int next_record(struct io_source *source, struct lt_err *err)
{
	const struct pcap *pcap = source->state;
	int r = io_source_need(source, RECORD_SIZE, err);
	size_t left = io_source_left(source);
	if (r < 0 || left == 0)
		return r;
	if (left < RECORD_SIZE)
		return io_bad(source, err, "LT-INPUT-TRUNCATED",
			"the file ends within the head of a record: %zu of %d bytes", left,
			RECORD_SIZE);
	uint32_t len = io_get32(source->at + 8, pcap->swapped);
	if (len > IO_PACKET_MAX)
		return io_bad(source, err, "LT-INPUT-LENGTH",
			"a record claims %u bytes, the most is %d", len, IO_PACKET_MAX);
	r = io_source_need(source, RECORD_SIZE + len, err);
	if (r < 0)
		return r;
	left = io_source_left(source) - RECORD_SIZE;
	if (left < len)
		return io_bad(source, err, "LT-INPUT-TRUNCATED",
			"the file ends within a packet: %zu of %u bytes", left, len);
	return 1;
}

static int pcap_walk(
	struct io_source *source, uint32_t max, struct io_span *ret_span, struct lt_err *err)
{
	const struct pcap *pcap = source->state;
	const bool swapped = pcap->swapped;
	int r = next_record(source, err);
	if (r <= 0)
		return r;
	const uint8_t *at = source->at, *end = source->end;
	uint32_t n = 0;
	while (n < max && (size_t)(end - at) >= RECORD_SIZE) {
		__builtin_prefetch(at + IO_AHEAD);
		uint32_t len = io_get32(at + 8, swapped);
		if (len > IO_PACKET_MAX || len > (size_t)(end - at) - RECORD_SIZE)
			break;
		at += RECORD_SIZE + len;
		n++;
	}
	*ret_span = (struct io_span){
		.view = &pcap->view, .block = source->block, .at = source->at, .n = n
	};
	source->at = at;
	return (int)n;
}

static bool pcap_is_nano(const struct io_source *source)
{
	return ((const struct pcap *)source->state)->nano;
}

const struct io_format io_pcap = {
	.name = "pcap",
	.brief = "classic pcap, microseconds or nanoseconds, either byte order",
	.state_size = sizeof(struct pcap),
	.detect = pcap_detect,
	.open = pcap_open,
	.walk = pcap_walk,
	.is_nano = pcap_is_nano,
};
