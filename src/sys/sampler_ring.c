/* SPDX-License-Identifier: GPL-2.0-or-later */
/* The ring that the kernel writes and leat reads (perf_event_open(2), MMAP layout). */
#include "sys/sampler_ring.h"

#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <unistd.h>

enum {
	FEWEST_PAGES = 16,
	RECORD_MAX = 1 << 16, /* its size has 16 bits */
};

static size_t page_size(void)
{
	return (size_t)sysconf(_SC_PAGESIZE);
}

int sampler_ring_map(struct sys_sampler_ring *ring, size_t pages)
{
	ring->bounce = malloc(RECORD_MAX);
	if (!ring->bounce)
		return -ENOMEM;
	for (; pages >= FEWEST_PAGES; pages /= 2) {
		void *at = mmap(NULL, (pages + 1) * page_size(), PROT_READ | PROT_WRITE, MAP_SHARED,
			ring->clock_fd, 0);
		if (at != MAP_FAILED) {
			ring->page = at;
			ring->pages = pages;
			return 0;
		}
		if (errno != EPERM && errno != ENOMEM)
			break;
	}
	return -errno;
}

void sampler_ring_unmap(struct sys_sampler_ring *ring)
{
	if (ring->page)
		munmap(ring->page, (ring->pages + 1) * page_size());
	ring->page = NULL;
	free(ring->bounce);
	ring->bounce = NULL;
}

const struct perf_event_header *sampler_ring_peek(struct sys_sampler_ring *ring)
{
	uint64_t size = ring->pages * page_size();
	char *data = (char *)ring->page + page_size();
	if (ring->tail == ring->head) /* pairs with the kernel's release of data_head */
		ring->head = __atomic_load_n(&ring->page->data_head, __ATOMIC_ACQUIRE);
	if (ring->tail == ring->head)
		return NULL;
	uint64_t at = ring->tail % size;
	/* Records are multiples of 8 bytes: a header is always in one piece. */
	const struct perf_event_header *header = (const void *)(data + at);
	if (at + header->size <= size)
		return header;
	uint64_t first = size - at;
	memcpy(ring->bounce, header, first);
	memcpy(ring->bounce + first, data, header->size - first);
	return (const void *)ring->bounce;
}

void sampler_ring_pop(struct sys_sampler_ring *ring, const struct perf_event_header *header)
{
	ring->tail += header->size;
	/* pairs with the kernel's acquire: it may write over the record from now on */
	__atomic_store_n(&ring->page->data_tail, ring->tail, __ATOMIC_RELEASE);
}
