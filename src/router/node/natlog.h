/* SPDX-License-Identifier: MIT */
/* The NAT's log: who had which external port when (RFC 6888 section 4), one line of text for each
 * block of ports, and for each port outside of its host's blocks. No destinations. */
#ifndef ROUTER_NODE_NATLOG_H
#define ROUTER_NODE_NATLOG_H

#include <stdbool.h>
#include <stdint.h>

#include "base/buf.h"
#include "base/err.h"

struct natlog {
	int fd;
	int failed; /* errno of the first write that failed; 0 */
	char *path;
	struct lt_buf lines;
};

struct natlog_line {
	int64_t time_ns;
	bool begins; /* '+', else '-' */
	uint8_t proto;
	uint32_t inside, external;
	uint16_t inside_port;
	uint16_t first, last; /* external ports; a block if they differ */
};

/* Errors: LT-OUTPUT with errno, LT-MEMORY. */
int natlog_open(struct natlog *log, const char *path, struct lt_err *err);

/* Writes what is left. Errors: LT-OUTPUT with errno, of whatever write failed first. */
int natlog_close(struct natlog *log, struct lt_err *err);

void natlog_add(struct natlog *log, const struct natlog_line *line);

#endif
