/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Does the machine give its cores? A pure compute loop on all of them at once must get as
 * far as on each alone. Where it does not, other work (or another guest of the same host) is
 * in the way, and what looks like scaling or its lack is none. */
#ifndef RUN_QUIET_H
#define RUN_QUIET_H

#include <stdbool.h>

#include "base/cpuset.h"
#include "base/err.h"

enum quiet_loop {
	QUIET_CHAIN, /* each step waits for the last: hardware threads of one core do not slow each
			other down, and nothing but the core is in use */
	QUIET_WIDE,  /* as many steps at once as a core has units for: they do */
};

struct quiet_cpu {
	unsigned cpu;
	double slice_ns; /* of the loop, alone and undisturbed */
};

struct quiet {
	enum quiet_loop loop;
	struct quiet_cpu *cpus;
	unsigned n;
	double asked; /* CPUs: n, or less under a quota */
};

/* Measures the loop alone on each CPU of `allowed`, or on as many as the quota (in CPUs, 0 =
 * none) fills. Takes a few ms per CPU. */
int quiet_open(struct quiet *q, enum quiet_loop loop, const struct lt_cpuset *allowed, double quota,
	struct lt_err *err);
void quiet_close(struct quiet *q);

/* Runs it on all of them at once for 50 ms. *ret_given: CPUs that it amounted to. */
int quiet_look(const struct quiet *q, double *ret_given, bool *ret_quiet, struct lt_err *err);

/* The judgement alone: shares[i] is what CPU i gave, 1 = all of it. */
bool quiet_enough(const double *shares, unsigned n, double asked, double *ret_given);

#endif
