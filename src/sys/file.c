/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Reading small files below a root descriptor. */
#include "sys/file.h"

#include <fcntl.h>
#include <stdlib.h>
#include <string.h>

int sys_read_at(int root_fd, const char *path, char *buf, size_t size)
{
	LT_AUTO_CLOSE int fd = openat(root_fd, path, O_RDONLY | O_CLOEXEC | O_NOCTTY);
	if (fd < 0)
		return -errno;
	size_t len = 0;
	while (len + 1 < size) {
		ssize_t got = read(fd, buf + len, size - 1 - len);
		if (got < 0 && errno == EINTR)
			continue;
		if (got < 0)
			return -errno;
		if (got == 0)
			break;
		len += (size_t)got;
	}
	buf[len] = '\0';
	return (int)len;
}

int sys_read_u64_at(int root_fd, const char *path, uint64_t *ret)
{
	char buf[32];
	int len = sys_read_at(root_fd, path, buf, sizeof(buf));
	if (len < 0)
		return len;
	char *end;
	errno = 0;
	unsigned long long v = strtoull(buf, &end, 10);
	if (end == buf || errno || (*end && *end != '\n'))
		return -EINVAL;
	*ret = v;
	return 0;
}

int sys_read_line_at(int root_fd, const char *path, char *buf, size_t size)
{
	int len = sys_read_at(root_fd, path, buf, size);
	if (len < 0)
		return len;
	buf[strcspn(buf, "\n")] = '\0';
	return 0;
}

const char *sys_field(const char *text, const char *name)
{
	size_t len = strlen(name);
	for (const char *line = text; line; line = strchr(line, '\n')) {
		line += *line == '\n';
		if (strncmp(line, name, len) != 0)
			continue;
		const char *colon = line + len + strspn(line + len, " \t");
		if (*colon == ':')
			return colon + 1;
	}
	return NULL;
}

DIR *sys_open_dir_at(int root_fd, const char *path)
{
	LT_AUTO_CLOSE int fd = openat(root_fd, path, O_RDONLY | O_DIRECTORY | O_CLOEXEC);
	DIR *dir = fd < 0 ? NULL : fdopendir(fd);
	if (dir)
		fd = -1; /* the directory stream owns it now */
	return dir;
}
