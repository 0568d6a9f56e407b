/* SPDX-License-Identifier: MIT */
/* Placements: which module runs on which thread, and which thread on which CPU.
 *
 *	placement := rule { ';' rule }
 *	rule      := NAME ['@' CPUS] '=' PATTERN { ',' PATTERN }   these modules on that thread
 *	           | 'threads:' N ['@' CPUS]     all others on N threads, neighbours together
 *	           | 'each' ['@' CPUS]           all others on a thread each
 *
 * The first rule that names a module wins. With CPUS, "threads" and "each" spread their threads
 * over the list in contiguous parts, so that neighbours share a CPU; a named thread takes the
 * first CPU of its list. */
#include <ctype.h>
#include <fnmatch.h>
#include <stdio.h>
#include <stdlib.h>

#include "base/own.h"
#include "lib/cpus.h"
#include "lib/mod.h"

struct rule {
	char name[32];
	char cpus[128];      /* "": any */
	const char *pattern; /* up to the end of the rule; NULL: all others */
	unsigned threads;    /* of "threads" and "each" */
	bool each;
};

static int bad(struct leat_err *err, const char *text, int n)
{
	return LEAT_FAIL(
		err, -EINVAL, "LEAT-PLACEMENT", "'%.*s' is no rule of a placement", n, text);
}

/* Copies up to one of `stops`; where it stopped, or NULL if it does not fit. */
static const char *copy_to(char *to, size_t size, const char *from, const char *stops)
{
	size_t n = strcspn(from, stops);
	if (n >= size)
		return NULL;
	memcpy(to, from, n);
	to[n] = '\0';
	return from + n;
}

static int parse_rule(const char *text, struct rule *ret, struct leat_err *err)
{
	int n = (int)strcspn(text, ";");
	struct rule r = { .pattern = NULL };
	const char *at = copy_to(r.name, sizeof(r.name), text, "@=;:");
	if (!at || !r.name[0])
		return bad(err, text, n);
	r.each = strcmp(r.name, "each") == 0;
	bool threads = strcmp(r.name, "threads") == 0;
	if (threads) {
		char *end;
		if (*at != ':' || !isdigit((unsigned char)at[1]))
			return bad(err, text, n);
		unsigned long v = strtoul(at + 1, &end, 10);
		at = end;
		r.threads = (unsigned)v;
		if (v == 0 || v > 4096)
			return bad(err, text, n);
	}
	if (*at == '@') {
		at = copy_to(r.cpus, sizeof(r.cpus), at + 1, "=;");
		if (!at || cpus_count(r.cpus) <= 0)
			return bad(err, text, n);
	}
	if (*at == '=' && !r.each && !threads && at[1] && at[1] != ';')
		r.pattern = at + 1;
	if ((r.pattern == NULL) != (r.each || threads) || (!r.pattern && *at && *at != ';'))
		return bad(err, text, n);
	*ret = r;
	return 0;
}

static const char *next_rule(const char *text)
{
	text += strcspn(text, ";");
	return *text ? text + 1 : text;
}

int place_check(const char *text, struct leat_err *err)
{
	struct rule rule = { .each = false };
	int r = 0;
	for (; *text && r == 0; text = next_rule(text))
		r = *text == ';' ? 0 : parse_rule(text, &rule, err);
	return r;
}

static bool matches(const struct rule *rule, const char *module)
{
	char pattern[128];
	const char *at = rule->pattern;
	while (at && *at && *at != ';') {
		at = copy_to(pattern, sizeof(pattern), at, ",;");
		if (at && fnmatch(pattern, module, 0) == 0)
			return true;
		if (at && *at == ',')
			at++;
	}
	return false;
}

static struct thr *get_thread(struct leat_app *app, const char *name, int cpu)
{
	struct thr **at = &app->threads;
	for (; *at; at = &(*at)->next) {
		if (strcmp((*at)->name, name) == 0)
			return *at;
	}
	struct thr *t =
		aligned_alloc(RING_LINE, (sizeof(*t) + RING_LINE - 1) & ~(size_t)(RING_LINE - 1));
	if (!t)
		return NULL;
	memset(t, 0, sizeof(*t));
	snprintf(t->name, sizeof(t->name), "%s", name);
	t->cpu = cpu;
	t->app = app;
	t->epoll_fd = t->event_fd = -1;
	for (int i = 0; i < PRIORITIES; i++)
		t->ready[i].tail = &t->ready[i].head;
	t->ev_drain = (struct ev){ .kind = EV_DRAIN, .priority = 1 };
	t->ev_stop = (struct ev){ .kind = EV_STOP, .priority = 1 };
	*at = t;
	return t;
}

/* The CPU of thread i of n: contiguous parts of the list. */
static int part_of(const char *cpus, unsigned i, unsigned n)
{
	if (!cpus[0])
		return -1;
	unsigned all = (unsigned)cpus_count(cpus);
	return cpus_nth(cpus, n <= all ? i : i * all / n);
}

static int add_module(struct leat_app *app, struct leat_module *m, const char *thread, int cpu)
{
	struct thr *t = get_thread(app, thread, cpu);
	if (!t)
		return -ENOMEM;
	struct leat_module **at = &t->modules;
	while (*at)
		at = &(*at)->next_here;
	*at = m;
	m->thr = t;
	t->live++;
	return 0;
}

static int apply(struct leat_app *app, const struct rule *rule)
{
	unsigned left = 0, i = 0;
	for (struct leat_module *m = app->modules; m; m = m->next)
		left += !m->thr;
	unsigned threads = rule->each ? left : rule->threads < left ? rule->threads : left;
	for (struct leat_module *m = app->modules; m; m = m->next) {
		char name[32];
		int r = 0;
		if (m->thr)
			continue;
		if (rule->pattern) {
			if (matches(rule, m->name))
				r = add_module(app, m, rule->name,
					rule->cpus[0] ? cpus_nth(rule->cpus, 0) : -1);
		} else {
			unsigned k = (unsigned)((uint64_t)i++ * threads / left);
			snprintf(name, sizeof(name), "t%u", k);
			r = add_module(app, m, name, part_of(rule->cpus, k, threads));
		}
		if (r < 0)
			return r;
	}
	return 0;
}

/* Modules no rule names go where they say. */
int place_all(struct leat_app *app, struct leat_err *err)
{
	struct rule rule = { .each = false };
	int r = 0;
	const char *text = app->placement ? app->placement : "";
	for (; *text && r == 0; text = next_rule(text)) {
		if (*text == ';')
			continue;
		r = parse_rule(text, &rule, err);
		if (r < 0)
			return r;
		r = apply(app, &rule);
	}
	for (struct leat_module *m = app->modules; m && r == 0; m = m->next) {
		if (!m->thr)
			r = add_module(app, m, m->opts.thread ? m->opts.thread : "main", -1);
	}
	return r < 0 ? LEAT_FAIL_MEM(err) : 0;
}
