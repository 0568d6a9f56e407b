/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Reading cachegrind's output files. */
#include "sys/cachegrind.h"

#include <dirent.h>
#include <fcntl.h>
#include <stdio.h>
#include <string.h>

#include "base/buf.h"
#include "sys/file.h"

enum {
	LOG_MAX = 1 << 20
};

static bool ends_in(const char *name, const char *ending)
{
	size_t n = strlen(name), m = strlen(ending);
	return n > m && !strcmp(name + n - m, ending);
}

/* The other file of the same process. */
static bool has_sibling(int dir_fd, const char *name, const char *ending)
{
	char other[64];
	int n = snprintf(
		other, sizeof(other), "%.*s%s", (int)(strlen(name) - strlen(ending)), name, ending);
	return n < (int)sizeof(other) && faccessat(dir_fd, other, F_OK, 0) == 0;
}

/* The totals are the last line of a file that may be long. */
static int add_counts(int dir_fd, const char *name, struct sys_cachegrind *sum)
{
	char tail[256];
	LT_AUTO_CLOSE int fd = openat(dir_fd, name, O_RDONLY | O_CLOEXEC);
	if (fd < 0)
		return -errno;
	off_t size = lseek(fd, 0, SEEK_END), from = size - (off_t)(sizeof(tail) - 1);
	ssize_t got = pread(fd, tail, sizeof(tail) - 1, from > 0 ? from : 0);
	if (got < 0)
		return -errno;
	tail[got] = '\0';
	const char *line = strstr(tail, "summary:");
	unsigned long long ir, bc, bi;
	if (!line || sscanf(line, "summary: %llu %llu %*u %llu %*u", &ir, &bc, &bi) != 3)
		return -EINVAL;
	sum->instructions += ir;
	sum->branches += bc + bi;
	return 0;
}

static bool tells_of_unknown_code(int dir_fd, const char *name)
{
	LT_AUTO_BUF struct lt_buf text = { 0 };
	LT_AUTO_CLOSE int fd = openat(dir_fd, name, O_RDONLY | O_CLOEXEC);
	if (fd < 0 || lt_buf_read_fd(&text, fd, name, LOG_MAX, NULL) < 0 || !text.data)
		return false;
	return strstr(text.data, "Unrecognised instruction") ||
		strstr(text.data, "unhandled instruction");
}

static void take_file(int dir_fd, const char *name, struct sys_cachegrind *sum)
{
	if (ends_in(name, ".out")) {
		if (add_counts(dir_fd, name, sum) < 0) {
			sum->uncounted++;
			return;
		}
		sum->counted++;
		sum->forked += !has_sibling(dir_fd, name, ".log");
	} else if (ends_in(name, ".log")) {
		sum->uncounted += !has_sibling(dir_fd, name, ".out");
		sum->unknown_code |= tells_of_unknown_code(dir_fd, name);
	}
}

int sys_cachegrind_sum(int dir_fd, struct sys_cachegrind *ret)
{
	struct sys_cachegrind sum = { 0 };
	SYS_AUTO_DIR DIR *dir = sys_open_dir_at(dir_fd, ".");
	if (!dir)
		return -errno;
	for (struct dirent *e; (e = readdir(dir));)
		take_file(dir_fd, e->d_name, &sum);
	*ret = sum;
	return 0;
}

void sys_cachegrind_clear(int dir_fd)
{
	SYS_AUTO_DIR DIR *dir = sys_open_dir_at(dir_fd, ".");
	if (!dir)
		return;
	for (struct dirent *e; (e = readdir(dir));)
		if (ends_in(e->d_name, ".out") || ends_in(e->d_name, ".log"))
			unlinkat(dir_fd, e->d_name, 0);
}
