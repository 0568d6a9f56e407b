/* SPDX-License-Identifier: MIT */
/* From a configuration to its route table, and all of `leat-router --check`. */
#include <string.h>

#include "router/conf/conf.h"

static int add(struct fib *fib, struct addr addr, unsigned len, enum fib_kind kind, size_t nic,
	struct lt_err *err)
{
	struct prefix prefix = { addr, (uint8_t)len };
	struct fib_hop hop = { .kind = (uint8_t)kind, .nic = (uint16_t)nic };
	int rc = fib_add(fib, &prefix, &hop, err);
	return rc < 0 ? rc : 0;
}

static int add_network(struct fib *fib, const struct prefix *p, size_t nic, struct lt_err *err)
{
	int rc = add(fib, p->addr, p->len, FIB_FORWARD, nic, err);
	if (!rc && p->addr.family == 4 && p->len < 31) {
		uint32_t last = addr_v4(&p->addr) | (uint32_t)(UINT32_MAX >> p->len);
		rc = add(fib, addr_from_v4(last), 32, FIB_BROADCAST, nic, err);
	}
	return rc;
}

static int add_self(struct fib *fib, const struct prefix *p, size_t nic, struct lt_err *err)
{
	return add(fib, p->addr, p->addr.family == 4 ? 32 : 128, FIB_LOCAL, nic, err);
}

/* One of the two for each address of each interface. */
static int add_each(const struct conf *conf, struct fib *fib,
	int (*add_one)(struct fib *, const struct prefix *, size_t, struct lt_err *),
	struct lt_err *err)
{
	int rc = 0;
	for (size_t i = 0; i < conf->n_nics; i++)
		for (size_t k = 0; k < conf->nics[i].n_addrs && !rc; k++)
			rc = add_one(fib, &conf->nics[i].addrs[k].prefix, i, err);
	return rc;
}

static int fill(const struct conf *conf, struct fib *fib, struct lt_err *err)
{
	const char *names[CONF_MAX_NICS];
	for (size_t i = 0; i < conf->n_nics; i++)
		names[i] = conf->nics[i].name;
	int rc = add_each(conf, fib, add_network, err);
	for (size_t i = 0; i < conf->n_routes && !rc; i++) {
		rc = fib_add(fib, &conf->routes[i].prefix, &conf->routes[i].hop, err);
		rc = rc < 0 ? fib_error_at(err, conf->name, conf->routes[i].line) : 0;
	}
	for (size_t i = 0; i < conf->n_routes_files && rc >= 0; i++) {
		rc = fib_load(fib, conf->routes_files[i].path, names, conf->n_nics, err);
		if (rc < 0 && err && !strcmp(err->id, "LT-ROUTES-OPEN"))
			rc = fib_error_at(err, conf->name, conf->routes_files[i].line);
	}
	/* at last, so that no route hides an address of the router's own */
	return rc < 0 ? rc : add_each(conf, fib, add_self, err);
}

int conf_fib(const struct conf *conf, struct fib **ret_fib, struct lt_err *err)
{
	struct fib *fib;
	int rc = fib_new(&fib, err);
	if (rc < 0)
		return rc;
	rc = fill(conf, fib, err);
	if (rc < 0)
		fib_free(fib);
	else
		*ret_fib = fib;
	return rc;
}

static void add_notes(const struct conf *conf, struct lt_buf *out)
{
	const char *p = conf->notes.data, *end;
	for (; p && (end = strchr(p, '\n')); p = end + 1)
		lt_buf_addf(out, "# note: %.*s\n", (int)(end - p), p);
}

int conf_check(const char *path, struct lt_buf *ret_text, struct lt_err *err)
{
	struct conf *conf;
	struct fib *fib;
	int rc = conf_load(path, &conf, err);
	if (rc < 0)
		return rc;
	rc = conf_fib(conf, &fib, err);
	if (rc == 0) {
		lt_buf_addf(ret_text, "# %s: %zu interface%s, %zu routes, %u next hops\n",
			conf->name, conf->n_nics, conf->n_nics == 1 ? "" : "s", fib_n_routes(fib),
			fib->n_hops - 1);
		add_notes(conf, ret_text);
		lt_buf_adds(ret_text, "\n");
		conf_print(conf, ret_text);
		fib_free(fib);
	}
	conf_free(conf);
	return rc == 0 && ret_text->failed ? lt_fail_mem(err) : rc;
}
