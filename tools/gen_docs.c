/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Prints parts of the manual from the descriptors, as mdoc: `gen-docs meters`, and so on.
 * tools/check-docs --fix puts them into man/. */
#include <ctype.h>
#include <inttypes.h>
#include <stdbool.h>
#include <stdio.h>
#include <string.h>

#include "base/own.h"
#include "cause/cause.h"
#include "load/load.h"
#include "meter/meter.h"
#include "remedy/remedy.h"

/* Text as mdoc text lines, a sentence a line, its first letter raised, its end a full stop. */
static void put_text(const char *text)
{
	bool begin = true;
	char last = '\0';
	for (const char *s = text; *s; s++) {
		if (begin && (*s == '.' || *s == '\''))
			fputs("\\&", stdout);
		if (*s == '\\')
			fputs("\\e", stdout);
		else
			putchar(s == text ? toupper((unsigned char)*s) : *s);
		begin = s[0] == '.' && s[1] == ' ' && isupper((unsigned char)s[2]);
		if (begin) {
			putchar('\n');
			s++;
		}
		last = *s;
	}
	puts(last == '.' ? "" : ".");
}

static void put_labelled(const char *label, const char *text)
{
	printf(".Pp\n.Sy %s :\n", label);
	put_text(text);
}

static const char *better_word(enum metric_better better)
{
	switch (better) {
	case METRIC_LOWER:
		return "lower is better";
	case METRIC_HIGHER:
		return "higher is better";
	case METRIC_NEITHER:
		break;
	}
	return "neither is better";
}

static const char *kind_word(enum metric_kind kind)
{
	switch (kind) {
	case METRIC_COUNTER:
		return "counter";
	case METRIC_GAUGE:
		return "gauge";
	case METRIC_PEAK:
		break;
	}
	return "peak";
}

static void put_metric(const struct metric *x)
{
	printf(".It Cm %s\n", x->name);
	put_text(x->what);
	printf("In %s, a %s; %s%s.\n", x->unit, kind_word(x->kind), better_word(x->better),
		x->sampled ? "; sampled by the clock tick, a part that is never tested" : "");
	printf("Scope: %s.\nSource: %s.\n", x->scope, x->source);
}

static void put_meter(const struct meter *m)
{
	printf(".Ss %s\n", m->name);
	put_text(m->brief);
	printf("%s; measures %s%s%s.\n",
		m->use & METER_USE_DEFAULT ? "On by default" : "Off by default",
		m->use & METER_USE_TRIAL ? "programs that leat starts" : "",
		(m->use & METER_USE_TRIAL) && (m->use & METER_USE_ATTACH) ? " and " : "",
		m->use & METER_USE_ATTACH ? "running processes" : "");
	if (m->use & METER_USE_EVIDENCE)
		puts("It changes the program's time, so it has runs of its own.");
	if (m->n_metrics) {
		puts(".Bl -tag -width Ds");
		for (size_t i = 0; i < m->n_metrics; i++)
			put_metric(&m->metrics[i]);
		puts(".El");
	}
	put_labelled("COST", m->cost);
	put_labelled("OVERHEAD", m->overhead);
	put_labelled("CAVEATS", m->caveats);
}

static void put_load(const struct load *l)
{
	printf(".Ss %s\n", l->name);
	put_text(l->brief);
	printf("Its unit of work: %s.\nTimed:\n", l->work);
	put_text(l->timed);
	if (l->operand)
		printf("It takes a\n.Ar %s ;\nwithout one it uses a sample.\n", l->operand);
	if (!l->n_options)
		return;
	if (l->in_order)
		puts("Values may also be given without their names, in this order:");
	puts(".Bl -tag -width Ds");
	for (size_t i = 0; i < l->n_options; i++) {
		const struct load_option *o = &l->options[i];
		const char *arg = o->type == LOAD_COUNT ? " Ar N"
			: o->type == LOAD_TEXT          ? " Ar TEXT"
							: "";
		printf(".It Fl %c%s , Fl -%s%s\n", o->letter, arg, o->name, arg);
		put_text(o->what);
		if (o->type == LOAD_COUNT)
			printf("From %" PRIu64 " to %" PRIu64 "; default %" PRIu64 ".\n", o->min,
				o->max, o->def);
	}
	puts(".El");
}

static void put_remedy(const struct remedy *r)
{
	printf(".Ss %s\n", r->name);
	put_text(r->brief);
	put_text(r->does);
	if (r->heals)
		puts(".Pp\n.Sy TRIED FOR :");
	for (const char *const *h = r->heals; h && *h; h++)
		printf(".Cm %s%s\n", *h, h[1] ? " ," : " .");
	put_labelled("PRICE", r->price);
}

static void put_causes(void)
{
	for (const struct cause *const *c = cause_table; *c; c++) {
		printf(".Ss %s\n", (*c)->id);
		put_text((*c)->what);
		put_text((*c)->help);
		put_labelled("TO BE SURE", (*c)->confirm);
	}
}

static void put_remedies(void)
{
	for (const struct remedy *const *r = remedy_table; *r; r++)
		put_remedy(*r);
}

static void put_meters(void)
{
	for (const struct meter *const *m = meter_table; *m; m++)
		put_meter(*m);
}

static void put_loads(void)
{
	for (const struct load *const *l = load_table; *l; l++)
		put_load(*l);
}

static const struct {
	const char *name;
	void (*put)(void);
} parts[] = {
	{ "meters", put_meters },
	{ "loads", put_loads },
	{ "causes", put_causes },
	{ "remedies", put_remedies },
};

int main(int argc, char **argv)
{
	for (size_t i = 0; argc == 2 && i < LT_COUNT(parts); i++) {
		if (strcmp(argv[1], parts[i].name) != 0)
			continue;
		parts[i].put();
		return ferror(stdout) ? 1 : 0;
	}
	fprintf(stderr, "Usage: gen-docs PART, one of:");
	for (size_t i = 0; i < LT_COUNT(parts); i++)
		fprintf(stderr, " %s", parts[i].name);
	fputc('\n', stderr);
	return 2;
}
