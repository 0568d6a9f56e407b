/* SPDX-License-Identifier: MIT */
/* The packed trie of the IPv6 routes that share their first 16 bits. Built in one go from sorted
 * routes and never changed afterwards. */
#ifndef ROUTER_FIB_TRIE6_H
#define ROUTER_FIB_TRIE6_H

#include "router/fib/fib6.h"

/* A node looks at one byte of the address, after skipping up to 8 that all routes below share. */
struct trie6_node {
	uint64_t skipped;                    /* the bytes to be skipped, right-aligned */
	uint32_t child, leaf;                /* indices of the first of each */
	uint8_t child_rank[4], leaf_rank[4]; /* set bits in the words before */
	uint16_t hop; /* where the skipped bytes differ: best so far; 0: nothing longer than /16 */
	uint8_t n_skipped;
	struct {
		uint64_t children; /* bit b: byte b leads to a node */
		uint64_t leaves;   /* bit b: at byte b begins a run of one and the same leaf */
	} words[4];
};

struct fib6_trie {
	struct trie6_node *nodes; /* the root first */
	uint16_t *leaves;         /* hops; 0: nothing longer than /16 */
	uint32_t n_nodes, cap_nodes, n_leaves, cap_leaves;
};

/* How far a look-up has come: to a node, and with what is left of its address, left-aligned. */
struct trie6_walk {
	const struct fib6_trie *trie;
	const struct trie6_node *node; /* NULL: it is over */
	uint64_t rest[2];
	uint16_t hop; /* then: the answer */
};

void trie6_begin(struct trie6_walk *walk, const struct fib6_trie *trie, const uint8_t addr[16]);
void trie6_step(struct trie6_walk *walk);

static inline void trie6_prefetch(const struct trie6_node *node)
{
	__builtin_prefetch(node);
	__builtin_prefetch((const char *)node + 64);
}

/* 0 or -ENOMEM. There is at least one route, all are longer than /16. */
int trie6_build(const struct fib6_route *routes, size_t n, struct fib6_trie **ret_trie);
void trie6_free(struct fib6_trie *trie);

size_t trie6_bytes(const struct fib6_trie *trie);

#endif
