/* SPDX-License-Identifier: MIT */
/* pcapng: blocks of a type, a length, a body and the length again. Sections may differ in byte
 * order, interfaces in link type and in the units of their clocks. */
#include "router/io/pcapng.h"

#include "router/io/bytes.h"
#include "router/io/link.h"

bool pcapng_packet(const struct pcapng_section *section, const uint8_t *at, size_t block_len,
	struct pcapng_packet *ret)
{
	const bool swapped = section->swapped;
	switch (io_get32(at, swapped)) {
	case PCAPNG_PACKET:
	case PCAPNG_OBSOLETE_PACKET:
		/* The older one has a 16-bit interface, and a count of drops in the other half. */
		*ret = (struct pcapng_packet){
			.interface = io_get32(at, swapped) == PCAPNG_PACKET
				? io_get32(at + 8, swapped)
				: io_get16(at + 8, swapped),
			.units = (uint64_t)io_get32(at + 12, swapped) << 32 |
				io_get32(at + 16, swapped),
			.len = io_get32(at + 20, swapped),
			.wire_len = io_get32(at + 24, swapped),
			.data_at = 28,
		};
		return true;
	case PCAPNG_SIMPLE_PACKET: {
		/* Its captured length is what fits: the block, and the limit of interface 0. */
		uint32_t wire_len = io_get32(at + 8, swapped), len = wire_len;
		uint32_t room = (uint32_t)(block_len - 16);
		uint32_t snaplen = pcapng_interface(section, 0)->snaplen;
		if (snaplen && len > snaplen)
			len = snaplen;
		*ret = (struct pcapng_packet){
			.len = len < room ? len : room,
			.wire_len = wire_len,
			.data_at = 12,
			.timeless = true,
		};
		return true;
	}
	default:
		return false;
	}
}

void pcapng_decode(
	const struct io_view *view, const uint8_t *at, uint32_t n, struct io_packet *packets)
{
	const struct pcapng_section *section = (const struct pcapng_section *)view;
	for (uint32_t i = 0; i < n;) {
		uint32_t block_len = io_get32(at + 4, section->swapped);
		struct pcapng_packet packet;
		if (pcapng_packet(section, at, block_len, &packet)) {
			const struct pcapng_interface *interface =
				pcapng_interface(section, packet.interface);
			packets[i++] = (struct io_packet){
				.data = at + packet.data_at,
				.time_ns = packet.timeless
					? 0
					: pcapng_time(&interface->clock, packet.units),
				.len = packet.len,
				.wire_len =
					packet.wire_len > packet.len ? packet.wire_len : packet.len,
				.nic = interface->nic,
				.link = interface->link,
			};
		}
		at += block_len;
	}
}

static bool pcapng_detect(const uint8_t *head, size_t n)
{
	return n >= 4 && io_get32(head, false) == PCAPNG_SECTION;
}

/* Why a packet's interface is not usable. */
static int fail_interface(struct io_source *source, const struct pcapng_interface *interface,
	uint32_t number, struct lt_err *err)
{
	enum io_link link;
	const char *name = interface->name ? interface->name : "";
	if (!io_link_from_file(interface->linktype, &link))
		return io_bad(source, err, "LT-INPUT-LINK",
			"link type %u %s of interface %u '%s' cannot be routed",
			interface->linktype, io_link_name(interface->linktype), number, name);
	io_bad(source, err, "LT-INPUT-NIC", "interface %u '%s' is none of the NICs", number, name);
	return lt_hint(err, "-i NIC=%.200s#%u", source->nics.path, number);
}

static int check_packet(
	struct io_source *source, const uint8_t *at, uint32_t block_len, struct lt_err *err)
{
	const struct pcapng *pcapng = source->state;
	const struct pcapng_section *section = pcapng->section;
	uint32_t min = io_get32(at, section->swapped) == PCAPNG_SIMPLE_PACKET ? 16 : 32;
	if (block_len < min)
		return io_bad(source, err, "LT-INPUT-BLOCK",
			"a packet block of %u bytes, the least is %u", block_len, min);
	if (section->n_interfaces == 0)
		return io_bad(source, err, "LT-INPUT-BLOCK",
			"a packet before any interface was described");
	struct pcapng_packet packet = { 0 };
	pcapng_packet(section, at, block_len, &packet);
	if (packet.len > block_len - min)
		return io_bad(source, err, "LT-INPUT-LENGTH",
			"a packet claims %u bytes, its block has %u", packet.len, block_len - min);
	if (packet.len > IO_PACKET_MAX)
		return io_bad(source, err, "LT-INPUT-LENGTH",
			"a packet claims %u bytes, the most is %d", packet.len, IO_PACKET_MAX);
	if (packet.interface >= section->n_interfaces)
		return io_bad(source, err, "LT-INPUT-BLOCK",
			"a packet of interface %u, the section has described %u", packet.interface,
			section->n_interfaces);
	const struct pcapng_interface *interface = pcapng_interface(section, packet.interface);
	if (!interface->usable)
		return fail_interface(source, interface, packet.interface, err);
	return 1;
}

/* The byte order of the block at the window's beginning: a section header brings its own. */
static int find_order(struct io_source *source, bool *ret_swapped, struct lt_err *err)
{
	const struct pcapng *pcapng = source->state;
	if (io_get32(source->at, false) != PCAPNG_SECTION) {
		*ret_swapped = pcapng->section->swapped;
		return 0;
	}
	uint32_t order = io_get32(source->at + 8, false);
	if (order != PCAPNG_ORDER && order != __builtin_bswap32(PCAPNG_ORDER))
		return io_bad(source, err, "LT-INPUT-BLOCK",
			"a section header of byte order 0x%08x", order);
	*ret_swapped = order != PCAPNG_ORDER;
	return 0;
}

/* The two lengths of a block that is wholly in the window. */
static int check_tail(
	struct io_source *source, uint32_t block_len, bool swapped, struct lt_err *err)
{
	uint32_t again = io_get32(source->at + block_len - 4, swapped);
	if (again != block_len)
		return io_bad(source, err, "LT-INPUT-BLOCK",
			"a block begins with length %u and ends with length %u", block_len, again);
	return 0;
}

/* Moves over a block of no interest, which may be longer than what is kept in memory. A block that
 * is wholly in the window stays there if it is damaged, so that the next walk finds the same. */
static int skip_block(
	struct io_source *source, uint32_t block_len, bool swapped, struct lt_err *err)
{
	if (io_source_left(source) >= block_len) {
		int r = check_tail(source, block_len, swapped, err);
		source->at += r < 0 ? 0 : block_len;
		return r;
	}
	uint64_t from = io_source_offset(source);
	int r = io_source_skip(source, block_len - 4, err);
	if (r > 0)
		r = io_source_need(source, 4, err);
	if (r < 0)
		return r;
	if (io_source_left(source) < 4)
		return lt_fail(err, -EBADMSG, "LT-INPUT-TRUNCATED",
			"'%.200s' at byte %llu: the file ends within a block of %u bytes",
			source->path, (unsigned long long)from, block_len);
	uint32_t again = io_get32(source->at, swapped);
	if (again != block_len)
		return lt_fail(err, -EBADMSG, "LT-INPUT-BLOCK",
			"'%.200s' at byte %llu: a block begins with length %u and ends with length "
			"%u",
			source->path, (unsigned long long)from, block_len, again);
	source->at += 4;
	return 0;
}

static bool is_read(uint32_t type)
{
	return type == PCAPNG_SECTION || type == PCAPNG_INTERFACE || type == PCAPNG_PACKET ||
		type == PCAPNG_SIMPLE_PACKET || type == PCAPNG_OBSOLETE_PACKET;
}

/* Reads a block that is wholly in the window. */
static int read_block(struct io_source *source, uint32_t type, uint32_t block_len, bool swapped,
	struct lt_err *err)
{
	const uint8_t *body = source->at + 8;
	size_t body_len = block_len - PCAPNG_BLOCK_MIN;
	int r = check_tail(source, block_len, swapped, err);
	if (r < 0)
		return r;
	if (type == PCAPNG_SECTION)
		return pcapng_section_block(source, body, body_len, swapped, err);
	if (type == PCAPNG_INTERFACE)
		return pcapng_interface_block(source, body, body_len, err);
	return check_packet(source, source->at, block_len, err);
}

enum step {
	STEP_END,    /* of the file */
	STEP_OTHER,  /* moved over a block that is no packet */
	STEP_PACKET, /* one is at the window's beginning, checked */
};

/* Looks at the next block. In the head, a packet is not looked into. */
static int step(struct io_source *source, bool head, struct lt_err *err)
{
	bool swapped;
	int r = io_source_need(source, PCAPNG_BLOCK_MIN, err);
	size_t left = io_source_left(source);
	if (r < 0 || left == 0)
		return r < 0 ? r : STEP_END;
	if (left < PCAPNG_BLOCK_MIN)
		return io_bad(source, err, "LT-INPUT-TRUNCATED",
			"the file ends within the head of a block: %zu of %d bytes", left,
			PCAPNG_BLOCK_MIN);
	r = find_order(source, &swapped, err);
	if (r < 0)
		return r;
	uint32_t type = io_get32(source->at, swapped);
	uint32_t block_len = io_get32(source->at + 4, swapped);
	if (block_len < PCAPNG_BLOCK_MIN || block_len % 4 != 0 ||
		(is_read(type) && block_len > PCAPNG_BLOCK_MAX))
		return io_bad(source, err, "LT-INPUT-BLOCK", "a block of type 0x%x claims %u bytes",
			type, block_len);
	if (!is_read(type)) {
		r = skip_block(source, block_len, swapped, err);
		source->skipped += r == 0;
		return r < 0 ? r : STEP_OTHER;
	}
	bool packet = type != PCAPNG_SECTION && type != PCAPNG_INTERFACE;
	if (packet && head)
		return STEP_PACKET;
	r = io_source_need(source, block_len, err);
	if (r < 0)
		return r;
	if (io_source_left(source) < block_len)
		return io_bad(source, err, "LT-INPUT-TRUNCATED",
			"the file ends within a block: %zu of %u bytes", io_source_left(source),
			block_len);
	r = read_block(source, type, block_len, swapped, err);
	if (r < 0 || packet)
		return r < 0 ? r : STEP_PACKET;
	source->at += block_len;
	return STEP_OTHER;
}

/* Reads as far as the first packet, so that what the interfaces are is known. */
static int pcapng_open(struct io_source *source, struct lt_err *err)
{
	int r;
	while ((r = step(source, true, err)) == STEP_OTHER)
		;
	return r < 0 ? r : 0;
}

/* Whether the next block belongs to this section and is wholly in the window, as decoding needs
 * all blocks between two packets. */
static bool is_at_hand(const struct io_source *source, bool swapped)
{
	size_t left = io_source_left(source);
	return left >= PCAPNG_BLOCK_MIN && io_get32(source->at, false) != PCAPNG_SECTION &&
		io_get32(source->at + 4, swapped) <= left;
}

static int pcapng_walk(
	struct io_source *source, uint32_t max, struct io_span *ret_span, struct lt_err *err)
{
	const struct pcapng *pcapng = source->state;
	int r;
	while ((r = step(source, false, err)) == STEP_OTHER)
		;
	if (r != STEP_PACKET)
		return r;
	const struct pcapng_section *section = pcapng->section;
	const bool swapped = section->swapped;
	*ret_span = (struct io_span){
		.view = &section->view, .block = source->block, .at = source->at, .n = 1
	};
	source->at += io_get32(source->at + 4, swapped);
	while (ret_span->n < max && is_at_hand(source, swapped)) {
		__builtin_prefetch(source->at + IO_AHEAD);
		r = step(source, false, NULL);
		if (r < 0)
			break; /* the next walk says why */
		if (r == STEP_PACKET) {
			source->at += io_get32(source->at + 4, swapped);
			ret_span->n++;
		}
	}
	return (int)ret_span->n;
}

static void pcapng_close(struct io_source *source)
{
	lt_arena_done(&((struct pcapng *)source->state)->arena);
}

/* Interfaces that are described behind the head may have finer clocks than those before. */
static bool pcapng_is_nano(const struct io_source *source)
{
	(void)source;
	return true;
}

const struct io_format io_pcapng = {
	.name = "pcapng",
	.brief = "pcapng: several sections and interfaces, every unit of time, either byte order",
	.state_size = sizeof(struct pcapng),
	.detect = pcapng_detect,
	.open = pcapng_open,
	.walk = pcapng_walk,
	.close = pcapng_close,
	.is_nano = pcapng_is_nano,
};
