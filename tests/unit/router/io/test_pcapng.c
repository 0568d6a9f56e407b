/* SPDX-License-Identifier: MIT */
/* pcapng: sections of both byte orders, interfaces with clocks of their own, blocks and options
 * that nobody knows, and every kind of damage. */
#include "unit/router/io/rig.h"

#include "router/io/pcapng.h"

struct block {
	struct lt_buf *buf;
	bool big;
	size_t at;
};

static struct block begin(struct lt_buf *buf, bool big, uint32_t type)
{
	struct block block = { buf, big, buf->len };
	add32(buf, big, type);
	add32(buf, big, 0);
	return block;
}

static void end(struct block block)
{
	while (block.buf->len % 4)
		lt_buf_add(block.buf, "", 1);
	uint32_t len = (uint32_t)(block.buf->len - block.at + 4);
	add32(block.buf, block.big, len);
	memcpy(block.buf->data + block.at + 4, block.buf->data + block.buf->len - 4, 4);
}

static void section(struct lt_buf *buf, bool big)
{
	struct block block = begin(buf, big, 0x0a0d0d0a);
	add32(buf, big, 0x1a2b3c4d);
	add16(buf, big, 1);
	add16(buf, big, 0);
	add32(buf, big, UINT32_MAX);
	add32(buf, big, UINT32_MAX);
	end(block);
}

static void option(struct block block, unsigned code, const void *value, unsigned len)
{
	add16(block.buf, block.big, code);
	add16(block.buf, block.big, len);
	lt_buf_add(block.buf, value, len);
	while (block.buf->len % 4)
		lt_buf_add(block.buf, "", 1);
}

static struct block begin_interface(struct lt_buf *buf, bool big, unsigned link, uint32_t snaplen)
{
	struct block block = begin(buf, big, 1);
	add16(buf, big, link);
	add16(buf, big, 0);
	add32(buf, big, snaplen);
	return block;
}

static void interface(struct lt_buf *buf, bool big, unsigned link, int tsresol, const char *name)
{
	struct block block = begin_interface(buf, big, link, 0);
	uint8_t resolution = (uint8_t)tsresol;
	if (name)
		option(block, 2, name, (unsigned)strlen(name));
	if (tsresol >= 0)
		option(block, 9, &resolution, 1);
	option(block, 0, "", 0);
	end(block);
}

static void packet(struct lt_buf *buf, bool big, uint32_t interface_id, uint64_t units,
	const char *bytes, uint32_t wire_len)
{
	struct block block = begin(buf, big, 6);
	add32(buf, big, interface_id);
	add32(buf, big, (uint32_t)(units >> 32));
	add32(buf, big, (uint32_t)units);
	add32(buf, big, (uint32_t)strlen(bytes));
	add32(buf, big, wire_len);
	lt_buf_add(buf, bytes, strlen(bytes));
	end(block);
}

static void sections_may_differ_in_byte_order(void **state)
{
	(void)state;
	LT_AUTO_BUF struct lt_buf buf = { 0 };
	for (int i = 0; i < 4; i++) {
		bool big = i & 1;
		section(&buf, big);
		interface(&buf, big, i & 2 ? 101 : 1, 9, "eth1");
		packet(&buf, big, 0, 0x1234567890abcdefULL + (unsigned)i, "abcde", 60);
	}
	rig_read_bytes(&buf);
	assert_int_equal(seen.end, 0);
	assert_int_equal(seen.n, 4);
	for (int i = 0; i < 4; i++) {
		assert_int_equal(seen.packets[i].time_ns, 0x1234567890abcdefLL + i);
		assert_int_equal(seen.packets[i].link, i & 2 ? IO_LINK_RAW : IO_LINK_ETHERNET);
		assert_int_equal(seen.packets[i].len, 5);
		assert_int_equal(seen.packets[i].wire_len, 60);
		assert_memory_equal(seen.packets[i].data, "abcde", 5);
	}
}

static void interfaces_are_nics_by_name_and_added_at_any_place(void **state)
{
	(void)state;
	LT_AUTO_BUF struct lt_buf buf = { 0 };
	section(&buf, true);
	char names[40][8];
	for (unsigned i = 0; i < 40; i++) {
		snprintf(names[i], sizeof(names[i]), "eth%u", i % 4);
		interface(&buf, true, 1, 6, names[i]);
		packet(&buf, true, i, 1000 * i, "x", 1);
		packet(&buf, true, i / 2, 1000 * i + 1, "y", 1);
	}
	rig_file("input", buf.data, buf.len);
	rig_read(&(struct io_input){ .path = "input" }, 1, IO_ORDER_TIME, 64);
	assert_int_equal(seen.end, 0);
	assert_int_equal(seen.n, 80);
	for (unsigned i = 0; i < 40; i++) {
		assert_int_equal(seen.packets[2 * i].nic, i % 4);
		assert_int_equal(seen.packets[2 * i + 1].nic, i / 2 % 4);
		assert_int_equal(seen.packets[2 * i].time_ns, 1000000 * i);
	}
}

static void every_unit_of_time_is_exact(void **state)
{
	(void)state;
	static const struct {
		int tsresol;
		uint64_t units;
		int64_t ns;
	} times[] = {
		{ -1, 1700000000123456, 1700000000123456000 }, /* not said: microseconds */
		{ 6, 1700000000123456, 1700000000123456000 },
		{ 9, 1700000000123456789, 1700000000123456789 },
		{ 0, 1700000000, 1700000000000000000 },
		{ 3, 1700000000123, 1700000000123000000 },
		{ 12, 1700000123456789, 1700000123456 },
		{ 12, 999, 0 },
		{ 19, 18446744073709551615U, 1844674407 },
		{ 28, 18446744073709551615U, 1 },
		{ 29, 18446744073709551615U, 0 },
		{ 127, 18446744073709551615U, 0 },
		{ 9, 18446744073709551615U, INT64_MAX },
		{ 0, 18446744073709551615U, INT64_MAX },
		{ 0x80, 1700000000, 1700000000000000000 },
		{ 0x80 | 10, 1024 + 512, 1500000000 },
		{ 0x80 | 10, (1700000000ULL << 10) + 1, 1700000000000976562 }, /* 976562.5 */
		{ 0x80 | 30, (1ULL << 30) + 1, 1000000000 },
		{ 0x80 | 30, (1ULL << 30) + 2, 1000000001 },
		{ 0x80 | 63, 1ULL << 63, 1000000000 },
		{ 0x80 | 64, 1ULL << 63, 500000000 },
		{ 0x80 | 127, 18446744073709551615U, 0 },
		{ 0x80, 18446744073709551615U, INT64_MAX },
	};
	for (size_t i = 0; i < LT_COUNT(times); i++) {
		LT_AUTO_BUF struct lt_buf buf = { 0 };
		section(&buf, i & 1);
		interface(&buf, i & 1, 1, times[i].tsresol, NULL);
		packet(&buf, i & 1, 0, times[i].units, "x", 1);
		rig_read_bytes(&buf);
		assert_int_equal(seen.n, 1);
		assert_int_equal(seen.packets[0].time_ns, times[i].ns);
	}
}

static void an_offset_is_added_in_seconds(void **state)
{
	(void)state;
	for (int negative = 0; negative < 2; negative++) {
		LT_AUTO_BUF struct lt_buf buf = { 0 };
		section(&buf, false);
		struct block block = begin_interface(&buf, false, 1, 0);
		int64_t offset = negative ? -3 : 1700000000;
		uint8_t resolution = 9;
		option(block, 14, &offset, 8); /* little-endian, as this machine and section are */
		option(block, 9, &resolution, 1);
		end(block);
		packet(&buf, false, 0, 2000000005, "x", 1);
		rig_read_bytes(&buf);
		assert_int_equal(seen.n, 1);
		assert_int_equal(
			seen.packets[0].time_ns, negative ? -999999995 : 1700000002000000005);
	}
}

static void older_and_simple_packets_are_read(void **state)
{
	(void)state;
	LT_AUTO_BUF struct lt_buf buf = { 0 };
	section(&buf, true);
	end(begin_interface(&buf, true, 1, 6));
	struct block block = begin(&buf, true, 3); /* 10 bytes, of which the interface keeps 6 */
	add32(&buf, true, 10);
	lt_buf_add(&buf, "abcdef", 6);
	end(block);
	block = begin(&buf, true, 2);
	add16(&buf, true, 0);
	add16(&buf, true, 77); /* drops */
	add32(&buf, true, 0);
	add32(&buf, true, 5);
	add32(&buf, true, 3);
	add32(&buf, true, 9);
	lt_buf_add(&buf, "xyz", 3);
	end(block);
	rig_read_bytes(&buf);
	assert_int_equal(seen.end, 0);
	assert_int_equal(seen.n, 2);
	assert_int_equal(seen.packets[0].len, 6);
	assert_int_equal(seen.packets[0].wire_len, 10);
	assert_int_equal(seen.packets[0].time_ns, 0);
	assert_memory_equal(seen.packets[0].data, "abcdef", 6);
	assert_int_equal(seen.packets[1].len, 3);
	assert_int_equal(seen.packets[1].wire_len, 9);
	assert_int_equal(seen.packets[1].time_ns, 5000);
}

static void unknown_blocks_and_options_are_passed_over(void **state)
{
	(void)state;
	LT_AUTO_BUF struct lt_buf buf = { 0 };
	section(&buf, false);
	end(begin(&buf, false, 4));
	struct block block = begin_interface(&buf, false, 1, 0);
	option(block, 12, "an operating system", 19);
	option(block, 0x8123, "own", 3);
	end(block); /* without an end-of-options */
	packet(&buf, false, 0, 1, "one", 3);
	block = begin(&buf, false, 0x0bad);
	for (int i = 0; i < 1000; i++)
		lt_buf_adds(&buf, "something that is no packet ");
	end(block);
	packet(&buf, false, 0, 2, "two", 3);
	end(begin(&buf, false, 5));
	rig_read_bytes(&buf);
	assert_int_equal(seen.end, 0);
	assert_int_equal(seen.n, 2);
	assert_memory_equal(seen.packets[1].data, "two", 3);
}

static void cut_anywhere_it_gives_the_packets_before(void **state)
{
	(void)state;
	LT_AUTO_BUF struct lt_buf buf = { 0 };
	section(&buf, true);
	interface(&buf, true, 1, 9, "eth0");
	size_t first = buf.len;
	packet(&buf, true, 0, 1, "abc", 3);
	size_t second = buf.len;
	end(begin(&buf, true, 99));
	size_t third = buf.len;
	packet(&buf, true, 0, 2, "defgh", 5);
	for (size_t len = 4; len <= buf.len; len++) {
		rig_file("input", buf.data, len);
		rig_read_file("input");
		assert_int_equal(seen.n, (unsigned)(len >= second) + (unsigned)(len == buf.len));
		if (len == 28 || len == first || len == second || len == third || len == buf.len)
			assert_int_equal(seen.end, 0);
		else
			rig_failed("LT-INPUT-TRUNCATED", "'input' at byte ");
	}
}

/* A good file but for the bytes at one place. */
static void damaged(size_t at, uint32_t value, const char *id, const char *word, size_t packets)
{
	LT_AUTO_BUF struct lt_buf buf = { 0 };
	section(&buf, true);                 /* 0 */
	interface(&buf, true, 1, 9, NULL);   /* 28: options at 44 */
	packet(&buf, true, 0, 1, "abcd", 4); /* 60, data at 88 */
	packet(&buf, true, 0, 2, "efgh", 4); /* 96 */
	assert_int_equal(buf.len, 132);
	struct lt_buf patch = { 0 };
	add32(&patch, true, value);
	memcpy(buf.data + at, patch.data, 4);
	lt_buf_done(&patch);
	rig_read_bytes(&buf);
	assert_int_equal(seen.n, packets);
	rig_failed(id, word);
}

static void damage_is_named_with_its_place(void **state)
{
	(void)state;
	damaged(8, 0x1a2b3c4e, "LT-INPUT-BLOCK", "byte order", 0);
	damaged(4, 8, "LT-INPUT-BLOCK", "claims 8 bytes", 0);
	damaged(12, 0x00020000, "LT-INPUT-FORMAT", "version 2.0", 0);
	damaged(24, 32, "LT-INPUT-BLOCK", "begins with length 28 and ends with length 32", 0);
	damaged(44, 0x00090002, "LT-INPUT-BLOCK", "option 9 of an interface has 2 bytes", 0);
	damaged(44, 0x00090100, "LT-INPUT-BLOCK", "option 9 claims 256 bytes", 0);
	damaged(64, 37, "LT-INPUT-BLOCK", "at byte 60: a block of type 0x6 claims 37 bytes", 0);
	damaged(64, 28, "LT-INPUT-BLOCK", "at byte 60", 0);
	damaged(64, 0x7ffffffc, "LT-INPUT-BLOCK", "at byte 60", 0);
	damaged(68, 1, "LT-INPUT-BLOCK", "at byte 60: a packet of interface 1", 0);
	damaged(80, 5, "LT-INPUT-LENGTH", "at byte 60: a packet claims 5 bytes, its block has 4",
		0);
	damaged(80, UINT32_MAX, "LT-INPUT-LENGTH", "at byte 60", 0);
	damaged(100, 40, "LT-INPUT-TRUNCATED", "at byte 96", 1);
	damaged(116, 5, "LT-INPUT-LENGTH", "at byte 96", 1);
	damaged(128, 0, "LT-INPUT-BLOCK", "at byte 96: a block begins with length 36", 1);
	damaged(28, 0xbad, "LT-INPUT-BLOCK", "at byte 60: a packet before any interface", 0);
}

static void damage_in_a_block_that_is_passed_over_is_damage(void **state)
{
	(void)state;
	LT_AUTO_BUF struct lt_buf buf = { 0 };
	section(&buf, false);
	interface(&buf, false, 1, 9, NULL);
	packet(&buf, false, 0, 1, "x", 1);
	size_t at = buf.len;
	end(begin(&buf, false, 0xbad));
	buf.data[buf.len - 1] = 1;
	packet(&buf, false, 0, 2, "y", 1);
	rig_read_bytes(&buf);
	assert_int_equal(seen.n, 1);
	char place[80];
	snprintf(place, sizeof(place), "at byte %zu: a block begins with length 12", at);
	rig_failed("LT-INPUT-BLOCK", place);
}

static void an_interface_that_is_no_nic_fails_when_a_packet_comes(void **state)
{
	(void)state;
	LT_AUTO_BUF struct lt_buf buf = { 0 };
	section(&buf, false);
	interface(&buf, false, 1, 9, "eth2");
	interface(&buf, false, 1, 9, "wlan0");
	interface(&buf, false, 105, 9, "eth0");
	packet(&buf, false, 0, 1, "x", 1);
	size_t at = buf.len;
	packet(&buf, false, 1, 2, "y", 1);
	rig_file("input", buf.data, buf.len);
	rig_read(&(struct io_input){ .path = "input" }, 1, IO_ORDER_TIME, 64);
	assert_int_equal(seen.n, 1);
	rig_failed("LT-INPUT-NIC", "interface 1 'wlan0' is none of the NICs");
	assert_string_equal(seen.err.hint, "-i NIC=input#1");
	buf.len = at;
	packet(&buf, false, 2, 2, "y", 1);
	rig_file("input", buf.data, buf.len);
	rig_read(&(struct io_input){ .path = "input" }, 1, IO_ORDER_TIME, 64);
	assert_int_equal(seen.n, 1);
	rig_failed("LT-INPUT-LINK", "link type 105 IEEE 802.11 of interface 2 'eth0'");
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(sections_may_differ_in_byte_order),
		cmocka_unit_test(interfaces_are_nics_by_name_and_added_at_any_place),
		cmocka_unit_test(every_unit_of_time_is_exact),
		cmocka_unit_test(an_offset_is_added_in_seconds),
		cmocka_unit_test(older_and_simple_packets_are_read),
		cmocka_unit_test(unknown_blocks_and_options_are_passed_over),
		cmocka_unit_test(cut_anywhere_it_gives_the_packets_before),
		cmocka_unit_test(damage_is_named_with_its_place),
		cmocka_unit_test(damage_in_a_block_that_is_passed_over_is_damage),
		cmocka_unit_test(an_interface_that_is_no_nic_fails_when_a_packet_comes),
	};
	return cmocka_run_group_tests_name("router/io pcapng", tests, rig_enter, rig_leave);
}
