/* SPDX-License-Identifier: MIT */
/* A route file into the table: read all lines, find prefixes that are there twice by sorting, and
 * only then paint the tables, once. */
#include <fcntl.h>
#include <string.h>
#include <unistd.h>

#include "base/buf.h"
#include "router/fib/fib.h"

enum {
	MAX_FILE = 1 << 30
};

/* A route and where it came from. */
struct row4 {
	struct fib4_route route;
	uint32_t line;
};

struct row6 {
	struct fib6_route route;
	uint32_t line;
};

struct rows {
	void *rows;
	size_t n, cap;
};

static void rows_done(struct rows *rows)
{
	free(rows->rows);
}

/* A new element at the end, NULL when memory has run out. */
static void *one_more(struct rows *rows, size_t size)
{
	if (rows->n == rows->cap) {
		size_t cap = rows->cap * 2 + 1024;
		void *more = realloc(rows->rows, cap * size);
		if (!more)
			return NULL;
		rows->rows = more;
		rows->cap = cap;
	}
	return (char *)rows->rows + size * rows->n++;
}

struct load {
	struct fib *fib;
	const char *name;
	const char *const *nics;
	size_t n_nics;
	struct rows v4, v6;
};

static int read_line(
	struct load *load, const char *text, size_t len, uint32_t line, struct lt_err *err)
{
	struct prefix prefix;
	struct fib_hop hop;
	uint16_t number;
	if (fib_parse_route(text, len, load->nics, load->n_nics, &prefix, &hop, err) < 0 ||
		fib_hop_number(load->fib, &hop, &number, err) < 0)
		return fib_error_at(err, load->name, line);
	if (prefix.addr.family == 4) {
		struct row4 *row = one_more(&load->v4, sizeof(*row));
		if (!row)
			return lt_fail_mem(err);
		*row = (struct row4){ .route = { .addr = addr_v4(&prefix.addr),
					      .len = prefix.len,
					      .hop = number },
			.line = line };
		return 0;
	}
	struct row6 *row = one_more(&load->v6, sizeof(*row));
	if (!row)
		return lt_fail_mem(err);
	*row = (struct row6){ .route = { .len = prefix.len, .hop = number }, .line = line };
	memcpy(row->route.addr, prefix.addr.bytes, sizeof(row->route.addr));
	return 0;
}

static int read_lines(struct load *load, const char *text, size_t len, struct lt_err *err)
{
	const char *p = text, *end = text + len;
	for (uint32_t line = 1; p < end; line++) {
		const char *newline = memchr(p, '\n', (size_t)(end - p));
		size_t n = (size_t)((newline ? newline : end) - p);
		const char *comment = memchr(p, '#', n);
		size_t used = comment ? (size_t)(comment - p) : n;
		size_t blank = 0;
		while (blank < used && (p[blank] == ' ' || p[blank] == '\t' || p[blank] == '\r'))
			blank++;
		int rc = blank == used ? 0 : read_line(load, p, used, line, err);
		if (rc < 0)
			return rc;
		p += n + 1;
	}
	return 0;
}

static int order4(const void *a, const void *b)
{
	const struct fib4_route *x = &((const struct row4 *)a)->route;
	const struct fib4_route *y = &((const struct row4 *)b)->route;
	if (x->addr != y->addr)
		return x->addr < y->addr ? -1 : 1;
	return x->len - y->len;
}

static int order6(const void *a, const void *b)
{
	return fib6_order(&((const struct row6 *)a)->route, &((const struct row6 *)b)->route);
}

static void sort(struct rows *rows, size_t size, int (*order)(const void *, const void *))
{
	const char *row = rows->rows;
	for (size_t i = 1; i < rows->n; i++) {
		if (order(row + (i - 1) * size, row + i * size) > 0) {
			qsort(rows->rows, rows->n, size, order);
			return;
		}
	}
}

static int fail_twice(const struct load *load, const struct prefix *prefix, uint32_t a, uint32_t b,
	struct lt_err *err)
{
	char text[PREFIX_TEXT_MAX];
	uint32_t first = a < b ? a : b;
	lt_err_set(err, -EINVAL, "LT-ROUTES-TWICE",
		"%.150s:%u: prefix %s has a route in line %u already", load->name, a < b ? b : a,
		prefix_text(prefix, text), first);
	return lt_hint(err, "remove one of the two lines");
}

/* Sorts, refuses duplicates, and leaves the bare routes at the start of the array. */
static int settle4(const struct load *load, struct lt_err *err)
{
	struct row4 *rows = load->v4.rows;
	size_t n = load->v4.n;
	for (size_t i = 1; i < n; i++) {
		if (order4(&rows[i - 1], &rows[i]))
			continue;
		struct prefix p = { addr_from_v4(rows[i].route.addr), rows[i].route.len };
		return fail_twice(load, &p, rows[i - 1].line, rows[i].line, err);
	}
	struct fib4_route *routes = load->v4.rows;
	for (size_t i = 0; i < n; i++) {
		struct fib4_route route = rows[i].route;
		routes[i] = route;
	}
	return fib4_add_many(&load->fib->v4, routes, n) < 0 ? lt_fail_mem(err) : 0;
}

static int settle6(const struct load *load, struct lt_err *err)
{
	struct row6 *rows = load->v6.rows;
	size_t n = load->v6.n;
	for (size_t i = 1; i < n; i++) {
		if (order6(&rows[i - 1], &rows[i]))
			continue;
		struct prefix p = { .addr = { .family = 6 }, .len = rows[i].route.len };
		memcpy(p.addr.bytes, rows[i].route.addr, sizeof(p.addr.bytes));
		return fail_twice(load, &p, rows[i - 1].line, rows[i].line, err);
	}
	struct fib6_route *routes = load->v6.rows;
	for (size_t i = 0; i < n; i++) {
		struct fib6_route route = rows[i].route;
		routes[i] = route;
	}
	return fib6_add_many(&load->fib->v6, routes, n) < 0 ? lt_fail_mem(err) : 0;
}

static int load_lines(struct load *load, const char *text, size_t len, struct lt_err *err)
{
	int rc = read_lines(load, text, len, err);
	if (rc < 0)
		return rc;
	sort(&load->v4, sizeof(struct row4), order4);
	sort(&load->v6, sizeof(struct row6), order6);
	load->fib->generation++;
	if ((load->v4.n && (rc = settle4(load, err)) < 0) ||
		(load->v6.n && (rc = settle6(load, err)) < 0))
		return rc;
	return (int)(load->v4.n + load->v6.n);
}

int fib_load_text(struct fib *fib, const char *text, size_t len, const char *name,
	const char *const *nics, size_t n_nics, struct lt_err *err)
{
	struct load load = { .fib = fib, .name = name, .nics = nics, .n_nics = n_nics };
	int rc = load_lines(&load, text, len, err);
	rows_done(&load.v4);
	rows_done(&load.v6);
	return rc;
}

int fib_load(struct fib *fib, const char *path, const char *const *nics, size_t n_nics,
	struct lt_err *err)
{
	LT_AUTO_CLOSE int fd = open(path, O_RDONLY | O_CLOEXEC);
	if (fd < 0) {
		int rc = lt_fail_sys(
			err, "LT-ROUTES-OPEN", "cannot open routes file '%.200s'", path);
		lt_err_set_hint(err, "name a file of routes, one a line: PREFIX NEXT-HOP NIC");
		return rc;
	}
	LT_AUTO_BUF struct lt_buf text = { 0 };
	struct lt_err why = { 0 };
	int rc = lt_buf_read_fd(&text, fd, path, MAX_FILE, &why);
	if (rc < 0) {
		rc = lt_fail(err, rc, "LT-ROUTES-OPEN", "routes file: %s", why.text);
		lt_err_set_hint(err, "name a file of routes, one a line: PREFIX NEXT-HOP NIC");
		return rc;
	}
	return fib_load_text(fib, text.data, text.len, path, nics, n_nics, err);
}
