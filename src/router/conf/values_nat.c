/* SPDX-License-Identifier: MIT */
/* Values of [nat]: external addresses and port forwards. */
#include <string.h>

#include "router/conf/reader.h"
#include "router/conf/words.h"

/* "FIRST" or "FIRST-LAST". */
static int nat_addr_parse(
	struct conf_reader *r, const struct conf_key *key, void *object, const char *text)
{
	struct conf_nat *nat = object;
	struct addr first, last;
	const char *dash = strchr(text, '-');
	size_t len = dash ? (size_t)(dash - text) : strlen(text);
	if (!addr_parse(text, len, &first) || first.family != 4)
		return conf_bad_value(r, key, text);
	last = first;
	if (dash &&
		(!addr_parse(dash + 1, strlen(dash + 1), &last) || last.family != 4 ||
			addr_v4(&last) < addr_v4(&first)))
		return conf_bad_value(r, key, text);
	for (uint64_t v4 = addr_v4(&first); v4 <= addr_v4(&last); v4++) {
		struct addr a = addr_from_v4((uint32_t)v4);
		char name[ADDR_TEXT_MAX];
		if (nat->n_addrs == CONF_MAX_NAT_ADDRS) {
			conf_say(r, r->line, "LT-CONF-LIMIT", "more than %d external addresses",
				CONF_MAX_NAT_ADDRS);
			return lt_hint(r->err, "name fewer");
		}
		for (size_t i = 0; i < nat->n_addrs; i++) {
			if (nat->addrs[i] != v4)
				continue;
			conf_say(r, r->line, "LT-CONF-TWICE",
				"external address %s is there already", addr_text(&a, name));
			return lt_hint(r->err, "name it once");
		}
		uint32_t *more = conf_push(r->conf, &nat->addrs, &nat->n_addrs, sizeof(*more));
		if (!more)
			return conf_no_memory(r);
		*more = (uint32_t)v4;
	}
	return 0;
}

static void nat_addr_print(const struct conf_key *key, const void *object, struct lt_buf *out)
{
	const struct conf_nat *nat = object;
	for (size_t i = 0, k; i < nat->n_addrs; i = k) {
		struct addr first = addr_from_v4(nat->addrs[i]);
		char text[ADDR_TEXT_MAX];
		for (k = i + 1; k < nat->n_addrs && nat->addrs[k] == nat->addrs[k - 1] + 1;)
			k++;
		lt_buf_addf(out, "%s = %s", key->name, addr_text(&first, text));
		struct addr last = addr_from_v4(nat->addrs[k - 1]);
		if (k > i + 1)
			lt_buf_addf(out, "-%s", addr_text(&last, text));
		lt_buf_adds(out, "\n");
	}
}

/* ---- port forwards: "tcp 203.0.113.1:8080-8089 -> 192.168.1.2:80" ---- */

/* "ADDRESS:PORTS", IPv4 */
static bool endpoint_from(
	const char *text, size_t len, uint32_t *ret_addr, uint16_t *ret_first, uint16_t *ret_last)
{
	struct addr a;
	const char *colon = memchr(text, ':', len);
	if (!colon || !addr_parse(text, (size_t)(colon - text), &a) || a.family != 4)
		return false;
	*ret_addr = addr_v4(&a);
	return conf_ports_from(colon + 1, len - (size_t)(colon + 1 - text), ret_first, ret_last);
}

static bool forward_from(const char *text, struct conf_forward *f)
{
	const char *word[4], *rest;
	size_t len[4];
	uint16_t last, inside_last;
	for (int i = 0; i < 4; i++)
		if (!conf_word(&text, &word[i], &len[i]))
			return false;
	if (conf_word(&text, &rest, &len[2]) || strncmp(word[2], "->", 2) ||
		!conf_protocol_from(word[0], len[0], &f->protocol) ||
		!endpoint_from(word[1], len[1], &f->external, &f->external_port, &last) ||
		!endpoint_from(word[3], len[3], &f->inside, &f->inside_port, &inside_last))
		return false;
	f->n_ports = (uint16_t)(last - f->external_port + 1);
	uint32_t n_inside = inside_last - f->inside_port + 1u;
	return (n_inside == 1 || n_inside == f->n_ports) && f->inside_port + f->n_ports <= 65536;
}

static int forward_parse(
	struct conf_reader *r, const struct conf_key *key, void *object, const char *text)
{
	struct conf_nat *nat = object;
	struct conf_forward f = { .line = r->line };
	if (!forward_from(text, &f))
		return conf_bad_value(r, key, text);
	if (nat->n_forwards == CONF_MAX_FORWARDS) {
		conf_say(r, r->line, "LT-CONF-LIMIT", "more than %d forwards", CONF_MAX_FORWARDS);
		return lt_hint(r->err, "forward ranges of ports");
	}
	struct conf_forward *more =
		conf_push(r->conf, &nat->forwards, &nat->n_forwards, sizeof(*more));
	if (!more)
		return conf_no_memory(r);
	*more = f;
	return 0;
}

static void forward_print(const struct conf_key *key, const void *object, struct lt_buf *out)
{
	const struct conf_nat *nat = object;
	for (size_t i = 0; i < nat->n_forwards; i++) {
		const struct conf_forward *f = &nat->forwards[i];
		struct addr external = addr_from_v4(f->external), inside = addr_from_v4(f->inside);
		char text[ADDR_TEXT_MAX];
		lt_buf_addf(out, "%s = %s %s:", key->name, conf_protocol_name(f->protocol),
			addr_text(&external, text));
		conf_print_range(f->external_port, f->n_ports, out);
		lt_buf_addf(out, " -> %s:", addr_text(&inside, text));
		conf_print_range(f->inside_port, f->n_ports, out);
		lt_buf_adds(out, "\n");
	}
}

const struct conf_type conf_type_nat_addr = { nat_addr_parse, nat_addr_print,
	"an IPv4 address, or the first and last of several", 0 };
const struct conf_type conf_type_forward = { forward_parse, forward_print,
	"a protocol, external address and ports, and an inside address with as many ports", 0 };
