/* SPDX-License-Identifier: MIT */
/* Packets on their way out: headers rewritten, too large ones split, all counted. */
#ifndef ROUTER_NODE_EMIT_H
#define ROUTER_NODE_EMIT_H

#include "router/io/writer.h"
#include "router/node/chunk.h"
#include "router/node/counters.h"
#include "router/node/outlet.h"
#include "router/node/router.h"

enum {
	EMIT_LINK_MAX = 14 + 4 * PARSE_TAGS_MAX,
};

/* Length of the link header that a packet leaves with; its frame is that and p->cap bytes. */
uint32_t emit_link_len(const struct router *router, const struct packet *p);

/* Writes the frame that a packet leaves as. */
void emit_frame(const struct router *router, const struct packet *p, uint32_t link, uint8_t *to);

struct emitter {
	const struct router *router;
	struct io_writer **writers; /* by interface */
	struct outlet **outlets;    /* likewise; NULL: it has no rate, and nothing waits */
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

/* Sends what waits, after the last chunk. */
void emit_rest(struct emitter *e);

static inline void emitter_count(struct emitter *e, uint16_t in, uint16_t nic, uint32_t wire_len)
{
	e->counters[in].out++;
	e->counters[nic].sent++;
	e->counters[nic].sent_bytes += wire_len;
}

/* Hands a frame to the writer of `nic`, and counts it as one that came in by `in`. */
static inline void emitter_send(
	struct emitter *e, uint16_t in, uint16_t nic, const struct io_out *frame)
{
	if (e->tap) {
		e->tap(e->ctx, nic, frame);
	} else if (!io_writer_put(e->writers[nic], frame)) {
		e->counters[in].drops[DROP_unwritten]++;
		return;
	}
	emitter_count(e, in, nic, frame->wire_len);
}

#endif
