/* SPDX-License-Identifier: MIT */
/* Link headers and VLAN tags. */
#include "router/io/link.h"

#include "router/io/bytes.h"

enum {
	TAG_8021Q = 0x8100,
	TAG_8021AD = 0x88a8,
	TAG_9100 = 0x9100, /* two tags before 802.1ad had a number for it */
};

static uint16_t be16(const uint8_t *at)
{
	return (uint16_t)(at[0] << 8 | at[1]);
}

static bool is_tag(uint16_t type)
{
	return type == TAG_8021Q || type == TAG_8021AD || type == TAG_9100;
}

/* An EtherType at `type_at`, what it is about behind it; or tags, and then the same. */
static bool parse_type(const uint8_t *data, size_t len, size_t type_at, struct io_l2 *ret)
{
	for (unsigned tags = 0; tags <= IO_LINK_TAGS_MAX; tags++, type_at += 4) {
		if (len < type_at + 2)
			return false;
		uint16_t type = be16(data + type_at);
		if (is_tag(type))
			continue;
		*ret = (struct io_l2){
			.ether_type = type,
			.offset = (uint16_t)(type_at + 2),
			.n_tags = (uint8_t)tags,
			.type_at = (uint8_t)type_at,
		};
		return true;
	}
	return false;
}

static uint16_t type_of_version(const uint8_t *data, size_t len, size_t at)
{
	unsigned version = len > at ? data[at] >> 4 : 0;
	return version == 4 ? IO_ETHER_IPV4 : version == 6 ? IO_ETHER_IPV6 : 0;
}

/* The number of IPv6 differs from system to system: those of Linux, NetBSD, FreeBSD, Darwin. */
static uint16_t type_of_family(uint32_t family)
{
	switch (family) {
	case 2:
		return IO_ETHER_IPV4;
	case 10:
	case 24:
	case 28:
	case 30:
		return IO_ETHER_IPV6;
	default:
		return 0;
	}
}

bool io_link_parse(enum io_link link, const uint8_t *data, size_t len, struct io_l2 *ret)
{
	switch (link) {
	case IO_LINK_ETHERNET:
		return parse_type(data, len, 12, ret);
	case IO_LINK_SLL:
		return parse_type(data, len, 14, ret);
	case IO_LINK_SLL2:
		/* The type comes first; a tag, where one is left, comes behind the header. */
		if (len < 20)
			return false;
		*ret = (struct io_l2){ .ether_type = be16(data), .offset = 20 };
		if (!is_tag(ret->ether_type))
			return true;
		if (!parse_type(data, len, 22, ret))
			return false;
		ret->n_tags++;
		return ret->n_tags <= IO_LINK_TAGS_MAX;
	case IO_LINK_RAW:
		if (len < 1)
			return false;
		*ret = (struct io_l2){ .ether_type = type_of_version(data, len, 0) };
		return true;
	case IO_LINK_NULL:
	case IO_LINK_LOOP: {
		if (len < 4)
			return false;
		uint32_t family = io_get32(data, false);
		/* A family is a small number: the byte order is the one that makes it so. */
		if (family > 0xffff)
			family = __builtin_bswap32(family);
		*ret = (struct io_l2){ .ether_type = type_of_family(family), .offset = 4 };
		return true;
	}
	default:
		return false;
	}
}

/* In files; the first of a link is what is written. */
static const struct {
	uint32_t linktype;
	enum io_link link;
} types[] = {
	{ 1, IO_LINK_ETHERNET },
	{ 101, IO_LINK_RAW },
	{ 12, IO_LINK_RAW }, /* DLT_RAW as some systems number it and some programs write it */
	{ 14, IO_LINK_RAW },
	{ 228, IO_LINK_RAW }, /* IPv4 */
	{ 229, IO_LINK_RAW }, /* IPv6 */
	{ 113, IO_LINK_SLL },
	{ 276, IO_LINK_SLL2 },
	{ 0, IO_LINK_NULL },
	{ 108, IO_LINK_LOOP },
};

bool io_link_from_file(uint32_t linktype, enum io_link *ret)
{
	for (size_t i = 0; i < LT_COUNT(types); i++) {
		if (types[i].linktype == linktype) {
			*ret = types[i].link;
			return true;
		}
	}
	return false;
}

uint32_t io_link_to_file(enum io_link link)
{
	for (size_t i = 0; i < LT_COUNT(types); i++)
		if (types[i].link == link)
			return types[i].linktype;
	return 0;
}

const char *io_link_name(uint32_t linktype)
{
	static const struct {
		uint32_t linktype;
		const char *name;
	} names[] = {
		{ 6, "token ring" },
		{ 9, "PPP" },
		{ 10, "FDDI" },
		{ 50, "PPP" },
		{ 51, "PPPoE" },
		{ 104, "Cisco HDLC" },
		{ 105, "IEEE 802.11" },
		{ 107, "frame relay" },
		{ 119, "IEEE 802.11" },
		{ 127, "IEEE 802.11 radiotap" },
		{ 147, "user-defined" },
		{ 187, "Bluetooth" },
		{ 189, "USB" },
		{ 192, "PPI" },
		{ 195, "IEEE 802.15.4" },
		{ 201, "Bluetooth" },
		{ 220, "USB" },
		{ 227, "CAN" },
		{ 253, "netlink" },
	};
	for (size_t i = 0; i < LT_COUNT(names); i++)
		if (names[i].linktype == linktype)
			return names[i].name;
	return "";
}
