/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Gathering pages, and the difference of two of one process. */
#include "run/pages.h"

#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>

#include "base/clock.h"
#include "sys/stats_live.h"

struct gather {
	struct pages *pages;
	const struct statsdir *dir;
	int root_fd;
	pid_t pid;
	int64_t begin_ns;
	bool left;
	int r;
	struct lt_err *err;
};

void pages_done(struct pages *p)
{
	for (size_t i = 0; i < p->n; i++)
		sys_stats_page_done(&p->list[i].page);
	free(p->list);
	*p = (struct pages)PAGES_NONE;
}

static struct pages_one *add(struct pages *p)
{
	if (p->n == p->cap) {
		size_t cap = p->cap ? 2 * p->cap : 8;
		struct pages_one *more = realloc(p->list, cap * sizeof(*more));
		if (!more)
			return NULL;
		p->list = more;
		p->cap = cap;
	}
	p->list[p->n] = (struct pages_one){ .main = false };
	return &p->list[p->n++];
}

/* Does the process that runs now under this number keep this very file? */
static bool keeps(int root_fd, pid_t pid, int fd)
{
	struct stat its, ours;
	LT_AUTO_CLOSE int live = sys_stats_open(root_fd, pid, SYS_STATS_FDS);
	return live >= 0 && fstat(live, &its) == 0 && fstat(fd, &ours) == 0 &&
		its.st_dev == ours.st_dev && its.st_ino == ours.st_ino;
}

/* Of a region that is open the time so far is known, its CPU time and the like are not. */
static void settle_regions(struct sys_stats_page *page, int64_t end_ns)
{
	for (uint32_t i = 0; i < page->n; i++) {
		uint64_t *v = page->slots[i].v;
		if (page->slots[i].kind == LEAT_STATS_REGION && v[LEAT_V_REGION_OPEN] &&
			(uint64_t)end_ns > v[LEAT_V_REGION_SINCE])
			v[LEAT_V_REGION_WALL_NS] += (uint64_t)end_ns - v[LEAT_V_REGION_SINCE];
	}
}

static bool has_open_account(const struct sys_stats_page *page)
{
	for (uint32_t i = 0; i < page->n; i++)
		if (page->slots[i].kind == LEAT_STATS_THREAD && page->slots[i].tid &&
			!page->slots[i].v[LEAT_V_THREAD_END])
			return true;
	return false;
}

/* One file of the directory. In one that others use too only the program itself is known. */
static int gather_one(void *ctx, int fd, pid_t pid)
{
	struct gather *g = ctx;
	struct pages *p = g->pages;
	SYS_AUTO_STATS_PAGE struct sys_stats_page page = SYS_STATS_PAGE_NONE;
	if (!g->dir->own && pid != g->pid)
		return 0;
	int r = p->n < PAGES_MAX ? sys_stats_page_read(fd, &page, &p->last) : -ENFILE;
	if (r == -ENODATA || (r == 0 && (int64_t)page.head.start_ns < g->begin_ns))
		return 0;
	if (r == -ENOMEM) {
		g->r = lt_fail_mem(g->err);
		return 1;
	}
	p->unread += r < 0;
	if (r < 0)
		return 0;
	struct pages_one *one = add(p);
	if (!one) {
		g->r = lt_fail_mem(g->err);
		return 1;
	}
	if (g->left && keeps(g->root_fd, pid, fd))
		sys_stats_settle(g->root_fd, pid, (uint64_t)lt_now_ns(), &page);
	settle_regions(&page, p->end_ns);
	one->main = pid == g->pid;
	one->killed = has_open_account(&page);
	one->page = page;
	page = (struct sys_stats_page)SYS_STATS_PAGE_NONE;
	return 0;
}

static int by_begin(const void *a, const void *b)
{
	const struct pages_one *x = a, *y = b;
	if (x->main != y->main)
		return x->main ? -1 : 1;
	uint64_t s = x->page.head.start_ns, t = y->page.head.start_ns;
	return s < t ? -1 : s > t;
}

int pages_of_run(struct pages *ret, struct statsdir *dir, int root_fd, pid_t pid, int64_t begin_ns,
	int64_t end_ns, bool left, struct lt_err *err)
{
	struct gather g = { .pages = ret,
		.dir = dir,
		.root_fd = root_fd,
		.pid = pid,
		.begin_ns = begin_ns,
		.left = left,
		.err = err };
	ret->end_ns = end_ns;
	statsdir_each(dir, gather_one, &g);
	if (ret->n > 1)
		qsort(ret->list, ret->n, sizeof(*ret->list), by_begin);
	return g.r;
}

int pages_of_process(
	struct pages *ret, int root_fd, pid_t pid, unsigned max_fds, struct lt_err *err)
{
	LT_AUTO_CLOSE int fd = sys_stats_open(root_fd, pid, max_fds);
	ret->end_ns = lt_now_ns();
	if (fd < 0)
		return 0;
	struct sys_stats_page page;
	int r = sys_stats_page_read(fd, &page, &ret->last);
	if (r == -ENOMEM)
		return lt_fail_mem(err);
	ret->unread += r < 0 && r != -ENODATA;
	if (r < 0)
		return 0;
	struct pages_one *one = add(ret);
	if (!one) {
		sys_stats_page_done(&page);
		return lt_fail_mem(err);
	}
	sys_stats_settle(root_fd, pid, (uint64_t)ret->end_ns, &page);
	settle_regions(&page, ret->end_ns);
	*one = (struct pages_one){ .page = page, .main = true };
	return 0;
}

/* Values that only grow, by kind: the others are levels. */
static const struct {
	unsigned from, to;
} counters[] = {
	[LEAT_STATS_WORK] = { 0, LEAT_STATS_VALUES },
	[LEAT_STATS_REGION] = { LEAT_V_REGION_WALL_NS, LEAT_V_REGION_AT_CPU_NS },
	[LEAT_STATS_THREAD] = { LEAT_V_THREAD_SPIN_NS, LEAT_V_THREAD_ROUNDS + 1 },
	[LEAT_STATS_MODULE] = { LEAT_V_MODULE_CALLS, LEAT_V_MODULE_ERRORS + 1 },
	[LEAT_STATS_QUEUE] = { LEAT_V_QUEUE_IN, LEAT_V_QUEUE_NO_CREDIT_NS + 1 },
	[LEAT_STATS_POOL] = { LEAT_V_POOL_EMPTY, LEAT_V_POOL_EMPTY + 1 },
	[LEAT_STATS_PIPELINE] = { LEAT_V_PIPELINE_ITEMS, LEAT_V_PIPELINE_CALLS + 1 },
	[LEAT_STATS_STAGE] = { LEAT_V_STAGE_ITEMS, LEAT_V_STAGE_NS + 1 },
};

/* One that shrinks belongs to another thing of the same name, which began in between. Units inside
 * an open region are kept as a difference that wraps around. */
static void subtract_values(struct leat_stats_slot *a, const struct leat_stats_slot *b)
{
	for (unsigned i = counters[a->kind].from; i < counters[a->kind].to; i++) {
		bool wraps = a->kind == LEAT_STATS_REGION && i >= LEAT_V_REGION_WORK;
		if (wraps || a->v[i] >= b->v[i])
			a->v[i] -= b->v[i];
	}
}

static bool is_same(const struct leat_stats_slot *a, const struct leat_stats_slot *b)
{
	return a->kind == b->kind && a->tid == b->tid && !strcmp(a->name, b->name) &&
		(a->kind != LEAT_STATS_THREAD ||
			a->v[LEAT_V_THREAD_START] == b->v[LEAT_V_THREAD_START]);
}

/* The thread as if it had begun where `before` ends. */
static void subtract_thread(
	struct leat_stats_slot *a, const struct leat_stats_slot *b, int64_t begin_ns)
{
	if (b->v[LEAT_V_THREAD_END] < (uint64_t)begin_ns) {
		a->kind = LEAT_STATS_FREE; /* it was over by then */
		return;
	}
	a->v[LEAT_V_THREAD_START] = b->v[LEAT_V_THREAD_END];
	a->v[LEAT_V_THREAD_CPU0] = b->v[LEAT_V_THREAD_CPU];
	a->v[LEAT_V_THREAD_RUNQ0] = b->v[LEAT_V_THREAD_RUNQ];
	if (!b->v[LEAT_V_THREAD_HAS_SCHEDSTAT])
		a->v[LEAT_V_THREAD_HAS_SCHEDSTAT] = 0;
	for (unsigned i = LEAT_V_THREAD_SLEEP_NS; i < LEAT_V_THREAD_LATE_NS + LEAT_CAUSES; i++)
		/* A sleep that was open is counted up to its wake-up only, once it is known. */
		a->v[i] = a->v[i] > b->v[i] ? a->v[i] - b->v[i] : 0;
}

static void subtract_slot(
	struct leat_stats_slot *a, const struct leat_stats_slot *b, int64_t begin_ns)
{
	if (!is_same(a, b) || a->kind >= LT_COUNT(counters))
		return;
	subtract_values(a, b);
	if (a->kind == LEAT_STATS_THREAD)
		subtract_thread(a, b, begin_ns);
	if (a->kind == LEAT_STATS_REGION)
		a->v[LEAT_V_REGION_OPEN] |= b->v[LEAT_V_REGION_OPEN];
}

void pages_subtract(struct pages *after, const struct pages *before)
{
	for (size_t i = 0; i < after->n && i < before->n; i++) {
		struct sys_stats_page *a = &after->list[i].page;
		const struct sys_stats_page *b = &before->list[i].page;
		if (a->head.start_ns != b->head.start_ns || a->head.pid != b->head.pid)
			continue; /* another program by now */
		for (uint32_t k = 0; k < a->n && k < b->n; k++)
			subtract_slot(&a->slots[k], &b->slots[k], before->end_ns);
	}
}
