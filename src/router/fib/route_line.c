/* SPDX-License-Identifier: MIT */
/* One route as text: its words, and what each must be. */
#include <stdio.h>
#include <string.h>

#include "router/fib/fib.h"

int fib_error_at(struct lt_err *err, const char *file, unsigned line)
{
	if (err) {
		char text[sizeof(err->text)];
		memcpy(text, err->text, sizeof(text));
		snprintf(err->text, sizeof(err->text), "%.150s:%u: %.450s", file, line, text);
		lt_one_line(err->text);
	}
	return lt_err_code(err);
}

struct word {
	const char *text;
	size_t len;
};

enum {
	MAX_WORDS = 6
};

static bool is(const struct word *w, const char *text)
{
	return w->len == strlen(text) && !memcmp(w->text, text, w->len);
}

static bool is_blank(char c)
{
	return c == ' ' || c == '\t' || c == '\r';
}

/* At most MAX_WORDS words; more are counted but not kept. */
static size_t split(const char *line, size_t len, struct word words[MAX_WORDS])
{
	size_t n = 0;
	for (size_t i = 0; i < len;) {
		size_t from = i;
		while (i < len && !is_blank(line[i]))
			i++;
		if (i > from && n < MAX_WORDS)
			words[n] = (struct word){ line + from, i - from };
		n += i > from;
		while (i < len && is_blank(line[i]))
			i++;
	}
	return n;
}

static int fail_form(const char *line, size_t len, struct lt_err *err)
{
	lt_err_set(err, -EINVAL, "LT-ROUTES-FORM", "'%.*s' is not a route",
		(int)(len < 80 ? len : 80), line);
	return lt_hint(err,
		"write PREFIX NEXT-HOP NIC, such as 192.0.2.0/24 203.0.113.1 eth1; "
		"PREFIX - NIC for a connected network; PREFIX blackhole or PREFIX unreachable");
}

static int parse_prefix(const struct word *w, struct prefix *ret, struct lt_err *err)
{
	char text[PREFIX_TEXT_MAX];
	if (!prefix_parse(w->text, w->len, ret)) {
		lt_err_set(err, -EINVAL, "LT-ROUTES-PREFIX", "'%.*s' is not a prefix",
			(int)(w->len < 80 ? w->len : 80), w->text);
		return lt_hint(err, "write it as 192.0.2.0/24, 2001:db8::/32 or default");
	}
	if (prefix_is_clean(ret))
		return 0;
	struct prefix clean = prefix_masked(ret);
	lt_err_set(err, -EINVAL, "LT-ROUTES-PREFIX", "prefix '%.*s' has bits set beyond its length",
		(int)w->len, w->text);
	return lt_hint(err, "write %s", prefix_text(&clean, text));
}

static int parse_via(
	const struct word *w, const struct prefix *prefix, struct addr *ret, struct lt_err *err)
{
	if (is(w, "-"))
		return 0;
	if (!addr_parse(w->text, w->len, ret)) {
		lt_err_set(err, -EINVAL, "LT-ROUTES-HOP", "next hop '%.*s' is not an address",
			(int)(w->len < 80 ? w->len : 80), w->text);
		return lt_hint(
			err, "write it as 203.0.113.1, or - where the destination is a neighbour");
	}
	if (ret->family == prefix->addr.family)
		return 0;
	lt_err_set(err, -EINVAL, "LT-ROUTES-HOP", "next hop '%.*s' is not IPv%d, as its prefix is",
		(int)w->len, w->text, prefix->addr.family);
	return lt_hint(err, "name an IPv%d next hop, or -", prefix->addr.family);
}

static int parse_nic(const struct word *w, const char *const *nics, size_t n_nics, uint16_t *ret,
	struct lt_err *err)
{
	for (size_t i = 0; i < n_nics; i++) {
		if (is(w, nics[i])) {
			*ret = (uint16_t)i;
			return 0;
		}
	}
	lt_err_set(err, -EINVAL, "LT-ROUTES-NIC", "there is no interface '%.*s'",
		(int)(w->len < 80 ? w->len : 80), w->text);
	if (!n_nics)
		return lt_hint(err, "describe it in an [interface NAME] section");
	char names[200] = "";
	size_t used = 0;
	for (size_t i = 0; i < n_nics && used < sizeof(names) - 40; i++)
		used += (size_t)snprintf(
			names + used, sizeof(names) - used, "%s%.30s", i ? ", " : "", nics[i]);
	return lt_hint(err, "name one of %s", names);
}

int fib_parse_route(const char *line, size_t len, const char *const *nics, size_t n_nics,
	struct prefix *ret_prefix, struct fib_hop *ret_hop, struct lt_err *err)
{
	struct word words[MAX_WORDS];
	size_t n = split(line, len, words);
	if (n < 2 || n > 5)
		return fail_form(line, len, err);
	struct prefix prefix;
	struct fib_hop hop = { .kind = FIB_FORWARD };
	int rc = parse_prefix(&words[0], &prefix, err);
	if (rc < 0)
		return rc;
	if (n == 2 && (is(&words[1], "blackhole") || is(&words[1], "unreachable"))) {
		hop.kind = is(&words[1], "blackhole") ? FIB_BLACKHOLE : FIB_UNREACHABLE;
	} else {
		size_t i = 1;
		if (is(&words[i], "via"))
			i++;
		const struct word *via = &words[i++];
		if (i < n && is(&words[i], "dev"))
			i++;
		if (i + 1 != n)
			return fail_form(line, len, err);
		rc = parse_via(via, &prefix, &hop.via, err);
		if (!rc)
			rc = parse_nic(&words[i], nics, n_nics, &hop.nic, err);
		if (rc < 0)
			return rc;
	}
	*ret_prefix = prefix;
	*ret_hop = hop;
	return 0;
}
