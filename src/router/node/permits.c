/* SPDX-License-Identifier: MIT */
/* Address-dependent filtering: whom each inside endpoint has sent to, and in how many flows. */
#include "router/node/mapping.h"

struct permit {
	uint32_t mapping, remote, flows;
};

int permits_init(struct nat *nat)
{
	if (nat->conf->filtering != CONF_FILTERING_ADDRESS)
		return 0;
	if (slab_init(&nat->permits, sizeof(struct permit), 2 * nat->flows->pairs.max) < 0)
		return -ENOMEM;
	return index_init(&nat->by_permit);
}

void permits_done(struct nat *nat)
{
	slab_done(&nat->permits);
	index_done(&nat->by_permit);
}

static uint32_t hash(uint32_t mapping, uint32_t remote)
{
	return table_hash((uint64_t)mapping << 32 | remote, 2);
}

static uint32_t find(const struct nat *nat, uint32_t mapping, uint32_t remote)
{
	struct index_search search = index_search(hash(mapping, remote));
	for (uint32_t n; (n = index_next(&nat->by_permit, &search)) != TABLE_NONE;) {
		const struct permit *p = slab_at(&nat->permits, n);
		if (p->mapping == mapping && p->remote == remote)
			return n;
	}
	return TABLE_NONE;
}

bool permit_find(const struct nat *nat, uint32_t mapping, uint32_t remote)
{
	return find(nat, mapping, remote) != TABLE_NONE;
}

bool permit_add(struct nat *nat, uint32_t mapping, uint32_t remote)
{
	uint32_t n = find(nat, mapping, remote);
	if (n == TABLE_NONE) {
		n = slab_take(&nat->permits);
		if (n == TABLE_NONE)
			return false;
		if (!index_add(&nat->by_permit, hash(mapping, remote), n)) {
			slab_put(&nat->permits, n);
			return false;
		}
		*(struct permit *)slab_at(&nat->permits, n) =
			(struct permit){ .mapping = mapping, .remote = remote };
	}
	((struct permit *)slab_at(&nat->permits, n))->flows++;
	return true;
}

void permit_remove(struct nat *nat, uint32_t mapping, uint32_t remote)
{
	uint32_t n = find(nat, mapping, remote);
	if (n == TABLE_NONE)
		return;
	struct permit *p = slab_at(&nat->permits, n);
	if (--p->flows > 0)
		return;
	index_remove(&nat->by_permit, hash(mapping, remote), n);
	slab_put(&nat->permits, n);
}
