/* SPDX-License-Identifier: MIT */
/* The scheduler of one output: which packet leaves next when packets come faster than they may
 * leave, and which never does. Time is that of the packets; the same packets give the same result.
 *
 * Strict classes first, each as long as its bucket has tokens; then the others by deficit round
 * robin with their weights; then strict ones without tokens. Queues are bounded, and CoDel keeps
 * them short where the class wants it.
 *
 * For each packet in the order of their coming: sched_run() up to its time until that gives
 * nothing more, then sched_put(). At the end sched_run() up to INT64_MAX.
 * **Threads:** one. */
#ifndef ROUTER_NODE_SCHED_H
#define ROUTER_NODE_SCHED_H

#include <stdbool.h>
#include <stdint.h>

#include "router/conf/conf.h"

struct sched;

enum sched_fate {
	SCHED_SENT,
	SCHED_MARKED, /* sent, and to be marked: congestion experienced */
	SCHED_CODEL,  /* dropped: waited too long */
};

struct sched_item {
	uint64_t packet; /* the caller's */
	int64_t time_ns; /* when it came, since 1970; if earlier than the last one, as late as that
			  */
	uint32_t len;    /* bytes that take time on the wire */
	uint8_t cls;     /* below conf->n_classes */
	uint8_t ecn;     /* the two bits of its IP header */
};

struct sched_out {
	uint64_t packet;
	int64_t time_ns; /* when its first bit leaves, or when it was dropped */
	uint32_t len;
	uint8_t cls;
	uint8_t fate; /* enum sched_fate */
};

/* What became of the packets of one class: put = sent + full + codel + waiting. */
struct sched_count {
	uint64_t put, sent, sent_bytes, full, codel;
	uint64_t marked; /* of those sent */
	uint64_t waiting;
	uint64_t delay_ns;  /* of those sent, in the queue, together */
	int64_t longest_ns; /* the longest of these */
};

/* For an interface with a rate. Owner: the caller; conf is not kept. */
int sched_new(const struct conf *conf, size_t nic, struct sched **ret_sched, struct lt_err *err);
void sched_free(struct sched *sched);

/* What happens before `until_ns`, at most n of it, in its order. */
size_t sched_run(struct sched *sched, int64_t until_ns, struct sched_out *ret_out, size_t n);

/* Queues a packet. False: the queue of its class is full, and the packet is still the caller's. */
bool sched_put(struct sched *sched, const struct sched_item *item);

/* Packets that wait. */
size_t sched_waiting(const struct sched *sched);

const struct sched_count *sched_count(const struct sched *sched, unsigned cls);

#endif
