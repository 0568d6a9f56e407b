/* SPDX-License-Identifier: MIT */
/* The whole packet path on frames of any bytes. The first byte picks a configuration; then come
 * records: interface, milliseconds since the last one, length (2 bytes), frame. Every packet is
 * counted once, no inside source leaves outside, IPv4 headers leave with the right sum, and whether
 * packets go through together or one by one makes no difference. */
#include <assert.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "router/conf/conf.h"
#include "router/node/bytes.h"
#include "router/node/emit.h"
#include "router/node/router.h"

enum {
	FRAMES_MAX = 256,
	VARIANTS = 8,
};

static const char common[] = "[interface lan]\n"
			     "address = 10.0.0.1/8\n"
			     "address = 2001:db8:1::1/64\n"
			     "side = inside\n"
			     "[interface wan]\n"
			     "address = 203.0.113.1/24\n"
			     "address = 2001:db8:2::1/64\n"
			     "side = outside\n"
			     "mtu = 1280\n"
			     "%s"
			     "[routes]\n"
			     "route = default 203.0.113.254 wan\n"
			     "route = ::/0 2001:db8:2::9 wan\n"
			     "[router]\n"
			     "max-flows = 72\n"
			     "max-fragments = 16\n"
			     "%s"
			     "%s";
static const char nat[] = "[nat]\n"
			  "address = 203.0.113.7\n"
			  "unknown-protocols = map\n"
			  "max-mappings = 64\n"
			  "forward = tcp 203.0.113.7:80 -> 10.0.0.80:80\n";
static const char classes[] = "[class voice]\ndscp = ef\ncontent = rtp\nstrict = yes\nrate = 30%\n"
			      "[class web]\ncontent = http sip ftp tls\nports = tcp/80\n"
			      "[class rest]\ndefault = yes\n";

struct setup {
	struct conf *conf;
	struct fib *fib;
};

static struct setup setups[VARIANTS];

static void make_setup(unsigned variant)
{
	char text[4096], with_nat[1024] = "";
	if (variant & 1)
		snprintf(with_nat, sizeof(with_nat), "%s%s", nat,
			variant & 4           ? "mapping = symmetric\n"
				: variant & 2 ? "filtering = endpoint-independent\n"
					      : "refresh-inbound = no\n");
	snprintf(text, sizeof(text), common, variant & 2 ? "rate = 1M\n" : "",
		variant & 4 ? "zero-length = frame\nsource-route = yes\n" : "", with_nat);
	if (variant & 2)
		strcat(text, classes);
	struct lt_err err = { 0 };
	struct setup *s = &setups[variant];
	int r = conf_parse(text, strlen(text), "fuzz", &s->conf, &err);
	if (r == 0)
		r = conf_fib(s->conf, &s->fib, &err);
	if (r < 0)
		fprintf(stderr, "%s\n", err.text);
	assert(r == 0);
}

struct sink {
	uint64_t sum, n;
	bool nat;
};

static void take(void *ctx, uint16_t nic, const struct io_out *out)
{
	struct sink *sink = ctx;
	const uint8_t *frame = out->head, *ip = frame + 14;
	uint32_t len = out->head_len + out->tail_len;
	sink->n++;
	for (uint32_t i = 0; i < out->head_len; i++)
		sink->sum = sink->sum * 31 + frame[i];
	sink->sum = sink->sum * 31 + nic + (uint64_t)out->time_ns + out->wire_len;
	if (len < 34 || get16(frame + 12) != 0x0800)
		return;
	assert(sum_fold(sum_bytes(ip, (ip[0] & 15u) * 4)) == SUM_RIGHT);
	assert(!sink->nat || nic != 1 || ip[12] != 10);
}

static size_t read_frames(const uint8_t *data, size_t size, struct io_packet *frames)
{
	size_t n = 0;
	int64_t now = INT64_C(1700000000) * 1000000000;
	while (size >= 4 && n < FRAMES_MAX) {
		uint32_t len = (uint32_t)data[2] << 8 | data[3];
		uint16_t nic = data[0] & 1;
		now += (int64_t)data[1] * data[1] * 1000000;
		data += 4;
		size -= 4;
		uint32_t there = len < size ? len : (uint32_t)size;
		frames[n++] = (struct io_packet){ .data = data,
			.time_ns = now,
			.len = there,
			.wire_len = len,
			.nic = nic,
			.link = (uint16_t)(nic ? 0 : len % 2) };
		data += there;
		size -= there;
	}
	return n;
}

/* Sends frames through a new router, `together` at a time. */
static struct sink run(
	const struct setup *s, const struct io_packet *frames, size_t n, size_t together)
{
	struct sink sink = { .nat = s->conf->nat.on };
	struct router *router;
	struct emitter emitter;
	struct chunk chunk;
	int r = router_new(s->conf, s->fib, NULL, &router, NULL);
	assert(r == 0);
	r = emitter_init(&emitter, router, NULL, NULL);
	assert(r == 0);
	r = chunk_init(&chunk, FRAMES_MAX, NULL);
	assert(r == 0);
	emitter.tap = take;
	emitter.ctx = &sink;
	for (size_t at = 0; at < n; at += together) {
		chunk_reset(&chunk);
		for (; chunk.n < together && at + chunk.n < n; chunk.n++)
			chunk.frames[chunk.n] = frames[at + chunk.n];
		router_parse_frames(router, &chunk);
		router_flow(router, &chunk);
		emit_chunk(&emitter, &chunk);
	}
	emit_rest(&emitter);
	router_finish(router, NULL);
	counters_add(emitter.counters, router->counters, s->conf->n_nics);
	assert(counters_balance(emitter.counters, s->conf->n_nics));
	assert(emitter.counters[0].in + emitter.counters[1].in == n);
	assert(emitter.counters[0].waiting + emitter.counters[1].waiting == 0);
	chunk_done(&chunk);
	emitter_done(&emitter);
	router_free(router);
	return sink;
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
	struct io_packet frames[FRAMES_MAX];
	if (size < 1)
		return 0;
	unsigned variant = data[0] % VARIANTS;
	if (!setups[variant].conf)
		make_setup(variant);
	size_t n = read_frames(data + 1, size - 1, frames);
	struct sink one = run(&setups[variant], frames, n, 1);
	struct sink all = run(&setups[variant], frames, n, FRAMES_MAX);
	assert(one.n == all.n && one.sum == all.sum);
	return 0;
}
