/* SPDX-License-Identifier: GPL-2.0-or-later */
/* A record file from anywhere: refused in one line that names the file, or loaded; and what
 * is loaded prints in every form and comes back from its own saved form unchanged. */
#include <assert.h>
#include <stdint.h>
#include <string.h>

#include "record/record_json.h"
#include "report/report.h"

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);

static void print_everywhere(const struct record *rec)
{
	for (const struct report *const *r = report_table; *r; r++) {
		LT_AUTO_BUF struct lt_buf out = { 0 };
		struct report_opts opts = { .verbose = true };
		struct lt_err err = { 0 };
		assert((*r)->write(rec, &opts, &out, &err) == 0);
		opts.verbose = false;
		assert((*r)->write(rec, &opts, &out, &err) == 0);
	}
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
	LT_AUTO_RECORD struct record *rec = NULL, *again = NULL;
	LT_AUTO_BUF struct lt_buf first = { 0 }, second = { 0 };
	struct lt_err err = { 0 };
	if (record_load_json((const char *)data, size, "input", &rec, &err) < 0) {
		assert(!rec && err.id[0] && strstr(err.text, "input") && !strchr(err.text, '\n'));
		return 0;
	}
	print_everywhere(rec);
	assert(record_save_json(rec, &first, &err) == 0);
	assert(record_load_json(first.data, first.len, "input", &again, &err) == 0);
	assert(record_save_json(again, &second, &err) == 0);
	assert(first.len == second.len && !memcmp(first.data, second.data, first.len));
	return 0;
}
