/* SPDX-License-Identifier: MIT */
/* Numbers of options: the whole text, in range, finite; else an error that names it. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <inttypes.h>
#include <stdio.h>
#include <string.h>

#include <cmocka.h>

#include "base/parse.h"
#include "helpers/near.h"

static void whole_numbers_keep_their_range(void **state)
{
	(void)state;
	uint64_t v = 0;
	struct lt_err err = { 0 };
	assert_int_equal(lt_parse_u64("007", "-n", 1, 10, &v, &err), 0);
	assert_int_equal(v, 7);
	assert_int_equal(lt_parse_u64("18446744073709551615", "-n", 0, UINT64_MAX, &v, &err), 0);
	assert_true(v == UINT64_MAX);
	static const char *const out[] = { "0", "11", "18446744073709551616",
		"99999999999999999999999" };
	for (size_t i = 0; i < LT_COUNT(out); i++)
		assert_int_equal(lt_parse_u64(out[i], "-n", 1, 10, &v, &err), -ERANGE);
	static const char *const bad[] = { "", "-1", "+1", " 1", "1 ", "1.0", "1e3", "0x10", "x",
		"1\n", "\xd9\xa1" };
	for (size_t i = 0; i < LT_COUNT(bad); i++)
		assert_int_equal(lt_parse_u64(bad[i], "-n", 0, 100, &v, &err), -EINVAL);
	assert_true(v == UINT64_MAX); /* written only on success */
	assert_non_null(strstr(err.text, "-n"));
}

static void durations_know_their_units(void **state)
{
	(void)state;
	static const struct {
		const char *text;
		int64_t ns;
	} good[] = { { "1", 1000000000 }, { "1.5", 1500000000 }, { "30s", 30000000000 },
		{ "200ms", 200000000 }, { "50us", 50000 }, { "1ns", 1 }, { "2m", 120000000000 },
		{ "2min", 120000000000 }, { "1h", 3600000000000 }, { "1 s", 1000000000 },
		{ ".5s", 500000000 }, { "1e-3", 1000000 }, { "1e9", 1000000000000000000 } };
	for (size_t i = 0; i < LT_COUNT(good); i++) {
		int64_t ns = 0;
		struct lt_err err = { 0 };
		if (lt_parse_duration_ns(good[i].text, "-t", &ns, &err) < 0)
			fail_msg("%s", err.text);
		assert_true(ns == good[i].ns);
	}
}

static void what_is_no_duration_is_refused(void **state)
{
	(void)state;
	static const char *const bad[] = { "", "s", "-1", "0", "0s", "1x", "1sec", "nan", "inf",
		"infinity", "1e400", "1e19", "0x10", "1s s", " 1", "1d", "--1", "1ss", "0.1ns",
		"999999999h" };
	for (size_t i = 0; i < LT_COUNT(bad); i++) {
		int64_t ns = 77;
		struct lt_err err = { 0 };
		if (lt_parse_duration_ns(bad[i], "--timeout", &ns, &err) >= 0)
			fail_msg("'%s' was taken for %" PRId64 " ns", bad[i], ns);
		assert_true(ns == 77);
		assert_non_null(strstr(err.text, "--timeout: '"));
	}
}

static void every_whole_duration_reads_back(void **state)
{
	(void)state;
	static const struct {
		const char *unit;
		int64_t ns;
	} units[] = { { "ns", 1 }, { "us", 1000 }, { "ms", 1000000 }, { "s", 1000000000 } };
	uint64_t x = 1;
	for (int i = 0; i < 10000; i++) {
		x = x * 6364136223846793005u + 1442695040888963407u;
		size_t u = (size_t)(x >> 60) % 4;
		int64_t n = (int64_t)(x >> 34) % 1000000 + 1, ns = 0;
		char text[48];
		snprintf(text, sizeof(text), "%" PRId64 "%s", n, units[u].unit);
		assert_int_equal(lt_parse_duration_ns(text, "x", &ns, NULL), 0);
		assert_true(ns == n * units[u].ns);
	}
}

static void shares_are_above_nothing(void **state)
{
	(void)state;
	static const struct {
		const char *text;
		double share;
	} good[] = { { "1%", 0.01 }, { "0.5 %", 0.005 }, { "0.01", 0.01 }, { "100%", 1 },
		{ "999%", 9.99 }, { "1e-3", 0.001 } };
	for (size_t i = 0; i < LT_COUNT(good); i++) {
		double v = 0;
		assert_int_equal(lt_parse_fraction(good[i].text, "x", &v, NULL), 0);
		assert_near(v, good[i].share, 1e-12);
	}
	static const char *const bad[] = { "", "%", "0", "0%", "-1%", "10", "1000%", "1%%", "1 % x",
		"nan%", "1k" };
	for (size_t i = 0; i < LT_COUNT(bad); i++) {
		double v = -7;
		assert_true(lt_parse_fraction(bad[i], "x", &v, NULL) < 0);
		assert_true(v == -7);
	}
}

static void numbers_are_finite_and_whole(void **state)
{
	(void)state;
	double v = 0;
	assert_int_equal(lt_parse_double("-1.25e2", "x", &v, NULL), 0);
	assert_true(v == -125);
	static const char *const bad[] = { "", ".", "-", "e5", "1.2.3", "0x1p3", "inf", "-nan",
		"1e999", "1 ", " 1", "1,5" };
	for (size_t i = 0; i < LT_COUNT(bad); i++)
		assert_int_equal(lt_parse_double(bad[i], "x", &v, NULL), -EINVAL);
	assert_true(v == -125);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(whole_numbers_keep_their_range),
		cmocka_unit_test(durations_know_their_units),
		cmocka_unit_test(what_is_no_duration_is_refused),
		cmocka_unit_test(every_whole_duration_reads_back),
		cmocka_unit_test(shares_are_above_nothing),
		cmocka_unit_test(numbers_are_finite_and_whole),
	};
	return cmocka_run_group_tests(tests, NULL, NULL);
}
