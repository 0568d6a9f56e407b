/* SPDX-License-Identifier: GPL-2.0-or-later */
/* What became of a remedy. Needs cmocka.h. */
#ifndef TESTS_REMEDY_RESULT_H
#define TESTS_REMEDY_RESULT_H

#include <string.h>

#include "record/record.h"

static inline const struct remedy_result *remedy_result(const struct record *rec, const char *name)
{
	for (size_t i = 0; i < rec->n_remedies; i++)
		if (!strcmp(rec->remedies[i].name, name))
			return &rec->remedies[i];
	fail_msg("no result of %s", name);
	return NULL;
}

#endif
