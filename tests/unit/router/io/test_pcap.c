/* SPDX-License-Identifier: MIT */
/* Classic pcap: every byte order and resolution to the nanosecond; damage ends it where it is. */
#include "unit/router/io/rig.h"

static void seconds_and_fraction_are_exact_in_all_four_forms(void **state)
{
	(void)state;
	for (int form = 0; form < 4; form++) {
		bool big = form & 1, nano = form & 2;
		LT_AUTO_BUF struct lt_buf buf = { 0 };
		pcap_head(&buf, big, nano, 1);
		pcap_record(&buf, big, 1700000000, 123456, "abcd", 4, 60);
		pcap_record(&buf, big, UINT32_MAX, 999999, "", 0, 0);
		pcap_record(&buf, big, 0, 1, "e", 1, 0); /* some writers forget the length */
		rig_read_bytes(&buf);
		assert_int_equal(seen.end, 0);
		assert_int_equal(seen.n, 3);
		int64_t unit = nano ? 1 : 1000;
		assert_int_equal(
			seen.packets[0].time_ns, 1700000000LL * 1000000000 + 123456 * unit);
		assert_int_equal(
			seen.packets[1].time_ns, 4294967295LL * 1000000000 + 999999 * unit);
		assert_int_equal(seen.packets[2].time_ns, unit);
		assert_int_equal(seen.packets[0].len, 4);
		assert_int_equal(seen.packets[0].wire_len, 60);
		assert_memory_equal(seen.packets[0].data, "abcd", 4);
		assert_int_equal(seen.packets[1].len, 0);
		assert_int_equal(seen.packets[2].wire_len, 1);
		assert_int_equal(seen.packets[2].nic, 1);
	}
}

static void resolution_is_that_of_the_magic_number(void **state)
{
	(void)state;
	for (int nano = 0; nano < 2; nano++) {
		LT_AUTO_BUF struct lt_buf buf = { 0 };
		pcap_head(&buf, true, nano, 1);
		rig_file("input", buf.data, buf.len);
		struct io_input input = { .path = "input", .nic = "eth0" };
		struct io_reader_opts opts = {
			.inputs = &input, .n_inputs = 1, .nics = rig_nics, .n_nics = 4
		};
		struct io_reader *reader;
		assert_int_equal(io_reader_open(&opts, &reader, NULL), 0);
		assert_int_equal(io_reader_is_nano(reader), nano);
		io_reader_close(reader);
	}
}

static void link_types_are_known_or_refused(void **state)
{
	(void)state;
	static const struct {
		uint32_t type;
		int link; /* -1: refused */
	} types[] = { { 1, IO_LINK_ETHERNET }, { 101, IO_LINK_RAW }, { 12, IO_LINK_RAW },
		{ 228, IO_LINK_RAW }, { 229, IO_LINK_RAW }, { 113, IO_LINK_SLL },
		{ 276, IO_LINK_SLL2 }, { 0, IO_LINK_NULL }, { 108, IO_LINK_LOOP }, { 105, -1 },
		{ 65535, -1 }, { 0x14000001, IO_LINK_ETHERNET }, { 0x00010001, -1 } };
	for (size_t i = 0; i < LT_COUNT(types); i++) {
		LT_AUTO_BUF struct lt_buf buf = { 0 };
		pcap_head(&buf, i & 1, false, types[i].type);
		pcap_record(&buf, i & 1, 1, 1, "abcd", 4, 4);
		rig_read_bytes(&buf);
		if (types[i].link < 0) {
			rig_failed("LT-INPUT-LINK", "byte 0");
			continue;
		}
		assert_int_equal(seen.n, 1);
		assert_int_equal(seen.packets[0].link, types[i].link);
	}
}

static void a_file_cut_anywhere_gives_the_packets_before(void **state)
{
	(void)state;
	LT_AUTO_BUF struct lt_buf buf = { 0 };
	pcap_head(&buf, false, true, 1);
	size_t ends[4] = { buf.len };
	for (uint32_t i = 1; i <= 3; i++) {
		pcap_record(&buf, false, i, i, "abcdefgh", 2 * i, 60);
		ends[i] = buf.len;
	}
	for (size_t len = 4; len <= ends[3]; len++) {
		rig_file("input", buf.data, len);
		rig_read_file("input");
		size_t whole = 0;
		while (whole < 3 && ends[whole + 1] <= len)
			whole++;
		assert_int_equal(seen.n, whole);
		if (len == ends[whole]) {
			assert_int_equal(seen.end, 0);
			continue;
		}
		char place[40];
		snprintf(place, sizeof(place), "'input' at byte %zu",
			len < ends[0] ? 0 : ends[whole]);
		rig_failed("LT-INPUT-TRUNCATED", place);
	}
}

static void a_record_that_claims_too_much_ends_the_file(void **state)
{
	(void)state;
	static const uint32_t claims[] = { IO_PACKET_MAX + 1, 0x7fffffff, 0xffffffff };
	for (size_t i = 0; i < LT_COUNT(claims); i++) {
		LT_AUTO_BUF struct lt_buf buf = { 0 };
		pcap_head(&buf, true, false, 1);
		pcap_record(&buf, true, 1, 1, "abcd", 4, 4);
		add32(&buf, true, 1);
		add32(&buf, true, 1);
		add32(&buf, true, claims[i]);
		add32(&buf, true, claims[i]);
		lt_buf_add(&buf, "0123456789", 10);
		rig_read_bytes(&buf);
		assert_int_equal(seen.n, 1);
		rig_failed("LT-INPUT-LENGTH", "at byte 44");
	}
}

static void the_longest_packet_is_read(void **state)
{
	(void)state;
	static char bytes[IO_PACKET_MAX];
	memset(bytes, 'x', sizeof(bytes));
	LT_AUTO_BUF struct lt_buf buf = { 0 };
	pcap_head(&buf, false, false, 101);
	for (int i = 0; i < 3; i++)
		pcap_record(&buf, false, 1, 1, bytes, sizeof(bytes), sizeof(bytes));
	rig_read_bytes(&buf);
	assert_int_equal(seen.n, 3);
	assert_memory_equal(seen.packets[2].data, bytes, sizeof(bytes));
}

static void what_is_no_pcap_is_refused_with_advice(void **state)
{
	(void)state;
	rig_file("input", "", 0);
	rig_read_file("input");
	rig_failed("LT-INPUT-FORMAT", "'input' is empty");
	rig_file("input", "\x1f\x8b\x08\0\0\0\0\0", 8);
	rig_read_file("input");
	rig_failed("LT-INPUT-FORMAT", "gzip");
	assert_non_null(strstr(seen.err.hint, "zcat"));
	rig_file("input",
		"\x7f"
		"ELF\2\1\1\0",
		8);
	rig_read_file("input");
	rig_failed("LT-INPUT-FORMAT", "neither pcap, pcapng nor text");
	rig_read_file("no-such-file");
	rig_failed("LT-INPUT-OPEN", "'no-such-file'");
	rig_read_file(".");
	rig_failed("LT-INPUT-OPEN", "directory");
	LT_AUTO_BUF struct lt_buf buf = { 0 };
	pcap_head(&buf, false, false, 1);
	buf.data[6] = 2; /* version 2.2 */
	rig_read_bytes(&buf);
	rig_failed("LT-INPUT-FORMAT", "version 2.2");
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(seconds_and_fraction_are_exact_in_all_four_forms),
		cmocka_unit_test(resolution_is_that_of_the_magic_number),
		cmocka_unit_test(link_types_are_known_or_refused),
		cmocka_unit_test(a_file_cut_anywhere_gives_the_packets_before),
		cmocka_unit_test(a_record_that_claims_too_much_ends_the_file),
		cmocka_unit_test(the_longest_packet_is_read),
		cmocka_unit_test(what_is_no_pcap_is_refused_with_advice),
	};
	return cmocka_run_group_tests_name("router/io pcap", tests, rig_enter, rig_leave);
}
