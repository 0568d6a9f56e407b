/* SPDX-License-Identifier: GPL-2.0-or-later */
/* The contract of the report table: each entry is complete, and prints any record there is,
 * the same bytes each time, without a NaN, and without changing it. */
#include "contract/contract.h"

#include <fcntl.h>
#include <glob.h>

#include "base/own.h"
#include "base/utf8.h"
#include "record/record_json.h"
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

static struct record *load(const char *path)
{
	LT_AUTO_CLOSE int fd = open(path, O_RDONLY | O_CLOEXEC);
	LT_AUTO_BUF struct lt_buf in = { 0 };
	struct lt_err err = { 0 };
	struct record *rec = NULL;
	if (fd < 0 || lt_buf_read_fd(&in, fd, path, RECORD_MAX_BYTES, &err) < 0 ||
		record_load_json(in.data, in.len, path, &rec, &err) < 0)
		fail_msg("%s: %s", path, err.text);
	return rec;
}

static void write_to(
	const struct report *r, const struct record *rec, bool verbose, struct lt_buf *out)
{
	struct report_opts opts = { .verbose = verbose };
	struct lt_err err = { 0 };
	if (r->write(rec, &opts, out, &err) < 0)
		fail_msg("'%s': %s", r->name, err.text);
}

static const char *text_of(const struct lt_buf *buf)
{
	return buf->data ? buf->data : "";
}

static void prints_the_same_twice(
	const struct report *r, const struct record *rec, bool verbose, const char *path)
{
	LT_AUTO_BUF struct lt_buf first = { 0 }, second = { 0 };
	LT_AUTO_BUF struct lt_buf before = { 0 }, after = { 0 };
	write_to(report_find("json"), rec, false, &before);
	write_to(r, rec, verbose, &first);
	write_to(r, rec, verbose, &second);
	write_to(report_find("json"), rec, false, &after);
	if (strcmp(text_of(&first), text_of(&second)) != 0)
		fail_msg("'%s' prints %s in two ways", r->name, path);
	assert_string_equal(text_of(&before), text_of(&after));
	if (strstr(text_of(&first), " nan") || strstr(text_of(&first), "-nan"))
		fail_msg("'%s' prints a NaN of %s", r->name, path);
}

/* What this build cannot write fails with the reason, and writes nothing. */
static bool is_missing(const struct report *r)
{
	LT_AUTO_RECORD struct record *none = record_new();
	LT_AUTO_BUF struct lt_buf out = { 0 };
	struct lt_err err = { 0 };
	const char *why = r->missing ? r->missing() : NULL;
	if (!why)
		return false;
	owes(r->write(none, &(struct report_opts){ 0 }, &out, &err) == -ENOTSUP, r->name,
		"to fail where it is missing");
	owes(strstr(err.text, why) && err.hint[0] && !out.len, r->name, "the reason and a hint");
	return true;
}

/* For every stored record, and one that holds nothing. */
static void any_record_can_be_printed(void **state)
{
	(void)state;
	glob_t found;
	assert_int_equal(glob(GOLDEN_RECORDS "/*.json", 0, NULL, &found), 0);
	assert_true(found.gl_pathc > 10);
	for (size_t i = 0; i < found.gl_pathc; i++) {
		LT_AUTO_RECORD struct record *rec = load(found.gl_pathv[i]);
		for (const struct report *const *r = report_table; *r; r++) {
			if (is_missing(*r))
				continue;
			prints_the_same_twice(*r, rec, false, found.gl_pathv[i]);
			prints_the_same_twice(*r, rec, true, found.gl_pathv[i]);
		}
	}
	globfree(&found);
	LT_AUTO_RECORD struct record *none = record_new();
	for (const struct report *const *r = report_table; *r; r++)
		if (!is_missing(*r))
			prints_the_same_twice(*r, none, true, "an empty record");
}

/* Text for a terminal: 80 columns, nothing a terminal obeys, no blanks at the end. */
static void check_lines(const char *text, const char *path)
{
	size_t columns = 0;
	char last = '\n';
	for (const char *s = text; *s;) {
		uint32_t c = 0;
		size_t n = lt_utf8_next(s, strlen(s), &c);
		if (n == 0 || (c < 0x20 && c != '\n') || (c >= 0x7f && c < 0xa0) || c == 0x202e)
			fail_msg("%s: U+%04x is printed", path, c);
		if (c == '\n' && last == ' ')
			fail_msg("%s: a line ends in a blank", path);
		columns = c == '\n' ? 0 : columns + 1;
		if (columns > 80)
			fail_msg("%s: a line is too long: %.100s", path, s - 80);
		last = *s;
		s += n;
	}
	if (last != '\n')
		fail_msg("%s: the last line has no end", path);
}

static void text_fits_the_terminal(void **state)
{
	(void)state;
	glob_t found;
	assert_int_equal(glob(GOLDEN_RECORDS "/*.json", 0, NULL, &found), 0);
	for (size_t i = 0; i < found.gl_pathc; i++) {
		LT_AUTO_RECORD struct record *rec = load(found.gl_pathv[i]);
		LT_AUTO_BUF struct lt_buf out = { 0 };
		write_to(report_find("text"), rec, false, &out);
		check_lines(text_of(&out), found.gl_pathv[i]);
	}
	globfree(&found);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(descriptors_are_complete),
		cmocka_unit_test(any_record_can_be_printed),
		cmocka_unit_test(text_fits_the_terminal),
	};
	return cmocka_run_group_tests(tests, NULL, NULL);
}
