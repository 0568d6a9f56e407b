/* SPDX-License-Identifier: MIT */
/* Lines of text as packets. Real frames are made from them, always the same ones for the same
 * lines: MAC addresses from IP addresses, sequence numbers by counting a flow's packets, a time of
 * one microsecond after the other. The first packet of a TCP flow opens it. */
#include <string.h>

#include "router/io/bytes.h"
#include "router/io/format.h"
#include "router/io/frame.h"
#include "router/io/text.h"

enum {
	FLOWS = 1 << 14, /* counted at a time; a flow that loses its place begins anew */
	STEP_NS = 1000,
	PAYLOAD_MAX = 1460,
};

struct flow {
	uint32_t hash;
	uint16_t sent[2]; /* packets, by direction */
};

/* Before each frame in its block. */
struct record {
	int64_t time_ns;
	uint32_t len;
	uint16_t nic;
	uint16_t step; /* to the next, in units of 8 bytes */
};

struct text {
	struct io_view view;
	struct io_block *frames;
	size_t used, last; /* end and beginning of the newest frame */
	uint64_t line;     /* lines read so far */
	uint64_t packets;  /* that they made */
	struct flow flows[FLOWS];
};

static void text_decode(
	const struct io_view *view, const uint8_t *at, uint32_t n, struct io_packet *packets)
{
	(void)view;
	for (uint32_t i = 0; i < n; i++) {
		struct record record;
		memcpy(&record, at, sizeof(record));
		packets[i] = (struct io_packet){
			.data = at + sizeof(record),
			.time_ns = record.time_ns,
			.len = record.len,
			.wire_len = record.len,
			.nic = record.nic,
			.link = IO_LINK_ETHERNET,
		};
		at += (size_t)record.step * 8;
	}
}

static bool text_detect(const uint8_t *head, size_t n)
{
	for (size_t i = 0; i < n; i++)
		if ((head[i] < ' ' && !strchr("\t\r\n", head[i])) || head[i] > '~' || !head[i])
			return false;
	return n > 0;
}

static int text_open(struct io_source *source, struct lt_err *err)
{
	(void)err;
	struct text *text = source->state;
	text->view.decode = text_decode;
	return 0;
}

/* The same for both directions of a flow; which one it is, is in *ret_way. */
static uint32_t hash_flow(const struct text_line *line, unsigned *ret_way)
{
	uint64_t a = (uint64_t)line->from << 16 | line->from_port;
	uint64_t b = (uint64_t)line->to << 16 | line->to_port;
	*ret_way = a > b;
	uint64_t h = (a < b ? a : b) * 0x9e3779b97f4a7c15U;
	h = (h ^ h >> 29 ^ (a < b ? b : a)) * 0xbf58476d1ce4e5b9U;
	h = (h ^ h >> 32 ^ line->what.protocol) * 0x94d049bb133111ebU;
	return (uint32_t)(h >> 32) | 1;
}

/* The number of the first byte of packet n of a direction: what opens it counts as one. */
static uint32_t seq_of(const struct flow *flow, uint32_t n, size_t payload_len)
{
	return n == 0 ? flow->hash : flow->hash + 1 + (n - 1) * (uint32_t)payload_len;
}

static size_t fill_payload(
	const struct text_word *what, const struct flow *flow, uint16_t n, uint8_t *payload)
{
	memset(payload, 0, what->payload_len);
	memcpy(payload, what->payload, what->given);
	if (what->rtp) {
		io_put_be16(payload + 2, n);
		io_put_be32(payload + 4, n * 160U); /* 20 ms at 8 kHz */
		io_put_be32(payload + 8, flow->hash);
	}
	return what->payload_len;
}

static void fill_frame(struct frame *frame, const struct text_line *line, const struct flow *flow,
	unsigned way, uint8_t *payload)
{
	const struct text_word *what = &line->what;
	uint16_t sent = flow->sent[way], heard = flow->sent[!way];
	bool opens = what->protocol == FRAME_TCP && sent == 0;
	*frame = (struct frame){
		.from = line->from,
		.to = line->to,
		.protocol = what->protocol,
		.ttl = 64,
		.id = sent,
		.from_port = line->from_port,
		.to_port = line->to_port,
		.seq = seq_of(flow, sent, what->payload_len),
		.ack = heard ? seq_of(flow, heard, what->payload_len) : 0,
		.flags = opens ? FRAME_SYN : FRAME_PSH | FRAME_ACK,
		.window = 65535,
		.icmp_type = 8,
		.payload = payload,
	};
	if (opens && heard)
		frame->flags |= FRAME_ACK;
	if (!opens)
		frame->payload_len = fill_payload(what, flow, sent, payload);
	frame_mac(line->from, frame->from_mac);
	frame_mac(line->to, frame->to_mac);
}

/* Room for one more frame in the block, or a new block if nothing of the old one would be cut from
 * a span that has begun: 1, or 0. */
static int make_room(struct io_source *source, bool begun, struct lt_err *err)
{
	struct text *text = source->state;
	enum {
		MOST = sizeof(struct record) + 14 + 20 + 20 + PAYLOAD_MAX + 8
	};
	if (text->frames && text->frames->cap - text->used >= MOST)
		return 1;
	if (begun)
		return 0;
	struct io_block *block = io_block_new(source->blocks, IO_BLOCK_SIZE);
	if (!block)
		return lt_fail_mem(err);
	io_block_unref(source->blocks, text->frames);
	text->frames = block;
	text->used = 0;
	return 1;
}

static void add_packet(struct text *text, const struct text_line *line, uint16_t nic)
{
	unsigned way;
	uint32_t hash = hash_flow(line, &way);
	struct flow *flow = &text->flows[hash / 2 % FLOWS];
	if (flow->hash != hash)
		*flow = (struct flow){ .hash = hash };
	uint8_t payload[PAYLOAD_MAX];
	struct frame frame;
	fill_frame(&frame, line, flow, way, payload);
	flow->sent[way]++;
	uint8_t *to = text->frames->data + text->used;
	struct record record = {
		.time_ns = (int64_t)text->packets * STEP_NS,
		.len = (uint32_t)frame_build(&frame, to + sizeof(record)),
		.nic = nic,
	};
	record.step = (uint16_t)((sizeof(record) + record.len + 7) / 8);
	memcpy(to, &record, sizeof(record));
	text->last = text->used;
	text->used += (size_t)record.step * 8;
	text->packets++;
}

/* The length of the line at the window's beginning, its newline in *ret_ending; 0 with no ending:
 * the end of the input. -EAGAIN: it is not all there, and `begun` says not to wait for it. */
static int next_line(struct io_source *source, bool begun, size_t *ret_len, size_t *ret_ending,
	struct lt_err *err)
{
	for (;;) {
		size_t left = io_source_left(source);
		const uint8_t *end = left
			? memchr(source->at, '\n', left < TEXT_LINE_MAX ? left : TEXT_LINE_MAX)
			: NULL;
		*ret_len = end ? (size_t)(end - source->at) : left;
		*ret_ending = end != NULL;
		if (!end && source->stopped) { /* it may be a part of a line */
			*ret_len = 0;
			return 0;
		}
		if (end || (source->eof && left < TEXT_LINE_MAX))
			return 0;
		if (left >= TEXT_LINE_MAX)
			return lt_fail(err, -EBADMSG, "LT-INPUT-LINE",
				"the line has more than %d characters", TEXT_LINE_MAX - 1);
		if (begun)
			return -EAGAIN;
		int r = io_source_need(source, left + 1, err);
		if (r < 0)
			return r;
	}
}

/* One line of the input: 1 with a packet made of it, 0 without, or a failure. */
static int read_line(
	struct io_source *source, const char *line, size_t len, bool begun, struct lt_err *err)
{
	struct text *text = source->state;
	struct text_line parsed;
	int r = text_line_parse(line, len, &parsed, err);
	if (r <= 0)
		return r;
	int nic = io_nics_find(&source->nics, parsed.nic, -1);
	if (nic == IO_NIC_NONE)
		return lt_fail(err, -EBADMSG, "LT-INPUT-NIC", "there is no NIC '%s'", parsed.nic);
	r = make_room(source, begun, err);
	if (r < 0)
		return r;
	if (r == 0)
		return -EAGAIN;
	add_packet(text, &parsed, (uint16_t)nic);
	return 1;
}

/* Puts file and line before what is wrong with it. */
static int at_line(const struct io_source *source, struct lt_err *err)
{
	const struct text *text = source->state;
	if (!err || !strcmp(err->id, "LT-INPUT-READ") || !strcmp(err->id, "LT-MEMORY"))
		return lt_err_code(err);
	struct lt_err what = *err;
	lt_err_set(err, what.code, what.id, "'%.200s' line %llu: %.300s", source->path,
		(unsigned long long)text->line + 1, what.text);
	return what.hint[0] ? lt_hint(err, "%s", what.hint) : what.code;
}

static int text_walk(
	struct io_source *source, uint32_t max, struct io_span *ret_span, struct lt_err *err)
{
	struct text *text = source->state;
	struct io_span span = { .view = &text->view };
	while (span.n < max) {
		size_t len, ending;
		int r = next_line(source, span.n > 0, &len, &ending, err);
		if (r == 0 && len + ending == 0)
			break;
		if (r == 0)
			r = read_line(source, (const char *)source->at, len, span.n > 0, err);
		if (r < 0 && span.n > 0)
			break; /* the next walk meets it again */
		if (r < 0)
			return at_line(source, err);
		if (r > 0 && span.n++ == 0) {
			span.block = text->frames;
			span.at = text->frames->data + text->last;
		}
		source->at += len + ending;
		text->line++;
	}
	*ret_span = span;
	return (int)span.n;
}

static void text_close(struct io_source *source)
{
	io_block_unref(source->blocks, ((struct text *)source->state)->frames);
}

static bool text_is_nano(const struct io_source *source)
{
	(void)source;
	return false;
}

const struct io_format io_text = {
	.name = "text",
	.brief = "a line per packet: NIC, source, destination, their ports, protocol",
	.state_size = sizeof(struct text),
	.detect = text_detect,
	.open = text_open,
	.walk = text_walk,
	.close = text_close,
	.is_nano = text_is_nano,
};
