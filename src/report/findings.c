/* SPDX-License-Identifier: GPL-2.0-or-later */
/* The sentences of the findings: one line of the table each. In a template {0} {1} {2} are
 * the finding's numbers as counts, {0%} a share as percent, {0+%} the same with its sign,
 * {0.} a plain number, {0x} a ratio, {0b} bytes, {0t} a time, {0:run} a count with its noun (1 run,
 * 2 runs), {name} the finding's name, {primary} the
 * metric in question. */
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "base/own.h"
#include "record/words.h"
#include "report/cause_sentences.h"
#include "report/format.h"
#include "report/sentences.h"

static const struct {
	const char *id, *text;
} sentences[] = {
	{ "conditions-differ",
		"the records were made under different conditions ({name}): the difference may "
		"be theirs" },
	{ "stdout-null",
		"stdout is the null device, and some programs do less when they see that; "
		"--stdout pipe reads all they write" },
	{ "left-children",
		"{0:run} left descendants running at exit, up to {1} ({name}); they were ended. "
		"--descendants wait waits for them" },
	{ "daemon",
		"{0:run} left a descendant in a session of its own, as a daemon does ({name}); it "
		"was ended. --descendants wait waits for it" },
	{ "new-group",
		"the program left its process group; its descendants were followed all the same" },
	{ "closed-output", "the program closed its stdout or stderr before it ended" },
	{ "reads-stdin",
		"it waits for standard input, which is empty here: --stdin FILE gives it some" },
	{ "outputs-vary",
		"its output is another in every run, so it cannot be compared between the points" },
	{ "script", "it is a script: what is measured is mostly its interpreter ({name})" },
	{ "placeholder-unknown",
		"'{name}' in the command is none of the factors, so the program got it as it is: "
		"--factor NAME=LIST gives it levels" },
	{ "bottleneck-stage",
		"the bottleneck is {name}: it takes one item at a time, and is in use for {0%} of "
		"the time" },
	{ "bottleneck-stages",
		"the bottleneck is {name}: {0%} of the time of all workers goes into it" },
	{ "bottleneck-module",
		"the bottleneck is {name}: its thread is busy for {0%} of the time, and the others "
		"wait for it" },
	{ "processes", "it is {0:process} that do the work; they are measured together" },
	{ "threads-ignored",
		"{0:thread} were asked for, but it never had more than {1}: it takes no notice "
		"of the number" },
	{ "threads-same",
		"it runs {0:thread} whatever number is asked for: it takes no notice of the "
		"number" },
	{ "short-runs", "a run takes {0t}: much of it is starting and ending" },
	{ "core-dump", "{0:run} dumped core; writing it takes time" },
	{ "output-flood", "the program writes {0b} a run; passing that on is part of its time" },
	{ "failed-runs", "failed runs, kept out of the statistics: {0} of {1}" },
	{ "mostly-waiting",
		"it used a CPU for only {0%} of its time: wall time says little about its code" },
	{ "waited-for-cpu",
		"it was ready but waited for a CPU for {0%} of the wall time: other work on this "
		"machine is in the numbers" },
	{ "steal", "the hypervisor gave {0%} of the CPU time to other guests" },
	{ "busy-machine", "the load was {0.} on {1:CPU} before the start: the machine was busy" },
	{ "autocorrelation",
		"neighbours in time are alike (lag-1 correlation {0.}, limit {1.}): the true "
		"interval is wider than the one shown" },
	{ "few-runs", "too few for an interval: {0:run}, where {1} are needed" },
	{ "not-precise", "known to ±{0%} only, where ±{1%} was asked: it takes more runs or time" },
	{ "layout-not-excluded",
		"a difference of {0%} may come from memory layout alone; rebuild with another link "
		"order to confirm" },
	{ "aa-fit",
		"the same command against itself shows no difference: this machine is fit to judge "
		"differences of {0%} and more" },
	{ "aa-unfit",
		"the same command against itself differs, {0x} x ({1x} .. {2x}): this machine is "
		"not fit to judge now" },
	{ "aa-blunt",
		"the same command against itself shows no difference, but less than {0%} could not "
		"have been seen, and {1%} matters here: more runs or a quieter machine" },
	{ "cpu-incomplete",
		"{0:descendant} still ran at the end: of their CPU time only what was used up to "
		"then is counted" },
	{ "drift", "from the first half of the runs to the second {primary} changed by {0+%}" },
	{ "work-missing",
		"{0:run} printed nothing that matches '{name}': they have no cost per unit of "
		"work" },
	{ "region",
		"the program marked region '{name}': times, faults and switches are of it alone, "
		"{0%} of the time; what is known of whole runs only is n/a. --region none measures "
		"whole runs" },
	{ "region-not-entered",
		"{0:run} did not enter region '{name}': left out of the statistics" },
	{ "regions-several",
		"{0:region} are marked; '{name}' is the first. --region NAME measures another" },
	{ "regions-differ",
		"the programs did not mark the same region: different parts of their work are "
		"measured" },
	{ "region-missing", "no run entered a region '{name}': whole runs are measured" },
	{ "counters-several",
		"the program has {0:work counter}; units of work are those of '{name}', the first. "
		"--work-counter NAME takes another" },
	{ "counter-missing",
		"the program has no work counter '{name}': no cost per unit of work is known" },
	{ "program-of-failed",
		"no run counts: what is shown of threads and queues is of {0:run} that failed" },
	{ "page-full",
		"the statistics page of {name} was full: some of its threads, modules or queues "
		"are missing" },
	{ "page-unread", "{0:statistics page} could not be read ({name})" },
	{ "outputs-differ", "the outputs differ ({name}): is it the same job?" },
	{ "slow-start", "the first run took {0.} times the usual: it found caches cold" },
};

const char *sentence_id(size_t i)
{
	return i < LT_COUNT(sentences) ? sentences[i].id : NULL;
}

static void add_num(struct lt_buf *out, double num, const char *how, size_t len)
{
	if (!isfinite(num))
		lt_buf_adds(out, *how == ':' ? "an unknown number of" : "?");
	else if (len == 0)
		lt_buf_adds(out, format_count(num).s);
	else if (!strncmp(how, "+%", 2))
		lt_buf_addf(out, "%s%s", num > 0 ? "+" : "", format_percent(num).s);
	else if (*how == '%')
		lt_buf_adds(out, format_percent(num).s);
	else if (*how == 'x')
		lt_buf_adds(out, format_ratio(num, NAN, NAN).s);
	else if (*how == 'b')
		lt_buf_adds(out, format_value("bytes", num, NAN).s);
	else if (*how == 't')
		lt_buf_adds(out, format_value("ns", num, NAN).s);
	else if (*how == '.')
		lt_buf_adds(out, format_value("ratio", num, NAN).s);
	if (*how == ':')
		lt_buf_addf(out, "%s %.*s%s", isfinite(num) ? format_count(num).s : "",
			(int)len - 1, how + 1, format_plural(num, how + 1, len - 1));
}

static void fill(
	const struct record *rec, const char *text, const struct finding *f, struct lt_buf *out)
{
	for (;;) {
		size_t plain = strcspn(text, "{");
		lt_buf_add(out, text, plain);
		text += plain;
		if (!*text)
			return;
		size_t len = strcspn(text, "}");
		if (!strncmp(text, "{name}", 6))
			lt_buf_adds(out, f->name ? f->name : "unnamed");
		else if (!strncmp(text, "{primary}", 9))
			lt_buf_adds(
				out, rec->plan.primary ? rec->plan.primary : "the primary metric");
		else if (text[1] >= '0' && text[1] <= '2')
			add_num(out, f->num[text[1] - '0'], text + 2, len - 2);
		text += len + 1;
	}
}

void sentence_finding(const struct record *rec, const struct finding *f, struct lt_buf *out)
{
	if (f->variant >= 0 && rec->n_variants > 1)
		lt_buf_addf(out, "%s: ", rec->variants[f->variant].name);
	for (size_t i = 0; i < LT_COUNT(sentences); i++)
		if (!strcmp(sentences[i].id, f->id)) {
			fill(rec, sentences[i].text, f, out);
			return;
		}
	if (cause_sentence(f, out))
		return;
	/* From a newer leat: its numbers are better than silence. */
	lt_buf_adds(out, f->id);
	if (f->name)
		lt_buf_addf(out, " (%s)", f->name);
	for (int i = 0; i < 3; i++)
		if (isfinite(f->num[i]))
			lt_buf_addf(out, "%s %.6g", i ? "," : ":", f->num[i]);
}

void sentence_note(const struct record *rec, const struct finding *f, struct lt_buf *out)
{
	const char *word = record_word(&record_severity_words, f->severity);
	lt_buf_addf(out, "%s: ", f->severity == SEVERITY_INFO ? "note" : word);
	sentence_finding(rec, f, out);
}
