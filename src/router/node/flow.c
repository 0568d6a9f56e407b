/* SPDX-License-Identifier: MIT */
/* Flows: made, found, ended. */
#include "router/node/flow.h"

#include <assert.h>
#include <string.h>

_Static_assert((int)PACKET_V6 == (int)FLOW_V6, "flow_fits() compares them");

#define HEAD 0x80000000u /* in the link back: a slot of the wheel, not a pair */

/* Behind the slots: those that are being looked at. */
#define WHEEL_BYTES ((FLOW_SLOTS + 1) * sizeof(uint32_t))

int flows_init(struct flows *flows, uint32_t max, struct lt_err *err)
{
	memset(flows, 0, sizeof(*flows));
	flows->wheel = malloc(WHEEL_BYTES);
	if (!flows->wheel || slab_init(&flows->pairs, 2 * sizeof(struct flow_side), max) < 0 ||
		index_init(&flows->index) < 0) {
		flows_done(flows);
		return lt_fail_mem(err);
	}
	memset(flows->wheel, 0xff, WHEEL_BYTES);
	return 0;
}

void flows_done(struct flows *flows)
{
	slab_done(&flows->pairs);
	index_done(&flows->index);
	free(LT_TAKE(flows->wheel));
}

/* ---- the wheel ---- */

static int64_t deadline(const struct flows *flows, uint32_t pair)
{
	const struct flow_side *s = flow_at(flows, 2 * pair);
	int64_t last = s[0].last_ns > s[1].last_ns ? s[0].last_ns : s[1].last_ns;
	return last + flows->timeout_ns[s->timer];
}

/* Into the first slot that is all behind its deadline; or the farthest, where it will be looked at
 * and put in again. */
static void link_pair(struct flows *flows, uint32_t pair)
{
	int64_t slot = (deadline(flows, pair) >> FLOW_SLOT_SHIFT) + 1;
	if (slot < flows->turn)
		slot = flows->turn;
	if (slot > flows->turn + FLOW_SLOTS - 1)
		slot = flows->turn + FLOW_SLOTS - 1;
	uint32_t place = (uint32_t)((uint64_t)slot % FLOW_SLOTS), next = flows->wheel[place];
	flow_at(flows, 2 * pair)->link = next;
	flow_at(flows, 2 * pair + 1)->link = HEAD | place;
	if (next != FLOW_NONE)
		flow_at(flows, 2 * next + 1)->link = pair;
	flows->wheel[place] = pair;
}

static void unlink_pair(struct flows *flows, uint32_t pair)
{
	uint32_t next = flow_at(flows, 2 * pair)->link, back = flow_at(flows, 2 * pair + 1)->link;
	if (next != FLOW_NONE)
		flow_at(flows, 2 * next + 1)->link = back;
	if (back & HEAD)
		flows->wheel[back & ~HEAD] = next;
	else
		flow_at(flows, 2 * back)->link = next;
}

static void look_at_slot(struct flows *flows, uint32_t place, int64_t now)
{
	uint32_t *looked_at = &flows->wheel[FLOW_SLOTS];
	if (flows->wheel[place] == FLOW_NONE)
		return;
	*looked_at = flows->wheel[place];
	flows->wheel[place] = FLOW_NONE;
	flow_at(flows, 2 * *looked_at + 1)->link = HEAD | FLOW_SLOTS;
	while (*looked_at != FLOW_NONE) {
		uint32_t pair = *looked_at;
		if (flow_is_over(flows, 2 * pair, now)) {
			flow_end(flows, 2 * pair);
		} else {
			unlink_pair(flows, pair);
			link_pair(flows, pair);
		}
	}
}

void flows_turn(struct flows *flows, int64_t now)
{
	int64_t slot = flows->turn, to = now >> FLOW_SLOT_SHIFT;
	if (to - slot >= FLOW_SLOTS)
		slot = to - FLOW_SLOTS + 1;
	flows->turn = to + 1;
	if (flows->pairs.live == 0)
		return;
	for (; slot <= to; slot++)
		look_at_slot(flows, (uint32_t)((uint64_t)slot % FLOW_SLOTS), now);
}

void flow_sooner(struct flows *flows, uint32_t side)
{
	unlink_pair(flows, side / 2);
	link_pair(flows, side / 2);
}

/* ---- the table ---- */

static uint32_t side_hash(const struct flow_side *s)
{
	return packet_hash(s->src, s->dst, s->sport, s->dport, s->proto);
}

uint32_t flow_find(struct flows *flows, const struct packet *p, int64_t now)
{
	struct index_search search = index_search(p->hash);
	for (uint32_t side; (side = index_next(&flows->index, &search)) != FLOW_NONE;) {
		if (!flow_fits(flow_at(flows, side), p))
			continue;
		if (!flow_is_over(flows, side, now))
			return side;
		flow_end(flows, side);
		return FLOW_NONE;
	}
	return FLOW_NONE;
}

uint32_t flow_add(struct flows *flows, const struct flow_side side[2])
{
	uint32_t pair = slab_take(&flows->pairs);
	if (pair == TABLE_NONE)
		return FLOW_NONE;
	uint32_t hash = side_hash(&side[0]);
	if (!index_add(&flows->index, hash, 2 * pair)) {
		slab_put(&flows->pairs, pair);
		return FLOW_NONE;
	}
	if (!index_add(&flows->index, side_hash(&side[1]), 2 * pair + 1)) {
		index_remove(&flows->index, hash, 2 * pair);
		slab_put(&flows->pairs, pair);
		return FLOW_NONE;
	}
	struct flow_side *to = flow_at(flows, 2 * pair);
	to[0] = side[0];
	to[1] = side[1];
	link_pair(flows, pair);
	return 2 * pair;
}

void flow_end(struct flows *flows, uint32_t side)
{
	uint32_t pair = side / 2;
	struct flow_side *s = flow_at(flows, 2 * pair);
	if (flows->ended)
		flows->ended(flows->ctx, 2 * pair);
	index_remove(&flows->index, side_hash(&s[0]), 2 * pair);
	index_remove(&flows->index, side_hash(&s[1]), 2 * pair + 1);
	unlink_pair(flows, pair);
	s[0].proto = s[1].proto = 0;
	slab_put(&flows->pairs, pair);
}
