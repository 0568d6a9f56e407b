/* SPDX-License-Identifier: MIT */
/* The bare loops. */
#include "router/bare.h"

#include <endian.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum {
	BATCH = 256,
	FILE_HEAD = 24,
	RECORD_HEAD = 16,
	LINK = 14,
	RING = 4 << 20, /* bytes of memory for each output */
	SPARE = 4096,
};

struct entry { /* one direction of a flow */
	uint32_t src, dst;
	uint16_t sport, dport;
	uint16_t new_port, ip_delta, l4_delta, hop;
	uint8_t proto, used;
	uint8_t pad[38];
};

struct table {
	struct entry *entries;
	uint32_t mask, used;
};

struct key {
	uint32_t src, dst, ports, hash;
	uint8_t proto;
	const uint8_t *record;
};

static const uint32_t external = 0x64400001; /* 100.64.0.1 */

static uint32_t get32(const uint8_t *p)
{
	uint32_t v;
	memcpy(&v, p, 4);
	return v;
}

static uint16_t fold(uint32_t sum)
{
	sum = (sum & 0xffff) + (sum >> 16);
	return (uint16_t)((sum & 0xffff) + (sum >> 16));
}

static uint32_t hash_of(uint32_t src, uint32_t dst, uint32_t ports, uint8_t proto)
{
	uint64_t h = ((uint64_t)src << 32 | dst) * 0x9e3779b97f4a7c15u;
	h ^= ((uint64_t)ports << 8 | proto) * 0xe7037ed1a0b428dbu;
	return (uint32_t)(h >> 32);
}

static int header_is_good(const uint8_t *ip, uint32_t there)
{
	uint64_t sum = 0;
	for (int i = 0; i < 20; i += 4)
		sum += get32(ip + i);
	sum = (sum & 0xffffffff) + (sum >> 32);
	sum = (sum & 0xffff) + (sum >> 16);
	sum = (sum & 0xffff) + (sum >> 16);
	uint16_t len;
	memcpy(&len, ip + 2, 2);
	return ip[0] == 0x45 && (uint16_t)((sum & 0xffff) + (sum >> 16)) == 0xffff &&
		be16toh(len) <= there && be16toh(len) >= 28 && ip[8] > 1;
}

static void insert(struct table *t, const struct entry *e)
{
	uint32_t at = hash_of(e->src, e->dst, (uint32_t)e->sport << 16 | e->dport, e->proto);
	for (at &= t->mask; t->entries[at].used; at = (at + 1) & t->mask)
		;
	t->entries[at] = *e;
	t->used++;
}

static void grow(struct table *t)
{
	struct table bigger = { .mask = t->mask ? t->mask * 2 + 1 : 65535 };
	bigger.entries = aligned_alloc(64, ((size_t)bigger.mask + 1) * sizeof(struct entry));
	if (!bigger.entries)
		abort();
	memset(bigger.entries, 0, ((size_t)bigger.mask + 1) * sizeof(struct entry));
	for (size_t i = 0; t->entries && i <= t->mask; i++) {
		if (t->entries[i].used)
			insert(&bigger, &t->entries[i]);
	}
	free(t->entries);
	*t = bigger;
}

static const struct entry *make_flow(struct table *t, const struct key *k, const struct fib4 *fib)
{
	static uint16_t next_port[256];
	uint16_t port = (uint16_t)(1024 + next_port[k->proto]++ % 64512);
	struct entry e = { .src = k->src,
		.dst = k->dst,
		.sport = (uint16_t)(k->ports >> 16),
		.dport = (uint16_t)k->ports,
		.proto = k->proto,
		.used = 1,
		.new_port = port,
		.hop = fib4_lookup(fib, k->dst) };
	uint32_t from = ~htobe32(k->src), to = htobe32(external);
	uint32_t ip = (from & 0xffff) + (from >> 16) + (to & 0xffff) + (to >> 16);
	e.ip_delta = fold(ip);
	e.l4_delta = fold(ip + (uint16_t)~htobe16(e.sport) + htobe16(port));
	if ((t->used + 2) * 2 > t->mask)
		grow(t);
	insert(t, &e);
	/* and the way back */
	insert(t,
		&(struct entry){ .src = k->dst,
			.dst = external,
			.sport = e.dport,
			.dport = port,
			.proto = k->proto,
			.used = 1,
			.new_port = e.sport });
	for (uint32_t at = k->hash & t->mask;; at = (at + 1) & t->mask) {
		struct entry *f = &t->entries[at];
		if (f->src == e.src && f->dst == e.dst && f->sport == e.sport &&
			f->proto == e.proto)
			return f;
	}
}

static const struct entry *find_flow(struct table *t, const struct key *k, const struct fib4 *fib)
{
	for (uint32_t at = k->hash & t->mask; t->entries[at].used; at = (at + 1) & t->mask) {
		const struct entry *e = &t->entries[at];
		if (e->src == k->src && e->dst == k->dst && e->proto == k->proto &&
			((uint32_t)e->sport << 16 | e->dport) == k->ports)
			return e;
	}
	return make_flow(t, k, fib);
}

static void update(uint8_t *check, uint32_t delta)
{
	uint16_t c;
	memcpy(&c, check, 2);
	c = (uint16_t)~fold((uint32_t)(uint16_t)~c + delta);
	memcpy(check, &c, 2);
}

struct output {
	uint8_t *memory;
	size_t used;
};

/* Copies a record to the memory of its output, with a time to live less by one. */
static uint8_t *copy_out(struct output *o, const uint8_t *record, uint32_t len)
{
	if (o->used > RING)
		o->used = 0;
	uint8_t *to = o->memory + o->used;
	memcpy(to, record, RECORD_HEAD + len);
	o->used += RECORD_HEAD + len;
	uint8_t *ip = to + RECORD_HEAD + LINK;
	ip[8]--;
	update(ip + 10, 0xfffe); /* the high byte of its word, in memory order */
	return ip;
}

static void translate(uint8_t *ip, const struct entry *e)
{
	uint32_t src = htobe32(external);
	uint16_t port = htobe16(e->new_port);
	memcpy(ip + 12, &src, 4);
	memcpy(ip + 20, &port, 2);
	update(ip + 10, e->ip_delta);
	update(ip + (e->proto == 6 ? 36 : 26), e->l4_delta);
}

static size_t read_batch(const uint8_t **at, const uint8_t *end, struct key *keys)
{
	size_t n = 0;
	for (; n < BATCH && end - *at > RECORD_HEAD; n++) {
		keys[n].record = *at;
		*at += RECORD_HEAD + get32(*at + 8);
	}
	return n;
}

static size_t parse_batch(struct key *keys, size_t n)
{
	size_t good = 0;
	for (size_t i = 0; i < n; i++) {
		const uint8_t *record = keys[i].record, *ip = record + RECORD_HEAD + LINK;
		if (!header_is_good(ip, get32(record + 8) - LINK))
			continue;
		struct key *k = &keys[good++];
		k->record = record;
		k->src = be32toh(get32(ip + 12));
		k->dst = be32toh(get32(ip + 16));
		k->ports = be32toh(get32(ip + 20));
		k->proto = ip[9];
		k->hash = hash_of(k->src, k->dst, k->ports, k->proto);
	}
	return good;
}

size_t bare_run(enum bare_work work, const uint8_t *file, size_t len, const struct fib4 *fib,
	unsigned outputs, uint64_t *ret_sum)
{
	struct table table = { 0 };
	struct output *out = calloc(outputs, sizeof(*out));
	struct key keys[BATCH];
	const uint8_t *at = file + FILE_HEAD, *end = file + len;
	size_t packets = 0;
	uint64_t sum = 0;
	if (!out)
		abort();
	for (unsigned i = 0; i < outputs; i++) {
		out[i].memory = malloc(RING + SPARE);
		if (!out[i].memory)
			abort();
	}
	grow(&table);
	for (size_t n; (n = read_batch(&at, end, keys)) > 0;) {
		packets += n;
		sum += keys[n - 1].record[15];
		if (work == BARE_WALK)
			continue;
		n = parse_batch(keys, n);
		for (size_t i = 0; i < n; i++) {
			if (work == BARE_NAT_OUT)
				__builtin_prefetch(&table.entries[keys[i].hash & table.mask]);
			else
				fib4_prefetch(fib, keys[i].dst);
		}
		for (size_t i = 0; i < n; i++) {
			const struct key *k = &keys[i];
			uint32_t size = get32(k->record + 8);
			if (work == BARE_NAT_OUT) {
				const struct entry *e = find_flow(&table, k, fib);
				translate(copy_out(&out[e->hop % outputs], k->record, size), e);
				sum += e->new_port;
				continue;
			}
			uint16_t hop = fib4_lookup(fib, k->dst);
			if (work == BARE_ROUTE_OUT) {
				copy_out(&out[hop % outputs], k->record, size);
			} else {
				uint8_t check[2];
				memcpy(check, k->record + RECORD_HEAD + LINK + 10, 2);
				update(check, 0xfffe);
				sum += check[0];
			}
			sum += hop;
		}
	}
	for (unsigned i = 0; i < outputs; i++)
		free(out[i].memory);
	free(out);
	free(table.entries);
	*ret_sum = sum;
	return packets;
}
