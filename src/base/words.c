/* SPDX-License-Identifier: MIT */
/* Splitting and joining command lines (POSIX.1-2017 shell, section 2.2 Quoting). */
#include "base/words.h"

#include <stdbool.h>
#include <string.h>

#include "base/buf.h"

/* Characters that mean something to a shell wherever they stand unquoted in a word. */
static const char shell_chars[] = "|&;<>()$`*?[";

static int fail_shell(struct lt_err *err, const char *text, char c)
{
	lt_err_set(err, -EINVAL, "LT-COMMAND-SHELL", "'%c' in '%.200s' needs a shell", c, text);
	if (c == '<')
		return lt_hint(err,
			"use --stdin FILE, or --shell to run the line through sh; "
			"quote it to pass it on as it is");
	return lt_hint(
		err, "use --shell to run the line through sh; quote it to pass it on as it is");
}

static bool is_blank(char c)
{
	return c == ' ' || c == '\t' || c == '\n';
}

/* A backslash inside double quotes escapes only these. */
static bool escapes_in_quotes(char c)
{
	return c == '"' || c == '\\' || c == '$' || c == '`';
}

/* Reads the word at *at into `word`; *at ends behind it. */
static int read_word(const char *text, const char **at, struct lt_buf *word, struct lt_err *err)
{
	char quote = 0;
	const char *s = *at;
	for (; *s && (quote || !is_blank(*s)); s++) {
		if (quote == '\'' && *s != '\'') {
			lt_buf_add(word, s, 1);
		} else if (quote == '"' && *s != '"') {
			if (*s == '$' || *s == '`')
				return fail_shell(err, text, *s);
			if (*s == '\\' && escapes_in_quotes(s[1]))
				s++;
			lt_buf_add(word, s, 1);
		} else if (*s == '\'' || *s == '"') {
			quote = quote ? 0 : *s;
		} else if (*s == '\\') {
			if (!*++s)
				return lt_fail(err, -EINVAL, "LT-COMMAND-QUOTE",
					"'%.200s' ends in a backslash", text);
			lt_buf_add(word, s, 1);
		} else if (strchr(shell_chars, *s) || ((*s == '#' || *s == '~') && s == *at)) {
			return fail_shell(err, text, *s);
		} else {
			lt_buf_add(word, s, 1);
		}
	}
	if (quote)
		return lt_fail(err, -EINVAL, "LT-COMMAND-QUOTE", "'%.200s' has no closing %c", text,
			quote);
	*at = s;
	return 0;
}

int lt_words_split(const char *text, struct lt_arena *arena, char ***ret_words, struct lt_err *err)
{
	/* A word and a blank take two bytes at least. */
	size_t room = strlen(text) / 2 + 2, n = 0;
	char **words = lt_arena_alloc(arena, room * sizeof(*words));
	if (!words)
		return lt_fail_mem(err);
	LT_AUTO_BUF struct lt_buf word = { 0 };
	for (const char *s = text;;) {
		while (is_blank(*s))
			s++;
		if (!*s)
			break;
		lt_buf_reset(&word);
		int r = read_word(text, &s, &word, err);
		if (r < 0)
			return r;
		words[n] = lt_arena_strndup(arena, word.data ? word.data : "", word.len);
		if (word.failed || !words[n++])
			return lt_fail_mem(err);
	}
	if (n == 0)
		return lt_fail(err, -EINVAL, "LT-COMMAND-EMPTY", "the command is empty");
	*ret_words = words;
	return 0;
}

static void add_quoted(struct lt_buf *buf, const char *word)
{
	static const char plain[] = "abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ"
				    "0123456789_-+=./:,@%^";
	if (*word && strspn(word, plain) == strlen(word)) {
		lt_buf_adds(buf, word);
		return;
	}
	lt_buf_adds(buf, "'");
	for (const char *s = word; *s; s++) {
		if (*s == '\'')
			lt_buf_adds(buf, "'\\''");
		else
			lt_buf_add(buf, s, 1);
	}
	lt_buf_adds(buf, "'");
}

char *lt_words_join(char *const *words, struct lt_arena *arena)
{
	LT_AUTO_BUF struct lt_buf buf = { 0 };
	for (size_t i = 0; words[i]; i++) {
		if (i)
			lt_buf_adds(&buf, " ");
		add_quoted(&buf, words[i]);
	}
	return buf.failed ? NULL : lt_arena_strndup(arena, buf.data ? buf.data : "", buf.len);
}
