/* SPDX-License-Identifier: GPL-2.0-or-later */
/* The report for people: the answer first, then what it rests on; 80 columns. */
#include <string.h>

#include "report/text.h"

static bool compares(const struct record *rec)
{
	for (size_t i = 0; i < rec->n_comparisons; i++)
		if (!rec->comparisons[i].aa)
			return true;
	return false;
}

static void say_verbose(const struct text *t)
{
	if (!t->verbose)
		return;
	for (unsigned i = 0; i < t->rec->n_variants; i++)
		text_details(t, i);
	text_metrics(t);
	text_background(t);
}

static int write_sweep(const struct text *t, enum report_part part, struct lt_err *err)
{
	if (part != REPORT_REST) {
		text_partial(t);
		text_scale_curve(t);
	}
	if (part != REPORT_FIRST) {
		text_scale_why(t);
		text_failures(t);
		text_notes(t);
		say_verbose(t);
	}
	return t->out->failed ? lt_fail_mem(err) : 0;
}

static int text_write(const struct record *rec, const struct report_opts *opts, struct lt_buf *out,
	struct lt_err *err)
{
	const struct text t = {
		.rec = rec,
		.out = out,
		.verbose = opts && opts->verbose,
		.width = opts && opts->width ? opts->width : 80,
	};
	if (rec->scaling)
		return write_sweep(&t, opts ? opts->part : REPORT_WHOLE, err);
	text_partial(&t);
	if (!rec->n_variants)
		text_para(&t, "", "", "nothing was measured");
	bool versus = compares(rec);
	unsigned n = (unsigned)rec->n_variants;
	for (unsigned i = 0; i < n; i++) {
		if (rec->variants[i].aa)
			continue;
		if (!versus)
			text_variant(&t, i);
		else if (i > 0)
			text_versus(&t, 0, i);
	}
	text_aa(&t);
	text_gates(&t);
	text_failures(&t);
	text_notes(&t);
	say_verbose(&t);
	return out->failed ? lt_fail_mem(err) : 0;
}

const struct report report_text = {
	.name = "text",
	.brief = "for people: the answer first, details with -v",
	.write = text_write,
};
