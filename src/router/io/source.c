/* SPDX-License-Identifier: MIT */
/* Mapping a file, or reading a stream block by block. */
#include "router/io/source.h"

#include <fcntl.h>
#include <poll.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/stat.h>
#include <unistd.h>

#include "router/io/guard.h"

/* A regular file is mapped from where its descriptor stands, which for "< FILE" may be inside. */
static bool map(struct io_source *source, int fd)
{
	struct stat st;
	if (fstat(fd, &st) < 0 || !S_ISREG(st.st_mode) || st.st_size <= 0)
		return false;
	off_t from = lseek(fd, 0, SEEK_CUR);
	if (from < 0 || from > st.st_size)
		return false;
	size_t len = (size_t)st.st_size;
	void *bytes = mmap(NULL, len, PROT_READ, MAP_PRIVATE, fd, 0);
	if (bytes == MAP_FAILED)
		return false;
	struct io_guard *guard = io_guard_new(bytes, len);
	if (!guard) {
		munmap(bytes, len);
		return false;
	}
	source->guard = guard;
	madvise(bytes, len, MADV_SEQUENTIAL);
	source->map = bytes;
	source->map_len = len;
	source->at = (const uint8_t *)bytes + from;
	source->end = (const uint8_t *)bytes + len;
	source->end_offset = len;
	source->eof = true;
	return true;
}

int io_source_open(
	struct io_source *source, const char *path, struct io_blocks *blocks, struct lt_err *err)
{
	bool is_stdin = !strcmp(path, "-");
	*source = (struct io_source){
		.path = is_stdin ? "standard input" : path,
		.fd = -1,
		.map_fd = -1,
		.blocks = blocks,
	};
	LT_AUTO_CLOSE int fd = is_stdin ? fcntl(STDIN_FILENO, F_DUPFD_CLOEXEC, 3)
					: open(path, O_RDONLY | O_CLOEXEC | O_NOCTTY);
	if (fd < 0)
		return lt_fail_sys(err, "LT-INPUT-OPEN", "cannot open '%.200s'", source->path);
	struct stat st;
	if (fstat(fd, &st) == 0 && S_ISDIR(st.st_mode))
		return lt_fail(err, -EISDIR, "LT-INPUT-OPEN",
			"cannot read '%.200s': it is a directory", source->path);
	if (map(source, fd))
		source->map_fd = LT_TAKE_FD(fd);
	else
		source->fd = LT_TAKE_FD(fd);
	return 0;
}

void io_source_done(struct io_source *source)
{
	io_guard_free(source->guard);
	if (source->map)
		munmap(source->map, source->map_len);
	if (source->map_fd >= 0)
		close(source->map_fd);
	if (source->fd >= 0)
		close(source->fd);
	io_block_unref(source->blocks, source->block);
	source->guard = NULL;
	source->map = NULL;
	source->map_fd = -1;
	source->block = NULL;
	source->fd = -1;
}

int io_source_check(const struct io_source *source, bool look, struct lt_err *err)
{
	bool hit = io_guard_hit(source->guard);
	struct stat st;
	if (!source->map || (!hit && !look) || fstat(source->map_fd, &st) < 0 ||
		(!hit && (uint64_t)st.st_size >= source->map_len))
		return 0;
	lt_err_set(err, -EBADMSG, "LT-INPUT-SHRUNK",
		"'%.200s' was cut from %zu to %lld bytes while it was read", source->path,
		source->map_len, (long long)st.st_size);
	return lt_hint(err,
		"zeros may stand for bytes of packets near the cut; read a copy, or what "
		"a program still writes by a pipe");
}

/* Makes room for `n` bytes from `at` on, in this block or in a new one. */
static int make_room(struct io_source *source, size_t n, struct lt_err *err)
{
	size_t left = io_source_left(source);
	struct io_block *old = source->block;
	if (old && n <= (size_t)(old->data + old->cap - source->at))
		return 0;
	struct io_block *block = io_block_new(source->blocks, n);
	if (!block)
		return lt_fail_mem(err);
	if (left)
		memcpy(block->data, source->at, left);
	io_block_unref(source->blocks, old);
	source->block = block;
	source->at = block->data;
	source->end = block->data + left;
	return 0;
}

/* Waits until there is something to read; false: until it is not wanted any more. */
static bool wait_for_input(const struct io_source *source)
{
	struct pollfd fds[] = { { source->fd, POLLIN, 0 }, { source->stop_fd, POLLIN, 0 } };
	if (source->stop_fd <= 0)
		return true;
	while (poll(fds, 2, -1) < 0 && errno == EINTR)
		;
	return !fds[1].revents;
}

int io_source_need(struct io_source *source, size_t n, struct lt_err *err)
{
	if (io_source_left(source) >= n || source->eof)
		return 0;
	int r = make_room(source, n, err);
	if (r < 0)
		return r;
	while (io_source_left(source) < n) {
		if (!wait_for_input(source)) {
			source->eof = source->stopped = true;
			return 0;
		}
		uint8_t *to = source->block->data + (source->end - source->block->data);
		ssize_t got = read(
			source->fd, to, source->block->cap - (size_t)(to - source->block->data));
		if (got < 0 && errno == EINTR)
			continue;
		if (got < 0)
			return lt_fail_sys(err, "LT-INPUT-READ",
				"cannot read '%.200s' at byte %llu", source->path,
				(unsigned long long)source->end_offset);
		if (got == 0) {
			source->eof = true;
			return 0;
		}
		source->end += got;
		source->end_offset += (uint64_t)got;
	}
	return 0;
}

int io_source_skip(struct io_source *source, uint64_t n, struct lt_err *err)
{
	while (n > 0) {
		size_t left = io_source_left(source);
		size_t step = n < left ? (size_t)n : left;
		source->at += step;
		n -= step;
		if (n == 0)
			break;
		int r = io_source_need(source, 1, err);
		if (r < 0)
			return r;
		if (io_source_left(source) == 0)
			return 0;
	}
	return 1;
}
