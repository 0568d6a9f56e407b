/* SPDX-License-Identifier: MIT */
/* Classes: no packet is claimed by two, one is the default, and strict ones leave something. */
#include <stdio.h>

#include "router/conf/check.h"
#include "router/conf/words.h"
#include "router/node/app.h"

static int fail_claim(struct conf_reader *r, const struct conf_class *a, const struct conf_class *b,
	const char *what, const char *name)
{
	conf_say(r, b->line, "LT-CONF-OVERLAP", "classes '%s' (line %u) and '%s' both claim %s %s",
		a->name, a->line, b->name, what, name);
	return lt_hint(r->err, "let one class claim it");
}

static int check_claims(
	struct conf_reader *r, const struct conf_class *a, const struct conf_class *b)
{
	char buf[32];
	if (a->dscps & b->dscps)
		return fail_claim(r, a, b, "dscp",
			conf_dscp_name((unsigned)__builtin_ctzll(a->dscps & b->dscps), buf));
	if (a->apps & b->apps)
		return fail_claim(
			r, a, b, "content", app_name((enum app)__builtin_ctz(a->apps & b->apps)));
	for (size_t i = 0; i < a->n_ports; i++) {
		for (size_t k = 0; k < b->n_ports; k++) {
			const struct conf_ports *p = &a->ports[i], *q = &b->ports[k];
			if (p->protocol != q->protocol || p->last < q->first || q->last < p->first)
				continue;
			unsigned port = p->first > q->first ? p->first : q->first;
			snprintf(buf, sizeof(buf), "%s/%u", conf_protocol_name(p->protocol), port);
			return fail_claim(r, a, b, "port", buf);
		}
	}
	return 0;
}

/* The strict classes of an interface must leave something. */
static int check_rates(struct conf_reader *r)
{
	const struct conf *conf = r->conf;
	for (size_t i = 0; i < conf->n_nics; i++) {
		const struct conf_nic *nic = &conf->nics[i];
		unsigned __int128 sum = 0;
		for (size_t k = 0; k < conf->n_classes && nic->rate_bps; k++) {
			const struct conf_class *class = &conf->classes[k];
			if (class->strict)
				sum += conf_rate_on(&class->rate, nic->rate_bps);
		}
		if (sum <= nic->rate_bps)
			continue;
		conf_say(r, nic->line, "LT-CONF-LIMIT",
			"the strict classes together may send faster than the rate of %s",
			nic->name);
		return lt_hint(r->err, "lower their rates, or give them as shares such as 25%%");
	}
	return 0;
}

static int find_default(struct conf_reader *r)
{
	struct conf *conf = r->conf;
	const struct conf_class *old = NULL;
	for (size_t i = 0; i < conf->n_classes; i++) {
		const struct conf_class *class = &conf->classes[i];
		if (!class->is_default)
			continue;
		if (old) {
			conf_say(r, class->line, "LT-CONF-TWICE",
				"class '%s' in line %u is the default already", old->name,
				old->line);
			return lt_hint(r->err, "write default = yes in one class only");
		}
		old = class;
		conf->default_class = (unsigned)i;
	}
	return 0;
}

int conf_check_classes(struct conf_reader *r)
{
	const struct conf *conf = r->conf;
	int rc = find_default(r);
	for (size_t i = 0; i < conf->n_classes; i++) {
		const struct conf_class *b = &conf->classes[i];
		for (size_t k = 0; k < i && !rc; k++)
			rc = check_claims(r, &conf->classes[k], b);
		if (!b->dscps && !b->apps && !b->n_ports && !b->is_default)
			conf_note(r, b->line, "class '%s' claims no packets", b->name);
	}
	return rc ? rc : check_rates(r);
}
