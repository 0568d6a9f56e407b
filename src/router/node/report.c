/* SPDX-License-Identifier: MIT */
/* The report of a run. */
#include "router/node/report.h"

#include <inttypes.h>
#include <string.h>

static uint64_t dropped(const struct counters *c)
{
	uint64_t n = 0;
	for (unsigned d = 0; d < DROPS; d++)
		n += c->drops[d];
	return n;
}

static void add(struct counters *all, const struct counters *c)
{
	all->in += c->in;
	all->made += c->made;
	all->out += c->out;
	all->sent += c->sent;
	for (unsigned d = 0; d < DROPS; d++)
		all->drops[d] += c->drops[d];
}

static void line(struct lt_buf *out, const char *name, const struct counters *c)
{
	lt_buf_addf(out,
		"%-15s %12" PRIu64 " %9" PRIu64 " %12" PRIu64 " %12" PRIu64 " %12" PRIu64 "\n",
		name, c->in, c->made, c->out, dropped(c), c->sent);
}

/* Of packets that came in: how many, what was made for them, what left, what was dropped. `sent`
 * is what this interface sent, wherever it came in. */
static void interfaces(const struct router *r, const struct counters *c, struct lt_buf *out)
{
	struct counters all = { 0 };
	lt_buf_addf(out, "%-15s %12s %9s %12s %12s %12s\n", "interface", "in", "made", "out",
		"dropped", "sent");
	for (size_t i = 0; i < r->conf->n_nics; i++) {
		line(out, r->conf->nics[i].name, &c[i]);
		add(&all, &c[i]);
	}
	line(out, "all", &all);
}

static void drops(const struct router *r, const struct counters *c, struct lt_buf *out)
{
	for (size_t i = 0; i < r->conf->n_nics; i++) {
		for (unsigned d = 1; d < DROPS; d++) {
			if (!c[i].drops[d])
				continue;
			lt_buf_addf(out, "%-15s %12" PRIu64 " %-20s %s\n", r->conf->nics[i].name,
				c[i].drops[d], drop_name((enum drop)d), drop_what((enum drop)d));
		}
	}
}

/* Delays are of those sent: where none was, there is no delay. */
static void queue(
	const char *nic, const char *class, const struct sched_count *q, struct lt_buf *out)
{
	lt_buf_addf(out, "%-15s %-15s %10" PRIu64 " %9" PRIu64 " %8" PRIu64, nic, class, q->sent,
		q->full + q->codel, q->marked);
	if (q->sent)
		lt_buf_addf(out, " %8.3f %8.3f\n", (double)q->delay_ns / (double)q->sent / 1e6,
			(double)q->longest_ns / 1e6);
	else
		lt_buf_addf(out, " %8s %8s\n", "-", "-");
}

static void queues(const struct router *r, const struct run_counts *counts, struct lt_buf *out)
{
	const struct conf *conf = r->conf;
	lt_buf_addf(out, "\n%-15s %-15s %10s %9s %8s %8s %8s\n", "queue", "class", "sent",
		"dropped", "marked", "mean ms", "most ms");
	for (size_t i = 0; i < conf->n_nics; i++) {
		for (unsigned k = 0; conf->nics[i].rate_bps && k < conf->n_classes; k++)
			queue(conf->nics[i].name, conf->classes[k].name, &counts->queues[i][k],
				out);
	}
}

static void tables(const struct router *r, struct lt_buf *out)
{
	const struct slab *flows = &r->flows.pairs;
	lt_buf_addf(out, "\nflows: %" PRIu32 " at the end, %" PRIu32 " at the most", flows->live,
		flows->used);
	if (r->conf->nat.on && r->conf->nat.mapping == CONF_MAPPING_EIM)
		lt_buf_addf(out, "; mappings: %" PRIu32 " at the most", r->nat.mappings.used);
	lt_buf_addf(out, "; memory: %" PRIu64 " KiB\n", (uint64_t)(router_flow_bytes(r) >> 10));
}

void report_counts(const struct router *router, const struct run_counts *counts, struct lt_buf *out)
{
	const struct counters *nics = counts->nics;
	struct counters all = { 0 };
	interfaces(router, nics, out);
	for (size_t i = 0; i < router->conf->n_nics; i++)
		add(&all, &nics[i]);
	if (dropped(&all)) {
		lt_buf_addf(out, "\n%-15s %12s %-20s\n", "dropped", "packets", "why");
		drops(router, nics, out);
	}
	if (router->classes_on)
		queues(router, counts, out);
	if (router->flows_on)
		tables(router, out);
}
