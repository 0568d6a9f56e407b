/* SPDX-License-Identifier: MIT */
/* The scheduler said again, as plainly as can be: lists that are walked from end to end, the
 * textbook's deficit round robin, and CoDel as the pseudo-code of RFC 8289 has it. There a class
 * that was chosen drops until it can send; ours chooses again after each drop. So the two agree
 * where at most one class that is not strict has CoDel, and no strict one. */
#ifndef TESTS_ROUTER_NODE_MODEL_H
#define TESTS_ROUTER_NODE_MODEL_H

#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "router/node/sched.h"

enum {
	MODEL_MAX = 20000
};

#define MODEL_BYTE 8000000000ll /* of wire */

struct model_codel {
	int64_t first_above_time, drop_next;
	uint32_t count, lastcount;
	bool dropping;
};

struct model_class {
	struct sched_item queue[MODEL_MAX];
	size_t n;
	long double tokens; /* bytes */
	int64_t counted_ns;
	int64_t deficit;
	struct model_codel codel;
};

struct model {
	const struct conf *conf;
	const struct conf_nic *nic;
	struct model_class classes[CONF_MAX_CLASSES];
	__int128 wire; /* when it is free: ns times the rate, so that nothing is rounded */
	unsigned turn;
	bool fresh; /* the turn's class has not got its quantum yet */
	struct sched_out *out;
	size_t n_out;
};

static inline struct model *model_new(const struct conf *conf, size_t nic)
{
	struct model *m = calloc(1, sizeof(*m));
	m->conf = conf;
	m->nic = &conf->nics[nic];
	m->out = calloc(MODEL_MAX * 10, sizeof(*m->out));
	m->fresh = true;
	for (size_t i = 0; i < conf->n_classes; i++)
		m->classes[i].tokens = conf->classes[i].burst;
	return m;
}

static inline void model_free(struct model *m)
{
	free(m->out);
	free(m);
}

static inline void model_tell(
	struct model *m, const struct sched_item *item, int64_t now, enum sched_fate fate)
{
	m->out[m->n_out++] =
		(struct sched_out){ item->packet, now, item->len, item->cls, (uint8_t)fate };
}

static inline bool model_deque(struct model_class *c, struct sched_item *item)
{
	if (!c->n)
		return false;
	*item = c->queue[0];
	memmove(c->queue, c->queue + 1, --c->n * sizeof(*item));
	return true;
}

static inline uint64_t model_bytes(const struct model_class *c)
{
	uint64_t bytes = 0;
	for (size_t i = 0; i < c->n; i++)
		bytes += c->queue[i].len;
	return bytes;
}

/* ---- RFC 8289, section 5 ---- */

static inline int64_t model_control_law(int64_t t, uint32_t count, uint64_t interval)
{
	/* with 16 bits behind the point, as ours; the root is libm's */
	uint64_t root = (uint64_t)floorl(sqrtl((long double)count * 4294967296.0L));
	return t + (int64_t)((interval << 16) / root);
}

static inline bool model_dodequeue(const struct model *m, struct model_class *c,
	const struct conf_class *conf, int64_t now, struct sched_item *item, bool *ok_to_drop)
{
	struct model_codel *v = &c->codel;
	*ok_to_drop = false;
	if (!model_deque(c, item)) {
		v->first_above_time = 0;
		return false;
	}
	if ((uint64_t)(now - item->time_ns) < conf->target_ns ||
		model_bytes(c) <= m->nic->mtu + 18) {
		v->first_above_time = 0;
	} else if (!v->first_above_time) {
		v->first_above_time = now + (int64_t)conf->interval_ns;
	} else if (now >= v->first_above_time) {
		*ok_to_drop = true;
	}
	return true;
}

/* Drops, or gives back the packet with its mark. True: `item` is sent as it is. */
static inline bool model_deque_codel(struct model *m, struct model_class *c,
	const struct conf_class *conf, int64_t now, struct sched_item *item, bool *marked)
{
	struct model_codel *v = &c->codel;
	bool ok, there = model_dodequeue(m, c, conf, now, item, &ok);
	*marked = false;
	if (v->dropping) {
		if (!ok)
			v->dropping = false;
		while (there && now >= v->drop_next && v->dropping) {
			v->count++;
			if (conf->ecn && item->ecn) {
				v->drop_next = model_control_law(
					v->drop_next, v->count, conf->interval_ns);
				*marked = true;
				return true;
			}
			model_tell(m, item, now, SCHED_CODEL);
			there = model_dodequeue(m, c, conf, now, item, &ok);
			if (!ok)
				v->dropping = false;
			else
				v->drop_next = model_control_law(
					v->drop_next, v->count, conf->interval_ns);
		}
	} else if (ok) {
		bool mark = conf->ecn && item->ecn;
		if (!mark) {
			model_tell(m, item, now, SCHED_CODEL);
			there = model_dodequeue(m, c, conf, now, item, &ok);
		}
		v->dropping = true;
		uint32_t delta = v->count - v->lastcount;
		v->count = 1;
		if (delta > 1 && now - v->drop_next < 16 * (int64_t)conf->interval_ns)
			v->count = delta;
		v->drop_next = model_control_law(now, v->count, conf->interval_ns);
		v->lastcount = v->count;
		*marked = mark;
	}
	return there;
}

/* ---- the choice ---- */

static inline bool model_has_tokens(struct model *m, size_t i, int64_t now)
{
	struct model_class *c = &m->classes[i];
	const struct conf_class *conf = &m->conf->classes[i];
	c->tokens += (long double)conf_rate_on(&conf->rate, m->nic->rate_bps) / 8 *
		(long double)(now - c->counted_ns) / 1e9L;
	if (c->tokens > conf->burst - 1e-9L)
		c->tokens = conf->burst;
	c->counted_ns = now;
	return c->tokens >= c->queue[0].len - 1e-9L || c->tokens == conf->burst;
}

static inline size_t model_robin(struct model *m)
{
	uint32_t least = UINT32_MAX;
	size_t n = m->conf->n_classes;
	for (size_t i = 0; i < n; i++)
		if (!m->conf->classes[i].strict && m->conf->classes[i].weight < least)
			least = m->conf->classes[i].weight;
	for (size_t i = 0; i < n; i++)
		if (!m->classes[i].n)
			m->classes[i].deficit = 0;
	for (;; m->turn = (m->turn + 1) % (unsigned)n, m->fresh = true) {
		struct model_class *c = &m->classes[m->turn];
		const struct conf_class *conf = &m->conf->classes[m->turn];
		if (conf->strict || !c->n)
			continue;
		if (m->fresh)
			c->deficit += (int64_t)conf->weight * (m->nic->mtu + 18) / least;
		m->fresh = false;
		if (c->queue[0].len <= c->deficit)
			return m->turn;
	}
}

static inline size_t model_choose(struct model *m, int64_t now, bool *paid)
{
	size_t n = m->conf->n_classes, left = n;
	bool weighted = false;
	*paid = true;
	for (size_t i = 0; i < n; i++) {
		bool strict = m->conf->classes[i].strict;
		if (!m->classes[i].n)
			continue;
		if (strict && model_has_tokens(m, i, now))
			return i;
		if (strict && left == n)
			left = i;
		weighted |= !strict;
	}
	*paid = false;
	return weighted ? model_robin(m) : left;
}

static inline bool model_idle(const struct model *m)
{
	for (size_t i = 0; i < m->conf->n_classes; i++)
		if (m->classes[i].n)
			return false;
	return true;
}

static inline int64_t model_free_ns(const struct model *m)
{
	return (int64_t)(m->wire / (int64_t)m->nic->rate_bps);
}

static inline void model_put(struct model *m, const struct sched_item *item)
{
	struct model_class *c = &m->classes[item->cls];
	if (c->n == m->conf->classes[item->cls].limit)
		return;
	if (model_idle(m) && model_free_ns(m) < item->time_ns)
		m->wire = (__int128)item->time_ns * (int64_t)m->nic->rate_bps;
	c->queue[c->n++] = *item;
}

static inline void model_run(struct model *m, int64_t until)
{
	while (!model_idle(m) && model_free_ns(m) < until) {
		int64_t now = model_free_ns(m);
		bool paid, marked = false, there = true;
		size_t i = model_choose(m, now, &paid);
		struct model_class *c = &m->classes[i];
		const struct conf_class *conf = &m->conf->classes[i];
		struct sched_item item = { 0 };
		if (conf->queue == CONF_QUEUE_CODEL)
			there = model_deque_codel(m, c, conf, now, &item, &marked);
		else
			model_deque(c, &item);
		if (!there)
			continue;
		model_tell(m, &item, now, marked ? SCHED_MARKED : SCHED_SENT);
		if (paid)
			c->tokens -= item.len;
		if (!conf->strict)
			c->deficit -= item.len;
		m->wire += item.len * MODEL_BYTE;
	}
}

#endif
