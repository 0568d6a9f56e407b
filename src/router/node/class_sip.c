/* SPDX-License-Identifier: MIT */
/* SIP (RFC 3261): a request or status line that names it. What it carries as SDP (RFC 8866)
 * announces where RTP (RFC 3551) and RTCP (RFC 3605, RFC 5761) will go. */
#include <string.h>

#include "router/node/class_app.h"

static const char *const methods[] = { "INVITE ", "ACK ", "BYE ", "CANCEL ", "OPTIONS ",
	"REGISTER ", "PRACK ", "SUBSCRIBE ", "NOTIFY ", "PUBLISH ", "INFO ", "REFER ", "MESSAGE ",
	"UPDATE " };

static enum class_verdict sip_check(const struct class_packet *p, uint8_t *ret_mark)
{
	(void)ret_mark;
	struct class_text text = class_text(p), line;
	bool whole;
	if (class_skip(&text, "SIP/2.0 "))
		return CLASS_YES;
	for (size_t i = 0; i < LT_COUNT(methods); i++) {
		if (!class_skip(&text, methods[i]) || !class_line(&text, &line, &whole))
			continue;
		if (class_has(&line, " SIP/2.0"))
			return CLASS_YES;
		return !whole && (class_skip(&line, "sip:") || class_skip(&line, "sips:"))
			? CLASS_YES
			: CLASS_NO;
	}
	return CLASS_NO;
}

/* ---- SDP ---- */

/* One stream of what the body describes. */
struct media {
	struct addr addr;
	unsigned port; /* 0: none, or not RTP */
	unsigned rtcp; /* 0: the port after */
	bool mux;      /* RTCP has the same port */
};

static void close_media(struct media *m, struct class_lesson *lesson)
{
	if (m->port && m->addr.family) {
		class_teach(lesson, &m->addr, m->port, IPPROTO_UDP, APP_RTP);
		if (!m->mux)
			class_teach(lesson, &m->addr, m->rtcp ? m->rtcp : m->port + 1, IPPROTO_UDP,
				APP_RTCP);
	}
	m->port = m->rtcp = 0;
	m->mux = false;
}

/* "IN IP4 192.0.2.1" or "IN IP6 2001:db8::1", perhaps with "/ttl" behind */
static void read_connection(struct class_text t, struct addr *ret)
{
	struct addr addr;
	if (!class_skip(&t, "IN IP4 ") && !class_skip(&t, "IN IP6 "))
		return;
	const char *end = t.p;
	while (end < t.end && *end != '/' && *end != ' ')
		end++;
	if (addr_parse(t.p, (size_t)(end - t.p), &addr))
		*ret = addr;
}

/* "audio 49170 RTP/AVP 0": any kind, with RTP in its transport */
static void read_media(struct class_text t, struct media *m)
{
	unsigned port;
	const char *blank = memchr(t.p, ' ', (size_t)(t.end - t.p));
	if (!blank)
		return;
	t.p = blank + 1;
	if (class_number(&t, 65535, &port) && class_has(&t, "RTP/"))
		m->port = port;
}

static void sip_learn(const struct class_packet *p, struct class_lesson *lesson)
{
	struct class_text text = class_text(p), line;
	struct addr session = { 0 };
	struct media m = { 0 };
	bool whole, body = false, within = false;
	while (class_line(&text, &line, &whole)) {
		if (line.p == line.end)
			body = true;
		if (!body)
			continue;
		if (class_skip(&line, "c=")) {
			read_connection(line, within ? &m.addr : &session);
		} else if (class_skip(&line, "m=")) {
			close_media(&m, lesson);
			within = true;
			m.addr = session;
			read_media(line, &m);
		} else if (class_skip(&line, "a=rtcp-mux")) {
			m.mux = true;
		} else if (class_skip(&line, "a=rtcp:")) {
			class_number(&line, 65535, &m.rtcp);
		}
	}
	close_media(&m, lesson);
}

const struct class_app class_sip = {
	.name = "sip",
	.tcp = true,
	.udp = true,
	.teaches = true,
	.check = sip_check,
	.learn = sip_learn,
};
