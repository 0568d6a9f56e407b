/* SPDX-License-Identifier: GPL-2.0-or-later */
/* What libleat programs told of themselves as CSV, one value a row: a table of any kind of part
 * is a selection of it. */
#include "record/program.h"
#include "record/words.h"
#include "report/csv.h"
#include "report/report.h"

static void add_row(const struct record *rec, enum program_kind kind, const struct program_part *p,
	size_t value, struct lt_buf *out)
{
	const struct program_value *what = &program_kinds[kind].values[value];
	const struct value *v = &p->v[value];
	const char *texts[] = { rec->variants[p->variant].name, p->process,
		program_kinds[kind].word, p->name, p->of ? p->of : "" };
	for (size_t i = 0; i < LT_COUNT(texts); i++) {
		csv_cell(out, texts[i]);
		lt_buf_adds(out, ",");
	}
	csv_num(out, p->count);
	lt_buf_addf(out, ",%s,%s,%s,", what->name, what->unit,
		record_word(&record_state_words, v->state));
	if (v->state != VALUE_UNAVAILABLE)
		csv_num(out, v->num);
	lt_buf_adds(out, "\n");
}

static int parts_write(const struct record *rec, const struct report_opts *opts, struct lt_buf *out,
	struct lt_err *err)
{
	(void)opts;
	lt_buf_adds(out, "variant,process,kind,name,of,count,value,unit,state,num\n");
	for (unsigned kind = 0; rec->program && kind < PROGRAM_KINDS; kind++)
		for (size_t i = 0; i < rec->program->kinds[kind].n; i++)
			for (size_t k = 0; k < program_kinds[kind].n; k++)
				add_row(rec, kind, &rec->program->kinds[kind].list[i], k, out);
	return out->failed ? lt_fail_mem(err) : 0;
}

const struct report report_parts = {
	.name = "parts",
	.brief = "CSV of a libleat program's threads, modules and queues",
	.write = parts_write,
};
