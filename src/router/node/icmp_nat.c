/* SPDX-License-Identifier: MIT */
/* ICMP errors through the NAT: RFC 5508 section 4. The error quotes a packet that the NAT has sent;
 * its flow says what that packet was before, and so who is to be told. */
#include <netinet/in.h>
#include <string.h>

#include "router/node/bytes.h"
#include "router/node/icmp.h"
#include "router/node/sum.h"

enum {
	ICMP_HEAD = 8,
	ICMP_REDIRECT = 5,
};

/* The quoted packet, and where things lie in the copy that is to be rewritten. */
struct quote {
	struct packet p;
	uint8_t *ip; /* its header, in the copy */
	uint8_t *l4; /* NULL: its first 8 bytes are not all there */
};

static bool checksum_is_right(const struct packet *p, uint32_t icmp)
{
	/* of what was cut off we cannot say that it is wrong */
	return p->flags & PACKET_CUT ||
		sum_fold(sum_bytes(p->ip + icmp, p->len - icmp)) == SUM_RIGHT;
}

/* Reads the quoted packet: its IP header must be sound; of its length nothing is asked, and options
 * are stepped over (REQ-3). */
static bool read_quote(uint8_t *ip, uint32_t there, struct quote *ret)
{
	if (there < 20 || ip[0] >> 4 != 4)
		return false;
	uint32_t header = (ip[0] & 15u) * 4;
	if (header < 20 || header > there || sum_fold(sum_bytes(ip, header)) != SUM_RIGHT)
		return false;
	*ret = (struct quote){
		.ip = ip,
		.p = { .ip = ip,
			.len = there,
			.cap = there,
			.src = get32(ip + 12),
			.dst = get32(ip + 16),
			.proto = ip[9],
			.l4 = (uint8_t)header },
	};
	if (get16(ip + 6) & 0x1fff)
		return false; /* not the first fragment: no ports */
	parse_l4(&ret->p, 8);
	ret->l4 = ret->p.l4 ? ip + ret->p.l4 : NULL;
	return true;
}

/* The side of those packets that answer the quoted one. */
static uint32_t find_answers(struct router *r, const struct packet *quoted)
{
	struct packet p = { .src = quoted->dst,
		.dst = quoted->src,
		.sport = quoted->dport,
		.dport = quoted->sport,
		.proto = quoted->proto };
	p.hash = packet_hash(p.src, p.dst, p.sport, p.dport, p.proto);
	return flow_find(&r->flows, &p, r->now);
}

static int check_offset(uint8_t proto)
{
	return proto == IPPROTO_TCP     ? 16
		: proto == IPPROTO_UDP  ? 6
		: proto == IPPROTO_ICMP ? 2
					: -1;
}

/* Makes the quoted packet what it was: addresses, ports, and both checksums as far as they were
 * quoted. */
static void restore(struct quote *q, const struct flow_side *was, const struct flow_side *answers)
{
	uint8_t *ip = q->ip, *l4 = q->l4;
	put32(ip + 12, was->src);
	put32(ip + 16, was->dst);
	/* what is done to answers is the opposite of what was done to the quoted packet */
	put_raw(ip + 10, sum_update(get_raw(ip + 10), answers->ip_delta));
	if (!l4)
		return;
	int at = check_offset(was->proto);
	if (was->proto == IPPROTO_ICMP) {
		put16(l4 + 4, parse_is_question(l4[0]) ? was->sport : was->dport);
	} else if (at >= 0) {
		put16(l4, was->sport);
		put16(l4 + 2, was->dport);
	}
	uint32_t there = q->p.cap - q->p.l4;
	if (at < 0 || there < (uint32_t)at + 2)
		return;
	uint16_t check = get_raw(l4 + at);
	if (was->proto == IPPROTO_UDP && check == 0)
		return;
	check = sum_update(check, answers->l4_delta);
	put_raw(l4 + at, was->proto == IPPROTO_UDP && check == 0 ? 0xffff : check);
}

/* Writes the outer header: the error goes to who sent the quoted packet; from inside, it comes from
 * the address that the sender believes to talk to, and with an identification as others from there.
 */
static void outer(struct router *r, struct packet *p, uint8_t *ip, const struct flow_side *was)
{
	uint32_t from = get32(ip + 12), to = get32(ip + 16);
	uint16_t id = get16(ip + 4);
	if (p->flags & PACKET_INSIDE)
		p->src = was->dst;
	p->dst = was->src;
	if (p->flags & PACKET_INSIDE && !(p->flags & PACKET_DF))
		put16(ip + 4, router_new_id(r, p->src, p->dst, IPPROTO_ICMP));
	put32(ip + 12, p->src);
	put32(ip + 16, p->dst);
	uint32_t delta = sum_delta32(from, p->src) + sum_delta32(to, p->dst);
	delta += sum_delta16(id, get16(ip + 4));
	uint16_t ttl = get16(ip + 8);
	put16(ip + 8, (uint16_t)(ttl - 0x100));
	delta += sum_delta16(ttl, (uint16_t)(ttl - 0x100));
	delta += sum_delta16(get16(ip + 2), (uint16_t)p->len); /* which may have been 0 */
	put16(ip + 2, (uint16_t)p->len);
	put_raw(ip + 10, sum_update(get_raw(ip + 10), delta));
}

enum drop icmp_translate(struct router *r, struct chunk *chunk, struct packet *p)
{
	uint32_t icmp = (p->ip[0] & 15u) * 4;
	if (p->flags & PACKET_MORE || !p->l4)
		return DROP_icmp_inner;
	if (p->ip[icmp] == ICMP_REDIRECT) /* is for the sender's own network, never beyond */
		return DROP_icmp_type;
	if (!checksum_is_right(p, icmp))
		return DROP_l4_checksum;
	uint8_t *copy = chunk_copy(chunk, p);
	if (!copy)
		return DROP_memory;
	struct quote q;
	uint8_t *inner = copy + icmp + ICMP_HEAD;
	if (!read_quote(inner, p->cap - icmp - ICMP_HEAD, &q))
		return DROP_icmp_inner;
	if (q.p.src != p->dst)
		return DROP_icmp_unknown; /* an error goes to who sent the packet */
	uint32_t side = q.l4 || check_offset(q.p.proto) < 0 ? find_answers(r, &q.p) : FLOW_NONE;
	if (side == FLOW_NONE)
		return DROP_icmp_unknown;
	const struct flow_side *answers = flow_at(&r->flows, side);
	const struct flow_side *was = flow_peer(&r->flows, side);

	/* whatever is rewritten lies within the quoted headers */
	uint32_t span = q.p.cap < 80 ? q.p.cap : 80;
	uint64_t before = sum_bytes(inner, span);
	restore(&q, was, answers);
	uint16_t grown =
		sum_fold((uint64_t)sum_fold(sum_bytes(inner, span)) + (uint16_t)~sum_fold(before));
	put_raw(copy + icmp + 2, sum_update(get_raw(copy + icmp + 2), grown));
	outer(r, p, copy, was);
	p->ip = copy;
	p->flags |= PACKET_READY;
	return DROP_NONE;
}
