/* SPDX-License-Identifier: MIT */
/* CPU lists. */
#include "base/cpuset.h"

#include <ctype.h>
#include <sched.h>
#include <stdlib.h>
#include <string.h>

#include "base/buf.h"

unsigned lt_cpuset_count(const struct lt_cpuset *set)
{
	unsigned n = 0;
	for (size_t i = 0; i < LT_COUNT(set->bits); i++)
		n += (unsigned)__builtin_popcountll(set->bits[i]);
	return n;
}

static int fail_list(struct lt_err *err, const char *list)
{
	return lt_fail(
		err, -EINVAL, "LT-CPUS", "'%.80s' is not a list of CPUs such as 0-3,5", list);
}

/* A CPU number at *at; -1 when there is none or it is out of range. */
static long read_cpu(const char **at)
{
	if (!isdigit((unsigned char)**at))
		return -1;
	char *end;
	unsigned long v = strtoul(*at, &end, 10);
	*at = end;
	return v < LT_CPUS_MAX ? (long)v : -1;
}

int lt_cpuset_parse(struct lt_cpuset *ret, const char *list, struct lt_err *err)
{
	struct lt_cpuset set = { 0 };
	const char *s = list;
	for (;;) {
		long first = read_cpu(&s), last = first;
		if (first >= 0 && *s == '-') {
			s++;
			last = read_cpu(&s);
		}
		if (first < 0 || last < first)
			return fail_list(err, list);
		for (long cpu = first; cpu <= last; cpu++)
			lt_cpuset_add(&set, (unsigned)cpu);
		if (*s == '\0' || (*s == '\n' && !s[1]))
			break;
		if (*s++ != ',')
			return fail_list(err, list);
	}
	*ret = set;
	return 0;
}

char *lt_cpuset_format(const struct lt_cpuset *set, struct lt_arena *arena)
{
	LT_AUTO_BUF struct lt_buf buf = { 0 };
	for (unsigned cpu = 0; cpu < LT_CPUS_MAX; cpu++) {
		if (!lt_cpuset_has(set, cpu))
			continue;
		unsigned last = cpu;
		while (lt_cpuset_has(set, last + 1))
			last++;
		lt_buf_addf(&buf, last > cpu ? "%s%u-%u" : "%s%u", buf.len ? "," : "", cpu, last);
		cpu = last;
	}
	return buf.failed ? NULL : lt_arena_strndup(arena, buf.data ? buf.data : "", buf.len);
}

int lt_cpuset_allowed(struct lt_cpuset *ret, struct lt_err *err)
{
	struct lt_cpuset set = { 0 };
	if (sched_getaffinity(0, sizeof(set.bits), (cpu_set_t *)set.bits) < 0)
		return lt_fail_sys(err, "LT-CPUS", "cannot read the CPU affinity");
	*ret = set;
	return 0;
}
