/* SPDX-License-Identifier: MIT */
/* HTTP (RFC 9112): a request or status line that names it, or the beginning of HTTP/2. */
#include "router/node/class_app.h"

static const char *const methods[] = { "GET ", "POST ", "HEAD ", "PUT ", "DELETE ", "OPTIONS ",
	"PATCH ", "CONNECT ", "TRACE ", "PROPFIND ", "PROPPATCH ", "MKCOL ", "COPY ", "MOVE ",
	"LOCK ", "UNLOCK ", "REPORT ", "SEARCH " };

static enum class_verdict http_check(const struct class_packet *p, uint8_t *ret_mark)
{
	(void)ret_mark;
	struct class_text text = class_text(p), line;
	bool whole;
	if (class_skip(&text, "HTTP/1.") || class_skip(&text, "PRI * HTTP/2.0\r\n"))
		return CLASS_YES;
	for (size_t i = 0; i < LT_COUNT(methods); i++) {
		if (!class_skip(&text, methods[i]) || !class_line(&text, &line, &whole))
			continue;
		if (class_has(&line, " HTTP/1."))
			return CLASS_YES;
		/* a long one may go on in the next packet */
		return !whole && (*line.p == '/' || class_has(&line, "://")) ? CLASS_YES : CLASS_NO;
	}
	return CLASS_NO;
}

const struct class_app class_http = {
	.name = "http",
	.tcp = true,
	.check = http_check,
};
