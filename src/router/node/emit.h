/* SPDX-License-Identifier: MIT */
/* Packets on their way out: headers rewritten, too large ones split, all counted. */
#ifndef ROUTER_NODE_EMIT_H
#define ROUTER_NODE_EMIT_H

#include "router/io/writer.h"
#include "router/node/chunk.h"
#include "router/node/counters.h"
#include "router/node/router.h"

enum {
	EMIT_HEAD_MAX = 14 + 4 * PARSE_TAGS_MAX + 60 + 20, /* link, tags, IP, layer 4 */
};

/* Writes a packet's frame as it leaves: what changed into `head`, the rest is where it was.
 * Returns the length of the link header. */
uint32_t emit_frame(const struct router *router, const struct packet *p,
	uint8_t head[EMIT_HEAD_MAX], struct io_out *ret_out);

struct emitter {
	const struct router *router;
	struct io_writer **writers; /* by interface */
	struct counters *counters;
	uint8_t *scratch; /* for packets that are split */
	/* takes the frames instead of writers; NULL: they are written */
	void (*tap)(void *ctx, uint16_t nic, const struct io_out *out);
	void *ctx;
};

int emitter_init(struct emitter *e, const struct router *router, struct io_writer **writers,
	struct lt_err *err);
void emitter_done(struct emitter *e);

/* Sends what is left of a chunk. Chunks come in order. */
void emit_chunk(struct emitter *e, const struct chunk *chunk);

#endif
