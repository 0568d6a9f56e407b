/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Recorded machines, as the root to read from. Needs cmocka.h. */
#ifndef TESTS_SYSROOT_H
#define TESTS_SYSROOT_H

#include <fcntl.h>
#include <stdio.h>

/* tests/sysroot/NAME; the caller closes it. */
static inline int sysroot_open(const char *name)
{
	char path[256];
	snprintf(path, sizeof(path), SYSROOT "/%s", name);
	int fd = open(path, O_PATH | O_DIRECTORY | O_CLOEXEC);
	assert_true(fd >= 0);
	return fd;
}

#endif
