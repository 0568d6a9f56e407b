/* SPDX-License-Identifier: MIT */
/* What stands between the packet path and the writer of an interface that has a rate: packets wait
 * here, as copies, until their time has come. */
#ifndef ROUTER_NODE_OUTLET_H
#define ROUTER_NODE_OUTLET_H

#include "router/io/writer.h"
#include "router/node/packet.h"
#include "router/node/sched.h"

struct emitter;
struct outlet;

/* For an interface with a rate. Owner: the caller. */
int outlet_new(
	const struct conf *conf, uint16_t nic, struct outlet **ret_outlet, struct lt_err *err);
void outlet_free(struct outlet *outlet);

/* Lets a frame wait, after those whose time has come by now have left. `link` is the length of its
 * link header. */
void outlet_put(struct outlet *outlet, struct emitter *emitter, const struct packet *p,
	const struct io_out *frame, uint32_t link);

/* Lets all leave. */
void outlet_flush(struct outlet *outlet, struct emitter *emitter);

const struct sched *outlet_sched(const struct outlet *outlet);

#endif
