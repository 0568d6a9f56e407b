/* SPDX-License-Identifier: GPL-2.0-or-later */
/* The table of reports, made from table.def, and the questions asked of it. */
#include <string.h>

#include "report/report.h"

#define LEAT_REPORT(n) extern const struct report report_##n;
#include "report/table.def"
#undef LEAT_REPORT

const struct report *const report_table[] = {
#define LEAT_REPORT(n) &report_##n,
#include "report/table.def"
#undef LEAT_REPORT
	NULL,
};

const struct report *report_find(const char *name)
{
	for (const struct report *const *r = report_table; *r; r++)
		if (!strcmp((*r)->name, name))
			return *r;
	return NULL;
}
