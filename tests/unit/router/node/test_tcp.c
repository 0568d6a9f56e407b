/* SPDX-License-Identifier: MIT */
/* TCP through the NAT: which timer a connection has in which state. */
#include "rig.h"

enum {
	PORT = 4000
};

static struct pkt *out(unsigned flags)
{
	return new_tcp(LAN, HOST, PORT, SERVER, 80, flags, flags & F_PSH ? 7 : 0);
}

static struct pkt *in(unsigned flags)
{
	return new_tcp(WAN, SERVER, 80, EXTERNAL, PORT, flags, flags & F_PSH ? 7 : 0);
}

static void start(struct rig *rig)
{
	rig_init(rig);
	rig->conf.nat.filtering = CONF_FILTERING_PORT;
	rig_start(rig);
}

static void pass(struct rig *rig, struct pkt *p)
{
	assert_int_equal(rig_send(rig, p), 1);
	assert_sound(last_out(rig));
}

static void handshake(struct rig *rig)
{
	pass(rig, out(F_SYN));
	pass(rig, in(F_SYN | F_ACK));
	pass(rig, out(F_ACK));
}

/* How long the connection is let in after its last packet: 240 s, or 2 h 4 min. */
static void assert_lives(struct rig *rig, int64_t seconds)
{
	rig->now += seconds * S;
	pass(rig, in(F_ACK));
	rig->now += seconds * S + 1;
	assert_dropped(rig, in(F_ACK), DROP_unsolicited);
}

static void rfc5382_req5_established_connections_live_2_hours_4_minutes(void **state)
{
	(void)state;
	struct rig rig;
	start(&rig);
	handshake(&rig);
	assert_lives(&rig, 7440);
	rig_stop(&rig);
}

static void c11_after_a_reset_what_is_still_on_its_way_is_translated(void **state)
{
	(void)state;
	struct rig rig;
	start(&rig);
	handshake(&rig);
	pass(&rig, in(F_RST | F_ACK));
	pass(&rig, out(F_ACK | F_PSH));
	assert_int_equal(be32_at(out_ip(last_out(&rig)) + 12), EXTERNAL);
	pass(&rig, in(F_ACK | F_PSH));
	assert_lives(&rig, 240); /* RFC 7857 section 2 */
	rig_stop(&rig);
}

static void c11_scans_never_leave_with_the_inside_source(void **state)
{
	(void)state;
	struct rig rig;
	start(&rig);
	const unsigned scans[] = { 0, F_FIN | F_PSH | F_URG, F_SYN | F_FIN, F_SYN | F_RST, F_FIN,
		F_FIN | F_SYN | F_RST | F_ACK | F_URG | F_PSH };
	for (int connected = 0; connected < 2; connected++) {
		if (connected)
			handshake(&rig);
		for (size_t i = 0; i < LT_COUNT(scans); i++) {
			assert_dropped(&rig, out(scans[i]), DROP_tcp_flags);
			if (connected)
				assert_dropped(&rig, in(scans[i]), DROP_tcp_flags);
		}
	}
	/* and what is of no connection and begins none */
	assert_dropped(&rig, new_tcp(LAN, OTHER, 9, SERVER, 80, F_RST, 0), DROP_tcp_state);
	assert_dropped(&rig, new_tcp(LAN, OTHER, 9, SERVER, 80, F_FIN | F_ACK, 0), DROP_tcp_state);
	assert_dropped(&rig, new_tcp(LAN, OTHER, 9, SERVER, 80, F_SYN | F_ACK, 0), DROP_tcp_state);
	rig_stop(&rig);
}

static void close_it(struct rig *rig)
{
	pass(rig, out(F_FIN | F_ACK));
	pass(rig, in(F_FIN | F_ACK));
	pass(rig, out(F_ACK));
}

static void closed_connections_live_4_minutes(void **state)
{
	(void)state;
	struct rig rig;
	start(&rig);
	handshake(&rig);
	pass(&rig, out(F_FIN | F_ACK));
	rig.now += 1000 * S; /* half closed is open */
	pass(&rig, in(F_ACK | F_PSH));
	pass(&rig, in(F_FIN | F_ACK));
	assert_lives(&rig, 240);
	/* the port is free again within a moment, though the timer had been set for hours */
	rig.now += S;
	assert_dropped(&rig, new_udp(WAN, SERVER, 1, EXTERNAL, 1, 1), DROP_unsolicited);
	assert_int_equal(rig.router->flows.pairs.live, 0);
	rig_stop(&rig);
}

static void c12_the_same_ports_again_are_a_new_connection(void **state)
{
	(void)state;
	for (int reset = 0; reset < 2; reset++) {
		struct rig rig;
		start(&rig);
		handshake(&rig);
		if (reset)
			pass(&rig, out(F_RST));
		else
			close_it(&rig);
		rig.now += 10 * S;
		handshake(&rig);
		assert_lives(&rig, 7440);
		rig_stop(&rig);
	}
}

static void c13_crossing_syns_open_a_connection(void **state)
{
	(void)state;
	struct rig rig;
	start(&rig);
	assert_dropped(&rig, in(F_SYN), DROP_unsolicited);
	pass(&rig, out(F_SYN));
	pass(&rig, in(F_SYN));
	pass(&rig, out(F_SYN | F_ACK));
	pass(&rig, in(F_SYN | F_ACK));
	assert_lives(&rig, 7440);
	rig_stop(&rig);
}

static void rfc5382_req4_an_unsolicited_syn_is_answered_after_6_seconds(void **state)
{
	(void)state;
	for (int crossed = 0; crossed < 2; crossed++) {
		struct rig rig;
		start(&rig);
		struct pkt *syn = in(F_SYN);
		assert_dropped(&rig, syn, DROP_unsolicited);
		rig.now += 6 * S - 1;
		assert_dropped(&rig, in(F_ACK), DROP_unsolicited);
		if (crossed)
			pass(&rig, out(F_SYN)); /* it was one of two that cross */
		size_t before = rig.n_out;
		rig.now += 1;
		rig_send(&rig, new_udp(LAN, OTHER, 1, IP(192, 168, 0, 9), 1, 1));
		assert_int_equal(rig.n_out - before, crossed ? 1 : 2);
		if (!crossed) {
			const struct rig_out *o = last_out(&rig);
			assert_int_equal(o->nic, WAN);
			assert_int_equal(out_l4(o)[0], 3);
			assert_int_equal(out_l4(o)[1], 3);
			assert_memory_equal(out_l4(o) + 8, ip_of(syn), syn->len);
			assert_sound(o);
		}
		rig_stop(&rig);
	}
}

static void c14_a_handshake_that_never_ends_stays_transitory(void **state)
{
	(void)state;
	struct rig rig;
	start(&rig);
	for (int i = 0; i < 3; i++) {
		pass(&rig, out(F_SYN));
		pass(&rig, in(F_SYN | F_ACK));
	}
	rig.now += 240 * S;
	pass(&rig, in(F_SYN | F_ACK));
	rig.now += 240 * S + 1;
	assert_dropped(&rig, in(F_SYN | F_ACK), DROP_unsolicited);
	rig_stop(&rig);
}

static void a_capture_may_begin_in_the_middle_of_a_connection(void **state)
{
	(void)state;
	struct rig rig;
	start(&rig);
	pass(&rig, out(F_ACK | F_PSH));
	pass(&rig, in(F_ACK | F_PSH));
	assert_lives(&rig, 7440);
	rig_stop(&rig);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(rfc5382_req5_established_connections_live_2_hours_4_minutes),
		cmocka_unit_test(c11_after_a_reset_what_is_still_on_its_way_is_translated),
		cmocka_unit_test(c11_scans_never_leave_with_the_inside_source),
		cmocka_unit_test(closed_connections_live_4_minutes),
		cmocka_unit_test(c12_the_same_ports_again_are_a_new_connection),
		cmocka_unit_test(c13_crossing_syns_open_a_connection),
		cmocka_unit_test(rfc5382_req4_an_unsolicited_syn_is_answered_after_6_seconds),
		cmocka_unit_test(c14_a_handshake_that_never_ends_stays_transitory),
		cmocka_unit_test(a_capture_may_begin_in_the_middle_of_a_connection),
	};
	return cmocka_run_group_tests(tests, NULL, NULL);
}
