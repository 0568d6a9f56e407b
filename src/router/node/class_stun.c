/* SPDX-License-Identifier: MIT */
/* STUN (RFC 8489), which opens the way for calls: a magic number, and a length that fits. */
#include "router/node/class_app.h"

static enum class_verdict stun_check(const struct class_packet *p, uint8_t *ret_mark)
{
	(void)ret_mark;
	if (p->len < 20 || p->data[0] >= 0x40 || class_u32(p->data + 4) != 0x2112a442)
		return CLASS_NO;
	uint32_t len = class_u16(p->data + 2);
	return len % 4 == 0 && 20 + len <= p->full ? CLASS_YES : CLASS_NO;
}

const struct class_app class_stun = {
	.name = "stun",
	.udp = true,
	.tcp = true,
	.open = true,
	.free = true,
	.check = stun_check,
};
