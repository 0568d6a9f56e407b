/* SPDX-License-Identifier: MIT */
/* The control connection of FTP (RFC 959, RFC 2428): replies and commands, which announce where
 * data will go. */
#include <string.h>

#include "router/node/class_app.h"

enum {
	FTP_PORT = 21
};

static const char *const commands[] = { "USER ", "PASS ", "ACCT ", "AUTH ", "FEAT", "SYST", "PWD",
	"CWD ", "TYPE ", "PASV", "EPSV", "PORT ", "EPRT ", "RETR ", "STOR ", "LIST", "NLST", "MLSD",
	"SIZE ", "OPTS ", "PBSZ ", "PROT ", "QUIT", "NOOP", "REST ", "MDTM " };

static bool is_command(struct class_text text)
{
	for (size_t i = 0; i < LT_COUNT(commands); i++)
		if (class_skip_any_case(&text, commands[i]))
			return true;
	return false;
}

/* "220 text" or "220-text" */
static bool is_reply(struct class_text text)
{
	unsigned code;
	const char *begin = text.p;
	return class_number(&text, 659, &code) && code >= 100 && text.p - begin == 3 &&
		text.p < text.end && (*text.p == ' ' || *text.p == '-');
}

/* Elsewhere, only what no other protocol says: mail servers greet with 220, too. */
static bool is_ftp_alone(struct class_text text)
{
	struct class_text line;
	bool whole;
	if (class_skip(&text, "220") && class_line(&text, &line, &whole))
		return class_has(&line, "FTP");
	return class_skip(&text, "PASV\r\n") || class_skip(&text, "EPSV\r\n") ||
		class_skip(&text, "227 Entering Passive") || class_skip(&text, "229 Entering Ext");
}

static enum class_verdict ftp_check(const struct class_packet *p, uint8_t *ret_mark)
{
	(void)ret_mark;
	struct class_text text = class_text(p);
	if (p->sport == FTP_PORT ? is_reply(text) : p->dport == FTP_PORT && is_command(text))
		return CLASS_YES;
	return is_ftp_alone(text) ? CLASS_YES : CLASS_NO;
}

/* "h1,h2,h3,h4,p1,p2" */
static bool read_endpoint(struct class_text *t, struct addr *ret_addr, unsigned *ret_port)
{
	unsigned part[6];
	for (unsigned i = 0; i < 6; i++)
		if ((i && !class_skip(t, ",")) || !class_number(t, 255, &part[i]))
			return false;
	*ret_addr = addr_from_v4(part[0] << 24 | part[1] << 16 | part[2] << 8 | part[3]);
	*ret_port = part[4] << 8 | part[5];
	return true;
}

/* "|1|192.0.2.1|5000|", "|2|2001:db8::1|5000|" or "|||5000|", with any mark in place of | */
static bool read_extended(struct class_text *t, struct addr *ret_addr, unsigned *ret_port)
{
	if (t->end - t->p < 5)
		return false;
	const char mark = *t->p++;
	const char *kind_end = memchr(t->p, mark, (size_t)(t->end - t->p));
	if (!kind_end)
		return false;
	const char *addr = kind_end + 1;
	const char *addr_end = memchr(addr, mark, (size_t)(t->end - addr));
	if (!addr_end)
		return false;
	*ret_addr = (struct addr){ 0 };
	if (addr_end > addr && !addr_parse(addr, (size_t)(addr_end - addr), ret_addr))
		return false;
	t->p = addr_end + 1;
	return class_number(t, 65535, ret_port) && t->p < t->end && *t->p == mark;
}

static void ftp_learn(const struct class_packet *p, struct class_lesson *lesson)
{
	struct class_text text = class_text(p), line;
	struct addr addr;
	unsigned port;
	bool whole;
	while (class_line(&text, &line, &whole)) {
		bool found = false;
		if (class_skip_any_case(&line, "PORT ")) {
			found = read_endpoint(&line, &addr, &port);
		} else if (class_skip_any_case(&line, "EPRT ")) {
			found = read_extended(&line, &addr, &port);
		} else if (class_skip(&line, "227 ")) {
			while (line.p < line.end && (*line.p < '0' || *line.p > '9'))
				line.p++;
			found = read_endpoint(&line, &addr, &port);
		} else if (class_skip(&line, "229 ")) {
			const char *open = memchr(line.p, '(', (size_t)(line.end - line.p));
			line.p = open ? open + 1 : line.end;
			found = read_extended(&line, &addr, &port);
		}
		if (found)
			class_teach(lesson, &addr, port, IPPROTO_TCP, APP_FTP_DATA);
	}
}

const struct class_app class_ftp = {
	.name = "ftp",
	.tcp = true,
	.teaches = true,
	.check = ftp_check,
	.learn = ftp_learn,
};
