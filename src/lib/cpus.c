/* SPDX-License-Identifier: MIT */
/* CPU lists of placements. */
#include "lib/cpus.h"

#include <ctype.h>
#include <errno.h>
#include <sched.h>
#include <stdbool.h>
#include <stdlib.h>
#include <string.h>

/* Walks the list: counts its CPUs; *ret_cpu becomes the one with index i, if there is one. */
static int walk_all(unsigned i, int *ret_cpu)
{
	cpu_set_t set;
	if (sched_getaffinity(0, sizeof(set), &set) < 0)
		return -errno;
	unsigned n = 0;
	for (unsigned cpu = 0; cpu < CPU_SETSIZE; cpu++) {
		if (CPU_ISSET(cpu, &set) && n++ == i)
			*ret_cpu = (int)cpu;
	}
	return (int)n;
}

static bool read_number(const char **at, unsigned *ret)
{
	if (!isdigit((unsigned char)**at))
		return false;
	char *end;
	unsigned long v = strtoul(*at, &end, 10);
	*at = end;
	*ret = (unsigned)v;
	return v < CPU_SETSIZE;
}

static int walk(const char *list, unsigned i, int *ret_cpu)
{
	if (strcmp(list, "all") == 0)
		return walk_all(i, ret_cpu);
	unsigned n = 0;
	for (;;) {
		unsigned first, last;
		if (!read_number(&list, &first))
			return -EINVAL;
		last = first;
		if (*list == '-' && (list++, !read_number(&list, &last)))
			return -EINVAL;
		if (last < first)
			return -EINVAL;
		if (i >= n && i - n <= last - first)
			*ret_cpu = (int)(first + (i - n));
		n += last - first + 1;
		if (!*list)
			return (int)n;
		if (*list++ != ',')
			return -EINVAL;
	}
}

int cpus_count(const char *list)
{
	int cpu;
	return walk(list, 0, &cpu);
}

int cpus_nth(const char *list, unsigned i)
{
	int cpu = -1, n = cpus_count(list);
	if (n <= 0)
		return -1;
	walk(list, i % (unsigned)n, &cpu);
	return cpu;
}

int cpus_bind(int cpu)
{
	cpu_set_t set;
	CPU_ZERO(&set);
	CPU_SET((unsigned)cpu, &set);
	return sched_setaffinity(0, sizeof(set), &set) < 0 ? -errno : 0;
}
