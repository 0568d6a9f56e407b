/* SPDX-License-Identifier: MIT */
/* Command lines split as a shell would, refuse what only a shell can do, and survive a round trip.
 */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <string.h>
#include <sys/wait.h>

#include <cmocka.h>

#include "base/buf.h"
#include "base/words.h"

static void same_words(char *const *got, const char *const *want)
{
	size_t i = 0;
	for (; want[i] && got[i]; i++)
		assert_string_equal(got[i], want[i]);
	assert_null(want[i]);
	assert_null(got[i]);
}

static void quotes_hold_words_together(void **state)
{
	(void)state;
	static const struct {
		const char *line;
		const char *words[6];
	} cases[] = {
		{ "a b\tc\nd", { "a", "b", "c", "d" } },
		{ "  a  ", { "a" } },
		{ "'a b' \"c d\" e\\ f", { "a b", "c d", "e f" } },
		{ "'' \"\" x", { "", "", "x" } },
		{ "a'b'\"c\"d", { "abcd" } },
		{ "'a\\b' \"a\\b\" \"\\\"\\\\\\$\\`\"", { "a\\b", "a\\b", "\"\\$`" } },
		{ "'|&;<>()$`*?[#~'", { "|&;<>()$`*?[#~" } },
		{ "\\| \\$x \\#", { "|", "$x", "#" } },
		{ "a#b a~ x=1", { "a#b", "a~", "x=1" } },
		{ "\"|&;<>()*?[#~\"", { "|&;<>()*?[#~" } },
		{ "'it'\\''s'", { "it's" } },
	};
	for (size_t i = 0; i < LT_COUNT(cases); i++) {
		struct lt_arena arena = { 0 };
		struct lt_err err = { 0 };
		char **words = NULL;
		if (lt_words_split(cases[i].line, &arena, &words, &err) < 0)
			fail_msg("%s: %s", cases[i].line, err.text);
		same_words(words, cases[i].words);
		lt_arena_done(&arena);
	}
}

static void what_needs_a_shell_is_refused(void **state)
{
	(void)state;
	static const char *const lines[] = { "a | b", "a&b", "a;b", "a <f", "a >f", "(a)", "a $x",
		"a `b`", "a *", "a ?", "a [x]", "a #b", "~/a", "a \"$x\"", "a \"`b`\"" };
	for (size_t i = 0; i < LT_COUNT(lines); i++) {
		struct lt_arena arena = { 0 };
		struct lt_err err = { 0 };
		char **words = NULL;
		if (lt_words_split(lines[i], &arena, &words, &err) != -EINVAL)
			fail_msg("'%s' was taken", lines[i]);
		assert_null(words);
		assert_string_equal(err.id, "LT-COMMAND-SHELL");
		assert_non_null(strstr(err.hint, "--shell"));
		lt_arena_done(&arena);
	}
}

static void open_quotes_and_nothing_are_refused(void **state)
{
	(void)state;
	static const struct {
		const char *line, *id;
	} cases[] = { { "'a", "LT-COMMAND-QUOTE" }, { "a \"b", "LT-COMMAND-QUOTE" },
		{ "a \"b\\", "LT-COMMAND-QUOTE" }, { "a\\", "LT-COMMAND-QUOTE" },
		{ "", "LT-COMMAND-EMPTY" }, { " \t\n", "LT-COMMAND-EMPTY" } };
	for (size_t i = 0; i < LT_COUNT(cases); i++) {
		struct lt_arena arena = { 0 };
		struct lt_err err = { 0 };
		char **words = NULL;
		assert_int_equal(lt_words_split(cases[i].line, &arena, &words, &err), -EINVAL);
		assert_string_equal(err.id, cases[i].id);
		lt_arena_done(&arena);
	}
}

static uint64_t seed = 42;

static unsigned any(unsigned below)
{
	seed = seed * 6364136223846793005u + 1442695040888963407u;
	return (unsigned)(seed >> 33) % below;
}

/* Up to 8 words of up to 12 bytes, mostly of those that mean something. */
static char **random_words(struct lt_arena *arena)
{
	static const char special[] = "'\"\\ \t\n|&;<>()$`*?[]#~={},!^%-ab";
	unsigned n = 1 + any(8);
	char **words = lt_arena_alloc(arena, (n + 1) * sizeof(*words));
	assert_non_null(words);
	for (unsigned i = 0; i < n; i++) {
		unsigned len = any(13);
		words[i] = lt_arena_alloc(arena, len + 1);
		assert_non_null(words[i]);
		for (unsigned k = 0; k < len; k++)
			words[i][k] =
				any(4) ? special[any(sizeof(special) - 1)] : (char)(1 + any(255));
	}
	return words;
}

static void joined_words_split_into_the_same(void **state)
{
	(void)state;
	for (int i = 0; i < 10000; i++) {
		struct lt_arena arena = { 0 };
		struct lt_err err = { 0 };
		char **words = random_words(&arena), **got = NULL;
		char *line = lt_words_join(words, &arena);
		assert_non_null(line);
		if (lt_words_split(line, &arena, &got, &err) < 0)
			fail_msg("%s", err.text);
		same_words(got, (const char *const *)words);
		lt_arena_done(&arena);
	}
}

/* The report shows commands to be typed again, and --shell hands them to sh. */
static void a_shell_reads_joined_words_the_same(void **state)
{
	(void)state;
	struct lt_arena arena = { 0 };
	LT_AUTO_BUF struct lt_buf script = { 0 }, want = { 0 };
	for (int i = 0; i < 300; i++) {
		char **words = random_words(&arena);
		lt_buf_addf(&script, "printf '%%s\\0' %s\n", lt_words_join(words, &arena));
		for (; *words; words++)
			lt_buf_add(&want, *words, strlen(*words) + 1);
	}
	char path[] = "/tmp/leat-test-XXXXXX";
	int fd = mkstemp(path);
	assert_true(fd >= 0);
	assert_int_equal(write(fd, script.data, script.len), script.len);
	close(fd);
	char command[128];
	snprintf(command, sizeof(command), "LC_ALL=C sh %s", path);
	FILE *out = popen(command, "r");
	assert_non_null(out);
	char *got = lt_arena_alloc(&arena, want.len + 2);
	assert_non_null(got);
	assert_int_equal(fread(got, 1, want.len + 1, out), want.len);
	assert_int_equal(pclose(out), 0);
	unlink(path);
	assert_memory_equal(got, want.data, want.len);
	lt_arena_done(&arena);
}

static void plain_words_stay_plain(void **state)
{
	(void)state;
	struct lt_arena arena = { 0 };
	const char *words[] = { "sort", "-u", "--key=1,2", "a b", "", "it's", NULL };
	const char *braces[] = { "{a,b}", NULL }; /* some shells make two words of it */
	assert_string_equal(lt_words_join((char *const *)words, &arena),
		"sort -u --key=1,2 'a b' '' 'it'\\''s'");
	assert_string_equal(lt_words_join((char *const *)braces, &arena), "'{a,b}'");
	lt_arena_done(&arena);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(quotes_hold_words_together),
		cmocka_unit_test(what_needs_a_shell_is_refused),
		cmocka_unit_test(open_quotes_and_nothing_are_refused),
		cmocka_unit_test(joined_words_split_into_the_same),
		cmocka_unit_test(a_shell_reads_joined_words_the_same),
		cmocka_unit_test(plain_words_stay_plain),
	};
	return cmocka_run_group_tests(tests, NULL, NULL);
}
