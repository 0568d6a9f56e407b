/* SPDX-License-Identifier: MIT */
/* QUIC (RFC 8999, 9000, 9369): a long header with a version that is known. */
#include "router/node/class_app.h"

static bool is_version(uint32_t version)
{
	return version <= 1 ||                          /* negotiation, and 1 */
		version == 0x6b3343cf ||                /* 2 */
		(version & 0xffffff00) == 0xff000000 || /* drafts */
		(version & 0xffff0000) == 0x51300000 || /* "Q0..", before the drafts */
		(version & 0xffffff00) == 0xfaceb000 ||
		(version & 0x0f0f0f0f) == 0x0a0a0a0a; /* reserved to exercise negotiation */
}

static enum class_verdict quic_check(const struct class_packet *p, uint8_t *ret_mark)
{
	(void)ret_mark;
	const uint8_t *b = p->data;
	if (p->len < 7 || !(b[0] & 0x80))
		return CLASS_NO;
	uint32_t version = class_u32(b + 1);
	/* all but negotiation set a second bit */
	if (!is_version(version) || (version && !(b[0] & 0x40)))
		return CLASS_NO;
	if (version >> 16 == 0x5130)
		return CLASS_YES; /* other lengths */
	uint32_t to = b[5];
	if (to > 20 || 7 + to > p->len)
		return CLASS_NO;
	uint32_t from = b[6 + to], rest = 7 + to + from;
	if (from > 20 || rest > p->full)
		return CLASS_NO;
	/* negotiation: a list of versions, of which we know the first */
	if (!version &&
		(rest + 4 > p->len || !class_u32(b + rest) || !is_version(class_u32(b + rest))))
		return CLASS_NO;
	return CLASS_YES;
}

const struct class_app class_quic = {
	.name = "quic",
	.udp = true,
	.check = quic_check,
};
