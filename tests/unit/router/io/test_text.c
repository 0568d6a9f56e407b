/* SPDX-License-Identifier: MIT */
/* Lines of text: what they say, however their numbers are written, and the frames made of them. */
#include "unit/router/io/rig.h"

#include "router/io/bytes.h"
#include "router/io/frame.h"
#include "router/io/text.h"

static void read_lines(const char *lines)
{
	rig_file("input", lines, strlen(lines));
	rig_read(&(struct io_input){ .path = "input" }, 1, IO_ORDER_TIME, 3);
}

static uint32_t be32(const uint8_t *at)
{
	return io_get32(at, true);
}

static uint16_t be16(const uint8_t *at)
{
	return io_get16(at, true);
}

/* The ones' complement sum as a receiver takes it: 0xffff if all is right. */
static unsigned sum(unsigned total, const uint8_t *at, size_t len)
{
	for (size_t i = 0; i < len; i++)
		total += (unsigned)at[i] << (i % 2 ? 0 : 8);
	while (total >> 16)
		total = (total & 0xffff) + (total >> 16);
	return total;
}

static void assert_sums(const struct io_packet *packet)
{
	const uint8_t *ip = packet->data + 14;
	size_t total = be16(ip + 2);
	assert_true(14 + total <= packet->len && (packet->len == 60 || 14 + total == packet->len));
	assert_int_equal(sum(0, ip, 20), 0xffff);
	size_t len = total - 20;
	if (ip[9] == FRAME_ICMP)
		assert_int_equal(sum(0, ip + 20, len), 0xffff);
	else if (ip[9] == FRAME_TCP || ip[9] == FRAME_UDP)
		assert_int_equal(sum(sum(ip[9] + (unsigned)len, ip + 12, 8), ip + 20, len), 0xffff);
	for (size_t i = 14 + total; i < packet->len; i++)
		assert_int_equal(packet->data[i], 0);
}

static void the_classic_line_is_a_frame(void **state)
{
	(void)state;
	read_lines("eth3 104.44.44.10 10.230.30.03 4003 5003 ftp\n");
	assert_int_equal(seen.end, 0);
	assert_int_equal(seen.n, 1);
	const struct io_packet *p = &seen.packets[0];
	assert_int_equal(p->nic, 3);
	assert_int_equal(p->link, IO_LINK_ETHERNET);
	assert_int_equal(p->len, p->wire_len);
	assert_int_equal(be16(p->data + 12), 0x0800);
	assert_int_equal(be32(p->data + 14 + 12), 0x682c2c0a);
	assert_int_equal(be32(p->data + 14 + 16), 0x0ae61e03);
	assert_int_equal(be16(p->data + 34), 4003);
	assert_int_equal(be16(p->data + 36), 5003);
	assert_sums(p);
}

static void c21_octets_with_leading_zeros_are_decimal(void **state)
{
	(void)state;
	read_lines("eth0 10.230.30.03 10.0.0.08 1 2 udp\n"
		   "eth0 010.0377.1.1 1.1.1.1 1 2 udp\n");
	assert_int_equal(seen.n, 1);
	assert_int_equal(be32(seen.packets[0].data + 26), 0x0ae61e03);
	assert_int_equal(be32(seen.packets[0].data + 30), 0x0a000008);
	rig_failed("LT-INPUT-LINE", "'input' line 2: the source address is '010.0377.1.1'");
	read_lines("eth0 010.030.000000.0255 1.1.1.1 0080 065535 udp\n");
	assert_int_equal(seen.n, 1);
	assert_int_equal(be32(seen.packets[0].data + 26), 0x0a1e00ff);
	assert_int_equal(be16(seen.packets[0].data + 34), 80);
	assert_int_equal(be16(seen.packets[0].data + 36), 65535);
}

static void every_word_makes_frames_with_right_sums(void **state)
{
	(void)state;
	LT_AUTO_BUF struct lt_buf buf = { 0 };
	size_t n = 0;
	for (const struct text_word *word = text_words; word->word; word++)
		for (int i = 0; i < 3; i++, n++)
			lt_buf_addf(&buf, "eth1 1.2.3.4 5.6.7.8 9 10 %s\n", word->word);
	lt_buf_adds(&buf, "eth1 1.2.3.4 5.6.7.8 9 10 47\neth1 1.2.3.4 5.6.7.8 9 10 HTTP");
	read_lines(buf.data);
	assert_int_equal(seen.end, 0);
	assert_int_equal(seen.n, n + 2);
	for (size_t i = 0; i < seen.n; i++) {
		assert_sums(&seen.packets[i]);
		assert_int_equal(seen.packets[i].time_ns, 1000 * i);
	}
	assert_int_equal(seen.packets[n].data[14 + 9], 47);
}

static void a_tcp_flow_opens_and_counts_its_bytes(void **state)
{
	(void)state;
	read_lines("eth0 1.1.1.1 2.2.2.2 1000 80 http\n"
		   "eth1 2.2.2.2 1.1.1.1 80 1000 http\n"
		   "eth0 1.1.1.1 2.2.2.2 1000 80 http\n"
		   "eth0 1.1.1.1 2.2.2.2 1000 80 http\n"
		   "eth0 1.1.1.1 2.2.2.2 1001 80 http\n");
	assert_int_equal(seen.n, 5);
	const uint8_t *tcp[5];
	for (int i = 0; i < 5; i++)
		tcp[i] = seen.packets[i].data + 34;
	assert_int_equal(tcp[0][13], FRAME_SYN);
	assert_int_equal(tcp[1][13], FRAME_SYN | FRAME_ACK);
	assert_int_equal(tcp[2][13], FRAME_PSH | FRAME_ACK);
	assert_int_equal(tcp[4][13], FRAME_SYN);
	assert_int_equal(be32(tcp[2] + 4), be32(tcp[0] + 4) + 1);
	uint32_t payload = be16(seen.packets[2].data + 16) - 40U;
	assert_true(payload > 0);
	assert_int_equal(be32(tcp[3] + 4), be32(tcp[2] + 4) + payload);
	assert_int_equal(be32(tcp[1] + 8), be32(tcp[0] + 4) + 1);
	assert_int_equal(be32(tcp[2] + 8), be32(tcp[1] + 4) + 1);
}

static void rtp_counts_and_keeps_its_source(void **state)
{
	(void)state;
	read_lines("eth0 1.1.1.1 2.2.2.2 4000 5000 rtp\n"
		   "eth0 1.1.1.1 2.2.2.2 4000 5000 rtp\n"
		   "eth0 1.1.1.1 2.2.2.2 4002 5000 rtp\n");
	assert_int_equal(seen.n, 3);
	const uint8_t *one = seen.packets[0].data + 42, *two = seen.packets[1].data + 42;
	assert_int_equal(one[0], 0x80);
	assert_int_equal(be16(two + 2), be16(one + 2) + 1);
	assert_int_equal(be32(two + 4), be32(one + 4) + 160);
	assert_memory_equal(one + 8, two + 8, 4);
	assert_memory_not_equal(one + 8, seen.packets[2].data + 50, 4);
}

static void comments_blanks_and_any_line_ending_are_fine(void **state)
{
	(void)state;
	read_lines("# NIC source destination\n\n   \t \r\n"
		   "  eth0\t1.1.1.1   2.2.2.2 1 2 udp  \r\n"
		   "eth1 1.1.1.1 2.2.2.2 1 2 udp");
	assert_int_equal(seen.end, 0);
	assert_int_equal(seen.n, 2);
	assert_int_equal(seen.packets[1].nic, 1);
	read_lines("# nothing\n");
	assert_int_equal(seen.end, 0);
	assert_int_equal(seen.n, 0);
}

static void bad_lines_are_named(void **state)
{
	(void)state;
	static const char *const lines[][2] = {
		{ "eth0 1.1.1.1 2.2.2.2 1 2", "line 2: there are 5 of 6 fields" },
		{ "eth0 1.1.1.1 2.2.2.2 1 2 udp x", "line 2: there are more than 6" },
		{ "eth7 1.1.1.1 2.2.2.2 1 2 udp", "line 2: there is no NIC 'eth7'" },
		{ "eth0 1.1.1 2.2.2.2 1 2 udp", "the source address is '1.1.1'" },
		{ "eth0 1.1.1.256 2.2.2.2 1 2 udp", "the source address is '1.1.1.256'" },
		{ "eth0 1.1.1.1 2.2.2.2. 1 2 udp", "the destination address is '2.2.2.2.'" },
		{ "eth0 1.1.1.1 2..2.2 1 2 udp", "the destination address is '2..2.2'" },
		{ "eth0 1.1.1.1 2.2.2.2 65536 2 udp", "the source port is '65536'" },
		{ "eth0 1.1.1.1 2.2.2.2 -1 2 udp", "the source port is '-1'" },
		{ "eth0 1.1.1.1 2.2.2.2 1 2x udp", "the destination port is '2x'" },
		{ "eth0 1.1.1.1 2.2.2.2 1 99999999999999999999 udp", "the destination port" },
		{ "eth0 1.1.1.1 2.2.2.2 1 2 gopher", "the protocol is 'gopher'" },
		{ "eth0 1.1.1.1 2.2.2.2 1 2 256", "the protocol is '256'" },
	};
	for (size_t i = 0; i < LT_COUNT(lines); i++) {
		char text[300];
		snprintf(text, sizeof(text), "eth0 1.1.1.1 2.2.2.2 1 2 udp\n%s\n", lines[i][0]);
		read_lines(text);
		assert_int_equal(seen.n, 1);
		assert_true(seen.end < 0);
		if (!strstr(seen.err.text, lines[i][1]))
			fail_msg("\"%s\" does not say \"%s\"", seen.err.text, lines[i][1]);
	}
	static char text[3 * TEXT_LINE_MAX];
	memset(text, 'x', sizeof(text) - 1);
	read_lines(text);
	rig_failed("LT-INPUT-LINE", "line 1: the line has more than 4095 characters");
}

static void c9_an_odd_last_byte_has_a_zero_to_its_right(void **state)
{
	(void)state;
	struct frame frame = { .from = 0x01020304,
		.to = 0x05060708,
		.protocol = FRAME_TCP,
		.flags = FRAME_ACK,
		.payload = "\xff",
		.payload_len = 1 };
	uint8_t bytes[FRAME_MIN];
	assert_int_equal(frame_build(&frame, bytes), FRAME_MIN);
	struct io_packet packet = { .data = bytes, .len = FRAME_MIN };
	assert_sums(&packet);
}

static void c4_a_udp_sum_of_zero_is_written_as_ffff(void **state)
{
	(void)state;
	uint8_t bytes[FRAME_MIN];
	struct frame frame = { .from = 0x01020304, .to = 0x05060708, .protocol = FRAME_UDP };
	frame_build(&frame, bytes);
	frame.from_port =
		be16(bytes + 40); /* added, it makes the sum 0xffff: its complement is 0 */
	frame_build(&frame, bytes);
	assert_int_equal(be16(bytes + 40), 0xffff);
	struct io_packet packet = { .data = bytes, .len = FRAME_MIN };
	assert_sums(&packet);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(the_classic_line_is_a_frame),
		cmocka_unit_test(c21_octets_with_leading_zeros_are_decimal),
		cmocka_unit_test(every_word_makes_frames_with_right_sums),
		cmocka_unit_test(a_tcp_flow_opens_and_counts_its_bytes),
		cmocka_unit_test(rtp_counts_and_keeps_its_source),
		cmocka_unit_test(comments_blanks_and_any_line_ending_are_fine),
		cmocka_unit_test(bad_lines_are_named),
		cmocka_unit_test(c9_an_odd_last_byte_has_a_zero_to_its_right),
		cmocka_unit_test(c4_a_udp_sum_of_zero_is_written_as_ffff),
	};
	return cmocka_run_group_tests_name("router/io text", tests, rig_enter, rig_leave);
}
