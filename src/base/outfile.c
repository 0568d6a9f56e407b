/* SPDX-License-Identifier: MIT */
/* Writing beside and renaming. */
#include "base/outfile.h"

#include <fcntl.h>
#include <stdio.h>
#include <string.h>
#include <sys/stat.h>

int lt_write_all(int fd, const void *bytes, size_t len, struct lt_err *err)
{
	const char *at = bytes;
	while (len > 0) {
		ssize_t put = write(fd, at, len);
		if (put < 0 && errno == EINTR)
			continue;
		if (put < 0)
			return lt_fail_sys(err, "LT-OUTPUT", "cannot write");
		at += put;
		len -= (size_t)put;
	}
	return 0;
}

static bool is_special(const char *path)
{
	struct stat st;
	if (!strncmp(path, "/dev/fd/", 8) || !strncmp(path, "/proc/", 6) ||
		!strcmp(path, "/dev/stderr"))
		return true; /* somebody's open file, whatever it is */
	return stat(path, &st) == 0 && !S_ISREG(st.st_mode) && !S_ISDIR(st.st_mode);
}

int lt_outfile_open(struct lt_outfile *out, const char *path, struct lt_err *err)
{
	struct stat st;
	if (!*path)
		return lt_fail(err, -EINVAL, "LT-OUTPUT", "the name of the output file is empty");
	if (stat(path, &st) == 0 && S_ISDIR(st.st_mode))
		return lt_fail(err, -EISDIR, "LT-OUTPUT",
			"cannot write '%.200s': it is a directory", path);
	out->path = realpath(path, NULL); /* a link stays: the file behind it is replaced */
	if (!out->path)
		out->path = strdup(path);
	if (!out->path)
		return lt_fail_mem(err);
	if (is_special(path)) {
		out->fd = open(path, O_WRONLY | O_CLOEXEC | O_NOCTTY);
	} else {
		if (asprintf(&out->other, "%s.XXXXXX", out->path) < 0) {
			out->other = NULL;
			lt_outfile_close(out);
			return lt_fail_mem(err);
		}
		out->fd = mkostemp(out->other, O_CLOEXEC);
	}
	if (out->fd < 0) {
		int r = lt_fail_sys(err, "LT-OUTPUT", "cannot write '%.200s'", path);
		lt_outfile_close(out);
		return r;
	}
	return 0;
}

/* mkostemp makes private files; a report gets the mode of the file it replaces, or the one
 * any other new file would. */
static mode_t mode_of(const char *path)
{
	struct stat st;
	if (stat(path, &st) == 0)
		return st.st_mode & 0777;
	mode_t mask = umask(0);
	umask(mask);
	return 0666 & ~mask;
}

static int write_and_rename(struct lt_outfile *out, const struct lt_buf *bytes, struct lt_err *err)
{
	if (bytes->failed)
		return lt_fail_mem(err);
	int r = lt_write_all(out->fd, bytes->data ? bytes->data : "", bytes->len, err);
	if (r < 0) {
		lt_err_set_sys(err, -r, "LT-OUTPUT", "cannot write '%.200s'", out->path);
		return r;
	}
	if (!out->other)
		return 0;
	if (fchmod(out->fd, mode_of(out->path)) < 0 || rename(out->other, out->path) < 0)
		return lt_fail_sys(err, "LT-OUTPUT", "cannot write '%.200s'", out->path);
	free(out->other);
	out->other = NULL; /* it has its final name: nothing to remove */
	return 0;
}

int lt_outfile_commit(struct lt_outfile *out, const struct lt_buf *bytes, struct lt_err *err)
{
	int r = write_and_rename(out, bytes, err);
	lt_outfile_close(out);
	return r;
}

void lt_outfile_close(struct lt_outfile *out)
{
	if (out->fd >= 0)
		close(out->fd);
	if (out->other)
		unlink(out->other);
	free(out->other);
	free(out->path);
	*out = (struct lt_outfile)LT_OUTFILE_NONE;
}
