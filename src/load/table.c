/* SPDX-License-Identifier: GPL-2.0-or-later */
/* The table of loads, made from table.def, and the questions asked of it. */
#include "load/load.h"

#include <string.h>

#define LEAT_LOAD(n) extern const struct load load_##n;
#include "load/table.def"
#undef LEAT_LOAD

const struct load *const load_table[] = {
#define LEAT_LOAD(n) &load_##n,
#include "load/table.def"
#undef LEAT_LOAD
	NULL,
};

const struct load *load_find(const char *name)
{
	for (const struct load *const *l = load_table; *l; l++)
		if (!strcmp((*l)->name, name))
			return *l;
	return NULL;
}

void load_defaults(const struct load *load, struct load_value *values)
{
	for (size_t i = 0; i < load->n_options; i++)
		values[i] = (struct load_value){ .count = load->options[i].def };
}
