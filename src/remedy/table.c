/* SPDX-License-Identifier: GPL-2.0-or-later */
/* The table of remedies, made from table.def, and the questions asked of it. */
#include <string.h>

#include "remedy/remedy.h"

#define LEAT_REMEDY(n) extern const struct remedy remedy_##n;
#include "remedy/table.def"
#undef LEAT_REMEDY

const struct remedy *const remedy_table[] = {
#define LEAT_REMEDY(n) &remedy_##n,
#include "remedy/table.def"
#undef LEAT_REMEDY
	NULL,
};

const struct remedy *remedy_find(const char *name)
{
	for (const struct remedy *const *r = remedy_table; *r; r++)
		if (!strcmp((*r)->name, name))
			return *r;
	return NULL;
}

bool remedy_heals(const struct remedy *r, const char *cause)
{
	for (const char *const *h = r->heals; h && *h; h++)
		if (!strcmp(*h, cause))
			return true;
	return false;
}
