/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Choosing, opening and reading meters together. */
#include "run/meterset.h"

#include <stdlib.h>
#include <string.h>

#include "base/log.h"

enum {
	MAX_ITEMS = 64
};

struct choice {
	const struct meter *meter;
	const char *arg;
};

struct choices {
	struct choice list[MAX_ITEMS];
	size_t n;
};

static int add_choice(struct choices *c, const struct meter *m, const char *arg, struct lt_err *err)
{
	for (size_t i = 0; i < c->n; i++)
		if (c->list[i].meter == m && !arg)
			return 0; /* named twice: once is enough */
	if (c->n == MAX_ITEMS)
		return lt_fail(err, -EINVAL, "LT-METER", "more than %d meters", MAX_ITEMS);
	c->list[c->n++] = (struct choice){ m, arg };
	return 0;
}

static int fail_unknown(struct lt_err *err, const char *name)
{
	lt_err_set(err, -EINVAL, "LT-METER", "no meter '%.80s'", name);
	return lt_hint(err, "'leat list meters' shows them all");
}

/* Also takes the name of a metric, for its meter. */
static const struct meter *find(const char *name)
{
	const struct meter *m = meter_find(name);
	for (const struct meter *const *t = meter_table; !m && *t; t++)
		for (size_t i = 0; i < (*t)->n_metrics; i++)
			if (!strcmp((*t)->metrics[i].name, name))
				m = *t;
	return m;
}

static int choose_named(struct choices *c, char *names, unsigned use, struct lt_err *err)
{
	char *next = names;
	for (char *word; (word = strsep(&next, ","));) {
		char *arg = strchr(word, ':');
		if (arg)
			*arg++ = '\0';
		const struct meter *m = find(word);
		if (!m)
			return fail_unknown(err, word);
		if (!(m->use & use))
			return lt_fail(err, -EINVAL, "LT-METER", "meter '%s' cannot measure %s",
				m->name,
				use == METER_USE_ATTACH ? "a running process" : "a program");
		if (arg && !*arg)
			return lt_fail(err, -EINVAL, "LT-METER",
				"meter '%s': nothing behind the ':'", m->name);
		int r = add_choice(c, m, arg, err);
		if (r < 0)
			return r;
	}
	return 0;
}

/* Prepares one meter; what is not available here stays, with its reason. */
static int open_item(struct meterset *set, struct meterset_item *item, const struct choice *c,
	struct lt_err *err)
{
	item->meter = c->meter;
	item->why = meter_probe(c->meter, &set->place);
	if (c->meter->inst_size) {
		item->inst = calloc(1, c->meter->inst_size);
		if (!item->inst)
			return lt_fail_mem(err);
	}
	if (item->why.state == VALUE_UNAVAILABLE)
		return 0;
	struct lt_err why = { 0 };
	int r = c->meter->open ? c->meter->open(item->inst, &set->place, c->arg, &why) : 0;
	item->open = r >= 0;
	if (r == -EINVAL) { /* the user's argument is wrong: not the machine's fault */
		*err = why;
		return r;
	}
	if (r < 0) {
		lt_log(LT_LOG_DEBUG, "meter", "%s: %s, going on without it", c->meter->name,
			why.text);
		item->why = value_missing(lt_arena_strdup(set->place.arena, why.text),
			why.hint[0] ? lt_arena_strdup(set->place.arena, why.hint) : NULL);
	}
	return 0;
}

static size_t list_metrics(const struct meterset_item *item, const struct metric **ret)
{
	if (item->meter->list && item->open)
		return item->meter->list(item->inst, ret);
	*ret = item->meter->metrics;
	return item->meter->n_metrics;
}

static int describe(struct meterset *set, struct record *rec, struct lt_err *err)
{
	size_t total = 0;
	const struct metric *list;
	for (size_t i = 0; i < set->n_items; i++)
		total += list_metrics(&set->items[i], &list);
	rec->metrics = lt_arena_alloc(&rec->arena, (total + 1) * sizeof(*rec->metrics));
	rec->machine.meters =
		lt_arena_alloc(&rec->arena, (set->n_items + 1) * sizeof(*rec->machine.meters));
	if (!rec->metrics || !rec->machine.meters)
		return lt_fail_mem(err);
	for (size_t i = 0; i < set->n_items; i++) {
		struct meterset_item *item = &set->items[i];
		item->first = rec->n_metrics;
		item->n = list_metrics(item, &list);
		for (size_t k = 0; k < item->n; k++) {
			if (record_metric(rec, list[k].name) >= 0)
				return lt_fail(err, -EINVAL, "LT-METER",
					"metric '%s' is asked for twice", list[k].name);
			rec->metrics[rec->n_metrics++] = list[k];
		}
		rec->machine.meters[rec->machine.n_meters++] = (struct record_meter){
			.name = item->meter->name,
			.state = item->open ? VALUE_MEASURED : VALUE_UNAVAILABLE,
			.reason = item->open ? NULL : item->why.reason,
			.hint = item->open ? NULL : item->why.hint,
		};
	}
	return 0;
}

int meterset_open(
	struct meterset *set, struct record *rec, const char *names, bool count, struct lt_err *err)
{
	struct choices chosen = { 0 };
	unsigned use = set->place.target ? METER_USE_ATTACH : METER_USE_TRIAL;
	int r = 0;
	if (names) {
		char *copy = lt_arena_strdup(&rec->arena, names); /* arguments stay in use */
		r = copy ? choose_named(&chosen, copy, use, err) : lt_fail_mem(err);
	} else {
		for (const struct meter *const *m = meter_table; *m && r >= 0; m++)
			if (((*m)->use & METER_USE_DEFAULT) && ((*m)->use & use))
				r = add_choice(&chosen, *m, NULL, err);
	}
	if (r >= 0 && count)
		r = add_choice(&chosen, meter_find("count"), NULL, err);
	if (r < 0)
		return r;
	set->items = lt_arena_alloc(&rec->arena, (chosen.n + 1) * sizeof(*set->items));
	if (!set->items)
		return lt_fail_mem(err);
	for (; set->n_items < chosen.n && r >= 0; set->n_items++)
		r = open_item(set, &set->items[set->n_items], &chosen.list[set->n_items], err);
	return r < 0 ? r : describe(set, rec, err);
}

void meterset_close(struct meterset *set)
{
	for (size_t i = 0; i < set->n_items; i++) {
		struct meterset_item *item = &set->items[i];
		if (item->open && item->meter->close)
			item->meter->close(item->inst);
		free(item->inst);
	}
	set->n_items = 0;
}

static void start_item(
	struct meterset *set, struct meterset_item *item, const struct meter_window *win)
{
	if (item->open && item->meter->start)
		item->meter->start(item->inst, &set->place, win);
}

static void read_item(struct meterset *set, struct meterset_item *item,
	const struct meter_window *win, struct value *readings)
{
	struct value *out = readings + item->first;
	for (size_t k = 0; k < item->n; k++)
		out[k] = item->open ? (struct value){ 0 } : item->why;
	if (item->open)
		item->meter->read(item->inst, &set->place, win, out);
}

static void sit_out(const struct meterset_item *item, const char *why, struct value *readings)
{
	for (size_t k = 0; k < item->n; k++)
		readings[item->first + k] = item->open ? value_missing(why, NULL) : item->why;
}

void meterset_start(struct meterset *set, const struct meter_window *win)
{
	for (size_t i = 0; i < set->n_items; i++)
		if (!meterset_is_evidence(&set->items[i]))
			start_item(set, &set->items[i], win);
}

void meterset_read(struct meterset *set, const struct meter_window *win, struct value *readings)
{
	for (size_t i = 0; i < set->n_items; i++)
		if (meterset_is_evidence(&set->items[i]))
			sit_out(&set->items[i], "counted in runs of its own", readings);
		else
			read_item(set, &set->items[i], win, readings);
}

int meterset_wrap(
	struct meterset *set, size_t item, char *const *argv, char ***ret, struct lt_err *err)
{
	struct meterset_item *it = &set->items[item];
	return it->meter->wrap(it->inst, &set->place, argv, ret, err);
}

void meterset_start_evidence(struct meterset *set, size_t item, const struct meter_window *win)
{
	start_item(set, &set->items[item], win);
}

void meterset_read_evidence(
	struct meterset *set, size_t item, const struct meter_window *win, struct value *readings)
{
	for (size_t i = 0; i < set->n_items; i++)
		if (i != item)
			sit_out(&set->items[i],
				"an instrumented run: only its counts mean something", readings);
	read_item(set, &set->items[item], win, readings);
}
