/* SPDX-License-Identifier: MIT */
/* Endpoints that were announced: sets of eight, so that a full table forgets what is oldest
 * instead of growing, and a look-up touches two cache lines at most. */
#include <stdlib.h>

#include "router/node/class.h"

enum {
	SETS = 1024,
	WAYS = 8,
};

#define LIFE_NS (300 * 1000000000ll)

struct learnt {
	int64_t time_ns;
	uint32_t addr;
	uint16_t port;
	uint8_t proto_v6; /* protocol << 1 | v6, of TCP and UDP */
	uint8_t app;      /* APP_UNKNOWN: the place is free */
};

_Static_assert(sizeof(struct learnt) == 16, "four to a cache line");

struct class_learnt {
	struct learnt sets[SETS][WAYS];
};

int class_learnt_new(struct class_learnt **ret_learnt, struct lt_err *err)
{
	*ret_learnt = calloc(1, sizeof(**ret_learnt));
	return *ret_learnt ? 0 : lt_fail_mem(err);
}

void class_learnt_free(struct class_learnt *learnt)
{
	free(learnt);
}

static unsigned set_of(uint32_t addr, uint16_t port)
{
	uint64_t hash = ((uint64_t)addr << 16 | port) * 0x9e3779b97f4a7c15u;
	return (unsigned)(hash >> 32) % SETS;
}

static bool is_same(const struct learnt *l, uint32_t addr, uint16_t port, uint8_t proto_v6)
{
	return l->app && l->addr == addr && l->port == port && l->proto_v6 == proto_v6;
}

void class_learnt_put(struct class_learnt *learnt, uint32_t addr, bool v6, uint16_t port,
	uint8_t proto, enum app app, int64_t now_ns)
{
	struct learnt *set = learnt->sets[set_of(addr, port)], *place = set;
	uint8_t proto_v6 = (uint8_t)(proto << 1 | v6);
	for (unsigned i = 0; i < WAYS; i++) {
		if (is_same(&set[i], addr, port, proto_v6)) {
			place = &set[i];
			break;
		}
		if (!set[i].app || (place->app && set[i].time_ns < place->time_ns))
			place = &set[i];
	}
	*place = (struct learnt){ .time_ns = now_ns,
		.addr = addr,
		.port = port,
		.proto_v6 = proto_v6,
		.app = (uint8_t)app };
}

enum app class_learnt_find(const struct class_learnt *learnt, uint32_t addr, bool v6, uint16_t port,
	uint8_t proto, int64_t now_ns)
{
	const struct learnt *set = learnt->sets[set_of(addr, port)];
	for (unsigned i = 0; i < WAYS; i++)
		if (is_same(&set[i], addr, port, (uint8_t)(proto << 1 | v6)))
			return now_ns - set[i].time_ns <= LIFE_NS ? (enum app)set[i].app
								  : APP_UNKNOWN;
	return APP_UNKNOWN;
}
