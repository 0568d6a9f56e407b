/* SPDX-License-Identifier: GPL-2.0-or-later */
/* A meter under test: opened on a real launcher or a real process, fed with real windows, as
 * a session does it. Failures are cmocka's. */
#ifndef UNIT_METER_RIG_H
#define UNIT_METER_RIG_H

#include "helpers/near.h"
#include "meter/meter.h"
#include "run/launch.h"

enum {
	RIG_METRICS = 32
};

struct rig {
	struct launcher launcher;
	struct lt_arena arena;
	struct meter_place place;
	const struct meter *meter;
	void *inst;
	const struct metric *metrics;
	size_t n;
	struct meter_window win; /* of the last window */
	struct value values[RIG_METRICS];
	int status;                  /* of the last trial: its exit code, or minus its signal */
	const struct lt_cpuset *pin; /* of trials, or NULL */
	int64_t start_ns, read_ns;   /* what the last window's calls of the meter took */
};

/* Opens the meter for trials. */
void rig_open(struct rig *r, const char *meter, const char *arg);

/* Opens the meter on a running process. */
void rig_attach(struct rig *r, const char *meter, const char *arg, pid_t pid);

/* One trial; the values are read while the program is a zombie. argv ends in NULL. */
void rig_run(struct rig *r, const char *const *argv);

/* A window on the running process: calls `during`, or sleeps 20 ms if it is NULL. */
void rig_window(struct rig *r, void (*during)(void *ctx), void *ctx);

/* The number of a metric; it must have one. */
double rig_num(const struct rig *r, const char *metric);
const struct value *rig_value(const struct rig *r, const char *metric);
const struct metric *rig_metric(const struct rig *r, const char *metric);

void rig_close(struct rig *r);

/* The number of `metric` when the test load does `what` `n` times, minus when it does it 0
 * times: the median over several tries, as starting a program now and then adds one or saves
 * one. */
double rig_extra(struct rig *r, const char *metric, const char *what, unsigned n);

/* A running test load that does `what` `n` times whenever poked; poking waits for the end. */
struct rig_server {
	pid_t pid;
	int fd;
};
void rig_serve(struct rig_server *s, const char *what, unsigned n);
void rig_poke(void *server);
void rig_serve_end(struct rig_server *s);

/* The state of a meter on a recorded machine. */
struct value rig_probe(struct lt_arena *arena, const char *machine, const char *meter);

/* Runs `test` in a child that has given up root for good, and passes on its verdict. */
void rig_as_nobody(void (*test)(void));

/* The meter, attached to a process that has ended meanwhile: no metric has a value, and each
 * says why. */
void rig_gone(const char *meter);

#endif
