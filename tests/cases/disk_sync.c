/* SPDX-License-Identifier: GPL-2.0-or-later */
/* A log that is on disk after each record: write, fsync, go on. */
#include "case.h"

#include <unistd.h>

static int log_fd;

static void *append(void *arg)
{
	static const char record[512] = "record\n";
	(void)arg;
	for (uint64_t i = case_share(1500); i > 0; i--) {
		case_sink = case_compute(60e3);
		case_need(write(log_fd, record, sizeof(record)) > 0, "write");
		case_need(fsync(log_fd) == 0, "fsync");
	}
	return NULL;
}

int main(int argc, char **argv)
{
	char name[] = "case-log-XXXXXX";
	case_start(argc, argv);
	log_fd = mkstemp(name);
	case_need(log_fd >= 0, "mkstemp");
	unlink(name);
	case_run(append);
	close(log_fd);
	return 0;
}
