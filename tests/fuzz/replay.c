/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Gives each file named on the command line to a fuzz target once, so that every build
 * replays the stored corpus. No file at all is a failure: a replay of nothing proves nothing. */
#include <fcntl.h>
#include <stdint.h>
#include <stdio.h>

#include "base/buf.h"

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);

int main(int argc, char **argv)
{
	if (argc < 2) {
		fprintf(stderr, "replay: no input named\n");
		return 1;
	}
	for (int i = 1; i < argc; i++) {
		LT_AUTO_BUF struct lt_buf buf = { 0 };
		LT_AUTO_CLOSE int fd = open(argv[i], O_RDONLY | O_CLOEXEC);
		struct lt_err err = { 0 };
		if (fd < 0 || lt_buf_read_fd(&buf, fd, argv[i], 1 << 24, &err) < 0) {
			fprintf(stderr, "replay: cannot read '%s'\n", argv[i]);
			return 1;
		}
		LLVMFuzzerTestOneInput((const uint8_t *)buf.data, buf.len);
	}
	printf("replayed %d inputs\n", argc - 1);
	return 0;
}
