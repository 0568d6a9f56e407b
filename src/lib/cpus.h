/* SPDX-License-Identifier: MIT */
/* CPU lists of placements: "0-3,8", or "all" for every CPU the process may use. */
#ifndef LIB_CPUS_H
#define LIB_CPUS_H

/* Number of CPUs in the list; -EINVAL if it is none. */
int cpus_count(const char *list);
/* The i-th CPU of a valid list, starting again at its end. */
int cpus_nth(const char *list, unsigned i);
/* Binds the calling thread. 0 or a negative errno. */
int cpus_bind(int cpu);

#endif
