/* SPDX-License-Identifier: MIT */
/* Addresses and prefixes from text and back. */
#include "router/fib/addr.h"

#include <arpa/inet.h>
#include <stdio.h>
#include <string.h>

struct addr addr_from_v4(uint32_t v4)
{
	return (struct addr){ .family = 4,
		.bytes = { (uint8_t)(v4 >> 24), (uint8_t)(v4 >> 16), (uint8_t)(v4 >> 8),
			(uint8_t)v4 } };
}

static bool parse_v4(const char *text, size_t len, struct addr *ret)
{
	struct addr a = { .family = 4 };
	const char *p = text, *end = text + len;
	for (unsigned octet = 0; octet < 4; octet++) {
		if (octet && (p == end || *p++ != '.'))
			return false;
		unsigned value = 0, digits = 0;
		for (; p < end && *p >= '0' && *p <= '9' && digits < 3; p++, digits++)
			value = value * 10 + (unsigned)(*p - '0');
		if (!digits || value > 255)
			return false;
		a.bytes[octet] = (uint8_t)value;
	}
	if (p != end)
		return false;
	*ret = a;
	return true;
}

static bool parse_v6(const char *text, size_t len, struct addr *ret)
{
	char copy[ADDR_TEXT_MAX];
	struct addr a = { .family = 6 };
	if (len >= sizeof(copy) || memchr(text, '\0', len))
		return false;
	memcpy(copy, text, len);
	copy[len] = '\0';
	if (inet_pton(AF_INET6, copy, a.bytes) != 1)
		return false;
	*ret = a;
	return true;
}

bool addr_parse(const char *text, size_t len, struct addr *ret)
{
	return parse_v4(text, len, ret) || (memchr(text, ':', len) && parse_v6(text, len, ret));
}

static unsigned bits_of(const struct addr *a)
{
	return a->family == 4 ? 32 : 128;
}

bool prefix_parse(const char *text, size_t len, struct prefix *ret)
{
	struct prefix p;
	if (len == 7 && !memcmp(text, "default", 7)) {
		*ret = (struct prefix){ .addr = { .family = 4 } };
		return true;
	}
	const char *slash = memchr(text, '/', len);
	if (!addr_parse(text, slash ? (size_t)(slash - text) : len, &p.addr))
		return false;
	unsigned bits = bits_of(&p.addr);
	if (slash) {
		size_t digits = len - (size_t)(slash + 1 - text);
		if (digits < 1 || digits > 3)
			return false;
		bits = 0;
		for (const char *d = slash + 1; d < text + len; d++) {
			if (*d < '0' || *d > '9')
				return false;
			bits = bits * 10 + (unsigned)(*d - '0');
		}
		if (bits > bits_of(&p.addr))
			return false;
	}
	p.len = (uint8_t)bits;
	*ret = p;
	return true;
}

/* The bits of byte i that belong to the first len bits. */
static uint8_t mask_byte(unsigned len, unsigned i)
{
	if (len >= 8 * (i + 1))
		return 0xff;
	if (len <= 8 * i)
		return 0;
	return (uint8_t)(0xff00 >> (len - 8 * i));
}

struct prefix prefix_masked(const struct prefix *p)
{
	struct prefix m = *p;
	for (unsigned i = 0; i < sizeof(m.addr.bytes); i++)
		m.addr.bytes[i] = (uint8_t)(m.addr.bytes[i] & mask_byte(p->len, i));
	return m;
}

bool prefix_is_clean(const struct prefix *p)
{
	struct prefix m = prefix_masked(p);
	return addr_equal(&m.addr, &p->addr);
}

bool addr_equal(const struct addr *a, const struct addr *b)
{
	return a->family == b->family && !memcmp(a->bytes, b->bytes, sizeof(a->bytes));
}

bool prefix_covers(const struct prefix *p, const struct addr *a)
{
	if (p->addr.family != a->family)
		return false;
	for (unsigned i = 0; i < sizeof(a->bytes); i++)
		if ((p->addr.bytes[i] ^ a->bytes[i]) & mask_byte(p->len, i))
			return false;
	return true;
}

bool prefix_overlaps(const struct prefix *p, const struct prefix *q)
{
	return p->len <= q->len ? prefix_covers(p, &q->addr) : prefix_covers(q, &p->addr);
}

const char *addr_text(const struct addr *a, char buf[ADDR_TEXT_MAX])
{
	buf[0] = '\0';
	if (!a->family)
		snprintf(buf, ADDR_TEXT_MAX, "none");
	else
		inet_ntop(a->family == 4 ? AF_INET : AF_INET6, a->bytes, buf, ADDR_TEXT_MAX);
	return buf;
}

const char *prefix_text(const struct prefix *p, char buf[PREFIX_TEXT_MAX])
{
	char addr[ADDR_TEXT_MAX];
	snprintf(buf, PREFIX_TEXT_MAX, "%s/%u", addr_text(&p->addr, addr), p->len);
	return buf;
}
