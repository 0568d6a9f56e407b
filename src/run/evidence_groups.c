/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Threads that do the same, as one: by process, by the name they have without its number, and
 * by the function they began in. */
#include <ctype.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/str.h"
#include "run/evidence_inside.h"

enum {
	STACKS_A_THREAD = 3, /* unwound to find where it began */
	STACKS_IN_ALL = 4000,
};

/* Finds where threads began, from the first stacks of each. */
static void find_starts(struct reduce *r, const char **starts)
{
	LT_AUTO_FREE unsigned char *tried = calloc(r->o->threads.n + 1, 1);
	if (!tried) {
		r->failed = true;
		return;
	}
	size_t unwound = 0;
	for (uint32_t i = 0; i < r->o->stacks.n && unwound < STACKS_IN_ALL; i++) {
		uint32_t t = r->o->stacks.at[i].thread;
		if (starts[t] || tried[t] == STACKS_A_THREAD)
			continue;
		tried[t]++;
		unwound++;
		reduce_site_of_stack(r, i);
		starts[t] = r->chains[i].start;
	}
}

/* "worker-12" and "worker-3" are both "worker". */
static void strip_number(char *name)
{
	size_t len = strlen(name);
	while (len > 1 &&
		(isdigit((unsigned char)name[len - 1]) || strchr("-_:/#. ", name[len - 1])))
		len--;
	name[len] = '\0';
}

struct traits {
	char process[OBSERVED_NAME], name[OBSERVED_NAME];
	const char *start;
	bool main, forked;
};

static struct traits traits_of(struct reduce *r, const struct observed_thread *t, const char *start)
{
	struct traits s = { .main = t->pid == t->tid, .forked = t->forked };
	memcpy(s.process, t->process, OBSERVED_NAME);
	memcpy(s.name, t->name, OBSERVED_NAME);
	strip_number(s.name);
	if (!s.main)
		s.start = reduce_name(r, start);
	return s;
}

static bool has_traits(const struct evidence_group *g, const struct traits *s, const char *name)
{
	return g->main == s->main && lt_same_text(g->process, s->process) &&
		lt_same_text(g->start, s->start) && lt_same_text(g->name, name);
}

/* What people call it: the name its threads gave themselves, or the function they began in. */
static void name_of(const struct traits *s, char *ret, size_t size)
{
	char process[OBSERVED_NAME];
	memcpy(process, s->process, sizeof(process));
	strip_number(process);
	if (s->main)
		snprintf(ret, size, "%s", s->forked ? "children" : "main");
	else if (strcmp(s->name, process) != 0 && s->name[0])
		snprintf(ret, size, "%s", s->name);
	else
		snprintf(ret, size, "%s", s->start ? s->start : "threads");
}

static uint32_t find_group(struct reduce *r, const struct traits *s)
{
	struct evidence *e = r->e;
	char name[128];
	name_of(s, name, sizeof(name));
	for (uint32_t i = 0; i < e->n_groups; i++)
		if (has_traits(&e->groups[i], s, name))
			return i;
	if (e->n_groups == REDUCE_GROUPS) /* the last one is for all the rest */
		return REDUCE_GROUPS - 1;
	struct evidence_group *g = &e->groups[e->n_groups];
	bool rest = e->n_groups == REDUCE_GROUPS - 1;
	*g = rest ? (struct evidence_group){ .name = "others" }
		  : (struct evidence_group){
			    .name = reduce_text(r, name),
			    .process = reduce_text(r, s->process),
			    .start = s->start,
			    .main = s->main,
		    };
	return (uint32_t)e->n_groups++;
}

static void add_value(struct value *to, bool known, uint64_t more)
{
	if (!known)
		return;
	to->state = VALUE_MEASURED;
	to->num += (double)more;
}

static void add_thread(struct evidence_group *g, const struct observed_thread *t)
{
	g->threads++;
	add_value(&g->run_ns, t->counted, t->run_ns);
	add_value(&g->queue_ns, t->counted, t->queue_ns);
	add_value(&g->blocked_ns, t->counted, t->blocked_ns);
	add_value(&g->voluntary, t->counted, t->voluntary);
	add_value(&g->involuntary, t->counted, t->involuntary);
}

static void say_why(struct value *v)
{
	if (v->state == VALUE_UNAVAILABLE)
		*v = value_missing("its threads came and went between two looks", NULL);
}

/* Names are unique: the process tells groups apart, or a number does. */
static void make_unique(struct reduce *r)
{
	for (size_t i = 0; i < r->e->n_groups; i++) {
		struct evidence_group *g = &r->e->groups[i];
		unsigned same = 0;
		for (size_t k = 0; k < i; k++)
			same += lt_same_text(r->e->groups[k].name, g->name);
		if (!same)
			continue;
		g->name = lt_arena_printf(r->arena, "%s of %s", g->name, g->process);
		for (size_t k = 0; k < i && g->name; k++)
			if (lt_same_text(r->e->groups[k].name, g->name))
				g->name = lt_arena_printf(r->arena, "%s (%zu)", g->name, i + 1);
		r->failed |= !g->name;
	}
}

void reduce_groups(struct reduce *r)
{
	struct observed *o = r->o;
	LT_AUTO_FREE const char **starts = calloc(o->threads.n + 1, sizeof(*starts));
	r->e->groups = lt_arena_alloc(r->arena, REDUCE_GROUPS * sizeof(*r->e->groups));
	if (!starts || !r->e->groups) {
		r->failed = true;
		return;
	}
	find_starts(r, starts);
	for (size_t i = 0; i < o->threads.n; i++) {
		struct traits s = traits_of(r, &o->threads.at[i], starts[i]);
		o->threads.at[i].group = find_group(r, &s);
		add_thread(&r->e->groups[o->threads.at[i].group], &o->threads.at[i]);
	}
	for (size_t i = 0; i < r->e->n_groups; i++) {
		struct evidence_group *g = &r->e->groups[i];
		struct value *values[] = { &g->run_ns, &g->queue_ns, &g->blocked_ns, &g->voluntary,
			&g->involuntary };
		for (size_t k = 0; k < LT_COUNT(values); k++)
			say_why(values[k]);
	}
	make_unique(r);
}
