/* SPDX-License-Identifier: GPL-2.0-or-later */
/* What sampled instructions do to memory, and which pages of it are faulted in again and again.
 * Such memory is of one thread after the other, not of several at once; and to touch it takes
 * user time, too, where a hypervisor has to follow what the kernel changed. */
#include <stdlib.h>

#include "run/evidence_inside.h"

enum {
	PAGE_SHIFT = 12,
};

/* A page is fresh when there are so many samples of its faults to one of its use. */
static const double faults_per_use = 0.25;

bool reduce_access(
	const struct observed_sample *s, const struct reduce_place *p, struct sys_access *ret)
{
	const struct sys_code *c = &p->code;
	const struct sys_insn_place *in = &p->insn;
	size_t before = in->before[0];
	if (in->n_before && !sys_insn_changes(c->bytes, c->len, before, before) &&
		sys_insn_access(c->bytes, c->len, before, c->start + before, &s->regs, ret))
		return true;
	return sys_insn_access(c->bytes, c->len, in->at, p->ip, &s->regs, ret);
}

static uint64_t key_of(const struct reduce *r, uint32_t thread, uint64_t addr)
{
	return lt_u64map_mix(addr >> PAGE_SHIFT, (uint64_t)r->o->threads.at[thread].pid);
}

/* Only pages with faults are looked at. */
static struct reduce_page *page_of(const struct reduce *r, uint32_t thread, uint64_t addr)
{
	uint32_t i = lt_u64map_get(&r->page_of, key_of(r, thread, addr), OBSERVED_NONE);
	return i == OBSERVED_NONE ? NULL : &r->pages.at[i];
}

static void note_fault(struct reduce *r, const struct observed_fault *f)
{
	const struct reduce_page none = { 0 };
	struct reduce_page *page =
		REDUCE_FIND(r, &r->pages, &r->page_of, key_of(r, f->thread, f->addr), &none);
	if (page)
		page->faults++;
}

static void note_use(struct reduce *r, const struct observed_sample *s)
{
	struct sys_access a;
	struct reduce_page *page;
	uint32_t i = s->in_kernel || s->regs.known != SYS_REGS_ALL
		? OBSERVED_NONE
		: reduce_place(r, s->image, s->regs.r[SYS_REG_IP]);
	if (i != OBSERVED_NONE && r->places.at[i].decoded &&
		reduce_access(s, &r->places.at[i], &a) && (page = page_of(r, s->thread, a.addr)))
		page->uses += s->weight;
}

void reduce_pages(struct reduce *r)
{
	for (size_t i = 0; i < r->o->faults.n; i++)
		note_fault(r, &r->o->faults.at[i]);
	for (size_t i = 0; r->pages.n && i < r->o->samples.n; i++)
		note_use(r, &r->o->samples.at[i]);
}

bool reduce_is_fresh(const struct reduce *r, uint32_t thread, uint64_t addr)
{
	const struct reduce_page *page = page_of(r, thread, addr);
	return page && page->faults > 1 && page->faults >= faults_per_use * page->uses;
}
