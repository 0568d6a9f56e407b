/* SPDX-License-Identifier: MIT */
/* Interfaces: each address is one that a host can have, and no network is in two places. */
#include "router/conf/check.h"

static int check_addr(struct conf_reader *r, const struct conf_nic *nic, const struct conf_addr *a)
{
	char text[PREFIX_TEXT_MAX];
	if (!a->prefix.len || !conf_is_host(&a->prefix)) {
		conf_say(r, a->line, "LT-CONF-VALUE",
			"%s is not an address that an interface can have",
			prefix_text(&a->prefix, text));
		return lt_hint(r->err,
			"give the interface's own address within its network, "
			"such as 192.168.1.1/24");
	}
	if (a->prefix.addr.family == 4 || nic->mtu >= 1280)
		return 0;
	conf_say(r, a->line, "LT-CONF-VALUE", "%s: IPv6 needs an mtu of at least 1280, not %u",
		nic->name, nic->mtu);
	return lt_hint(r->err, "raise the interface's mtu, or remove its IPv6 addresses");
}

static int check_pair(struct conf_reader *r, const struct conf_nic *nic, const struct conf_addr *a,
	const struct conf_nic *other, const struct conf_addr *b)
{
	char text[PREFIX_TEXT_MAX], more[PREFIX_TEXT_MAX];
	if (!prefix_overlaps(&a->prefix, &b->prefix))
		return 0;
	if (addr_equal(&a->prefix.addr, &b->prefix.addr) && !conf_is_link_local(&a->prefix)) {
		conf_say(r, a->line, "LT-CONF-TWICE", "address %s is that of %s in line %u already",
			prefix_text(&a->prefix, text), other->name, b->line);
		return lt_hint(r->err, "remove one of the two lines");
	}
	if (nic == other || conf_is_link_local(&a->prefix))
		return 0;
	if (a->prefix.len == b->prefix.len) {
		conf_say(r, a->line, "LT-CONF-OVERLAP",
			"the network of %s of %s is that of %s in line %u already",
			prefix_text(&a->prefix, text), nic->name, other->name, b->line);
		return lt_hint(r->err, "give each interface a network of its own");
	}
	conf_note(r, a->line,
		"network of %s overlaps that of %s in line %u; the longer prefix wins",
		prefix_text(&a->prefix, text), prefix_text(&b->prefix, more), b->line);
	return 0;
}

int conf_check_nics(struct conf_reader *r)
{
	const struct conf *conf = r->conf;
	int rc = 0;
	if (!conf->n_nics) {
		conf_say(r, r->line, "LT-CONF-MISSING", "no interface is described");
		return lt_hint(r->err, "add a section such as [interface eth0]");
	}
	for (size_t i = 0; i < conf->n_nics; i++) {
		const struct conf_nic *nic = &conf->nics[i];
		for (size_t k = 0; k < nic->n_addrs && !rc; k++) {
			rc = check_addr(r, nic, &nic->addrs[k]);
			for (size_t j = 0; j <= i && !rc; j++) {
				const struct conf_nic *other = &conf->nics[j];
				size_t end = j == i ? k : other->n_addrs;
				for (size_t l = 0; l < end && !rc; l++)
					rc = check_pair(
						r, nic, &nic->addrs[k], other, &other->addrs[l]);
			}
		}
	}
	return rc;
}
