/* SPDX-License-Identifier: MIT */
/* Routes of both families by value, and the numbers of their hops. */
#include "router/fib/fib.h"

#include <string.h>

enum {
	INDEX_SIZE = 1 << 16
};

int fib_new(struct fib **ret_fib, struct lt_err *err)
{
	struct fib *fib = calloc(1, sizeof(*fib));
	if (!fib)
		return lt_fail_mem(err);
	int v4 = fib4_init(&fib->v4), v6 = fib6_init(&fib->v6);
	fib->hops = calloc(FIB_MAX_HOPS + 1, sizeof(*fib->hops));
	fib->hop_index = calloc(INDEX_SIZE, sizeof(*fib->hop_index));
	fib->n_hops = 1;
	if (v4 < 0 || v6 < 0 || !fib->hops || !fib->hop_index) {
		fib_free(fib);
		return lt_fail_mem(err);
	}
	*ret_fib = fib;
	return 0;
}

void fib_free(struct fib *fib)
{
	if (!fib)
		return;
	fib4_done(&fib->v4);
	fib6_done(&fib->v6);
	free(fib->hop_index);
	free(fib->hops);
	free(fib);
}

static bool same_hop(const struct fib_hop *a, const struct fib_hop *b)
{
	return a->kind == b->kind && a->nic == b->nic && addr_equal(&a->via, &b->via);
}

static uint32_t hash_hop(const struct fib_hop *hop)
{
	uint32_t hash = (uint32_t)hop->nic << 8 | hop->kind;
	for (size_t i = 0; i < sizeof(hop->via.bytes); i++)
		hash = (hash ^ hop->via.bytes[i]) * 0x01000193u;
	return hash ^ hash >> 15;
}

int fib_hop_number(
	struct fib *fib, const struct fib_hop *hop, uint16_t *ret_number, struct lt_err *err)
{
	uint32_t slot = hash_hop(hop) % INDEX_SIZE;
	for (; fib->hop_index[slot]; slot = (slot + 1) % INDEX_SIZE) {
		if (same_hop(&fib->hops[fib->hop_index[slot]], hop)) {
			*ret_number = fib->hop_index[slot];
			return 0;
		}
	}
	if (fib->n_hops > FIB_MAX_HOPS) {
		lt_err_set(err, -ENOSPC, "LT-FIB-HOPS", "more than %d different next hops",
			FIB_MAX_HOPS);
		return lt_hint(err, "send routes to fewer next hops");
	}
	*ret_number = (uint16_t)fib->n_hops;
	fib->hop_index[slot] = *ret_number;
	fib->hops[fib->n_hops++] = *hop;
	return 0;
}

int fib_add(
	struct fib *fib, const struct prefix *prefix, const struct fib_hop *hop, struct lt_err *err)
{
	struct prefix p = prefix_masked(prefix);
	uint16_t number;
	int rc = fib_hop_number(fib, hop, &number, err);
	if (rc < 0)
		return rc;
	if (p.addr.family == 4)
		rc = fib4_add(&fib->v4, addr_v4(&p.addr), p.len, number);
	else
		rc = fib6_add(&fib->v6, p.addr.bytes, p.len, number);
	if (rc < 0)
		return lt_fail_mem(err);
	fib->generation++;
	return rc;
}

int fib_delete(struct fib *fib, const struct prefix *prefix, struct lt_err *err)
{
	struct prefix p = prefix_masked(prefix);
	char text[PREFIX_TEXT_MAX];
	int rc = p.addr.family == 4 ? fib4_delete(&fib->v4, addr_v4(&p.addr), p.len)
				    : fib6_delete(&fib->v6, p.addr.bytes, p.len);
	if (rc == -ENOENT)
		return lt_fail(err, rc, "LT-FIB-ROUTE", "there is no route of prefix %s",
			prefix_text(&p, text));
	if (rc < 0)
		return lt_fail_mem(err);
	fib->generation++;
	return 0;
}

const struct fib_hop *fib_find(const struct fib *fib, const struct prefix *prefix)
{
	struct prefix p = prefix_masked(prefix);
	uint16_t number = p.addr.family == 4 ? fib4_find(&fib->v4, addr_v4(&p.addr), p.len)
					     : fib6_find(&fib->v6, p.addr.bytes, p.len);
	return number ? fib_hop(fib, number) : NULL;
}

const struct fib_hop *fib_lookup(const struct fib *fib, const struct addr *addr)
{
	if (addr->family == 4)
		return fib_hop(fib, fib4_lookup(&fib->v4, addr_v4(addr)));
	return fib_hop(fib, fib6_lookup(&fib->v6, addr->bytes));
}

size_t fib_bytes(const struct fib *fib)
{
	return fib4_bytes(&fib->v4) + fib6_bytes(&fib->v6) + fib->n_hops * sizeof(*fib->hops) +
		INDEX_SIZE * sizeof(*fib->hop_index);
}
