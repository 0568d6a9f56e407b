/* SPDX-License-Identifier: MIT */
/* Writing frames. A packet's new header is made here, from the one it came with and what the flow
 * stage noted; its payload is not touched. */
#include "router/node/emit.h"

#include <netinet/in.h>
#include <string.h>

#include "router/node/bytes.h"
#include "router/node/split.h"
#include "router/node/sum.h"

/* ---- link layer ---- */

static uint32_t put_tags(const struct packet *p, uint8_t *to)
{
	uint32_t from = p->link == IO_LINK_ETHERNET ? 12u : p->l2;
	uint32_t len = p->l2 > from + 2 ? p->l2 - from - 2u : 0;
	memcpy(to, p->ip - p->l2 + from, len);
	return len;
}

/* A neighbour that is not named by a route is known by its own address. */
static void put_neighbour(const struct packet *p, uint8_t *mac)
{
	if (p->flags & PACKET_V6) {
		uint64_t a[2];
		memcpy(a, p->ip + 24, sizeof(a));
		router_mac_v6(mac, a);
	} else {
		router_mac_v4(mac, p->flags & PACKET_READY ? get32(p->ip + 16) : p->dst);
	}
}

static uint32_t put_link(const struct router *r, const struct packet *p, uint8_t *to)
{
	const struct router_hop *hop = &r->hops[p->hop];
	memcpy(to, hop->ethernet, 12);
	if (hop->direct)
		put_neighbour(p, to);
	uint32_t at = 12;
	if (hop->tags && p->l2 > 14)
		at += put_tags(p, to + at);
	put16(to + at, p->flags & PACKET_V6 ? 0x86dd : 0x0800);
	return at + 2;
}

/* ---- headers ---- */

/* All of an ICMP answer's words can be zero, and then they add up to no other zero. */
static bool is_all_zero(const struct packet *p, const uint8_t *icmp)
{
	const uint8_t *was = p->ip + p->l4;
	for (uint32_t i = 0; i < 8; i++) {
		if (icmp[i])
			return false;
	}
	for (uint32_t i = 8; i < p->cap - p->l4; i++) {
		if (was[i])
			return false;
	}
	return true;
}

static void put_l4(const struct packet *p, uint8_t *h)
{
	uint8_t *check = h + 16;
	switch (p->proto) {
	case IPPROTO_UDP:
		check = h + 6;
		if (get_raw(check) == 0)
			check = NULL; /* the sender calculated none */
		__attribute__((fallthrough));
	case IPPROTO_TCP:
		put16(h, p->sport);
		put16(h + 2, p->dport);
		break;
	case IPPROTO_ICMP:
		check = h + 2;
		put16(h + 4, parse_is_question(h[0]) ? p->sport : p->dport);
		break;
	default:
		return;
	}
	if (!check)
		return;
	uint16_t sum = sum_update(get_raw(check), p->l4_delta);
	put_raw(check, sum);
	if (sum == 0 &&
		(p->proto == IPPROTO_UDP || (p->proto == IPPROTO_ICMP && is_all_zero(p, h))))
		put_raw(check, 0xffff);
}

static void put_v4(const struct packet *p, uint8_t *ip)
{
	uint32_t delta = p->ip_delta;
	uint16_t ttl = get16(ip + 8), id = get16(ip + 4), len = get16(ip + 2);
	put16(ip + 8, (uint16_t)(ttl - 0x100));
	delta += sum_delta16(ttl, (uint16_t)(ttl - 0x100));
	if (p->flags & PACKET_NEW_ID) {
		put16(ip + 4, p->id);
		delta += sum_delta16(id, p->id);
	}
	if (__builtin_expect(len != p->len, 0)) { /* it said 0 */
		put16(ip + 2, (uint16_t)p->len);
		delta += sum_delta16(len, (uint16_t)p->len);
	}
	if (p->flags & PACKET_NEW) {
		put32(ip + 12, p->src);
		put32(ip + 16, p->dst);
		if (p->l4)
			put_l4(p, ip + p->l4);
	}
	put_raw(ip + 10, sum_update(get_raw(ip + 10), delta));
}

/* How much of a packet is rewritten, at most. */
static uint32_t header_len(const struct packet *p)
{
	if (p->flags & PACKET_V6)
		return 40;
	uint32_t header = (p->ip[0] & 15u) * 4;
	if (!p->l4)
		return header;
	uint32_t len = header + (p->proto == IPPROTO_TCP ? 20 : 8);
	return len < p->cap ? len : p->cap;
}

uint32_t emit_frame(const struct router *router, const struct packet *p,
	uint8_t head[EMIT_HEAD_MAX], struct io_out *ret_out)
{
	uint32_t link = put_link(router, p, head), taken = 0;
	if (!(p->flags & PACKET_READY)) {
		taken = header_len(p);
		memcpy(head + link, p->ip, taken);
		if (p->flags & PACKET_V6)
			head[link + 7]--;
		else
			put_v4(p, head + link);
	}
	*ret_out = (struct io_out){
		.time_ns = p->time_ns,
		.head = head,
		.head_len = link + taken,
		.tail = p->ip + taken,
		.tail_len = p->cap - taken,
		.wire_len = link + p->len,
	};
	return link;
}

/* ---- chunks ---- */

int emitter_init(struct emitter *e, const struct router *router, struct io_writer **writers,
	struct lt_err *err)
{
	const struct conf *conf = router->conf;
	*e = (struct emitter){ .router = router, .writers = writers };
	e->counters = calloc(conf->n_nics, sizeof(*e->counters));
	e->outlets = calloc(conf->n_nics, sizeof(struct outlet *));
	e->scratch = malloc(SPLIT_SCRATCH);
	if (!e->counters || !e->outlets || !e->scratch)
		return lt_fail_mem(err);
	int r = 0;
	for (uint16_t i = 0; i < conf->n_nics && r == 0; i++) {
		if (conf->nics[i].rate_bps)
			r = outlet_new(conf, i, &e->outlets[i], err);
	}
	return r;
}

void emitter_done(struct emitter *e)
{
	for (size_t i = 0; e->outlets && i < e->router->conf->n_nics; i++)
		outlet_free(e->outlets[i]);
	free(e->outlets);
	free(e->counters);
	free(e->scratch);
}

static inline void put_out(struct emitter *e, const struct packet *p, uint16_t nic,
	const struct io_out *out, uint32_t link)
{
	if (__builtin_expect(e->outlets[nic] != NULL, 0))
		outlet_put(e->outlets[nic], e, p, out, link);
	else
		emitter_send(e, p->in, nic, out);
}

static void send_pieces(struct emitter *e, const struct packet *p)
{
	uint8_t head[EMIT_HEAD_MAX];
	const struct router_hop *hop = &e->router->hops[p->hop];
	struct io_out whole, piece;
	uint32_t link = emit_frame(e->router, p, head, &whole);
	struct split split;
	split_begin(&split, &whole, link, hop->mtu, e->scratch);
	while (split_next(&split, &piece)) {
		if (split.n > 1)
			e->counters[p->in].made++;
		put_out(e, p, hop->nic, &piece, link);
	}
}

static inline void send_packet(struct emitter *e, const struct packet *p)
{
	if (__builtin_expect(p->drop, 0)) {
		if (p->drop != PACKET_HELD)
			e->counters[p->in].drops[p->drop]++;
		return;
	}
	if (__builtin_expect(p->flags & PACKET_SPLIT, 0)) {
		send_pieces(e, p);
		return;
	}
	uint8_t head[EMIT_HEAD_MAX];
	struct io_out out;
	uint32_t link = emit_frame(e->router, p, head, &out);
	put_out(e, p, e->router->hops[p->hop].nic, &out, link);
}

void emit_chunk(struct emitter *e, const struct chunk *chunk)
{
	uint32_t x = 0;
	for (uint32_t i = 0; i < chunk->n; i++) {
		const struct packet *p = &chunk->packets[i];
		e->counters[p->in].in++;
		e->counters[p->in].in_bytes += chunk->frames[i].wire_len;
		send_packet(e, p);
		for (; x < chunk->n_extra && chunk->extra[x].after == i; x++)
			send_packet(e, &chunk->extra[x].p);
	}
}

void emit_rest(struct emitter *e)
{
	for (size_t i = 0; i < e->router->conf->n_nics; i++) {
		if (e->outlets[i])
			outlet_flush(e->outlets[i], e);
	}
}
