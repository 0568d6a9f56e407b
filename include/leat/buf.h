/* SPDX-License-Identifier: MIT */
/* Buffers from pools: a fixed number of equal pieces of memory, counted references, lock-free
 * take and put from any thread. */
#ifndef LEAT_BUF_H
#define LEAT_BUF_H

#include <stddef.h>
#include <stdint.h>

#include <leat/base.h>

LEAT_BEGIN_DECLS

struct leat_app;
struct leat_pool;

/* A buffer as its holder sees it. Behind it lie fields of the library. */
struct leat_buf {
	void *data;    /* `size` bytes, aligned as the pool says; do not change */
	uint32_t size; /* do not change */
	uint32_t len;  /* bytes in use; the holder's; 0 after take */
	uint64_t tag;  /* the holder's: type, time, sequence number, ...; 0 after take */
};

struct leat_pool_opts {
	const char *name; /* NULL: "pool" */
	size_t bytes;     /* of each buffer; 0: header only, data is NULL */
	unsigned count;   /* number of buffers, up to 2^20 - 1 */
	unsigned align;   /* of data, a power of two; 0: 64 */
	int node;         /* 1 + NUMA node the memory should come from; 0: first touch */
};

/* Makes a pool; its memory is mapped at once and never grows.
 * **Owner:** the app, freed with it; without an app (NULL) the caller, leat_pool_free().
 * **Threads:** one caller. **Blocks:** no.
 * **Errors:** LEAT-POOL-COUNT, LEAT-POOL-SIZE, LEAT-POOL-ALIGN, LEAT-MEMORY, LEAT-APP-RUNNING. */
LEAT_API int leat_pool_new(struct leat_app *app, const struct leat_pool_opts *opts,
	struct leat_pool **ret_pool, struct leat_err *err);

/* Frees a pool that no app owns. **Errors:** -EBUSY LEAT-POOL-USED while buffers are out (the pool
 * stays), -EPERM LEAT-POOL-OWNED for a pool of an app. NULL is allowed. */
LEAT_API int leat_pool_free(struct leat_pool *pool, struct leat_err *err);

/* Takes up to n buffers. **Owner:** the caller holds one reference of each.
 * **Threads:** any. **Blocks:** no. **Errors:** none; returns the number taken, less than n when
 * the pool ran empty. An event module that got less is called with LEAT_EV_POOL when buffers are
 * back. */
LEAT_API unsigned leat_take(struct leat_pool *pool, struct leat_buf **bufs, unsigned n);

/* Adds a reference. With more than one, the holders may only read. **Threads:** any. **Blocks:**
 * no. */
LEAT_API struct leat_buf *leat_buf_ref(struct leat_buf *buf);

/* Drops one reference of each of n buffers; the last one sends a buffer home.
 * **Threads:** any. **Blocks:** no.
 * **Errors:** number put, or -EINVAL LEAT-BUF-FREED for a buffer that is home already (the others
 * are put). NULL entries are skipped. */
LEAT_API int leat_put(struct leat_buf **bufs, unsigned n);

/* Number of buffers that are home; all of them after a clean run. **Threads:** any. **Blocks:** no.
 */
LEAT_API unsigned leat_pool_home(const struct leat_pool *pool);

LEAT_END_DECLS

#endif
