/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Reading "value ± spread": what tools print is read, what is not such a thing is not.
 */
#include "near.h"

#include <stdio.h>

#include "stats/reported.h"

static void what_tools_print_is_read(void **state)
{
	static const struct {
		const char *text;
		double value, spread;
		bool percent;
	} cases[] = {
		{ "2085813986 ±0.16%", 2085813986, 0.16, true },
		{ "2,085,813,986 ( +-  0.16% )", 2085813986, 0.16, true },
		{ "1.234 ± 0.05", 1.234, 0.05, false },
		{ "1.234±0.05", 1.234, 0.05, false },
		{ "1.234 +- 0.05", 1.234, 0.05, false },
		{ "1.234 +/- 0.05", 1.234, 0.05, false },
		{ "  12 (± 1)  ", 12, 1, false },
		{ "12 ( ±1 % )\n", 12, 1, true },
		{ "1.5e9 ± 2.5E+6", 1.5e9, 2.5e6, false },
		{ "5e-3 ± 1e-4", 5e-3, 1e-4, false },
		{ "7 ± 0", 7, 0, false },
		{ "0.25 s ± 0.01 s", 0.25, 0.01, false },
		{ "0.25 ± 0.01 s", 0.25, 0.01, false },
		{ "18.5 µs ± 0.4 µs", 18.5, 0.4, false },
		{ "250 ms ± 3%", 250, 3, true },
		{ "     2,085,813,986      cycles                    #    2.4 GHz      ( +-  0.16% "
		  ")",
			2085813986, 0.16, true },
		{ "1,234      L1-dcache-load-misses:u   ( +-  1.00% )", 1234, 1, true },
		{ "21.03 msec task-clock  #    0.97 CPUs utilized    ( +-  0.30% )", 21.03, 0.3,
			true },
		{ "0.02160 +- 0.00021 seconds time elapsed  ( +-  0.97% )", 0.0216, 0.00021,
			false },
	};

	(void)state;
	for (size_t i = 0; i < LENGTH(cases); i++) {
		struct stats_reported r;

		if (!stats_reported_parse(cases[i].text, &r))
			fail_msg("cannot read '%s'", cases[i].text);
		assert_near(r.value, cases[i].value, 1e-15);
		assert_near(r.spread, cases[i].spread, 1e-15);
		assert_int_equal(r.spread_is_percent, cases[i].percent);
		assert_int_equal(r.kind, STATS_SPREAD_SE);
	}
}

static void anything_else_is_refused_and_changes_nothing(void **state)
{
	static const char *const cases[] = {
		"",
		" ",
		"fast",
		"12",
		"12 ±",
		"± 3",
		"12 3",
		"12 ± x",
		"12 ± 3 4",
		"12 ± 3 ± 4",
		"12 ± -3",
		"-12 ± 3",
		"0 ± 3",
		"0.0 ± 0%",
		"nan ± 1",
		"inf ± 1",
		"12 ± nan",
		"12 ± inf",
		"1e999 ± 1",
		"1 ± 1e999",
		"0x10 ± 1",
		"1,5 ± 1",
		"1234,567 ± 1",
		"1,234,56 ± 1",
		",123 ± 1",
		"1.2.3 ± 1",
		"12 (± 3",
		"12 ± 3)",
		"12 + 3",
		"12 - 3",
		"12 ± 3%%",
		"1.2 s ± 12 ms",
		"12 ± 3 (",
		"12 ± 3 (4)",
		"12 ± 3 s ( +- 4 )",
		"12 \xc2",
		"12 \xff ± 3 \xfe",
	};

	(void)state;
	for (size_t i = 0; i < LENGTH(cases); i++) {
		struct stats_reported r = { .value = -7, .spread = -8 };

		if (stats_reported_parse(cases[i], &r))
			fail_msg("read '%s' as %g and %g", cases[i], r.value, r.spread);
		assert_same(r.value, -7);
		assert_same(r.spread, -8);
	}
}

/* Every text that can be made by cutting or changing one byte is read safely. */
static void damaged_text_never_gives_a_senseless_number(void **state)
{
	const char whole[] = "2,085,813,986 cycles # 2.4 GHz ( +- 0.16% )";

	(void)state;
	for (size_t at = 0; at < sizeof(whole); at++) {
		for (int byte = 0; byte < 256; byte++) {
			struct stats_reported r;
			char text[sizeof(whole)];

			memcpy(text, whole, sizeof(whole));
			text[at] = (char)byte;
			text[sizeof(text) - 1] = '\0';
			if (stats_reported_parse(text, &r))
				assert_true(isfinite(r.value) && r.value > 0 &&
					isfinite(r.spread) && r.spread >= 0);
		}
	}
}

static void numbers_agree_with_strtod(void **state)
{
	static const char *const cases[] = { "0.1", "123456789.123456789", "1e300", "4.9e-300",
		"1.7976931348623157e308", "9007199254740993", "0.30000000000000004" };

	(void)state;
	for (size_t i = 0; i < LENGTH(cases); i++) {
		struct stats_reported r;
		char text[64];

		snprintf(text, sizeof(text), "%s ± 1", cases[i]);
		assert_true(stats_reported_parse(text, &r));
		assert_near(r.value, strtod(cases[i], NULL), 2.3e-16);
	}
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(what_tools_print_is_read),
		cmocka_unit_test(anything_else_is_refused_and_changes_nothing),
		cmocka_unit_test(damaged_text_never_gives_a_senseless_number),
		cmocka_unit_test(numbers_agree_with_strtod),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
