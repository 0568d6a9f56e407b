/* SPDX-License-Identifier: MIT */
/* Reading one line: NIC, source, destination, source port, destination port, protocol. Numbers are
 * decimal, whatever zeros they begin with: 030 is thirty, 08 is eight. */
#include "router/io/text.h"

#include <stdio.h>
#include <string.h>
#include <strings.h>

#include "router/io/frame.h"

/* A payload of its own length, or with zeros up to a length. */
#define TEXT(w, p, text) WORD(w, p, text, sizeof(text) - 1)
#define WORD(w, p, text, len)                                                       \
	.word = (w), .protocol = (p), .payload = (text), .given = sizeof(text) - 1, \
	.payload_len = (len)

#define TLS_HELLO "\x16\x03\x01\x02\0\1\0\1\xfc\x03\x03"

/* What a classifier that looks at contents recognises. */
const struct text_word text_words[] = {
	{ TEXT("tcp", FRAME_TCP, "leat") },
	{ TEXT("udp", FRAME_UDP, "leat") },
	{ WORD("icmp", FRAME_ICMP, "", 56) },
	{ TEXT("ftp", FRAME_TCP, "USER anonymous\r\n") },
	{ WORD("ftp-data", FRAME_TCP, "", 1400) },
	{ TEXT("ssh", FRAME_TCP, "SSH-2.0-leat\r\n") },
	{ TEXT("telnet", FRAME_TCP, "\xff\xfd\x18\xff\xfd\x20") },
	{ TEXT("smtp", FRAME_TCP, "EHLO leat.example\r\n") },
	{ TEXT("dns", FRAME_UDP, "\0\1\1\0\0\1\0\0\0\0\0\0\4leat\7example\0\0\1\0\1") },
	{ TEXT("http", FRAME_TCP, "GET / HTTP/1.1\r\nHost: leat.example\r\n\r\n") },
	{ WORD("https", FRAME_TCP, TLS_HELLO, 517) },
	{ WORD("tls", FRAME_TCP, TLS_HELLO, 517) },
	{ WORD("quic", FRAME_UDP, "\xc3\0\0\0\1\x08leatleat", 1200) },
	{ WORD("ntp", FRAME_UDP, "\x23", 48) },
	{ TEXT("sip", FRAME_UDP,
		"OPTIONS sip:leat@leat.example SIP/2.0\r\nCSeq: 1 OPTIONS\r\n"
		"Content-Length: 0\r\n\r\n") },
	{ WORD("rtp", FRAME_UDP, "\x80", 172), .rtp = true },
	{ WORD("voip", FRAME_UDP, "\x80", 172), .rtp = true },
	{ WORD("rtcp", FRAME_UDP, "\x80\xc8\0\6", 28) },
	{ .word = NULL },
};

struct field {
	const char *at;
	size_t len;
};

enum {
	FIELDS = 6
};

static bool is_blank(char c)
{
	return c == ' ' || c == '\t' || c == '\r';
}

/* Splits a line; returns the number of fields there are, at most FIELDS + 1. */
static size_t split(const char *line, size_t len, struct field *fields)
{
	size_t n = 0, i = 0;
	while (n <= FIELDS) {
		while (i < len && is_blank(line[i]))
			i++;
		size_t from = i;
		while (i < len && !is_blank(line[i]))
			i++;
		if (i == from)
			break;
		if (n < FIELDS)
			fields[n] = (struct field){ line + from, i - from };
		n++;
	}
	return n;
}

/* Digits only, no sign, up to max. Moves over them. */
static bool number(struct field *field, uint32_t max, uint32_t *ret)
{
	size_t i = 0;
	uint32_t value = 0;
	for (; i < field->len && field->at[i] >= '0' && field->at[i] <= '9'; i++) {
		value = value * 10 + (uint32_t)(field->at[i] - '0');
		if (value > max)
			return false;
	}
	field->at += i;
	field->len -= i;
	*ret = value;
	return i > 0;
}

static bool address(struct field field, uint32_t *ret)
{
	uint32_t value = 0;
	for (int i = 0; i < 4; i++) {
		uint32_t octet;
		if (i > 0 && (field.len == 0 || *field.at != '.'))
			return false;
		if (i > 0) {
			field.at++;
			field.len--;
		}
		if (!number(&field, 255, &octet))
			return false;
		value = value << 8 | octet;
	}
	*ret = value;
	return field.len == 0;
}

static bool port(struct field field, uint16_t *ret)
{
	uint32_t value;
	if (!number(&field, 65535, &value) || field.len)
		return false;
	*ret = (uint16_t)value;
	return true;
}

static bool protocol(struct field field, struct text_word *ret)
{
	for (const struct text_word *word = text_words; word->word; word++) {
		if (strlen(word->word) == field.len &&
			!strncasecmp(word->word, field.at, field.len)) {
			*ret = *word;
			return true;
		}
	}
	uint32_t value;
	if (!number(&field, 255, &value) || field.len)
		return false;
	*ret = (struct text_word){ TEXT("", (uint8_t)value, "leat") };
	return true;
}

static int bad(struct lt_err *err, const char *what, struct field field)
{
	return lt_fail(err, -EBADMSG, "LT-INPUT-LINE", "%s is '%.*s'", what,
		(int)(field.len < 100 ? field.len : 100), field.at);
}

static int bad_protocol(struct lt_err *err, struct field field)
{
	char words[240];
	size_t used = 0;
	bad(err, "the protocol", field);
	for (const struct text_word *word = text_words; word->word && used < sizeof(words); word++)
		used += (size_t)snprintf(words + used, sizeof(words) - used, "%s, ", word->word);
	return lt_hint(err, "what there is: %sor a number", words);
}

int text_line_parse(const char *line, size_t len, struct text_line *ret, struct lt_err *err)
{
	struct field fields[FIELDS];
	size_t n = split(line, len, fields);
	if (n == 0 || *fields[0].at == '#')
		return 0;
	if (n != FIELDS) {
		lt_err_set(err, -EBADMSG, "LT-INPUT-LINE", "%s %zu of %d fields",
			n < FIELDS ? "there are" : "there are more than", n < FIELDS ? n : FIELDS,
			FIELDS);
		return lt_hint(err,
			"a line is: NIC SOURCE DESTINATION SOURCE-PORT "
			"DESTINATION-PORT PROTOCOL");
	}
	if (fields[0].len > TEXT_NIC_MAX)
		return bad(err, "the name of the NIC", fields[0]);
	memcpy(ret->nic, fields[0].at, fields[0].len);
	ret->nic[fields[0].len] = '\0';
	if (!address(fields[1], &ret->from))
		return bad(err, "the source address", fields[1]);
	if (!address(fields[2], &ret->to))
		return bad(err, "the destination address", fields[2]);
	if (!port(fields[3], &ret->from_port))
		return bad(err, "the source port", fields[3]);
	if (!port(fields[4], &ret->to_port))
		return bad(err, "the destination port", fields[4]);
	if (!protocol(fields[5], &ret->what))
		return bad_protocol(err, fields[5]);
	return 1;
}
