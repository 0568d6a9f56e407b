/* SPDX-License-Identifier: MIT */
/* [nat]: there is a side to translate towards, addresses lie there, and forwards do not meet. */
#include "router/conf/check.h"

static bool is_inside(const struct conf *conf, uint32_t v4)
{
	struct addr a = addr_from_v4(v4);
	for (size_t i = 0; i < conf->n_nics; i++)
		for (size_t k = 0; k < conf->nics[i].n_addrs; k++)
			if (conf->nics[i].side == CONF_SIDE_INSIDE &&
				prefix_covers(&conf->nics[i].addrs[k].prefix, &a))
				return true;
	return false;
}

/* The first or last address of a network outside, which stands for all of it. */
static bool is_no_host(const struct conf *conf, uint32_t v4)
{
	struct addr a = addr_from_v4(v4);
	for (size_t i = 0; i < conf->n_nics; i++) {
		for (size_t k = 0; k < conf->nics[i].n_addrs; k++) {
			const struct prefix *net = &conf->nics[i].addrs[k].prefix;
			struct prefix p = { a, net->len };
			if (prefix_covers(net, &a) && !conf_is_host(&p))
				return true;
		}
	}
	return false;
}

static int check_forward(struct conf_reader *r, const struct conf_forward *f)
{
	const struct conf_nat *nat = &r->conf->nat;
	struct addr external = addr_from_v4(f->external), inside = addr_from_v4(f->inside);
	char text[ADDR_TEXT_MAX];
	size_t i = 0;
	while (i < nat->n_addrs && nat->addrs[i] != f->external)
		i++;
	if (i == nat->n_addrs) {
		conf_say(r, f->line, "LT-CONF-NEEDS", "%s is not an external address of [nat]",
			addr_text(&external, text));
		return lt_hint(r->err, "forward from one that is, or add address = %s", text);
	}
	for (const struct conf_forward *g = nat->forwards; g < f; g++) {
		if (g->protocol != f->protocol || g->external != f->external ||
			g->external_port + g->n_ports <= f->external_port ||
			f->external_port + f->n_ports <= g->external_port)
			continue;
		conf_say(r, f->line, "LT-CONF-OVERLAP",
			"some of these external ports are forwarded in line %u already", g->line);
		return lt_hint(r->err, "let each port stand in one line only");
	}
	if (!is_inside(r->conf, f->inside))
		conf_note(r, f->line, "%s is not in a network of an inside interface",
			addr_text(&inside, text));
	return 0;
}

static void note_timeouts(struct conf_reader *r)
{
	const struct conf_nat *nat = &r->conf->nat;
	const struct {
		const char *key;
		uint64_t ns;
		unsigned least_s;
		const char *says;
	} times[] = {
		{ "udp-timeout", nat->udp_ns, 120, "RFC 4787 REQ-5" },
		{ "tcp-established-timeout", nat->tcp_established_ns, 7440, "RFC 5382 REQ-5" },
		{ "tcp-transitory-timeout", nat->tcp_transitory_ns, 240, "RFC 5382 REQ-5" },
		{ "icmp-timeout", nat->icmp_ns, 60, "RFC 5508 REQ-2" },
	};
	for (size_t i = 0; i < LT_COUNT(times); i++)
		if (times[i].ns < times[i].least_s * 1000000000ull)
			conf_note(r, nat->line, "%s is below the %u s that %s asks for",
				times[i].key, times[i].least_s, times[i].says);
}

int conf_check_nat(struct conf_reader *r)
{
	const struct conf *conf = r->conf;
	const struct conf_nat *nat = &conf->nat;
	char text[ADDR_TEXT_MAX];
	bool outside = false;
	if (!nat->on)
		return 0;
	for (size_t i = 0; i < conf->n_nics; i++)
		outside |= conf->nics[i].side == CONF_SIDE_OUTSIDE;
	if (!outside) {
		conf_say(r, nat->line, "LT-CONF-MISSING",
			"[nat] has no interface to translate towards");
		return lt_hint(r->err, "write side = outside in the section of an interface");
	}
	for (size_t i = 0; i < nat->n_addrs; i++) {
		struct prefix p = { addr_from_v4(nat->addrs[i]), 32 };
		if (!conf_is_host(&p) || is_no_host(conf, nat->addrs[i])) {
			conf_say(r, nat->line, "LT-CONF-VALUE", "%s cannot be an external address",
				addr_text(&p.addr, text));
			return lt_hint(r->err, "name an address that packets can come back to");
		}
		if (!is_inside(conf, nat->addrs[i]))
			continue;
		conf_say(r, nat->line, "LT-CONF-OVERLAP",
			"external address %s lies in the network of an inside interface",
			addr_text(&p.addr, text));
		return lt_hint(
			r->err, "name an outside address, or change the interface's network");
	}
	int rc = 0;
	for (size_t i = 0; i < nat->n_forwards && !rc; i++)
		rc = check_forward(r, &nat->forwards[i]);
	note_timeouts(r);
	return rc;
}
