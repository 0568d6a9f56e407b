/* SPDX-License-Identifier: MIT */
/* Values of interfaces and routes. */
#include <stdio.h>
#include <string.h>

#include "router/conf/reader.h"

static int nic_addr_parse(
	struct conf_reader *r, const struct conf_key *key, void *object, const char *text)
{
	struct conf_nic *nic = object;
	struct prefix p;
	if (!strchr(text, '/') || !prefix_parse(text, strlen(text), &p))
		return conf_bad_value(r, key, text);
	if (nic->n_addrs == CONF_MAX_ADDRS) {
		conf_say(r, r->line, "LT-CONF-LIMIT", "interface %s has more than %d addresses",
			nic->name, CONF_MAX_ADDRS);
		return lt_hint(r->err, "remove some");
	}
	struct conf_addr *addr = conf_push(r->conf, &nic->addrs, &nic->n_addrs, sizeof(*addr));
	if (!addr)
		return conf_no_memory(r);
	*addr = (struct conf_addr){ p, r->line };
	return 0;
}

static void nic_addr_print(const struct conf_key *key, const void *object, struct lt_buf *out)
{
	const struct conf_nic *nic = object;
	char text[PREFIX_TEXT_MAX];
	for (size_t i = 0; i < nic->n_addrs; i++)
		lt_buf_addf(out, "%s = %s\n", key->name, prefix_text(&nic->addrs[i].prefix, text));
}

static int file_parse(
	struct conf_reader *r, const struct conf_key *key, void *object, const char *text)
{
	struct conf *conf = object;
	(void)key;
	struct conf_routes_file *file =
		conf_push(conf, &conf->routes_files, &conf->n_routes_files, sizeof(*file));
	const char *slash = strrchr(r->name, '/');
	int dir = text[0] != '/' && slash ? (int)(slash + 1 - r->name) : 0;
	if (!file)
		return conf_no_memory(r);
	file->line = r->line;
	file->text = lt_arena_strdup(&conf->arena, text);
	file->path = lt_arena_printf(&conf->arena, "%.*s%s", dir, r->name, text);
	return file->text && file->path ? 0 : conf_no_memory(r);
}

static void file_print(const struct conf_key *key, const void *object, struct lt_buf *out)
{
	const struct conf *conf = object;
	for (size_t i = 0; i < conf->n_routes_files; i++)
		lt_buf_addf(out, "%s = %s\n", key->name, conf->routes_files[i].text);
}

/* Only kept for now: it may name an interface that is described later. */
static int route_parse(
	struct conf_reader *r, const struct conf_key *key, void *object, const char *text)
{
	(void)key;
	(void)object;
	if (r->n_raw == CONF_MAX_ROUTES) {
		conf_say(r, r->line, "LT-CONF-LIMIT", "more than %d routes", CONF_MAX_ROUTES);
		return lt_hint(r->err, "put them into a file and name it: file = routes.txt");
	}
	struct conf_raw_route *raw = conf_push(r->conf, &r->raw, &r->n_raw, sizeof(*raw));
	const char *copy = lt_arena_strdup(&r->conf->arena, text);
	if (!raw || !copy)
		return conf_no_memory(r);
	*raw = (struct conf_raw_route){ copy, r->line };
	return 0;
}

static void route_print(const struct conf_key *key, const void *object, struct lt_buf *out)
{
	static const char *const kinds[] = {
		[FIB_BLACKHOLE] = "blackhole", [FIB_UNREACHABLE] = "unreachable"
	};
	const struct conf *conf = object;
	for (size_t i = 0; i < conf->n_routes; i++) {
		const struct conf_route *route = &conf->routes[i];
		const struct fib_hop *hop = &route->hop;
		char text[PREFIX_TEXT_MAX];
		lt_buf_addf(out, "%s = %s ", key->name, prefix_text(&route->prefix, text));
		if (hop->kind != FIB_FORWARD)
			lt_buf_addf(out, "%s\n", kinds[hop->kind]);
		else
			lt_buf_addf(out, "%s %s\n",
				hop->via.family ? addr_text(&hop->via, text) : "-",
				conf->nics[hop->nic].name);
	}
}

const struct conf_type conf_type_nic_addr = { nic_addr_parse, nic_addr_print,
	"an address and the length of its network", 0 };
const struct conf_type conf_type_file = { file_parse, file_print, "the name of a file", 0 };
const struct conf_type conf_type_route = { route_parse, route_print, "a route", 0 };
