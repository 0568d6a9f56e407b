/* SPDX-License-Identifier: MIT */
/* The packed trie of the IPv6 routes that share their first 16 bits. Built in one go from sorted
 * routes and never changed afterwards. */
#ifndef ROUTER_FIB_TRIE6_H
#define ROUTER_FIB_TRIE6_H

#include "router/fib/fib6.h"

/* A node looks at one byte of the address, after skipping up to 8 that all routes below share. */
struct trie6_node {
	uint64_t children[4]; /* bit b: byte b leads to a node */
	uint64_t leaves[4];   /* bit b: at byte b begins a run of one and the same leaf */
	uint64_t skipped;     /* the bytes to be skipped, right-aligned */
	uint32_t child, leaf; /* indices of the first of each */
	uint8_t child_rank[4], leaf_rank[4]; /* set bits in the words before */
	uint16_t hop; /* where the skipped bytes differ: best so far; 0: nothing longer than /16 */
	uint8_t n_skipped;
};

struct fib6_trie {
	struct trie6_node *nodes; /* the root first */
	uint16_t *leaves;         /* hops; 0: nothing longer than /16 */
	uint32_t n_nodes, cap_nodes, n_leaves, cap_leaves;
};

/* 0 or -ENOMEM. There is at least one route, all are longer than /16. */
int trie6_build(const struct fib6_route *routes, size_t n, struct fib6_trie **ret_trie);
void trie6_free(struct fib6_trie *trie);

uint16_t trie6_lookup(const struct fib6_trie *trie, const uint8_t addr[16]);
size_t trie6_bytes(const struct fib6_trie *trie);

#endif
