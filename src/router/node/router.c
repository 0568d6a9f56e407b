/* SPDX-License-Identifier: MIT */
/* Making a router from its configuration, and ending it. */
#include "router/node/router.h"

#include <string.h>

#include "router/node/bytes.h"

static const int64_t second = 1000000000;

/* ---- link addresses ---- */

/* Locally administered ones: 02:00 and the number of an interface, 02:04 and the IPv4 address of a
 * neighbour, 02:06 and a hash of an IPv6 one. */
static void put_mac(uint8_t mac[6], uint8_t kind, uint32_t number)
{
	mac[0] = 2;
	mac[1] = kind;
	put32(mac + 2, number);
}

void router_mac_nic(uint8_t mac[6], uint16_t nic)
{
	put_mac(mac, 0, nic);
}

void router_mac_v4(uint8_t mac[6], uint32_t addr)
{
	put_mac(mac, 4, addr);
}

void router_mac_v6(uint8_t mac[6], const uint64_t addr[2])
{
	put_mac(mac, 6, table_hash(addr[0], addr[1]));
}

static int make_hops(struct router *r, struct lt_err *err)
{
	const struct conf *conf = r->conf;
	r->hops = calloc(r->fib->n_hops, sizeof(*r->hops));
	if (!r->hops)
		return lt_fail_mem(err);
	for (uint32_t i = 0; i < r->fib->n_hops; i++) {
		const struct fib_hop *from = fib_hop(r->fib, i);
		struct router_hop *hop = &r->hops[i];
		hop->kind = from->kind;
		if (from->kind != FIB_FORWARD)
			continue;
		const struct conf_nic *nic = &conf->nics[from->nic];
		hop->nic = from->nic;
		hop->mtu = nic->mtu;
		hop->inside = nic->side == CONF_SIDE_INSIDE;
		hop->tags = nic->vlan == CONF_VLAN_KEEP;
		hop->direct = from->via.family == 0;
		router_mac_nic(hop->ethernet + 6, from->nic);
		uint64_t v6[2];
		memcpy(v6, from->via.bytes, sizeof(v6));
		if (from->via.family == 4)
			router_mac_v4(hop->ethernet, addr_v4(&from->via));
		else if (from->via.family == 6)
			router_mac_v6(hop->ethernet, v6);
	}
	return 0;
}

/* ---- interfaces ---- */

/* Where ICMP errors come from: the first address of each family, and of IPv6 one that means
 * something beyond its link if there is one. */
static void name_nic(struct router_nic *to, const struct addr *a)
{
	static const uint8_t none[16];
	bool link_local = a->bytes[0] == 0xfe && (a->bytes[1] & 0xc0) == 0x80;
	if (a->family == 4)
		to->v4 = addr_v4(a);
	else if (!link_local || memcmp(to->v6, none, sizeof(none)) == 0)
		memcpy(to->v6, a->bytes, sizeof(to->v6));
}

static int make_nics(struct router *r, struct lt_err *err)
{
	const struct conf *conf = r->conf;
	r->nics = calloc(conf->n_nics ? conf->n_nics : 1, sizeof(*r->nics));
	r->counters = calloc(conf->n_nics ? conf->n_nics : 1, sizeof(*r->counters));
	if (!r->nics || !r->counters)
		return lt_fail_mem(err);
	for (size_t i = 0; i < conf->n_nics; i++) {
		const struct conf_nic *nic = &conf->nics[i];
		r->parser.inside[i] = nic->side == CONF_SIDE_INSIDE;
		for (size_t a = nic->n_addrs; a-- > 0;) {
			const struct addr *addr = &nic->addrs[a].prefix.addr;
			name_nic(&r->nics[i], addr);
			if (addr->family == 4)
				r->own |= router_own_bit(addr_v4(addr));
		}
	}
	return 0;
}

/* ---- classes and flows ---- */

static int make_classes(struct router *r, struct lt_err *err)
{
	const struct conf *conf = r->conf;
	for (size_t i = 0; i < conf->n_nics; i++)
		r->classes_on = r->classes_on || conf->nics[i].rate_bps;
	if (!r->classes_on)
		return 0;
	int rc = class_map_init(&r->map, conf, err);
	if (rc == 0 && r->map.by_content)
		rc = class_learnt_new(&r->learnt, err);
	return rc;
}

static int make_flows(struct router *r, struct lt_err *err)
{
	static const int64_t plain[FLOW_TIMERS] = { 300, 240, 7440, 240, 60, 300 };
	const struct conf_nat *nat = &r->conf->nat;
	int rc = flows_init(&r->flows, r->conf->max_flows, err);
	if (rc < 0)
		return rc;
	int64_t *to = r->flows.timeout_ns;
	for (unsigned i = 0; i < FLOW_TIMERS; i++)
		to[i] = plain[i] * second;
	if (!nat->on)
		return 0;
	to[FLOW_UDP] = (int64_t)nat->udp_ns;
	to[FLOW_TCP_SYN] = to[FLOW_TCP_TRANSITORY] = (int64_t)nat->tcp_transitory_ns;
	to[FLOW_TCP_OPEN] = (int64_t)nat->tcp_established_ns;
	to[FLOW_ICMP] = (int64_t)nat->icmp_ns;
	to[FLOW_OTHER] = (int64_t)nat->other_ns;
	return 0;
}

/* ---- the router ---- */

static int init(struct router *r, const char *log_path, struct lt_err *err)
{
	const struct conf *conf = r->conf;
	r->parser.zero_length_is_frame = conf->zero_length == CONF_ZERO_LENGTH_FRAME;
	r->burst = ROUTER_BURST;
	r->parser.source_route = conf->source_route;
	r->flows.turn = INT64_MAX; /* never, unless there are flows */
	r->log.fd = -1;
	r->icmp_tokens = conf->icmp_errors_per_s * second;
	int rc = make_hops(r, err);
	if (rc == 0)
		rc = make_nics(r, err);
	if (rc == 0 && !(r->ids = calloc(ROUTER_IDS, sizeof(*r->ids))))
		rc = lt_fail_mem(err);
	if (rc == 0)
		rc = make_classes(r, err);
	r->parser.flows = r->flows_on = conf->nat.on || r->learnt;
	if (rc == 0 && r->flows_on)
		rc = make_flows(r, err);
	if (rc < 0 || !conf->nat.on)
		return rc;
	if (log_path)
		rc = natlog_open(&r->log, log_path, err);
	if (rc == 0)
		rc = frags_init(&r->frags, conf->max_fragments, (int64_t)conf->fragment_ns, err);
	if (rc == 0)
		rc = nat_init(&r->nat, &conf->nat, &r->flows, log_path ? &r->log : NULL,
			&r->parser.external, err);
	return rc;
}

int router_new(const struct conf *conf, const struct fib *fib, const char *log_path,
	struct router **ret_router, struct lt_err *err)
{
	struct router *r = calloc(1, sizeof(*r));
	if (!r)
		return lt_fail_mem(err);
	r->conf = conf;
	r->fib = fib;
	int rc = init(r, log_path, err);
	if (rc < 0) {
		router_free(r);
		return rc;
	}
	*ret_router = r;
	return 0;
}

void router_free(struct router *r)
{
	if (!r)
		return;
	class_map_done(&r->map);
	class_learnt_free(r->learnt);
	nat_done(&r->nat);
	flows_done(&r->flows);
	frags_done(&r->frags);
	syns_done(&r->syns);
	natlog_close(&r->log, NULL);
	free(r->hops);
	free(r->nics);
	free(r->counters);
	free(r->ids);
	free(r);
}

int router_finish(struct router *r, struct lt_err *err)
{
	if (!r->conf->nat.on)
		return 0;
	frags_expire(&r->frags, INT64_MAX, r->counters);
	return natlog_close(&r->log, err);
}

void router_parse(const struct router *r, struct chunk *chunk)
{
	io_chunk_packets(&chunk->io, chunk->frames);
	chunk->n = chunk->io.n;
	router_parse_frames(r, chunk);
}

void router_parse_frames(const struct router *r, struct chunk *chunk)
{
	parse_packets(&r->parser, chunk->frames, chunk->packets, chunk->n);
}

size_t router_flow_bytes(const struct router *r)
{
	const struct nat *nat = &r->nat;
	size_t bytes = 0;
	const struct slab *slabs[] = { &r->flows.pairs, &nat->mappings, &nat->hosts,
		&nat->permits };
	for (size_t i = 0; i < LT_COUNT(slabs); i++)
		bytes += (size_t)slabs[i]->used * slabs[i]->size;
	const struct index *indexes[] = { &r->flows.index, &nat->by_inside, &nat->by_host,
		&nat->by_permit };
	for (size_t i = 0; i < LT_COUNT(indexes); i++)
		bytes += indexes[i]->lines ? index_bytes(indexes[i]) : 0;
	for (unsigned e = 0; e < nat->n_addrs; e++) {
		for (unsigned p = 0; p < PORTS_PROTOS; p++)
			bytes += nat->ports[e].space[p] ? sizeof(struct ports_space) : 0;
	}
	return bytes;
}
