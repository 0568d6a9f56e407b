/* SPDX-License-Identifier: MIT */
/* RTCP (RFC 3550, RFC 4585, RFC 5506): reports in a row, whose lengths add up to that of the
 * packet. */
#include "router/node/class_app.h"

enum {
	FIRST_TYPE = 192, /* RFC 5761: no payload type of RTP looks like these */
	LAST_TYPE = 223
};

static enum class_verdict rtcp_check(const struct class_packet *p, uint8_t *ret_mark)
{
	const uint8_t *b = p->data;
	uint32_t at = 0;
	if (p->len < 8 || p->sport < 1024 || p->dport < 1024)
		return CLASS_NO;
	while (at + 4 <= p->len) {
		if (b[at] >> 6 != 2 || b[at + 1] < FIRST_TYPE || b[at + 1] > LAST_TYPE)
			break;
		at += 4 + 4 * class_u16(b + at + 2);
	}
	if (!at || at > p->full)
		return CLASS_NO;
	if (at == p->full)
		return CLASS_YES;
	/* encrypted: only the first header is in the clear (RFC 3711) */
	uint32_t source = class_u32(b + 4);
	*ret_mark = (uint8_t)(source ^ source >> 8 ^ source >> 16 ^ source >> 24);
	return CLASS_MAYBE;
}

const struct class_app class_rtcp = {
	.name = "rtcp",
	.udp = true,
	.open = true,
	.check = rtcp_check,
};
