/* SPDX-License-Identifier: MIT */
/* Where the network header is behind every link type and any VLAN tags. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <string.h>

#include <cmocka.h>

#include "router/io/link.h"

#define MACS "\1\2\3\4\5\6\7\10\11\12\13\14"

struct found {
	int type; /* -1: refused */
	unsigned offset, tags, type_at;
};

static void assert_found(enum io_link link, const char *bytes, size_t len, struct found want)
{
	struct io_l2 l2;
	if (!io_link_parse(link, (const uint8_t *)bytes, len, &l2)) {
		assert_int_equal(want.type, -1);
		return;
	}
	assert_int_equal(l2.ether_type, want.type);
	assert_int_equal(l2.offset, want.offset);
	assert_int_equal(l2.n_tags, want.tags);
	assert_int_equal(l2.type_at, want.type_at);
}

#define FOUND(link, bytes, ...) \
	assert_found(link, bytes, sizeof(bytes) - 1, (struct found){ __VA_ARGS__ })

static void c15_ip_is_found_behind_every_kind_of_tag(void **state)
{
	(void)state;
	FOUND(IO_LINK_ETHERNET,
		MACS "\x08\x00"
		     "\x45",
		0x0800, 14, 0, 12);
	FOUND(IO_LINK_ETHERNET, MACS "\x81\x00\x00\x64\x08\x00", 0x0800, 18, 1, 16);
	FOUND(IO_LINK_ETHERNET, MACS "\x88\xa8\x00\x64\x86\xdd", 0x86dd, 18, 1, 16);
	FOUND(IO_LINK_ETHERNET, MACS "\x91\x00\x00\x64\x08\x00", 0x0800, 18, 1, 16);
	FOUND(IO_LINK_ETHERNET, MACS "\x88\xa8\x00\x64\x81\x00\x00\x65\x08\x00", 0x0800, 22, 2, 20);
	FOUND(IO_LINK_ETHERNET, MACS "\x81\0\0\1\x81\0\0\2\x81\0\0\3\x81\0\0\4\x08\0", 0x0800, 30,
		4, 28);
}

static void too_many_tags_or_too_few_bytes_are_refused(void **state)
{
	(void)state;
	FOUND(IO_LINK_ETHERNET, MACS "\x81\0\0\1\x81\0\0\2\x81\0\0\3\x81\0\0\4\x81\0\0\5\x08\0", -1,
		0, 0, 0);
	char frame[] = MACS "\x81\x00\x00\x64\x08\x00";
	for (size_t len = 0; len < sizeof(frame) - 1; len++)
		assert_found(IO_LINK_ETHERNET, frame, len, (struct found){ -1, 0, 0, 0 });
	char cooked[22] = { 0 };
	for (size_t len = 0; len < 16; len++)
		assert_found(IO_LINK_SLL, cooked, len, (struct found){ -1, 0, 0, 0 });
	for (size_t len = 0; len < 20; len++)
		assert_found(IO_LINK_SLL2, cooked, len, (struct found){ -1, 0, 0, 0 });
	for (size_t len = 0; len < 4; len++) {
		assert_found(IO_LINK_NULL, cooked, len, (struct found){ -1, 0, 0, 0 });
		assert_found(IO_LINK_LOOP, cooked, len, (struct found){ -1, 0, 0, 0 });
	}
	assert_found(IO_LINK_RAW, cooked, 0, (struct found){ -1, 0, 0, 0 });
}

static void other_links_say_it_in_their_own_way(void **state)
{
	(void)state;
	FOUND(IO_LINK_RAW, "\x45", 0x0800, 0, 0, 0);
	FOUND(IO_LINK_RAW, "\x60", 0x86dd, 0, 0, 0);
	FOUND(IO_LINK_RAW, "\x50", 0, 0, 0, 0);
	FOUND(IO_LINK_SLL, "\0\0\0\1\0\6\1\2\3\4\5\6\0\0\x08\0", 0x0800, 16, 0, 14);
	FOUND(IO_LINK_SLL, "\0\0\0\1\0\6\1\2\3\4\5\6\0\0\x81\0\0\5\x86\xdd", 0x86dd, 20, 1, 18);
	FOUND(IO_LINK_SLL2, "\x08\0\0\0\0\0\0\2\0\1\0\6\1\2\3\4\5\6\0\0", 0x0800, 20, 0, 0);
	FOUND(IO_LINK_SLL2, "\x81\0\0\0\0\0\0\2\0\1\0\6\1\2\3\4\5\6\0\0\0\5\x08\0", 0x0800, 24, 1,
		22);
	FOUND(IO_LINK_NULL, "\2\0\0\0", 0x0800, 4, 0, 0);
	FOUND(IO_LINK_NULL, "\0\0\0\2", 0x0800, 4, 0, 0);
	FOUND(IO_LINK_NULL, "\x1e\0\0\0", 0x86dd, 4, 0, 0);
	FOUND(IO_LINK_NULL, "\0\0\0\x18", 0x86dd, 4, 0, 0);
	FOUND(IO_LINK_LOOP, "\0\0\0\x1c", 0x86dd, 4, 0, 0);
	FOUND(IO_LINK_LOOP, "\0\0\0\7", 0, 4, 0, 0);
}

static void numbers_in_files_go_both_ways(void **state)
{
	(void)state;
	for (int link = 0; link < IO_LINKS; link++) {
		enum io_link again;
		assert_true(io_link_from_file(io_link_to_file((enum io_link)link), &again));
		assert_int_equal(again, link);
	}
	assert_string_equal(io_link_name(105), "IEEE 802.11");
	assert_string_equal(io_link_name(4711), "");
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(c15_ip_is_found_behind_every_kind_of_tag),
		cmocka_unit_test(too_many_tags_or_too_few_bytes_are_refused),
		cmocka_unit_test(other_links_say_it_in_their_own_way),
		cmocka_unit_test(numbers_in_files_go_both_ways),
	};
	return cmocka_run_group_tests_name("router/io link", tests, NULL, NULL);
}
