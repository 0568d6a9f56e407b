/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Hashes of an output, byte by byte: FNV-1a. */
#include "run/digest.h"

#include <ctype.h>
#include <stdbool.h>
#include <string.h>

#define BEGIN UINT64_C(14695981039346656037)

static uint64_t hash_on(uint64_t hash, unsigned char byte)
{
	return (hash ^ byte) * UINT64_C(1099511628211);
}

void digest_begin(struct digest *d)
{
	memset(d, 0, sizeof(*d));
	d->all = d->line = BEGIN;
}

/* A line that is known already, or one too many, says nothing new. */
static void end_line(struct digest *d)
{
	uint64_t line = d->line ? d->line : 1;
	size_t at = (size_t)(line % DIGEST_ROOM);
	while (d->lines[at] && d->lines[at] != line)
		at = (at + 1) % DIGEST_ROOM;
	if (!d->lines[at] && d->n_lines < DIGEST_LINES) {
		d->lines[at] = line;
		d->n_lines++;
	}
	d->line = BEGIN;
	d->in_line = 0;
	d->state = DIGEST_TEXT;
}

static bool ends_unit(unsigned char byte)
{
	return isblank(byte) || strchr(")]},;:", byte);
}

/* The byte becomes part of the line's words, or not. */
static void add_text(struct digest *d, unsigned char byte)
{
	if (isdigit(byte)) {
		d->state = DIGEST_NUMBER;
		d->line = hash_on(d->line, '0');
		return;
	}
	d->state = DIGEST_TEXT;
	if (!isblank(byte) && byte != '-' && byte != '+') /* the sign of a number, perhaps */
		d->line = hash_on(d->line, byte);
}

static void add_byte(struct digest *d, unsigned char byte)
{
	switch (d->state) {
	case DIGEST_NUMBER:
		if (isdigit(byte) || byte == '.')
			return;
		d->state = isblank(byte)       ? DIGEST_GAP
			: tolower(byte) == 'e' ? DIGEST_EXPONENT
					       : DIGEST_UNIT;
		break;
	case DIGEST_EXPONENT:
		if (byte == '+' || byte == '-')
			return;
		d->state = isdigit(byte) ? DIGEST_NUMBER : isblank(byte) ? DIGEST_GAP : DIGEST_UNIT;
		break;
	case DIGEST_GAP:
		if (isalpha(byte))
			d->state = DIGEST_UNIT;
		break;
	case DIGEST_UNIT:
	case DIGEST_TEXT:
		break;
	}
	if (d->state == DIGEST_NUMBER || d->state == DIGEST_EXPONENT)
		return;
	if (d->state == DIGEST_GAP && isblank(byte))
		return;
	if (d->state == DIGEST_UNIT && !ends_unit(byte))
		return;
	add_text(d, byte);
}

void digest_add(struct digest *d, const char *bytes, size_t len)
{
	for (size_t i = 0; i < len; i++) {
		unsigned char byte = (unsigned char)bytes[i];
		d->all = hash_on(d->all, byte);
		if (byte == '\n') {
			end_line(d);
			continue;
		}
		d->in_line++;
		add_byte(d, byte);
	}
	d->bytes += (double)len;
}

uint64_t digest_hash(const struct digest *d)
{
	return d->all ? d->all : 1;
}

uint64_t digest_text(const struct digest *d)
{
	uint64_t sum = 1;
	bool last_known = d->in_line == 0;
	for (size_t i = 0; i < DIGEST_ROOM; i++) {
		sum += d->lines[i];
		last_known |= d->lines[i] && d->lines[i] == (d->line ? d->line : 1);
	}
	sum += last_known ? 0 : d->line;
	return sum ? sum : 1;
}
