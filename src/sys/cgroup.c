/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Walking up the control groups of a process. In a container the path that procfs tells may
 * lie outside of what is mounted; then the mounted root itself is the container's group. */
#include "sys/cgroup.h"

#include <inttypes.h>
#include <stdbool.h>
#include <stdio.h>
#include <string.h>

#include "base/own.h"
#include "sys/file.h"

enum {
	PATH_SIZE = 1024,
	LINES_SIZE = 8192,
};

/* Where version 1 mounts the controller that we ask; the names distributions give it. */
static const char *const v1_mounts[] = { "sys/fs/cgroup/cpu,cpuacct", "sys/fs/cgroup/cpu" };

/* One group's own word: its quota in CPUs, 0 for none, negative errno. */
static int own_quota(int root_fd, const char *dir, bool v2, double *ret)
{
	char path[PATH_SIZE + 32], text[64];
	int64_t quota;
	uint64_t period;
	*ret = 0;
	snprintf(path, sizeof(path), "%s/%s", dir, v2 ? "cpu.max" : "cpu.cfs_quota_us");
	int r = sys_read_line_at(root_fd, path, text, sizeof(text));
	if (r < 0)
		return r;
	if (v2) {
		if (sscanf(text, "%" SCNd64 " %" SCNu64, &quota, &period) != 2)
			return 0; /* "max" */
	} else {
		snprintf(path, sizeof(path), "%s/cpu.cfs_period_us", dir);
		r = sys_read_u64_at(root_fd, path, &period);
		if (r < 0 || sscanf(text, "%" SCNd64, &quota) != 1)
			return r;
	}
	if (quota > 0 && period > 0)
		*ret = (double)quota / (double)period;
	return 0;
}

/* The group and all above it, up to and with the mounted root. */
static void climb(int root_fd, const char *mount, const char *group, bool v2, double *ret_cpus)
{
	char dir[PATH_SIZE];
	int len = snprintf(dir, sizeof(dir), "%s%s", mount, group);
	if (len < 0 || (size_t)len >= sizeof(dir))
		return;
	for (;;) {
		double cpus = 0;
		int r = own_quota(root_fd, dir, v2, &cpus);
		if (r == 0 && cpus > 0 && (*ret_cpus == 0 || cpus < *ret_cpus))
			*ret_cpus = cpus;
		char *slash = strrchr(dir, '/');
		if (strlen(dir) <= strlen(mount) || !slash)
			return;
		*slash = '\0';
	}
}

static bool is_mounted(int root_fd, const char *mount, const char *group)
{
	char path[PATH_SIZE];
	int len = snprintf(path, sizeof(path), "%s%s", mount, group);
	return len > 0 && (size_t)len < sizeof(path) && faccessat(root_fd, path, F_OK, 0) == 0;
}

/* A line of PID/cgroup: "0::/a/b" of version 2, "4:cpu,cpuacct:/a/b" of version 1. */
static void look(int root_fd, char *line, double *ret_cpus)
{
	char *controllers = strchr(line, ':');
	char *group = controllers ? strchr(controllers + 1, ':') : NULL;
	if (!group)
		return;
	*controllers++ = *group++ = '\0';
	if (!strcmp(group, "/"))
		*group = '\0';
	bool v2 = !*controllers;
	bool cpu = false;
	for (char *word; (word = strsep(&controllers, ","));)
		cpu = cpu || !strcmp(word, "cpu");
	static const char *const v2_mounts[] = { "sys/fs/cgroup", "sys/fs/cgroup/unified" };
	const char *const *mounts = v2 ? v2_mounts : v1_mounts;
	for (size_t i = 0; i < 2 && (v2 || cpu); i++) {
		if (!is_mounted(root_fd, mounts[i], ""))
			continue;
		climb(root_fd, mounts[i], is_mounted(root_fd, mounts[i], group) ? group : "", v2,
			ret_cpus);
		return;
	}
}

int sys_cgroup_quota(int root_fd, pid_t pid, double *ret_cpus)
{
	char path[64], text[LINES_SIZE];
	*ret_cpus = 0;
	snprintf(path, sizeof(path), "proc/%d/cgroup", (int)pid);
	int r = sys_read_at(root_fd, path, text, sizeof(text));
	if (r < 0)
		return r == -ENOENT ? 0 : r;
	char *next = text;
	for (char *line; (line = strsep(&next, "\n"));)
		look(root_fd, line, ret_cpus);
	return 0;
}
