/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Words for causes, one line of the table each. In a template {NAME} is the finding's fact of
 * that name in its unit, {NAME%} the same as percent, {NAME:noun} a count with its noun; what
 * stands in square brackets is left out when one of its facts is missing. */
#include "report/cause_sentences.h"

#include <math.h>
#include <string.h>

#include "base/own.h"
#include "report/format.h"

static const struct {
	const char *id, *text, *advice;
} causes[] = {
	{ "memory-map-churn",
		"memory goes back to the system and is faulted in again, page by page[: {faults} "
		"page faults, {fault-rate} a second of CPU time][; {system-share%} of the CPU time "
		"is the kernel's][; {touching-share%} is the program's at pages just faulted "
		"in][; threads waited {wait-time} for the address space]",
		"let the allocator keep freed memory (see the remedies), or keep the buffers and "
		"use them again" },
	{ "allocator-lock",
		"threads queue at a lock inside the memory allocator[: {waits:wait}, {wait-time} "
		"in all][; {cpu-time} of CPU time goes there][; on one CPU the same threads take "
		"{one-cpu} x the time]",
		"use an allocator with caches for each thread (see the remedies), free a block in "
		"the thread that allocated it, or keep blocks and use them again" },
	{ "mutex-convoy",
		"threads queue at a lock that each holds only for a moment[: {waits:wait}, "
		"{wait-time} in all][; {system-time} of system and {user-time} of user time go "
		"into locking and unlocking][; on one CPU the same threads take {one-cpu} x the "
		"time]",
		"take the lock less often (in batches, or a copy for each thread that is merged at "
		"the end), or split what it protects into parts with locks of their own" },
	{ "condvar-handoff",
		"threads sleep and wake one another for each small piece of work[: {waits:wait} of "
		"{mean-wait} on average][, {wait-time} in all][; {system-time} of system time goes "
		"into it]",
		"hand over many pieces at once, let the queue hold more than one, wake only who "
		"sleeps, or do the work where it is made" },
	{ "serial-section",
		"one thread works alone while the others have nothing to do[: {alone-time}, "
		"{alone-share%} of the run][; {waits:wait} of {mean-wait} on average for it]"
		"[; a further {spin-time} of CPU time is spent spinning for it][. However many "
		"cores there are, it cannot get faster than {most-speedup} x]",
		"divide what runs alone, overlap it with the rest, hold the lock for less, or hand "
		"out smaller shares so that all end together" },
	{ "false-sharing",
		"threads write different bytes of the same cache line, which travels between the "
		"cores each time[; {cpu-share%} of the samples are at such a line][; on one CPU "
		"the same threads take {one-cpu} x the time][; it costs little here ({efficiency%} "
		"of what the CPUs can give), more where they share no cache]",
		"give each thread's data a cache line of its own: alignas(64) and padding, or "
		"count in a local variable and store once at the end" },
	{ "true-sharing",
		"threads change the same variable all the time[; {cpu-share%} of the samples are "
		"there][; on one CPU the same threads take {one-cpu} x the time][; it costs little "
		"here ({efficiency%} of what the CPUs can give), more where they share no cache]",
		"keep one variable for each thread and add them up when the sum is asked for, or "
		"update the common one once in many" },
	{ "spin-wait",
		"threads wait in a loop that burns the CPU[: {cpu-share%} of the user time, "
		"{cpu-time}]",
		"find out why they have to wait: the shares are uneven, or a lock is held for "
		"long; and sleep after some rounds (futex, condition variable)" },
	{ "yield-storm",
		"threads wait by calling sched_yield over and over[: {cpu-share%} of the CPU time "
		"goes there]",
		"wait in a mutex, a condition variable or a futex instead of yielding" },
	{ "memory-bandwidth",
		"the cores together ask for more memory traffic than there is[; the data is "
		"{footprint} large][; on one CPU the same threads take {one-cpu} x the time][ and "
		"need {one-cpu-cpu} x the CPU time]",
		"touch memory less often: work in blocks that fit a cache, make fewer passes, use "
		"smaller types" },
	{ "waiting-for-input",
		"threads wait for input that comes slower than they work[: {waits:wait} of "
		"{mean-wait} on average][; for {nobody-runs%} of the time nobody runs]",
		"make the source faster, ask it for more at once, or keep several requests to it "
		"under way" },
	{ "timer-polling",
		"threads sleep for a fixed time between looks for work[: {sleeps:sleep} of "
		"{mean-wait} on average][; for {nobody-runs%} of the time nobody runs]",
		"let who makes the work wake them: a condition variable, an eventfd, poll without "
		"a timeout" },
	{ "disk",
		"threads wait for the disk[: {waits:wait} of {mean-wait} on average][; for "
		"{nobody-runs%} of the time nobody runs]",
		"sync once for many records, read ahead, keep more requests under way, or use "
		"faster storage" },
	{ "oversubscribed",
		"[all {cpus:CPU} are busy already with the least number of threads: it uses "
		"{cores-by-one} of them then][with more threads than {cpus:CPU} it takes "
		"{slower-beyond} x the time][with more threads than {cpus:CPU} it takes more than "
		"{slower-at-least} x the time][threads sleep at barriers until those come that "
		"have no CPU: {waits:wait} of {mean-wait} on average][; {queued} threads wait for "
		"a CPU at any time][; up to {peak-threads:thread} at once]",
		"give inner teams one thread each (OMP_NUM_THREADS=1, OPENBLAS_NUM_THREADS=1, "
		"...), or start no more threads than there are CPUs" },
	{ "cpu-limit",
		"it may not use the CPUs that it has threads for[: {cpus-allowed} of "
		"{cpus-online:CPU} allowed][, a quota of {cpu-quota} CPUs][; threads that could "
		"run waited {queue-time} for a CPU]",
		"widen the affinity mask or the quota, or start only as many threads as CPUs are "
		"allowed" },
	{ "foreign-load",
		"other programs use the CPUs[: {foreign-share%} of what this one could have had][; "
		"asked for {cores-asked} cores, the machine gave {cores-given}][; threads waited "
		"{wait-time} for a CPU]",
		"end the other load, or choose CPUs that it does not use, and measure again" },
	{ "shared-core",
		"the CPUs are hardware threads that share the units of a core[: a loop that needs "
		"them all gets as far on {cpus:CPU} as on {cpus-worth} whole cores][; on one CPU "
		"the same threads take {one-cpu-cpu} x the CPU time]",
		"nothing in the program: choose CPUs of different cores, more cores, or fewer "
		"instructions for the work" },
	{ "scales", "nothing is wrong[: {speedup} x with {threads:thread}]", NULL },
	{ "unknown",
		"what could be named is not enough: [{unexplained} of core time is unexplained][ "
		"(lost in all: {extra-user} more user time, {extra-system} more system time, "
		"{idle} idle cores)]",
		NULL },
};

const char *cause_sentence_id(size_t i)
{
	return i < LT_COUNT(causes) ? causes[i].id : NULL;
}

static const struct finding_fact *find_fact(const struct finding *f, const char *name, size_t len)
{
	for (size_t i = 0; i < f->n_facts; i++)
		if (strlen(f->facts[i].name) == len && !strncmp(f->facts[i].name, name, len))
			return value_known(f->facts[i].num) ? &f->facts[i] : NULL;
	return NULL;
}

/* "{NAME:noun}": how long the name is. */
static size_t name_len(const char *field)
{
	return strcspn(field, "}:%");
}

static bool is_complete(const struct finding *f, const char *text, size_t len)
{
	for (const char *at = text; (at = strchr(at, '{')) && at < text + len; at++)
		if (!find_fact(f, at + 1, name_len(at + 1)))
			return false;
	return true;
}

static void add_field(const struct finding *f, const char *field, size_t len, struct lt_buf *out)
{
	size_t n = name_len(field);
	const struct finding_fact *fact = find_fact(f, field, n);
	if (!fact) {
		lt_buf_adds(out, "?");
		return;
	}
	double num = fact->num.num;
	if (field[n] == '%')
		lt_buf_adds(out, format_percent(num).s);
	else if (field[n] == ':')
		lt_buf_addf(out, "%s %.*s%s", format_count(round(num)).s, (int)(len - n - 1),
			field + n + 1, format_plural(round(num), field + n + 1, len - n - 1));
	else if (!strcmp(fact->unit, "count"))
		lt_buf_adds(out, format_count(round(num)).s);
	else if (!strcmp(fact->unit, "ratio"))
		lt_buf_addf(out, "%.3g", num);
	else
		lt_buf_adds(out, format_value(fact->unit, num, NAN).s);
}

static void fill(const struct finding *f, const char *text, size_t len, struct lt_buf *out)
{
	for (const char *end = text + len; text < end;) {
		size_t plain = strcspn(text, "{[");
		if (plain > (size_t)(end - text))
			plain = (size_t)(end - text);
		lt_buf_add(out, text, plain);
		text += plain;
		if (text == end)
			return;
		bool part = *text == '[';
		size_t inner = strcspn(++text, part ? "]" : "}");
		if (!part)
			add_field(f, text, inner, out);
		else if (is_complete(f, text, inner))
			fill(f, text, inner, out);
		text += inner + 1;
	}
}

bool cause_sentence(const struct finding *f, struct lt_buf *out)
{
	for (size_t i = 0; i < LT_COUNT(causes); i++)
		if (!strcmp(causes[i].id, f->id)) {
			fill(f, causes[i].text, strlen(causes[i].text), out);
			return true;
		}
	return false;
}

const char *cause_advice(const struct finding *f)
{
	for (size_t i = 0; i < LT_COUNT(causes); i++)
		if (!strcmp(causes[i].id, f->id))
			return causes[i].advice;
	return NULL;
}

void cause_role(const struct finding_place *p, struct lt_buf *out)
{
	for (const char *c = p->role ? p->role : ""; *c; c++)
		lt_buf_add(out, *c == '-' ? " " : c, 1);
}
