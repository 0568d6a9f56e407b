/* SPDX-License-Identifier: MIT */
/* Inside hosts: how many mappings each has, and its blocks of external ports. A block is for all
 * protocols, so that one line of the log says whose it is. */
#include "router/node/mapping.h"

int hosts_init(struct nat *nat)
{
	if (!nat->hosts_matter)
		return 0;
	if (slab_init(&nat->hosts, sizeof(struct nat_host), nat->conf->max_mappings) < 0)
		return -ENOMEM;
	return index_init(&nat->by_host);
}

void hosts_done(struct nat *nat)
{
	slab_done(&nat->hosts);
	index_done(&nat->by_host);
}

static struct nat_host *host_at(const struct nat *nat, uint32_t host)
{
	return slab_at(&nat->hosts, host);
}

uint32_t host_find(const struct nat *nat, uint32_t inside)
{
	if (!nat->hosts_matter)
		return TABLE_NONE;
	struct index_search search = index_search(table_hash(inside, 1));
	for (uint32_t n; (n = index_next(&nat->by_host, &search)) != TABLE_NONE;) {
		if (host_at(nat, n)->addr == inside)
			return n;
	}
	return TABLE_NONE;
}

enum drop host_enter(struct nat *nat, uint32_t inside, uint32_t *ret_host)
{
	*ret_host = TABLE_NONE;
	if (!nat->hosts_matter)
		return DROP_NONE;
	uint32_t n = host_find(nat, inside);
	if (n == TABLE_NONE) {
		n = slab_take(&nat->hosts);
		if (n == TABLE_NONE)
			return DROP_mapping_limit;
		if (!index_add(&nat->by_host, table_hash(inside, 1), n)) {
			slab_put(&nat->hosts, n);
			return DROP_mapping_limit;
		}
		*host_at(nat, n) = (struct nat_host){ .addr = inside, .blocks = TABLE_NONE };
	}
	struct nat_host *h = host_at(nat, n);
	if (nat->conf->max_host_mappings && h->mappings >= nat->conf->max_host_mappings)
		return DROP_host_limit;
	h->mappings++;
	*ret_host = n;
	return DROP_NONE;
}

void host_leave(struct nat *nat, uint32_t host)
{
	if (host == TABLE_NONE)
		return;
	struct nat_host *h = host_at(nat, host);
	/* blocks of ports may be in use by others still, and then live on without it */
	if (--h->mappings > 0 || h->blocks != TABLE_NONE)
		return;
	index_remove(&nat->by_host, table_hash(h->addr, 1), host);
	slab_put(&nat->hosts, host);
}

/* ---- blocks ---- */

static void log_block(struct nat *nat, uint32_t inside, uint32_t number, bool begins)
{
	uint16_t first = (uint16_t)(number % PORTS_BLOCKS * PORTS_BLOCK);
	natlog_add(nat->log,
		&(struct natlog_line){ .time_ns = nat->now,
			.begins = begins,
			.inside = inside,
			.external = nat->addr[number / PORTS_BLOCKS],
			.first = first,
			.last = (uint16_t)(first + PORTS_BLOCK - 1) });
}

bool host_has_block(const struct nat *nat, uint32_t host, unsigned external, uint16_t port)
{
	return host != TABLE_NONE && nat->ports[external].owner[port / PORTS_BLOCK] == host;
}

static bool in_range(const struct ports_wish *wish, enum ports_proto proto, unsigned block)
{
	bool low = block < 1024 / PORTS_BLOCK;
	return proto == PORTS_ICMP || low == (wish->keep_range && wish->port < 1024);
}

int host_find_port(struct nat *nat, uint32_t host, unsigned external, enum ports_proto proto,
	const struct ports_wish *wish)
{
	struct ports *ports = &nat->ports[external];
	const struct ports_space *space = ports->space[proto];
	struct nat_host *h = host_at(nat, host);
	for (uint32_t b = h->blocks; b != TABLE_NONE;) {
		unsigned block = b % PORTS_BLOCKS;
		if (b / PORTS_BLOCKS == external && in_range(wish, proto, block)) {
			int port = ports_find_in(space, block, wish);
			if (port != PORTS_NONE)
				return port;
		}
		b = nat->ports[b / PORTS_BLOCKS].next[block];
	}
	int block = ports_find_block(ports, proto, wish);
	if (block == PORTS_NONE)
		return PORTS_NONE;
	int port = ports_find_in(space, (unsigned)block, wish);
	if (port == PORTS_NONE)
		return PORTS_NONE;
	uint32_t number = external * PORTS_BLOCKS + (unsigned)block;
	ports->owner[block] = host;
	ports->next[block] = h->blocks;
	h->blocks = number;
	log_block(nat, h->addr, number, true);
	return port;
}

void host_port_given(struct nat *nat, unsigned external, uint16_t port)
{
	struct ports *ports = &nat->ports[external];
	unsigned block = port / PORTS_BLOCK;
	uint32_t host = ports->owner[block], number = external * PORTS_BLOCKS + block;
	if (ports->taken[block] || host == TABLE_NONE)
		return;
	struct nat_host *h = host_at(nat, host);
	uint32_t *link = &h->blocks;
	while (*link != number)
		link = &nat->ports[*link / PORTS_BLOCKS].next[*link % PORTS_BLOCKS];
	*link = ports->next[block];
	ports->owner[block] = TABLE_NONE;
	log_block(nat, h->addr, number, false);
	if (h->mappings == 0 && h->blocks == TABLE_NONE) {
		index_remove(&nat->by_host, table_hash(h->addr, 1), host);
		slab_put(&nat->hosts, host);
	}
}
