/* SPDX-License-Identifier: GPL-2.0-or-later */
/* The contract of the report table: each entry is complete, writes a record that uses every
 * member, says the same each time, and shows no number that is none. */
#include "contract/contract.h"

#include <ctype.h>
#include <stdlib.h>

#include "helpers/sample_record.h"
#include "report/report.h"

static void descriptors_are_complete(void **state)
{
	(void)state;
	assert_non_null(report_table[0]);
	for (const struct report *const *r = report_table; *r; r++) {
		owes(is_name((*r)->name), (*r)->name, "a name of lower case and dashes");
		owes(report_find((*r)->name) == *r, (*r)->name, "a name that no other report has");
		owes(is_line((*r)->brief, 66), (*r)->name, "a brief of one short line");
		owes((*r)->write, (*r)->name, "a write op");
	}
	assert_null(report_find("no-such-report"));
}

/* Finds "nan" and "inf" as words of their own: "information" and "reason" are none. */
static bool shows_no_number(const char *text)
{
	static const char *const words[] = { "nan", "inf", "(null)" };
	for (size_t i = 0; i < LT_COUNT(words); i++) {
		size_t len = strlen(words[i]);
		for (const char *s = text; (s = strcasestr(s, words[i])); s += len)
			if ((s == text || !isalpha((unsigned char)s[-1])) &&
				!isalpha((unsigned char)s[len]))
				return true;
	}
	return false;
}

static void same_record_same_bytes(void **state)
{
	(void)state;
	LT_AUTO_RECORD struct record *rec = sample_record();
	assert_non_null(rec);
	for (const struct report *const *r = report_table; *r; r++) {
		for (unsigned verbose = 0; verbose < 2; verbose++) {
			LT_AUTO_BUF struct lt_buf first = { 0 };
			LT_AUTO_BUF struct lt_buf again = { 0 };
			struct report_opts opts = { .verbose = verbose };
			struct lt_err err = { 0 };
			owes((*r)->write(rec, &opts, &first, &err) == 0, (*r)->name, err.text);
			owes((*r)->write(rec, &opts, &again, &err) == 0, (*r)->name, err.text);
			owes(!first.failed && first.len == again.len &&
					(!first.len || !memcmp(first.data, again.data, first.len)),
				(*r)->name, "the same bytes for the same record");
			owes((first.len > 0) == (strcmp((*r)->name, "null") != 0), (*r)->name,
				"bytes, unless it is the null report");
			owes(!first.len || !shows_no_number(first.data), (*r)->name,
				"no nan, inf or (null)");
		}
	}
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(descriptors_are_complete),
		cmocka_unit_test(same_record_same_bytes),
	};
	return cmocka_run_group_tests(tests, NULL, NULL);
}
