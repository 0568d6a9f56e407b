/* SPDX-License-Identifier: MIT */
/* Both sides of a flow. */
#include "router/node/sides.h"

#include <netinet/in.h>

#include "router/node/sum.h"
#include "router/node/tcp.h"

/* What the layer 4 checksum covers of a change: addresses and ports in TCP and UDP, no addresses in
 * ICMP, nothing in protocols that the router does not know. */
static void set_deltas(struct flow_side *s)
{
	uint32_t ip = sum_delta32(s->src, s->new_src) + sum_delta32(s->dst, s->new_dst);
	uint32_t ports = sum_delta16(s->sport, s->new_sport) + sum_delta16(s->dport, s->new_dport);
	s->ip_delta = sum_fold(ip);
	if (s->proto == IPPROTO_TCP || s->proto == IPPROTO_UDP)
		s->l4_delta = sum_fold(ip + ports);
	else if (s->proto == IPPROTO_ICMP)
		s->l4_delta = sum_fold(ports);
}

void sides_make(
	struct flow_side side[2], const struct packet *p, struct endpoint from, struct endpoint to)
{
	uint8_t role = p->flags & PACKET_V6 ? FLOW_V6 : 0;
	side[0] = (struct flow_side){ .src = p->src,
		.dst = p->dst,
		.sport = p->sport,
		.dport = p->dport,
		.proto = p->proto,
		.new_src = from.addr,
		.new_dst = to.addr,
		.new_sport = from.port,
		.new_dport = to.port,
		.role = role,
		.mapping = TABLE_NONE };
	side[1] = (struct flow_side){ .src = to.addr,
		.dst = from.addr,
		.sport = to.port,
		.dport = from.port,
		.proto = p->proto,
		.new_src = p->dst,
		.new_dst = p->src,
		.new_sport = p->dport,
		.new_dport = p->sport,
		.role = role,
		.mapping = TABLE_NONE };
	set_deltas(&side[0]);
	set_deltas(&side[1]);
}

static enum flow_timer first_timer(struct flow_side side[2], const struct packet *p)
{
	switch (p->proto) {
	case IPPROTO_TCP:
		if (p->l4)
			tcp_note(&side[0], &side[1], p->tcp);
		return FLOW_TCP_SYN;
	case IPPROTO_UDP:
		return FLOW_UDP;
	case IPPROTO_ICMP:
	case IPPROTO_ICMPV6:
		return FLOW_ICMP;
	default:
		return FLOW_OTHER;
	}
}

uint32_t sides_add(struct flows *flows, struct flow_side side[2], const struct packet *p,
	unsigned hosts, bool refresh, int64_t now)
{
	side[0].timer = side[1].timer = first_timer(side, p) & 15u;
	for (unsigned i = 0; i < 2; i++) {
		bool host = hosts >> i & 1;
		side[i].next = side[i].back = FLOW_NONE;
		side[i].role |= host ? FLOW_HOST : 0;
		if (host || !hosts || refresh)
			side[i].role |= FLOW_KEEPS;
	}
	side[0].last_ns = now;
	return flow_add(flows, side);
}

uint32_t sides_plain(struct flows *flows, const struct packet *p, int64_t now)
{
	struct flow_side side[2];
	sides_make(side, p, (struct endpoint){ p->src, p->sport },
		(struct endpoint){ p->dst, p->dport });
	side[0].role |= FLOW_PLAIN;
	side[1].role |= FLOW_PLAIN;
	return sides_add(flows, side, p, SIDES_NONE, true, now);
}
