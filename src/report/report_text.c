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

static int text_write(const struct record *rec, const struct report_opts *opts, struct lt_buf *out,
	struct lt_err *err)
{
	const struct text t = {
		.rec = rec,
		.out = out,
		.verbose = opts && opts->verbose,
		.width = opts && opts->width ? opts->width : 80,
	};
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
	if (t.verbose) {
		for (unsigned i = 0; i < n; i++)
			text_details(&t, i);
		text_metrics(&t);
		text_background(&t);
	}
	return out->failed ? lt_fail_mem(err) : 0;
}

const struct report report_text = {
	.name = "text",
	.brief = "for people: the answer first, details with -v",
	.write = text_write,
};
