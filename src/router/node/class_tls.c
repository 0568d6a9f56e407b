/* SPDX-License-Identifier: MIT */
/* TLS (RFC 8446): the header of a record, and of what it holds if that is a handshake. */
#include "router/node/class_app.h"

enum {
	HANDSHAKE = 22,
	LONGEST = (1 << 14) + 2048
};

static enum class_verdict tls_check(const struct class_packet *p, uint8_t *ret_mark)
{
	(void)ret_mark;
	const uint8_t *b = p->data;
	if (p->len < 6 || b[0] < 20 || b[0] > 24 || b[1] != 3 || b[2] > 4)
		return CLASS_NO;
	uint32_t len = class_u16(b + 3);
	if (!len || len > LONGEST)
		return CLASS_NO;
	/* hello of a client or a server; later ones may be encrypted */
	if (b[0] == HANDSHAKE && p->len >= 9 && (b[5] == 1 || b[5] == 2))
		return b[6] == 0 ? CLASS_YES : CLASS_NO;
	return CLASS_YES;
}

const struct class_app class_tls = {
	.name = "tls",
	.tcp = true,
	.check = tls_check,
};
