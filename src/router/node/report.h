/* SPDX-License-Identifier: MIT */
/* The counters of a run as text: the same packets give the same text. */
#ifndef ROUTER_NODE_REPORT_H
#define ROUTER_NODE_REPORT_H

#include "base/buf.h"
#include "router/node/router.h"

void report_counters(
	const struct router *router, const struct counters *counters, struct lt_buf *out);

#endif
