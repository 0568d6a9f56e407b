/* SPDX-License-Identifier: MIT */
/* Chunks: runs of records to be decoded by whoever gets them. */
#include <stdlib.h>

#include "router/io/format.h"
#include "router/io/reader.h"

int io_chunk_init(struct io_chunk *chunk, uint32_t max, struct lt_err *err)
{
	*chunk = (struct io_chunk){ .max = max ? max : 1 };
	chunk->spans = calloc(chunk->max, sizeof(*chunk->spans));
	return chunk->spans ? 0 : lt_fail_mem(err);
}

void io_chunk_done(struct io_chunk *chunk)
{
	free(chunk->spans);
	*chunk = (struct io_chunk){ 0 };
}

void io_chunk_packets(const struct io_chunk *chunk, struct io_packet *packets)
{
	for (uint32_t i = 0; i < chunk->n_spans; i++) {
		const struct io_span *span = &chunk->spans[i];
		span->view->decode(span->view, span->at, span->n, packets);
		packets += span->n;
	}
}
