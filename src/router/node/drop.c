/* SPDX-License-Identifier: MIT */
/* The table of drop reasons. */
#include "router/node/drop.h"

#include <stddef.h>

static const struct {
	const char *name, *what;
} drops[DROPS] = {
#define DROP(name, text, what) [DROP_##name] = { text, what },
#include "router/node/drops.def"
#undef DROP
};

const char *drop_name(enum drop drop)
{
	return drops[drop].name;
}

const char *drop_what(enum drop drop)
{
	return drops[drop].what;
}
