/* SPDX-License-Identifier: MIT */
/* Pieces of values: words, protocols, ranges of ports. */
#include "router/conf/words.h"

#include <netinet/in.h>
#include <string.h>

static bool is_blank(char c)
{
	return c == ' ' || c == '\t';
}

bool conf_word(const char **text, const char **ret_word, size_t *ret_len)
{
	const char *p = *text;
	while (is_blank(*p) || *p == ',')
		p++;
	const char *from = p;
	while (*p && !is_blank(*p) && *p != ',')
		p++;
	*text = p;
	*ret_word = from;
	*ret_len = (size_t)(p - from);
	return p > from;
}

/* A decimal number of at most 5 digits, at most 65535; *p moves on. */
static bool port_from(const char **p, const char *end, unsigned *ret)
{
	const char *from = *p;
	unsigned value = 0;
	for (; *p < end && **p >= '0' && **p <= '9' && *p - from < 5; (*p)++)
		value = value * 10 + (unsigned)(**p - '0');
	*ret = value;
	return *p > from && value <= 65535;
}

bool conf_ports_from(const char *text, size_t len, uint16_t *ret_first, uint16_t *ret_last)
{
	const char *p = text, *end = text + len;
	unsigned first, last;
	if (!port_from(&p, end, &first))
		return false;
	last = first;
	if (p < end && (*p++ != '-' || !port_from(&p, end, &last)))
		return false;
	if (p != end || !first || last < first)
		return false;
	*ret_first = (uint16_t)first;
	*ret_last = (uint16_t)last;
	return true;
}

const char *conf_protocol_name(uint8_t protocol)
{
	return protocol == IPPROTO_TCP ? "tcp" : "udp";
}

bool conf_protocol_from(const char *text, size_t len, uint8_t *ret)
{
	if (len != 3 || (memcmp(text, "tcp", 3) && memcmp(text, "udp", 3)))
		return false;
	*ret = text[0] == 't' ? IPPROTO_TCP : IPPROTO_UDP;
	return true;
}

void conf_print_range(uint16_t first, unsigned n, struct lt_buf *out)
{
	lt_buf_addf(out, "%u", first);
	if (n > 1)
		lt_buf_addf(out, "-%u", first + n - 1);
}
