/* SPDX-License-Identifier: MIT */
/* Sets of fragments. */
#include "router/node/frag.h"

#include <string.h>

#include "router/node/sum.h"

struct waiting {
	struct waiting *next;
	struct packet p;
	uint8_t bytes[];
};

/* Fragments are of one packet if source, destination, protocol and identification agree
 * (RFC 791), and they come from the same side of the NAT. */
struct key {
	uint32_t src, dst;
	uint16_t id;
	uint8_t proto, inside;
};

struct set {
	struct key key;
	int64_t since_ns;
	uint32_t older, newer;
	bool known;           /* the first one was here: */
	struct packet answer; /* what became of it */
	struct waiting *first, **last;
};

int frags_init(struct frags *frags, uint32_t max, int64_t timeout_ns, struct lt_err *err)
{
	const struct frag_line none = { TABLE_NONE, TABLE_NONE };
	*frags = (struct frags){
		.waiting_sets = none, .known_sets = none, .max = max, .timeout_ns = timeout_ns
	};
	if (slab_init(&frags->sets, (sizeof(struct set) + 63) & ~(size_t)63, 2 * max) < 0 ||
		index_init(&frags->index) < 0)
		return lt_fail_mem(err);
	return 0;
}

static struct set *set_at(const struct frags *frags, uint32_t n)
{
	return slab_at(&frags->sets, n);
}

void frags_done(struct frags *frags)
{
	for (uint32_t n = frags->sets.base ? frags->waiting_sets.oldest : TABLE_NONE;
		n != TABLE_NONE;) {
		struct set *set = set_at(frags, n);
		for (struct waiting *w = set->first; w;) {
			struct waiting *next = w->next;
			free(w);
			w = next;
		}
		n = set->newer;
	}
	slab_done(&frags->sets);
	index_done(&frags->index);
}

/* ---- by age ---- */

static struct frag_line *line_of(struct frags *frags, const struct set *set)
{
	return set->known ? &frags->known_sets : &frags->waiting_sets;
}

static void line_up(struct frags *frags, uint32_t n, int64_t now)
{
	struct set *set = set_at(frags, n);
	struct frag_line *line = line_of(frags, set);
	set->since_ns = now;
	set->older = line->newest;
	set->newer = TABLE_NONE;
	if (line->newest != TABLE_NONE)
		set_at(frags, line->newest)->newer = n;
	else
		line->oldest = n;
	line->newest = n;
}

static void step_out(struct frags *frags, uint32_t n)
{
	const struct set *set = set_at(frags, n);
	struct frag_line *line = line_of(frags, set);
	if (set->older != TABLE_NONE)
		set_at(frags, set->older)->newer = set->newer;
	else
		line->oldest = set->newer;
	if (set->newer != TABLE_NONE)
		set_at(frags, set->newer)->older = set->older;
	else
		line->newest = set->older;
}

/* ---- sets ---- */

static struct key key_of(const struct packet *p)
{
	uint16_t id;
	memcpy(&id, p->ip + 4, sizeof(id));
	return (struct key){ .src = p->src,
		.dst = p->dst,
		.id = id,
		.proto = p->proto,
		.inside = (p->flags & PACKET_INSIDE) != 0 };
}

static uint32_t hash_of(const struct key *key)
{
	return table_hash((uint64_t)key->src << 32 | key->dst,
		(uint64_t)key->id << 16 | (uint64_t)key->proto << 1 | key->inside);
}

static uint32_t find(const struct frags *frags, const struct key *key)
{
	struct index_search search = index_search(hash_of(key));
	for (uint32_t n; (n = index_next(&frags->index, &search)) != TABLE_NONE;) {
		if (memcmp(&set_at(frags, n)->key, key, sizeof(*key)) == 0)
			return n;
	}
	return TABLE_NONE;
}

/* Forgets a set in which nothing waits. */
static void forget(struct frags *frags, uint32_t n)
{
	struct set *set = set_at(frags, n);
	step_out(frags, n);
	index_remove(&frags->index, hash_of(&set->key), n);
	slab_put(&frags->sets, n);
}

/* The set of a packet, made if there is none; TABLE_NONE when there is no memory. */
static uint32_t get(struct frags *frags, const struct packet *p, int64_t now)
{
	struct key key = key_of(p);
	uint32_t n = find(frags, &key);
	if (n != TABLE_NONE)
		return n;
	n = slab_take(&frags->sets);
	if (n == TABLE_NONE) {
		/* as many wait as may wait, so there are others */
		forget(frags, frags->known_sets.oldest);
		n = slab_take(&frags->sets);
	}
	if (!index_add(&frags->index, hash_of(&key), n)) {
		slab_put(&frags->sets, n);
		return TABLE_NONE;
	}
	struct set *set = set_at(frags, n);
	*set = (struct set){ .key = key };
	set->last = &set->first;
	line_up(frags, n, now);
	return n;
}

/* What the first fragment got, given to another one. */
static void answer(struct packet *p, const struct packet *first)
{
	p->src = first->src;
	p->dst = first->dst;
	p->hop = first->hop;
	p->ip_delta = first->ip_delta;
	p->id = first->id;
	p->cls = first->cls;
	p->drop = first->drop;
	p->flags |= first->flags & (PACKET_NEW | PACKET_NEW_ID);
}

/* A copy of it at the end of the set; false: no memory. */
static bool wait_for_first(struct frags *frags, struct set *set, const struct packet *p)
{
	size_t size = (sizeof(struct waiting) + p->l2 + p->cap + 63) & ~(size_t)63;
	struct waiting *w = aligned_alloc(64, size);
	if (!w)
		return false;
	w->next = NULL;
	w->p = *p;
	memcpy(w->bytes, p->ip - p->l2, p->l2 + p->cap);
	w->p.ip = w->bytes + p->l2;
	*set->last = w;
	set->last = &w->next;
	frags->waiting++;
	return true;
}

uint8_t frag_later(struct frags *frags, struct packet *p, int64_t now)
{
	struct key key = key_of(p);
	uint32_t n = find(frags, &key);
	if (n != TABLE_NONE && set_at(frags, n)->known) {
		answer(p, &set_at(frags, n)->answer);
		return p->drop;
	}
	if (frags->waiting == frags->max)
		return DROP_fragment_full;
	n = get(frags, p, now);
	if (n == TABLE_NONE)
		return DROP_memory;
	struct set *set = set_at(frags, n);
	if (wait_for_first(frags, set, p))
		return PACKET_HELD;
	if (!set->first)
		forget(frags, n);
	return DROP_memory;
}

/* Sends those that waited on their way, after the first one. */
static void release(
	struct frags *frags, struct set *set, struct chunk *chunk, struct counters *counters)
{
	const struct packet *first = &set->answer;
	for (struct waiting *w = set->first; w;) {
		struct waiting *next = w->next;
		struct packet later = w->p;
		later.ip = chunk_copy(chunk, &w->p);
		answer(&later, first);
		later.time_ns = first->time_ns;
		counters[later.in].waiting--;
		frags->waiting--;
		if (!later.ip || !chunk_add(chunk, &later))
			counters[later.in].drops[DROP_memory]++;
		free(w);
		w = next;
	}
	set->first = NULL;
	set->last = &set->first;
}

void frag_first(struct frags *frags, struct chunk *chunk, struct packet *p, int64_t now,
	struct counters *counters)
{
	/* p's addresses are the new ones by now */
	struct packet as_it_came = *p;
	memcpy(&as_it_came.src, p->ip + 12, 4);
	memcpy(&as_it_came.dst, p->ip + 16, 4);
	as_it_came.src = ntohl(as_it_came.src);
	as_it_came.dst = ntohl(as_it_came.dst);
	uint32_t n = get(frags, &as_it_came, now);
	if (n == TABLE_NONE)
		return;
	struct set *set = set_at(frags, n);
	/* come again: others have left with the identification that it got before */
	if (set->known && set->answer.flags & p->flags & PACKET_NEW_ID)
		p->id = set->answer.id;
	step_out(frags, n);
	set->known = true;
	set->answer = *p;
	line_up(frags, n, now);
	release(frags, set, chunk, counters);
}

static void drop_all(struct frags *frags, struct set *set, struct counters *counters)
{
	for (struct waiting *w = set->first; w;) {
		struct waiting *next = w->next;
		counters[w->p.in].waiting--;
		counters[w->p.in].drops[DROP_fragment_lost]++;
		frags->waiting--;
		free(w);
		w = next;
	}
	set->first = NULL;
}

static void expire(
	struct frags *frags, const struct frag_line *line, int64_t now, struct counters *counters)
{
	while (line->oldest != TABLE_NONE) {
		uint32_t n = line->oldest;
		struct set *set = set_at(frags, n);
		if (now - set->since_ns <= frags->timeout_ns)
			return;
		drop_all(frags, set, counters);
		forget(frags, n);
	}
}

void frags_expire(struct frags *frags, int64_t now, struct counters *counters)
{
	expire(frags, &frags->waiting_sets, now, counters);
	expire(frags, &frags->known_sets, now, counters);
}
