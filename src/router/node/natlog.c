/* SPDX-License-Identifier: MIT */
/* Writing the NAT's log. */
#include "router/node/natlog.h"

#include <fcntl.h>
#include <netinet/in.h>
#include <stdio.h>
#include <string.h>
#include <time.h>

#include "base/outfile.h"
#include "router/fib/addr.h"

enum {
	GATHERED = 64 << 10
};

int natlog_open(struct natlog *log, const char *path, struct lt_err *err)
{
	*log = (struct natlog){ .fd = -1, .path = strdup(path) };
	if (!log->path)
		return lt_fail_mem(err);
	log->fd = open(path, O_WRONLY | O_CREAT | O_TRUNC | O_CLOEXEC, 0666);
	if (log->fd >= 0)
		return 0;
	int r = lt_fail_sys(err, "LT-OUTPUT", "cannot write the NAT's log '%s'", path);
	free(LT_TAKE(log->path));
	return r;
}

static void flush(struct natlog *log)
{
	if (!log->failed && log->lines.failed)
		log->failed = ENOMEM;
	if (!log->failed) {
		int r = lt_write_all(log->fd, log->lines.data, log->lines.len, NULL);
		log->failed = r < 0 ? -r : 0;
	}
	lt_buf_reset(&log->lines);
}

int natlog_close(struct natlog *log, struct lt_err *err)
{
	if (log->fd < 0)
		return 0;
	flush(log);
	if (close(log->fd) < 0 && !log->failed)
		log->failed = errno;
	log->fd = -1;
	int r = 0;
	if (log->failed) {
		errno = log->failed;
		r = lt_fail_sys(err, "LT-OUTPUT", "cannot write the NAT's log '%s'", log->path);
	}
	lt_buf_done(&log->lines);
	free(LT_TAKE(log->path));
	return r;
}

static const char *proto_name(uint8_t proto, char text[8])
{
	if (proto == IPPROTO_TCP || proto == IPPROTO_UDP || proto == IPPROTO_ICMP)
		return proto == IPPROTO_TCP ? "tcp" : proto == IPPROTO_UDP ? "udp" : "icmp";
	snprintf(text, 8, "%u", proto);
	return text;
}

void natlog_add(struct natlog *log, const struct natlog_line *line)
{
	char date[32], inside[ADDR_TEXT_MAX], external[ADDR_TEXT_MAX], proto[8];
	time_t s = (time_t)(line->time_ns / 1000000000);
	struct tm tm;
	strftime(date, sizeof(date), "%Y-%m-%dT%H:%M:%S", gmtime_r(&s, &tm));
	struct addr in = addr_from_v4(line->inside), ex = addr_from_v4(line->external);
	lt_buf_addf(&log->lines, "%s.%09dZ %c ", date, (int)(line->time_ns % 1000000000),
		line->begins ? '+' : '-');
	if (line->first != line->last)
		lt_buf_addf(&log->lines, "block %s %s:%u-%u\n", addr_text(&in, inside),
			addr_text(&ex, external), line->first, line->last);
	else
		lt_buf_addf(&log->lines, "%s %s:%u %s:%u\n", proto_name(line->proto, proto),
			addr_text(&in, inside), line->inside_port, addr_text(&ex, external),
			line->first);
	if (log->lines.len >= GATHERED)
		flush(log);
}
