/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Patterns of taking and giving back memory. Each writes every byte of its blocks, and the
 * compiler is kept from seeing that nobody reads them. */
#include "load/malloc_modes.h"

#include <errno.h>
#include <malloc.h>
#include <pthread.h>
#include <stdlib.h>
#include <string.h>

enum {
	BATCH = 8,  /* blocks taken, then freed together; also on a tray */
	GROWTH = 8, /* steps of the mode that grows a block */
	ALIGNMENT = 4096,
	THRESHOLD = 128 << 10, /* what old C libraries had, and some programs still ask for */
};

/* Writes the whole block; false when there is none or it does not keep what it is given. */
static bool fill(unsigned char *block, size_t bytes)
{
	if (!block)
		return false;
	memset(block, 0x5a, bytes);
	__asm__ volatile("" : : "r"(block) : "memory");
	return block[0] == 0x5a && block[bytes - 1] == 0x5a;
}

static void run_plain(struct malloc_worker *w)
{
	for (uint64_t i = 0; i < w->rounds; i++) {
		unsigned char *block = malloc(w->bytes);
		w->failed |= !fill(block, w->bytes);
		free(block);
		w->blocks++;
	}
}

static int fix_threshold(void)
{
	return mallopt(M_MMAP_THRESHOLD, THRESHOLD) ? 0 : -ENOTSUP;
}

static void run_zeroed(struct malloc_worker *w)
{
	for (uint64_t i = 0; i < w->rounds; i++) {
		unsigned char *block = calloc(1, w->bytes);
		w->failed |= block && block[w->bytes / 2] != 0;
		w->failed |= !fill(block, w->bytes);
		free(block);
		w->blocks++;
	}
}

static void run_aligned(struct malloc_worker *w)
{
	for (uint64_t i = 0; i < w->rounds; i++) {
		void *block = NULL;
		w->failed |= posix_memalign(&block, ALIGNMENT, w->bytes) != 0;
		w->failed |= !fill(block, w->bytes);
		free(block);
		w->blocks++;
	}
}

static void run_growing(struct malloc_worker *w)
{
	for (uint64_t i = 0; i < w->rounds; i++) {
		unsigned char *block = NULL;
		size_t had = 0;
		for (size_t step = 1; step <= GROWTH; step++) {
			size_t size = (w->bytes * step + GROWTH - 1) / GROWTH;
			unsigned char *more = realloc(block, size);
			w->failed |= !more;
			if (!more)
				break;
			block = more;
			w->failed |= had && block[had - 1] != 0x5a;
			w->failed |= size > had && !fill(block + had, size - had);
			had = size;
		}
		free(block);
		w->blocks++;
	}
}

static void run_batch(struct malloc_worker *w)
{
	for (uint64_t i = 0; i < w->rounds; i++) {
		unsigned char *blocks[BATCH];
		for (size_t k = 0; k < BATCH; k++) {
			blocks[k] = malloc(w->bytes);
			w->failed |= !fill(blocks[k], w->bytes);
		}
		for (size_t k = 0; k < BATCH; k++)
			free(blocks[k]);
		w->blocks += BATCH;
	}
}

/* ---- blocks that another thread frees ---- */

struct malloc_tray {
	_Alignas(128) pthread_mutex_t lock; /* guards what follows */
	bool full;
	unsigned char *blocks[BATCH];
};

struct malloc_tray *malloc_trays_new(unsigned n)
{
	struct malloc_tray *trays = aligned_alloc(_Alignof(struct malloc_tray), n * sizeof(*trays));
	for (unsigned i = 0; trays && i < n; i++) {
		memset(&trays[i], 0, sizeof(trays[i]));
		pthread_mutex_init(&trays[i].lock, NULL);
	}
	return trays;
}

struct malloc_tray *malloc_tray_at(struct malloc_tray *trays, unsigned i)
{
	return &trays[i];
}

static void free_batch(unsigned char *const *blocks)
{
	for (size_t k = 0; k < BATCH; k++)
		free(blocks[k]);
}

/* Takes the blocks off the tray and frees them, if there are any. */
static void clear(struct malloc_tray *tray)
{
	unsigned char *blocks[BATCH];
	pthread_mutex_lock(&tray->lock);
	bool full = tray->full;
	memcpy(blocks, tray->blocks, sizeof(blocks));
	tray->full = false;
	pthread_mutex_unlock(&tray->lock);
	if (full)
		free_batch(blocks);
}

void malloc_trays_free(struct malloc_tray *trays, unsigned n)
{
	for (unsigned i = 0; trays && i < n; i++) {
		clear(&trays[i]);
		pthread_mutex_destroy(&trays[i].lock);
	}
	free(trays);
}

/* A neighbour who is behind leaves the tray full: then this thread frees its own blocks, as
 * waiting for each other in a circle could last for ever. */
static void run_neighbour(struct malloc_worker *w)
{
	for (uint64_t i = 0; i < w->rounds; i++) {
		unsigned char *blocks[BATCH];
		clear(w->from);
		for (size_t k = 0; k < BATCH; k++) {
			blocks[k] = malloc(w->bytes);
			w->failed |= !fill(blocks[k], w->bytes);
		}
		pthread_mutex_lock(&w->to->lock);
		bool handed = !w->to->full;
		if (handed)
			memcpy(w->to->blocks, blocks, sizeof(blocks));
		w->to->full = true;
		pthread_mutex_unlock(&w->to->lock);
		if (!handed)
			free_batch(blocks);
		w->blocks += BATCH;
	}
}

const struct malloc_mode malloc_modes[] = {
	{ "plain", "take a block, write it, free it", 1, NULL, run_plain, false },
	{ "threshold", "plain, after fixing the mmap threshold at 128 KiB", 1, fix_threshold,
		run_plain, false },
	{ "zeroed", "plain, with calloc", 1, NULL, run_zeroed, false },
	{ "aligned", "plain, with page-aligned blocks", 1, NULL, run_aligned, false },
	{ "growing", "a block grown by realloc in eight steps", 1, NULL, run_growing, false },
	{ "batch", "eight blocks taken and written, then all freed", BATCH, NULL, run_batch,
		false },
	{ "neighbour", "as batch, but the next thread frees them", BATCH, NULL, run_neighbour,
		true },
	{ 0 },
};

const struct malloc_mode *malloc_mode_find(const char *name)
{
	for (const struct malloc_mode *m = malloc_modes; m->name; m++)
		if (!strcmp(m->name, name))
			return m;
	return NULL;
}
