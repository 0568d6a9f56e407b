/* SPDX-License-Identifier: GPL-2.0-or-later */
/* One CPU's ring of perf records: mapping it, and taking records out. Inside this room. */
#ifndef SYS_SAMPLER_RING_H
#define SYS_SAMPLER_RING_H

#include <linux/perf_event.h>
#include <stddef.h>
#include <stdint.h>

#include "sys/sampler.h"

/* What every sample carries besides its header, and so every record's trailer. Not how many
 * events it stands for: the kernel then sends one for each. */
#define SAMPLER_TYPE                                                                    \
	(PERF_SAMPLE_IDENTIFIER | PERF_SAMPLE_IP | PERF_SAMPLE_TID | PERF_SAMPLE_TIME | \
		PERF_SAMPLE_ADDR | PERF_SAMPLE_CPU | PERF_SAMPLE_REGS_USER |            \
		PERF_SAMPLE_STACK_USER)

enum {
	SAMPLER_FAULTS = 509, /* one in so many is sampled: few cost nothing anyway */
};

struct sys_sampler_ring {
	int clock_fd; /* its ring is the one of this CPU */
	int fault_fd;
	uint64_t clock_id; /* as samples of the clock name it */
	struct perf_event_mmap_page *page;
	size_t pages;  /* of data, a power of two */
	uint64_t tail; /* of the record looked at */
	uint64_t head; /* as last read */
	char *bounce;  /* a record that goes around the end, in one piece */
};

/* Maps the ring of clock_fd, as large as may be up to `pages`. 0 or a negative errno. */
int sampler_ring_map(struct sys_sampler_ring *ring, size_t pages);
void sampler_ring_unmap(struct sys_sampler_ring *ring);

/* The record at the tail, or NULL when there is none. Valid until sampler_ring_pop. */
const struct perf_event_header *sampler_ring_peek(struct sys_sampler_ring *ring);
void sampler_ring_pop(struct sys_sampler_ring *ring, const struct perf_event_header *header);

/* Reads a record. false: of a kind nobody asked for. */
bool sampler_read(const struct sys_sampler_ring *ring, const struct perf_event_header *header,
	struct sys_record *ret);

/* When it was made; 0 for a record without a time. */
uint64_t sampler_time(const struct perf_event_header *header);

/* The registers asked for, as perf's bits. */
uint64_t sampler_regs_mask(void);

#endif
