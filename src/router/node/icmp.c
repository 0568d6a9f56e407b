/* SPDX-License-Identifier: MIT */
/* ICMP errors that the router sends: RFC 1812 4.3.2, RFC 4443. */
#include "router/node/icmp.h"

#include <netinet/in.h>
#include <string.h>

#include "router/node/bytes.h"
#include "router/node/classify.h"
#include "router/node/sum.h"

enum {
	V4_MAX = 576, /* of the whole error */
	V6_MAX = 1280,
	V4_HEAD = 20 + 8,
	V6_HEAD = 40 + 8,
	TTL = 64,
};

static const struct {
	uint8_t v4_type, v4_code, v6_type, v6_code;
} kinds[] = {
	[ICMP_NO_ROUTE] = { 3, 0, 1, 0 },
	[ICMP_UNREACHABLE] = { 3, 1, 1, 3 },
	[ICMP_PORT] = { 3, 3, 1, 4 },
	[ICMP_PROHIBITED] = { 3, 13, 1, 1 },
	[ICMP_TTL] = { 11, 0, 3, 0 },
	[ICMP_TOO_BIG] = { 3, 4, 2, 0 },
	[ICMP_OPTION] = { 12, 0, 4, 2 },
};

static bool is_unicast_frame(const struct packet *p)
{
	const uint8_t *frame = p->ip - p->l2;
	switch (p->link) {
	case IO_LINK_ETHERNET:
		return !(frame[0] & 1);
	case IO_LINK_SLL: /* 1: broadcast, 2: multicast */
		return frame[1] != 1 && frame[1] != 2;
	case IO_LINK_SLL2:
		return frame[10] != 1 && frame[10] != 2;
	default:
		return true;
	}
}

/* RFC 4443 2.4 (e.3): two errors are told about what was sent to many. */
static bool is_for_all(const struct packet *p, enum icmp_why why)
{
	return p->flags & PACKET_V6 &&
		(why == ICMP_TOO_BIG || (why == ICMP_OPTION && p->ip[p->id] >> 6 == 2));
}

static bool may_tell(const struct packet *p, enum icmp_why why)
{
	/* RFC 4443 2.4 has no rule about fragments */
	if (p->flags & PACKET_ICMP_ERROR || (p->flags & (PACKET_LATER | PACKET_V6)) == PACKET_LATER)
		return false;
	if (!is_unicast_frame(p) && !is_for_all(p, why))
		return false;
	if (!(p->flags & PACKET_V6)) /* others of ICMP are neither questions nor answers */
		return p->proto != IPPROTO_ICMP || p->flags & PACKET_ICMP_QUERY;
	/* of ICMPv6, errors have types below 128, and 137 is a redirect */
	return p->proto != IPPROTO_ICMPV6 || (p->l4 && p->ip[p->l4] >= 128 && p->ip[p->l4] != 137);
}

/* One token per error, as many in stock as come in a second. */
static bool take_token(struct router *r)
{
	int64_t rate = r->conf->icmp_errors_per_s;
	if (rate == 0)
		return true;
	const int64_t second = 1000000000;
	int64_t passed = r->now - r->icmp_ns;
	r->icmp_ns = r->now;
	if (passed > second)
		passed = second;
	r->icmp_tokens += passed * rate;
	if (r->icmp_tokens > rate * second)
		r->icmp_tokens = rate * second;
	if (r->icmp_tokens < second)
		return false;
	r->icmp_tokens -= second;
	return true;
}

/* The packet's own way back: 0 when there is none. */
static uint16_t way_back(const struct router *r, const struct packet *p, uint32_t v4_dst)
{
	uint16_t hop = p->flags & PACKET_V6 ? fib6_lookup(&r->fib->v6, p->ip + 8)
					    : fib4_lookup(&r->fib->v4, v4_dst);
	if (r->hops[hop].kind != FIB_FORWARD)
		return 0;
	/* a sender inside that seems to be outside: its error would show an inside address there */
	bool shows = r->conf->nat.on && p->flags & PACKET_INSIDE && !r->hops[hop].inside;
	return shows && !(p->flags & PACKET_V6) ? 0 : hop;
}

static void put_icmp(uint8_t *icmp, uint8_t type, uint8_t code, enum icmp_why why, uint32_t number)
{
	icmp[0] = type;
	icmp[1] = code;
	if (why == ICMP_TOO_BIG || why == ICMP_OPTION)
		put32(icmp + 4, number); /* ICMP has 16 bits for an MTU, after 16 that are 0 */
}

static void make_v4(struct router *r, const struct packet *p, struct packet *e, uint8_t *b,
	uint32_t quoted, enum icmp_why why, uint32_t number)
{
	uint32_t src = r->nics[p->in].v4;
	e->len = V4_HEAD + quoted;
	e->src = src;
	e->dst = get32(p->ip + 12);
	b[0] = 0x45;
	b[1] = (uint8_t)(0xc0 | (p->ip[1] & 0x1e)); /* precedence 6: RFC 1812 4.3.2.5 */
	put16(b + 2, (uint16_t)e->len);
	put16(b + 4, router_new_id(r, e->src, e->dst, IPPROTO_ICMP));
	b[8] = TTL;
	b[9] = IPPROTO_ICMP;
	put32(b + 12, e->src);
	put32(b + 16, e->dst);
	memcpy(b + V4_HEAD, p->ip, quoted);
	put_icmp(b + 20, kinds[why].v4_type, kinds[why].v4_code, why, number);
	put_sum(b + 22, sum_bytes(b + 20, 8 + quoted));
	put_sum(b + 10, sum_bytes(b, 20));
	e->proto = IPPROTO_ICMP;
	e->l4 = 20;
	e->dscp = b[1] >> 2;
}

static void make_v6(struct router *r, const struct packet *p, struct packet *e, uint8_t *b,
	uint32_t quoted, enum icmp_why why, uint32_t number)
{
	e->len = V6_HEAD + quoted;
	b[0] = 0x60;
	put16(b + 4, (uint16_t)(8 + quoted));
	b[6] = IPPROTO_ICMPV6;
	b[7] = TTL;
	memcpy(b + 8, r->nics[p->in].v6, 16);
	memcpy(b + 24, p->ip + 8, 16);
	memcpy(b + V6_HEAD, p->ip, quoted);
	put_icmp(b + 40, kinds[why].v6_type, kinds[why].v6_code, why, number);
	uint64_t pseudo = sum_bytes(b + 8, 32) + htonl(8 + quoted) + htonl(IPPROTO_ICMPV6);
	put_sum(b + 42, pseudo + sum_bytes(b + 40, 8 + quoted));
	e->flags |= PACKET_V6;
	e->proto = IPPROTO_ICMPV6;
	e->l4 = 40;
}

static bool has_address(const struct router *r, const struct packet *p)
{
	static const uint8_t none[16];
	const struct router_nic *nic = &r->nics[p->in];
	return p->flags & PACKET_V6 ? memcmp(nic->v6, none, 16) != 0 : nic->v4 != 0;
}

void icmp_error(struct router *r, struct chunk *chunk, const struct packet *p, enum icmp_why why,
	uint32_t number)
{
	if (!may_tell(p, why) || !has_address(r, p))
		return;
	bool v6 = p->flags & PACKET_V6;
	uint16_t hop = way_back(r, p, v6 ? 0 : get32(p->ip + 12));
	if (!hop || !take_token(r))
		return;
	uint32_t head = v6 ? V6_HEAD : V4_HEAD, most = (v6 ? V6_MAX : V4_MAX) - head;
	uint32_t quoted = p->cap < most ? p->cap : most;
	uint8_t *bytes = chunk_room(chunk, p, head + quoted);
	if (!bytes)
		return;
	struct packet e = { .ip = bytes,
		.time_ns = p->time_ns,
		.in = p->in,
		.hop = hop,
		.l2 = p->l2,
		.link = p->link,
		.flags = PACKET_READY };
	if (v6)
		make_v6(r, p, &e, bytes, quoted, why, number);
	else
		make_v4(r, p, &e, bytes, quoted, why, number);
	e.cap = e.len;
	if (r->classes_on)
		classify_alone(r, &e);
	if (chunk_add(chunk, &e))
		r->counters[p->in].made++;
}
