/* SPDX-License-Identifier: MIT */
/* Flows that are translated: from an outgoing packet, to a mapping, or both. */
#include "router/node/nat.h"

#include <netinet/in.h>
#include <string.h>

#include "router/node/mapping.h"
#include "router/node/parse.h"
#include "router/node/sum.h"
#include "router/node/tcp.h"

static void flow_ended(void *ctx, uint32_t side);

int nat_init(struct nat *nat, const struct conf_nat *conf, struct flows *flows, struct natlog *log,
	struct addrs *external, struct lt_err *err)
{
	memset(nat, 0, sizeof(*nat));
	nat->conf = conf;
	nat->flows = flows;
	nat->log = log;
	flows->ended = flow_ended;
	flows->ctx = nat;
	const int64_t timeouts[FLOW_TIMERS] = {
		[FLOW_UDP] = (int64_t)conf->udp_ns,
		[FLOW_TCP_SYN] = (int64_t)conf->tcp_transitory_ns,
		[FLOW_TCP_OPEN] = (int64_t)conf->tcp_established_ns,
		[FLOW_TCP_TRANSITORY] = (int64_t)conf->tcp_transitory_ns,
		[FLOW_ICMP] = (int64_t)conf->icmp_ns,
		[FLOW_OTHER] = (int64_t)conf->other_ns,
	};
	memcpy(flows->timeout_ns, timeouts, sizeof(timeouts));
	return mappings_init(nat, external, err);
}

void nat_done(struct nat *nat)
{
	mappings_done(nat);
}

/* ---- sides ---- */

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

struct endpoint {
	uint32_t addr;
	uint16_t port;
};

/* Both sides of a flow whose packets leave from `from` to `to`. */
static void make_sides(
	struct flow_side side[2], const struct packet *p, struct endpoint from, struct endpoint to)
{
	uint8_t v6 = p->flags & PACKET_V6;
	side[0] = (struct flow_side){ .src = p->src,
		.dst = p->dst,
		.sport = p->sport,
		.dport = p->dport,
		.proto = p->proto,
		.new_src = from.addr,
		.new_dst = to.addr,
		.new_sport = from.port,
		.new_dport = to.port,
		.v6 = v6,
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
		.v6 = v6,
		.mapping = TABLE_NONE };
	set_deltas(&side[0]);
	set_deltas(&side[1]);
}

static uint8_t first_timer(struct flow_side side[2], const struct packet *p)
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

/* Puts a flow into the table. `hosts` says by bits which sides' packets come from hidden hosts. */
static enum drop add_flow(struct nat *nat, struct flow_side side[2], const struct packet *p,
	unsigned hosts, uint32_t *ret_side)
{
	side[0].timer = side[1].timer = first_timer(side, p);
	side[0].next = side[0].back = side[1].next = side[1].back = FLOW_NONE;
	side[0].last_ns = nat->now;
	for (unsigned i = 0; i < 2; i++) {
		bool host = hosts >> i & 1;
		side[i].role = host ? FLOW_HOST : 0;
		if (host || !hosts || nat->conf->refresh_inbound)
			side[i].role |= FLOW_KEEPS;
	}
	uint32_t number = flow_add(nat->flows, side);
	if (number == FLOW_NONE)
		return DROP_flow_limit;
	*ret_side = number;
	return DROP_NONE;
}

/* ---- flows with mappings ---- */

static bool may_come_in(const struct nat *nat, uint32_t to, uint32_t from)
{
	const struct nat_mapping *m = nat_mapping_at(nat, to);
	if (m->is_static || nat->conf->filtering == CONF_FILTERING_NONE)
		return true;
	return nat->conf->filtering == CONF_FILTERING_ADDRESS && permit_find(nat, to, from);
}

static bool is_from_inside(const struct packet *p)
{
	return p->flags & PACKET_INSIDE;
}

static unsigned hosts_of(const struct packet *p, uint32_t to)
{
	return (is_from_inside(p) ? 1u : 0) | (to != TABLE_NONE ? 2u : 0);
}

static enum drop begin_mapped(
	struct nat *nat, const struct packet *p, uint32_t to, uint32_t *ret_side)
{
	struct endpoint new_src = { p->src, p->sport }, new_dst = { p->dst, p->dport };
	uint32_t from = TABLE_NONE;
	if (is_from_inside(p)) {
		enum drop drop = mapping_get(nat, p, &from);
		if (drop)
			return drop;
		const struct nat_mapping *m = nat_mapping_at(nat, from);
		new_src = (struct endpoint){ nat->addr[m->external], m->port };
	}
	enum drop drop = DROP_NONE;
	if (to != TABLE_NONE) {
		const struct nat_mapping *m = nat_mapping_at(nat, to);
		new_dst = (struct endpoint){ m->inside, m->inside_port };
		if (!may_come_in(nat, to, new_src.addr))
			drop = DROP_filtered;
	}
	struct flow_side side[2];
	make_sides(side, p, new_src, new_dst);
	side[0].mapping = from;
	side[1].mapping = to;
	if (!drop && from != TABLE_NONE && nat->conf->filtering == CONF_FILTERING_ADDRESS &&
		!permit_add(nat, from, p->dst))
		drop = DROP_flow_limit;
	if (!drop) {
		drop = add_flow(nat, side, p, hosts_of(p, to), ret_side);
		if (drop && from != TABLE_NONE && nat->conf->filtering == CONF_FILTERING_ADDRESS)
			permit_remove(nat, from, p->dst);
	}
	if (drop) {
		mapping_unused(nat, from);
		return drop;
	}
	if (from != TABLE_NONE)
		mapping_use(nat, *ret_side, true);
	if (to != TABLE_NONE)
		mapping_use(nat, *ret_side + 1, nat->conf->refresh_inbound);
	return DROP_NONE;
}

void nat_hold(struct nat *nat, uint32_t side)
{
	struct flow_side *s = flow_at(nat->flows, side);
	if (s->mapping == TABLE_NONE || s->last_ns || nat->conf->refresh_inbound)
		return;
	nat_mapping_at(nat, s->mapping)->holders++;
}

static void flow_ended(void *ctx, uint32_t side)
{
	struct nat *nat = ctx;
	const struct flow_side *s = flow_at(nat->flows, side);
	nat->is_full = false;
	uint32_t from = s[0].mapping, to = s[1].mapping;
	if (from != TABLE_NONE) {
		if (nat->conf->filtering == CONF_FILTERING_ADDRESS)
			permit_remove(nat, from, s[0].dst);
		mapping_leave(nat, side, true);
	} else if (s[0].role & FLOW_HOST) {
		symmetric_ended(nat, s);
	}
	if (to != TABLE_NONE)
		mapping_leave(nat, side + 1, nat->conf->refresh_inbound || s[1].last_ns);
}

/* ---- symmetric flows ---- */

static enum drop begin_symmetric(
	struct nat *nat, const struct packet *p, uint32_t to, uint32_t *ret_side)
{
	struct endpoint new_src = { p->src, p->sport }, new_dst = { p->dst, p->dport };
	if (to != TABLE_NONE) {
		const struct nat_mapping *m = nat_mapping_at(nat, to);
		new_dst = (struct endpoint){ m->inside, m->inside_port };
	}
	struct flow_side side[2];
	if (is_from_inside(p)) {
		enum drop drop = symmetric_find(
			nat, p, new_dst.addr, new_dst.port, &new_src.addr, &new_src.port);
		if (drop)
			return drop;
	}
	make_sides(side, p, new_src, new_dst);
	side[1].mapping = to;
	enum drop drop = add_flow(nat, side, p, hosts_of(p, to), ret_side);
	if (drop) {
		if (is_from_inside(p))
			host_leave(nat, host_find(nat, p->src));
		return drop;
	}
	if (to != TABLE_NONE)
		mapping_use(nat, *ret_side + 1, nat->conf->refresh_inbound);
	if (is_from_inside(p))
		symmetric_began(nat, flow_at(nat->flows, *ret_side));
	return DROP_NONE;
}

/* ---- the public face ---- */

uint32_t nat_find_external(const struct nat *nat, const struct packet *p)
{
	return mapping_at_port(nat, p);
}

/* Whether a packet can begin a flow through the NAT. */
static enum drop may_begin(const struct nat *nat, const struct packet *p)
{
	if (mapping_space(p->proto) < 0)
		return nat->conf->unknown == CONF_UNKNOWN_MAP ? DROP_NONE : DROP_protocol;
	if (!p->l4)
		return DROP_l4_short;
	if (p->proto == IPPROTO_TCP && !tcp_may_begin(p->tcp))
		return DROP_tcp_state;
	if (p->proto != IPPROTO_ICMP)
		return DROP_NONE;
	if (!(p->flags & PACKET_ICMP_QUERY))
		return DROP_icmp_type;
	/* a question from inside, or an answer to an identifier that was mapped */
	return parse_is_question(p->ip[p->l4]) == is_from_inside(p) ? DROP_NONE : DROP_icmp_state;
}

enum drop nat_begin(struct nat *nat, const struct packet *p, uint32_t to, uint32_t *ret_side)
{
	enum drop drop = may_begin(nat, p);
	if (drop)
		return drop;
	if (nat->conf->mapping == CONF_MAPPING_SYMMETRIC)
		return begin_symmetric(nat, p, to, ret_side);
	return begin_mapped(nat, p, to, ret_side);
}

enum drop nat_begin_plain(struct nat *nat, const struct packet *p, uint32_t *ret_side)
{
	struct flow_side side[2];
	make_sides(side, p, (struct endpoint){ p->src, p->sport },
		(struct endpoint){ p->dst, p->dport });
	return add_flow(nat, side, p, 0, ret_side);
}
