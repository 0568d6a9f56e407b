/* SPDX-License-Identifier: MIT */
/* Symmetric mode: an external endpoint serves any number of flows, as long as no two of them go to
 * the same destination. The flow table itself says what is taken. */
#include "router/node/mapping.h"

#include <netinet/in.h>

struct choice {
	struct nat *nat;
	struct packet answer; /* what an answer would look like; its dst and dport are tried */
	int space;
};

static bool is_free(struct choice *c, unsigned external, uint16_t port)
{
	struct nat *nat = c->nat;
	struct packet *p = &c->answer;
	p->dst = nat->addr[external];
	p->dport = port;
	p->hash = packet_hash(p->src, p->dst, p->sport, p->dport, p->proto);
	if (mapping_at_port(nat, p) != TABLE_NONE)
		return false; /* forwarded */
	return flow_find(nat->flows, p, nat->now) == FLOW_NONE;
}

static uint32_t gcd(uint32_t a, uint32_t b)
{
	while (b) {
		uint32_t rest = a % b;
		a = b;
		b = rest;
	}
	return a;
}

/* One of n ports from `first` on. */
static int find_among(struct choice *c, unsigned external, uint32_t first, uint32_t n)
{
	/* in steps, so that taken ports do not heap up before the free ones */
	uint32_t at = (uint32_t)((uint64_t)nat_random(c->nat) * n >> 32);
	uint32_t step = 1 + (uint32_t)((uint64_t)nat_random(c->nat) * (n - 1) >> 32);
	while (gcd(step, n) != 1)
		step++;
	for (uint32_t i = 0; i < n; i++, at = (at + step) % n) {
		if (is_free(c, external, (uint16_t)(first + at)))
			return (int)(first + at);
	}
	return PORTS_NONE;
}

static int find_port(struct choice *c, unsigned external, uint16_t wish)
{
	if (is_free(c, external, wish))
		return wish;
	if (c->space < 0)
		return PORTS_NONE;
	if (c->space == PORTS_ICMP)
		return find_among(c, external, 0, 65536);
	int port = PORTS_NONE;
	if (c->nat->conf->keep_range && wish < 1024)
		port = find_among(c, external, 1, 1023);
	return port != PORTS_NONE ? port : find_among(c, external, 1024, 65536 - 1024);
}

/* Looking for a port in vain is long, so it is not done again for the same destination until a
 * flow to it has ended. */
static struct nat_full *full_at(struct nat *nat, uint32_t dst, uint16_t dport, uint8_t proto)
{
	uint32_t hash = table_hash(dst, (uint64_t)dport << 8 | proto);
	return &nat->full[hash % NAT_FULL];
}

static bool is_about(const struct nat_full *f, uint32_t dst, uint16_t dport, uint8_t proto)
{
	return f->proto == proto && f->dst == dst && f->dport == dport;
}

static bool wants_low(const struct packet *p)
{
	return p->sport < 1024 && p->proto != IPPROTO_ICMP;
}

static bool is_known_full(struct nat *nat, const struct packet *p)
{
	const struct nat_full *f = full_at(nat, p->dst, p->dport, p->proto);
	return is_about(f, p->dst, p->dport, p->proto) &&
		(!wants_low(p) || (f->low && nat->conf->keep_range));
}

static enum drop find(struct nat *nat, const struct packet *p, uint32_t dst, uint16_t dport,
	uint32_t *ret_addr, uint16_t *ret_port)
{
	if (is_known_full(nat, p))
		return DROP_no_port;
	struct choice c = {
		.nat = nat,
		.answer = { .src = dst, .sport = dport, .proto = p->proto },
		.space = mapping_space(p->proto),
	};
	unsigned paired = nat_paired(nat, p->src);
	for (unsigned i = 0; i < nat->n_pool; i++) {
		unsigned external = (paired + i) % nat->n_pool;
		int port = find_port(&c, external, p->sport);
		if (port == PORTS_NONE)
			continue;
		*ret_addr = nat->addr[external];
		*ret_port = (uint16_t)port;
		return DROP_NONE;
	}
	*full_at(nat, p->dst, p->dport, p->proto) = (struct nat_full){
		.dst = p->dst, .dport = p->dport, .proto = p->proto, .low = wants_low(p)
	};
	return DROP_no_port;
}

enum drop symmetric_find(struct nat *nat, const struct packet *p, uint32_t dst, uint16_t dport,
	uint32_t *ret_addr, uint16_t *ret_port)
{
	uint32_t host;
	enum drop drop = host_enter(nat, p->src, &host);
	if (drop)
		return drop;
	drop = find(nat, p, dst, dport, ret_addr, ret_port);
	if (drop)
		host_leave(nat, host);
	return drop;
}

static void log_flow(struct nat *nat, const struct flow_side *s, bool begins)
{
	if (!nat->log)
		return;
	natlog_add(nat->log,
		&(struct natlog_line){ .time_ns = nat->now,
			.begins = begins,
			.proto = s->proto,
			.inside = s->src,
			.external = s->new_src,
			.inside_port = s->sport,
			.first = s->new_sport,
			.last = s->new_sport });
}

void symmetric_began(struct nat *nat, const struct flow_side *s)
{
	log_flow(nat, s, true);
}

void symmetric_ended(struct nat *nat, const struct flow_side *s)
{
	struct nat_full *f = full_at(nat, s->dst, s->dport, s->proto);
	if (is_about(f, s->dst, s->dport, s->proto))
		f->proto = 0;
	log_flow(nat, s, false);
	host_leave(nat, host_find(nat, s->src));
}
