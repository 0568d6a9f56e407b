/* SPDX-License-Identifier: GPL-2.0-or-later */
/* One row per trial, one column per metric: for spreadsheets and statistics programs. Cells
 * are quoted as in RFC 4180; an unavailable value is an empty cell. */
#include <inttypes.h>

#include "record/words.h"
#include "report/csv.h"
#include "report/report.h"

static void add_header(const struct record *rec, struct lt_buf *out)
{
	lt_buf_adds(out, "variant");
	for (size_t i = 0; i < rec->n_factors; i++) {
		lt_buf_adds(out, ",");
		csv_cell(out, rec->factors[i].name);
	}
	lt_buf_adds(out, rec->scaling ? ",remedy" : "");
	lt_buf_adds(out, ",block,order,at_ns,warmup,evidence,kept,outcome,code,work");
	for (size_t i = 0; i < rec->n_metrics; i++) {
		LT_AUTO_BUF struct lt_buf name = { 0 };
		lt_buf_addf(&name, "%s_%s", rec->metrics[i].name, rec->metrics[i].unit);
		lt_buf_adds(out, ",");
		if (name.failed)
			out->failed = true;
		else
			csv_cell(out, name.data);
	}
	lt_buf_adds(out, "\n");
}

/* A sweep's factors have columns of their own. */
static void add_variant(const struct record *rec, const struct variant *v, struct lt_buf *out)
{
	csv_cell(out, v->name);
	for (size_t i = 0; i < rec->n_factors; i++) {
		lt_buf_adds(out, ",");
		if (v->levels)
			csv_cell(out, v->levels[i]);
	}
	if (!rec->scaling)
		return;
	lt_buf_adds(out, ",");
	if (v->remedy)
		csv_cell(out, v->remedy);
}

static int csv_write(const struct record *rec, const struct report_opts *opts, struct lt_buf *out,
	struct lt_err *err)
{
	(void)opts;
	add_header(rec, out);
	for (size_t i = 0; i < rec->n_trials; i++) {
		const struct trial *t = &rec->trials[i];
		add_variant(rec, &rec->variants[t->variant], out);
		lt_buf_addf(out, ",%u,%u,%" PRId64 ",%d,%d,%d,%s,%d,", t->block, t->order, t->at_ns,
			t->warmup, t->evidence, t->kept,
			record_word(&record_outcome_words, t->outcome.kind), t->outcome.code);
		if (t->work > 0)
			csv_num(out, t->work);
		for (size_t m = 0; m < rec->n_metrics; m++) {
			lt_buf_adds(out, ",");
			if (t->readings[m].state != VALUE_UNAVAILABLE)
				csv_num(out, t->readings[m].num);
		}
		lt_buf_adds(out, "\n");
	}
	return out->failed ? lt_fail_mem(err) : 0;
}

const struct report report_csv = {
	.name = "csv",
	.brief = "one row per run, one column per metric",
	.write = csv_write,
};
