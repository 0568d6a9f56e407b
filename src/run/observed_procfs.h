/* SPDX-License-Identifier: GPL-2.0-or-later */
/* What the probe and procfs add to what was seen of a run. */
#ifndef RUN_OBSERVED_PROCFS_H
#define RUN_OBSERVED_PROCFS_H

#include "run/observed.h"
#include "sys/probe_wire.h"

/* Where perf is closed: who is there, by walking procfs. */
void observed_discover(struct observed *o, int root_fd, pid_t launcher, uint64_t now_ns);

void observed_probe_snapshot(struct observed *o, int root_fd, const struct probe_snapshot *s);
void observed_probe_thread(struct observed *o, const struct probe_thread *t);
void observed_probe_wait(
	struct observed *o, const struct probe_key *key, const struct probe_wait *w);
void observed_probe_cores(struct observed *o, const struct probe_cores *c, uint64_t end_ns);

#endif
