/* SPDX-License-Identifier: GPL-2.0-or-later */
/* The table of meters, made from table.def, and the questions asked of it. */
#include "meter/meter.h"

#include <string.h>

#define LEAT_METER(n) extern const struct meter meter_##n;
#include "meter/table.def"
#undef LEAT_METER

const struct meter *const meter_table[] = {
#define LEAT_METER(n) &meter_##n,
#include "meter/table.def"
#undef LEAT_METER
	NULL,
};

const struct meter *meter_find(const char *name)
{
	for (const struct meter *const *m = meter_table; *m; m++)
		if (!strcmp((*m)->name, name))
			return *m;
	return NULL;
}

struct value meter_probe(const struct meter *m, const struct meter_place *place)
{
	return m->probe ? m->probe(place) : (struct value){ .state = VALUE_MEASURED };
}
