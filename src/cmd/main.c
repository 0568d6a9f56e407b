/* SPDX-License-Identifier: GPL-2.0-or-later */
/* leat: picks the verb and hands over. */
#include <fcntl.h>
#include <stdio.h>
#include <string.h>
#include <unistd.h>

#include "base/log.h"
#include "cmd/cmd.h"

#define LEAT_CMD(n) extern const struct cmd cmd_##n;
#include "cmd/table.def"
#undef LEAT_CMD

const struct cmd *const cmd_table[] = {
#define LEAT_CMD(n) &cmd_##n,
#include "cmd/table.def"
#undef LEAT_CMD
	NULL,
};

int cmd_fail(const struct lt_err *err, int code)
{
	lt_log(LT_LOG_ERROR, "cmd", "%s", err->text);
	if (err->hint[0])
		lt_log(LT_LOG_NOTE, "cmd", "hint: %s", err->hint);
	return code;
}

int cmd_exit_of(const struct lt_err *err)
{
	switch (-err->code) {
	case EINVAL:
	case ERANGE:
	case ENOENT:
	case EISDIR:
	case ENOTDIR:
	case EACCES:
	case E2BIG:
	case ENOEXEC:
	case EFBIG:
	case ELOOP:
	case ENAMETOOLONG:
	case ETXTBSY:
	case ESPIPE:
		return CMD_USAGE;
	case ENOTSUP:
	case EPERM:
	case ENODATA:
	case ESRCH:
	case EAGAIN:
	case EROFS:
	case ENOSPC:
	case EMFILE:
	case ENFILE:
		return CMD_CANNOT;
	case ECANCELED:
		return CMD_PROGRAM;
	default:
		return CMD_INTERNAL;
	}
}

static int usage(FILE *to)
{
	fprintf(to,
		"Usage: leat VERB [OPTION...]\n"
		"What a unit of work costs, and which fix helps: measured and proved.\n\n");
	for (const struct cmd *const *c = cmd_table; *c; c++)
		fprintf(to, "  %-9s %s\n", (*c)->name, (*c)->brief);
	fprintf(to,
		"\n'leat VERB --help' explains a verb; leat(1) is the manual.\n\n"
		"Examples:\n"
		"  leat run -- sort big.txt\n"
		"  leat compare -- 'gzip -c big.txt' 'zstd -c big.txt'\n");
	return to == stdout ? CMD_OK : CMD_USAGE;
}

/* A leat started without stdin, stdout or stderr must not take a file of its own for one. */
static void open_missing_streams(void)
{
	for (int fd = 0; fd <= 2; fd++)
		if (fcntl(fd, F_GETFD) < 0 && open("/dev/null", O_RDWR) != fd)
			_exit(CMD_INTERNAL);
}

int main(int argc, char **argv)
{
	open_missing_streams();
	if (argc < 2)
		return usage(stderr);
	if (!strcmp(argv[1], "--help") || !strcmp(argv[1], "-h") || !strcmp(argv[1], "help"))
		return usage(stdout);
	if (!strcmp(argv[1], "--version") || !strcmp(argv[1], "-V")) {
		printf("leat %s\n", LEAT_VERSION);
		return CMD_OK;
	}
	for (const struct cmd *const *c = cmd_table; *c; c++) {
		if (strcmp((*c)->name, argv[1]))
			continue;
		char name[64];
		snprintf(name, sizeof(name), "leat %s", (*c)->name);
		argv[1] = name;
		return (*c)->run(argc - 1, argv + 1);
	}
	struct lt_err err;
	lt_err_set(&err, -EINVAL, "LT-VERB", "no verb '%.80s'", argv[1]);
	lt_err_set_hint(&err, "'leat --help' lists the verbs");
	return cmd_fail(&err, CMD_USAGE);
}
