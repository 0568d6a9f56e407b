/* SPDX-License-Identifier: GPL-2.0-or-later */
/* The pieces of an observation, and sums over them that several causes ask for. */
#include "cause/book.h"

#include <math.h>
#include <string.h>

/* research: mean waits of 4.9 ms at a serial section, below 0.1 ms in convoys and hand-offs. */
static const double short_wait_ns = 1e6;

/* A thread with less than a tenth of the CPU time of the busiest looks on: it reports, feeds
 * or waits for signals. */
static const double busy_share = 0.1;

/* Calls of one kind are contended when threads sleep in them so often a second of CPU, or the
 * kernel works for them so much, or their own lines are in dispute. */
static const double contended_sleeps = 100, contended_kernel = 0.01, contended_lines = 0.05;

/* Registers are often caught while they change even where a thread only waits; elsewhere they
 * are never found twice the same. So many of a place's samples tell what the place is. */
static const double spin_place_share = 0.25, spin_place_samples = 20;

/* At instructions that lock, of a runtime's time in one place. */
static const double runtime_locks_share = 0.2;

/* Sleeping teams, as a share of the run. */
static const double runtime_sleep_share = 0.05;

/* research: 40 us of kernel time for each sleep and more where most calls do not sleep. */
static const double kernel_per_lock_sleep = 40e3;

/* Waits for conditions at least so often as for locks: the locks belong to them. */
static const double hands_over_share = 0.5;

/* Of the time at locks of streams; a convoy at one that is written has no such waits at all. */
static const double stream_reads_share = 0.1;

/* Of the hand-overs at barriers, of threads beside what was asked for and what can run, and of the
 * run for which one of them queued for a core, on average. */
static const double crowd_meets = 0.5, crowd_threads = 2, crowd_queues = 1;

static const struct evidence_site *site_of(const struct evidence *ev, int site)
{
	return site >= 0 && (size_t)site < ev->n_sites ? &ev->sites[site] : NULL;
}

static double per_thread_ns(const struct evidence_group *g)
{
	return value_known(g->run_ns) && g->threads > 0 ? g->run_ns.num / g->threads : NAN;
}

double cause_busyness(const struct cause_book *book, unsigned group)
{
	const struct evidence *ev = book->in->evidence;
	double most = 0;
	for (size_t i = 0; i < ev->n_groups; i++)
		most = fmax(most, per_thread_ns(&ev->groups[i]));
	return most > 0 && group < ev->n_groups ? per_thread_ns(&ev->groups[group]) / most : NAN;
}

bool cause_is_busy(const struct cause_book *book, unsigned group)
{
	return !(cause_busyness(book, group) < busy_share); /* one that is not known counts */
}

bool cause_is_external(const struct cause_item *item)
{
	if (item->kind != CAUSE_WAIT)
		return false;
	switch (item->wait->op) {
	case EVIDENCE_OP_READ:
	case EVIDENCE_OP_WRITE:
	case EVIDENCE_OP_POLL:
	case EVIDENCE_OP_SLEEP:
	case EVIDENCE_OP_DISK:
		return true;
	default:
		return item->entry == CAUSE_ENTRY_TIMED && !cause_is_short(item);
	}
}

double cause_queued_ns(const struct cause_book *book)
{
	const struct evidence *ev = book->in->evidence;
	double queued = 0;
	for (size_t i = 0; ev && i < ev->n_waits; i++)
		queued += ev->waits[i].op == EVIDENCE_OP_RUNQUEUE ? ev->waits[i].total_ns : 0;
	return queued;
}

bool cause_is_short(const struct cause_item *item)
{
	return !(item->mean_ns >= short_wait_ns);
}

bool cause_runtime_sleeps(const struct cause_book *book)
{
	double slept = 0;
	for (size_t i = 0; i < book->n_items; i++) {
		const struct cause_item *item = &book->items[i];
		if (item->kind == CAUSE_WAIT && item->entry == CAUSE_ENTRY_RUNTIME &&
			!cause_is_short(item))
			slept += item->ns;
	}
	return slept >= runtime_sleep_share * book->in->evidence->elapsed_ns;
}

double cause_spun_ns(const struct evidence_sample *s)
{
	double seen = fmax(s->frozen_ns, s->pause_ns);
	return seen >= spin_place_share * s->ns && s->n >= spin_place_samples ? s->ns : seen;
}

/* Waits of one process at one address are waits for one thing, wherever they are made. */
static double mean_wait(const struct evidence *ev, const struct evidence_wait *w)
{
	double total = 0, count = 0;
	for (size_t i = 0; i < ev->n_waits; i++) {
		const struct evidence_wait *o = &ev->waits[i];
		if (o != w &&
			(o->op != w->op || !w->key || o->key != w->key || o->process != w->process))
			continue;
		total += o->total_ns;
		count += o->count;
	}
	return count > 0 ? total / count : NAN;
}

bool cause_is_futex(enum evidence_op op)
{
	return op == EVIDENCE_OP_LOCK || op == EVIDENCE_OP_BARRIER || op == EVIDENCE_OP_CONDITION ||
		op == EVIDENCE_OP_WAKE;
}

/* A lock of libc's own is nearly always malloc's. */
static bool is_allocators(const char *detail)
{
	return detail &&
		(!strcmp(detail, "malloc") || !strcmp(detail, "main_arena") ||
			!strcmp(detail, "libc"));
}

/* Where the call chain says nothing, the kind of futex does. */
static enum cause_entry by_operation(const struct cause_item *item)
{
	const char *detail = item->wait ? item->wait->detail : NULL;
	if (item->entry != CAUSE_ENTRY_NONE || item->kind == CAUSE_USER)
		return item->entry;
	switch (item->wait ? item->wait->op : item->sample->op) {
	case EVIDENCE_OP_LOCK:
		return is_allocators(detail) ? CAUSE_ENTRY_ALLOCATOR : CAUSE_ENTRY_MUTEX;
	case EVIDENCE_OP_BARRIER:
		return CAUSE_ENTRY_BARRIER;
	case EVIDENCE_OP_CONDITION:
		return CAUSE_ENTRY_CONDITION;
	case EVIDENCE_OP_JOIN:
		return CAUSE_ENTRY_JOIN;
	case EVIDENCE_OP_YIELD:
		return CAUSE_ENTRY_YIELD;
	default:
		return CAUSE_ENTRY_NONE;
	}
}

static int site_of_item(const struct cause_item *item)
{
	return item->wait ? item->wait->site : item->sample ? item->sample->site : -1;
}

static bool locks_there(const struct cause_book *book, int site)
{
	for (size_t i = 0; i < book->n_items; i++)
		if (book->items[i].entry == CAUSE_ENTRY_MUTEX &&
			cause_same_place(book->in->evidence, site_of_item(&book->items[i]), site))
			return true;
	return false;
}

/* What a runtime does in functions without names, at a line that takes a lock of its, is to wait
 * for the lock, not for the team. */
static void settle_runtime(struct cause_book *book)
{
	for (size_t i = 0; i < book->n_items; i++) {
		struct cause_item *item = &book->items[i];
		const struct evidence_site *s = site_of(book->in->evidence, site_of_item(item));
		bool unnamed = s && s->call > 0 && s->call < s->n_frames &&
			!s->frames[s->call - 1].function;
		if (item->entry == CAUSE_ENTRY_RUNTIME && item->kind != CAUSE_WAIT && unnamed &&
			locks_there(book, site_of_item(item)))
			item->entry = CAUSE_ENTRY_MUTEX;
	}
}

/* Who wakes is busy with what most sleep at. */
static void settle_wakes(struct cause_book *book)
{
	enum cause_entry most = CAUSE_ENTRY_NONE;
	for (int e = 0; e < CAUSE_ENTRIES; e++)
		if (book->sleeps[e] > book->sleeps[most])
			most = (enum cause_entry)e;
	for (size_t i = 0; i < book->n_items; i++) {
		struct cause_item *item = &book->items[i];
		if (item->kind == CAUSE_KERNEL && item->sample->op == EVIDENCE_OP_WAKE &&
			item->entry == CAUSE_ENTRY_NONE)
			item->entry = most;
	}
}

/* Threads queue at the lock of a stream because the one that has it waits for more input, or
 * because they all use it all the time. */
static bool streams_wait(const struct cause_book *book)
{
	double reads = 0, locks = 0;
	for (size_t i = 0; i < book->n_items; i++) {
		const struct cause_item *item = &book->items[i];
		if (item->kind != CAUSE_WAIT || item->entry != CAUSE_ENTRY_STDIO)
			continue;
		reads += item->wait->op == EVIDENCE_OP_READ ? item->ns : 0;
		locks += item->wait->op == EVIDENCE_OP_LOCK ? item->ns : 0;
	}
	return reads > stream_reads_share * locks;
}

/* Not how small the pieces are makes the barrier dear, but how many have to come to it: the more
 * threads meet, the more often one of them has no core to come on. */
static bool is_crowded(const struct cause_book *book, double hand_overs)
{
	const struct evidence *ev = book->in->evidence;
	double most = fmax(ev->cpus, book->in->focus ? book->in->focus->threads : 0);
	double meets = book->sleeps[CAUSE_ENTRY_BARRIER] + book->sleeps[CAUSE_ENTRY_RUNTIME];
	return book->hands_over && meets >= crowd_meets * hand_overs &&
		ev->peak_threads > crowd_threads * most + 1 &&
		cause_queued_ns(book) >= crowd_queues * ev->elapsed_ns;
}

static void add_sums(struct cause_book *book)
{
	double line_ns[CAUSE_ENTRIES] = { 0 };
	for (size_t i = 0; i < book->n_items; i++) {
		struct cause_item *item = &book->items[i];
		book->seen_ns[item->kind] += item->ns;
		if (item->kind == CAUSE_WAIT && cause_is_futex(item->wait->op) &&
			cause_is_short(item))
			book->sleeps[item->entry] += item->wait->count;
	}
	settle_wakes(book);
	for (size_t i = 0; i < book->n_items; i++) {
		const struct cause_item *item = &book->items[i];
		if (item->kind == CAUSE_KERNEL && cause_is_futex(item->sample->op))
			book->kernel_ns[item->entry] += item->ns;
		else if (item->kind == CAUSE_USER)
			line_ns[item->entry] += item->private_ns + item->shared_ns;
	}
	double cpu_ns = book->seen_ns[CAUSE_USER] + book->seen_ns[CAUSE_KERNEL];
	for (int e = 0; e < CAUSE_ENTRIES; e++)
		book->contended[e] = book->sleeps[e] > contended_sleeps * cpu_ns / 1e9 ||
			book->kernel_ns[e] > contended_kernel * cpu_ns ||
			line_ns[e] > contended_lines * book->seen_ns[CAUSE_USER];
	book->streams_wait = streams_wait(book);
	const double *s = book->sleeps;
	book->semaphore_locks = book->kernel_ns[CAUSE_ENTRY_SEMAPHORE] >
		kernel_per_lock_sleep * s[CAUSE_ENTRY_SEMAPHORE];
	double hand_overs = s[CAUSE_ENTRY_CONDITION] + s[CAUSE_ENTRY_TIMED] +
		s[CAUSE_ENTRY_BARRIER] + s[CAUSE_ENTRY_RUNTIME] +
		(book->semaphore_locks ? 0 : s[CAUSE_ENTRY_SEMAPHORE]);
	book->hands_over = hand_overs > contended_sleeps * cpu_ns / 1e9 &&
		hand_overs >= hands_over_share * s[CAUSE_ENTRY_MUTEX];
	book->crowded = is_crowded(book, hand_overs);
}

/* The parts add up to the loss; where one is a gain, the others make up for less. */
static void add_loss(struct cause_book *book)
{
	const struct time_ledger *l = book->in->ledger;
	if (!l || !(l->lost_ns > 0))
		return;
	double user = fmax(l->user_ns, 0), system = fmax(l->system_ns, 0);
	double idle = fmax(l->idle_ns, 0);
	double scale = user + system + idle > 0 ? l->lost_ns / (user + system + idle) : 0;
	book->lost_ns = l->lost_ns;
	book->part_ns[LEDGER_USER] = user * scale;
	book->part_ns[LEDGER_SYSTEM] = system * scale;
	book->part_ns[LEDGER_IDLE] = idle * scale;
}

/* A runtime's own functions often have no names: one that locks is a lock of the program's,
 * its waiting for the team does not lock. */
static enum cause_entry entry_of_sample(const struct evidence *ev, const struct evidence_sample *s)
{
	enum cause_entry e = cause_entry_of(site_of(ev, s->site));
	return e == CAUSE_ENTRY_RUNTIME && s->op == EVIDENCE_OP_USER &&
			s->locked_ns >= runtime_locks_share * s->ns
		? CAUSE_ENTRY_MUTEX
		: e;
}

static struct cause_item item_of_sample(const struct evidence *ev, const struct evidence_sample *s)
{
	return (struct cause_item){ .kind = s->op == EVIDENCE_OP_USER ? CAUSE_USER : CAUSE_KERNEL,
		.sample = s,
		.entry = entry_of_sample(ev, s),
		.ns = s->ns,
		.mean_ns = NAN };
}

int cause_book_open(const struct cause_input *in, struct lt_arena *arena, struct cause_book *ret,
	struct lt_err *err)
{
	*ret = (struct cause_book){ .in = in };
	add_loss(ret);
	const struct evidence *ev = in->evidence;
	if (!ev)
		return 0;
	const struct evidence_sample *guesses;
	size_t n_guesses;
	int r = cause_book_guess(in, arena, &guesses, &n_guesses, err);
	if (r < 0)
		return r;
	struct cause_item *items = lt_arena_alloc(
		arena, (ev->n_waits + ev->n_samples + n_guesses + 1) * sizeof(*items));
	if (!items)
		return lt_fail_mem(err);
	size_t n = 0;
	for (size_t i = 0; i < ev->n_waits; i++)
		items[n++] = (struct cause_item){ .kind = CAUSE_WAIT,
			.wait = &ev->waits[i],
			.entry = cause_entry_of(site_of(ev, ev->waits[i].site)),
			.ns = ev->waits[i].total_ns,
			.mean_ns = mean_wait(ev, &ev->waits[i]) };
	for (size_t i = 0; i < ev->n_samples; i++)
		items[n++] = item_of_sample(ev, &ev->samples[i]);
	for (size_t i = 0; i < n_guesses; i++)
		items[n++] = item_of_sample(ev, &guesses[i]);
	items[n++] = (struct cause_item){ .kind = CAUSE_ALONE, .mean_ns = NAN };
	ret->items = items;
	ret->n_items = n;
	for (size_t i = 0; i + 1 < n; i++)
		items[i].entry = by_operation(&items[i]);
	settle_runtime(ret);
	cause_book_lines(ret);
	cause_book_idle(ret);
	for (size_t i = 0; i < n; i++)
		items[i].left_ns = items[i].ns;
	add_sums(ret);
	return 0;
}
