/* SPDX-License-Identifier: GPL-2.0-or-later */
/* What judges have in common when they tell. */
#include "cause/tell.h"

#include <math.h>

#include "cause/book.h"

/* Less than so much of the loss is in the ledger, but has no name of its own. */
static const double matters_share = 0.15;

/* The same where it is open whether anything is wrong. */
static const double matters_plainly = 1.0 / 3;

/* research: contention is at least 1.3 times faster on one CPU. */
static const double faster_on_one = 1 / 1.3;

/* research: 98 % of the samples at one line in a program with false sharing, none in its padded
 * twin; 20 % is where it begins to be the matter. */
static const double hot_share = 0.2;

bool cause_matters(const struct cause_book *book, const struct cause_finding *f)
{
	double share =
		book->in->scaling->verdict == SCALE_UNDECIDED ? matters_plainly : matters_share;
	return book->asked && book->lost_ns > 0 && f->core_ns >= share * book->lost_ns;
}

double cause_one_cpu_cpu(const struct cause_book *book)
{
	const struct scaling *s = book->in->scaling;
	return s && value_known(s->one_cpu.cpu) ? s->one_cpu.cpu.num : NAN;
}

double cause_one_cpu(const struct cause_book *book)
{
	const struct scaling *s = book->in->scaling;
	return s && value_known(s->one_cpu.ratio.value) ? s->one_cpu.ratio.value.num : NAN;
}

enum confidence cause_confidence(
	const struct cause_book *book, enum evidence_fact fact, bool contention)
{
	double one_cpu = cause_one_cpu(book);
	enum evidence_tier tier =
		book->in->evidence ? book->in->evidence->sources[fact].tier : EVIDENCE_NONE;
	if (tier < EVIDENCE_PERF)
		return CONFIDENCE_LOW;
	if (contention)
		return one_cpu <= faster_on_one ? CONFIDENCE_HIGH
			: isnan(one_cpu)        ? CONFIDENCE_MEDIUM
						: CONFIDENCE_LOW;
	return tier == EVIDENCE_PROBE ? CONFIDENCE_HIGH : CONFIDENCE_MEDIUM;
}

void cause_add_fact(struct cause_finding *f, const char *name, const char *unit, double num)
{
	if (isfinite(num) && f->n_facts < CAUSE_FACTS_MAX)
		f->facts[f->n_facts++] = (struct cause_fact){ name, unit, num };
}

void cause_add_waits(const struct cause_account *mine, const char *called, struct cause_finding *f)
{
	cause_add_fact(f, called, "count", mine->waits);
	if (mine->waits <= 0) /* it is the CPU time of locking and waking that was claimed */
		return;
	cause_add_fact(f, "wait-time", "ns", mine->seen_ns[CAUSE_WAIT]);
	cause_add_fact(f, "mean-wait", "ns", mine->seen_ns[CAUSE_WAIT] / mine->waits);
}

static bool has_place(const struct cause_finding *f, const char *role, unsigned group, int site)
{
	for (size_t i = 0; i < f->n_places; i++)
		if (f->places[i].role == role && f->places[i].group == (int)group &&
			f->places[i].site == site)
			return true;
	return false;
}

struct cause_place *cause_add_place(
	struct cause_finding *f, const char *role, unsigned group, int site)
{
	if (f->n_places == CAUSE_PLACES_MAX || has_place(f, role, group, site))
		return NULL;
	struct cause_place *p = &f->places[f->n_places++];
	*p = (struct cause_place){
		.role = role, .group = (int)group, .site = site, .frame = -1, .offset = NAN
	};
	return p;
}

static int item_site(const struct cause_item *item)
{
	return item->wait ? item->wait->site : item->sample ? item->sample->site : -1;
}

/* A line of the program itself says more than one of a library. */
static bool is_own_code(const struct evidence *ev, int site)
{
	return site >= 0 && (size_t)site < ev->n_sites &&
		ev->sites[site].call < ev->sites[site].n_frames;
}

static unsigned item_group(const struct cause_item *item)
{
	return item->wait ? item->wait->group : item->sample->group;
}

void cause_add_places(const struct cause_book *book, const struct cause_account *mine,
	enum cause_item_kind kind, const char *role, size_t most, struct cause_finding *f)
{
	const struct evidence *ev = book->in->evidence;
	for (; most > 0; most--) {
		const struct cause_item *best = NULL;
		double best_ns = 0;
		for (size_t i = 0; i < book->n_items; i++) {
			const struct cause_item *item = &book->items[i];
			double ns = mine->claimed_ns[i];
			ns *= is_own_code(ev, item_site(item)) ? 1 : 1e-6;
			if (item->kind == kind && ns > best_ns && item_site(item) >= 0 &&
				!has_place(f, role, item_group(item), item_site(item))) {
				best = item;
				best_ns = ns;
			}
		}
		struct cause_place *p =
			best ? cause_add_place(f, role, item_group(best), item_site(best)) : NULL;
		if (!p)
			return;
		p->data = best->wait ? best->wait->detail : best->sample->syscall;
	}
}

/* The line with most samples that is of the kind asked for. */
static const struct evidence_line *hottest(const struct cause_book *book, bool shared)
{
	const struct evidence *ev = book->in->evidence;
	const struct evidence_line *best = NULL;
	for (size_t i = 0; i < ev->n_lines; i++)
		if (cause_line_shared(&ev->lines[i]) == shared &&
			cause_line_disputed(&ev->lines[i]) && (!best || ev->lines[i].n > best->n))
			best = &ev->lines[i];
	return best;
}

static void add_line(const struct cause_book *book, bool shared, struct cause_finding *f)
{
	const struct evidence_line *line = hottest(book, shared);
	if (!line)
		return;
	cause_add_fact(f, "line-address", "address", (double)line->address);
	cause_add_fact(f, "line-share", "ratio", line->share);
	cause_add_fact(f, "line-threads", "count", line->threads);
	cause_add_fact(f, "line-writers", "count", line->writers);
	for (size_t i = 0; i < line->n_accesses && f->n_places < CAUSE_PLACES_MAX - 1; i++) {
		const struct evidence_access *a = &line->accesses[i];
		/* The most frequent place of each thread that uses other bytes. */
		bool told = false;
		for (size_t j = 0; j < i; j++)
			told |= line->accesses[j].thread == a->thread &&
				line->accesses[j].offset == a->offset;
		if (told || f->n_places >= 4)
			continue;
		f->places[f->n_places++] = (struct cause_place){
			.role = a->write ? "writes" : "reads",
			.group = (int)a->group,
			.site = a->site,
			.frame = -1,
			.data = line->symbol ? line->symbol : line->object,
			.offset = a->offset,
		};
	}
	if (line->allocated >= 0)
		f->places[f->n_places++] = (struct cause_place){
			.role = "allocates",
			.group = -1,
			.site = line->allocated,
			.frame = -1,
			.data = line->object,
			.offset = NAN,
		};
}

bool cause_judge_line(const struct cause_book *book, const struct cause_account *mine, bool shared,
	struct cause_finding *f)
{
	const struct scaling *s = book->in->scaling;
	double hot = mine->seen_ns[CAUSE_USER];
	if (s->busy || !(hot > 0) || hot < hot_share * book->seen_ns[CAUSE_USER])
		return false;
	if (!cause_matters(book, f)) {
		/* CPUs that are halves of one core hardly mind: it is there all the same. */
		if (s->verdict != SCALE_SCALES && s->verdict != SCALE_UNDECIDED)
			return false;
		f->aside = true;
		f->core_ns = NAN;
		if (book->in->focus && value_known(book->in->focus->efficiency.value))
			cause_add_fact(
				f, "efficiency", "ratio", book->in->focus->efficiency.value.num);
	}
	f->confidence = cause_confidence(book, EVIDENCE_LINES, true);
	cause_add_fact(f, "cpu-share", "ratio", hot / book->seen_ns[CAUSE_USER]);
	cause_add_fact(f, "one-cpu", "ratio", cause_one_cpu(book));
	add_line(book, shared, f);
	return true;
}

bool cause_judge_outside(const struct cause_book *book, const struct cause_account *mine,
	const char *called, struct cause_finding *f)
{
	if (!cause_matters(book, f))
		return false;
	f->confidence = cause_confidence(book, EVIDENCE_WAITS, false);
	cause_add_waits(mine, called, f);
	cause_add_fact(f, "nobody-runs", "ratio", cause_cores_share(book, 0));
	cause_add_places(book, mine, CAUSE_WAIT, called, 3, f);
	return true;
}

double cause_fault_rate(const struct cause_book *book)
{
	const struct evidence *ev = book->in->evidence;
	if (!ev || !value_known(ev->minor_faults) || !value_known(ev->user_ns) ||
		!value_known(ev->sys_ns))
		return NAN;
	return ev->minor_faults.num / ((ev->user_ns.num + ev->sys_ns.num) / 1e9);
}

double cause_system_share(const struct cause_book *book)
{
	const struct curve_point *f = book->in->focus;
	if (!f || !value_known(f->user_ns) || !value_known(f->system_ns))
		return NAN;
	return f->system_ns.num / (f->user_ns.num + f->system_ns.num);
}

double cause_cores_used(const struct curve_point *p)
{
	if (!p || !value_known(p->wall_ns.value) || !value_known(p->user_ns) ||
		!value_known(p->system_ns))
		return NAN;
	return (p->user_ns.num + p->system_ns.num) / p->wall_ns.value.num;
}

double cause_cores_share(const struct cause_book *book, size_t n)
{
	const struct evidence *ev = book->in->evidence;
	double sum = 0;
	for (size_t i = 0; ev && i < ev->n_cores; i++)
		sum += ev->cores[i].ns;
	if (!(sum > 0))
		return NAN;
	return n < ev->n_cores ? ev->cores[n].ns / sum : 0;
}
