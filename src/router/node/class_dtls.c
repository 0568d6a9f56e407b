/* SPDX-License-Identifier: MIT */
/* DTLS (RFC 9147), also in front of encrypted calls: a record's type, version and length. */
#include "router/node/class_app.h"

static enum class_verdict dtls_check(const struct class_packet *p, uint8_t *ret_mark)
{
	(void)ret_mark;
	/* types of records that go in the clear or did so in older versions */
	if (p->len < 13 || p->data[0] < 20 || p->data[0] > 26)
		return CLASS_NO;
	uint32_t version = class_u16(p->data + 1), len = class_u16(p->data + 11);
	if (version != 0xfeff && version != 0xfefd)
		return CLASS_NO;
	return len && 13 + len <= p->full ? CLASS_YES : CLASS_NO;
}

const struct class_app class_dtls = {
	.name = "dtls",
	.udp = true,
	.open = true,
	.free = true,
	.check = dtls_check,
};
