/* SPDX-License-Identifier: MIT */
/* The flow stage: what becomes of each packet, one after the other in the order of the capture.
 * Packets of flows that are known take a short way, in bursts whose table lines are asked for
 * ahead; all others the long one. */
#include <netinet/in.h>

#include "router/node/classify.h"
#include "router/node/icmp.h"
#include "router/node/router.h"
#include "router/node/sides.h"
#include "router/node/tcp.h"

/* ---- the way out ---- */

/* What a route means for a packet. */
static enum drop check_route(
	struct router *r, struct chunk *chunk, const struct packet *p, uint16_t hop)
{
	switch (r->hops[hop].kind) {
	case FIB_FORWARD:
		return DROP_NONE;
	case FIB_LOCAL:
		return DROP_local;
	case FIB_BROADCAST:
		return DROP_broadcast;
	case FIB_BLACKHOLE:
		return DROP_blackhole;
	case FIB_UNREACHABLE:
		icmp_error(r, chunk, p, ICMP_UNREACHABLE, 0);
		return DROP_unreachable;
	default:
		icmp_error(r, chunk, p, ICMP_NO_ROUTE, 0);
		return DROP_no_route;
	}
}

static enum drop check_size(struct router *r, struct chunk *chunk, struct packet *p, uint32_t mtu)
{
	if (p->flags & (PACKET_DF | PACKET_V6)) {
		icmp_error(r, chunk, p, ICMP_TOO_BIG, mtu);
		return DROP_too_big;
	}
	p->flags |= PACKET_SPLIT;
	return DROP_NONE;
}

/* Time to live, and size against the output's. */
static inline enum drop check_exit(
	struct router *r, struct chunk *chunk, struct packet *p, uint16_t hop)
{
	if (__builtin_expect(p->flags & PACKET_LAST_HOP, 0)) {
		icmp_error(r, chunk, p, ICMP_TTL, 0);
		return DROP_ttl;
	}
	uint32_t mtu = r->hops[hop].mtu;
	if (__builtin_expect(p->len > mtu, 0))
		return check_size(r, chunk, p, mtu);
	return DROP_NONE;
}

static enum drop route(struct router *r, struct chunk *chunk, struct packet *p, uint32_t dst)
{
	uint16_t hop = fib4_lookup(&r->fib->v4, dst);
	enum drop drop = check_route(r, chunk, p, hop);
	if (!drop)
		drop = check_exit(r, chunk, p, hop);
	p->hop = hop;
	return drop;
}

/* ---- known flows ---- */

static void new_id(struct router *r, struct packet *p)
{
	p->id = router_new_id(r, p->src, p->dst, p->proto);
	p->flags |= PACKET_NEW_ID;
}

/* Gives a packet what its flow knows. RFC 6864 5.3.1: hosts behind one address must not use the
 * same identification for packets that may be fragmented. */
static inline void translate(struct router *r, struct packet *p, const struct flow_side *s)
{
	p->src = s->new_src;
	p->dst = s->new_dst;
	p->sport = s->new_sport;
	p->dport = s->new_dport;
	p->ip_delta = s->ip_delta;
	p->l4_delta = s->l4_delta;
	p->hop = s->hop;
	p->cls = s->cls;
	p->flags |= PACKET_NEW;
	if ((s->role & FLOW_HOST) && !(p->flags & PACKET_DF))
		new_id(r, p);
}

static enum drop note_tcp(struct router *r, const struct packet *p, uint32_t side)
{
	const struct flow_side *s = flow_at(&r->flows, side);
	if (!tcp_flags_are_sound(p->tcp) && !(s->role & FLOW_PLAIN))
		return DROP_tcp_flags;
	if (tcp_is_news(s, p->tcp))
		tcp_track(&r->flows, side, p->tcp);
	return DROP_NONE;
}

/* A packet of a flow that is not as its packets are: it comes from another side than they do, or it
 * is for a host that did not let it in when the flow began. */
static enum drop check_way(struct router *r, const struct packet *p, uint32_t side)
{
	struct flow_side *s = flow_at(&r->flows, side);
	if (s->role & FLOW_PLAIN)
		return DROP_NONE;
	if (((s->role & FLOW_HOST) != 0) != ((p->flags & PACKET_INSIDE) != 0))
		return DROP_spoofed;
	s->last_ns = r->now; /* its sender's own mapping is in use */
	return nat_lets_in(&r->nat, side) ? DROP_NONE : DROP_filtered;
}

/* A packet of a living flow. */
static inline enum drop known(
	struct router *r, struct chunk *chunk, struct packet *p, uint32_t side)
{
	struct flow_side *s = flow_at(&r->flows, side);
	unsigned way = p->flags & PACKET_INSIDE ? FLOW_HOST : 0;
	if (__builtin_expect((s->role & (FLOW_HOST | FLOW_SHUT)) != way, 0)) {
		enum drop drop = check_way(r, p, side);
		if (drop)
			return drop;
	}
	if (p->proto == IPPROTO_TCP && !(p->flags & PACKET_V6)) {
		enum drop drop = note_tcp(r, p, side);
		if (drop)
			return drop;
	}
	if (s->role & FLOW_KEEPS) {
		if (__builtin_expect(s->last_ns == 0, 0))
			nat_hold(&r->nat, side);
		s->last_ns = r->now;
	}
	if (__builtin_expect(s->generation != (uint16_t)r->fib->generation, 0)) {
		s->hop = fib4_lookup(&r->fib->v4, s->new_dst);
		s->generation = (uint16_t)r->fib->generation;
		enum drop drop = check_route(r, chunk, p, s->hop);
		if (drop)
			return drop;
	}
	enum drop drop = check_exit(r, chunk, p, s->hop);
	if (drop)
		return drop;
	if (r->learnt)
		classify_look(r, p, side);
	translate(r, p, s);
	return DROP_NONE;
}

/* ---- the others ---- */

static bool is_inside(const struct packet *p)
{
	return p->flags & PACKET_INSIDE;
}

/* Where a packet of no flow yet goes through the NAT: `to` is the mapping it is for. */
static enum drop begin(struct router *r, struct chunk *chunk, struct packet *p, uint32_t to)
{
	uint32_t dst = to != TABLE_NONE ? nat_mapping_at(&r->nat, to)->inside : p->dst, side;
	if (p->proto == IPPROTO_TCP && p->l4 && !tcp_flags_are_sound(p->tcp))
		return DROP_tcp_flags;
	enum drop drop = route(r, chunk, p, dst);
	if (drop)
		return drop;
	uint16_t hop = p->hop;
	drop = nat_begin(&r->nat, p, to, &side);
	if (drop == DROP_no_port || drop == DROP_host_limit)
		icmp_error(r, chunk, p, ICMP_PROHIBITED, 0);
	if (drop)
		return drop;
	struct flow_side *s = flow_at(&r->flows, side);
	s->hop = hop;
	s->generation = (uint16_t)r->fib->generation;
	/* the answers' hop is looked up when the first comes */
	s[1].generation = (uint16_t)~s->generation;
	if (r->classes_on)
		classify_begin(r, side);
	if (r->learnt)
		classify_look(r, p, side);
	if (s->role & FLOW_SHUT)
		return DROP_filtered;
	translate(r, p, s);
	return DROP_NONE;
}

/* A source that nobody on that side can have: one of the router's own, or, where addresses are
 * translated, from outside one that lies inside. */
static enum drop check_source(const struct router *r, const struct packet *p)
{
	if (addrs_find(&r->parser.external, p->src) != ADDRS_NONE)
		return DROP_spoofed;
	const struct router_hop *back = &r->hops[fib4_lookup(&r->fib->v4, p->src)];
	bool crosses =
		r->conf->nat.on && !is_inside(p) && back->kind == FIB_FORWARD && back->inside;
	return back->kind == FIB_LOCAL || crosses ? DROP_spoofed : DROP_NONE;
}

/* To an external address. */
static enum drop to_external(struct router *r, struct chunk *chunk, struct packet *p)
{
	if (is_inside(p) && !r->conf->nat.hairpin)
		return DROP_hairpin;
	enum drop drop = check_source(r, p);
	if (drop)
		return drop;
	if (p->proto == IPPROTO_ICMP && p->l4 && p->flags & PACKET_ICMP_QUERY &&
		parse_is_question(p->ip[p->l4]))
		return DROP_local;
	uint32_t to = nat_find_external(&r->nat, p);
	drop = to == TABLE_NONE ? DROP_unsolicited : begin(r, chunk, p, to);
	if ((drop == DROP_unsolicited || drop == DROP_filtered) && p->proto == IPPROTO_TCP &&
		!is_inside(p))
		syns_add(r, p);
	return drop;
}

/* Not for an external address, and of no flow. */
static enum drop beside_flows(struct router *r, struct chunk *chunk, struct packet *p)
{
	const struct router_hop *hop = &r->hops[fib4_lookup(&r->fib->v4, p->dst)];
	bool forward = hop->kind == FIB_FORWARD;
	enum drop drop = check_source(r, p);
	if (drop)
		return drop;
	if (forward && is_inside(p) && !hop->inside)
		return begin(r, chunk, p, TABLE_NONE);
	if (forward && !is_inside(p) && hop->inside)
		return DROP_inside_dst;
	return route(r, chunk, p, p->dst);
}

enum { /* packets that must not be looked up by their ports alone */
	NOT_BY_FLOW = PACKET_MORE | PACKET_LATER | PACKET_ICMP_ERROR,
};

/* Whether the NAT has to do with a packet: else its fragments and errors are routed like all. */
static bool is_for_nat(const struct router *r, const struct packet *p)
{
	if (p->flags & PACKET_ADDRESSED)
		return true;
	const struct router_hop *hop = &r->hops[fib4_lookup(&r->fib->v4, p->dst)];
	return hop->kind == FIB_FORWARD && is_inside(p) && !hop->inside;
}

static enum drop translate_error(struct router *r, struct chunk *chunk, struct packet *p)
{
	enum drop drop = check_source(r, p);
	if (!drop)
		drop = icmp_translate(r, chunk, p);
	return drop ? drop : route(r, chunk, p, p->dst);
}

static enum drop by_flow(struct router *r, struct chunk *chunk, struct packet *p)
{
	uint32_t side = flow_find(&r->flows, p, r->now);
	if (side != FLOW_NONE)
		return known(r, chunk, p, side);
	return p->flags & PACKET_ADDRESSED ? to_external(r, chunk, p) : beside_flows(r, chunk, p);
}

/* A fragment that is not the first. */
static uint8_t later_fragment(struct router *r, struct chunk *chunk, struct packet *p)
{
	uint8_t drop = frag_later(&r->frags, p, r->now);
	if (drop == PACKET_HELD)
		r->counters[p->in].waiting++;
	return drop ? drop : (uint8_t)check_exit(r, chunk, p, p->hop);
}

/* What became of a first fragment becomes of those that waited for it. */
static void after_first(struct router *r, struct chunk *chunk, struct packet *p)
{
	uint32_t before = chunk->n_extra;
	frag_first(&r->frags, chunk, p, r->now, r->counters);
	for (uint32_t i = before; i < chunk->n_extra; i++) {
		struct packet *later = &chunk->extra[i].p;
		if (later->drop)
			continue;
		later->drop = (uint8_t)check_exit(r, chunk, later, later->hop);
		if (r->classes_on)
			classify_known(r, later);
	}
}

static uint8_t through_nat(struct router *r, struct chunk *chunk, struct packet *p)
{
	if (p->l4 && !(p->flags & NOT_BY_FLOW))
		return (uint8_t)by_flow(r, chunk, p);
	if (!is_for_nat(r, p))
		return (uint8_t)beside_flows(r, chunk, p);
	if (p->flags & PACKET_LATER)
		return later_fragment(r, chunk, p);
	if (!p->l4)
		p->drop = DROP_l4_short;
	else if (p->flags & PACKET_ICMP_ERROR)
		p->drop = (uint8_t)translate_error(r, chunk, p);
	else
		p->drop = (uint8_t)by_flow(r, chunk, p);
	if (p->flags & PACKET_MORE)
		after_first(r, chunk, p);
	return p->drop;
}

static enum drop route_v6(struct router *r, struct chunk *chunk, struct packet *p)
{
	if (p->flags & PACKET_OPTION) {
		icmp_error(r, chunk, p, ICMP_OPTION, p->id);
		return DROP_option;
	}
	uint16_t hop = fib6_lookup(&r->fib->v6, p->ip + 24);
	enum drop drop = check_route(r, chunk, p, hop);
	if (!drop)
		drop = check_exit(r, chunk, p, hop);
	p->hop = hop;
	return drop;
}

/* ---- the stage ---- */

static inline void note_time(struct router *r, struct chunk *chunk, const struct packet *p)
{
	/* a clock that goes backwards, or to where sums of times overflow, is not followed */
	const int64_t most = INT64_MAX / 2;
	int64_t t = p->time_ns < most ? p->time_ns : most;
	if (t > r->now)
		r->now = r->nat.now = t;
	flows_tick(&r->flows, r->now);
	if (r->frags.sets.live)
		frags_expire(&r->frags, r->now, r->counters);
	if (r->syns.n)
		syns_tell(r, chunk);
}

/* A packet that is only routed: its flow, if there are flows, is looked at to know its class. */
static void class_of_plain(struct router *r, struct packet *p)
{
	if (!r->learnt || !p->l4 || p->flags & NOT_BY_FLOW || p->flags & PACKET_NEW) {
		classify_alone(r, p);
		return;
	}
	uint32_t side = flow_find(&r->flows, p, r->now);
	if (side == FLOW_NONE) {
		side = sides_plain(&r->flows, p, r->now);
		if (side == FLOW_NONE) {
			classify_alone(r, p); /* the table is full: no reason to drop it */
			return;
		}
		classify_begin(r, side);
		/* its hops are looked up when they are wanted */
		flow_at(&r->flows, side)->generation = flow_peer(&r->flows, side)->generation =
			(uint16_t)~r->fib->generation;
	}
	struct flow_side *s = flow_at(&r->flows, side);
	if (p->proto == IPPROTO_TCP && tcp_is_news(s, p->tcp))
		tcp_track(&r->flows, side, p->tcp);
	s->last_ns = r->now;
	classify_look(r, p, side);
	p->cls = s->cls;
	classify_known(r, p);
}

static void plain(struct router *r, struct chunk *chunk, struct packet *p)
{
	if (p->flags & PACKET_V6)
		p->drop = (uint8_t)route_v6(r, chunk, p);
	else if (__builtin_expect((r->own & router_own_bit(p->src)) == 0, 1) ||
		!(p->drop = (uint8_t)check_source(r, p)))
		p->drop = (uint8_t)route(r, chunk, p, p->dst);
	if (r->classes_on && !p->drop)
		class_of_plain(r, p);
}

static void one_packet(struct router *r, struct chunk *chunk, struct packet *p, uint32_t guess)
{
	if (p->flags & PACKET_V6 || !r->conf->nat.on) {
		plain(r, chunk, p);
		return;
	}
	if (guess != FLOW_NONE && flow_fits(flow_at(&r->flows, guess), p) && p->l4 &&
		!(p->flags & NOT_BY_FLOW) && !flow_is_over(&r->flows, guess, r->now)) {
		p->drop = (uint8_t)known(r, chunk, p, guess);
	} else {
		p->drop = through_nat(r, chunk, p);
	}
	if (!r->classes_on || p->drop)
		return;
	if (p->flags & PACKET_NEW)
		classify_known(r, p);
	else
		class_of_plain(r, p);
}

static void ask_for_lines(const struct router *r, const struct packet *p, uint32_t n)
{
	for (uint32_t i = 0; i < n; i++) {
		if (p[i].flags & PACKET_V6 || p[i].drop)
			continue;
		if (r->flows_on)
			index_prefetch(&r->flows.index, p[i].hash);
		else
			fib4_prefetch(&r->fib->v4, p[i].dst);
	}
}

/* The first side with a packet's hash: most often it is the right one. */
static void guess_sides(const struct router *r, const struct packet *p, uint32_t n, uint32_t *guess)
{
	for (uint32_t i = 0; i < n; i++) {
		guess[i] = FLOW_NONE;
		if (p[i].flags & PACKET_V6 || p[i].drop)
			continue;
		struct index_search search = index_search(p[i].hash);
		guess[i] = index_next(&r->flows.index, &search);
		if (guess[i] != FLOW_NONE)
			__builtin_prefetch(flow_at(&r->flows, guess[i]), 1);
	}
}

void router_flow(struct router *r, struct chunk *chunk)
{
	uint32_t guess[ROUTER_BURST_MAX];
	for (uint32_t at = 0; at < chunk->n; at += r->burst) {
		struct packet *p = chunk->packets + at;
		uint32_t n = chunk->n - at < r->burst ? chunk->n - at : r->burst;
		ask_for_lines(r, p, n);
		if (r->flows_on)
			guess_sides(r, p, n, guess);
		for (uint32_t i = 0; i < n; i++) {
			chunk->at = at + i;
			note_time(r, chunk, &p[i]);
			if (!p[i].drop)
				one_packet(r, chunk, &p[i], r->flows_on ? guess[i] : FLOW_NONE);
		}
	}
}
