/* SPDX-License-Identifier: MIT */
/* Unsolicited SYNs. */
#include "router/node/syns.h"

#include <string.h>

#include "router/node/icmp.h"
#include "router/node/tcp.h"

void syns_done(struct syns *syns)
{
	free(LT_TAKE(syns->ring));
}

void syns_add(struct router *r, const struct packet *p)
{
	struct syns *syns = &r->syns;
	if (!(p->tcp & TCP_SYN) || p->tcp & TCP_ACK || syns->n == SYNS_MAX ||
		p->l2 + p->cap > SYNS_BYTES)
		return;
	if (!syns->ring)
		syns->ring = aligned_alloc(64, SYNS_MAX * sizeof(*syns->ring));
	if (!syns->ring)
		return;
	struct syn *syn = &syns->ring[(syns->first + syns->n++) % SYNS_MAX];
	syn->p = *p;
	syn->until_ns = r->now + (int64_t)r->conf->nat.tcp_syn_ns;
	memcpy(syn->bytes, p->ip - p->l2, p->l2 + p->cap);
	syn->p.ip = syn->bytes + p->l2;
}

void syns_tell(struct router *r, struct chunk *chunk)
{
	struct syns *syns = &r->syns;
	while (syns->n && syns->ring[syns->first].until_ns <= r->now) {
		struct syn *syn = &syns->ring[syns->first];
		syn->p.time_ns = r->now;
		if (flow_find(&r->flows, &syn->p, r->now) == FLOW_NONE)
			icmp_error(r, chunk, &syn->p, ICMP_PORT, 0);
		syns->first = (syns->first + 1) % SYNS_MAX;
		syns->n--;
	}
}
