/* SPDX-License-Identifier: MIT */
/* The bounded ring under every queue: one producer, one consumer, no lock, no system call.
 *
 * Nobody is told of each item. A reader that runs dry arms `want_data` and looks once more
 * before it sleeps; a writer that runs out of room arms `want_room`. The other side looks at the
 * flag when a batch is done, behind a fence, and whoever takes the flag down owes one wake-up.
 * So a flag is raised at most once per sleep, and no wake-up can be lost or doubled:
 *
 *	writer: store tail; fence; load want_data      reader: xchg want_data; load tail
 *
 * One of the two loads sees the other's store. tests/stress/test_model.c walks through every
 * interleaving with store buffers. */
#ifndef LIB_RING_H
#define LIB_RING_H

#include <stdalign.h>
#include <stdbool.h>
#include <stdint.h>

#include "lib/sync.h"

enum {
	RING_LINE = 64
};

struct ring {
	alignas(RING_LINE) sync_u32 tail; /* writer; pairs with loads of the reader */
	uint32_t head_seen;               /* writer only */
	alignas(RING_LINE) sync_u32 head; /* reader (and the writer of a ring that drops) */
	uint32_t tail_seen;               /* reader only */
	alignas(RING_LINE) sync_u32 want_data, want_room;
	sync_u32 ended, gone;                    /* the writer, the reader; each set once */
	alignas(RING_LINE) uint32_t mask, depth; /* constant */
	void **slot;                             /* mask + 1 */
};

/* Writer: free places, at least; looks at the reader's index only when it must. */
static inline uint32_t ring_room(struct ring *r, uint32_t need)
{
	uint32_t tail = sync_load(&r->tail);
	uint32_t room = r->depth - (tail - r->head_seen);
	if (room < need) {
		r->head_seen = sync_load_acquire(&r->head);
		room = r->depth - (tail - r->head_seen);
	}
	return room;
}

/* Writer: puts up to n items in, in order; returns how many. */
static inline uint32_t ring_put(struct ring *r, void *const *items, uint32_t n)
{
	uint32_t room = ring_room(r, n);
	if (n > room)
		n = room;
	uint32_t tail = sync_load(&r->tail);
	uint32_t at = tail & r->mask, first = r->mask + 1 - at < n ? r->mask + 1 - at : n;
	for (uint32_t i = 0; i < first; i++)
		r->slot[at + i] = items[i];
	for (uint32_t i = first; i < n; i++)
		r->slot[i - first] = items[i];
	sync_store_release(&r->tail, tail + n);
	return n;
}

/* Reader: items inside, at least. */
static inline uint32_t ring_fill(struct ring *r, uint32_t need)
{
	uint32_t head = sync_load(&r->head);
	uint32_t fill = r->tail_seen - head;
	if (fill < need) {
		r->tail_seen = sync_load_acquire(&r->tail);
		fill = r->tail_seen - head;
	}
	return fill;
}

/* Reader: takes up to n items out; returns how many. */
static inline uint32_t ring_get(struct ring *r, void **items, uint32_t n)
{
	uint32_t fill = ring_fill(r, n);
	if (n > fill)
		n = fill;
	uint32_t head = sync_load(&r->head);
	uint32_t at = head & r->mask, first = r->mask + 1 - at < n ? r->mask + 1 - at : n;
	for (uint32_t i = 0; i < first; i++)
		items[i] = r->slot[at + i];
	for (uint32_t i = first; i < n; i++)
		items[i] = r->slot[i - first];
	sync_store_release(&r->head, head + n);
	return n;
}

/* Takes a flag down; true: the caller owes the other side a wake-up. Behind sync_fence(). */
static inline bool ring_owes(sync_u32 *want)
{
	return sync_load(want) && sync_xchg(want, 0);
}

/* Reader: wants more than the `seen` items that are inside. True: armed, the writer's next batch or
 * end sends a wake-up (or one is on its way). False: there is more already, nothing is armed. */
static inline bool ring_arm_reader(struct ring *r, uint32_t seen)
{
	sync_xchg(&r->want_data, 1);
	sync_fence_after_xchg();
	uint32_t fill = sync_load_acquire(&r->tail) - sync_load_acquire(&r->head);
	if (fill <= seen && !(seen == 0 && sync_load_acquire(&r->ended)))
		return true;
	return !sync_xchg(&r->want_data, 0);
}

/* The same for a writer that wants more room than the places it has seen. */
static inline bool ring_arm_writer(struct ring *r, uint32_t seen)
{
	sync_xchg(&r->want_room, 1);
	sync_fence_after_xchg();
	uint32_t room = r->depth - (sync_load(&r->tail) - sync_load_acquire(&r->head));
	if (room <= seen && !sync_load_acquire(&r->gone))
		return true;
	return !sync_xchg(&r->want_room, 0);
}

#endif
