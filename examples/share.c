/* SPDX-License-Identifier: MIT */
/* share PID: where the threads of a running libleat program spend their time, read from outside.
 * Needs the header leat/stats.h only. */
#include <dirent.h>
#include <fcntl.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <time.h>
#include <unistd.h>

#include <leat/stats.h>

static const struct leat_stats_head *map_page(const char *pid)
{
	char dir[64], path[512], link[256];
	snprintf(dir, sizeof(dir), "/proc/%s/fd", pid);
	DIR *d = opendir(dir);
	for (struct dirent *e; d && (e = readdir(d));) {
		snprintf(path, sizeof(path), "%s/%s", dir, e->d_name);
		ssize_t n = readlink(path, link, sizeof(link) - 1);
		link[n > 0 ? n : 0] = '\0';
		if (strcmp(link, "/memfd:" LEAT_STATS_MEMFD " (deleted)") != 0)
			continue;
		int fd = open(path, O_RDONLY);
		off_t size = fd < 0 ? 0 : lseek(fd, 0, SEEK_END);
		void *page =
			size ? mmap(NULL, (size_t)size, PROT_READ, MAP_SHARED, fd, 0) : MAP_FAILED;
		closedir(d);
		const struct leat_stats_head *head = page;
		return page != MAP_FAILED && head->magic == LEAT_STATS_MAGIC &&
				head->version == LEAT_STATS_VERSION
			? head
			: NULL;
	}
	return NULL;
}

static void show(const char *pid, const struct leat_stats_slot *slot)
{
	static const char *const cause[LEAT_CAUSES] = { "other", "input", "credit", "pool", "timer",
		"turn", "task" };
	char path[128];
	unsigned long long cpu = 0, runq = 0;
	struct timespec now;
	struct leat_share s;
	snprintf(path, sizeof(path), "/proc/%s/task/%u/schedstat", pid, slot->tid);
	FILE *f = fopen(path, "r");
	if (f && fscanf(f, "%llu %llu", &cpu, &runq) != 2)
		cpu = runq = 0;
	if (f)
		fclose(f);
	clock_gettime(CLOCK_MONOTONIC, &now);
	leat_stats_share(
		slot, (uint64_t)now.tv_sec * 1000000000u + (uint64_t)now.tv_nsec, cpu, runq, &s);
	double all = 100.0 / (double)(s.wall_ns ? s.wall_ns : 1);
	printf("%-16s cpu %5.1f %%  no cpu %5.1f %%", slot->name, (double)s.cpu_ns * all,
		(double)s.runq_ns * all);
	for (int i = 0; i < LEAT_CAUSES; i++)
		if (s.wait_ns[i])
			printf("  %s %.1f %%", cause[i], (double)s.wait_ns[i] * all);
	printf("\n");
}

int main(int argc, char **argv)
{
	const struct leat_stats_head *head = argc > 1 ? map_page(argv[1]) : NULL;
	struct leat_stats_slot slot;
	if (!head) {
		fprintf(stderr, "usage: share PID of a running libleat program\n");
		return 1;
	}
	for (uint32_t i = 0; i < head->used; i++)
		if (leat_stats_copy(leat_stats_slot_at(head, i), &slot) == LEAT_STATS_THREAD)
			show(argv[1], &slot);
	return 0;
}
