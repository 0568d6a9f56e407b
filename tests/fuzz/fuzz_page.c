/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Statistics pages that any program may have written: read, turned into parts, summed up over two
 * runs and taken apart as a window; what comes of it is a record that saves, loads and prints. */
#include <assert.h>
#include <stdint.h>
#include <string.h>
#include <sys/mman.h>

#include "record/record_json.h"
#include "report/report.h"
#include "run/parts.h"

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);

static const struct metric wall = { .name = "wall", .unit = "ns", .kind = METRIC_COUNTER };

/* False where the bytes are no page. */
static bool read_page(const uint8_t *data, size_t size, struct pages *ret)
{
	LT_AUTO_CLOSE int fd = memfd_create("fuzz", MFD_CLOEXEC);
	struct lt_err err = { 0 };
	if (fd < 0 || pwrite(fd, data, size, 0) != (ssize_t)size)
		return false;
	ret->list = calloc(1, sizeof(*ret->list));
	if (!ret->list || sys_stats_page_read(fd, &ret->list[0].page, &err) < 0)
		return false;
	ret->n = ret->cap = 1;
	ret->end_ns = INT64_C(1) << 40;
	ret->list[0].main = size % 2;
	return true;
}

static void check(struct record *rec)
{
	LT_AUTO_RECORD struct record *again = NULL;
	LT_AUTO_BUF struct lt_buf json = { 0 };
	struct lt_err err = { 0 };
	for (const struct report *const *r = report_table; *r; r++) {
		LT_AUTO_BUF struct lt_buf out = { 0 };
		struct report_opts opts = { .verbose = true };
		assert((*r)->write(rec, &opts, &out, &err) == 0);
	}
	assert(record_save_json(rec, &json, &err) == 0);
	assert(record_load_json(json.data, json.len, "page", &again, &err) == 0);
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
	PAGES_AUTO struct pages first = PAGES_NONE;
	PAGES_AUTO struct pages second = PAGES_NONE;
	size_t half = size / 2;
	/* One page, or a page and what it was a window earlier. */
	if (!read_page(data, size, &first) ||
		!read_page(size % 3 ? data : data + half, size % 3 ? size : size - half, &second))
		return 0;
	pages_subtract(&first, &second);
	struct variant variant = { .name = "program", .command = "program" };
	LT_AUTO_RECORD struct record *one = record_new();
	LT_AUTO_RECORD struct record *rec = record_new();
	assert(one && rec);
	rec->variants = &variant;
	rec->n_variants = 1;
	rec->metrics = (struct metric *)&wall;
	rec->n_metrics = 1;
	rec->plan = (struct plan){ .verb = "run", .design = "fixed" };
	assert(parts_of_pages(&first, one, NULL) == 0);
	assert(parts_of_pages(&second, one, NULL) == 0);
	for (int run = 0; run < 2; run++)
		assert(parts_sum(rec, 0, one->program, NULL) == 0);
	for (unsigned kind = 0; kind < PROGRAM_KINDS; kind++)
		for (size_t i = 0; i < rec->program->kinds[kind].n; i++)
			parts_divide(&rec->program->kinds[kind].list[i], kind, 2);
	parts_units_inside(&second, "forward", "packets");
	check(rec);
	return 0;
}
