/* SPDX-License-Identifier: MIT */
/* Classes on the packet path: DSCP, what flows talk, ports; and what that does on a link that has
 * less room than packets come. */
#include "rig.h"

enum {
	OTHER_CLASS,
	VOICE,
	WEB,
};

static void start(struct rig *rig, bool nat)
{
	rig_init(rig);
	rig->conf.nat.on = nat;
	rig->nics[WAN].rate_bps = 10000000;
	rig->nics[LAB].rate_bps = 10000000;
	struct conf *c = &rig->conf;
	c->n_classes = 3;
	for (unsigned i = 0; i < 3; i++)
		c->classes[i] = (struct conf_class){ .weight = 1, .limit = 100 };
	c->classes[OTHER_CLASS].is_default = true;
	c->classes[VOICE].strict = true;
	c->classes[VOICE].rate.share_ppm = 500000;
	c->classes[VOICE].burst = 6000;
	c->classes[VOICE].apps = 1u << APP_RTP;
	c->classes[VOICE].dscps = UINT64_C(1) << 46;
	c->classes[WEB].apps = 1u << APP_HTTP;
	rig_start(rig);
}

static struct pkt *with_text(struct pkt *p, const char *text)
{
	uint8_t *l4 = l4_of(p);
	uint32_t head = ip_of(p)[9] == IPPROTO_TCP ? 20 : 8;
	memcpy(l4 + head, text, strlen(text));
	set_l4_sum(p);
	return p;
}

static unsigned class_of_last(const struct rig *rig)
{
	return rig->chunk.packets[0].cls;
}

static struct pkt *get(uint16_t nic, uint32_t src, uint32_t dst)
{
	const char *text = "GET / HTTP/1.1\r\nHost: a\r\n\r\n";
	return with_text(
		new_tcp(nic, src, 5000, dst, 8081, F_ACK | F_PSH, (uint32_t)strlen(text)), text);
}

static void what_a_flow_talks_is_known_whatever_its_ports(void **state)
{
	(void)state;
	for (int nat = 0; nat < 2; nat++) {
		struct rig rig;
		start(&rig, nat);
		rig_send(&rig, new_tcp(LAN, HOST, 5000, SERVER, 8081, F_SYN, 0));
		assert_int_equal(class_of_last(&rig), OTHER_CLASS);
		rig_send(&rig, get(LAN, HOST, SERVER));
		assert_int_equal(class_of_last(&rig), WEB);
		rig_send(&rig, new_tcp(LAN, HOST, 5000, SERVER, 8081, F_ACK, 0));
		assert_int_equal(class_of_last(&rig), WEB);
		/* and the answers */
		uint32_t back = nat ? EXTERNAL : HOST;
		rig_send(&rig, new_tcp(WAN, SERVER, 8081, back, 5000, F_ACK, 9));
		assert_int_equal(rig.chunk.packets[0].drop, 0);
		assert_int_equal(class_of_last(&rig), WEB);
		/* DSCP says more */
		struct pkt *p = new_tcp(LAN, HOST, 5000, SERVER, 8081, F_ACK, 0);
		ip_of(p)[1] = 46 << 2;
		set_ip_sum(p);
		rig_send(&rig, p);
		assert_int_equal(class_of_last(&rig), VOICE);
		rig_stop(&rig);
	}
}

static void a_call_is_known_by_what_its_signals_announce(void **state)
{
	(void)state;
	static const char invite[] = "INVITE sip:b@example.net SIP/2.0\r\n"
				     "Content-Type: application/sdp\r\n\r\n"
				     "v=0\r\nc=IN IP4 10.0.0.5\r\nm=audio 16384 RTP/AVP 0\r\n";
	struct rig rig;
	start(&rig, true);
	rig_send(&rig,
		with_text(new_udp(LAN, HOST, 5060, SERVER, 5060, sizeof(invite) - 1), invite));
	uint16_t port = 0;
	rig_send(&rig, new_udp(LAN, HOST, 16384, SERVER, 20000, 172));
	assert_int_equal(class_of_last(&rig), VOICE);
	port = rig.chunk.packets[0].sport;
	rig_send(&rig, new_udp(WAN, SERVER, 20000, EXTERNAL, port, 172));
	assert_int_equal(class_of_last(&rig), VOICE);
	/* one that another host announced, from outside first: by where it goes to inside */
	rig_send(&rig, new_udp(LAN, HOST, 16386, SERVER, 20000, 172));
	assert_int_equal(class_of_last(&rig), OTHER_CLASS);
	rig_stop(&rig);
}

static void flows_inside_and_of_ipv6_have_classes_too(void **state)
{
	(void)state;
	struct rig rig;
	start(&rig, true);
	rig_send(&rig, get(LAN, HOST, IP(192, 168, 0, 9)));
	assert_int_equal(class_of_last(&rig), WEB);
	rig_send(&rig, new_tcp(LAN, HOST, 5000, IP(192, 168, 0, 9), 8081, F_ACK, 0));
	assert_int_equal(class_of_last(&rig), WEB);
	assert_int_equal(rig.chunk.packets[0].drop, 0);
	/* odd flags are no affair of a router that does not translate */
	rig_send(&rig, new_tcp(LAN, HOST, 5000, IP(192, 168, 0, 9), 8081, 0, 0));
	assert_int_equal(rig.chunk.packets[0].drop, 0);
	rig_stop(&rig);
}

/* RFC 3246: what is strict waits for no more than the packet on the wire and its own burst. */
static void voice_has_no_loss_and_little_delay_under_twice_the_load(void **state)
{
	(void)state;
	struct rig rig;
	start(&rig, true);
	size_t voice = 0, bulk = 0;
	for (int i = 0; i < 2000; i++) { /* 2 s: 20 Mbit/s of bulk and 50 calls' packets a second */
		int64_t begin = rig.now;
		for (int k = 0; k < 2; k++) {
			rig.now = begin + k * MS / 2;
			rig_send(&rig, new_udp(LAN, OTHER, 7000, SERVER, 7000, 1222));
			bulk++;
		}
		if (i % 20 == 0) {
			struct pkt *p = new_udp(LAN, HOST, 6000, SERVER, 6000, 172);
			ip_of(p)[1] = 46 << 2;
			memcpy(l4_of(p) + 8, &rig.now, sizeof(rig.now));
			set_l4_sum(p);
			set_ip_sum(p);
			rig_send(&rig, p);
			voice++;
		}
		rig.now = begin + MS;
	}
	emit_rest(&rig.emitter);
	int64_t longest = 0;
	size_t heard = 0, through = 0;
	for (size_t i = 0; i < rig.n_out; i++) {
		int64_t sent;
		if (out_ip(&rig.out[i])[1] >> 2 != 46) {
			through++;
			continue;
		}
		memcpy(&sent, out_l4(&rig.out[i]) + 8, sizeof(sent));
		int64_t delay = rig.out[i].time_ns - sent;
		longest = delay > longest ? delay : longest;
		heard++;
	}
	assert_int_equal(heard, voice);
	assert_true(longest <= 2 * INT64_C(1264) * 8 * 100); /* 100 ns a bit */
	assert_in_range(through, bulk / 2 - 100, bulk / 2 + 150);
	assert_int_equal(rig_drops(&rig, DROP_queue_full), bulk - through);
	rig_stop(&rig);
}

static void codel_marks_what_may_be_marked_and_drops_the_rest(void **state)
{
	(void)state;
	for (int ecn = 0; ecn < 2; ecn++) {
		struct rig rig;
		rig_init(&rig);
		rig.nics[WAN].rate_bps = 10000000;
		rig.conf.n_classes = 1;
		rig.conf.classes[0] = (struct conf_class){ .weight = 1,
			.limit = 1000,
			.queue = CONF_QUEUE_CODEL,
			.target_ns = (uint64_t)(5 * MS),
			.interval_ns = (uint64_t)(100 * MS),
			.ecn = true,
			.is_default = true };
		rig_start(&rig);
		for (int i = 0; i < 1500; i++) {
			struct pkt *p = new_udp(LAN, HOST, 7000, SERVER, 7000, 1222);
			ip_of(p)[1] = ecn ? 1 : 0;
			set_ip_sum(p);
			rig_send(&rig, p);
			rig.now += 900 * MS / 1000;
		}
		emit_rest(&rig.emitter);
		size_t marked = 0;
		for (size_t i = 0; i < rig.n_out; i++) {
			marked += (out_ip(&rig.out[i])[1] & 3) == 3;
			assert_sound(&rig.out[i]);
		}
		if (ecn)
			assert_true(marked > 3);
		else
			assert_true(marked == 0 && rig_drops(&rig, DROP_codel) > 3);
		rig_stop(&rig);
	}
}

static void fragments_that_waited_have_the_class_of_their_dscp(void **state)
{
	(void)state;
	struct rig rig;
	start(&rig, true);
	for (int first = 0; first < 2; first++) {
		struct pkt *p = new_udp(LAN, HOST, 4000, SERVER, 53, 392);
		ip_of(p)[1] = 46 << 2;
		put_be16(ip_of(p) + 6, first ? 0x2000 : 400 / 8);
		set_ip_sum(p);
		rig_send(&rig, p);
	}
	assert_int_equal(class_of_last(&rig), VOICE);
	assert_int_equal(rig.chunk.n_extra, 1);
	assert_int_equal(rig.chunk.extra[0].p.cls, VOICE);
	rig_stop(&rig);
}

/* Whatever port the NAT gives, and whoever speaks first. */
static void ports_that_claim_a_class_are_those_of_the_hosts(void **state)
{
	(void)state;
	static const struct conf_ports signals = { IPPROTO_UDP, 5060, 5060 };
	static const struct conf_ports others = { IPPROTO_UDP, 9999, 9999 };
	struct rig rig;
	rig_init(&rig);
	rig.nics[WAN].rate_bps = 10000000;
	rig.conf.n_classes = 3;
	for (unsigned i = 0; i < 3; i++)
		rig.conf.classes[i] = (struct conf_class){ .weight = 1, .limit = 100 };
	rig.conf.classes[OTHER_CLASS].is_default = true;
	rig.conf.classes[VOICE].ports = &signals;
	rig.conf.classes[WEB].ports = &others;
	rig.conf.classes[VOICE].n_ports = rig.conf.classes[WEB].n_ports = 1;
	rig_start(&rig);
	for (uint32_t host = HOST; host < HOST + 5; host++) {
		rig_send(&rig, new_udp(LAN, host, 5060, SERVER, 7, 20));
		assert_int_equal(class_of_last(&rig), VOICE);
	}
	/* where both ends claim one, the destination of the first packet does */
	rig_send(&rig, new_udp(LAN, HOST, 9999, SERVER, 5060, 20));
	assert_int_equal(class_of_last(&rig), VOICE);
	rig_send(&rig, new_udp(WAN, SERVER, 5060, EXTERNAL, 9999, 20));
	assert_int_equal(class_of_last(&rig), VOICE);
	rig_stop(&rig);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(what_a_flow_talks_is_known_whatever_its_ports),
		cmocka_unit_test(a_call_is_known_by_what_its_signals_announce),
		cmocka_unit_test(flows_inside_and_of_ipv6_have_classes_too),
		cmocka_unit_test(voice_has_no_loss_and_little_delay_under_twice_the_load),
		cmocka_unit_test(codel_marks_what_may_be_marked_and_drops_the_rest),
		cmocka_unit_test(fragments_that_waited_have_the_class_of_their_dscp),
		cmocka_unit_test(ports_that_claim_a_class_are_those_of_the_hosts),
	};
	return cmocka_run_group_tests(tests, NULL, NULL);
}
