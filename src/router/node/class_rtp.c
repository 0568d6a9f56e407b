/* SPDX-License-Identifier: MIT */
/* RTP (RFC 3550): its header has little that is fixed, so a few packets of one source must agree.
 * What begins like it but is STUN, DTLS or RTCP was tried before (RFC 7983, RFC 5761). */
#include "router/node/class_app.h"

static enum class_verdict rtp_check(const struct class_packet *p, uint8_t *ret_mark)
{
	const uint8_t *b = p->data;
	if (p->len < 12 || b[0] >> 6 != 2)
		return CLASS_NO;
	unsigned type = b[1] & 0x7f;
	uint32_t header = 12 + 4 * (b[0] & 15u);
	/* types above 34 that are not dynamic are not assigned, and some are RTCP's */
	if ((type > 34 && type < 96) || header > p->full)
		return CLASS_NO;
	if (b[0] & 0x10) { /* an extension, with its length */
		if (header + 4 > p->full)
			return CLASS_NO;
		if (header + 4 <= p->len && header + 4 + 4 * class_u16(b + header + 2) > p->full)
			return CLASS_NO;
	}
	/* ports of services are not calls */
	if (p->sport < 1024 || p->dport < 1024)
		return CLASS_NO;
	/* the same source and type, and numbers one after the other */
	uint32_t source = class_u32(b + 8);
	source ^= source >> 16;
	*ret_mark = (uint8_t)((source ^ source >> 8 ^ type) + class_u16(b + 2));
	return CLASS_MAYBE;
}

const struct class_app class_rtp = {
	.name = "rtp",
	.udp = true,
	.step = 1,
	.check = rtp_check,
};
