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

static int own_throttled(int root_fd, const char *dir, bool v2, uint64_t *ret_ns)
{
	char path[PATH_SIZE + 32], text[2048];
	snprintf(path, sizeof(path), "%s/cpu.stat", dir);
	int r = sys_read_at(root_fd, path, text, sizeof(text));
	const char *word = v2 ? "throttled_usec " : "throttled_time ";
	const char *at = r < 0 ? NULL : strstr(text, word);
	if (!at || sscanf(at + strlen(word), "%" SCNu64, ret_ns) != 1)
		return r < 0 ? r : -ENODATA;
	if (v2)
		*ret_ns *= 1000;
	return 0;
}

struct found {
	double cpus;
	uint64_t throttled_ns;
	bool throttling_known;
};

/* The group and all above it, up to and with the mounted root. */
static void climb(int root_fd, const char *mount, const char *group, bool v2, struct found *f)
{
	char dir[PATH_SIZE];
	int len = snprintf(dir, sizeof(dir), "%s%s", mount, group);
	if (len < 0 || (size_t)len >= sizeof(dir))
		return;
	for (;;) {
		double cpus = 0;
		uint64_t ns = 0;
		int r = own_quota(root_fd, dir, v2, &cpus);
		if (r == 0 && cpus > 0 && own_throttled(root_fd, dir, v2, &ns) == 0) {
			f->throttled_ns += ns;
			f->throttling_known = true;
		}
		if (r == 0 && cpus > 0 && (f->cpus == 0 || cpus < f->cpus))
			f->cpus = cpus;
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
static void look(int root_fd, char *line, struct found *f)
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
			f);
		return;
	}
}

static int find(int root_fd, pid_t pid, struct found *f)
{
	char path[64], text[LINES_SIZE];
	snprintf(path, sizeof(path), "proc/%d/cgroup", (int)pid);
	int r = sys_read_at(root_fd, path, text, sizeof(text));
	if (r < 0)
		return r == -ENOENT ? 0 : r;
	char *next = text;
	for (char *line; (line = strsep(&next, "\n"));)
		look(root_fd, line, f);
	return 0;
}

int sys_cgroup_quota(int root_fd, pid_t pid, double *ret_cpus)
{
	struct found f = { 0 };
	int r = find(root_fd, pid, &f);
	if (r == 0)
		*ret_cpus = f.cpus;
	return r;
}

int sys_cgroup_throttled(int root_fd, pid_t pid, uint64_t *ret_ns)
{
	struct found f = { 0 };
	int r = find(root_fd, pid, &f);
	if (r == 0 && !f.throttling_known)
		return -ENODATA;
	if (r == 0)
		*ret_ns = f.throttled_ns;
	return r;
}
