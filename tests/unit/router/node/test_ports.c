/* SPDX-License-Identifier: MIT */
/* External ports: all of them can be used, blocks are given to hosts and logged, and limits hold.
 */
#include "rig.h"

#include <stdio.h>
#include <unistd.h>

/* The i-th of many inside endpoints: hosts of 10.0.0.0/8 with 1000 ports each. */
static struct pkt *endpoint(uint32_t i)
{
	return new_udp(LAN, IP(10, 1, 0, 0) + i / 1000, 2000 + i % 1000, SERVER, 53, 0);
}

/* What came out last, without keeping it. */
static struct {
	size_t n;
	uint16_t nic, port;
	uint32_t src;
} last;

static void glance(void *ctx, uint16_t nic, const struct io_out *out)
{
	const uint8_t *frame = out->head;
	(void)ctx;
	last.n++;
	last.nic = nic;
	last.src = be32_at(frame + 26);
	last.port = (uint16_t)be16_at(frame + 34);
}

/* Sends a packet of many, of which only that is looked at. */
static void send_one_of_many(struct rig *rig, struct pkt *p)
{
	rig->emitter.tap = glance;
	last.n = 0;
	rig_frame(rig, p->nic, p->frame, 14 + p->len);
	rig->emitter.tap = rig_take;
}

static void fill(struct rig *rig, uint8_t *seen)
{
	for (uint32_t i = 0; i < 64512; i++) {
		send_one_of_many(rig, endpoint(i));
		assert_true(last.n == 1 && last.nic == WAN && last.port >= 1024);
		assert_int_equal(seen[last.port]++, 0);
	}
}

static void c10_the_64513th_endpoint_of_an_address_is_refused(void **state)
{
	(void)state;
	struct rig rig;
	static uint8_t seen[65536];
	memset(seen, 0, sizeof(seen));
	rig_init(&rig);
	rig_start(&rig);
	fill(&rig, seen);
	assert_refused(&rig, endpoint(64512), DROP_no_port, 3, 13);
	assert_refused(&rig, endpoint(64513), DROP_no_port, 3, 13);
	/* a port that becomes free is found, whoever wants it */
	rig.now += 200 * S;
	for (uint32_t i = 0; i < 64512; i++) {
		if (i != 31415)
			send_one_of_many(&rig, endpoint(i));
	}
	rig.now += 101 * S;
	send_out(&rig, endpoint(64513));
	assert_refused(&rig, endpoint(64514), DROP_no_port, 3, 13);
	rig_stop(&rig);
}

static void c10_with_a_second_address_there_are_twice_as_many(void **state)
{
	(void)state;
	struct rig rig;
	rig_init(&rig);
	uint32_t on[2] = { 0 };
	rig.external[1] = IP(203, 0, 113, 8);
	rig.conf.nat.n_addrs = 2;
	rig_start(&rig);
	for (uint32_t i = 0; i < 2 * 64512; i++) {
		send_one_of_many(&rig, endpoint(i));
		assert_true(last.n == 1 && last.nic == WAN);
		on[last.src - EXTERNAL]++;
	}
	assert_int_equal(on[0], 64512);
	assert_int_equal(on[1], 64512);
	assert_refused(&rig, endpoint(2 * 64512), DROP_no_port, 3, 13);
	rig_stop(&rig);
}

static void rfc4787_req2_a_hosts_mappings_have_one_address(void **state)
{
	(void)state;
	struct rig rig;
	rig_init(&rig);
	for (unsigned i = 1; i < 4; i++)
		rig.external[i] = IP(203, 0, 113, 7 + i);
	rig.conf.nat.n_addrs = 4;
	rig_start(&rig);
	uint32_t used = 0;
	for (uint32_t h = 0; h < 40; h++) {
		uint32_t address = 0;
		for (uint32_t port = 2000; port < 2010; port++) {
			rig_send(&rig, new_udp(LAN, HOST + h, port, SERVER, 53, 0));
			uint32_t got = be32_at(out_ip(last_out(&rig)) + 12);
			assert_true(address == 0 || address == got);
			address = got;
		}
		used |= 1u << (address - EXTERNAL);
	}
	assert_int_equal(used, 0xf); /* and all addresses are used */
	rig_stop(&rig);
}

static void symmetric_mode_is_full_only_for_one_destination(void **state)
{
	(void)state;
	struct rig rig;
	static uint8_t seen[65536];
	memset(seen, 0, sizeof(seen));
	rig_init(&rig);
	rig.conf.nat.mapping = CONF_MAPPING_SYMMETRIC;
	rig_start(&rig);
	fill(&rig, seen);
	for (uint32_t i = 0; i < 1000; i++) /* in vain, but not for long */
		assert_refused(&rig, endpoint(64512 + i), DROP_no_port, 3, 13);
	send_out(&rig, new_udp(LAN, HOST, 7, SERVER, 54, 0));
	/* the same for several that are full at once, while flows to others end */
	for (uint32_t i = 0; i < 64512; i++) {
		struct pkt *p = endpoint(i);
		put_be16(l4_of(p) + 2, 55);
		set_l4_sum(p);
		send_one_of_many(&rig, p);
		assert_int_equal(last.n, 1);
	}
	uint64_t random = 0;
	for (uint32_t i = 0; i < 1000; i++) {
		struct pkt *p = endpoint(70000 + i);
		if (i % 2)
			put_be16(l4_of(p) + 2, 55);
		set_l4_sum(p);
		assert_refused(&rig, p, DROP_no_port, 3, 13);
		if (i == 1)
			random = rig.router->nat.random;
		rig.now += i % 100 ? 0 : S;
	}
	assert_int_equal(rig.router->nat.random, random); /* not looked for again */
	rig.now += 301 * S;
	send_out(&rig, endpoint(64512));
	rig_stop(&rig);
}

static void rfc6888_req4_a_host_has_no_more_mappings_than_it_may(void **state)
{
	(void)state;
	for (int mode = 0; mode < 2; mode++) {
		struct rig rig;
		rig_init(&rig);
		rig.conf.nat.max_host_mappings = 23;
		rig.conf.nat.mapping = mode ? CONF_MAPPING_SYMMETRIC : CONF_MAPPING_EIM;
		rig_start(&rig);
		for (uint32_t i = 0; i < 23; i++)
			send_out(&rig, new_udp(LAN, HOST, 2000 + i, SERVER, 53, 0));
		assert_refused(
			&rig, new_udp(LAN, HOST, 3000, SERVER, 53, 0), DROP_host_limit, 3, 13);
		send_out(&rig, new_udp(LAN, OTHER, 3000, SERVER, 53, 0));
		send_out(&rig, new_udp(LAN, HOST, 2001, SERVER, 53, 0));
		rig.now += 301 * S;
		send_out(&rig, new_udp(LAN, HOST, 3000, SERVER, 53, 0));
		rig_stop(&rig);
	}
}

static void full_tables_drop_and_count(void **state)
{
	(void)state;
	struct rig rig;
	rig_init(&rig);
	rig.conf.nat.max_mappings = 50;
	rig.conf.max_flows = 60;
	rig_start(&rig);
	for (uint32_t i = 0; i < 50; i++)
		send_out(&rig, endpoint(i));
	assert_dropped(&rig, endpoint(50), DROP_mapping_limit);
	for (uint32_t i = 0; i < 10; i++)
		send_out(&rig, new_udp(LAN, IP(10, 1, 0, 0), 2000, SERVER + 1 + i, 53, 0));
	assert_dropped(
		&rig, new_udp(LAN, IP(10, 1, 0, 0), 2000, SERVER + 20, 53, 0), DROP_flow_limit);
	rig.now += 301 * S;
	for (uint32_t i = 50; i < 100; i++)
		send_out(&rig, endpoint(i));
	rig_stop(&rig);
}

/* ---- the log ---- */

static size_t count_lines(const char *path, const char *word)
{
	FILE *f = fopen(path, "r");
	char line[256];
	size_t n = 0;
	assert_non_null(f);
	while (fgets(line, sizeof(line), f))
		n += strstr(line, word) != NULL;
	fclose(f);
	return n;
}

static void start_logged(struct rig *rig)
{
	rig_init(rig);
	strcpy(rig->log, "/tmp/natlog.XXXXXX");
	int fd = mkstemp(rig->log);
	assert_true(fd >= 0);
	close(fd);
	rig_start(rig);
}

static void rfc6888_the_log_has_one_line_for_each_block_of_64_ports(void **state)
{
	(void)state;
	struct rig rig;
	start_logged(&rig);
	for (uint32_t i = 0; i < 1000; i++) { /* 16 blocks */
		send_out(&rig, new_udp(LAN, HOST, 2000 + i, SERVER, 53, 0));
		send_out(&rig, new_tcp(LAN, HOST, 2000 + i, SERVER, 53, F_SYN, 0));
	}
	rig.now += 8000 * S;
	assert_dropped(&rig, new_udp(WAN, SERVER, 1, EXTERNAL, 1, 0), DROP_unsolicited);
	char path[64];
	strcpy(path, rig.log);
	rig_stop(&rig);
	size_t begun = count_lines(path, " + block 10.0.0.5 203.0.113.7:");
	assert_in_range(begun, 16, 18); /* parity may leave a place in a block */
	assert_int_equal(count_lines(path, " - block 10.0.0.5 203.0.113.7:"), begun);
	assert_int_equal(count_lines(path, ""), 2 * begun);
	unlink(path);
}

static void blocks_belong_to_one_host_until_none_is_left(void **state)
{
	(void)state;
	struct rig rig;
	start_logged(&rig);
	uint32_t owner[1024] = { 0 };
	for (uint32_t h = 0; h < 1008; h++) {
		uint16_t port = send_out(&rig, new_udp(LAN, HOST + h, 2000, SERVER, 53, 0));
		assert_int_equal(owner[port / 64], 0);
		owner[port / 64] = h + 1;
		rig_forget(&rig);
	}
	/* the 1009th shares, and gets a line of its own */
	send_out(&rig, new_udp(LAN, HOST + 1008, 2000, SERVER, 53, 0));
	char path[64];
	strcpy(path, rig.log);
	rig_stop(&rig);
	assert_int_equal(count_lines(path, " + block "), 1008);
	assert_int_equal(count_lines(path, " + udp 10.0.3.245:2000 203.0.113.7:"), 1);
	unlink(path);
}

/* Every port is found even when they are given out by blocks. */
static void c10_blocks_lose_no_port(void **state)
{
	(void)state;
	struct rig rig;
	static uint8_t seen[65536];
	memset(seen, 0, sizeof(seen));
	start_logged(&rig);
	fill(&rig, seen);
	assert_refused(&rig, endpoint(64512), DROP_no_port, 3, 13);
	rig.now += 301 * S;
	memset(seen, 0, sizeof(seen));
	fill(&rig, seen);
	char path[64];
	strcpy(path, rig.log);
	rig_stop(&rig);
	unlink(path);
}

/* Such as those of time servers: of the low ports there are 1023, of the others enough. */
static void rfc4787_req3a_who_finds_no_low_port_gets_another(void **state)
{
	(void)state;
	for (int mode = 0; mode < 3; mode++) {
		struct rig rig;
		static uint8_t seen[65536];
		memset(seen, 0, sizeof(seen));
		if (mode == 2)
			start_logged(&rig);
		else
			rig_init(&rig);
		if (mode == 1)
			rig.conf.nat.mapping = CONF_MAPPING_SYMMETRIC;
		if (mode < 2)
			rig_start(&rig);
		for (uint32_t i = 0; i < 1200; i++) {
			uint16_t port = send_out(&rig, new_udp(LAN, HOST + i, 123, SERVER, 123, 0));
			assert_int_equal(seen[port]++, 0);
			assert_true((port < 1024) == (i < 1023));
			rig_forget(&rig);
		}
		char path[64];
		strcpy(path, rig.log);
		rig_stop(&rig);
		if (mode == 2)
			unlink(path);
	}
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(c10_the_64513th_endpoint_of_an_address_is_refused),
		cmocka_unit_test(c10_with_a_second_address_there_are_twice_as_many),
		cmocka_unit_test(rfc4787_req2_a_hosts_mappings_have_one_address),
		cmocka_unit_test(symmetric_mode_is_full_only_for_one_destination),
		cmocka_unit_test(rfc6888_req4_a_host_has_no_more_mappings_than_it_may),
		cmocka_unit_test(full_tables_drop_and_count),
		cmocka_unit_test(rfc6888_the_log_has_one_line_for_each_block_of_64_ports),
		cmocka_unit_test(blocks_belong_to_one_host_until_none_is_left),
		cmocka_unit_test(c10_blocks_lose_no_port),
		cmocka_unit_test(rfc4787_req3a_who_finds_no_low_port_gets_another),
	};
	return cmocka_run_group_tests(tests, NULL, NULL);
}
