/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Sharing out: extra CPU time by where samples lie, idle cores by who waited for what. */
#include "ledger/lines.h"

#include <math.h>
#include <stdlib.h>

#include "base/own.h"
#include "base/str.h"

enum {
	LINES_MAX = 24,  /* the rest is too small to read */
	SAMPLES_MIN = 3, /* fewer in a place are noise */
};

static const double worth_share = 0.005; /* of the loss */
static const struct evidence_frame nowhere;

/* Time that may be put down to one place. */
struct claim {
	enum ledger_part part;
	const char *group, *op, *tier;
	const struct evidence_frame *at;
	double ns;
};

struct claims {
	struct claim *list;
	size_t n, cap;
	bool failed;
};

static void free_claims(struct claims *c)
{
	free(c->list);
}

/* Places in an object without symbols are all one: addresses tell nobody anything. */
static bool same_place(const struct evidence_frame *a, const struct evidence_frame *b)
{
	return a == b ||
		(lt_same_text(a->object, b->object) && lt_same_text(a->function, b->function) &&
			a->line == b->line && lt_same_text(a->file, b->file));
}

static void add(struct claims *c, const struct claim *claim)
{
	for (size_t i = 0; i < c->n; i++) {
		struct claim *own = &c->list[i];
		if (own->part != claim->part || !lt_same_text(own->op, claim->op) ||
			!lt_same_text(own->group, claim->group) || !same_place(own->at, claim->at))
			continue;
		own->ns += claim->ns;
		return;
	}
	if (c->n == c->cap) {
		size_t more = c->cap ? 2 * c->cap : 64;
		struct claim *bigger = realloc(c->list, more * sizeof(*bigger));
		if (!bigger) {
			c->failed = true;
			return;
		}
		c->list = bigger;
		c->cap = more;
	}
	c->list[c->n++] = *claim;
}

/* The place to name: where the chain leaves libc, else its innermost frame. */
static const struct evidence_frame *place_of(const struct evidence *ev, int site)
{
	if (site < 0 || (size_t)site >= ev->n_sites || ev->sites[site].n_frames == 0)
		return &nowhere;
	const struct evidence_site *s = &ev->sites[site];
	return &s->frames[s->call < s->n_frames ? s->call : 0];
}

static const char *op_of(enum evidence_op op, const char *syscall)
{
	return op == EVIDENCE_OP_OTHER && syscall ? syscall : evidence_op_word(op);
}

static const char *group_of(const struct evidence *ev, unsigned group)
{
	return group < ev->n_groups ? ev->groups[group].name : NULL;
}

/* In user code, or in the kernel on its behalf? */
static bool in_part(const struct evidence_sample *s, enum ledger_part part)
{
	return (s->op == EVIDENCE_OP_USER) == (part == LEDGER_USER);
}

static double sampled_ns(const struct evidence *ev, enum ledger_part part)
{
	double sum = 0;
	for (size_t i = 0; i < ev->n_samples; i++)
		if (in_part(&ev->samples[i], part))
			sum += ev->samples[i].ns;
	return sum;
}

/* What the baseline needed for as much work in the same function, doing the same. Lines
 * within a function change places by chance, so the function is what is compared. */
static double base_ns(const struct evidence *base, const struct evidence_sample *like,
	const struct evidence_frame *at, double times)
{
	double sum = 0;
	for (size_t i = 0; base && i < base->n_samples; i++) {
		const struct evidence_sample *s = &base->samples[i];
		const struct evidence_frame *f = place_of(base, s->site);
		if (s->op == like->op && lt_same_text(s->syscall, like->syscall) &&
			lt_same_text(f->object, at->object) &&
			lt_same_text(f->function, at->function))
			sum += s->ns;
	}
	return sum * times;
}

/* The same sum over the run itself, by which a function's surplus is shared among its
 * lines. */
static double function_ns(const struct evidence *ev, const struct evidence_sample *like,
	const struct evidence_frame *at)
{
	return base_ns(ev, like, at, 1);
}

/* A part of the loss that is CPU time: `loss` of the `now` that the timing runs took, of
 * which the samples are a picture. */
static void share_cpu(struct claims *c, enum ledger_part part, double loss, double now,
	const struct evidence *at, const struct evidence *base)
{
	double seen = sampled_ns(at, part);
	double before = base ? sampled_ns(base, part) : 0;
	double then = now - loss; /* at the baseline, for as much work */
	if (!(loss > 0) || !(seen > 0) || !(now > 0))
		return;
	double k = now / seen, k0 = before > 0 && then > 0 ? then / before : 0;
	size_t first = c->n;
	double sum = 0;
	for (size_t i = 0; i < at->n_samples; i++) {
		const struct evidence_sample *s = &at->samples[i];
		const struct evidence_frame *f = place_of(at, s->site);
		if (!in_part(s, part) || s->n < SAMPLES_MIN)
			continue;
		double all = function_ns(at, s, f) * k;
		double extra = base ? all - base_ns(base, s, f, k0) : all * loss / now;
		if (!(extra > 0) || !(all > 0))
			continue;
		struct claim claim = { part, group_of(at, s->group), op_of(s->op, s->syscall),
			at->sources[part == LEDGER_USER ? EVIDENCE_SAMPLES : EVIDENCE_KERNEL].how,
			f, extra * s->ns * k / all };
		add(c, &claim);
		sum += claim.ns;
	}
	for (size_t i = first; i < c->n && sum > loss; i++)
		c->list[i].ns *= loss / sum;
}

/* Waiting for others to end does not keep a core idle by itself. */
static bool is_idle_wait(enum evidence_op op)
{
	return op != EVIDENCE_OP_JOIN && op != EVIDENCE_OP_CHILD && op != EVIDENCE_OP_RUNQUEUE;
}

/* With a core for each thread, one that waits for a CPU has lost its core to others. */
static bool is_idle_or_queued(enum evidence_op op)
{
	return op == EVIDENCE_OP_RUNQUEUE || is_idle_wait(op);
}

static double share_waits(struct claims *c, const struct evidence *at, double left, double k,
	bool (*takes)(enum evidence_op op))
{
	double sum = 0;
	for (size_t i = 0; i < at->n_waits; i++)
		if (takes(at->waits[i].op))
			sum += at->waits[i].total_ns * k;
	double scale = sum > left ? left / sum : 1;
	for (size_t i = 0; i < at->n_waits && left > 0; i++) {
		const struct evidence_wait *w = &at->waits[i];
		if (!takes(w->op))
			continue;
		struct claim claim = { LEDGER_IDLE, group_of(at, w->group),
			op_of(w->op, w->syscall), at->sources[EVIDENCE_WAITS].how,
			place_of(at, w->site), w->total_ns * k * scale };
		add(c, &claim);
	}
	return fmax(0, left - sum);
}

static bool is_for_an_end(enum evidence_op op)
{
	return op == EVIDENCE_OP_JOIN || op == EVIDENCE_OP_CHILD;
}

/* Cores idle while one thread was all that ran, and no other was there to wait. */
static double share_alone(struct claims *c, const struct time_ledger *l, const struct evidence *at,
	double left, double k)
{
	double sum = 0;
	for (size_t i = 0; i < at->n_samples; i++)
		sum += at->samples[i].alone_ns * k * (l->cores - 1);
	double scale = sum > left ? left / sum : 1;
	for (size_t i = 0; i < at->n_samples && left > 0; i++) {
		const struct evidence_sample *s = &at->samples[i];
		if (!(s->alone_ns > 0))
			continue;
		struct claim claim = { LEDGER_IDLE, group_of(at, s->group), "alone",
			at->sources[EVIDENCE_SAMPLES].how, place_of(at, s->site),
			s->alone_ns * k * (l->cores - 1) * scale };
		add(c, &claim);
	}
	return fmax(0, left - sum);
}

static void share_idle(struct claims *c, const struct time_ledger *l, const struct evidence *at)
{
	if (!(l->idle_ns > 0) || !(at->elapsed_ns > 0))
		return;
	double k = l->wall_ns / at->elapsed_ns;
	double left = share_waits(
		c, at, l->idle_ns, k, l->threads <= l->cores ? is_idle_or_queued : is_idle_wait);
	left = share_alone(c, l, at, left, k);
	share_waits(c, at, left, k, is_for_an_end);
}

/* A part that is less than at the baseline takes from the loss: a line of its own. */
static void note_saved(struct claims *c, enum ledger_part part, double ns)
{
	struct claim claim = { .part = part, .op = "saved", .at = &nowhere, .ns = ns };
	if (ns < 0)
		add(c, &claim);
}

static int largest_first(const void *a, const void *b)
{
	double x = fabs(((const struct claim *)a)->ns), y = fabs(((const struct claim *)b)->ns);
	return x > y ? -1 : x < y;
}

int ledger_lines(struct record *rec, struct time_ledger *l, const struct ledger_cpu *cpu,
	const struct evidence *at, const struct evidence *base, struct lt_err *err)
{
	LT_AUTO(free_claims) struct claims c = { 0 };
	if (at) {
		share_cpu(&c, LEDGER_USER, l->user_ns, cpu->user_ns, at, base);
		share_cpu(&c, LEDGER_SYSTEM, l->system_ns, cpu->system_ns, at, base);
		share_idle(&c, l, at);
	}
	note_saved(&c, LEDGER_USER, l->user_ns);
	note_saved(&c, LEDGER_SYSTEM, l->system_ns);
	note_saved(&c, LEDGER_IDLE, l->idle_ns);
	if (c.failed)
		return lt_fail_mem(err);
	if (c.n)
		qsort(c.list, c.n, sizeof(*c.list), largest_first);
	l->lines = lt_arena_alloc(&rec->arena, LINES_MAX * sizeof(*l->lines));
	if (!l->lines)
		return lt_fail_mem(err);
	l->unexplained_ns = l->lost_ns;
	for (size_t i = 0; i < c.n && l->n_lines < LINES_MAX; i++) {
		const struct claim *from = &c.list[i];
		if (fabs(from->ns) < worth_share * fabs(l->lost_ns))
			break;
		l->lines[l->n_lines++] = (struct ledger_line){ .part = from->part,
			.group = from->group,
			.op = from->op,
			.function = from->at->function,
			.object = from->at->object,
			.file = from->at->file,
			.line = from->at->line,
			.core_ns = from->ns,
			.tier = from->tier };
		l->unexplained_ns -= from->ns;
	}
	return 0;
}
