/* SPDX-License-Identifier: MIT */
/* Section headers and interface descriptions, with the options that matter here. */
#include "router/io/pcapng.h"

#include <string.h>

#include "router/io/bytes.h"
#include "router/io/link.h"

enum {
	OPTION_END = 0,
	OPTION_IF_NAME = 2,
	OPTION_IF_TSRESOL = 9,
	OPTION_IF_TSOFFSET = 14,
	NAME_MAX_LEN = 255,
};

struct option {
	unsigned code;
	size_t len;
	const uint8_t *value;
};

/* The next option of a list: 1, or 0 at its end. */
static int next_option(struct io_source *source, const uint8_t **at, const uint8_t *end,
	bool swapped, struct option *ret, struct lt_err *err)
{
	size_t left = (size_t)(end - *at);
	if (left == 0)
		return 0; /* without an end-of-options: many writers leave it out */
	if (left < 4)
		return io_bad(
			source, err, "LT-INPUT-BLOCK", "%zu stray bytes behind the options", left);
	ret->code = io_get16(*at, swapped);
	ret->len = io_get16(*at + 2, swapped);
	ret->value = *at + 4;
	if (ret->code == OPTION_END)
		return 0;
	size_t padded = (ret->len + 3) & ~(size_t)3;
	if (padded > left - 4)
		return io_bad(source, err, "LT-INPUT-BLOCK",
			"option %u claims %zu bytes, its block has %zu left", ret->code, ret->len,
			left - 4);
	*at += 4 + padded;
	return 1;
}

static struct pcapng_clock clock_of(uint8_t tsresol)
{
	struct pcapng_clock clock = { 0 };
	unsigned exponent = tsresol & 0x7f;
	if (tsresol & 0x80) {
		clock.binary = true;
		clock.shift = (uint8_t)exponent;
		return clock;
	}
	clock.up = clock.down = 1;
	for (; exponent < 9; exponent++)
		clock.up *= 10;
	for (; exponent > 9 && clock.down; exponent--)
		clock.down = exponent > 9 + 19 ? 0 : clock.down * 10;
	return clock;
}

int64_t pcapng_time(const struct pcapng_clock *clock, uint64_t units)
{
	__int128 ns;
	if (clock->binary)
		/* 64 + 30 bits: fits, and no shift of up to 127 is too much for 128 bits. */
		ns = (__int128)(((unsigned __int128)units * 1000000000) >> clock->shift);
	else if (clock->down <= 1)
		ns = clock->down ? (__int128)((unsigned __int128)units * clock->up) : 0;
	else
		ns = (__int128)(units / clock->down);
	ns += (__int128)clock->offset_s * 1000000000;
	if (ns > INT64_MAX)
		return INT64_MAX;
	return ns < INT64_MIN ? INT64_MIN : (int64_t)ns;
}

int pcapng_section_block(
	struct io_source *source, const uint8_t *body, size_t len, bool swapped, struct lt_err *err)
{
	struct pcapng *pcapng = source->state;
	if (len < 16)
		return io_bad(source, err, "LT-INPUT-BLOCK",
			"a section header of %zu bytes is too short", len + PCAPNG_BLOCK_MIN);
	unsigned major = io_get16(body + 4, swapped), minor = io_get16(body + 6, swapped);
	if (major != 1) /* 1.0 and 1.2 are the same */
		return io_bad(source, err, "LT-INPUT-FORMAT", "pcapng version %u.%u", major, minor);
	const uint8_t *at = body + 16, *end = body + len;
	struct option option;
	int r;
	while ((r = next_option(source, &at, end, swapped, &option, err)) > 0)
		;
	if (r < 0)
		return r;
	struct pcapng_section *section = lt_arena_alloc(&pcapng->arena, sizeof(*section));
	if (!section)
		return lt_fail_mem(err);
	section->view.decode = pcapng_decode;
	section->swapped = swapped;
	pcapng->section = section;
	return 0;
}

static int add_interface(
	struct pcapng *pcapng, const struct pcapng_interface *interface, struct lt_err *err)
{
	struct pcapng_section *section = pcapng->section;
	uint32_t i = section->n_interfaces;
	unsigned group = pcapng_group(i);
	if (!section->groups[group]) {
		size_t n = (size_t)PCAPNG_GROUP_FIRST << group;
		section->groups[group] = lt_arena_alloc(&pcapng->arena, n * sizeof(*interface));
		if (!section->groups[group])
			return lt_fail_mem(err);
	}
	*pcapng_interface(section, i) = *interface;
	section->n_interfaces++;
	return 0;
}

/* Options that have a wrong length for what they say are damage; unknown ones are none. */
static int read_option(struct io_source *source, const struct option *option, bool swapped,
	struct pcapng_interface *interface, struct lt_err *err)
{
	struct pcapng *pcapng = source->state;
	size_t wanted = option->code == OPTION_IF_TSRESOL ? 1
		: option->code == OPTION_IF_TSOFFSET      ? 8
							  : option->len;
	if (option->len != wanted)
		return io_bad(source, err, "LT-INPUT-BLOCK",
			"option %u of an interface has %zu bytes instead of %zu", option->code,
			option->len, wanted);
	if (option->code == OPTION_IF_TSRESOL) {
		int64_t offset_s = interface->clock.offset_s;
		interface->clock = clock_of(option->value[0]);
		interface->clock.offset_s = offset_s;
	} else if (option->code == OPTION_IF_TSOFFSET) {
		interface->clock.offset_s = (int64_t)io_get64(option->value, swapped);
	} else if (option->code == OPTION_IF_NAME) {
		size_t len = strnlen((const char *)option->value, option->len);
		interface->name = lt_arena_strndup(&pcapng->arena, (const char *)option->value,
			len < NAME_MAX_LEN ? len : NAME_MAX_LEN);
		if (!interface->name)
			return lt_fail_mem(err);
	}
	return 0;
}

int pcapng_interface_block(
	struct io_source *source, const uint8_t *body, size_t len, struct lt_err *err)
{
	struct pcapng *pcapng = source->state;
	const struct pcapng_section *section = pcapng->section;
	const bool swapped = section->swapped;
	if (len < 8)
		return io_bad(source, err, "LT-INPUT-BLOCK",
			"an interface description of %zu bytes is too short",
			len + PCAPNG_BLOCK_MIN);
	if (section->n_interfaces == PCAPNG_INTERFACES_MAX)
		return io_bad(source, err, "LT-INPUT-BLOCK", "a section of more than %d interfaces",
			PCAPNG_INTERFACES_MAX);
	struct pcapng_interface interface = {
		.clock = clock_of(6),
		.linktype = io_get16(body, swapped),
		.snaplen = io_get32(body + 4, swapped),
	};
	const uint8_t *at = body + 8, *end = body + len;
	struct option option;
	int r;
	while ((r = next_option(source, &at, end, swapped, &option, err)) > 0) {
		r = read_option(source, &option, swapped, &interface, err);
		if (r < 0)
			return r;
	}
	if (r < 0)
		return r;
	/* What cannot be used is said when a packet of it comes: it may have none. */
	enum io_link link;
	int nic = io_nics_find(&source->nics, interface.name, (long)section->n_interfaces);
	if (nic != IO_NIC_NONE && io_link_from_file(interface.linktype, &link)) {
		interface.usable = true;
		interface.nic = (uint16_t)nic;
		interface.link = (uint16_t)link;
	}
	return add_interface(pcapng, &interface, err);
}
