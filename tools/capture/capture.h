/* SPDX-License-Identifier: MIT */
/* Traffic that is made up: flows of some kinds, chosen by their popularity, each a conversation
 * that goes on packet by packet. The same seed makes the same packets. */
#ifndef TOOLS_CAPTURE_H
#define TOOLS_CAPTURE_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "base/err.h"
#include "router/io/frame.h"

enum {
	CAPTURE_KINDS_MAX = 16,
	CAPTURE_PAYLOAD_MAX = 9000,
	CAPTURE_SMALL = 60,
};

enum capture_sizes {
	CAPTURE_IMIX, /* 7 of 60, 4 of 590, 1 of 1514 bytes */
	CAPTURE_FIXED,
};

struct capture_opts {
	uint64_t packets, seed;
	uint32_t flows, hosts;
	bool uniform;
	double zipf; /* popularity of the n-th flow is 1 / n^zipf */
	enum capture_sizes sizes;
	uint32_t size;                    /* CAPTURE_FIXED */
	double shares[CAPTURE_KINDS_MAX]; /* by capture_kinds[]; their sum is what counts */
	uint32_t life; /* packets until a flow ends and another begins; 0: never */
	bool both;     /* answers, too */
	double rate;   /* packets per second */
	int64_t start_ns;
	uint32_t inside, inside_mask;   /* where hosts are; in the host's byte order */
	uint32_t external;              /* answers go there; 0: to the host itself */
	const struct capture_net *nets; /* where their peers are */
	size_t n_nets;
};

struct capture_net {
	uint32_t address, mask;
};

/* One conversation. */
struct capture_flow {
	uint32_t inside, outside;
	uint16_t inside_port, outside_port;
	uint16_t inside_data, outside_data; /* ports of a second connection, or of media */
	uint8_t kind;
	uint32_t step;     /* packets so far */
	uint32_t call;     /* what tells it from others: RTP source, SIP call, TCP start */
	uint32_t seq, ack; /* TCP: what the inside sends next, what the outside does */
};

struct capture_packet {
	int64_t time_ns;
	bool inbound;                       /* an answer: it comes in outside */
	uint16_t inside_port, outside_port; /* the flow's, unless its kind uses others, too */
	struct frame frame;
	const char *word; /* what it is in the text form */
	uint8_t payload[CAPTURE_PAYLOAD_MAX];
};

struct capture_random {
	uint64_t state;
};

uint64_t capture_random(struct capture_random *random);
uint32_t capture_below(struct capture_random *random, uint32_t n); /* 0 ... n - 1 */
double capture_unit(struct capture_random *random);                /* [0, 1) */

/* What a kind of flow sends. `make` fills in frame and payload of the flow's packet number
 * flow->step; `size` is the length that a frame should have where the kind does not care. */
struct capture_kind {
	const char *name;
	const char *what;
	double share; /* when nothing is said */
	bool is_tcp;
	uint16_t port; /* outside; 0: any */
	void (*make)(struct capture_flow *flow, uint32_t size, struct capture_packet *packet);
};

/* The end of a flow of TCP: each side's FIN, the inside's first. */
void capture_make_end(struct capture_flow *flow, bool inbound, struct capture_packet *packet);

extern const struct capture_kind capture_kinds[]; /* ends in one without name */

struct capture;

int capture_new(const struct capture_opts *opts, struct capture **ret_capture, struct lt_err *err);
void capture_free(struct capture *capture);

/* The next packet; false after the last. */
bool capture_next(struct capture *capture, struct capture_packet *packet);

#endif
