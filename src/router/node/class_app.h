/* SPDX-License-Identifier: MIT */
/* What it takes to know an application by its packets: one file for each, ending in one descriptor
 * that apps.def names. All is pure: bytes in, verdict out. */
#ifndef ROUTER_NODE_CLASS_APP_H
#define ROUTER_NODE_CLASS_APP_H

#include <netinet/in.h>
#include <stdbool.h>
#include <stdint.h>

#include "router/node/class.h"

enum class_verdict {
	CLASS_NO,
	CLASS_MAYBE, /* if a few packets in a row say so, with one mark */
	CLASS_YES,
};

struct class_app {
	const char *name;
	bool tcp, udp; /* what may carry it; neither: it is only learnt from others */
	bool open;    /* what comes before something else in one flow: later packets may say more */
	bool free;    /* its packets do not count as looks */
	uint8_t step; /* by how much the mark grows from packet to packet */
	bool teaches; /* every packet of its flows is looked at: see learn */
	/* Whether a packet is of it. *ret_mark is something that all packets of a sender share. */
	enum class_verdict (*check)(const struct class_packet *p, uint8_t *ret_mark);
	/* Endpoints that the packet announces. */
	void (*learn)(const struct class_packet *p, struct class_lesson *lesson);
};

extern const struct class_app *const class_apps[]; /* by enum app; of APP_UNKNOWN NULL */

void class_teach(struct class_lesson *lesson, const struct addr *addr, unsigned port, uint8_t proto,
	enum app app);

/* ---- reading ---- */

static inline uint32_t class_u16(const uint8_t *b)
{
	return (uint32_t)b[0] << 8 | b[1];
}

static inline uint32_t class_u32(const uint8_t *b)
{
	return class_u16(b) << 16 | class_u16(b + 2);
}

/* Text of a packet, which has no end mark. */
struct class_text {
	const char *p, *end;
};

static inline struct class_text class_text(const struct class_packet *p)
{
	const char *text = (const char *)p->data;
	return (struct class_text){ text, text + p->len };
}

/* Whether the text begins like this; then it moves on behind it. Upper and lower case differ. */
bool class_skip(struct class_text *t, const char *what);

/* The same in either case; `what` is upper case. */
bool class_skip_any_case(struct class_text *t, const char *what);

/* A decimal number up to `most` that has at least one digit; the text moves on. */
bool class_number(struct class_text *t, unsigned most, unsigned *ret);

/* The text up to the end of its first line, which it moves behind; false: the text is at its end.
 * *ret_whole: the line has an end. */
bool class_line(struct class_text *t, struct class_text *ret_line, bool *ret_whole);

/* Whether the line has this in it. */
bool class_has(const struct class_text *line, const char *what);

#endif
