/* SPDX-License-Identifier: MIT */
/* leat-router: captures in, managed, translated and routed packets out. */
#include <argp.h>
#include <fcntl.h>
#include <stdio.h>
#include <unistd.h>

#include "base/buf.h"
#include "base/log.h"
#include "router/conf/conf.h"
#include "router/session.h"

static int check(struct args *args)
{
	LT_AUTO_BUF struct lt_buf text = { 0 };
	if (conf_check(args->config, &text, &args->err) < 0)
		return args_fail(&args->err, EXIT_USAGE);
	if (fwrite(text.data, 1, text.len, stdout) != text.len || fflush(stdout) != 0) {
		lt_fail_sys(&args->err, "LT-OUTPUT", "cannot print the configuration");
		return args_fail(&args->err, EXIT_INTERNAL);
	}
	return 0;
}

/* A program started without stdin, stdout or stderr must not take a file of its own for one. */
static void open_missing_streams(void)
{
	for (int fd = 0; fd <= 2; fd++)
		if (fcntl(fd, F_GETFD) < 0 && open("/dev/null", O_RDWR) != fd)
			_exit(EXIT_INTERNAL);
}

const char *argp_program_version = "leat-router " LEAT_VERSION;

int main(int argc, char **argv)
{
	static struct args args;
	open_missing_streams();
	lt_log_program("leat-router");
	int code;
	if (args_read(&args, argc, argv) < 0)
		code = args_fail(&args.err, EXIT_USAGE);
	else
		code = args.check ? check(&args) : session_route(&args);
	lt_arena_done(&args.arena);
	return code;
}
