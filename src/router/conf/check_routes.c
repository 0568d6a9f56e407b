/* SPDX-License-Identifier: MIT */
/* Routes: now that all interfaces are known, they can be read; each prefix has one. */
#include <string.h>

#include "router/conf/check.h"

static int check_route(struct conf_reader *r, const struct conf_route *route)
{
	const struct conf_nic *nic = &r->conf->nics[route->hop.nic];
	char text[ADDR_TEXT_MAX];
	bool near = false, any = false;
	if (route->hop.kind != FIB_FORWARD || !route->hop.via.family)
		return 0;
	for (size_t i = 0; i < r->conf->n_nics; i++) {
		for (size_t k = 0; k < r->conf->nics[i].n_addrs; k++) {
			if (!addr_equal(&r->conf->nics[i].addrs[k].prefix.addr, &route->hop.via))
				continue;
			conf_say(r, route->line, "LT-CONF-VALUE",
				"next hop %s is the router itself (%s)",
				addr_text(&route->hop.via, text), r->conf->nics[i].name);
			return lt_hint(r->err, "name the neighbour that packets are to go to");
		}
	}
	for (size_t k = 0; k < nic->n_addrs; k++) {
		any |= nic->addrs[k].prefix.addr.family == route->hop.via.family;
		near |= prefix_covers(&nic->addrs[k].prefix, &route->hop.via);
	}
	struct prefix via = { route->hop.via, 128 };
	if (any && !near && !conf_is_link_local(&via))
		conf_note(r, route->line, "next hop %s is not in a network of %s",
			addr_text(&route->hop.via, text), nic->name);
	return 0;
}

static int by_prefix(const void *a, const void *b)
{
	const struct conf_route *x = *(const struct conf_route *const *)a;
	const struct conf_route *y = *(const struct conf_route *const *)b;
	int order = memcmp(&x->prefix.addr, &y->prefix.addr, sizeof(x->prefix.addr));
	if (!order)
		order = x->prefix.len - y->prefix.len;
	return order ? order : (int)x->line - (int)y->line;
}

static int find_twice(struct conf_reader *r, const struct conf_route **sorted, size_t n)
{
	char text[PREFIX_TEXT_MAX];
	for (size_t i = 0; i < n; i++)
		sorted[i] = &r->conf->routes[i];
	qsort(sorted, n, sizeof(struct conf_route *), by_prefix);
	for (size_t i = 1; i < n; i++) {
		const struct prefix *a = &sorted[i - 1]->prefix, *b = &sorted[i]->prefix;
		if (a->len != b->len || !addr_equal(&a->addr, &b->addr))
			continue;
		conf_say(r, sorted[i]->line, "LT-CONF-TWICE",
			"prefix %s has a route in line %u already", prefix_text(b, text),
			sorted[i - 1]->line);
		return lt_hint(r->err, "remove one of the two lines");
	}
	return 0;
}

int conf_check_routes(struct conf_reader *r)
{
	struct conf *conf = r->conf;
	const char *names[CONF_MAX_NICS];
	for (size_t i = 0; i < conf->n_nics; i++)
		names[i] = conf->nics[i].name;
	for (size_t i = 0; i < r->n_raw; i++) {
		const struct conf_raw_route *raw = &r->raw[i];
		struct conf_route *route =
			conf_push(conf, &conf->routes, &conf->n_routes, sizeof(*route));
		if (!route)
			return conf_no_memory(r);
		route->line = raw->line;
		if (fib_parse_route(raw->text, strlen(raw->text), names, conf->n_nics,
			    &route->prefix, &route->hop, r->err) < 0)
			return fib_error_at(r->err, r->name, raw->line);
		int rc = check_route(r, route);
		if (rc < 0)
			return rc;
	}
	if (conf->n_routes < 2)
		return 0;
	LT_AUTO_FREE const struct conf_route **sorted = calloc(conf->n_routes, sizeof(*sorted));
	return sorted ? find_twice(r, sorted, conf->n_routes) : conf_no_memory(r);
}
