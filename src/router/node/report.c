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

void report_counters(
	const struct router *router, const struct counters *counters, struct lt_buf *out)
{
	struct counters all = { 0 };
	interfaces(router, counters, out);
	for (size_t i = 0; i < router->conf->n_nics; i++)
		add(&all, &counters[i]);
	if (dropped(&all)) {
		lt_buf_addf(out, "\n%-15s %12s %-20s\n", "dropped", "packets", "why");
		drops(router, counters, out);
	}
	if (!router->flows_on)
		return;
	const struct slab *flows = &router->flows.pairs;
	lt_buf_addf(out, "\nflows: %" PRIu32 " at the end, %" PRIu32 " at the most; ", flows->live,
		flows->used);
	lt_buf_addf(out, "mappings: %" PRIu32 " at the most", router->nat.mappings.used);
	if (flows->used)
		lt_buf_addf(out, "; %" PRIu64 " bytes each",
			(uint64_t)(router_flow_bytes(router) / flows->used));
	lt_buf_adds(out, "\n");
}
