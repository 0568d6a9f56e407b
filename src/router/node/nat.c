/* SPDX-License-Identifier: MIT */
/* Flows that are translated: from an outgoing packet, to a mapping, or both. */
#include "router/node/nat.h"

#include <netinet/in.h>
#include <string.h>

#include "router/node/mapping.h"
#include "router/node/parse.h"
#include "router/node/sides.h"
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
	return mappings_init(nat, external, err);
}

void nat_done(struct nat *nat)
{
	mappings_done(nat);
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
	return (is_from_inside(p) ? SIDES_FROM : 0) | (to != TABLE_NONE ? SIDES_TO : 0);
}

static enum drop add_flow(struct nat *nat, struct flow_side side[2], const struct packet *p,
	uint32_t to, uint32_t *ret_side)
{
	uint32_t number = sides_add(
		nat->flows, side, p, hosts_of(p, to), nat->conf->refresh_inbound, nat->now);
	if (number == FLOW_NONE)
		return DROP_flow_limit;
	*ret_side = number;
	return DROP_NONE;
}

/* Whom a host sends to may send to it, if that decides who may. False: no room. */
static bool permit(struct nat *nat, struct flow_side *s)
{
	if (nat->conf->filtering != CONF_FILTERING_ADDRESS || s->role & FLOW_PERMITS)
		return true;
	if (!permit_add(nat, s->mapping, s->dst))
		return false;
	s->role |= FLOW_PERMITS;
	return true;
}

static void forbid(struct nat *nat, const struct flow_side *s)
{
	if (s->role & FLOW_PERMITS)
		permit_remove(nat, s->mapping, s->dst);
}

/* Puts a flow of mappings into the table: side 0 is of `from`, side 1 of `to`. */
static enum drop add_mapped(struct nat *nat, struct flow_side side[2], const struct packet *p,
	uint32_t from, uint32_t to, uint32_t *ret_side)
{
	side[0].mapping = from;
	side[1].mapping = to;
	enum drop drop = DROP_NONE;
	if (from != TABLE_NONE && !permit(nat, &side[0]))
		drop = DROP_flow_limit;
	if (!drop)
		drop = add_flow(nat, side, p, to, ret_side);
	if (drop) {
		forbid(nat, &side[0]);
		return drop;
	}
	if (from != TABLE_NONE) {
		mapping_use(nat, *ret_side);
		mapping_hold(nat, *ret_side);
	}
	if (to != TABLE_NONE) {
		mapping_use(nat, *ret_side + 1);
		if (nat->conf->refresh_inbound)
			mapping_hold(nat, *ret_side + 1);
	}
	return DROP_NONE;
}

/* A host that sends to another one by its external address has sent, and so lets answers in, even
 * where that one does not let it in: else neither of two could ever be the first. */
static enum drop begin_mapped(
	struct nat *nat, const struct packet *p, uint32_t to, uint32_t *ret_side)
{
	struct endpoint new_src = { p->src, p->sport }, new_dst = { p->dst, p->dport };
	uint32_t from = TABLE_NONE;
	bool shut = false;
	if (is_from_inside(p)) {
		enum drop drop = mapping_get(nat, p, &from);
		if (drop)
			return drop;
		const struct nat_mapping *m = nat_mapping_at(nat, from);
		new_src = (struct endpoint){ nat->addr[m->external], m->port };
	}
	if (to != TABLE_NONE) {
		const struct nat_mapping *m = nat_mapping_at(nat, to);
		new_dst = (struct endpoint){ m->inside, m->inside_port };
		shut = from != to && !may_come_in(nat, to, new_src.addr);
		if (shut && from == TABLE_NONE)
			return DROP_filtered;
	}
	struct flow_side side[2];
	sides_make(side, p, new_src, new_dst);
	side[0].role |= shut ? FLOW_SHUT : 0;
	enum drop drop = add_mapped(nat, side, p, from, to, ret_side);
	if (drop)
		mapping_unused(nat, from);
	return drop;
}

bool nat_lets_in(struct nat *nat, uint32_t side)
{
	struct flow_side *s = flow_at(nat->flows, side);
	if (s->role & FLOW_SHUT &&
		!may_come_in(nat, flow_peer(nat->flows, side)->mapping, s->new_src))
		return false;
	s->role &= (uint8_t)~FLOW_SHUT;
	return true;
}

void nat_hold(struct nat *nat, uint32_t side)
{
	struct flow_side *s = flow_at(nat->flows, side);
	if (s->mapping == TABLE_NONE)
		return;
	mapping_hold(nat, side);
	(void)permit(nat, s); /* without room the flow itself goes on */
	flow_peer(nat->flows, side)->role &= (uint8_t)~FLOW_SHUT;
}

/* A flow may be of one mapping on both sides, and end the others of it: first it leaves. */
static void flow_ended(void *ctx, uint32_t side)
{
	struct nat *nat = ctx;
	const struct flow_side *s = flow_at(nat->flows, side);
	uint32_t from = s[0].mapping, to = s[1].mapping;
	forbid(nat, &s[0]);
	forbid(nat, &s[1]);
	bool last_of_from = from != TABLE_NONE && mapping_leave(nat, side);
	bool last_of_to = to != TABLE_NONE && mapping_leave(nat, side + 1);
	if (from == TABLE_NONE && s[0].role & FLOW_HOST)
		symmetric_ended(nat, s);
	if (last_of_from)
		mapping_end(nat, from);
	if (last_of_to)
		mapping_end(nat, to);
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
	sides_make(side, p, new_src, new_dst);
	side[1].mapping = to;
	enum drop drop = add_flow(nat, side, p, to, ret_side);
	if (drop) {
		if (is_from_inside(p))
			host_leave(nat, host_find(nat, p->src));
		return drop;
	}
	if (to != TABLE_NONE)
		mapping_use(nat, *ret_side + 1);
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
