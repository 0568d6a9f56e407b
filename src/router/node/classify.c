/* SPDX-License-Identifier: MIT */
/* Telling what flows talk. */
#include "router/node/classify.h"

#include <netinet/in.h>
#include <string.h>

/* Ports are those that both ends know as their own, as the NAT may take others; the destination is
 * that of the first packet. */
static void set_class(struct router *r, uint32_t side)
{
	enum app app = (enum app)flow_at(&r->flows, side)->talk.app;
	struct flow_side *first = flow_at(&r->flows, side & ~1u), *second = first + 1;
	unsigned cls = class_of_flow(&r->map, app, first->proto, first->sport, first->new_dport);
	first->cls = second->cls = cls & 15;
}

static enum app announced(
	const struct router *r, const struct flow_side *s, uint32_t addr, uint16_t port)
{
	return class_learnt_find(r->learnt, addr, s->role & FLOW_V6, port, s->proto, r->now);
}

/* Both ends by the addresses that hosts know of themselves and of each other. */
void classify_begin(struct router *r, uint32_t side)
{
	struct flow_side *s = flow_at(&r->flows, side), *peer = flow_peer(&r->flows, side);
	if (r->map.by_content) {
		enum app app = announced(r, s, s->src, s->sport);
		if (app == APP_UNKNOWN)
			app = announced(r, s, s->dst, s->dport);
		if (app == APP_UNKNOWN)
			app = announced(r, s, s->new_dst, s->new_dport);
		if (app != APP_UNKNOWN) {
			class_flow_is(&s->talk, app);
			peer->talk = s->talk;
		}
	}
	set_class(r, side);
}

static void remember(struct router *r, const struct packet *p, const struct class_lesson *lesson)
{
	for (unsigned i = 0; i < lesson->n; i++) {
		const struct class_endpoint *e = &lesson->endpoints[i];
		uint32_t addr = p->src;
		bool v6 = p->flags & PACKET_V6;
		if (e->addr.family == 4) {
			addr = addr_v4(&e->addr);
			v6 = false;
		} else if (e->addr.family == 6) {
			addr = parse_v6_hash(e->addr.bytes);
			v6 = true;
		}
		class_learnt_put(r->learnt, addr, v6, e->port, e->proto, (enum app)e->app, r->now);
	}
}

/* The data behind a TCP or UDP header; false: there is none. */
static bool find_data(const struct packet *p, struct class_packet *ret)
{
	if (!p->l4 || (p->proto != IPPROTO_TCP && p->proto != IPPROTO_UDP))
		return false;
	uint32_t at = p->l4 + 8u;
	if (p->proto == IPPROTO_TCP)
		at = p->l4 + (p->ip[p->l4 + 12] >> 4) * 4u;
	if (at >= p->cap)
		return false;
	*ret = (struct class_packet){
		.data = p->ip + at,
		.len = p->cap - at,
		.full = p->len - at,
		.sport = p->sport,
		.dport = p->dport,
		.proto = p->proto,
	};
	return true;
}

void classify_look(struct router *r, const struct packet *p, uint32_t side)
{
	struct flow_side *s = flow_at(&r->flows, side);
	struct class_packet data;
	struct class_lesson lesson;
	if (!class_wants(&s->talk) || !find_data(p, &data))
		return;
	if (class_look(&s->talk, &data, &lesson)) {
		flow_peer(&r->flows, side)->talk = s->talk;
		set_class(r, side);
	}
	remember(r, p, &lesson);
}
