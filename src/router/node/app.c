/* SPDX-License-Identifier: MIT */
/* Names of what flows talk. */
#include "router/node/app.h"

#include <string.h>

static const char *const names[APP_COUNT] = {
	[APP_UNKNOWN] = "unknown",
	[APP_SIP] = "sip",
	[APP_RTP] = "rtp",
	[APP_RTCP] = "rtcp",
	[APP_STUN] = "stun",
	[APP_DTLS] = "dtls",
	[APP_FTP] = "ftp",
	[APP_FTP_DATA] = "ftp-data",
	[APP_HTTP] = "http",
	[APP_TLS] = "tls",
	[APP_QUIC] = "quic",
};

const char *app_name(enum app app)
{
	return names[app];
}

enum app app_from_name(const char *name)
{
	unsigned app = 0;
	while (app < APP_COUNT && strcmp(names[app], name))
		app++;
	return (enum app)app;
}
