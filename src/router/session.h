/* SPDX-License-Identifier: MIT */
/* One run of leat-router, from configuration and inputs to outputs and counters. */
#ifndef ROUTER_SESSION_H
#define ROUTER_SESSION_H

#include "router/args.h"

/* The exit code; what went wrong has been said. */
int session_route(struct args *args);

#endif
