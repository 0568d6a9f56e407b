/* SPDX-License-Identifier: MIT */
/* Frames that wait. */
#include "router/node/outlet.h"

#include <stdlib.h>
#include <string.h>

#include "router/node/bytes.h"
#include "router/node/emit.h"

enum {
	RUN = 64, /* frames that leave at a time */
	CE = 3,   /* congestion experienced */
};

struct outlet {
	struct sched *sched;
	uint16_t nic;
};

struct frame {
	uint32_t len, wire_len;
	uint16_t in; /* the interface it came in by */
	uint16_t link;
	uint8_t bytes[];
};

int outlet_new(
	const struct conf *conf, uint16_t nic, struct outlet **ret_outlet, struct lt_err *err)
{
	struct outlet *o = calloc(1, sizeof(*o));
	if (!o)
		return lt_fail_mem(err);
	o->nic = nic;
	int r = sched_new(conf, nic, &o->sched, err);
	if (r < 0) {
		free(o);
		return r;
	}
	*ret_outlet = o;
	return 0;
}

static struct frame *frame_of(uint64_t packet)
{
	return (struct frame *)(uintptr_t)packet; /* NOLINT(performance-no-int-to-ptr) */
}

void outlet_free(struct outlet *o)
{
	if (!o)
		return;
	struct sched_out out[RUN];
	for (size_t n; (n = sched_run(o->sched, INT64_MAX, out, RUN)) > 0;) {
		for (size_t i = 0; i < n; i++)
			free(frame_of(out[i].packet));
	}
	sched_free(o->sched);
	free(o);
}

const struct sched *outlet_sched(const struct outlet *o)
{
	return o->sched;
}

static void mark(struct frame *f)
{
	uint8_t *ip = f->bytes + f->link;
	if (ip[0] >> 4 == 6) {
		ip[1] |= CE << 4;
		return;
	}
	uint16_t was = get16(ip), is = was | CE;
	put16(ip, is);
	put_raw(ip + 10, sum_update(get_raw(ip + 10), sum_delta16(was, is)));
}

static void leave(struct outlet *o, struct emitter *e, const struct sched_out *out)
{
	struct frame *f = frame_of(out->packet);
	if (out->fate == SCHED_CODEL) {
		e->counters[f->in].drops[DROP_codel]++;
	} else {
		if (out->fate == SCHED_MARKED)
			mark(f);
		const struct io_out frame = {
			.time_ns = out->time_ns,
			.head = f->bytes,
			.head_len = f->len,
			.wire_len = f->wire_len,
		};
		emitter_send(e, f->in, o->nic, &frame);
	}
	free(f);
}

static void run(struct outlet *o, struct emitter *e, int64_t until)
{
	struct sched_out out[RUN];
	for (size_t n; (n = sched_run(o->sched, until, out, RUN)) > 0;) {
		for (size_t i = 0; i < n; i++)
			leave(o, e, &out[i]);
	}
}

static uint8_t ecn_of(const struct frame *f)
{
	const uint8_t *ip = f->bytes + f->link;
	return ip[0] >> 4 == 6 ? ip[1] >> 4 & 3 : ip[1] & 3;
}

void outlet_put(struct outlet *o, struct emitter *e, const struct packet *p,
	const struct io_out *frame, uint32_t link)
{
	run(o, e, frame->time_ns);
	uint32_t len = frame->head_len + frame->tail_len;
	struct frame *f = malloc(sizeof(*f) + len);
	if (!f) {
		e->counters[p->in].drops[DROP_memory]++;
		return;
	}
	*f = (struct frame){
		.len = len, .wire_len = frame->wire_len, .in = p->in, .link = (uint16_t)link
	};
	memcpy(f->bytes, frame->head, frame->head_len);
	if (frame->tail_len)
		memcpy(f->bytes + frame->head_len, frame->tail, frame->tail_len);
	const struct sched_item item = {
		.packet = (uintptr_t)f,
		.time_ns = frame->time_ns,
		.len = frame->wire_len,
		.cls = p->cls,
		.ecn = ecn_of(f),
	};
	if (!sched_put(o->sched, &item)) {
		e->counters[p->in].drops[DROP_queue_full]++;
		free(f);
	}
}

void outlet_flush(struct outlet *o, struct emitter *e)
{
	run(o, e, INT64_MAX);
}
