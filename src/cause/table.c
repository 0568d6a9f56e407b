/* SPDX-License-Identifier: GPL-2.0-or-later */
/* The table of causes, made from table.def. */
#include <string.h>

#include "cause/cause.h"

#define LEAT_CAUSE(n) extern const struct cause cause_##n;
#include "cause/table.def"
#undef LEAT_CAUSE

const struct cause *const cause_table[] = {
#define LEAT_CAUSE(n) &cause_##n,
#include "cause/table.def"
#undef LEAT_CAUSE
	NULL,
};

const struct cause *cause_find(const char *id)
{
	for (const struct cause *const *c = cause_table; *c; c++)
		if (!strcmp((*c)->id, id))
			return *c;
	return NULL;
}
