/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Whichever of our allocations fails, loading and printing a record end in -ENOMEM and leave
 * nothing behind. Those inside jansson are not tried: it asserts that they succeed. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

#include "helpers/failing_alloc.h"
#include "helpers/sample_record.h"
#include "record/record_json.h"
#include "report/report.h"

static void save_sample(struct lt_buf *out)
{
	struct lt_err err = { 0 };
	LT_AUTO_RECORD struct record *rec = sample_record();
	assert_non_null(rec);
	/* Enough for a few blocks of the arena. */
	for (int i = 0; i < 500; i++) {
		struct trial *t = record_add_trial(rec);
		assert_non_null(t);
		t->readings[0] = value_missing("no clock", NULL);
	}
	if (record_save_json(rec, out, &err) < 0)
		fail_msg("%s", err.text);
}

static void loading_survives_any_failed_allocation(void **state)
{
	(void)state;
	LT_AUTO_BUF struct lt_buf buf = { 0 };
	save_sample(&buf);
	long n = 0;
	for (;; n++) {
		struct record *rec = NULL;
		struct lt_err err = { 0 };
		alloc_fail_after(n);
		int r = record_load_json(buf.data, buf.len, "t.json", &rec, &err);
		alloc_recover();
		if (r < 0) {
			assert_null(rec);
			if (r != -ENOMEM)
				fail_msg("allocation %ld: %d, %s", n, r, err.text);
			continue;
		}
		record_free(rec);
		if (!alloc_hit)
			break;
	}
	assert_true(n >= 4);
}

static void printing_survives_any_failed_allocation(void **state)
{
	(void)state;
	LT_AUTO_RECORD struct record *rec = sample_record();
	struct report_opts opts = { .verbose = true };
	for (const struct report *const *report = report_table; *report; report++)
		for (long n = 0; !(*report)->missing || !(*report)->missing(); n++) {
			LT_AUTO_BUF struct lt_buf out = { 0 };
			struct lt_err err = { 0 };
			alloc_fail_after(n);
			int r = (*report)->write(rec, &opts, &out, &err);
			alloc_recover();
			if (!alloc_hit) {
				assert_int_equal(r, 0);
				break;
			}
			if (r != -ENOMEM)
				fail_msg("%s, allocation %ld: %d", (*report)->name, n, r);
		}
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(loading_survives_any_failed_allocation),
		cmocka_unit_test(printing_survives_any_failed_allocation),
	};
	return cmocka_run_group_tests(tests, NULL, NULL);
}
