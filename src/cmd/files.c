/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Reading a record file whole. */
#include "cmd/files.h"

#include <fcntl.h>
#include <string.h>
#include <sys/stat.h>

#include "base/buf.h"
#include "record/record_json.h"

int files_load(const char *path, struct record **ret, struct lt_err *err)
{
	bool dash = !strcmp(path, "-");
	LT_AUTO_CLOSE int fd =
		dash ? dup(STDIN_FILENO) : open(path, O_RDONLY | O_CLOEXEC | O_NOCTTY);
	struct stat st;
	if (fd < 0)
		return lt_fail_sys(err, "LT-RECORD-OPEN", "cannot read '%.200s'", path);
	if (fstat(fd, &st) == 0 && S_ISDIR(st.st_mode))
		return lt_fail(err, -EISDIR, "LT-RECORD-OPEN",
			"cannot read '%.200s': it is a directory", path);
	LT_AUTO_BUF struct lt_buf bytes = { 0 };
	const char *name = dash ? "stdin" : path;
	int r = lt_buf_read_fd(&bytes, fd, name, RECORD_MAX_BYTES, err);
	return r < 0 ? r
		     : record_load_json(bytes.data ? bytes.data : "", bytes.len, name, ret, err);
}
