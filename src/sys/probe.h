/* SPDX-License-Identifier: GPL-2.0-or-later */
/* The probe in the kernel's scheduler, from leat's side: put in place, read, taken away.
 * Needs CAP_BPF and CAP_PERFMON, or root, and a kernel of 5.15 or later with its type
 * information; x86-64 only. */
#ifndef SYS_PROBE_H
#define SYS_PROBE_H

#include <stdint.h>
#include <sys/types.h>

#include "base/err.h"
#include "sys/probe_wire.h"

struct sys_probe;

struct sys_probe_handlers {
	void *ctx;
	void (*snapshot)(void *ctx, const struct probe_snapshot *s);
	void (*thread)(void *ctx, const struct probe_thread *t);
	void (*wait)(void *ctx, const struct probe_key *key, const struct probe_wait *w);
};

/* Watches every program that `launcher` starts from now on, with all its descendants.
 * Owner: the caller (sys_probe_close). Errors: LT-PROBE and why, with a hint. */
int sys_probe_open(struct sys_probe **ret, pid_t launcher, const uint8_t rules[PROBE_CALLS],
	struct lt_err *err);
void sys_probe_close(struct sys_probe *p);

/* Hands out what was sent meanwhile: snapshots, and threads that have ended. */
void sys_probe_drain(struct sys_probe *p, const struct sys_probe_handlers *on);

/* The same for the last time, then threads that live on, and all waits. Waits and slices that
 * are not over are booked as if they ended now. */
void sys_probe_finish(struct sys_probe *p, const struct sys_probe_handlers *on);

/* Valid until the probe is closed. */
const struct probe_cores *sys_probe_cores(const struct sys_probe *p);
const struct probe_lost *sys_probe_lost(const struct sys_probe *p);

#endif
