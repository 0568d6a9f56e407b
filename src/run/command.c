/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Checking a command before anything is measured: found, a file, executable, a kind of
 * file the kernel starts, and no shell syntax that would be passed on as an argument. */
#include "run/command.h"

#include <fcntl.h>
#include <string.h>
#include <sys/stat.h>

#include "base/str.h"
#include "base/words.h"

enum {
	ARG_MAX_ONE = 128 * 1024, /* MAX_ARG_STRLEN: 32 pages, execve(2) */
};

static int fail_not_found(struct lt_err *err, const char *word)
{
	lt_err_set(err, -ENOENT, "LT-COMMAND-MISSING", "no program '%.200s'", word);
	const char *eq = strchr(word, '=');
	if (eq && eq > word)
		return lt_hint(err, "to set a variable for the program use --env %.80s", word);
	if (strpbrk(word, " \t"))
		return lt_hint(err, "it has blanks in it: give the words apart, or use --shell");
	return lt_hint(err, "check its name and PATH; shell builtins and aliases need --shell");
}

/* The kernel starts ELF files, scripts with #!, and what binfmt_misc was taught. */
static int check_format(int fd, const char *path, struct lt_err *err)
{
	char head[4] = "";
	ssize_t got = read(fd, head, sizeof(head));
	if (got == 0)
		return lt_fail(
			err, -ENOEXEC, "LT-COMMAND-FORMAT", "'%.200s' is an empty file", path);
	if (got < 0 || !memcmp(head, "\177ELF", 4) || !memcmp(head, "#!", 2))
		return 0;
	bool text = true;
	for (ssize_t i = 0; i < got; i++)
		text &= (head[i] >= ' ' && head[i] < 127) || head[i] == '\n' || head[i] == '\t';
	if (!text)
		return 0; /* perhaps a registered binary format: let the kernel judge */
	lt_err_set(
		err, -ENOEXEC, "LT-COMMAND-FORMAT", "'%.200s' is a script without a #! line", path);
	return lt_hint(err, "add one, such as #!/bin/sh, or use --shell");
}

static int check_file(const char *path, const char *word, struct lt_err *err)
{
	struct stat st;
	if (stat(path, &st) < 0)
		return errno == ENOENT
			? fail_not_found(err, word)
			: lt_fail_sys(err, "LT-COMMAND", "cannot look at '%.200s'", path);
	if (S_ISDIR(st.st_mode))
		return lt_fail(err, -EISDIR, "LT-COMMAND-DIRECTORY",
			"'%.200s' is a directory, not a program", path);
	if (access(path, X_OK) < 0) {
		lt_err_set(
			err, -EACCES, "LT-COMMAND-PERMISSION", "'%.200s' is not executable", path);
		return lt_hint(err, "chmod +x it, or name its interpreter");
	}
	LT_AUTO_CLOSE int fd = open(path, O_RDONLY | O_CLOEXEC | O_NONBLOCK);
	return fd < 0 ? 0 : check_format(fd, path, err); /* may execute but not read: fine */
}

/* A name with a slash is a path (from the program's working directory); others are looked
 * for along PATH, as execvp(3) does. */
static int find_file(const char *word, const char *cwd, struct lt_arena *arena, const char **ret,
	struct lt_err *err)
{
	if (!*word)
		return lt_fail(err, -EINVAL, "LT-COMMAND-EMPTY", "the command is empty");
	char *path = NULL;
	if (strchr(word, '/')) {
		path = cwd && word[0] != '/' ? lt_arena_printf(arena, "%s/%s", cwd, word)
					     : lt_arena_strdup(arena, word);
		*ret = path;
		return path ? check_file(path, word, err) : lt_fail_mem(err);
	}
	const char *dirs = getenv("PATH");
	char *first_bad = NULL;
	for (const char *d = dirs ? dirs : "/bin:/usr/bin"; d; d = lt_next_item(d, ':')) {
		size_t len = strcspn(d, ":");
		path = lt_arena_printf(arena, "%.*s/%s", len ? (int)len : 1, len ? d : ".", word);
		if (!path)
			return lt_fail_mem(err);
		if (access(path, F_OK) < 0)
			continue;
		*ret = path;
		if (check_file(path, word, NULL) == 0)
			return 0;
		if (!first_bad)
			first_bad = path;
	}
	return first_bad ? check_file(first_bad, word, err) : fail_not_found(err, word);
}

static int check_length(char *const *argv, struct lt_err *err)
{
	for (size_t i = 0; argv[i]; i++) {
		size_t len = strlen(argv[i]);
		if (len < ARG_MAX_ONE)
			continue;
		lt_err_set(err, -E2BIG, "LT-COMMAND-LONG",
			"argument %zu of the command has %zu bytes; Linux passes at most %d", i,
			len, ARG_MAX_ONE - 1);
		return lt_hint(err, "put it in a file and use --stdin FILE");
	}
	return 0;
}

/* The program may start in another directory: its path must not depend on one. */
static int make_absolute(const char **path, struct lt_arena *arena, struct lt_err *err)
{
	if (**path == '/')
		return 0;
	LT_AUTO_FREE char *here = getcwd(NULL, 0);
	if (!here)
		return lt_fail_sys(err, "LT-CWD", "cannot name the current directory");
	*path = lt_arena_printf(arena, "%s/%s", here, *path);
	return *path ? 0 : lt_fail_mem(err);
}

static int finish(char **argv, const char *display, const struct run_command_opts *opts,
	struct lt_arena *arena, struct run_command *ret, struct lt_err *err)
{
	const char *path = NULL;
	int r = check_length(argv, err);
	if (r >= 0)
		r = find_file(argv[0], opts->cwd, arena, &path, err);
	if (r >= 0)
		r = make_absolute(&path, arena, err);
	if (r < 0)
		return r;
	*ret = (struct run_command){
		.name = display, .display = display, .argv = argv, .path = path
	};
	return 0;
}

static int shell_line(const char *line, const struct run_command_opts *opts, struct lt_arena *arena,
	struct run_command *ret, struct lt_err *err)
{
	if (line[strspn(line, " \t\n")] == '\0')
		return lt_fail(err, -EINVAL, "LT-COMMAND-EMPTY", "the command is empty");
	char **argv = lt_arena_alloc(arena, 4 * sizeof(*argv));
	char *copy = lt_arena_strdup(arena, line);
	if (!argv || !copy)
		return lt_fail_mem(err);
	argv[0] = lt_arena_strdup(arena, "/bin/sh");
	argv[1] = lt_arena_strdup(arena, "-c");
	argv[2] = copy;
	return argv[0] && argv[1] ? finish(argv, copy, opts, arena, ret, err) : lt_fail_mem(err);
}

int run_command_line(const char *line, const struct run_command_opts *opts, struct lt_arena *arena,
	struct run_command *ret, struct lt_err *err)
{
	if (opts->shell)
		return shell_line(line, opts, arena, ret, err);
	char **argv;
	int r = lt_words_split(line, arena, &argv, err);
	if (r < 0)
		return r;
	const char *display = lt_arena_strdup(arena, line);
	return display ? finish(argv, display, opts, arena, ret, err) : lt_fail_mem(err);
}

/* Words that only a shell acts on; a program that gets one as an argument does something
 * else than its author thinks. */
static int check_words(char *const *words, struct lt_err *err)
{
	static const char *const operators[] = { "<", ">", ">>", "|", "||", "&", "&&", ";", "<<",
		"2>", "&>", "2>&1", "|&", "<<<" };
	for (size_t i = 0; words[i]; i++) {
		for (size_t k = 0; k < LT_COUNT(operators); k++) {
			if (strcmp(words[i], operators[k]))
				continue;
			lt_err_set(err, -EINVAL, "LT-COMMAND-SHELL", "the word '%s' needs a shell",
				words[i]);
			return lt_hint(err,
				"%suse --shell to run the line through sh, or --literal to pass "
				"the word on",
				words[i][0] == '<' ? "use --stdin FILE; " : "");
		}
	}
	return 0;
}

int run_command_words(char *const *words, const struct run_command_opts *opts,
	struct lt_arena *arena, struct run_command *ret, struct lt_err *err)
{
	if (!words[0])
		return lt_fail(err, -EINVAL, "LT-COMMAND-EMPTY", "the command is empty");
	if (!words[1] && (opts->shell || (strpbrk(words[0], " \t") && access(words[0], F_OK) < 0)))
		return run_command_line(words[0], opts, arena, ret, err);
	char *display = lt_words_join(words, arena);
	if (!display)
		return lt_fail_mem(err);
	if (opts->shell) /* the words keep their borders */
		return shell_line(display, opts, arena, ret, err);
	int r = opts->literal ? 0 : check_words(words, err);
	if (r < 0)
		return r;
	size_t n = 0;
	while (words[n])
		n++;
	char **argv = lt_arena_alloc(arena, (n + 1) * sizeof(*argv));
	if (!argv)
		return lt_fail_mem(err);
	memcpy(argv, words, n * sizeof(*argv));
	return finish(argv, display, opts, arena, ret, err);
}
