/* SPDX-License-Identifier: MIT */
/* Fragments through the NAT, in order and out of order: RFC 4787 REQ-14. */
#include "rig.h"

/* The part [at, at + n) of a packet's payload, as a fragment. */
static struct pkt *fragment(struct pkt *whole, uint32_t at, uint32_t n)
{
	uint32_t payload = whole->len - 20;
	uint8_t *from = ip_of(whole);
	struct pkt *p = new_ip(whole->nic, be32_at(from + 12), be32_at(from + 16), from[9], n);
	memcpy(ip_of(p) + 4, from + 4, 2);
	put_be16(ip_of(p) + 6, (at + n < payload ? 0x2000 : 0) | at / 8);
	memcpy(ip_of(p) + 20, from + 20 + at, n);
	set_ip_sum(p);
	return p;
}

/* The fragments that came out, put together: one sound packet. */
static uint8_t *whole_of(const struct rig *rig, size_t first, uint32_t len)
{
	static uint8_t whole[20 + 4096];
	uint32_t got = 0;
	memset(whole, 0, sizeof(whole));
	for (size_t i = first; i < rig->n_out; i++) {
		const uint8_t *ip = out_ip(&rig->out[i]);
		uint32_t at = (be16_at(ip + 6) & 0x1fff) * 8, n = be16_at(ip + 2) - 20;
		assert_int_equal(be16_at(ip + 4), be16_at(out_ip(&rig->out[first]) + 4));
		assert_sound(&rig->out[i]);
		memcpy(whole + 20 + at, ip + 20, n);
		if (at == 0)
			memcpy(whole, ip, 20);
		got += n;
	}
	assert_int_equal(got, len);
	assert_int_equal(rfc_sum(whole + 20, len, pseudo_sum(whole, len)), 0xffff);
	return whole;
}

static const int orders[][3] = { { 0, 1, 2 }, { 0, 2, 1 }, { 1, 0, 2 }, { 1, 2, 0 }, { 2, 0, 1 },
	{ 2, 1, 0 } };

static void rfc4787_req14_fragments_pass_in_any_order(void **state)
{
	(void)state;
	for (size_t o = 0; o < LT_COUNT(orders); o++) {
		for (int way = 0; way < 2; way++) {
			struct rig rig;
			rig_init(&rig);
			rig_start(&rig);
			uint16_t port = send_out(&rig, new_udp(LAN, HOST, 4000, SERVER, 53, 5));
			struct pkt *p = way ? new_udp(WAN, SERVER, 53, EXTERNAL, port, 1192)
					    : new_udp(LAN, HOST, 4000, SERVER, 53, 1192);
			size_t first = rig.n_out;
			for (int i = 0; i < 3; i++) {
				uint32_t at = (uint32_t)orders[o][i] * 400;
				rig_send(&rig, fragment(p, at, 400));
			}
			assert_int_equal(rig.n_out - first, 3);
			const uint8_t *whole = whole_of(&rig, first, 1200);
			assert_int_equal(be32_at(whole + 12), way ? SERVER : EXTERNAL);
			assert_int_equal(be32_at(whole + 16), way ? HOST : SERVER);
			assert_int_equal(be16_at(whole + (way ? 22 : 20)), way ? 4000 : port);
			rig_stop(&rig);
		}
	}
}

static void fragments_of_a_new_flow_wait_for_their_first_one(void **state)
{
	(void)state;
	struct rig rig;
	rig_init(&rig);
	rig_start(&rig);
	struct pkt *p = new_icmp(LAN, HOST, SERVER, 8, 9, 1192);
	assert_int_equal(rig_send(&rig, fragment(p, 400, 400)), 0);
	assert_int_equal(rig_send(&rig, fragment(p, 800, 400)), 0);
	rig.now += 5 * S;
	assert_int_equal(rig_send(&rig, fragment(p, 0, 400)), 3);
	for (size_t i = 0; i < 3; i++) {
		assert_int_equal(be32_at(out_ip(&rig.out[i]) + 12), EXTERNAL);
		assert_int_equal(rig.out[i].time_ns, rig.now); /* they leave now */
	}
	rig_stop(&rig);
}

static void fragments_whose_first_one_does_not_come_are_dropped_in_time(void **state)
{
	(void)state;
	struct rig rig;
	rig_init(&rig);
	rig_start(&rig);
	struct pkt *p = new_udp(LAN, HOST, 4000, SERVER, 53, 1192);
	assert_int_equal(rig_send(&rig, fragment(p, 400, 400)), 0);
	assert_int_equal(rig_drops(&rig, DROP_fragment_lost), 0);
	rig.now += 30 * S + 1;
	send_out(&rig, new_udp(LAN, OTHER, 4000, SERVER, 53, 2));
	assert_int_equal(rig_drops(&rig, DROP_fragment_lost), 1);
	/* the first one alone then goes on, as it would in any network */
	assert_int_equal(rig_send(&rig, fragment(p, 0, 400)), 1);
	rig_stop(&rig); /* where what still waits is counted, too */
}

static void rfc4787_req14a_waiting_fragments_are_bounded(void **state)
{
	(void)state;
	struct rig rig;
	rig_init(&rig);
	rig_start(&rig);
	for (uint32_t i = 0; i < 100; i++) {
		struct pkt *p = new_udp(LAN, HOST, 4000, SERVER, 53, 1192);
		put_be16(ip_of(p) + 4, i);
		assert_int_equal(rig_send(&rig, fragment(p, 400, 400)), 0);
	}
	assert_int_equal(rig.router->frags.waiting, 64);
	assert_int_equal(rig_drops(&rig, DROP_fragment_full), 36);
	struct pkt *p = new_udp(LAN, HOST, 4000, SERVER, 53, 1192);
	put_be16(ip_of(p) + 4, 7);
	assert_int_equal(rig_send(&rig, fragment(p, 0, 400)), 2);
	rig_stop(&rig);
	/* all of one packet */
	rig_init(&rig);
	rig_start(&rig);
	for (uint32_t i = 1; i < 101; i++)
		rig_send(&rig, fragment(p, 8 * i, 8));
	assert_int_equal(rig_drops(&rig, DROP_fragment_full), 36);
	rig_stop(&rig);
}

static void fragments_share_the_fate_of_their_first_one(void **state)
{
	(void)state;
	struct rig rig;
	rig_init(&rig);
	rig_start(&rig);
	struct pkt *p = new_udp(WAN, SERVER, 53, EXTERNAL, 4000, 1192); /* nobody asked for it */
	assert_int_equal(rig_send(&rig, fragment(p, 800, 400)), 0);
	assert_int_equal(rig_send(&rig, fragment(p, 0, 400)), 0);
	assert_int_equal(rig_send(&rig, fragment(p, 400, 400)), 0);
	assert_int_equal(rig_drops(&rig, DROP_unsolicited), 3);
	rig_stop(&rig);
}

static void impossible_fragments_are_dropped(void **state)
{
	(void)state;
	struct rig rig;
	rig_init(&rig);
	rig_start(&rig);
	struct pkt *p = new_udp(LAN, HOST, 4000, SERVER, 53, 1192);
	assert_dropped(&rig, fragment(p, 0, 399), DROP_fragment_bad); /* not of 8 */
	struct pkt *ping_of_death = fragment(p, 800, 400);
	put_be16(ip_of(ping_of_death) + 6, 0x1fff);
	set_ip_sum(ping_of_death);
	assert_dropped(&rig, ping_of_death, DROP_fragment_bad);
	struct pkt *t = new_tcp(LAN, HOST, 4000, SERVER, 53, F_SYN, 1180);
	assert_dropped(&rig, fragment(t, 8, 400), DROP_fragment_bad); /* RFC 3128 */
	assert_dropped(&rig, fragment(t, 0, 16), DROP_l4_short);
	rig_stop(&rig);
}

static void without_nat_fragments_are_routed_one_by_one(void **state)
{
	(void)state;
	struct rig rig;
	rig_init(&rig);
	rig.conf.nat.on = false;
	rig_start(&rig);
	struct pkt *p = new_udp(LAN, HOST, 4000, SERVER, 53, 1192);
	assert_int_equal(rig_send(&rig, fragment(p, 800, 400)), 1);
	assert_int_equal(rig_send(&rig, fragment(p, 0, 400)), 1);
	rig_stop(&rig);
	rig_init(&rig); /* nor with it, from inside to inside */
	rig_start(&rig);
	p = new_udp(LAN, HOST, 4000, IP(192, 168, 0, 9), 53, 1192);
	assert_int_equal(rig_send(&rig, fragment(p, 800, 400)), 1);
	rig_stop(&rig);
}

static void large_fragments_are_split_again(void **state)
{
	(void)state;
	struct rig rig;
	rig_init(&rig);
	rig.nics[WAN].mtu = 256;
	rig_start(&rig);
	struct pkt *p = new_udp(LAN, HOST, 4000, SERVER, 53, 1192);
	assert_int_equal(rig_send(&rig, fragment(p, 800, 400)), 0);
	assert_int_equal(rig_send(&rig, fragment(p, 0, 400)), 4);
	assert_int_equal(rig_send(&rig, fragment(p, 400, 400)), 2);
	const uint8_t *whole = whole_of(&rig, 0, 1200);
	assert_memory_equal(whole + 28, l4_of(p) + 8, 1192);
	rig_stop(&rig);
}

/* Copies of the first one, of whatever came before: all must still be of one packet. */
static void a_first_fragment_that_comes_again_keeps_its_identification(void **state)
{
	(void)state;
	struct rig rig;
	rig_init(&rig);
	rig_start(&rig);
	send_out(&rig, new_udp(LAN, HOST, 4000, SERVER, 53, 5));
	size_t first = rig.n_out;
	struct pkt *p = new_udp(LAN, HOST, 4000, SERVER, 53, 1192);
	const uint32_t order[] = { 400, 0, 0, 800, 0, 400 };
	for (size_t i = 0; i < LT_COUNT(order); i++)
		rig_send(&rig, fragment(p, order[i], 400));
	assert_int_equal(rig.n_out - first, LT_COUNT(order));
	for (size_t i = first; i < rig.n_out; i++)
		assert_int_equal(
			be16_at(out_ip(&rig.out[i]) + 4), be16_at(out_ip(last_out(&rig)) + 4));
	rig_stop(&rig);
}

/* What is known of packets whose fragments all came takes no room from those that come. */
static void more_packets_than_are_followed_pass_all_the_same(void **state)
{
	(void)state;
	struct rig rig;
	rig_init(&rig);
	rig_start(&rig);
	for (uint32_t i = 0; i < 1000; i++) {
		struct pkt *p = new_udp(LAN, HOST, 4000, SERVER, 53, 1192);
		put_be16(ip_of(p) + 4, i);
		assert_int_equal(rig_send(&rig, fragment(p, 0, 800)), 1);
		assert_int_equal(rig_send(&rig, fragment(p, 800, 400)), 1);
	}
	/* nor do those that wait in vain */
	for (uint32_t i = 1000; i < 1100; i++) {
		struct pkt *p = new_udp(LAN, HOST, 4000, SERVER, 53, 1192);
		put_be16(ip_of(p) + 4, i);
		assert_int_equal(rig_send(&rig, fragment(p, 800, 400)), 0);
	}
	for (uint32_t i = 2000; i < 2100; i++) {
		struct pkt *p = new_udp(LAN, OTHER, 4000, SERVER, 53, 1192);
		put_be16(ip_of(p) + 4, i);
		assert_int_equal(rig_send(&rig, fragment(p, 0, 800)), 1);
		assert_int_equal(rig_send(&rig, fragment(p, 800, 400)), 1);
	}
	assert_int_equal(rig_drops(&rig, DROP_fragment_full), 36);
	rig.now += 31 * S;
	send_out(&rig, new_udp(LAN, HOST, 4000, SERVER, 53, 5));
	assert_int_equal(rig_drops(&rig, DROP_fragment_lost), 64);
	assert_int_equal(rig.router->frags.sets.live, 0);
	rig_stop(&rig);
}

/* What is dropped as a first fragment is known to be, and nothing waits for it in vain. */
static void fragments_of_what_cannot_be_translated_go_at_once(void **state)
{
	(void)state;
	struct rig rig;
	rig_init(&rig);
	rig_start(&rig);
	struct pkt *t = new_tcp(LAN, HOST, 4000, SERVER, 53, F_SYN, 1180);
	assert_int_equal(rig_send(&rig, fragment(t, 800, 400)), 0);
	assert_int_equal(rig_send(&rig, fragment(t, 0, 16)), 0); /* too little of its header */
	assert_int_equal(rig_send(&rig, fragment(t, 16, 784)), 0);
	assert_int_equal(rig_drops(&rig, DROP_l4_short), 3);
	struct pkt *e = new_icmp(WAN, SERVER, EXTERNAL, 3, 0, 792); /* quotes are never that long */
	assert_int_equal(rig_send(&rig, fragment(e, 400, 400)), 0);
	assert_int_equal(rig_send(&rig, fragment(e, 0, 400)), 0);
	assert_int_equal(rig_drops(&rig, DROP_icmp_inner), 2);
	assert_int_equal(rig.router->frags.waiting, 0);
	rig_stop(&rig);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(rfc4787_req14_fragments_pass_in_any_order),
		cmocka_unit_test(fragments_of_a_new_flow_wait_for_their_first_one),
		cmocka_unit_test(fragments_whose_first_one_does_not_come_are_dropped_in_time),
		cmocka_unit_test(rfc4787_req14a_waiting_fragments_are_bounded),
		cmocka_unit_test(fragments_share_the_fate_of_their_first_one),
		cmocka_unit_test(impossible_fragments_are_dropped),
		cmocka_unit_test(without_nat_fragments_are_routed_one_by_one),
		cmocka_unit_test(large_fragments_are_split_again),
		cmocka_unit_test(a_first_fragment_that_comes_again_keeps_its_identification),
		cmocka_unit_test(more_packets_than_are_followed_pass_all_the_same),
		cmocka_unit_test(fragments_of_what_cannot_be_translated_go_at_once),
	};
	return cmocka_run_group_tests(tests, NULL, NULL);
}
