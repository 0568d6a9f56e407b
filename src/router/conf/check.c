/* SPDX-License-Identifier: MIT */
/* What only shows once the whole file is read, in the order in which it builds on itself. */
#include <string.h>

#include "router/conf/check.h"

bool conf_is_link_local(const struct prefix *p)
{
	return p->addr.family == 6 && p->addr.bytes[0] == 0xfe && (p->addr.bytes[1] & 0xc0) == 0x80;
}

/* An address that a host can have: not a network's, a broadcast, multicast or loopback one. */
bool conf_is_host(const struct prefix *p)
{
	const uint8_t *b = p->addr.bytes;
	if (p->addr.family == 6) {
		static const uint8_t loopback[16] = { [15] = 1 };
		return b[0] != 0xff && memcmp(b, loopback, 16) &&
			(p->len >= 127 || !prefix_is_clean(p));
	}
	uint32_t v4 = addr_v4(&p->addr), host = (uint32_t)(0xffffffffull >> p->len);
	if (b[0] == 0 || b[0] == 127 || b[0] >= 224)
		return false;
	return p->len >= 31 || ((v4 & host) != 0 && (v4 & host) != host);
}

int conf_settle(struct conf_reader *r)
{
	int rc = conf_check_nics(r);
	if (!rc)
		rc = conf_check_routes(r);
	if (!rc)
		rc = conf_check_nat(r);
	return rc ? rc : conf_check_classes(r);
}
