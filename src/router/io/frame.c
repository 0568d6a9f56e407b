/* SPDX-License-Identifier: MIT */
/* Building frames. */
#include "router/io/frame.h"

#include <string.h>

#include "router/io/bytes.h"

enum {
	ETHER_LEN = 14,
	IP_LEN = 20,
	TCP_LEN = 20,
	UDP_LEN = 8,
	ICMP_LEN = 8,
};

static size_t header_len(uint8_t protocol)
{
	switch (protocol) {
	case FRAME_TCP:
		return TCP_LEN;
	case FRAME_UDP:
		return UDP_LEN;
	case FRAME_ICMP:
		return ICMP_LEN;
	default:
		return 0;
	}
}

void frame_mac(uint32_t address, uint8_t mac[6])
{
	mac[0] = 0x02;
	mac[1] = 0x4c;
	io_put_be32(mac + 2, address);
}

/* The ones' complement sum of bytes as 16-bit words, an odd last one with a zero to its right. */
static uint32_t sum(uint32_t start, const uint8_t *bytes, size_t len)
{
	uint32_t total = start;
	size_t i = 0;
	for (; i + 1 < len; i += 2)
		total += (uint32_t)(bytes[i] << 8 | bytes[i + 1]);
	if (i < len)
		total += (uint32_t)(bytes[i] << 8);
	return total;
}

static uint16_t fold(uint32_t total)
{
	while (total >> 16)
		total = (total & 0xffff) + (total >> 16);
	return (uint16_t)~total;
}

static size_t ip_len(const struct frame *frame)
{
	return IP_LEN + header_len(frame->protocol) + frame->payload_len;
}

size_t frame_size(const struct frame *frame)
{
	size_t len = ETHER_LEN + ip_len(frame);
	return len < FRAME_MIN ? FRAME_MIN : len;
}

static void build_ip(const struct frame *frame, uint8_t *ip)
{
	ip[0] = 0x45;
	ip[1] = frame->tos;
	io_put_be16(ip + 2, (uint16_t)ip_len(frame));
	io_put_be16(ip + 4, frame->id);
	ip[8] = frame->ttl;
	ip[9] = frame->protocol;
	io_put_be32(ip + 12, frame->from);
	io_put_be32(ip + 16, frame->to);
	io_put_be16(ip + 10, fold(sum(0, ip, IP_LEN)));
}

static void build_transport(const struct frame *frame, uint8_t *at, size_t len)
{
	uint32_t pseudo = (frame->from >> 16) + (frame->from & 0xffff) + (frame->to >> 16) +
		(frame->to & 0xffff) + frame->protocol + (uint32_t)len;
	io_put_be16(at, frame->from_port);
	io_put_be16(at + 2, frame->to_port);
	if (frame->protocol == FRAME_UDP) {
		io_put_be16(at + 4, (uint16_t)len);
		uint16_t check = fold(sum(pseudo, at, len));
		io_put_be16(at + 6, check ? check : 0xffff); /* 0 would mean: none */
	} else if (frame->protocol == FRAME_TCP) {
		io_put_be32(at + 4, frame->seq);
		io_put_be32(at + 8, frame->ack);
		at[12] = TCP_LEN / 4 << 4;
		at[13] = frame->flags;
		io_put_be16(at + 14, frame->window);
		io_put_be16(at + 16, fold(sum(pseudo, at, len)));
	} else if (frame->protocol == FRAME_ICMP) {
		io_put_be16(at + 4, frame->from_port);
		io_put_be16(at + 6, frame->to_port);
		at[0] = frame->icmp_type;
		at[1] = at[2] = at[3] = 0;
		io_put_be16(at + 2, fold(sum(0, at, len)));
	}
}

size_t frame_build(const struct frame *frame, uint8_t *to)
{
	size_t size = frame_size(frame), head = header_len(frame->protocol);
	size_t payload_at = ETHER_LEN + IP_LEN + head;
	memset(to, 0, payload_at);
	memcpy(to, frame->to_mac, 6);
	memcpy(to + 6, frame->from_mac, 6);
	io_put_be16(to + 12, 0x0800);
	if (frame->payload_len)
		memcpy(to + payload_at, frame->payload, frame->payload_len);
	size_t end = payload_at + frame->payload_len;
	memset(to + end, 0, size - end);
	build_ip(frame, to + ETHER_LEN);
	if (head)
		build_transport(frame, to + ETHER_LEN + IP_LEN, head + frame->payload_len);
	return size;
}
