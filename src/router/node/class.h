/* SPDX-License-Identifier: MIT */
/* Which class a packet is of: that of its DSCP; else that of what its flow talks, as far as its
 * first packets tell; else that of its ports; else the default.
 *
 * For the packet path: class_of() for each packet, from the class that its flow remembers. A flow
 * gets its class when it begins, from class_learnt_find() and class_of_flow(). As long as
 * class_wants(), its packets that carry data go to class_look(), and when that says something new,
 * the flow gets its class again and what was learnt goes to class_learnt_put(). */
#ifndef ROUTER_NODE_CLASS_H
#define ROUTER_NODE_CLASS_H

#include <stdbool.h>
#include <stdint.h>

#include "router/conf/conf.h"
#include "router/node/app.h"

/* ---- what a flow talks ---- */

enum {
	CLASS_LOOKS = 8,    /* packets with data, of each direction, that are looked at */
	CLASS_IN_A_ROW = 3, /* that must agree where one alone proves nothing */
	CLASS_LESSONS = 8,  /* endpoints that one packet can announce */
};

/* What one direction of a flow remembers; all 0 at its beginning. */
struct class_flow {
	uint8_t app;   /* enum app */
	uint8_t looks; /* packets looked at; CLASS_LOOKS: no more are wanted */
	uint8_t guess; /* an app not yet proven << 4, and how many packets in a row said so */
	uint8_t mark;  /* what these have in common */
};

struct class_packet {
	const uint8_t *data; /* behind the TCP or UDP header */
	uint32_t len;        /* bytes that are there */
	uint32_t full;       /* bytes that there were */
	uint16_t sport, dport;
	uint8_t proto;
};

/* Where data will come from or go to that belongs to a flow which says so. */
struct class_endpoint {
	struct addr addr; /* family 0: that of the packet's sender */
	uint16_t port;
	uint8_t proto;
	uint8_t app;
};

struct class_lesson {
	struct class_endpoint endpoints[CLASS_LESSONS];
	unsigned n;
};

static inline bool class_wants(const struct class_flow *flow)
{
	return flow->looks < CLASS_LOOKS;
}

/* Looks at a packet with data. True: what the flow talks is new; the other direction then takes
 * *flow over, too. *ret_lesson is what the packet announces. */
bool class_look(
	struct class_flow *flow, const struct class_packet *p, struct class_lesson *ret_lesson);

/* Begins a flow that was announced as `app`; *flow may be all 0 no more than this. */
void class_flow_is(struct class_flow *flow, enum app app);

/* ---- endpoints that were announced ---- */

/* A bounded table: where it is full, the oldest of those that could be in the way goes. */
struct class_learnt;

int class_learnt_new(struct class_learnt **ret_learnt, struct lt_err *err);
void class_learnt_free(struct class_learnt *learnt);

/* `addr` is an IPv4 address, or a hash of an IPv6 one where v6. Forgotten after some minutes. */
void class_learnt_put(struct class_learnt *learnt, uint32_t addr, bool v6, uint16_t port,
	uint8_t proto, enum app app, int64_t now_ns);

/* What was announced of an endpoint; APP_UNKNOWN: nothing. */
enum app class_learnt_find(const struct class_learnt *learnt, uint32_t addr, bool v6, uint16_t port,
	uint8_t proto, int64_t now_ns);

/* ---- classes ---- */

struct class_map {
	uint8_t by_dscp[64]; /* CONF_NO_CLASS: none claims it; the same below */
	uint8_t by_app[APP_COUNT];
	uint8_t *tcp_ports, *udp_ports; /* 65536 each */
	uint8_t other;
	bool by_content; /* some class wants to know what flows talk */
	bool by_ports;
};

int class_map_init(struct class_map *map, const struct conf *conf, struct lt_err *err);
void class_map_done(struct class_map *map);

/* The class of a flow, whatever DSCP its packets have. */
unsigned class_of_flow(
	const struct class_map *map, enum app app, uint8_t proto, uint16_t sport, uint16_t dport);

static inline unsigned class_of(const struct class_map *map, unsigned dscp, unsigned flow_class)
{
	unsigned class = map->by_dscp[dscp & 63];
	return class == CONF_NO_CLASS ? flow_class : class;
}

#endif
