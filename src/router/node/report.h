/* SPDX-License-Identifier: MIT */
/* The counters of a run as text: the same packets give the same text. */
#ifndef ROUTER_NODE_REPORT_H
#define ROUTER_NODE_REPORT_H

#include "base/buf.h"
#include "router/node/run.h"

void report_counts(
	const struct router *router, const struct run_counts *counts, struct lt_buf *out);

#endif
