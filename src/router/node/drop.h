/* SPDX-License-Identifier: MIT */
/* Why packets are dropped. Every packet that does not leave by an edge leaves by one of these. */
#ifndef ROUTER_NODE_DROP_H
#define ROUTER_NODE_DROP_H

enum drop {
	DROP_NONE,
#define DROP(name, text, what) DROP_##name,
#include "router/node/drops.def"
#undef DROP
	DROPS,
};

/* What the report calls it, and what it means. NULL for DROP_NONE. */
const char *drop_name(enum drop drop);
const char *drop_what(enum drop drop);

#endif
