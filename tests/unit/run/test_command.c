/* SPDX-License-Identifier: GPL-2.0-or-later */
/* From words to a file that can be started, or to the reason why not. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <fcntl.h>
#include <stdio.h>
#include <string.h>
#include <sys/stat.h>

#include <cmocka.h>

#include "run/command.h"

static struct lt_arena arena;
static char dir[32];

static void file(const char *name, const char *content, mode_t mode)
{
	LT_AUTO_CLOSE int fd = open(name, O_WRONLY | O_CREAT | O_TRUNC | O_CLOEXEC, 0600);
	assert_true(fd >= 0);
	assert_int_equal(write(fd, content, strlen(content)), strlen(content));
	assert_int_equal(fchmod(fd, mode), 0);
}

/* A directory with one file of each kind, which is also where PATH begins. */
static int enter(void **state)
{
	(void)state;
	strcpy(dir, "/tmp/leat-command-XXXXXX");
	if (!mkdtemp(dir) || chdir(dir) < 0 || mkdir("sub", 0700) < 0)
		return -1;
	file("tool", "#!/bin/sh\n", 0755);
	file("sub/deep", "#!/bin/sh\n", 0755);
	file("plain", "#!/bin/sh\n", 0644);
	file("noline", "echo hi\n", 0755);
	file("empty", "", 0755);
	file("with blank", "#!/bin/sh\n", 0755);
	file("binary", "\177ELFx", 0755);
	file("odd", "\001\002\003\004", 0755);
	char path[64];
	snprintf(path, sizeof(path), "%s:/bin:/usr/bin", dir);
	return setenv("PATH", path, 1);
}

static int leave(void **state)
{
	(void)state;
	char command[64];
	lt_arena_done(&arena);
	setenv("PATH", "/bin:/usr/bin", 1);
	snprintf(command, sizeof(command), "rm -rf %s", dir);
	return chdir("/") < 0 || system(command) != 0 ? -1 : 0;
}

static const struct run_command_opts plain;
static const struct run_command_opts shell = { .shell = true };
static const struct run_command_opts literal = { .literal = true };
static const struct run_command_opts below = { .cwd = "sub" };

static struct run_command line(const char *text, const struct run_command_opts *opts)
{
	struct run_command cmd = { 0 };
	struct lt_err err = { 0 };
	if (run_command_line(text, opts, &arena, &cmd, &err) < 0)
		fail_msg("'%s': %s", text, err.text);
	return cmd;
}

static int words_fail(const char *const *words, const struct run_command_opts *opts,
	struct run_command *cmd, struct lt_err *err)
{
	return run_command_words((char *const *)words, opts, &arena, cmd, err);
}

static void in_dir(const char *path, const char *name)
{
	assert_int_equal(path[0], '/');
	assert_memory_equal(path, dir, strlen(dir));
	assert_string_equal(path + strlen(path) - strlen(name), name);
	assert_int_equal(access(path, X_OK), 0);
}

static void names_are_found_along_the_path(void **state)
{
	(void)state;
	struct run_command cmd = line("tool -u 'a b'", &plain);
	in_dir(cmd.path, "/tool");
	assert_string_equal(cmd.argv[0], "tool");
	assert_string_equal(cmd.argv[2], "a b");
	assert_null(cmd.argv[3]);
	assert_string_equal(cmd.display, "tool -u 'a b'");
	assert_string_equal(cmd.name, cmd.display);
	cmd = line("true", &plain);
	assert_non_null(strstr(cmd.path, "/bin/true"));
}

static void an_unusable_one_does_not_hide_a_later_one(void **state)
{
	(void)state;
	file("true", "no program", 0644);
	assert_string_equal(line("true", &plain).path, "/bin/true");
}

static void paths_are_made_absolute(void **state)
{
	(void)state;
	in_dir(line("./tool", &plain).path, "/tool");
	in_dir(line("sub/deep", &plain).path, "sub/deep");
	in_dir(line("./deep", &below).path, "/deep");
	setenv("PATH", "", 1); /* an empty part is the directory we are in */
	in_dir(line("tool", &plain).path, "/tool");
	setenv("PATH", "sub", 1);
	in_dir(line("deep", &plain).path, "sub/deep");
	unsetenv("PATH");
	assert_non_null(strstr(line("true", &plain).path, "/bin/true"));
}

static void what_cannot_be_started_has_its_reason(void **state)
{
	(void)state;
	static const struct {
		const char *line, *id, *hint;
		int code;
	} cases[] = {
		{ "", "LT-COMMAND-EMPTY", "", -EINVAL },
		{ "''", "LT-COMMAND-EMPTY", "", -EINVAL },
		{ "gone", "LT-COMMAND-MISSING", "--shell", -ENOENT },
		{ "./gone", "LT-COMMAND-MISSING", "", -ENOENT },
		{ "A=b tool", "LT-COMMAND-MISSING", "--env A=b", -ENOENT },
		{ "'gone away'", "LT-COMMAND-MISSING", "blanks", -ENOENT },
		{ "./sub", "LT-COMMAND-DIRECTORY", "", -EISDIR },
		{ "sub", "LT-COMMAND-DIRECTORY", "", -EISDIR },
		{ "./plain", "LT-COMMAND-PERMISSION", "chmod", -EACCES },
		{ "plain", "LT-COMMAND-PERMISSION", "chmod", -EACCES },
		{ "./noline", "LT-COMMAND-FORMAT", "#!", -ENOEXEC },
		{ "./empty", "LT-COMMAND-FORMAT", "", -ENOEXEC },
		{ "tool/x", "LT-COMMAND", "", -ENOTDIR },
		{ "tool | tool", "LT-COMMAND-SHELL", "--shell", -EINVAL },
	};
	for (size_t i = 0; i < LT_COUNT(cases); i++) {
		struct run_command cmd = { 0 };
		struct lt_err err = { 0 };
		int r = run_command_line(cases[i].line, &plain, &arena, &cmd, &err);
		if (r != cases[i].code || strcmp(err.id, cases[i].id))
			fail_msg("'%s': %d, %s, %s", cases[i].line, r, err.id, err.text);
		if (!strstr(err.hint, cases[i].hint))
			fail_msg("'%s': %s", cases[i].line, err.hint);
		assert_null(cmd.path);
	}
}

static void files_the_kernel_may_know_are_left_to_it(void **state)
{
	(void)state;
	in_dir(line("./binary", &plain).path, "/binary");
	in_dir(line("./odd", &plain).path, "/odd");
}

static void a_shell_gets_the_line_as_it_is(void **state)
{
	(void)state;
	struct run_command cmd = line("a | b > $c # d", &shell);
	assert_string_equal(cmd.path, "/bin/sh");
	assert_string_equal(cmd.argv[1], "-c");
	assert_string_equal(cmd.argv[2], "a | b > $c # d");
	assert_null(cmd.argv[3]);
	struct run_command none = { 0 };
	assert_int_equal(run_command_line(" \t\n", &shell, &arena, &none, NULL), -EINVAL);
}

static void words_keep_their_borders_in_a_shell(void **state)
{
	(void)state;
	const char *words[] = { "printf", "%s", "it's $HOME", NULL };
	struct run_command cmd = { 0 };
	assert_int_equal(words_fail(words, &shell, &cmd, NULL), 0);
	assert_string_equal(cmd.argv[2], "printf %s 'it'\\''s $HOME'");
	const char *alone[] = { "echo $HOME", NULL };
	assert_int_equal(words_fail(alone, &shell, &cmd, NULL), 0);
	assert_string_equal(cmd.argv[2], "echo $HOME");
}

static void one_word_with_blanks_is_a_line_unless_a_file(void **state)
{
	(void)state;
	const char *words[] = { "tool -u", NULL };
	struct run_command cmd = { 0 };
	assert_int_equal(words_fail(words, &plain, &cmd, NULL), 0);
	assert_string_equal(cmd.argv[1], "-u");
	const char *blank[] = { "./with blank", NULL };
	assert_int_equal(words_fail(blank, &plain, &cmd, NULL), 0);
	in_dir(cmd.path, "/with blank");
	assert_null(cmd.argv[1]);
	assert_string_equal(cmd.display, "'./with blank'");
}

static void operators_as_words_are_refused_unless_literal(void **state)
{
	(void)state;
	static const char *const operators[] = { "<", ">", ">>", "|", "||", "&", "&&", ";",
		"2>&1" };
	for (size_t i = 0; i < LT_COUNT(operators); i++) {
		const char *words[] = { "tool", operators[i], "x", NULL };
		struct run_command cmd = { 0 };
		struct lt_err err = { 0 };
		assert_int_equal(words_fail(words, &plain, &cmd, &err), -EINVAL);
		assert_string_equal(err.id, "LT-COMMAND-SHELL");
		assert_int_equal(words_fail(words, &literal, &cmd, NULL), 0);
		assert_string_equal(cmd.argv[1], operators[i]);
	}
}

static void an_argument_longer_than_linux_takes_is_told(void **state)
{
	(void)state;
	size_t len = 131072; /* 32 pages */
	char *big = malloc(len + 1);
	assert_non_null(big);
	memset(big, 'x', len);
	big[len] = '\0';
	const char *words[] = { "tool", big, NULL };
	struct run_command cmd = { 0 };
	struct lt_err err = { 0 };
	assert_int_equal(words_fail(words, &plain, &cmd, &err), -E2BIG);
	assert_string_equal(err.id, "LT-COMMAND-LONG");
	big[len - 1] = '\0';
	assert_int_equal(words_fail(words, &plain, &cmd, NULL), 0);
	free(big);
}

static void no_words_are_no_command(void **state)
{
	(void)state;
	const char *words[] = { NULL };
	struct run_command cmd = { 0 };
	struct lt_err err = { 0 };
	assert_int_equal(words_fail(words, &plain, &cmd, &err), -EINVAL);
	assert_string_equal(err.id, "LT-COMMAND-EMPTY");
}

#define IN_DIR(test) cmocka_unit_test_setup_teardown(test, enter, leave)

int main(void)
{
	const struct CMUnitTest tests[] = {
		IN_DIR(names_are_found_along_the_path),
		IN_DIR(an_unusable_one_does_not_hide_a_later_one),
		IN_DIR(paths_are_made_absolute),
		IN_DIR(what_cannot_be_started_has_its_reason),
		IN_DIR(files_the_kernel_may_know_are_left_to_it),
		IN_DIR(a_shell_gets_the_line_as_it_is),
		IN_DIR(words_keep_their_borders_in_a_shell),
		IN_DIR(one_word_with_blanks_is_a_line_unless_a_file),
		IN_DIR(operators_as_words_are_refused_unless_literal),
		IN_DIR(an_argument_longer_than_linux_takes_is_told),
		IN_DIR(no_words_are_no_command),
	};
	return cmocka_run_group_tests(tests, NULL, NULL);
}
