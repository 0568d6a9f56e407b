/* SPDX-License-Identifier: MIT */
/* Splitting packets. */
#include "router/node/split.h"

#include "router/node/bytes.h"

enum {
	MORE = 0x2000,
	OFFSET = 0x1fff,
};

/* The header of the fragments behind the first: of options only those that are to be copied. */
static uint32_t later_header(const uint8_t *ip, uint32_t header, uint8_t *to)
{
	uint32_t len = 20;
	memcpy(to, ip, 20);
	for (uint32_t at = 20; at < header;) {
		uint8_t kind = ip[at];
		if (kind == 0)
			break;
		uint32_t size = kind == 1 ? 1 : ip[at + 1];
		if (kind & 0x80) {
			memcpy(to + len, ip + at, size);
			len += size;
		}
		at += size;
	}
	while (len % 4)
		to[len++] = 0;
	to[0] = (uint8_t)(0x40 | len / 4);
	return len;
}

void split_begin(struct split *split, const struct io_out *whole, uint32_t link, uint32_t mtu,
	uint8_t *scratch)
{
	uint8_t *frame = split_frame(scratch);
	const uint8_t *ip = frame + link;
	uint32_t header = (ip[0] & 15u) * 4;
	*split = (struct split){
		.frame = frame,
		.later = scratch,
		.link = link,
		.header = header,
		.cap = whole->head_len - link - header,
		.len = whole->wire_len - link - header,
		.mtu = mtu,
		.field = get16(ip + 6),
		.time_ns = whole->time_ns,
	};
	memcpy(scratch, frame, link);
	split->later_header = later_header(ip, header, scratch + link);
}

bool split_next(struct split *split, struct io_out *ret_piece)
{
	if (split->at >= split->len)
		return false;
	bool first = split->n++ == 0;
	uint8_t *head = first ? split->frame : split->later;
	uint8_t *ip = head + split->link;
	uint32_t header = first ? split->header : split->later_header;
	uint32_t room = (split->mtu - header) & ~7u, left = split->len - split->at;
	uint32_t size = left < room ? left : room;
	uint32_t there = split->at < split->cap ? split->cap - split->at : 0;
	bool more = size < left || split->field & MORE;
	uint32_t offset = (split->field & OFFSET) + split->at / 8;
	put16(ip + 2, (uint16_t)(header + size));
	put16(ip + 6, (uint16_t)((split->field & 0xc000u) | (more ? MORE : 0u) | offset));
	put_raw(ip + 10, 0);
	put_sum(ip + 10, sum_bytes(ip, header));
	*ret_piece = (struct io_out){
		.time_ns = split->time_ns,
		.head = head,
		.head_len = split->link + header,
		.tail = split->frame + split->link + split->header + split->at,
		.tail_len = there < size ? there : size,
		.wire_len = split->link + header + size,
	};
	split->at += size;
	return true;
}
