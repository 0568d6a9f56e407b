/* SPDX-License-Identifier: MIT */
/* Finding free ports. */
#include "router/node/ports.h"

#include <stdlib.h>
#include <string.h>

enum {
	LOW_BLOCKS = 1024 / PORTS_BLOCK, /* ports 0 to 1023 */
};

static const uint64_t parity_mask[2] = { 0x5555555555555555, 0xaaaaaaaaaaaaaaaa };

struct range {
	unsigned first, blocks;
};

/* TCP and UDP: 1024 to 65535 unless the range is to be kept and is the other one. Identifiers of
 * ICMP have no such ranges. */
static struct range range_of(enum ports_proto proto, const struct ports_wish *wish)
{
	if (proto == PORTS_ICMP)
		return (struct range){ 0, PORTS_BLOCKS };
	if (wish->keep_range && wish->port < 1024)
		return (struct range){ 0, LOW_BLOCKS };
	return (struct range){ LOW_BLOCKS, PORTS_BLOCKS - LOW_BLOCKS };
}

static bool in_range(struct range r, uint16_t port)
{
	return port / PORTS_BLOCK >= r.first && port / PORTS_BLOCK < r.first + r.blocks;
}

void ports_init(struct ports *ports)
{
	memset(ports, 0, sizeof(*ports));
	memset(ports->other, 0xff, sizeof(ports->other));
	memset(ports->owner, 0xff, sizeof(ports->owner));
}

void ports_done(struct ports *ports)
{
	for (unsigned p = 0; p < PORTS_PROTOS; p++)
		free(ports->space[p]);
}

struct ports_space *ports_space(struct ports *ports, enum ports_proto proto)
{
	struct ports_space *s = ports->space[proto];
	if (s)
		return s;
	s = malloc(sizeof(*s));
	if (!s)
		return NULL;
	memset(s, 0xff, sizeof(*s));
	if (proto != PORTS_ICMP)
		s->free[0] &= ~UINT64_C(1); /* there is no port 0 */
	bool zero = proto == PORTS_ICMP;
	const uint32_t left[2][2] = { { 32256, 32256 }, { zero ? 512 : 511, 512 } };
	memcpy(s->left, left, sizeof(left));
	ports->space[proto] = s;
	return s;
}

/* One of the bits that are set, by chance. */
static int choose(uint64_t bits, uint32_t random)
{
	unsigned turn = random % 64;
	uint64_t turned = turn ? bits >> turn | bits << (64 - turn) : bits;
	return (int)(((unsigned)__builtin_ctzll(turned) + turn) % 64);
}

static int find_in(uint64_t bits, unsigned block, uint32_t random)
{
	return bits ? (int)(block * PORTS_BLOCK) + choose(bits, random) : PORTS_NONE;
}

int ports_find_in(const struct ports_space *space, unsigned block, const struct ports_wish *wish)
{
	uint64_t bits = space->free[block];
	if (wish->port / PORTS_BLOCK == block && bits >> wish->port % 64 & 1)
		return wish->port;
	int port = PORTS_NONE;
	if (wish->keep_parity)
		port = find_in(bits & parity_mask[wish->port & 1], block, wish->random >> 16);
	return port != PORTS_NONE ? port : find_in(bits, block, wish->random >> 16);
}

static int scan(const struct ports_space *space, struct range r, uint64_t mask, uint32_t random)
{
	unsigned start = (unsigned)(((uint64_t)(random & 0xffff) * r.blocks) >> 16);
	for (unsigned i = 0; i < r.blocks; i++) {
		unsigned block = r.first + (start + i) % r.blocks;
		int port = find_in(space->free[block] & mask, block, random >> 16);
		if (port != PORTS_NONE)
			return port;
	}
	return PORTS_NONE;
}

int ports_find(
	const struct ports_space *space, enum ports_proto proto, const struct ports_wish *wish)
{
	struct range r = range_of(proto, wish);
	if (in_range(r, wish->port) && space->free[wish->port / 64] >> wish->port % 64 & 1)
		return wish->port;
	bool low = r.first == 0, high = r.first + r.blocks == PORTS_BLOCKS;
	uint32_t left[2] = { 0 };
	for (unsigned parity = 0; parity < 2; parity++)
		left[parity] =
			(low ? space->left[1][parity] : 0) + (high ? space->left[0][parity] : 0);
	if (wish->keep_parity && proto != PORTS_ICMP && left[wish->port & 1])
		return scan(space, r, parity_mask[wish->port & 1], wish->random);
	return left[0] + left[1] ? scan(space, r, ~UINT64_C(0), wish->random) : PORTS_NONE;
}

int ports_find_block(
	const struct ports *ports, enum ports_proto proto, const struct ports_wish *wish)
{
	struct range r = range_of(proto, wish);
	unsigned start = in_range(r, wish->port)
		? wish->port / PORTS_BLOCK - r.first
		: (unsigned)(((uint64_t)(wish->random & 0xffff) * r.blocks) >> 16);
	for (unsigned i = 0; i < r.blocks; i++) {
		unsigned block = r.first + (start + i) % r.blocks;
		if (ports->owner[block] == TABLE_NONE && ports->taken[block] == 0)
			return (int)block;
	}
	return PORTS_NONE;
}
