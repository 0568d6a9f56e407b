/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Reading cpuidle. */
#include "sys/cpuidle.h"

#include <sched.h>
#include <stdio.h>
#include <string.h>
#include <sys/syscall.h>

#include "sys/file.h"
#include "sys/machine.h"

struct path {
	char s[96];
};

static struct path path_of(unsigned cpu, unsigned state, const char *file)
{
	struct path p;
	snprintf(p.s, sizeof(p.s), "sys/devices/system/cpu/cpu%u/cpuidle/state%u/%s", cpu, state,
		file);
	return p;
}

static size_t find_name(const struct sys_cpuidle *idle, const char *name)
{
	size_t i = 0;
	while (i < idle->n && strcmp(idle->names[i], name))
		i++;
	return i;
}

/* Adds the states of one CPU; how many it has. States beyond our table have no place. */
static unsigned find_states(int root_fd, unsigned cpu, struct sys_cpuidle *idle)
{
	unsigned s = 0;
	for (; s < SYS_CPUIDLE_STATES; s++) {
		char name[SYS_CPUIDLE_NAME];
		if (sys_read_line_at(root_fd, path_of(cpu, s, "name").s, name, sizeof(name)) < 0)
			break;
		size_t i = find_name(idle, name);
		if (i == idle->n && idle->n < SYS_CPUIDLE_STATES)
			memcpy(idle->names[idle->n++], name, sizeof(name));
	}
	return s;
}

int sys_cpuidle_find(int root_fd, struct sys_cpuidle *ret)
{
	struct sys_cpuidle idle = { 0 };
	struct lt_cpuset cpus;
	int r = sys_cpus_online(root_fd, &cpus);
	if (r < 0)
		return r;
	for (unsigned cpu = 0; cpu < LT_CPUS_MAX; cpu++) {
		if (!lt_cpuset_has(&cpus, cpu) || !find_states(root_fd, cpu, &idle))
			continue;
		lt_cpuset_add(&idle.cpus, cpu);
		idle.n_cpus++;
	}
	if (!idle.n)
		return -ENODATA;
	*ret = idle;
	return 0;
}

int sys_cpuidle_present(int root_fd)
{
	struct sys_cpuidle idle = { 0 };
	struct lt_cpuset cpus;
	int r = sys_cpus_online(root_fd, &cpus);
	if (r < 0)
		return r;
	for (unsigned cpu = 0; cpu < LT_CPUS_MAX; cpu++)
		if (lt_cpuset_has(&cpus, cpu) && find_states(root_fd, cpu, &idle))
			return 0;
	return -ENODATA;
}

static int add_state(int root_fd, unsigned cpu, unsigned s, const struct sys_cpuidle *idle,
	struct sys_cpuidle_counts *sum)
{
	char name[SYS_CPUIDLE_NAME];
	uint64_t time_us, entries;
	int r = sys_read_line_at(root_fd, path_of(cpu, s, "name").s, name, sizeof(name));
	if (r >= 0)
		r = sys_read_u64_at(root_fd, path_of(cpu, s, "time").s, &time_us);
	if (r >= 0)
		r = sys_read_u64_at(root_fd, path_of(cpu, s, "usage").s, &entries);
	if (r < 0)
		return r;
	size_t i = find_name(idle, name);
	if (i == idle->n)
		return 0;
	sum->time_us[i] += time_us;
	sum->entries[i] += entries;
	return 0;
}

int sys_cpuidle_read(int root_fd, const struct sys_cpuidle *idle, struct sys_cpuidle_counts *ret)
{
	struct sys_cpuidle_counts sum = { 0 };
	for (unsigned cpu = 0; cpu < LT_CPUS_MAX; cpu++) {
		if (!lt_cpuset_has(&idle->cpus, cpu))
			continue;
		int r = 0;
		unsigned s = 0;
		while (s < SYS_CPUIDLE_STATES && r >= 0)
			r = add_state(root_fd, cpu, s++, idle, &sum);
		if (r < 0 && (r != -ENOENT || s <= 1)) /* gone offline in the middle */
			return r;
	}
	*ret = sum;
	return 0;
}

unsigned sys_cpuidle_rouse(const struct lt_cpuset *cpus)
{
	struct lt_cpuset before = { 0 };
	unsigned refused = 0;
	if (syscall(SYS_sched_getaffinity, 0, sizeof(before.bits), before.bits) < 0)
		return lt_cpuset_count(cpus);
	for (unsigned cpu = 0; cpu < LT_CPUS_MAX; cpu++) {
		struct lt_cpuset one = { 0 };
		if (!lt_cpuset_has(cpus, cpu))
			continue;
		lt_cpuset_add(&one, cpu);
		refused += syscall(SYS_sched_setaffinity, 0, sizeof(one.bits), one.bits) != 0;
	}
	syscall(SYS_sched_setaffinity, 0, sizeof(before.bits), before.bits);
	return refused;
}
