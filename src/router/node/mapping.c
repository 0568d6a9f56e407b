/* SPDX-License-Identifier: MIT */
/* Mappings: made, found, freed. */
#include "router/node/mapping.h"

#include <netinet/in.h>
#include <stdlib.h>

#include "router/node/parse.h"

int mapping_space(uint8_t proto)
{
	switch (proto) {
	case IPPROTO_TCP:
		return PORTS_TCP;
	case IPPROTO_UDP:
		return PORTS_UDP;
	case IPPROTO_ICMP:
		return PORTS_ICMP;
	default:
		return -1;
	}
}

static uint32_t inside_hash(uint32_t inside, uint16_t port, uint8_t proto)
{
	return table_hash(inside, (uint64_t)proto << 16 | port);
}

static uint32_t find_inside(const struct nat *nat, uint32_t inside, uint16_t port, uint8_t proto)
{
	struct index_search search = index_search(inside_hash(inside, port, proto));
	for (uint32_t n; (n = index_next(&nat->by_inside, &search)) != TABLE_NONE;) {
		const struct nat_mapping *m = nat_mapping_at(nat, n);
		if (m->inside == inside && m->inside_port == port && m->proto == proto)
			return n;
	}
	return TABLE_NONE;
}

static uint32_t *at_port(const struct nat *nat, unsigned external, uint8_t proto, uint16_t port)
{
	struct ports *ports = &nat->ports[external];
	int space = mapping_space(proto);
	if (space < 0)
		return &ports->other[proto];
	return ports->space[space] ? &ports->space[space]->mapping[port] : NULL;
}

uint32_t mapping_at_port(const struct nat *nat, const struct packet *p)
{
	unsigned external = addrs_find(nat->external, p->dst);
	if (external == ADDRS_NONE)
		return TABLE_NONE;
	const uint32_t *m = at_port(nat, external, p->proto, p->dport);
	return m ? *m : TABLE_NONE;
}

/* ---- static ones ---- */

static int add_static(struct nat *nat, const struct conf_forward *f, unsigned i, unsigned external)
{
	enum ports_proto proto = (enum ports_proto)mapping_space(f->protocol);
	uint16_t port = (uint16_t)(f->external_port + i), inside = (uint16_t)(f->inside_port + i);
	uint32_t n = slab_take(&nat->mappings);
	struct ports_space *space = ports_space(&nat->ports[external], proto);
	if (n == TABLE_NONE || !space)
		return -ENOMEM;
	*nat_mapping_at(nat, n) = (struct nat_mapping){
		.inside = f->inside,
		.inside_port = inside,
		.port = port,
		.proto = f->protocol,
		.is_static = 1,
		.external = (uint16_t)external,
		.host = TABLE_NONE,
		.first = FLOW_NONE,
	};
	ports_take(&nat->ports[external], proto, port, n);
	/* what the inside endpoint sends leaves from the first port that leads to it */
	if (nat->conf->mapping == CONF_MAPPING_SYMMETRIC ||
		find_inside(nat, f->inside, inside, f->protocol) != TABLE_NONE)
		return 0;
	return index_add(&nat->by_inside, inside_hash(f->inside, inside, f->protocol), n) ? 0
											  : -ENOMEM;
}

static int add_statics(struct nat *nat, const struct addrs *external)
{
	int r = 0;
	for (size_t k = 0; k < nat->conf->n_forwards && r == 0; k++) {
		const struct conf_forward *f = &nat->conf->forwards[k];
		unsigned e = addrs_find(external, f->external);
		for (unsigned i = 0; i < f->n_ports && e != ADDRS_NONE && r == 0; i++)
			r = add_static(nat, f, i, e);
	}
	return r;
}

static uint32_t count_statics(const struct conf_nat *conf)
{
	uint32_t n = 0;
	for (size_t k = 0; k < conf->n_forwards; k++)
		n += conf->forwards[k].n_ports;
	return n;
}

int mappings_init(struct nat *nat, struct addrs *external, struct lt_err *err)
{
	const struct conf_nat *conf = nat->conf;
	for (size_t i = 0; i < conf->n_addrs; i++)
		addrs_add(external, conf->addrs[i]);
	nat->n_pool = external->n;
	for (size_t k = 0; k < conf->n_forwards; k++)
		addrs_add(external, conf->forwards[k].external);
	nat->n_addrs = external->n;
	nat->external = external;
	addrs_list(external, nat->addr);
	nat->ports = malloc((nat->n_addrs ? nat->n_addrs : 1) * sizeof(*nat->ports));
	for (unsigned e = 0; nat->ports && e < nat->n_addrs; e++)
		ports_init(&nat->ports[e]);
	/* symmetric flows are logged one by one, as they share ports */
	nat->hosts_matter =
		conf->max_host_mappings || (nat->log && conf->mapping != CONF_MAPPING_SYMMETRIC);
	if (!nat->ports ||
		slab_init(&nat->mappings, sizeof(struct nat_mapping),
			conf->max_mappings + count_statics(conf)) < 0 ||
		index_init(&nat->by_inside) < 0 || hosts_init(nat) < 0 || permits_init(nat) < 0 ||
		add_statics(nat, external) < 0)
		return lt_fail_mem(err);
	return 0;
}

void mappings_done(struct nat *nat)
{
	for (unsigned e = 0; nat->ports && e < nat->n_addrs; e++)
		ports_done(&nat->ports[e]);
	free(LT_TAKE(nat->ports));
	slab_done(&nat->mappings);
	index_done(&nat->by_inside);
	hosts_done(nat);
	permits_done(nat);
}

/* ---- making one ---- */

static void log_mapping(struct nat *nat, const struct nat_mapping *m, bool begins)
{
	if (!nat->log ||
		(mapping_space(m->proto) >= 0 &&
			host_has_block(nat, m->host, m->external, m->port)))
		return;
	natlog_add(nat->log,
		&(struct natlog_line){ .time_ns = nat->now,
			.begins = begins,
			.proto = m->proto,
			.inside = m->inside,
			.external = nat->addr[m->external],
			.inside_port = m->inside_port,
			.first = m->port,
			.last = m->port });
}

/* A port of the pool, first on the host's own address; with `share`, of other hosts' blocks. */
static int scan_pool(struct nat *nat, const struct packet *p, uint32_t host, bool share,
	bool keep_range, unsigned *ret_external)
{
	enum ports_proto proto = (enum ports_proto)mapping_space(p->proto);
	struct ports_wish wish = { .port = p->sport,
		.keep_range = keep_range,
		.keep_parity = nat->conf->keep_parity,
		.random = nat_random(nat) };
	unsigned paired = nat_paired(nat, p->src);
	int port = PORTS_NONE;
	for (unsigned i = 0; i < nat->n_pool && port == PORTS_NONE; i++) {
		unsigned e = *ret_external = (paired + i) % nat->n_pool;
		const struct ports_space *space = ports_space(&nat->ports[e], proto);
		if (!space)
			continue;
		port = share ? ports_find(space, proto, &wish)
			     : host_find_port(nat, host, e, proto, &wish);
	}
	return port;
}

/* Of the ports below 1024 there are few: who finds none there gets another one. */
static int find_port(struct nat *nat, const struct packet *p, uint32_t host, unsigned *ret_external)
{
	int port = PORTS_NONE;
	bool keep = nat->conf->keep_range;
	unsigned ranges = keep && p->sport < 1024 && p->proto != IPPROTO_ICMP ? 2 : 1;
	for (unsigned i = 0; i < ranges && port == PORTS_NONE; i++) {
		if (nat->log)
			port = scan_pool(nat, p, host, false, keep && i == 0, ret_external);
		if (port == PORTS_NONE)
			port = scan_pool(nat, p, host, true, keep && i == 0, ret_external);
	}
	return port;
}

/* A protocol without ports: the whole of it, on one address, for one host. */
static int find_whole(const struct nat *nat, const struct packet *p, unsigned *ret_external)
{
	unsigned paired = nat_paired(nat, p->src);
	for (unsigned i = 0; i < nat->n_pool; i++) {
		*ret_external = (paired + i) % nat->n_pool;
		if (nat->ports[*ret_external].other[p->proto] == TABLE_NONE)
			return 0;
	}
	return PORTS_NONE;
}

static enum drop make(struct nat *nat, const struct packet *p, uint32_t host, uint32_t n)
{
	unsigned external = 0;
	int space = mapping_space(p->proto);
	int port = space < 0 ? find_whole(nat, p, &external) : find_port(nat, p, host, &external);
	if (port == PORTS_NONE)
		return DROP_no_port;
	if (!index_add(&nat->by_inside, inside_hash(p->src, p->sport, p->proto), n))
		return DROP_mapping_limit;
	struct nat_mapping *m = nat_mapping_at(nat, n);
	*m = (struct nat_mapping){
		.inside = p->src,
		.inside_port = p->sport,
		.port = (uint16_t)port,
		.proto = p->proto,
		.external = (uint16_t)external,
		.host = host,
		.first = FLOW_NONE,
	};
	if (space < 0)
		nat->ports[external].other[p->proto] = n;
	else
		ports_take(&nat->ports[external], (enum ports_proto)space, m->port, n);
	log_mapping(nat, m, true);
	return DROP_NONE;
}

enum drop mapping_get(struct nat *nat, const struct packet *p, uint32_t *ret_mapping)
{
	uint32_t n = find_inside(nat, p->src, p->sport, p->proto), host;
	if (n != TABLE_NONE) {
		*ret_mapping = n;
		return DROP_NONE;
	}
	enum drop drop = host_enter(nat, p->src, &host);
	if (drop)
		return drop;
	n = slab_take(&nat->mappings);
	drop = n == TABLE_NONE ? DROP_mapping_limit : make(nat, p, host, n);
	if (drop) {
		if (n != TABLE_NONE)
			slab_put(&nat->mappings, n);
		host_leave(nat, host);
		return drop;
	}
	*ret_mapping = n;
	return DROP_NONE;
}

/* ---- using it ---- */

static void free_mapping(struct nat *nat, uint32_t n)
{
	struct nat_mapping *m = nat_mapping_at(nat, n);
	int space = mapping_space(m->proto);
	log_mapping(nat, m, false);
	index_remove(&nat->by_inside, inside_hash(m->inside, m->inside_port, m->proto), n);
	if (space < 0) {
		nat->ports[m->external].other[m->proto] = TABLE_NONE;
	} else {
		ports_give(&nat->ports[m->external], (enum ports_proto)space, m->port);
		host_port_given(nat, m->external, m->port);
	}
	host_leave(nat, m->host);
	slab_put(&nat->mappings, n);
}

void mapping_unused(struct nat *nat, uint32_t mapping)
{
	if (mapping == TABLE_NONE)
		return;
	const struct nat_mapping *m = nat_mapping_at(nat, mapping);
	if (m->flows == 0 && !m->is_static)
		free_mapping(nat, mapping);
}

void mapping_use(struct nat *nat, uint32_t side)
{
	struct flow_side *s = flow_at(nat->flows, side);
	struct nat_mapping *m = nat_mapping_at(nat, s->mapping);
	s->next = m->first;
	s->back = FLOW_NONE;
	if (m->first != FLOW_NONE)
		flow_at(nat->flows, m->first)->back = side;
	m->first = side;
	m->flows++;
}

void mapping_hold(struct nat *nat, uint32_t side)
{
	struct flow_side *s = flow_at(nat->flows, side);
	if (s->role & FLOW_HOLDS)
		return;
	s->role |= FLOW_HOLDS;
	nat_mapping_at(nat, s->mapping)->holders++;
}

bool mapping_leave(struct nat *nat, uint32_t side)
{
	struct flow_side *s = flow_at(nat->flows, side);
	struct nat_mapping *m = nat_mapping_at(nat, s->mapping);
	if (s->next != FLOW_NONE)
		flow_at(nat->flows, s->next)->back = s->back;
	if (s->back != FLOW_NONE)
		flow_at(nat->flows, s->back)->next = s->next;
	else
		m->first = s->next;
	m->flows--;
	if (!(s->role & FLOW_HOLDS))
		return false;
	return --m->holders == 0 && !m->is_static;
}

void mapping_end(struct nat *nat, uint32_t mapping)
{
	const struct nat_mapping *m = nat_mapping_at(nat, mapping);
	while (m->first != FLOW_NONE) /* those that came from outside, and were not answered */
		flow_end(nat->flows, m->first);
	free_mapping(nat, mapping);
}
