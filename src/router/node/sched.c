/* SPDX-License-Identifier: MIT */
/* One output: the clock of its wire, the choice of a class, and what becomes of its packet. */
#include "router/node/sched.h"

#include "router/node/sched_bucket.h"
#include "router/node/sched_codel.h"
#include "router/node/sched_drr.h"
#include "router/node/sched_queue.h"

struct lane {
	struct sched_queue queue;
	struct sched_bucket bucket; /* of a strict one */
	struct sched_codel codel;   /* where has_codel */
	bool strict, has_codel, ecn;
	struct sched_count count;
};

struct sched {
	uint64_t rate_bps;
	int64_t now;       /* when the last packet came */
	int64_t free_ns;   /* when the wire is free */
	uint64_t fraction; /* of a nanosecond that it is busy beyond, in 1/rate_bps */
	uint32_t ready;    /* bit C: class C has packets */
	uint32_t strict;   /* bit C: it is strict */
	uint32_t first[CONF_MAX_CLASSES]; /* lengths of the first packets of those that are ready */
	struct sched_drr drr;
	unsigned n_classes;
	struct lane lanes[CONF_MAX_CLASSES];
};

enum {
	LINK_HEADER = 18, /* Ethernet's, with a tag */
};

/* Of packets: so late that sums with what a queue takes to leave still fit. */
#define LAST_NS (INT64_MAX - ((int64_t)1 << 60))

static void set_up(struct lane *lane, const struct conf_class *conf, const struct conf_nic *nic)
{
	lane->queue.limit = conf->limit;
	lane->strict = conf->strict;
	lane->has_codel = conf->queue == CONF_QUEUE_CODEL;
	lane->ecn = conf->ecn;
	lane->codel = (struct sched_codel){ .target_ns = (int64_t)conf->target_ns,
		.interval_ns = (int64_t)conf->interval_ns,
		.mtu = nic->mtu + LINK_HEADER };
	if (conf->strict)
		sched_bucket_init(
			&lane->bucket, conf_rate_on(&conf->rate, nic->rate_bps), conf->burst);
}

int sched_new(const struct conf *conf, size_t nic, struct sched **ret_sched, struct lt_err *err)
{
	const struct conf_nic *n = &conf->nics[nic];
	struct sched *s = calloc(1, sizeof(*s));
	uint32_t weights[CONF_MAX_CLASSES];
	if (!s)
		return lt_fail_mem(err);
	s->rate_bps = n->rate_bps;
	s->n_classes = (unsigned)conf->n_classes;
	for (unsigned i = 0; i < s->n_classes; i++) {
		const struct conf_class *class = &conf->classes[i];
		set_up(&s->lanes[i], class, n);
		s->strict |= (uint32_t) class->strict << i;
		weights[i] = class->strict ? 0 : class->weight;
	}
	sched_drr_init(&s->drr, weights, s->n_classes, n->mtu + LINK_HEADER);
	*ret_sched = s;
	return 0;
}

void sched_free(struct sched *s)
{
	if (!s)
		return;
	for (unsigned i = 0; i < s->n_classes; i++)
		sched_queue_done(&s->lanes[i].queue);
	free(s);
}

size_t sched_waiting(const struct sched *s)
{
	size_t n = 0;
	for (unsigned i = 0; i < s->n_classes; i++)
		n += s->lanes[i].queue.n;
	return n;
}

const struct sched_count *sched_count(const struct sched *s, unsigned cls)
{
	return &s->lanes[cls].count;
}

bool sched_put(struct sched *s, const struct sched_item *item)
{
	struct lane *lane = &s->lanes[item->cls];
	struct sched_item it = *item;
	if (it.time_ns < s->now)
		it.time_ns = s->now;
	if (it.time_ns > LAST_NS)
		it.time_ns = LAST_NS;
	s->now = it.time_ns;
	lane->count.put++;
	if (!sched_queue_put(&lane->queue, &it)) {
		lane->count.full++;
		return false;
	}
	lane->count.waiting++;
	if (!s->ready && s->free_ns < it.time_ns) { /* the wire was idle */
		s->free_ns = it.time_ns;
		s->fraction = 0;
	}
	if (!(s->ready >> it.cls & 1))
		s->first[it.cls] = it.len;
	s->ready |= 1u << it.cls;
	return true;
}

/* The class that sends at this time; some class is ready. *ret_paid: it has tokens for it. */
static unsigned choose(struct sched *s, int64_t now, bool *ret_paid)
{
	*ret_paid = true;
	for (uint32_t left = s->ready & s->strict; left; left &= left - 1) {
		unsigned cls = (unsigned)__builtin_ctz(left);
		if (sched_bucket_allows(&s->lanes[cls].bucket, now, s->first[cls]))
			return cls;
	}
	*ret_paid = false;
	if (s->ready & ~s->strict)
		return sched_drr_pick(&s->drr, s->ready, s->first);
	return (unsigned)__builtin_ctz(s->ready);
}

static struct sched_item take(struct sched *s, unsigned cls)
{
	struct lane *lane = &s->lanes[cls];
	struct sched_item item = sched_queue_take(&lane->queue);
	lane->count.waiting--;
	if (lane->queue.n)
		s->first[cls] = sched_queue_first(&lane->queue)->len;
	else
		s->ready &= ~(1u << cls);
	return item;
}

/* Whether the packet may be sent, and how. */
static enum sched_fate judge(struct lane *lane, const struct sched_item *item, int64_t now)
{
	if (!lane->has_codel ||
		!sched_codel_hits(&lane->codel, now, now - item->time_ns, lane->queue.bytes))
		return SCHED_SENT;
	if (!lane->ecn || !item->ecn)
		return SCHED_CODEL;
	sched_codel_marked(&lane->codel);
	return SCHED_MARKED;
}

static void occupy_wire(struct sched *s, uint32_t len)
{
	uint64_t busy = len * 8ull * 1000000000 + s->fraction;
	s->free_ns += (int64_t)(busy / s->rate_bps);
	s->fraction = busy % s->rate_bps;
}

static void count_sent(struct sched_count *count, const struct sched_item *item, int64_t now)
{
	int64_t delay = now - item->time_ns;
	count->sent++;
	count->sent_bytes += item->len;
	count->delay_ns += (uint64_t)delay;
	if (delay > count->longest_ns)
		count->longest_ns = delay;
}

/* The packet is sent: its class pays for it, and the wire is busy for as long as it takes. */
static void send(struct sched *s, struct lane *lane, const struct sched_item *item, bool paid)
{
	count_sent(&lane->count, item, s->free_ns);
	if (paid)
		sched_bucket_take(&lane->bucket, item->len);
	if (!lane->strict)
		sched_drr_take(&s->drr, item->cls, item->len);
	occupy_wire(s, item->len);
}

size_t sched_run(struct sched *s, int64_t until_ns, struct sched_out *ret_out, size_t n)
{
	size_t done = 0;
	while (done < n && s->ready && s->free_ns < until_ns) {
		int64_t now = s->free_ns;
		bool paid;
		unsigned cls = choose(s, now, &paid);
		struct lane *lane = &s->lanes[cls];
		struct sched_item item = take(s, cls);
		enum sched_fate fate = judge(lane, &item, now);
		lane->count.codel += fate == SCHED_CODEL;
		lane->count.marked += fate == SCHED_MARKED;
		if (fate != SCHED_CODEL)
			send(s, lane, &item, paid);
		ret_out[done++] = (struct sched_out){ .packet = item.packet,
			.time_ns = now,
			.len = item.len,
			.cls = (uint8_t)cls,
			.fate = (uint8_t)fate };
	}
	return done;
}
