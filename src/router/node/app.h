/* SPDX-License-Identifier: MIT */
/* What a flow talks, as far as the router can tell from its first packets. */
#ifndef ROUTER_NODE_APP_H
#define ROUTER_NODE_APP_H

enum app {
	APP_UNKNOWN,
	APP_SIP,
	APP_RTP,
	APP_RTCP,
	APP_STUN,
	APP_DTLS,
	APP_FTP,      /* the control connection */
	APP_FTP_DATA, /* learnt from PORT, PASV, EPRT, EPSV */
	APP_HTTP,
	APP_TLS,
	APP_QUIC,
	APP_COUNT,
};

/* "sip", "ftp-data", ...; what configuration and reports say. */
const char *app_name(enum app app);
enum app app_from_name(const char *name); /* APP_COUNT: there is none of that name */

#endif
