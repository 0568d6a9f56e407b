/* SPDX-License-Identifier: MIT */
/* pcapng: sections, their interfaces, and what both say. A section's interfaces are only ever
 * added to and never move, so that packets are decoded while the walk goes on. */
#ifndef ROUTER_IO_PCAPNG_H
#define ROUTER_IO_PCAPNG_H

#include "base/arena.h"
#include "router/io/format.h"

enum {
	PCAPNG_SECTION = 0x0a0d0d0a, /* reads the same in both byte orders */
	PCAPNG_INTERFACE = 1,
	PCAPNG_OBSOLETE_PACKET = 2,
	PCAPNG_SIMPLE_PACKET = 3,
	PCAPNG_PACKET = 6,
	PCAPNG_ORDER = 0x1a2b3c4d,

	PCAPNG_BLOCK_MIN = 12,       /* type, length, ..., length */
	PCAPNG_BLOCK_MAX = 16 << 20, /* of blocks that are read, not skipped */
	PCAPNG_INTERFACES_MAX = 65536,
	PCAPNG_GROUP_FIRST = 8, /* interfaces in the first group; each has twice as many */
	PCAPNG_GROUPS = 14,
};

/* Units of a time stamp. */
struct pcapng_clock {
	bool binary;
	uint8_t shift;     /* binary: units are 2^-shift s */
	uint64_t up, down; /* decimal: ns = units * up / down; down 0: units too small to count */
	int64_t offset_s;
};

struct pcapng_interface {
	struct pcapng_clock clock;
	uint32_t snaplen; /* 0: no limit */
	uint16_t nic, link;
	bool usable; /* its link type is known, and its NIC */
	uint32_t linktype;
	const char *name; /* NULL: none */
};

/* A section is the view of its packets. */
struct pcapng_section {
	struct io_view view;
	bool swapped;
	uint32_t n_interfaces;
	struct pcapng_interface *groups[PCAPNG_GROUPS];
};

struct pcapng {
	struct pcapng_section *section; /* NULL: before the first */
	struct lt_arena arena;          /* sections, interfaces, names */
};

/* Group g holds interfaces from FIRST * (2^g - 1) on, FIRST * 2^g of them. */
static inline unsigned pcapng_group(uint32_t i)
{
	return 31 - (unsigned)__builtin_clz(i / PCAPNG_GROUP_FIRST + 1);
}

/* Interface i of a section, which has been described. */
static inline struct pcapng_interface *pcapng_interface(
	const struct pcapng_section *section, uint32_t i)
{
	unsigned group = pcapng_group(i);
	return &section->groups[group][i - PCAPNG_GROUP_FIRST * ((1U << group) - 1)];
}

/* Begins a section, adds an interface: `body` is the block without type and lengths. Errors:
 * LT-INPUT-BLOCK, LT-MEMORY. */
int pcapng_section_block(struct io_source *source, const uint8_t *body, size_t len, bool swapped,
	struct lt_err *err);
int pcapng_interface_block(
	struct io_source *source, const uint8_t *body, size_t len, struct lt_err *err);

/* Nanoseconds since 1970 of a time stamp, rounded down, kept within the range. */
int64_t pcapng_time(const struct pcapng_clock *clock, uint64_t units);

/* io_pcapng's decoding. */
void pcapng_decode(
	const struct io_view *view, const uint8_t *at, uint32_t n, struct io_packet *packets);

/* What a packet block says; `at` is where it begins. False: it is of another type. A simple packet
 * is one of interface 0, which must have been described. */
struct pcapng_packet {
	uint64_t units;
	uint32_t interface;
	uint32_t len, wire_len;
	uint32_t data_at; /* where its bytes begin */
	bool timeless;
};
bool pcapng_packet(const struct pcapng_section *section, const uint8_t *at, size_t block_len,
	struct pcapng_packet *ret);

#endif
