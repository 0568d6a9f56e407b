/* SPDX-License-Identifier: MIT */
/* Building and walking the packed trie. A node's children lie side by side, and so do its leaves,
 * so that a bit and the number of bits before it are all that is needed to find one. */
#include "router/fib/trie6.h"

#include <errno.h>
#include <stdbool.h>
#include <stdlib.h>
#include <string.h>

enum {
	SHARED_BYTES = 2,
	MAX_SKIPPED = 8
};

/* Bits that are set; without a library call where the processor may have no instruction for it. */
static unsigned count_bits(uint64_t x)
{
	x -= x >> 1 & 0x5555555555555555;
	x = (x & 0x3333333333333333) + (x >> 2 & 0x3333333333333333);
	x = (x + (x >> 4)) & 0x0f0f0f0f0f0f0f0f;
	return (unsigned)(x * 0x0101010101010101 >> 56);
}

static void drop_bytes(uint64_t rest[2], unsigned n)
{
	if (n == 8) {
		rest[0] = rest[1];
		rest[1] = 0;
	} else {
		rest[0] = rest[0] << 8 * n | rest[1] >> (64 - 8 * n);
		rest[1] <<= 8 * n;
	}
}

void trie6_begin(struct trie6_walk *walk, const struct fib6_trie *trie, const uint8_t addr[16])
{
	memcpy(walk->rest, addr, 16);
	walk->rest[0] = __builtin_bswap64(walk->rest[0]);
	walk->rest[1] = __builtin_bswap64(walk->rest[1]);
	drop_bytes(walk->rest, SHARED_BYTES);
	walk->trie = trie;
	walk->node = trie->nodes;
}

static void end_walk(struct trie6_walk *walk, uint16_t hop)
{
	walk->hop = hop;
	walk->node = NULL;
}

void trie6_step(struct trie6_walk *walk)
{
	const struct trie6_node *node = walk->node;
	if (node->n_skipped) {
		if (walk->rest[0] >> (64 - 8 * node->n_skipped) != node->skipped) {
			end_walk(walk, node->hop);
			return;
		}
		drop_bytes(walk->rest, node->n_skipped);
	}
	unsigned byte = (unsigned)(walk->rest[0] >> 56), word = byte >> 6;
	uint64_t bit = 1ull << (byte & 63);
	drop_bytes(walk->rest, 1);
	if (node->words[word].children & bit) {
		unsigned rank =
			node->child_rank[word] + count_bits(node->words[word].children & (bit - 1));
		walk->node = &walk->trie->nodes[node->child + rank];
	} else {
		/* the last run that begins at this byte or before */
		unsigned rank = node->leaf_rank[word] +
			count_bits(node->words[word].leaves & (bit | (bit - 1)));
		end_walk(walk, walk->trie->leaves[node->leaf + rank - 1]);
	}
}

/* ---- building ---- */

/* Room for n more elements of an array; NULL when memory has run out. */
static void *grown(void *array, uint32_t used, uint32_t *cap, uint32_t n, size_t size)
{
	if (n <= *cap - used)
		return array;
	uint32_t want = used + n + used / 2;
	void *bigger = realloc(array, want * size);
	if (bigger)
		*cap = want;
	return bigger;
}

static int add_nodes(struct fib6_trie *trie, uint32_t n)
{
	void *nodes = grown(trie->nodes, trie->n_nodes, &trie->cap_nodes, n, sizeof(*trie->nodes));
	if (!nodes)
		return -ENOMEM;
	trie->nodes = nodes;
	memset(&trie->nodes[trie->n_nodes], 0, n * sizeof(*trie->nodes));
	trie->n_nodes += n;
	return 0;
}

static int add_leaves(struct fib6_trie *trie, const uint16_t *hops, uint32_t n)
{
	void *leaves = grown(trie->leaves, trie->n_leaves, &trie->cap_leaves, n, sizeof(*hops));
	if (!leaves)
		return -ENOMEM;
	trie->leaves = leaves;
	memcpy(&trie->leaves[trie->n_leaves], hops, n * sizeof(*hops));
	trie->n_leaves += n;
	return 0;
}

static void set_ranks(struct trie6_node *node)
{
	unsigned children = 0, leaves = 0;
	for (unsigned word = 0; word < 4; word++) {
		node->child_rank[word] = (uint8_t)children; /* at most 192 */
		node->leaf_rank[word] = (uint8_t)leaves;
		children += count_bits(node->words[word].children);
		leaves += count_bits(node->words[word].leaves);
	}
}

/* One byte of routes[0..n): what each of its values leads to. */
struct fan {
	uint16_t hops[256];
	struct {
		const struct fib6_route *routes;
		size_t n;
		uint8_t byte;
	} children[256];
	unsigned n_children;
};

static void spread(
	struct fan *fan, const struct fib6_route *routes, size_t n, unsigned depth, uint16_t hop)
{
	for (unsigned byte = 0; byte < 256; byte++)
		fan->hops[byte] = hop;
	fan->n_children = 0;
	for (size_t i = 0; i < n; i++) {
		const struct fib6_route *r = &routes[i];
		uint8_t byte = r->addr[depth];
		if (r->len <= 8 * (depth + 1)) {
			for (unsigned k = 0; k < 1u << (8 * (depth + 1) - r->len); k++)
				fan->hops[byte + k] = r->hop;
		} else if (fan->n_children && fan->children[fan->n_children - 1].byte == byte) {
			fan->children[fan->n_children - 1].n++;
		} else {
			fan->children[fan->n_children].routes = r;
			fan->children[fan->n_children].byte = byte;
			fan->children[fan->n_children++].n = 1;
		}
	}
}

/* How many bytes from depth on are the same in all routes, with no route ending within them. */
static unsigned same_bytes(const struct fib6_route *routes, size_t n, unsigned depth)
{
	unsigned same = 0;
	/* sorted: the first and the last differ where any do, and the shortest comes first */
	while (same < MAX_SKIPPED && routes[0].len > 8 * (depth + same + 1) &&
		routes[0].addr[depth + same] == routes[n - 1].addr[depth + same])
		same++;
	return same;
}

/* Fills in the node at `index` for routes that share their first `depth` bytes and end later;
 * `hop` is that of the best route that ends before. */
static int build(struct fib6_trie *trie, uint32_t index, const struct fib6_route *routes, size_t n,
	unsigned depth, uint16_t hop)
{
	struct trie6_node node = { .hop = hop, .n_skipped = (uint8_t)same_bytes(routes, n, depth) };
	for (unsigned i = 0; i < node.n_skipped; i++)
		node.skipped = node.skipped << 8 | routes[0].addr[depth++];

	struct fan *fan = malloc(sizeof(*fan)); /* not on the stack: this recurses */
	if (!fan)
		return -ENOMEM;
	spread(fan, routes, n, depth, hop);
	uint16_t runs[256] = { 0 };
	unsigned n_runs = 0;
	for (unsigned byte = 0; byte < 256; byte++) {
		if (n_runs && runs[n_runs - 1] == fan->hops[byte])
			continue;
		runs[n_runs++] = fan->hops[byte];
		node.words[byte >> 6].leaves |= 1ull << (byte & 63);
	}
	node.leaf = trie->n_leaves;
	node.child = trie->n_nodes;
	int rc = add_leaves(trie, runs, n_runs);
	if (!rc)
		rc = add_nodes(trie, fan->n_children);
	for (unsigned i = 0; i < fan->n_children && !rc; i++) {
		unsigned byte = fan->children[i].byte;
		node.words[byte >> 6].children |= 1ull << (byte & 63);
		rc = build(trie, node.child + i, fan->children[i].routes, fan->children[i].n,
			depth + 1, fan->hops[byte]);
	}
	free(fan);
	set_ranks(&node);
	trie->nodes[index] = node;
	return rc;
}

int trie6_build(const struct fib6_route *routes, size_t n, struct fib6_trie **ret_trie)
{
	struct fib6_trie *trie = calloc(1, sizeof(*trie));
	if (!trie)
		return -ENOMEM;
	int rc = add_nodes(trie, 1);
	if (!rc)
		rc = build(trie, 0, routes, n, SHARED_BYTES, 0);
	if (rc) {
		trie6_free(trie);
		return rc;
	}
	*ret_trie = trie;
	return 0;
}

void trie6_free(struct fib6_trie *trie)
{
	if (!trie)
		return;
	free(trie->nodes);
	free(trie->leaves);
	free(trie);
}

size_t trie6_bytes(const struct fib6_trie *trie)
{
	return sizeof(*trie) + trie->cap_nodes * sizeof(*trie->nodes) +
		trie->cap_leaves * sizeof(*trie->leaves);
}
