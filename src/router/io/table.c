/* SPDX-License-Identifier: MIT */
/* The table of formats, made from table.def, and which of them a file is of. */
#include "router/io/format.h"

#include <string.h>

#define LEAT_IO(n) extern const struct io_format io_##n;
#include "router/io/table.def"
#undef LEAT_IO

const struct io_format *const io_formats[] = {
#define LEAT_IO(n) &io_##n,
#include "router/io/table.def"
#undef LEAT_IO
	NULL,
};

/* What people have instead, and what to do about it. */
static const struct {
	const char *magic;
	size_t len;
	const char *what, *hint;
} others[] = {
	{ "\x1f\x8b", 2, "gzip", "zcat FILE | leat-router -i NIC=- ..." },
	{ "\x28\xb5\x2f\xfd", 4, "zstd", "zstdcat FILE | leat-router -i NIC=- ..." },
	{ "\xfd"
	  "7zXZ",
		5, "xz", "xzcat FILE | leat-router -i NIC=- ..." },
	{ "BZh", 3, "bzip2", "bzcat FILE | leat-router -i NIC=- ..." },
	{ "\x34\xcd\xb2\xa1", 4, "pcap as patched by Kuznetzov", "tcpdump -r FILE -w NEW" },
	{ "\xa1\xb2\xcd\x34", 4, "pcap as patched by Kuznetzov", "tcpdump -r FILE -w NEW" },
	{ "snoop\0\0", 8, "snoop", "editcap FILE NEW" },
};

int io_format_detect(
	struct io_source *source, const struct io_format **ret_format, struct lt_err *err)
{
	int r = io_source_need(source, IO_HEAD, err);
	if (r < 0)
		return r;
	size_t n = io_source_left(source) < IO_HEAD ? io_source_left(source) : IO_HEAD;
	if (n == 0)
		return lt_fail(err, -ENODATA, "LT-INPUT-FORMAT", "'%.200s' is empty", source->path);
	for (size_t i = 0; i < LT_COUNT(others); i++) {
		if (n < others[i].len || memcmp(source->at, others[i].magic, others[i].len) != 0)
			continue;
		lt_err_set(err, -EPROTONOSUPPORT, "LT-INPUT-FORMAT", "'%.200s' is a file of %s",
			source->path, others[i].what);
		return lt_hint(err, "convert it: %s", others[i].hint);
	}
	for (const struct io_format *const *format = io_formats; *format; format++) {
		if ((*format)->detect(source->at, n)) {
			*ret_format = *format;
			return 0;
		}
	}
	return lt_fail(err, -EPROTONOSUPPORT, "LT-INPUT-FORMAT",
		"'%.200s' is neither pcap, pcapng nor text", source->path);
}
