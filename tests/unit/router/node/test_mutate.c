/* SPDX-License-Identifier: MIT */
/* Whatever bytes come in: packets of every kind the router knows, with damage, through a router
 * with everything switched on. No byte is read that is not there (run this under AddressSanitizer),
 * every packet is counted once, what was sound leaves sound, no inside address leaves outside, and
 * how many packets go through the stages together changes nothing.
 *
 * MUTATIONS in the environment says how many packets; 10000000 takes some minutes. */
#include "rig.h"

enum {
	BATCH = 512,
	MUTATIONS = 60000,
};

static uint64_t state_of_random;

static uint32_t random32(void)
{
	state_of_random += UINT64_C(0x9e3779b97f4a7c15);
	uint64_t x = (state_of_random ^ state_of_random >> 30) * UINT64_C(0xbf58476d1ce4e5b9);
	x = (x ^ x >> 27) * UINT64_C(0x94d049bb133111eb);
	return (uint32_t)(x >> 32);
}

static uint32_t below(uint32_t n)
{
	return (uint32_t)((uint64_t)random32() * n >> 32);
}

static uint32_t any_host(void)
{
	static const uint32_t hosts[] = { HOST, OTHER, SERVER, EXTERNAL, IP(192, 168, 0, 9),
		IP(203, 0, 113, 1), IP(203, 0, 113, 77), IP(127, 0, 0, 1), IP(224, 0, 0, 1) };
	uint32_t r = below(100);
	if (r < 20)
		return HOST + below(20);
	return r < 95 ? hosts[below(6)] : hosts[below(LT_COUNT(hosts))];
}

static uint32_t any_port(void)
{
	return below(4) ? 4000 + below(6) : random32() & 0xffff;
}

static struct pkt *any_simple(uint16_t nic)
{
	static const unsigned flags[] = { F_SYN, F_SYN | F_ACK, F_ACK, F_ACK | F_PSH, F_FIN | F_ACK,
		F_RST, 0, 63 };
	static const unsigned types[] = { 8, 0, 8, 0, 13, 14, 3, 11, 5, 9 };
	uint32_t src = any_host(), dst = any_host(), size = below(8) ? below(80) : below(2500);
	switch (below(8)) {
	case 0:
	case 1:
	case 2:
		return new_udp(nic, src, any_port(), dst, any_port(), size);
	case 3:
	case 4:
	case 5:
		return new_tcp(
			nic, src, any_port(), dst, any_port(), flags[below(LT_COUNT(flags))], size);
	case 6:
		return new_icmp(nic, src, dst, types[below(LT_COUNT(types))], any_port(), size);
	default:
		return new_ip(nic, src, dst, (uint8_t)below(256), size);
	}
}

/* Quotes a packet in an ICMP error the other way. */
static struct pkt *error_about(uint16_t nic, const uint8_t *ip, uint32_t len)
{
	static const unsigned types[] = { 3, 11, 12, 4, 5 };
	uint32_t n = below(2) ? len : below(len + 1);
	struct pkt *p = new_ip(nic, any_host(), be32_at(ip + 12), IPPROTO_ICMP, 8 + n);
	l4_of(p)[0] = (uint8_t)types[below(5)];
	memcpy(l4_of(p) + 8, ip, n);
	set_l4_sum(p);
	return p;
}

static void make_fragment(struct pkt *p)
{
	uint8_t *ip = ip_of(p);
	put_be16(ip + 4, below(30));
	put_be16(ip + 6, (below(2) ? 0x2000 : 0) | below(4) * 3);
	set_ip_sum(p);
}

static void make_v6(struct pkt *p)
{
	uint8_t *ip = ip_of(p), inside[16] = { 0x20, 1, 0xd, 0xb8, 0, 1 },
		outside[16] = { 0x20, 1 };
	uint32_t payload = p->len > 40 ? p->len - 40 : 0;
	static const uint8_t next[] = { IPPROTO_UDP, IPPROTO_TCP, IPPROTO_ICMPV6, 0, 43, 44, 60,
		51 };
	p->len = 40 + payload;
	put_be16(p->frame + 12, 0x86dd);
	put_be32(ip, 0x60000000);
	put_be16(ip + 4, payload);
	ip[6] = next[below(8)];
	ip[7] = (uint8_t)(1 + below(64));
	memcpy(ip + 8, inside, 16);
	memcpy(ip + 24, outside, 16);
	ip[15] = (uint8_t)below(256);
}

static void damage(struct pkt *p)
{
	uint32_t len = 14 + p->len;
	for (uint32_t n = 1 + below(4); n > 0; n--)
		p->frame[below(below(4) ? 64 : len) % len] = (uint8_t)random32();
	if (below(4) == 0)
		p->len = below(p->len + 1);
}

/* Sums that fit whatever the packet is now, so that it gets past the first checks. */
static void mend(struct pkt *p)
{
	uint8_t *ip = ip_of(p);
	uint32_t header = (ip[0] & 15u) * 4;
	if (be16_at(p->frame + 12) != 0x0800 || p->len < 20 || header < 20 || header > p->len)
		return;
	if (below(4))
		put_be16(ip + 2, p->len);
	set_ip_sum(p);
	int at = sum_at(ip[9]);
	if (at >= 0 && be16_at(ip + 2) <= p->len && be16_at(ip + 2) >= header + (uint32_t)at + 2)
		set_l4_sum(p);
}

static bool is_sound(const uint8_t *frame, uint32_t len)
{
	const uint8_t *ip = frame + 14;
	if (len < 34 || be16_at(frame + 12) != 0x0800 || ip[0] >> 4 != 4)
		return false;
	uint32_t header = (ip[0] & 15u) * 4, total = be16_at(ip + 2);
	int at = sum_at(ip[9]);
	if (header < 20 || total < header || 14 + total > len || rfc_sum(ip, header, 0) != 0xffff)
		return false;
	if (at < 0 || be16_at(ip + 6) & 0x3fff)
		return false;
	if (total < header + (uint32_t)at + 2)
		return false;
	uint32_t start = ip[9] == IPPROTO_ICMP ? 0 : pseudo_sum(ip, total - header);
	return (ip[9] == IPPROTO_UDP && be16_at(ip + header + 6) == 0) ||
		rfc_sum(ip + header, total - header, start) == 0xffff;
}

/* ---- two routers, one fed packet by packet ---- */

static void start(struct rig *rig, int variant)
{
	rig_init(rig);
	rig_local(rig, LAN, "2001:db8:1::1/64");
	rig_local(rig, WAN, "2001:db8:2::1/64");
	rig_route(rig, "::/0", "2001:db8:2::9", WAN);
	rig->nics[WAN].mtu = 1280;
	rig->conf.nat.mapping = variant & 1 ? CONF_MAPPING_SYMMETRIC : CONF_MAPPING_EIM;
	rig->conf.nat.filtering = (enum conf_filtering)(variant % 3);
	rig->conf.nat.refresh_inbound = variant & 4;
	rig->conf.nat.max_host_mappings = variant & 2 ? 50 : 0;
	rig->conf.max_flows = 400;
	rig->conf.nat.max_mappings = 300;
	rig->conf.zero_length = (enum conf_zero_length)(variant >> 1 & 1);
	rig->conf.source_route = variant & 1;
	rig->conf.icmp_errors_per_s = variant & 4 ? 1000 : 0;
	rig_start(rig);
}

static struct io_packet *frame_into(
	struct chunk *c, const struct rig *rig, const uint8_t *bytes, uint32_t len, uint16_t nic)
{
	struct io_packet *f = &c->frames[c->n++];
	*f = (struct io_packet){ .data = bytes,
		.time_ns = rig->now,
		.len = len,
		.wire_len = len,
		.nic = nic,
		.link = IO_LINK_ETHERNET };
	return f;
}

static void through(struct rig *rig)
{
	router_parse_frames(rig->router, &rig->chunk);
	router_flow(rig->router, &rig->chunk);
	emit_chunk(&rig->emitter, &rig->chunk);
}

static void assert_nothing_leaks(const struct rig *rig, size_t from)
{
	for (size_t i = from; i < rig->n_out; i++) {
		const struct rig_out *o = &rig->out[i];
		if (o->nic != WAN || be16_at(o->frame + 12) != 0x0800)
			continue;
		uint32_t src = be32_at(out_ip(o) + 12);
		if (src >> 24 == 10 || src >> 16 == 0xc0a8)
			fail_msg("%08x -> %08x, protocol %u left outside", src,
				be32_at(out_ip(o) + 16), out_ip(o)[9]);
		assert_int_equal(rfc_sum(out_ip(o), (out_ip(o)[0] & 15u) * 4, 0), 0xffff);
	}
}

/* One packet for both; memory of exactly its length, so that reading beyond is found. */
static uint8_t *next_packet(struct rig *rig, uint32_t *ret_len, uint16_t *ret_nic)
{
	uint16_t nic = (uint16_t)(below(10) ? below(2) : LAB);
	struct pkt *p = any_simple(nic);
	uint32_t r = below(100);
	if (r < 15 && rig->n_out) {
		const struct rig_out *o = &rig->out[below((uint32_t)rig->n_out)];
		if (o->len > 34)
			p = error_about(nic, out_ip(o), o->len - 14);
	} else if (r < 30) {
		make_fragment(p);
	} else if (r < 40) {
		make_v6(p);
	} else if (r < 45) {
		put_be16(ip_of(p) + 6, 0);
		set_ip_sum(p);
	}
	if (below(3) == 0) {
		damage(p);
		if (below(2))
			mend(p);
	}
	*ret_len = 14 + p->len;
	*ret_nic = nic;
	uint8_t *bytes = malloc(*ret_len);
	memcpy(bytes, p->frame, *ret_len);
	return bytes;
}

static void run_variant(int variant, uint32_t packets)
{
	struct rig one, many;
	uint8_t *kept[BATCH];
	state_of_random = (uint64_t)variant;
	start(&one, variant);
	start(&many, variant);
	for (uint32_t done = 0; done < packets; done += BATCH) {
		rig_forget(&many);
		rig_forget(&one);
		chunk_reset(&many.chunk);
		for (uint32_t i = 0; i < BATCH; i++) {
			uint32_t len;
			uint16_t nic;
			one.now += below(50) ? below(3) * MS : (int64_t)below(400) * S;
			many.now = one.now;
			kept[i] = next_packet(&one, &len, &nic);
			size_t before = one.n_out;
			chunk_reset(&one.chunk);
			frame_into(&one.chunk, &one, kept[i], len, nic);
			frame_into(&many.chunk, &many, kept[i], len, nic);
			through(&one);
			assert_nothing_leaks(&one, before);
			/* what leaves alone is the packet, or an error about it */
			if (one.n_out == before + 1 && is_sound(kept[i], len))
				assert_sound(&one.out[before]);
		}
		through(&many);
		assert_int_equal(one.n_out, many.n_out);
		for (size_t i = 0; i < one.n_out; i++) {
			assert_int_equal(one.out[i].nic, many.out[i].nic);
			assert_int_equal(one.out[i].len, many.out[i].len);
			assert_memory_equal(one.out[i].frame, many.out[i].frame, one.out[i].len);
		}
		for (uint32_t i = 0; i < BATCH; i++)
			free(kept[i]);
		struct counters c[RIG_NICS];
		rig_count(&one, c);
	}
	rig_stop(&one);
	rig_stop(&many);
}

static void any_bytes_whatever_are_counted_and_harm_nothing(void **state)
{
	(void)state;
	const char *text = getenv("MUTATIONS");
	uint32_t packets = text ? (uint32_t)strtoul(text, NULL, 10) : MUTATIONS;
	for (int variant = 0; variant < 12; variant++)
		run_variant(variant, packets / 12);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(any_bytes_whatever_are_counted_and_harm_nothing),
	};
	return cmocka_run_group_tests(tests, NULL, NULL);
}
