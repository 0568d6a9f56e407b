/* SPDX-License-Identifier: MIT */
/* Writing frames. A packet's new header is made here, from the one it came with and what the flow
 * stage noted; its payload is not touched. */
#include "router/node/emit.h"

#include <netinet/in.h>
#include <string.h>

#include "router/node/bytes.h"
#include "router/node/split.h"
#include "router/node/sum.h"

enum {
	AHEAD = 4, /* packets whose headers are asked for before they are copied */
};

/* ---- link layer ---- */

/* Where the tags begin, if there are any. */
static uint32_t tags_at(const struct packet *p)
{
	switch (p->link) {
	case IO_LINK_ETHERNET:
		return 12;
	case IO_LINK_SLL:
		return 14;
	case IO_LINK_SLL2:
		return 18; /* but for the first one's type, which is in the header */
	default:
		return p->l2 - 2u;
	}
}

uint32_t emit_link_len(const struct router *r, const struct packet *p)
{
	if (__builtin_expect(p->l2 <= 14 || !r->hops[p->hop].tags, 1))
		return 14;
	uint32_t from = tags_at(p);
	return 14 + (p->l2 - 2u > from ? p->l2 - 2u - from : 0);
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

static void put_link(const struct router *r, const struct packet *p, uint32_t len, uint8_t *to)
{
	const struct router_hop *hop = &r->hops[p->hop];
	memcpy(to, hop->ethernet, 12);
	if (hop->direct)
		put_neighbour(p, to);
	if (len > 14)
		memcpy(to + 12, p->ip - p->l2 + tags_at(p), len - 14);
	if (len > 14 && p->link == IO_LINK_SLL2)
		memcpy(to + 12, p->ip - p->l2, 2);
	put16(to + len - 2, p->flags & PACKET_V6 ? 0x86dd : 0x0800);
}

/* ---- headers ---- */

/* All of an ICMP answer's words can be zero, and then they add up to no other zero. */
static bool is_all_zero(const struct packet *p, const uint8_t *icmp)
{
	for (uint32_t i = 0; i < p->cap - p->l4; i++) {
		if (icmp[i])
			return false;
	}
	return true;
}

static void put_l4(const struct packet *p, uint8_t *h)
{
	uint8_t *check = h + (p->proto == IPPROTO_TCP ? 16 : p->proto == IPPROTO_UDP ? 6 : 2);
	if (p->proto == IPPROTO_ICMP) {
		put16(h + 4, parse_is_question(h[0]) ? p->sport : p->dport);
	} else if (p->proto == IPPROTO_TCP || p->proto == IPPROTO_UDP) {
		put16(h, p->sport);
		put16(h + 2, p->dport);
	} else {
		return;
	}
	if (p->proto == IPPROTO_UDP && get_raw(check) == 0)
		return; /* its sender calculated none */
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

static void put_v6(const struct packet *p, uint8_t *ip)
{
	ip[7]--;
	if (__builtin_expect(get16(ip + 4) + 40u != p->len, 0)) /* it said 0 */
		put16(ip + 4, (uint16_t)(p->len - 40));
}

/* Most packets are small, and copied in a few moves. */
static inline void copy(uint8_t *to, const uint8_t *from, uint32_t n)
{
	if (n > 64 || n < 32) {
		memcpy(to, from, n);
		return;
	}
	uint8_t first[32], last[32];
	memcpy(first, from, 32);
	memcpy(last, from + n - 32, 32);
	memcpy(to, first, 32);
	memcpy(to + n - 32, last, 32);
}

void emit_frame(const struct router *router, const struct packet *p, uint32_t link, uint8_t *to)
{
	put_link(router, p, link, to);
	uint8_t *ip = to + link;
	copy(ip, p->ip, p->cap);
	if (p->flags & PACKET_READY)
		return;
	if (p->flags & PACKET_V6)
		put_v6(p, ip);
	else
		put_v4(p, ip);
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

static struct io_out frame_of(const struct packet *p, uint32_t link, const uint8_t *bytes)
{
	return (struct io_out){
		.time_ns = p->time_ns,
		.head = bytes,
		.head_len = link + p->cap,
		.wire_len = link + p->len,
	};
}

/* The long way of a frame, by a copy: to wait, to be split, or to who looks on. */
static void send_copy(struct emitter *e, const struct packet *p, uint32_t link)
{
	const struct router_hop *hop = &e->router->hops[p->hop];
	uint8_t *bytes = split_frame(e->scratch);
	emit_frame(e->router, p, link, bytes);
	struct io_out frame = frame_of(p, link, bytes), piece;
	struct split split;
	bool more = true;
	if (p->flags & PACKET_SPLIT)
		split_begin(&split, &frame, link, hop->mtu, e->scratch);
	for (unsigned n = 0; more; n++) {
		piece = frame;
		if (p->flags & PACKET_SPLIT && !split_next(&split, &piece))
			break;
		e->counters[p->in].made += n > 0;
		if (e->outlets[hop->nic])
			outlet_put(e->outlets[hop->nic], e, p, &piece, link);
		else
			emitter_send(e, p->in, hop->nic, &piece);
		more = p->flags & PACKET_SPLIT;
	}
}

static inline void send_packet(struct emitter *e, const struct packet *p)
{
	if (__builtin_expect(p->drop, 0)) {
		if (p->drop != PACKET_HELD)
			e->counters[p->in].drops[p->drop]++;
		return;
	}
	uint32_t link = emit_link_len(e->router, p);
	uint16_t nic = e->router->hops[p->hop].nic;
	if (__builtin_expect(p->flags & PACKET_SPLIT || e->outlets[nic] || e->tap, 0)) {
		send_copy(e, p, link);
		return;
	}
	struct io_out frame = frame_of(p, link, NULL);
	uint8_t *room = io_writer_room(e->writers[nic], &frame);
	if (!room) { /* the run ends with what the writer has to say */
		e->counters[p->in].drops[DROP_unwritten]++;
		return;
	}
	emit_frame(e->router, p, link, room);
	emitter_count(e, p->in, nic, frame.wire_len);
}

void emit_chunk(struct emitter *e, const struct chunk *chunk)
{
	uint32_t x = 0;
	for (uint32_t i = 0; i < chunk->n; i++) {
		const struct packet *p = &chunk->packets[i];
		if (i + AHEAD < chunk->n)
			__builtin_prefetch(p[AHEAD].ip);
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
