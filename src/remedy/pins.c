/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Choosing CPUs, one after the other. */
#include "remedy/pins.h"

#include <string.h>

/* How many of those chosen share something with a CPU. */
struct shared {
	unsigned node, package, cache, core;
};

static struct shared count_shared(const struct sys_topology *t, const struct lt_cpuset *chosen,
	const struct sys_topology_cpu *c)
{
	struct shared s = { 0 };
	for (size_t i = 0; i < t->n; i++) {
		const struct sys_topology_cpu *o = &t->cpus[i];
		if (!lt_cpuset_has(chosen, o->cpu))
			continue;
		s.node += o->node == c->node;
		s.package += o->package == c->package;
		s.cache += o->cache == c->cache;
		s.core += o->core == c->core;
	}
	return s;
}

/* Is `a` the better next choice? */
typedef bool better_fn(const struct shared *a, const struct shared *b);

static bool is_closer(const struct shared *a, const struct shared *b)
{
	if (!a->cache != !b->cache)
		return a->cache > 0;
	if (!a->package != !b->package)
		return a->package > 0;
	if (!a->node != !b->node)
		return a->node > 0;
	return a->core < b->core;
}

static bool is_farther(const struct shared *a, const struct shared *b)
{
	if (a->node != b->node)
		return a->node < b->node;
	if (a->package != b->package)
		return a->package < b->package;
	if (a->cache != b->cache)
		return a->cache < b->cache;
	return a->core < b->core;
}

static void choose(
	const struct sys_topology *t, unsigned n, better_fn *better, struct lt_cpuset *set)
{
	while (lt_cpuset_count(set) < n && lt_cpuset_count(set) < t->n) {
		const struct sys_topology_cpu *best = NULL;
		struct shared best_shared = { 0 };
		for (size_t i = 0; i < t->n; i++) {
			if (lt_cpuset_has(set, t->cpus[i].cpu))
				continue;
			struct shared s = count_shared(t, set, &t->cpus[i]);
			if (best && !better(&s, &best_shared))
				continue;
			best = &t->cpus[i];
			best_shared = s;
		}
		if (!best)
			return;
		lt_cpuset_add(set, best->cpu);
	}
}

/* A CPU of the cache that has the most CPUs; t->n > 0. */
static const struct sys_topology_cpu *in_largest_cache(const struct sys_topology *t)
{
	const struct sys_topology_cpu *best = &t->cpus[0];
	unsigned most = 0;
	for (size_t i = 0; i < t->n; i++) {
		unsigned n = 0;
		for (size_t k = 0; k < t->n; k++)
			n += t->cpus[k].cache == t->cpus[i].cache;
		if (n <= most)
			continue;
		most = n;
		best = &t->cpus[i];
	}
	return best;
}

void pins_close(const struct sys_topology *t, unsigned n, struct lt_cpuset *ret)
{
	memset(ret, 0, sizeof(*ret));
	if (t->n && n)
		lt_cpuset_add(ret, in_largest_cache(t)->cpu);
	choose(t, n, is_closer, ret);
}

void pins_spread(const struct sys_topology *t, unsigned n, struct lt_cpuset *ret)
{
	memset(ret, 0, sizeof(*ret));
	choose(t, n, is_farther, ret);
}

void pins_one_cache(const struct sys_topology *t, struct lt_cpuset *ret)
{
	memset(ret, 0, sizeof(*ret));
	if (!t->n)
		return;
	unsigned cache = in_largest_cache(t)->cache;
	for (size_t i = 0; i < t->n; i++)
		if (t->cpus[i].cache == cache)
			lt_cpuset_add(ret, t->cpus[i].cpu);
}

struct remedy_offer pins_offer(const struct remedy_place *place, const struct lt_cpuset *set,
	const char *pointless, struct remedy_change *ret)
{
	if (!place->topology.n)
		return remedy_refuse(REMEDY_MISSING, place->topology_why,
			"install libhwloc15: it knows which CPUs share caches");
	if (place->pin && !memcmp(set->bits, place->pin->bits, sizeof(set->bits)))
		return remedy_refuse(
			REMEDY_POINTLESS, "the program runs on just these CPUs as it is", NULL);
	if (!place->pin && !memcmp(set->bits, place->allowed.bits, sizeof(set->bits)))
		return remedy_refuse(REMEDY_POINTLESS, pointless, NULL);
	*ret = (struct remedy_change){ .pinned = true, .pin = *set };
	return remedy_ready();
}

struct remedy_offer pins_choose(const struct remedy_place *place,
	void (*choose_set)(const struct sys_topology *t, unsigned n, struct lt_cpuset *ret),
	struct remedy_change *ret)
{
	struct lt_cpuset set;
	unsigned cpus = lt_cpuset_count(&place->allowed);
	if (cpus < 2)
		return remedy_refuse(REMEDY_POINTLESS, "the program may use one CPU only", NULL);
	if (!place->threads) { /* for no program in particular: could it be tried at all? */
		choose_set(&place->topology, cpus - 1, &set);
		return pins_offer(place, &set, "the program may use one CPU only", ret);
	}
	choose_set(&place->topology, place->threads, &set);
	return pins_offer(
		place, &set, "there are as many threads as CPUs, or more: no choice is left", ret);
}
