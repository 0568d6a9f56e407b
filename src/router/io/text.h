/* SPDX-License-Identifier: MIT */
/* A line of text that stands for a packet: "eth3 104.44.44.10 10.230.30.03 4003 5003 ftp". */
#ifndef ROUTER_IO_TEXT_H
#define ROUTER_IO_TEXT_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "base/err.h"

enum {
	TEXT_NIC_MAX = 63,
	TEXT_LINE_MAX = 4096,
};

/* What a word at a line's end stands for. */
struct text_word {
	const char *word;
	uint8_t protocol;
	bool rtp;            /* sequence number, time and source are filled in */
	const char *payload; /* what such packets begin with */
	size_t given;        /* bytes of it */
	size_t payload_len;  /* with zeros behind it */
};

struct text_line {
	char nic[TEXT_NIC_MAX + 1];
	uint32_t from, to; /* in the host's byte order */
	uint16_t from_port, to_port;
	struct text_word what; /* .word is not set */
};

/* Reads a line without its newline: 1, or 0 for an empty line and a comment. err->text then says
 * what is wrong, without file and line. Errors: LT-INPUT-LINE. */
int text_line_parse(const char *line, size_t len, struct text_line *ret, struct lt_err *err);

/* The words there are; ends in one without word. */
extern const struct text_word text_words[];

#endif
