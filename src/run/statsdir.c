/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Making, emptying and removing the directory of statistics pages. */
#include "run/statsdir.h"

#include <fcntl.h>
#include <stdio.h>
#include <string.h>
#include <sys/stat.h>
#include <sys/syscall.h>

#include "base/log.h"
#include "sys/file.h"

#define DIR_PREFIX  "leat-pages."
#define FILE_PREFIX "leat-stats."

static const char memory_place[] = "/dev/shm";

static bool starts_with(const char *name, const char *prefix)
{
	return !strncmp(name, prefix, strlen(prefix));
}

/* By hand: the name of flock's header is that of one of ours. */
static bool lock(DIR *dir)
{
	return syscall(SYS_flock, dirfd(dir), LOCK_EX | LOCK_NB) == 0;
}

static void remove_files(DIR *dir)
{
	rewinddir(dir);
	for (struct dirent *e; (e = readdir(dir));)
		if (starts_with(e->d_name, FILE_PREFIX))
			unlinkat(dirfd(dir), e->d_name, 0);
}

static DIR *open_dir(int base, const char *name)
{
	LT_AUTO_CLOSE int fd = openat(base, name, O_RDONLY | O_DIRECTORY | O_NOFOLLOW | O_CLOEXEC);
	DIR *dir = fd < 0 ? NULL : fdopendir(fd);
	if (dir)
		fd = -1; /* its own now */
	return dir;
}

/* Every leat holds a lock on its directory; what nobody holds was left by one that was killed. */
static void remove_if_left(int base, const char *name)
{
	SYS_AUTO_DIR DIR *dir = open_dir(base, name);
	struct stat st;
	if (!dir || fstat(dirfd(dir), &st) < 0 || st.st_uid != geteuid() || !lock(dir))
		return;
	remove_files(dir);
	unlinkat(base, name, AT_REMOVEDIR);
}

static void remove_left(void)
{
	SYS_AUTO_DIR DIR *base = opendir(memory_place);
	for (struct dirent *e; base && (e = readdir(base));)
		if (starts_with(e->d_name, DIR_PREFIX))
			remove_if_left(dirfd(base), e->d_name);
}

/* A new directory and our lock on it; between the two another leat may take it for left. */
static bool make_in(struct statsdir *d, const char *base)
{
	for (int tries = 0; tries < 8; tries++) {
		LT_AUTO_FREE char *path = NULL;
		if (asprintf(&path, "%s/" DIR_PREFIX "XXXXXX", base) < 0 || !mkdtemp(path))
			return false;
		DIR *dir = opendir(path);
		struct stat st;
		if (dir && lock(dir) && fstat(dirfd(dir), &st) == 0 && st.st_nlink > 0) {
			*d = (struct statsdir){ .dir = dir, .path = LT_TAKE(path), .own = true };
			return true;
		}
		if (dir)
			closedir(dir);
		rmdir(path);
	}
	return false;
}

void statsdir_open(struct statsdir *d)
{
	const char *places[] = { memory_place, getenv("TMPDIR"), "/tmp" };
	remove_left();
	for (size_t i = 0; i < LT_COUNT(places); i++)
		if (places[i] && *places[i] == '/' && make_in(d, places[i]))
			return;
	lt_log(LT_LOG_DEBUG, "launch",
		"no directory for statistics pages can be made, going on without");
}

void statsdir_use(struct statsdir *d, const char *path, const char *cwd)
{
	LT_AUTO_FREE char *whole = NULL;
	if (!*path || asprintf(&whole, "%s/%s", *path == '/' ? "" : cwd ? cwd : ".", path) < 0)
		return;
	d->dir = opendir(whole);
	d->path = d->dir ? LT_TAKE(whole) : NULL;
}

void statsdir_close(struct statsdir *d)
{
	if (d->dir && d->own) {
		remove_files(d->dir);
		rmdir(d->path);
	}
	if (d->dir)
		closedir(d->dir);
	free(d->path);
	*d = (struct statsdir)STATSDIR_NONE;
}

int statsdir_each(struct statsdir *d, int (*each)(void *ctx, int fd, pid_t pid), void *ctx)
{
	int r = 0;
	if (!d->dir)
		return 0;
	rewinddir(d->dir);
	for (struct dirent *e; r == 0 && (e = readdir(d->dir));) {
		if (!starts_with(e->d_name, FILE_PREFIX))
			continue;
		LT_AUTO_CLOSE int fd = openat(dirfd(d->dir), e->d_name,
			O_RDONLY | O_CLOEXEC | O_NOFOLLOW | O_NONBLOCK | O_NOCTTY);
		if (d->own)
			unlinkat(dirfd(d->dir), e->d_name, 0);
		struct stat st;
		if (fd >= 0 && fstat(fd, &st) == 0 && S_ISREG(st.st_mode))
			r = each(ctx, fd, (pid_t)atoi(e->d_name + strlen(FILE_PREFIX)));
	}
	return r;
}
