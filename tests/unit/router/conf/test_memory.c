/* SPDX-License-Identifier: MIT */
/* Whichever allocation fails while a configuration is read: the error says so, nothing leaks. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <string.h>

#include <cmocka.h>

#include "helpers/failing_alloc.h"
#include "router/conf/conf.h"

static void a_configuration_without_memory_is_refused(void **state)
{
	(void)state;
	static const char text[] =
		"[interface a]\naddress = 10.0.0.1/8\naddress = 11.0.0.1/8\n"
		"[interface b]\nside = outside\n[routes]\nroute = ::/0 - a\nroute = 9.0.0.0/8 - b\n"
		"[nat]\naddress = 203.0.113.1\nlog = x\nudp-timeout = 2s\n"
		"forward = tcp 203.0.113.1:1 -> 10.0.0.3:1\n[class x]\nports = tcp/1 tcp/2\n";
	for (long n = 0;; n++) {
		struct lt_err err = { 0 };
		struct conf *conf = NULL;
		alloc_fail_after(n);
		int rc = conf_parse(text, strlen(text), "r", &conf, &err);
		alloc_recover();
		if (!alloc_hit) {
			assert_int_equal(rc, 0);
			conf_free(conf);
			assert_true(n > 4);
			return;
		}
		assert_int_equal(rc, -ENOMEM);
		assert_null(conf);
	}
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(a_configuration_without_memory_is_refused),
	};
	return cmocka_run_group_tests_name("router conf without memory", tests, NULL, NULL);
}
