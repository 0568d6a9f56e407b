/* SPDX-License-Identifier: MIT */
/* What a flow talks, as far as the router can tell from its first packets. */
#ifndef ROUTER_NODE_APP_H
#define ROUTER_NODE_APP_H

enum app {
	APP_UNKNOWN,
#define LEAT_APP(id, file) APP_##id,
#include "router/node/apps.def"
#undef LEAT_APP
	APP_COUNT,
};

/* "sip", "ftp-data", ...; what configuration and reports say. */
const char *app_name(enum app app);
enum app app_from_name(const char *name); /* APP_COUNT: there is none of that name */

#endif
