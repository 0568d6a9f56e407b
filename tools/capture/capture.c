/* SPDX-License-Identifier: MIT */
/* Which flow sends next, and when. */
#include "capture/capture.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "base/own.h"

/* One draw of Walker's alias method: take this one, or the other. */
struct alias {
	double keep;
	uint32_t other;
};

struct capture {
	struct capture_opts opts;
	struct capture_random random;
	struct capture_flow *flows;
	struct alias *popular;
	double shares[CAPTURE_KINDS_MAX]; /* running sums, the last is 1 */
	uint64_t made;
	uint64_t born; /* flows so far */
	double elapsed_ns;
};

uint64_t capture_random(struct capture_random *random)
{
	uint64_t z = random->state += 0x9e3779b97f4a7c15U;
	z = (z ^ z >> 30) * 0xbf58476d1ce4e5b9U;
	z = (z ^ z >> 27) * 0x94d049bb133111ebU;
	return z ^ z >> 31;
}

uint32_t capture_below(struct capture_random *random, uint32_t n)
{
	return (uint32_t)((capture_random(random) >> 32) * n >> 32);
}

double capture_unit(struct capture_random *random)
{
	return (double)(capture_random(random) >> 11) * 0x1p-53;
}

/* Walker's tables: every flow gets the same width, filled up by one that has too much. */
static int fill_popular(struct capture *capture, struct lt_err *err)
{
	uint32_t n = capture->opts.flows, n_small = 0, n_large = n;
	LT_AUTO_FREE double *weight = calloc(n, sizeof(*weight));
	LT_AUTO_FREE uint32_t *order = calloc(n, sizeof(*order));
	if (!weight || !order)
		return lt_fail_mem(err);
	double total = 0;
	for (uint32_t i = 0; i < n; i++)
		total += weight[i] = pow(i + 1.0, -capture->opts.zipf);
	for (uint32_t i = 0; i < n; i++) {
		weight[i] *= n / total;
		capture->popular[i] = (struct alias){ .keep = 1, .other = i };
		order[weight[i] < 1 ? n_small++ : --n_large] = i;
	}
	/* order: the too small from the left, the too large up to the right end. */
	while (n_small > 0 && n_large < n) {
		uint32_t small = order[--n_small], large = order[n_large];
		capture->popular[small] = (struct alias){ weight[small], large };
		weight[large] -= 1 - weight[small];
		if (weight[large] < 1) {
			n_large++;
			order[n_small++] = large;
		}
	}
	return 0;
}

static uint32_t pick_flow(struct capture *capture)
{
	uint32_t i = capture_below(&capture->random, capture->opts.flows);
	if (capture->opts.uniform)
		return i;
	const struct alias *alias = &capture->popular[i];
	return capture_unit(&capture->random) < alias->keep ? i : alias->other;
}

static uint32_t pick_outside(struct capture *capture)
{
	const struct capture_opts *opts = &capture->opts;
	const struct capture_net *net =
		&opts->nets[capture_below(&capture->random, (uint32_t)opts->n_nets)];
	return net->address | ((uint32_t)capture_random(&capture->random) & ~net->mask);
}

/* Ports inside go round, so that a host uses each once before it uses one again. Media ports are
 * even, with the next one theirs, too. */
static void begin_flow(struct capture *capture, struct capture_flow *flow)
{
	const struct capture_opts *opts = &capture->opts;
	double draw = capture_unit(&capture->random);
	uint8_t kind = 0;
	while (capture_kinds[kind + 1].name && draw >= capture->shares[kind])
		kind++;
	uint64_t n = capture->born++;
	uint32_t host = (uint32_t)(n % opts->hosts) + 1;
	uint32_t port = (uint32_t)(n / opts->hosts * 4 % (60000 - 1024) + 1024);
	uint16_t fixed = capture_kinds[kind].port;
	*flow = (struct capture_flow){
		.inside = opts->inside | (host & ~opts->inside_mask),
		.outside = pick_outside(capture),
		.inside_port = (uint16_t)(port + 1),
		.outside_port =
			fixed ? fixed : (uint16_t)(1024 + capture_below(&capture->random, 60000)),
		.inside_data = (uint16_t)(port + 2),
		.outside_data = (uint16_t)(10000 + 2 * capture_below(&capture->random, 20000)),
		.kind = kind,
		.call = (uint32_t)capture_random(&capture->random),
	};
}

static void sum_shares(struct capture *capture)
{
	double total = 0, sum = 0;
	for (int i = 0; capture_kinds[i].name; i++)
		total += capture->opts.shares[i];
	for (int i = 0; capture_kinds[i].name; i++)
		capture->shares[i] = sum += capture->opts.shares[i] / total;
}

int capture_new(const struct capture_opts *opts, struct capture **ret_capture, struct lt_err *err)
{
	struct capture *capture = calloc(1, sizeof(*capture));
	if (!capture)
		return lt_fail_mem(err);
	capture->opts = *opts;
	capture->random.state = opts->seed;
	capture->flows = calloc(opts->flows, sizeof(*capture->flows));
	capture->popular = calloc(opts->flows, sizeof(*capture->popular));
	int r = capture->flows && capture->popular ? 0 : lt_fail_mem(err);
	if (r == 0)
		r = fill_popular(capture, err);
	if (r < 0) {
		capture_free(capture);
		return r;
	}
	sum_shares(capture);
	for (uint32_t i = 0; i < opts->flows; i++)
		begin_flow(capture, &capture->flows[i]);
	*ret_capture = capture;
	return 0;
}

void capture_free(struct capture *capture)
{
	if (!capture)
		return;
	free(capture->flows);
	free(capture->popular);
	free(capture);
}

static uint32_t pick_size(struct capture *capture)
{
	if (capture->opts.sizes == CAPTURE_FIXED)
		return capture->opts.size;
	uint32_t draw = capture_below(&capture->random, 12);
	return draw < 7 ? CAPTURE_SMALL : draw < 11 ? 590 : 1514;
}

/* One step of a flow; answers that are not wanted are passed over, but leave the flow as it would
 * be with them. */
static void step(struct capture *capture, struct capture_flow *flow, struct capture_packet *packet)
{
	const struct capture_opts *opts = &capture->opts;
	const struct capture_kind *kind = &capture_kinds[flow->kind];
	uint32_t size = pick_size(capture);
	do {
		if (opts->life && flow->step >= opts->life)
			begin_flow(capture, flow);
		kind = &capture_kinds[flow->kind];
		packet->inbound = false;
		packet->word = kind->name;
		packet->inside_port = flow->inside_port;
		packet->outside_port = flow->outside_port;
		packet->frame = (struct frame){
			.ttl = 64, .id = (uint16_t)flow->step, .payload = packet->payload
		};
		if (kind->is_tcp && opts->life > 5 && flow->step + 2 >= opts->life)
			capture_make_end(flow, flow->step + 1 == opts->life, packet);
		else
			kind->make(flow, size, packet);
		flow->step++;
	} while (packet->inbound && !opts->both);
}

static void address_frame(const struct capture_opts *opts, const struct capture_flow *flow,
	struct capture_packet *packet)
{
	struct frame *frame = &packet->frame;
	uint32_t host = packet->inbound && opts->external ? opts->external : flow->inside;
	frame->from = packet->inbound ? flow->outside : host;
	frame->to = packet->inbound ? host : flow->outside;
	frame->from_port = packet->inbound ? packet->outside_port : packet->inside_port;
	frame->to_port = packet->inbound ? packet->inside_port : packet->outside_port;
	if (frame->protocol == FRAME_ICMP) {
		frame->from_port = packet->inside_port;
		frame->to_port = (uint16_t)(flow->step / 2);
	}
	frame_mac(frame->from, frame->from_mac);
	frame_mac(frame->to, frame->to_mac);
}

bool capture_next(struct capture *capture, struct capture_packet *packet)
{
	const struct capture_opts *opts = &capture->opts;
	if (capture->made == opts->packets)
		return false;
	struct capture_flow *flow = &capture->flows[pick_flow(capture)];
	step(capture, flow, packet);
	address_frame(opts, flow, packet);
	packet->time_ns = opts->start_ns + (int64_t)capture->elapsed_ns;
	capture->elapsed_ns += 1e9 / opts->rate * (0.5 + capture_unit(&capture->random));
	capture->made++;
	return true;
}
