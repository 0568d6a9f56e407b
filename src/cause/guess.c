/* SPDX-License-Identifier: GPL-2.0-or-later */
/* What the kernel was doing, where its side may not be looked at: from how often the program
 * went there. The total is known; what it is shared out by are page faults, sleeps at
 * futexes, and samples of user code just behind a system call, which are there as often as
 * the call is made. */
#include <math.h>
#include <string.h>

#include "cause/book.h"

/* Kernel time of one, roughly: only their proportions matter. A sample behind a call stands
 * for a call in which the kernel was some times as long as the return takes. */
static const double fault_ns = 700, sleep_ns = 10e3, per_entry_ns = 5;

/* If all of it together would not be so much of the total, something else is going on. */
static const double plausible = 0.05;

static const struct {
	const char *name;
	enum evidence_op op;
} calls[] = {
	{ "futex", EVIDENCE_OP_WAKE },
	{ "sched_yield", EVIDENCE_OP_YIELD },
	{ "mmap", EVIDENCE_OP_MAP },
	{ "munmap", EVIDENCE_OP_MAP },
	{ "mremap", EVIDENCE_OP_MAP },
	{ "madvise", EVIDENCE_OP_MAP },
	{ "mprotect", EVIDENCE_OP_MAP },
	{ "brk", EVIDENCE_OP_MAP },
};

static enum evidence_op op_of(const char *syscall)
{
	for (size_t i = 0; i < LT_COUNT(calls); i++)
		if (!strcmp(calls[i].name, syscall))
			return calls[i].op;
	return EVIDENCE_OP_OTHER;
}

struct guesses {
	struct evidence_sample *list;
	size_t n;
	double sum_ns;
};

static void add(struct guesses *g, unsigned group, enum evidence_op op, const char *syscall,
	int site, double ns)
{
	if (!(ns > 0))
		return;
	g->list[g->n++] = (struct evidence_sample){
		.group = group, .op = op, .syscall = syscall, .ns = ns, .site = site
	};
	g->sum_ns += ns;
}

static void guess_faults(const struct evidence *ev, struct guesses *g)
{
	double sampled = 0, all = value_known(ev->minor_faults) ? ev->minor_faults.num : 0;
	for (size_t i = 0; i < ev->n_faults; i++)
		sampled += ev->faults[i].n;
	for (size_t i = 0; i < ev->n_faults; i++)
		add(g, ev->faults[i].group, EVIDENCE_OP_FAULT, NULL, ev->faults[i].site,
			fault_ns * all * ev->faults[i].n / sampled);
	if (!(sampled > 0))
		add(g, 0, EVIDENCE_OP_FAULT, NULL, -1, fault_ns * all);
}

/* Polls see waits now and then only; how many there were is known of the whole. */
static void guess_sleeps(const struct evidence *ev, struct guesses *g)
{
	double seen = 0, all = value_known(ev->voluntary) ? ev->voluntary.num : 0;
	for (size_t i = 0; i < ev->n_waits; i++)
		seen += ev->waits[i].op == EVIDENCE_OP_RUNQUEUE ? 0 : ev->waits[i].count;
	for (size_t i = 0; i < ev->n_waits && seen > 0; i++) {
		const struct evidence_wait *w = &ev->waits[i];
		if (cause_is_futex(w->op))
			add(g, w->group, w->op, w->syscall, w->site,
				sleep_ns * fmax(all / seen, 1) * w->count);
	}
}

int cause_book_guess(const struct cause_input *in, struct lt_arena *arena,
	const struct evidence_sample **ret, size_t *ret_n, struct lt_err *err)
{
	const struct evidence *ev = in->evidence;
	*ret_n = 0;
	if (ev->sources[EVIDENCE_KERNEL].tier != EVIDENCE_NONE || !value_known(ev->sys_ns))
		return 0;
	struct guesses g = { .list = lt_arena_alloc(arena,
				     (ev->n_faults + ev->n_waits + ev->n_samples + 1) *
					     sizeof(*g.list)) };
	if (!g.list)
		return lt_fail_mem(err);
	guess_faults(ev, &g);
	guess_sleeps(ev, &g);
	for (size_t i = 0; i < ev->n_samples; i++) {
		const struct evidence_sample *s = &ev->samples[i];
		if (s->op == EVIDENCE_OP_USER && s->syscall)
			add(&g, s->group, op_of(s->syscall), s->syscall, s->site,
				per_entry_ns * s->entry_ns);
	}
	if (!(g.sum_ns > plausible * ev->sys_ns.num))
		return 0;
	for (size_t i = 0; i < g.n; i++)
		g.list[i].ns *= ev->sys_ns.num / g.sum_ns;
	*ret = g.list;
	*ret_n = g.n;
	return 0;
}
