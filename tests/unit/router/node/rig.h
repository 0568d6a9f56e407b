/* SPDX-License-Identifier: MIT */
/* A router between two networks, packets made by hand, and what comes out.
 *
 *	lan (0)   inside   10.0.0.1/8
 *	wan (1)   outside  203.0.113.1/24, default route by 203.0.113.254
 *	lab (2)   inside   192.168.0.1/16
 *	NAT       203.0.113.7
 *
 * Sums are checked here by other code than the router's. */
#ifndef ROUTER_TEST_RIG_H
#define ROUTER_TEST_RIG_H

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include <netinet/in.h>
#include <stdlib.h>
#include <string.h>

#include "router/node/emit.h"
#include "router/node/icmp.h"
#include "router/node/router.h"

enum {
	LAN,
	WAN,
	LAB,
	RIG_NICS,
	RIG_FRAMES = 200000,
};

#define MS             INT64_C(1000000)
#define S              (1000 * MS)
#define IP(a, b, c, d) ((uint32_t)(a) << 24 | (uint32_t)(b) << 16 | (uint32_t)(c) << 8 | (d))
#define HOST           IP(10, 0, 0, 5)
#define OTHER          IP(10, 0, 0, 6)
#define SERVER         IP(198, 51, 100, 9)
#define EXTERNAL       IP(203, 0, 113, 7)

struct rig_out {
	uint16_t nic;
	int64_t time_ns;
	uint32_t len; /* of the frame */
	uint32_t wire_len;
	uint8_t *frame;
};

struct rig {
	struct conf conf;
	struct conf_nic nics[RIG_NICS];
	struct conf_addr addrs[RIG_NICS][4];
	uint32_t external[4];
	struct fib *fib;
	struct router *router;
	struct chunk chunk;
	struct emitter emitter;
	struct rig_out *out;
	size_t n_out, cap_out;
	int64_t now;
	char log[64]; /* path of the NAT's log; empty: none */
};

static LT_UNUSED struct prefix rig_prefix(const char *text)
{
	struct prefix p;
	assert_true(prefix_parse(text, strlen(text), &p));
	return p;
}

static LT_UNUSED void rig_route(struct rig *rig, const char *prefix, const char *via, uint16_t nic)
{
	struct prefix p = rig_prefix(prefix);
	struct fib_hop hop = { .nic = nic, .kind = FIB_FORWARD };
	if (via)
		assert_true(addr_parse(via, strlen(via), &hop.via));
	assert_true(fib_add(rig->fib, &p, &hop, NULL) >= 0);
}

static LT_UNUSED void rig_local(struct rig *rig, uint16_t nic, const char *text)
{
	struct prefix p = rig_prefix(text), own = p;
	own.len = p.addr.family == 4 ? 32 : 128;
	struct conf_nic *n = &rig->nics[nic];
	rig->addrs[nic][n->n_addrs++].prefix = p;
	struct fib_hop direct = { .nic = nic, .kind = FIB_FORWARD };
	struct fib_hop local = { .nic = nic, .kind = FIB_LOCAL };
	struct prefix net = prefix_masked(&p);
	assert_true(fib_add(rig->fib, &net, &direct, NULL) >= 0);
	assert_true(fib_add(rig->fib, &own, &local, NULL) >= 0);
}

/* The configuration, to be changed before rig_start(). */
static LT_UNUSED void rig_init(struct rig *rig)
{
	static const char *const names[] = { "lan", "wan", "lab" };
	memset(rig, 0, sizeof(*rig));
	struct conf *c = &rig->conf;
	c->nics = rig->nics;
	c->n_nics = RIG_NICS;
	for (unsigned i = 0; i < RIG_NICS; i++)
		rig->nics[i] = (struct conf_nic){ .name = names[i],
			.side = i == WAN ? CONF_SIDE_OUTSIDE : CONF_SIDE_INSIDE,
			.mtu = 1500,
			.addrs = rig->addrs[i] };
	rig->external[0] = EXTERNAL;
	c->nat = (struct conf_nat){
		.on = true,
		.addrs = rig->external,
		.n_addrs = 1,
		.hairpin = true,
		.keep_range = true,
		.keep_parity = true,
		.refresh_inbound = true,
		.unknown = CONF_UNKNOWN_MAP,
		.udp_ns = 300 * S,
		.tcp_established_ns = 7440 * S,
		.tcp_transitory_ns = 240 * S,
		.tcp_syn_ns = 6 * S,
		.icmp_ns = 60 * S,
		.other_ns = 300 * S,
		.max_mappings = 1 << 20,
	};
	c->max_flows = 1 << 20;
	c->max_fragments = 64;
	c->fragment_ns = (uint64_t)(30 * S);
	assert_int_equal(fib_new(&rig->fib, NULL), 0);
	rig_local(rig, LAN, "10.0.0.1/8");
	rig_local(rig, LAB, "192.168.0.1/16");
	rig_local(rig, WAN, "203.0.113.1/24");
	rig_route(rig, "0.0.0.0/0", "203.0.113.254", WAN);
	rig->now = INT64_C(1700000000) * S;
}

static LT_UNUSED void rig_take(void *ctx, uint16_t nic, const struct io_out *out)
{
	struct rig *rig = ctx;
	if (rig->n_out == rig->cap_out) {
		rig->cap_out = rig->cap_out ? 2 * rig->cap_out : 64;
		rig->out = realloc(rig->out, rig->cap_out * sizeof(*rig->out));
		assert_non_null(rig->out);
	}
	struct rig_out *o = &rig->out[rig->n_out++];
	*o = (struct rig_out){ .nic = nic,
		.time_ns = out->time_ns,
		.len = out->head_len + out->tail_len,
		.wire_len = out->wire_len };
	o->frame = malloc(o->len);
	memcpy(o->frame, out->head, out->head_len);
	if (out->tail_len)
		memcpy(o->frame + out->head_len, out->tail, out->tail_len);
}

static LT_UNUSED void rig_start(struct rig *rig)
{
	struct lt_err err = { 0 };
	if (router_new(&rig->conf, rig->fib, rig->log[0] ? rig->log : NULL, &rig->router, &err) < 0)
		fail_msg("%s", err.text);
	assert_int_equal(chunk_init(&rig->chunk, 4096, &err), 0);
	assert_int_equal(emitter_init(&rig->emitter, rig->router, NULL, &err), 0);
	rig->emitter.tap = rig_take;
	rig->emitter.ctx = rig;
}

static LT_UNUSED void rig_forget(struct rig *rig)
{
	for (size_t i = 0; i < rig->n_out; i++)
		free(rig->out[i].frame);
	rig->n_out = 0;
}

/* All counters, of which every packet must be in one. */
static LT_UNUSED void rig_count(struct rig *rig, struct counters c[RIG_NICS])
{
	memset(c, 0, RIG_NICS * sizeof(*c));
	counters_add(c, rig->emitter.counters, RIG_NICS);
	counters_add(c, rig->router->counters, RIG_NICS);
	assert_true(counters_balance(c, RIG_NICS));
}

static LT_UNUSED uint64_t rig_drops(struct rig *rig, enum drop drop)
{
	struct counters c[RIG_NICS];
	rig_count(rig, c);
	return c[LAN].drops[drop] + c[WAN].drops[drop] + c[LAB].drops[drop];
}

static LT_UNUSED void rig_stop(struct rig *rig)
{
	struct counters c[RIG_NICS];
	emit_rest(&rig->emitter);
	assert_int_equal(router_finish(rig->router, NULL), 0);
	rig_count(rig, c);
	for (unsigned i = 0; i < RIG_NICS; i++)
		assert_int_equal(c[i].waiting, 0);
	rig_forget(rig);
	free(rig->out);
	emitter_done(&rig->emitter);
	chunk_done(&rig->chunk);
	router_free(rig->router);
	fib_free(rig->fib);
}

/* ---- sending ---- */

/* One frame, by itself in a chunk. */
static LT_UNUSED void rig_frame(struct rig *rig, uint16_t nic, const uint8_t *frame, uint32_t len)
{
	struct chunk *c = &rig->chunk;
	chunk_reset(c);
	c->frames[0] = (struct io_packet){ .data = frame,
		.time_ns = rig->now,
		.len = len,
		.wire_len = len,
		.nic = nic,
		.link = IO_LINK_ETHERNET };
	c->n = 1;
	router_parse_frames(rig->router, c);
	router_flow(rig->router, c);
	emit_chunk(&rig->emitter, c);
}

struct pkt {
	uint16_t nic;
	uint8_t frame[14 + 66000];
	uint32_t len; /* of the IP packet */
};

static LT_UNUSED uint8_t *ip_of(struct pkt *p)
{
	return p->frame + 14;
}

static LT_UNUSED void put_be16(uint8_t *p, uint32_t v)
{
	p[0] = (uint8_t)(v >> 8);
	p[1] = (uint8_t)v;
}

static LT_UNUSED void put_be32(uint8_t *p, uint32_t v)
{
	put_be16(p, v >> 16);
	put_be16(p + 2, v & 0xffff);
}

static LT_UNUSED uint32_t be16_at(const uint8_t *p)
{
	return (uint32_t)p[0] << 8 | p[1];
}

static LT_UNUSED uint32_t be32_at(const uint8_t *p)
{
	return be16_at(p) << 16 | be16_at(p + 2);
}

/* RFC 1071 as it stands there, byte by byte. */
static LT_UNUSED uint32_t rfc_sum(const uint8_t *p, size_t len, uint32_t sum)
{
	for (size_t i = 0; i < len; i++)
		sum += i % 2 ? p[i] : (uint32_t)p[i] << 8;
	while (sum >> 16)
		sum = (sum & 0xffff) + (sum >> 16);
	return sum;
}

static LT_UNUSED uint32_t pseudo_sum(const uint8_t *ip, uint32_t l4_len)
{
	return rfc_sum(ip + 12, 8, ip[9] + l4_len);
}

static LT_UNUSED void set_ip_sum(struct pkt *p)
{
	uint8_t *ip = ip_of(p);
	put_be16(ip + 10, 0);
	put_be16(ip + 10, ~rfc_sum(ip, (ip[0] & 15u) * 4, 0) & 0xffff);
}

static LT_UNUSED int sum_at(uint8_t proto)
{
	return proto == IPPROTO_TCP     ? 16
		: proto == IPPROTO_UDP  ? 6
		: proto == IPPROTO_ICMP ? 2
					: -1;
}

static LT_UNUSED void set_l4_sum(struct pkt *p)
{
	uint8_t *ip = ip_of(p), *l4 = ip + (ip[0] & 15u) * 4;
	uint32_t len = be16_at(ip + 2) - (ip[0] & 15u) * 4;
	int at = sum_at(ip[9]);
	if (at < 0)
		return;
	put_be16(l4 + at, 0);
	uint32_t start = ip[9] == IPPROTO_ICMP ? 0 : pseudo_sum(ip, len);
	uint32_t sum = ~rfc_sum(l4, len, start) & 0xffff;
	put_be16(l4 + at, sum == 0 && ip[9] == IPPROTO_UDP ? 0xffff : sum);
}

/* An IPv4 packet with `l4_len` bytes of layer 4, all zero so far. */
static LT_UNUSED struct pkt *new_ip(
	uint16_t nic, uint32_t src, uint32_t dst, uint8_t proto, uint32_t l4_len)
{
	static struct pkt many[8];
	static unsigned turn;
	struct pkt *p = &many[turn++ % 8];
	memset(p->frame, 0, 14 + 20 + l4_len);
	p->nic = nic;
	p->len = 20 + l4_len;
	put_be16(p->frame + 12, 0x0800);
	uint8_t *ip = ip_of(p);
	ip[0] = 0x45;
	put_be16(ip + 2, p->len);
	put_be16(ip + 4, 0x1234);
	put_be16(ip + 6, 0x4000); /* don't fragment */
	ip[8] = 64;
	ip[9] = proto;
	put_be32(ip + 12, src);
	put_be32(ip + 16, dst);
	set_ip_sum(p);
	return p;
}

static LT_UNUSED uint8_t *l4_of(struct pkt *p)
{
	return ip_of(p) + (ip_of(p)[0] & 15u) * 4;
}

static LT_UNUSED struct pkt *new_udp(
	uint16_t nic, uint32_t src, uint32_t sport, uint32_t dst, uint32_t dport, uint32_t payload)
{
	struct pkt *p = new_ip(nic, src, dst, IPPROTO_UDP, 8 + payload);
	uint8_t *u = l4_of(p);
	put_be16(u, sport);
	put_be16(u + 2, dport);
	put_be16(u + 4, 8 + payload);
	for (uint32_t i = 0; i < payload; i++)
		u[8 + i] = (uint8_t)(i * 7 + 1);
	set_l4_sum(p);
	return p;
}

enum {
	F_FIN = 1,
	F_SYN = 2,
	F_RST = 4,
	F_PSH = 8,
	F_ACK = 16,
	F_URG = 32,
};

static LT_UNUSED struct pkt *new_tcp(uint16_t nic, uint32_t src, uint32_t sport, uint32_t dst,
	uint32_t dport, unsigned flags, uint32_t payload)
{
	struct pkt *p = new_ip(nic, src, dst, IPPROTO_TCP, 20 + payload);
	uint8_t *t = l4_of(p);
	put_be16(t, sport);
	put_be16(t + 2, dport);
	put_be32(t + 4, 1000);
	t[12] = 0x50;
	t[13] = (uint8_t)flags;
	put_be16(t + 14, 8192);
	for (uint32_t i = 0; i < payload; i++)
		t[20 + i] = (uint8_t)(i * 5 + 3);
	set_l4_sum(p);
	return p;
}

static LT_UNUSED struct pkt *new_icmp(
	uint16_t nic, uint32_t src, uint32_t dst, unsigned type, uint32_t id, uint32_t payload)
{
	struct pkt *p = new_ip(nic, src, dst, IPPROTO_ICMP, 8 + payload);
	uint8_t *i = l4_of(p);
	i[0] = (uint8_t)type;
	put_be16(i + 4, id);
	put_be16(i + 6, 1);
	set_l4_sum(p);
	return p;
}

/* Sends a packet; what came out is behind what there was. Returns how many frames that are. */
static LT_UNUSED size_t rig_send(struct rig *rig, struct pkt *p)
{
	size_t before = rig->n_out;
	rig_frame(rig, p->nic, p->frame, 14 + p->len);
	return rig->n_out - before;
}

/* ---- looking at what came out ---- */

static LT_UNUSED const struct rig_out *last_out(const struct rig *rig)
{
	assert_true(rig->n_out > 0);
	return &rig->out[rig->n_out - 1];
}

static LT_UNUSED const uint8_t *out_ip(const struct rig_out *o)
{
	return o->frame + 14;
}

static LT_UNUSED const uint8_t *out_l4(const struct rig_out *o)
{
	return out_ip(o) + (out_ip(o)[0] & 15u) * 4;
}

/* Every sum of a whole IPv4 packet is right, and its length is the frame's. */
static LT_UNUSED void assert_sound(const struct rig_out *o)
{
	const uint8_t *ip = out_ip(o);
	uint32_t header = (ip[0] & 15u) * 4, len = be16_at(ip + 2);
	assert_int_equal(14 + len, o->len);
	assert_int_equal(rfc_sum(ip, header, 0), 0xffff);
	if (be16_at(ip + 6) & 0x3fff)
		return; /* a fragment */
	const uint8_t *l4 = ip + header;
	int at = sum_at(ip[9]);
	if (at < 0 || (ip[9] == IPPROTO_UDP && be16_at(l4 + at) == 0))
		return;
	uint32_t start = ip[9] == IPPROTO_ICMP ? 0 : pseudo_sum(ip, len - header);
	assert_int_equal(rfc_sum(l4, len - header, start), 0xffff);
}

static LT_UNUSED void assert_from_to(
	const struct rig_out *o, uint32_t src, int sport, uint32_t dst, int dport)
{
	const uint8_t *ip = out_ip(o), *l4 = out_l4(o);
	assert_int_equal(be32_at(ip + 12), src);
	assert_int_equal(be32_at(ip + 16), dst);
	if (sport >= 0)
		assert_int_equal(be16_at(l4), sport);
	if (dport >= 0)
		assert_int_equal(be16_at(l4 + 2), dport);
	assert_sound(o);
}

/* Sends a packet out through the NAT, and returns its external port. */
static LT_UNUSED uint16_t send_out(struct rig *rig, struct pkt *p)
{
	assert_int_equal(rig_send(rig, p), 1);
	const struct rig_out *o = last_out(rig);
	assert_int_equal(o->nic, WAN);
	assert_int_equal(be32_at(out_ip(o) + 12), EXTERNAL);
	assert_sound(o);
	return (uint16_t)be16_at(out_l4(o) + (out_ip(o)[9] == IPPROTO_ICMP ? 4 : 0));
}

static LT_UNUSED void assert_dropped(struct rig *rig, struct pkt *p, enum drop drop)
{
	uint64_t before = rig_drops(rig, drop);
	assert_int_equal(rig_send(rig, p), 0);
	assert_int_equal(rig_drops(rig, drop), before + 1);
}

/* Dropped, and its sender was told by an ICMP error that quotes it as it came. */
static LT_UNUSED void assert_refused(
	struct rig *rig, struct pkt *p, enum drop drop, unsigned type, unsigned code)
{
	uint64_t before = rig_drops(rig, drop);
	assert_int_equal(rig_send(rig, p), 1);
	assert_int_equal(rig_drops(rig, drop), before + 1);
	const struct rig_out *o = last_out(rig);
	const uint8_t *icmp = out_l4(o);
	assert_int_equal(o->nic, p->nic);
	assert_int_equal(be32_at(out_ip(o) + 16), be32_at(ip_of(p) + 12));
	assert_int_equal(out_ip(o)[9], IPPROTO_ICMP);
	assert_int_equal(icmp[0], type);
	assert_int_equal(icmp[1], code);
	uint32_t quoted = o->len - 14 - 20 - 8;
	assert_true(quoted == p->len || (quoted < p->len && o->len == 14 + 576));
	assert_memory_equal(icmp + 8, ip_of(p), quoted);
	assert_sound(o);
}

#endif
