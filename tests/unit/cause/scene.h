/* SPDX-License-Identifier: GPL-2.0-or-later */
/* A program as it would have been observed, built by hand: the curve's two points, and the
 * evidence of the second. Two threads of group "worker" on two CPUs unless said. */
#ifndef TESTS_CAUSE_SCENE_H
#define TESTS_CAUSE_SCENE_H

#include <setjmp.h>
#include <stdarg.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <cmocka.h>

#include <math.h>
#include <string.h>

#include "base/own.h"
#include "cause/cause.h"

enum {
	SCENE_MAX = 24
};

struct scene {
	struct scaling scaling;
	struct curve_point base, focus, beyond;
	struct time_ledger ledger;
	struct evidence ev;
	struct evidence_group groups[4];
	struct evidence_site sites[SCENE_MAX];
	struct evidence_frame frames[SCENE_MAX][2];
	struct evidence_wait waits[SCENE_MAX];
	struct evidence_sample samples[SCENE_MAX];
	struct evidence_line lines[4];
	struct evidence_access accesses[4][8];
	struct evidence_core cores[3];
	struct cause_input in;
	struct cause_named named[SCENE_MAX];
	int n_named;
};

static LT_UNUSED struct curve_point scene_point(
	unsigned threads, double wall_s, double user_s, double sys_s)
{
	return (struct curve_point){ .threads = threads,
		.over = threads > 2,
		.n = 5,
		.wall_ns = { value_of(wall_s * 1e9), wall_s * 0.98e9, wall_s * 1.02e9 },
		.user_ns = value_of(user_s * 1e9),
		.system_ns = value_of(sys_s * 1e9) };
}

/* Wall, user and system seconds with one thread and with two. */
static LT_UNUSED void scene_open(struct scene *s, double wall1, double user1, double sys1,
	double wall2, double user2, double sys2)
{
	*s = (struct scene){ 0 };
	s->base = scene_point(1, wall1, user1, sys1);
	s->focus = scene_point(2, wall2, user2, sys2);
	double speedup = wall1 / wall2;
	s->focus.speedup = (struct estimate){ value_of(speedup), speedup * 0.98, speedup * 1.02 };
	s->focus.efficiency = (struct estimate){ value_of(speedup / 2), NAN, NAN };
	s->scaling = (struct scaling){ .cpus = 2,
		.allowed = 2,
		.mode = SCALE_STRONG,
		.focus = 1,
		.verdict = speedup >= 1.8 ? SCALE_SCALES
			: speedup >= 1.05 ? SCALE_LIMITED
			: speedup >= 0.95 ? SCALE_FLAT
					  : SCALE_SLOWER,
		.check = { .checks = 2, .asked = 2, .given = 2 },
		.one_cpu = { .variant = -1,
			.ratio = estimate_missing("not run", NULL),
			.cpu = value_missing("not run", NULL) } };
	double useful = (user1 + sys1) * 1e9, spent = (user2 + sys2) * 1e9;
	s->ledger = (struct time_ledger){ .threads = 2,
		.cores = 2,
		.wall_ns = wall2 * 1e9,
		.useful_ns = useful,
		.lost_ns = 2 * wall2 * 1e9 - useful,
		.user_ns = (user2 - user1) * 1e9,
		.system_ns = (sys2 - sys1) * 1e9,
		.idle_ns = 2 * wall2 * 1e9 - spent };
	s->groups[0] = (struct evidence_group){
		.name = "worker", .threads = 2, .run_ns = value_of(spent)
	};
	s->groups[1] = (struct evidence_group){
		.name = "main", .main = true, .threads = 1, .run_ns = value_of(1e6)
	};
	s->ev = (struct evidence){ .threads = 2,
		.cpus = 2,
		.elapsed_ns = wall2 * 1e9,
		.user_ns = value_of(user2 * 1e9),
		.sys_ns = value_of(sys2 * 1e9),
		.minor_faults = value_of(100),
		.major_faults = value_of(0),
		.peak_bytes = value_of(4e6),
		.foreign_ns = value_of(0),
		.sample_ns = 1e6,
		.peak_threads = 3,
		.sites = s->sites,
		.groups = s->groups,
		.n_groups = 2,
		.waits = s->waits,
		.samples = s->samples,
		.lines = s->lines,
		.cores = s->cores };
	for (int f = 0; f < EVIDENCE_FACTS; f++)
		s->ev.sources[f].tier = EVIDENCE_PROBE;
	s->in = (struct cause_input){ .scaling = &s->scaling,
		.base = &s->base,
		.focus = &s->focus,
		.ledger = &s->ledger,
		.evidence = &s->ev,
		.online = 2 };
}

/* For how many seconds no, one and two cores were in use. */
static LT_UNUSED void scene_cores(struct scene *s, double none, double one, double two)
{
	double ns[] = { none * 1e9, one * 1e9, two * 1e9 };
	for (size_t i = 0; i < LT_COUNT(ns); i++)
		s->cores[i].ns = ns[i];
	s->ev.n_cores = LT_COUNT(ns);
}

/* On one CPU: time and CPU time against those on all. */
static LT_UNUSED void scene_one_cpu(struct scene *s, double ratio, double cpu)
{
	s->scaling.one_cpu = (struct one_cpu){
		.variant = 2, .ratio = { value_of(ratio), NAN, NAN }, .cpu = value_of(cpu)
	};
}

/* A place in "case": function `in`, which is inside the library call `call` or NULL. */
static LT_UNUSED int scene_site(struct scene *s, const char *in, const char *call)
{
	size_t i = s->ev.n_sites++, n = 0;
	assert_true(i < SCENE_MAX);
	if (call)
		s->frames[i][n++] =
			(struct evidence_frame){ .object = "libc.so.6", .function = call };
	s->frames[i][n++] = (struct evidence_frame){
		.object = "case", .function = in, .file = "case.c", .line = 10 + (unsigned)i
	};
	s->sites[i] = (struct evidence_site){ s->frames[i], n, (unsigned)n - 1 };
	return (int)i;
}

/* Waits of a group, all for the same thing: how many and for how many seconds in all. */
static LT_UNUSED struct evidence_wait *scene_wait(struct scene *s, unsigned group,
	enum evidence_op op, const char *call, double count, double total_s)
{
	assert_true(s->ev.n_waits < SCENE_MAX);
	struct evidence_wait *w = &s->waits[s->ev.n_waits++];
	*w = (struct evidence_wait){ .group = group,
		.op = op,
		.threads = 2,
		.count = count,
		.total_ns = total_s * 1e9,
		.site = scene_site(s, "waiter", call) };
	return w;
}

/* Seconds of CPU at a place: EVIDENCE_OP_USER or in the kernel for an operation. */
static LT_UNUSED struct evidence_sample *scene_sample(
	struct scene *s, enum evidence_op op, const char *in, const char *call, double cpu_s)
{
	assert_true(s->ev.n_samples < SCENE_MAX);
	struct evidence_sample *p = &s->samples[s->ev.n_samples++];
	*p = (struct evidence_sample){
		.op = op, .n = cpu_s * 1e3, .ns = cpu_s * 1e9, .site = scene_site(s, in, call)
	};
	return p;
}

/* A line that two threads write at these offsets, from the site of a sample, in `cpu_s` of
 * its time. */
static LT_UNUSED struct evidence_line *scene_line(struct scene *s, const struct evidence_sample *at,
	double cpu_s, unsigned offset_a, unsigned offset_b)
{
	size_t l = s->ev.n_lines++;
	assert_true(l < LT_COUNT(s->lines));
	for (unsigned t = 0; t < 2; t++)
		s->accesses[l][t] = (struct evidence_access){ .thread = 100 + t,
			.offset = t ? offset_b : offset_a,
			.size = 8,
			.write = true,
			.n = cpu_s * 1e3 / 2,
			.site = at->site };
	s->lines[l] = (struct evidence_line){ .address = 0x404040,
		.n = cpu_s * 1e3,
		.share = cpu_s * 1e9 / s->focus.user_ns.num,
		.threads = 2,
		.writers = 2,
		.symbol = "counters",
		.allocated = -1,
		.accesses = s->accesses[l],
		.n_accesses = 2 };
	return &s->lines[l];
}

/* Judges; the id that comes first, or "nothing". */
static LT_UNUSED const char *scene_first(struct scene *s)
{
	struct lt_err err = { 0 };
	s->n_named = cause_judge(&s->in, s->named, LT_COUNT(s->named), &err);
	assert_true(s->n_named >= 0);
	return s->n_named ? s->named[0].cause->id : "nothing";
}

/* After scene_first: the finding of that id, or NULL. */
static LT_UNUSED const struct cause_finding *scene_finding(const struct scene *s, const char *id)
{
	for (int i = 0; i < s->n_named; i++)
		if (!strcmp(s->named[i].cause->id, id))
			return &s->named[i].finding;
	return NULL;
}

static LT_UNUSED double scene_fact(const struct cause_finding *f, const char *name)
{
	for (size_t i = 0; f && i < f->n_facts; i++)
		if (!strcmp(f->facts[i].name, name))
			return f->facts[i].num;
	return NAN;
}

#endif
