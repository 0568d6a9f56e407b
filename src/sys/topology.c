/* SPDX-License-Identifier: GPL-2.0-or-later */
/* From hwloc's tree of objects to a flat list of CPUs. */
#include "sys/topology.h"

#include <dlfcn.h>
#include <hwloc.h>
#include <stdbool.h>

/* What leat needs of hwloc; the rest of its interface is inline functions over these. */
struct hwloc_api {
	__typeof__(hwloc_topology_init) *init;
	__typeof__(hwloc_topology_load) *load;
	__typeof__(hwloc_topology_destroy) *destroy;
	__typeof__(hwloc_topology_set_io_types_filter) *filter_io;
	__typeof__(hwloc_get_type_depth) *depth_of;
	__typeof__(hwloc_get_obj_by_depth) *object;
	__typeof__(hwloc_get_nbobjs_by_depth) *count;
	__typeof__(hwloc_bitmap_isset) *has;
};

static int load_hwloc(struct hwloc_api *ret, struct lt_err *err)
{
	void *lib = dlopen("libhwloc.so.15", RTLD_NOW | RTLD_LOCAL); /* stays */
	if (!lib) {
		lt_err_set(err, -ENOTSUP, "LT-TOPOLOGY", "hwloc is not here: %s", dlerror());
		return lt_hint(err, "install libhwloc15: it knows which CPUs share caches");
	}
	const struct {
		const char *name;
		void **to;
	} wanted[] = {
		{ "hwloc_topology_init", (void **)&ret->init },
		{ "hwloc_topology_load", (void **)&ret->load },
		{ "hwloc_topology_destroy", (void **)&ret->destroy },
		{ "hwloc_topology_set_io_types_filter", (void **)&ret->filter_io },
		{ "hwloc_get_type_depth", (void **)&ret->depth_of },
		{ "hwloc_get_obj_by_depth", (void **)&ret->object },
		{ "hwloc_get_nbobjs_by_depth", (void **)&ret->count },
		{ "hwloc_bitmap_isset", (void **)&ret->has },
	};
	for (size_t i = 0; i < LT_COUNT(wanted); i++) {
		*wanted[i].to = dlsym(lib, wanted[i].name);
		if (!*wanted[i].to)
			return lt_fail(
				err, -ENOTSUP, "LT-TOPOLOGY", "hwloc lacks %s", wanted[i].name);
	}
	return 0;
}

/* The number of the object of one type that a CPU is part of, counted from 1; 0 = none. */
static unsigned number_of(
	const struct hwloc_api *api, hwloc_topology_t topo, hwloc_obj_type_t type, unsigned cpu)
{
	int depth = api->depth_of(topo, type);
	if (depth == HWLOC_TYPE_DEPTH_UNKNOWN || depth == HWLOC_TYPE_DEPTH_MULTIPLE)
		return 0;
	unsigned n = api->count(topo, depth);
	for (unsigned i = 0; i < n; i++)
		if (api->has(api->object(topo, depth, i)->cpuset, cpu))
			return i + 1;
	return 0;
}

/* Of the largest cache shared by several CPUs of the list; a CPU that shares none is alone. */
static void number_caches(
	const struct hwloc_api *api, hwloc_topology_t topo, struct sys_topology *t)
{
	static const hwloc_obj_type_t levels[] = { HWLOC_OBJ_L5CACHE, HWLOC_OBJ_L4CACHE,
		HWLOC_OBJ_L3CACHE, HWLOC_OBJ_L2CACHE, HWLOC_OBJ_L1CACHE };
	bool shared = false;
	for (size_t l = 0; l < LT_COUNT(levels) && !shared; l++) {
		for (size_t i = 0; i < t->n; i++) {
			t->cpus[i].cache = number_of(api, topo, levels[l], t->cpus[i].cpu);
			shared |= i > 0 && t->cpus[i].cache &&
				t->cpus[i].cache == t->cpus[i - 1].cache;
		}
	}
	for (size_t i = 0; i < t->n; i++)
		if (!shared || !t->cpus[i].cache)
			t->cpus[i].cache = (unsigned)(LT_CPUS_MAX + i);
}

static unsigned count_nodes(const struct sys_topology *t)
{
	unsigned nodes = 0;
	for (size_t i = 0; i < t->n; i++) {
		bool seen = false;
		for (size_t k = 0; k < i && !seen; k++)
			seen = t->cpus[k].node == t->cpus[i].node;
		nodes += !seen;
	}
	return nodes;
}

static int list_cpus(const struct hwloc_api *api, hwloc_topology_t topo, const struct lt_cpuset *of,
	struct lt_arena *arena, struct sys_topology *ret, struct lt_err *err)
{
	int depth = api->depth_of(topo, HWLOC_OBJ_PU);
	unsigned n = api->count(topo, depth);
	struct sys_topology t = { .cpus = lt_arena_alloc(arena, n * sizeof(*t.cpus) + 1) };
	if (!t.cpus)
		return lt_fail_mem(err);
	for (unsigned i = 0; i < n; i++) { /* in hwloc's order: neighbours side by side */
		unsigned cpu = api->object(topo, depth, i)->os_index;
		if (!lt_cpuset_has(of, cpu))
			continue;
		t.cpus[t.n++] = (struct sys_topology_cpu){
			.cpu = cpu,
			.core = number_of(api, topo, HWLOC_OBJ_CORE, cpu),
			.package = number_of(api, topo, HWLOC_OBJ_PACKAGE, cpu),
			.node = number_of(api, topo, HWLOC_OBJ_NUMANODE, cpu),
		};
	}
	if (!t.n)
		return lt_fail(
			err, -ENOTSUP, "LT-TOPOLOGY", "hwloc knows none of the allowed CPUs");
	for (size_t i = 0; i < t.n; i++)
		if (!t.cpus[i].core) /* no cores told apart: each CPU is one */
			t.cpus[i].core = (unsigned)(LT_CPUS_MAX + i);
	number_caches(api, topo, &t);
	t.nodes = count_nodes(&t);
	*ret = t;
	return 0;
}

int sys_topology(const struct lt_cpuset *of, struct lt_arena *arena, struct sys_topology *ret,
	struct lt_err *err)
{
	struct hwloc_api api;
	hwloc_topology_t topo;
	int r = load_hwloc(&api, err);
	if (r < 0)
		return r;
	if (api.init(&topo) < 0)
		return lt_fail(err, -ENOTSUP, "LT-TOPOLOGY", "hwloc does not start");
	/* Disks and cards do not matter here, and looking for them takes time. */
	api.filter_io(topo, HWLOC_TYPE_FILTER_KEEP_NONE);
	r = api.load(topo) < 0
		? lt_fail(err, -ENOTSUP, "LT-TOPOLOGY", "hwloc cannot read this machine")
		: list_cpus(&api, topo, of, arena, ret, err);
	api.destroy(topo);
	return r;
}
