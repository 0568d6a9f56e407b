/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Loops on each CPU alone and on all of them at once. */
#include "run/quiet.h"

#include <math.h>
#include <pthread.h>
#include <sched.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>

#include "base/clock.h"
#include "base/own.h"

enum {
	SLICE_STEPS = 100000,
	ALONE_SLICES = 12,
	LOOK_NS = 50000000,
	START_NS = 1000000, /* for the threads to be there before the window opens */
};

static const double enough_of_all = 0.9;
static const double enough_of_one = 0.6;

static void pin_self(unsigned cpu)
{
	struct lt_cpuset one = { 0 };
	lt_cpuset_add(&one, cpu);
	sched_setaffinity(0, sizeof(one.bits), (cpu_set_t *)one.bits);
}

static void run_chain(void)
{
	uint64_t x = 1;
	for (unsigned i = 0; i < SLICE_STEPS; i++) {
		x *= UINT64_C(6364136223846793005);
		__asm__ volatile("" : "+r"(x)); /* nothing to be left out or done in advance */
	}
}

static void run_wide(void)
{
	uint64_t a = 1, b = 2, c = 3, d = 4, e = 5, f = 6;
	for (unsigned i = 0; i < SLICE_STEPS; i++) {
		a += i;
		b ^= i;
		c += 3;
		d ^= 5;
		e += 7;
		f ^= 9;
		__asm__ volatile("" : "+r"(a), "+r"(b), "+r"(c), "+r"(d), "+r"(e), "+r"(f));
	}
}

static void run_slice(enum quiet_loop loop)
{
	if (loop == QUIET_WIDE)
		run_wide();
	else
		run_chain();
}

struct looker {
	enum quiet_loop loop;
	pthread_t thread;
	bool started;
	const struct quiet_cpu *cpu;
	int64_t from_ns;
	double share; /* of its CPU that it got */
};

static void *look(void *ctx)
{
	struct looker *l = ctx;
	pin_self(l->cpu->cpu);
	struct timespec at = { .tv_sec = l->from_ns / LT_NS_PER_S,
		.tv_nsec = l->from_ns % LT_NS_PER_S };
	clock_nanosleep(CLOCK_MONOTONIC, TIMER_ABSTIME, &at, NULL);
	double done = 0;
	int64_t now;
	do {
		run_slice(l->loop);
		done++;
		now = lt_now_ns();
	} while (now < l->from_ns + LOOK_NS);
	l->share = done * l->cpu->slice_ns / (double)(now - l->from_ns);
	return NULL;
}

struct loner {
	enum quiet_loop loop;
	struct quiet_cpu *cpu;
};

/* The best of a few: what disturbs takes time, nothing gives any. */
static void *measure_alone(void *ctx)
{
	const struct loner *l = ctx;
	struct quiet_cpu *c = l->cpu;
	pin_self(c->cpu);
	c->slice_ns = INFINITY;
	for (unsigned i = 0; i < ALONE_SLICES; i++) {
		int64_t begin = lt_now_ns();
		run_slice(l->loop);
		c->slice_ns = fmin(c->slice_ns, (double)(lt_now_ns() - begin));
	}
	return NULL;
}

int quiet_open(struct quiet *q, enum quiet_loop loop, const struct lt_cpuset *allowed, double quota,
	struct lt_err *err)
{
	*q = (struct quiet){ .loop = loop };
	unsigned all = lt_cpuset_count(allowed);
	unsigned most = quota > 0 && ceil(quota) < all ? (unsigned)ceil(quota) : all;
	q->asked = quota > 0 && quota < all ? quota : all;
	q->cpus = calloc(most + 1, sizeof(*q->cpus));
	if (!q->cpus)
		return lt_fail_mem(err);
	for (unsigned cpu = 0; cpu < LT_CPUS_MAX && q->n < most; cpu++)
		if (lt_cpuset_has(allowed, cpu))
			q->cpus[q->n++].cpu = cpu;
	/* In a thread: leat itself stays where it is. */
	for (unsigned i = 0; i < q->n; i++) {
		pthread_t t;
		struct loner l = { loop, &q->cpus[i] };
		errno = pthread_create(&t, NULL, measure_alone, &l);
		if (errno)
			return lt_fail_sys(err, "LT-QUIET", "cannot start a thread");
		pthread_join(t, NULL);
	}
	return 0;
}

void quiet_close(struct quiet *q)
{
	free(q->cpus);
	*q = (struct quiet){ 0 };
}

bool quiet_enough(const double *shares, unsigned n, double asked, double *ret_given)
{
	double given = 0, least = INFINITY;
	for (unsigned i = 0; i < n; i++) {
		double share = fmin(shares[i], 1);
		given += share;
		least = fmin(least, share);
	}
	given = fmin(given, asked);
	*ret_given = given;
	/* Under a quota a CPU may rest while the others use it up. */
	return given >= enough_of_all * asked && (least >= enough_of_one || asked < n);
}

int quiet_look(const struct quiet *q, double *ret_given, bool *ret_quiet, struct lt_err *err)
{
	LT_AUTO_FREE struct looker *l = calloc(q->n, sizeof(*l));
	LT_AUTO_FREE double *shares = calloc(q->n, sizeof(*shares));
	if (!l || !shares)
		return lt_fail_mem(err);
	int error = 0;
	int64_t from = lt_now_ns() + START_NS + 100000 * (int64_t)q->n;
	for (unsigned i = 0; i < q->n && !error; i++) {
		l[i].loop = q->loop;
		l[i].cpu = &q->cpus[i];
		l[i].from_ns = from;
		error = pthread_create(&l[i].thread, NULL, look, &l[i]);
		l[i].started = !error;
	}
	for (unsigned i = 0; i < q->n; i++) {
		if (l[i].started)
			pthread_join(l[i].thread, NULL);
		shares[i] = l[i].share;
	}
	errno = error;
	if (error)
		return lt_fail_sys(err, "LT-QUIET", "cannot start a thread");
	*ret_quiet = quiet_enough(shares, q->n, q->asked, ret_given);
	return 0;
}
