/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Numbers for people. A tie is written _ here. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <float.h>
#include <math.h>
#include <string.h>

#include <cmocka.h>

#include "report/format.h"
#include "report/page.h"

static void same(struct format f, const char *want)
{
	char got[sizeof(f.s)], *to = got;
	for (const char *s = f.s; *s; s++) {
		bool tie = !strncmp(s, PAGE_TIE, 2);
		*to++ = tie ? '_' : *s;
		s += tie;
	}
	*to = '\0';
	assert_string_equal(got, want);
}

static void times_pick_their_scale(void **state)
{
	(void)state;
	same(format_value("ns", 1.234e9, 0.005e9), "1.234_s");
	same(format_value("ns", 56.1e6, NAN), "56.1_ms");
	same(format_value("ns", 12300, NAN), "12.3_µs");
	same(format_value("ns", 0, NAN), "0_ns");
	same(format_value("ns", 7, NAN), "7_ns");
	same(format_value("ns", 0.25, NAN), "0.250_ns");
	same(format_value("ns", 999.9e6, NAN), "1.00_s");
	same(format_value("ns", 12345e9, 2e9), "12,345_s");
}

static void sizes_count_in_1024(void **state)
{
	(void)state;
	same(format_value("bytes", 1.2 * 1048576, NAN), "1.20_MiB");
	same(format_value("bytes", 1023, NAN), "1,023_B");
	same(format_value("bytes", 4096, NAN), "4.00_KiB");
}

static void counts_are_grouped_then_scaled(void **state)
{
	(void)state;
	same(format_value("count", 12345, NAN), "12,345");
	same(format_value("count", 1234567, NAN), "1,234,567");
	same(format_value("count", 2085813986, 3.3e6), "2.086_G");
	same(format_value("count", 0.37, NAN), "0.370");
	same(format_value("ratio", 1.9, NAN), "1.90");
	same(format_value("uJ", 2.5e6, NAN), "2.50_J");
	same(format_value("packets", 12345, NAN), "12,345_packets");
	same(format_count(1203), "1,203");
	assert_string_equal(format_plural(2, "process", 7), "es");
	assert_string_equal(format_plural(0, "CPU", 3), "s");
	assert_string_equal(format_plural(1, "process", 7), "");
}

static void the_interval_says_how_many_digits(void **state)
{
	(void)state;
	same(format_value("ns", 1.23456e9, 0.05e9), "1.23_s");
	same(format_value("ns", 1.23456e9, 0.0005e9), "1.2346_s");
	same(format_value("ns", 1.23456e9, 0.6e9), "1.2_s");
	same(format_range("ns", 1.234e9, 0.005e9, 1.229e9, 1.239e9), "1.229_.._1.239");
	same(format_beside("ns", 1.2e9, 0.912e9, 0.005e9), "0.912_s");
	same(format_change("ns", 1.2e6, 0.1e6), "+1.20_ms");
	same(format_change("ns", -108e6, 9e6), "-108_ms");
	same(format_change("ns", 0, NAN), "0_ns");
}

static void ratios_show_their_side_of_one(void **state)
{
	(void)state;
	same(format_ratio(0.912, 0.905, 0.919), "0.912");
	same(format_ratio(5.5, 5.41, 5.59), "5.500");
	same(format_ratio_range(0.9963, 0.99218, 1.00046), "0.9922_.._1.0005");
	same(format_ratio_range(1.2, 1.153, 1.249), "1.153_.._1.249");
	same(format_ratio(1, NAN, NAN), "1.000");
}

static void percents_have_two_digits(void **state)
{
	(void)state;
	same(format_percent(0.00688), "0.69_%");
	same(format_percent(0.0042), "0.42_%");
	same(format_percent(0.004), "0.4_%");
	same(format_percent(0.01), "1_%");
	same(format_percent(0.088), "8.8_%");
	same(format_percent(0.2), "20_%");
	same(format_percent(4.5), "450_%");
	same(format_percent(0), "0_%");
	same(format_percent(1e-9), "<_0.001_%");
	same(format_percent(-0.023), "-2.3_%");
}

static void p_values_are_never_zero(void **state)
{
	(void)state;
	same(format_p(0.0816), "p_=_0.082");
	same(format_p(1e-12), "p_<_0.0001");
	same(format_p(0), "p_<_0.0001");
	same(format_p(NAN), "p_n/a");
}

/* Whatever a file holds: no crash, no overrun, no "nan", no "-0". */
static void any_number_gives_a_text(void **state)
{
	(void)state;
	static const double nums[] = { 0, -0.0, 1, -1, 0.5, DBL_MAX, -DBL_MAX, DBL_MIN, 4.9e-324,
		NAN, INFINITY, -INFINITY, 1e15, 999999.5, 9.99e14, 1e-9 };
	static const char *const units[] = { "ns", "bytes", "uJ", "count", "ratio", "",
		"a very long unit that nobody would use" };
	for (size_t i = 0; i < sizeof(nums) / sizeof(*nums); i++)
		for (size_t k = 0; k < sizeof(nums) / sizeof(*nums); k++)
			for (size_t u = 0; u < sizeof(units) / sizeof(*units); u++) {
				const double x = nums[i], h = nums[k];
				struct format all[] = { format_value(units[u], x, h),
					format_change(units[u], x, h),
					format_beside(units[u], h, x, x),
					format_range(units[u], x, h, h, x), format_ratio(x, h, x),
					format_ratio_range(x, x, h), format_percent(x),
					format_count(x), format_p(x) };
				for (size_t f = 0; f < sizeof(all) / sizeof(*all); f++) {
					assert_true(strlen(all[f].s) < sizeof(all[f].s));
					assert_true(strlen(all[f].s) > 0);
					assert_null(strstr(all[f].s, "nan"));
					assert_null(strstr(all[f].s, "inf"));
				}
			}
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(times_pick_their_scale),
		cmocka_unit_test(sizes_count_in_1024),
		cmocka_unit_test(counts_are_grouped_then_scaled),
		cmocka_unit_test(the_interval_says_how_many_digits),
		cmocka_unit_test(ratios_show_their_side_of_one),
		cmocka_unit_test(percents_have_two_digits),
		cmocka_unit_test(p_values_are_never_zero),
		cmocka_unit_test(any_number_gives_a_text),
	};
	return cmocka_run_group_tests(tests, NULL, NULL);
}
