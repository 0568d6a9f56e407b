/* SPDX-License-Identifier: MIT */
/* From frames to packets: RFC 1812 5.2.2 and 5.3.7 for IPv4, RFC 8200 for IPv6. */
#include "router/node/parse.h"

#include <netinet/in.h>

#include "router/node/bytes.h"
#include "router/node/sum.h"
#include "router/node/table.h"

enum {
	ETHERNET = 14,
	TAG = 4,
	TYPE_IPV4 = 0x0800,
	TYPE_IPV6 = 0x86dd,
	TYPE_NONE = 0,
	AHEAD = 8, /* frames whose first bytes are asked for before they are looked at */
};

/* ---- link layers ---- */

static uint16_t type_by_version(const uint8_t *ip)
{
	return ip[0] >> 4 == 4 ? TYPE_IPV4 : ip[0] >> 4 == 6 ? TYPE_IPV6 : TYPE_NONE;
}

/* Where the link header ends, and what follows it. The frame may be shorter than that. */
static uint32_t link_header(const struct io_packet *f, uint16_t *ret_type)
{
	const uint8_t *d = f->data;
	uint32_t at = 0;
	switch (f->link) {
	case IO_LINK_ETHERNET:
		at = ETHERNET;
		break;
	case IO_LINK_SLL:
		at = 16;
		break;
	case IO_LINK_SLL2:
		*ret_type = f->len >= 20 ? get16(d) : TYPE_NONE;
		return 20;
	case IO_LINK_NULL:
	case IO_LINK_LOOP:
		at = 4; /* the address family has as many numbers as there are systems */
		*ret_type = f->len > at ? type_by_version(d + at) : TYPE_NONE;
		return at;
	default:
		*ret_type = f->len > 0 ? type_by_version(d) : TYPE_NONE;
		return 0;
	}
	*ret_type = f->len >= at ? get16(d + at - 2) : TYPE_NONE;
	return at;
}

static bool is_tag(uint16_t type)
{
	return type == 0x8100 || type == 0x88a8 || type == 0x9100;
}

static enum drop skip_tags(const struct io_packet *f, uint32_t *at, uint16_t *type)
{
	for (unsigned n = 0; is_tag(*type); n++) {
		if (n == PARSE_TAGS_MAX)
			return DROP_tags;
		if (f->len < *at + TAG)
			return DROP_short;
		*type = get16(f->data + *at + 2);
		*at += TAG;
	}
	return DROP_NONE;
}

/* ---- layer 4 ---- */

static void icmp_kind(struct packet *p, const uint8_t *icmp)
{
	uint16_t id = get16(icmp + 4);
	if (parse_is_question(icmp[0])) {
		p->flags |= PACKET_ICMP_QUERY;
		p->sport = id;
		p->dport = icmp[0];
	} else if (parse_is_answer(icmp[0])) {
		p->flags |= PACKET_ICMP_QUERY;
		p->sport = parse_question(icmp[0]);
		p->dport = id;
	} else if (parse_is_icmp_error(icmp[0])) {
		p->flags |= PACKET_ICMP_ERROR;
	}
}

void parse_l4(struct packet *p, uint32_t needed_of_tcp)
{
	uint32_t at = p->l4, there = p->cap - at;
	const uint8_t *h = p->ip + at;
	bool whole = there >= 8;
	if (p->proto == IPPROTO_TCP) {
		whole = there >= needed_of_tcp;
		if (whole && there >= 14)
			p->tcp = h[13];
	} else if (p->proto != IPPROTO_UDP && p->proto != IPPROTO_ICMP) {
		return; /* has no ports that the router knows */
	}
	if (!whole) {
		p->l4 = 0;
	} else if (p->proto == IPPROTO_ICMP) {
		icmp_kind(p, h);
	} else {
		p->sport = get16(h);
		p->dport = get16(h + 2);
	}
}

/* ---- IPv4 ---- */

/* A malformed option, or one that asks for a route of its own. RFC 1812 5.2.4, RFC 7126. */
static enum drop check_options(const uint8_t *ip, uint32_t header, bool source_route)
{
	for (uint32_t at = 20; at < header;) {
		uint8_t kind = ip[at];
		if (kind == 0)
			break;
		if (kind == 1) {
			at++;
			continue;
		}
		if (at + 1 >= header || ip[at + 1] < 2 || at + ip[at + 1] > header)
			return DROP_header;
		if ((kind == 131 || kind == 137) && !source_route)
			return DROP_source_route;
		at += ip[at + 1];
	}
	return DROP_NONE;
}

static enum drop check_addresses(uint32_t src, uint32_t dst)
{
	uint32_t from = src >> 24, to = dst >> 24;
	if (from == 0 || from == 127 || from >= 224)
		return DROP_martian_src;
	if (to == 0 || to == 127)
		return DROP_martian_dst;
	if (to < 224)
		return DROP_NONE;
	if (to < 240)
		return DROP_multicast;
	return dst == UINT32_MAX ? DROP_broadcast : DROP_NONE;
}

/* The part of the fragment offset field that makes a packet a fragment. */
static enum drop fragment(struct packet *p, uint16_t field)
{
	uint32_t offset = (field & 0x1fffu) * 8, payload = p->len - p->l4;
	if (offset + payload > 65535)
		return DROP_fragment_bad;
	if (field & 0x2000) {
		p->flags |= PACKET_MORE;
		if (payload % 8 || !payload)
			return DROP_fragment_bad;
	}
	if (offset) {
		p->flags |= PACKET_LATER;
		if (offset == 8 && p->proto == IPPROTO_TCP)
			return DROP_fragment_bad; /* would overwrite a TCP header: RFC 3128 */
	}
	return DROP_NONE;
}

static void hash_v4(struct packet *p)
{
	p->hash = packet_hash(p->src, p->dst, p->sport, p->dport, p->proto);
}

static enum drop parse_v4(
	const struct parser *parser, struct packet *p, uint32_t there, uint32_t frame)
{
	const uint8_t *ip = p->ip;
	if (there < 20)
		return DROP_short;
	if (ip[0] >> 4 != 4)
		return DROP_version;
	uint32_t header = (ip[0] & 15u) * 4, len = get16(ip + 2);
	if (header < 20 || header > frame)
		return DROP_header;
	if (len == 0 && parser->zero_length_is_frame && frame <= UINT16_MAX)
		len = frame;
	if (len < header || len > frame)
		return DROP_length;
	p->len = len;
	p->cap = there < len ? there : len;
	if (p->cap < len)
		p->flags |= PACKET_CUT;
	if (p->cap < header)
		return DROP_short;
	if (sum_fold(sum_bytes(ip, header)) != SUM_RIGHT)
		return DROP_checksum;
	p->src = get32(ip + 12);
	p->dst = get32(ip + 16);
	p->proto = ip[9];
	p->l4 = (uint8_t)header;
	p->dscp = ip[1] >> 2;
	if (ip[8] <= 1)
		p->flags |= PACKET_LAST_HOP;
	if (header > 20) {
		enum drop drop = check_options(ip, header, parser->source_route);
		if (drop)
			return drop;
		p->flags |= PACKET_OPTIONS;
	}
	enum drop drop = check_addresses(p->src, p->dst);
	if (drop)
		return drop;
	uint16_t field = get16(ip + 6);
	if (field & 0x4000)
		p->flags |= PACKET_DF;
	if (field & 0x3fff) {
		drop = fragment(p, field);
		if (drop)
			return drop;
	}
	if (p->flags & PACKET_LATER)
		p->l4 = 0;
	else
		parse_l4(p, 20);
	if (parser->flows) {
		hash_v4(p);
		if (addrs_find(&parser->external, p->dst) != ADDRS_NONE)
			p->flags |= PACKET_ADDRESSED;
	}
	return DROP_NONE;
}

/* ---- IPv6 ---- */

static bool is_extension(uint8_t proto)
{
	return proto == IPPROTO_HOPOPTS || proto == IPPROTO_ROUTING || proto == IPPROTO_FRAGMENT ||
		proto == IPPROTO_DSTOPTS || proto == IPPROTO_AH;
}

/* Length of an extension header of which 8 bytes are there. */
static uint32_t extension_len(uint8_t kind, const uint8_t *h)
{
	return kind == IPPROTO_AH          ? (h[1] + 2u) * 4
		: kind == IPPROTO_FRAGMENT ? 8
					   : (h[1] + 1u) * 8;
}

/* Options for each hop: pads and the router alert are known, of others the two highest bits say
 * what to do. RFC 8200 4.2, RFC 2711. */
static enum drop check_hop_options(struct packet *p, uint32_t at, uint32_t end)
{
	while (at < end) {
		uint8_t kind = p->ip[at];
		if (kind == 0) {
			at++;
			continue;
		}
		if (at + 2 > end || at + 2 + p->ip[at + 1] > end)
			return DROP_extensions;
		if (kind >> 6 == 1)
			return DROP_option;
		if (kind >> 6) {
			p->flags |= PACKET_OPTION;
			p->id = (uint16_t)at;
			return DROP_NONE;
		}
		at += 2u + p->ip[at + 1];
	}
	return DROP_NONE;
}

/* Steps over extension headers to layer 4. What lies between a router and layer 4 is no reason to
 * drop a packet (RFC 8200 4, RFC 7045 2.1), but for damaged options that are for each hop: where
 * the headers are too many, do not fit or are not all there, and behind a fragment header that is
 * not the first, p->l4 is left 0; as it is where its offset is beyond what p->l4 can tell. */
static enum drop skip_extensions(struct packet *p, uint8_t next)
{
	uint32_t at = 40;
	bool on = is_extension(next);
	for (unsigned n = 0; on; n++) {
		const uint8_t *h = p->ip + at;
		bool there = at + 8 <= p->cap;
		if (!there || at + extension_len(next, h) > p->len) {
			bool damaged = there || !(p->flags & PACKET_CUT);
			p->proto = next;
			return next == IPPROTO_HOPOPTS && damaged ? DROP_extensions : DROP_NONE;
		}
		if (next == IPPROTO_FRAGMENT) {
			p->flags |= get16(h + 2) & 1 ? PACKET_MORE : 0;
			p->flags |= get16(h + 2) & 0xfff8 ? PACKET_LATER : 0;
		}
		p->flags |= PACKET_OPTIONS;
		uint32_t end = at + extension_len(next, h);
		if (next == IPPROTO_HOPOPTS && end <= p->cap) {
			enum drop drop = check_hop_options(p, at + 2, end);
			if (drop)
				return drop;
		}
		at = end;
		next = h[0];
		on = is_extension(next) && next != IPPROTO_HOPOPTS &&
			n + 1 < PARSE_EXTENSIONS_MAX && !(p->flags & PACKET_LATER);
	}
	p->proto = next;
	bool found = !is_extension(next) && !(p->flags & PACKET_LATER);
	p->l4 = found && at <= UINT8_MAX && at < p->cap ? (uint8_t)at : 0;
	return DROP_NONE;
}

static bool is_zero(const uint8_t *addr, size_t n)
{
	for (size_t i = 0; i < n; i++) {
		if (addr[i])
			return false;
	}
	return true;
}

static bool is_link_local(const uint8_t addr[16])
{
	return addr[0] == 0xfe && (addr[1] & 0xc0) == 0x80;
}

static enum drop check_v6_addresses(const uint8_t *src, const uint8_t *dst)
{
	if (src[0] == 0xff || is_link_local(src) || (is_zero(src, 15) && src[15] <= 1))
		return DROP_martian_src;
	if (dst[0] == 0xff)
		return DROP_multicast;
	if (is_link_local(dst) || (is_zero(dst, 15) && dst[15] <= 1))
		return DROP_martian_dst;
	return DROP_NONE;
}

/* A flow of IPv6 is known by a hash of its addresses in place of them. */
static void hash_v6(struct packet *p)
{
	p->src = parse_v6_hash(p->ip + 8);
	p->dst = parse_v6_hash(p->ip + 24);
	p->hash = packet_hash(p->src, p->dst, p->sport, p->dport, p->proto);
}

static enum drop parse_v6(
	const struct parser *parser, struct packet *p, uint32_t there, uint32_t frame)
{
	const uint8_t *ip = p->ip;
	p->flags |= PACKET_V6;
	if (there < 40)
		return DROP_short;
	if (ip[0] >> 4 != 6)
		return DROP_version;
	uint32_t payload = get16(ip + 4);
	if (payload == 0 && ip[6] != IPPROTO_NONE && parser->zero_length_is_frame &&
		frame <= 40 + UINT16_MAX)
		payload = frame - 40;
	if (payload + 40 > frame)
		return DROP_length;
	p->len = payload + 40;
	p->cap = there < p->len ? there : p->len;
	if (p->cap < p->len)
		p->flags |= PACKET_CUT;
	p->dscp = (uint8_t)(get16(ip) >> 6 & 0x3f);
	if (ip[7] <= 1)
		p->flags |= PACKET_LAST_HOP;
	enum drop drop = check_v6_addresses(ip + 8, ip + 24);
	if (!drop)
		drop = skip_extensions(p, ip[6]);
	if (drop)
		return drop;
	if (p->l4 && p->proto != IPPROTO_ICMP)
		parse_l4(p, 20);
	if (parser->flows)
		hash_v6(p);
	return DROP_NONE;
}

/* ---- a frame ---- */

static enum drop parse_frame(
	const struct parser *parser, const struct io_packet *f, struct packet *p)
{
	uint16_t type;
	uint32_t at = ETHERNET;
	if (f->link == IO_LINK_ETHERNET && f->len >= ETHERNET)
		type = get16(f->data + ETHERNET - 2);
	else
		at = link_header(f, &type);
	if (f->len < at)
		return DROP_short;
	if (is_tag(type)) {
		enum drop drop = skip_tags(f, &at, &type);
		if (drop)
			return drop;
	}
	p->ip = f->data + at;
	p->l2 = (uint8_t)at;
	if (type == TYPE_IPV4)
		return parse_v4(parser, p, f->len - at, f->wire_len - at);
	if (type == TYPE_IPV6)
		return parse_v6(parser, p, f->len - at, f->wire_len - at);
	return f->len == at ? DROP_short : DROP_not_ip;
}

void parse_packets(const struct parser *parser, const struct io_packet *frames,
	struct packet *packets, size_t n)
{
	for (size_t i = 0; i < n; i++) {
		const struct io_packet *f = &frames[i];
		if (i + AHEAD < n)
			__builtin_prefetch(frames[i + AHEAD].data);
		struct packet p = {
			.time_ns = f->time_ns,
			.len = f->wire_len,
			.in = f->nic,
			.link = (uint8_t)f->link,
			.flags = parser->inside[f->nic & 0xff] ? PACKET_INSIDE : 0,
		};
		p.drop = (uint8_t)parse_frame(parser, f, &p);
		packets[i] = p;
	}
}
