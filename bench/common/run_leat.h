/* SPDX-License-Identifier: GPL-2.0-or-later */
/* What benches share: asking leat for a record, making small programs, printing a goal. */
#ifndef BENCH_COMMON_RUN_LEAT_H
#define BENCH_COMMON_RUN_LEAT_H

#include <sys/types.h>

#include "record/record.h"

/* Runs a shell line that prints a record on stdout ("build/bin/leat run ... --json -").
 * NULL, and a word on stderr, when there is none. Owner: the caller (record_free). */
struct record *bench_record(const char *line);

/* Median of a metric over the first variant's runs; NAN when there is none. */
double bench_median(const struct record *rec, const char *metric);

/* Compiles C source, with cc and `flags`, to a program of its own in /tmp. Owner: the caller
 * unlinks `ret_path` (256 bytes). 0, or the compiler's exit code. */
int bench_compile(const char *source, const char *flags, char *ret_path);

/* "NAME VALUE unit <= LIMIT ok|short", the form every bench ends in. */
void bench_goal(const char *name, double value, const char *unit, double limit);

/* C source of a program that computes for some milliseconds. */
extern const char bench_spin[];

/* A child that computes on one CPU until it is stopped, or this program ends. */
pid_t bench_hog_start(void);
void bench_hog_stop(pid_t hog);

/* Exit code of a shell line; -1 when a signal ended it. */
int bench_line(const char *line);

#endif
