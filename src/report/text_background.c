/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Text, -v: what the numbers were taken with: machine, plan, meters, leat itself. */
#include <math.h>
#include <stdio.h>
#include <string.h>

#include "report/format.h"
#include "report/text.h"

static void say(const struct text *t, const char *what, const char *value)
{
	if (value && *value)
		text_para(t, "  ", "      ", "%s: %s", what, value);
}

static void say_load(const struct text *t, const char *when, double load)
{
	if (load < 0)
		text_para(t, "  ", "      ", "load %s: not read", when);
	else
		text_para(t, "  ", "      ", "load %s: %.2f", when, load);
}

static void say_machine(const struct text *t)
{
	const struct machine *m = &t->rec->machine;
	text_para(t, "\n", "", "machine");
	say(t, "cpu", m->cpu);
	say(t, "architecture", m->arch);
	say(t, "kernel", m->kernel);
	say(t, "hypervisor", m->virt);
	text_para(t, "  ", "      ", "cpus: %u online%s%s", m->cpus_online,
		m->cpus_allowed ? ", allowed " : "", m->cpus_allowed ? m->cpus_allowed : "");
	say_load(t, "before", m->load_before);
	say_load(t, "after", m->load_after);
	for (size_t i = 0; i < m->n_meters; i++) {
		const struct record_meter *meter = &m->meters[i];
		if (meter->state != VALUE_UNAVAILABLE)
			continue;
		text_para(t, "  ", "      ", "meter %s: n/a, %s%s%s", meter->name,
			meter->reason ? meter->reason : "reason not recorded",
			meter->hint ? "; " : "", meter->hint ? meter->hint : "");
	}
}

static void say_plan(const struct text *t)
{
	const struct plan *p = &t->rec->plan;
	text_para(t, "\n", "", "plan");
	text_para(t, "  ", "      ", "%s, design %s, seed %llu, primary metric %s",
		p->verb ? p->verb : "?", p->design ? p->design : "?", (unsigned long long)p->seed,
		p->primary ? p->primary : "none");
	text_para(t, "  ", "      ", "asked: n %s, warm-up %u",
		p->n ? format_count(p->n).s : "as the stop rule decides", p->warmup);
	if (p->n_max)
		say(t, "at most", format_count(p->n_max).s);
	if (p->budget_ns > 0)
		say(t, "time", format_value("ns", p->budget_ns, NAN).s);
	if (p->timeout_ns > 0)
		say(t, "timeout of a run", format_value("ns", p->timeout_ns, NAN).s);
	if (p->precision > 0)
		text_para(
			t, "  ", "      ", "precision asked: ±%s", format_percent(p->precision).s);
	if (p->same > 0)
		text_para(t, "  ", "      ", "called the same: within ±%s",
			format_percent(p->same).s);
	say(t, "before each run", p->prepare);
	say(t, "units of work", p->work_from);
	say(t, "pinned to CPUs", p->pin);
	say(t, "date", p->date);
	if (p->wall_ns > 0)
		say(t, "whole experiment", format_value("ns", p->wall_ns, NAN).s);
}

static void say_own(const struct text *t)
{
	const struct own_cost *o = &t->rec->own;
	if (!(o->cpu_ns > 0) && !(o->peak_bytes > 0))
		return;
	text_para(t, "\n", "", "leat itself");
	text_para(t, "  ", "      ", "CPU %s, peak memory %s", format_value("ns", o->cpu_ns, NAN).s,
		format_value("bytes", o->peak_bytes, NAN).s);
	if (o->window_ns > 0)
		text_para(t, "  ", "      ", "%s wakeups a second inside measured windows",
			format_value("ratio", o->window_wakeups / (o->window_ns / 1e9), NAN).s);
}

void text_background(const struct text *t)
{
	say_machine(t);
	say_plan(t);
	say_own(t);
	if (t->rec->version)
		text_para(t, "\n", "", "leat %s", t->rec->version);
}
