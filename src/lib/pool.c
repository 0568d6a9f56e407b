/* SPDX-License-Identifier: MIT */
/* Buffer pools. The free buffers form a stack whose head is one 64-bit word: a change count
 * against ABA, the number of free buffers, and the index of the first. */
#include "leat/buf.h"

#include <stdlib.h>
#include <sys/mman.h>
#include <sys/syscall.h>
#include <unistd.h>

#include "base/own.h"
#include "lib/mod.h"
#include "lib/stats.h"

enum {
	INDEX_BITS = 20,
	NOBODY = (1 << INDEX_BITS) - 1, /* end of the list; so that many buffers at most */
	BUF_LINE = 64,
};

struct buf {
	struct leat_buf pub;
	_Atomic(uint32_t) refs; /* 0: home */
	_Atomic(uint32_t) next; /* index, while home */
	struct leat_pool *pool;
} __attribute__((aligned(BUF_LINE)));

struct leat_pool {
	alignas(BUF_LINE) _Atomic(uint64_t) head;
	alignas(BUF_LINE) struct buf *buf;
	unsigned count;
	size_t map_bytes;
	void *map;
	sync_u32 n_waiting;
	_Atomic(uint64_t) empty;
	pthread_mutex_t lock; /* guards waiting */
	struct pool_wait *waiting;
	struct leat_app *app;
	struct leat_stats_slot *stats;
	struct leat_pool *next;
};

static uint32_t head_index(uint64_t head)
{
	return (uint32_t)head & NOBODY;
}

static uint32_t head_count(uint64_t head)
{
	return (uint32_t)(head >> INDEX_BITS) & NOBODY;
}

static uint64_t make_head(uint64_t old, uint32_t count, uint32_t index)
{
	uint64_t change = (old >> 2 * INDEX_BITS) + 1;
	return change << 2 * INDEX_BITS | (uint64_t)count << INDEX_BITS | index;
}

/* Up to n; the links are read while others may take the same buffers: then the head has changed
 * and it starts again. */
static unsigned pop(struct leat_pool *pool, struct leat_buf **bufs, unsigned n)
{
	uint64_t old = atomic_load_explicit(&pool->head, memory_order_acquire);
	for (;;) {
		uint32_t count = head_count(old), at = head_index(old);
		unsigned want = n < count ? n : count;
		if (want == 0)
			return 0;
		for (unsigned i = 0; i < want && at != NOBODY; i++) {
			bufs[i] = &pool->buf[at].pub;
			at = atomic_load_explicit(&pool->buf[at].next, memory_order_relaxed);
		}
		if (atomic_compare_exchange_weak_explicit(&pool->head, &old,
			    make_head(old, count - want, at), memory_order_acquire,
			    memory_order_acquire))
			return want;
	}
}

/* Sequentially consistent: who waits announces itself and then looks at the head. */
static void push_chain(struct leat_pool *pool, struct buf *first, struct buf *last, uint32_t n)
{
	uint64_t old = atomic_load_explicit(&pool->head, memory_order_relaxed);
	do {
		atomic_store_explicit(&last->next, head_index(old), memory_order_relaxed);
	} while (!atomic_compare_exchange_weak_explicit(&pool->head, &old,
		make_head(old, head_count(old) + n, (uint32_t)(first - pool->buf)),
		memory_order_seq_cst, memory_order_relaxed));
}

unsigned leat_take(struct leat_pool *pool, struct leat_buf **bufs, unsigned n)
{
	unsigned got = 0;
	for (;;) {
		unsigned more = pop(pool, bufs + got, n - got);
		for (unsigned i = got; i < got + more; i++) {
			struct buf *b = (struct buf *)bufs[i];
			atomic_store_explicit(&b->refs, 1, memory_order_relaxed);
			b->pub.len = 0;
			b->pub.tag = 0;
		}
		got += more;
		if (__builtin_expect(got == n, 1))
			return got;
		if (more == 0) {
			atomic_fetch_add_explicit(&pool->empty, 1, memory_order_relaxed);
			struct thr *t = thr_self;
			if (!t || !t->current || t->current->main ||
				!pool_wait_for(pool, t->current))
				return got;
		}
	}
}

/* The record by which a module waits for a pool; made before the start for the pools of its app, so
 * that waiting cannot fail for want of memory. */
struct pool_wait *pool_wait_get(struct leat_pool *pool, struct leat_module *m)
{
	struct pool_wait *w = m->pools;
	while (w && w->pool != pool)
		w = w->next_in_module;
	if (w)
		return w;
	w = calloc(1, sizeof(*w));
	if (!w)
		return NULL;
	w->pool = pool;
	w->ev = (struct ev){ .kind = EV_POOL, .module = m, .priority = m->ev.priority };
	w->next_in_module = m->pools;
	m->pools = w;
	return w;
}

int pools_prepare(struct leat_app *app)
{
	for (struct leat_pool *p = app->pools; p; p = p->next) {
		for (struct leat_module *m = app->modules; m; m = m->next) {
			if (!pool_wait_get(p, m))
				return -ENOMEM;
		}
	}
	return 0;
}

/* Registers the module for the next buffer; true: there is one already. */
bool pool_wait_for(struct leat_pool *pool, struct leat_module *m)
{
	struct pool_wait *w = pool_wait_get(pool, m);
	if (!w) { /* a pool that no app owns: nobody would wake the module */
		app_error(m, -ENOMEM);
		return false;
	}
	m->pool_dry = true;
	pthread_mutex_lock(&pool->lock);
	if (!w->listed) {
		w->listed = true;
		w->next_in_pool = pool->waiting;
		pool->waiting = w;
		atomic_fetch_add_explicit(&pool->n_waiting, 1, memory_order_seq_cst);
	}
	pthread_mutex_unlock(&pool->lock);
	return head_count(atomic_load_explicit(&pool->head, memory_order_seq_cst)) > 0;
}

void pool_unlist(struct pool_wait *w)
{
	struct leat_pool *pool = w->pool;
	pthread_mutex_lock(&pool->lock);
	for (struct pool_wait **at = &pool->waiting; *at; at = &(*at)->next_in_pool) {
		if (*at == w) {
			*at = w->next_in_pool;
			w->listed = false;
			atomic_fetch_sub_explicit(&pool->n_waiting, 1, memory_order_relaxed);
			break;
		}
	}
	pthread_mutex_unlock(&pool->lock);
}

static __attribute__((noinline)) void wake_waiting(struct leat_pool *pool)
{
	pthread_mutex_lock(&pool->lock);
	struct pool_wait *w = pool->waiting;
	pool->waiting = NULL;
	while (w) {
		struct pool_wait *next = w->next_in_pool;
		w->listed = false;
		atomic_fetch_sub_explicit(&pool->n_waiting, 1, memory_order_relaxed);
		struct thr *t = w->ev.module->thr;
		if (t == thr_self)
			thr_queue(t, &w->ev);
		else if (t)
			thr_post(t, &w->ev);
		w = next;
	}
	pthread_mutex_unlock(&pool->lock);
}

struct leat_buf *leat_buf_ref(struct leat_buf *buf)
{
	atomic_fetch_add_explicit(&((struct buf *)buf)->refs, 1, memory_order_relaxed);
	return buf;
}

/* 1: this was the last reference, 0: not, -1: it was home already. */
static int drop_ref(struct buf *b)
{
	uint32_t refs = atomic_load_explicit(&b->refs, memory_order_acquire);
	if (__builtin_expect(refs == 1, 1)) { /* nobody else can change it */
		atomic_store_explicit(&b->refs, 0, memory_order_relaxed);
		return 1;
	}
	if (refs == 0)
		return -1;
	return atomic_fetch_sub_explicit(&b->refs, 1, memory_order_acq_rel) == 1;
}

static void send_home(struct leat_pool *pool, struct buf *first, struct buf *last, uint32_t n)
{
	push_chain(pool, first, last, n);
	if (__builtin_expect(atomic_load_explicit(&pool->n_waiting, memory_order_seq_cst) != 0, 0))
		wake_waiting(pool);
}

int leat_put(struct leat_buf **bufs, unsigned n)
{
	struct leat_pool *pool = NULL;
	struct buf *first = NULL, *last = NULL;
	uint32_t run = 0; /* buffers of one pool go home together */
	unsigned freed_twice = 0;
	for (unsigned i = 0; i < n; i++) {
		struct buf *b = (struct buf *)bufs[i];
		int home = b ? drop_ref(b) : 0;
		freed_twice += home < 0;
		if (home <= 0)
			continue;
		if (b->pool != pool && run) {
			send_home(pool, first, last, run);
			run = 0;
		}
		pool = b->pool;
		if (run++ == 0)
			last = b;
		else
			atomic_store_explicit(
				&b->next, (uint32_t)(first - pool->buf), memory_order_relaxed);
		first = b;
	}
	if (run)
		send_home(pool, first, last, run);
	if (__builtin_expect(freed_twice, 0))
		return LEAT_FAIL(err_last(), -EINVAL, "LEAT-BUF-FREED",
			"%u of %u buffers were home already", freed_twice, n);
	return (int)n;
}

unsigned leat_pool_home(const struct leat_pool *pool)
{
	return head_count(
		atomic_load_explicit(&((struct leat_pool *)pool)->head, memory_order_acquire));
}

static int check(const struct leat_pool_opts *o, struct leat_err *err)
{
	if (o->count == 0 || o->count >= NOBODY)
		return LEAT_FAIL(err, -EINVAL, "LEAT-POOL-COUNT", "%u buffers; a pool has 1 to %d",
			o->count, NOBODY - 1);
	if (o->align & (o->align - 1) || o->align > 1u << 21)
		return LEAT_FAIL(err, -EINVAL, "LEAT-POOL-ALIGN",
			"alignment %u is no power of two up to 2 MiB", o->align);
	if (o->bytes > UINT32_MAX)
		return LEAT_FAIL(err, -EINVAL, "LEAT-POOL-SIZE",
			"buffers of %zu bytes; at most 2^32 - 1", o->bytes);
	return 0;
}

/* MPOL_PREFERRED for the range; where it cannot be done the memory comes from elsewhere. */
static void prefer_node(void *map, size_t bytes, int node)
{
	unsigned long mask[16] = { 0 };
	if (node <= 0 || (size_t)node > sizeof(mask) * 8)
		return;
	mask[(size_t)(node - 1) / (8 * sizeof(long))] = 1UL
		<< ((size_t)(node - 1) % (8 * sizeof(long)));
	syscall(SYS_mbind, map, bytes, 1, mask, sizeof(mask) * 8, 0);
}

int leat_pool_new(struct leat_app *app, const struct leat_pool_opts *opts,
	struct leat_pool **ret_pool, struct leat_err *err)
{
	int r = check(opts, err);
	if (r < 0)
		return r;
	if (app && app->running)
		return LEAT_FAIL(err, -EBUSY, "LEAT-APP-RUNNING", "%s runs already", app->name);
	size_t align = opts->align > BUF_LINE ? opts->align : BUF_LINE;
	size_t stride = (opts->bytes + align - 1) & ~(align - 1);
	size_t heads = (opts->count * sizeof(struct buf) + align - 1) & ~(align - 1);
	size_t bytes = heads + opts->count * stride + align;
	LT_AUTO_FREE struct leat_pool *pool = aligned_alloc(BUF_LINE, sizeof(*pool));
	if (!pool)
		return LEAT_FAIL_MEM(err);
	memset(pool, 0, sizeof(*pool));
	pool->map = mmap(NULL, bytes, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
	if (pool->map == MAP_FAILED)
		return LEAT_FAIL_MEM(err);
	prefer_node(pool->map, bytes, opts->node);
	pool->map_bytes = bytes;
	pool->count = opts->count;
	pool->app = app;
	pool->buf = pool->map;
	char *data = (char *)pool->map + heads;
	data += (align - (uintptr_t)data % align) % align;
	for (unsigned i = 0; i < opts->count; i++) {
		struct buf *b = &pool->buf[i];
		b->pub.data = opts->bytes ? data + i * stride : NULL;
		b->pub.size = (uint32_t)opts->bytes;
		b->pool = pool;
		atomic_store_explicit(
			&b->next, i + 1 < opts->count ? i + 1 : NOBODY, memory_order_relaxed);
	}
	atomic_store_explicit(&pool->head, make_head(0, opts->count, 0), memory_order_release);
	pthread_mutex_init(&pool->lock, NULL);
	pool->stats = stats_slot_new(LEAT_STATS_POOL, opts->name ? opts->name : "pool", NULL, 0);
	if (pool->stats)
		stats_set(pool->stats, LEAT_V_POOL_COUNT, pool->count);
	if (app) {
		pool->next = app->pools;
		app->pools = pool;
	}
	*ret_pool = LT_TAKE(pool);
	return 0;
}

static void publish(struct leat_pool *pool)
{
	if (!pool->stats)
		return;
	stats_set(pool->stats, LEAT_V_POOL_HOME, leat_pool_home(pool));
	stats_set(pool->stats, LEAT_V_POOL_EMPTY,
		atomic_load_explicit(&pool->empty, memory_order_relaxed));
}

static void free_pool(struct leat_pool *pool)
{
	publish(pool);
	munmap(pool->map, pool->map_bytes);
	pthread_mutex_destroy(&pool->lock);
	stats_slot_end(pool->stats);
	free(pool);
}

int leat_pool_free(struct leat_pool *pool, struct leat_err *err)
{
	if (!pool)
		return 0;
	if (pool->app)
		return LEAT_FAIL(
			err, -EPERM, "LEAT-POOL-OWNED", "the pool belongs to %s", pool->app->name);
	if (leat_pool_home(pool) != pool->count)
		return LEAT_FAIL(err, -EBUSY, "LEAT-POOL-USED", "%u of %u buffers are out",
			pool->count - leat_pool_home(pool), pool->count);
	free_pool(pool);
	return 0;
}

void pools_publish(struct leat_app *app)
{
	for (struct leat_pool *p = app->pools; p; p = p->next)
		publish(p);
}

void pools_free(struct leat_app *app)
{
	while (app->pools) {
		struct leat_pool *next = app->pools->next;
		free_pool(app->pools);
		app->pools = next;
	}
}
