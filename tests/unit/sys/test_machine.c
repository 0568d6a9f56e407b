/* SPDX-License-Identifier: GPL-2.0-or-later */
/* What recorded machines say of themselves. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <unistd.h>
#include <cmocka.h>

#include "helpers/sysroot.h"
#include "sys/machine.h"

static struct sys_machine recorded(const char *name, struct lt_arena *arena)
{
	int root = sysroot_open(name);
	struct sys_machine m;
	assert_int_equal(sys_machine(root, arena, &m, NULL), 0);
	close(root);
	return m;
}

/* "cpu" is a name of the model elsewhere; here it is but the start of a feature. */
static void a_machine_that_tells_no_model_is_unknown(void **state)
{
	(void)state;
	struct lt_arena arena = { 0 };
	struct sys_machine m = recorded("server-arm", &arena);
	assert_string_equal(m.cpu, "unknown");
	lt_arena_done(&arena);
}

static void the_model_stands_behind_its_name(void **state)
{
	(void)state;
	struct lt_arena arena = { 0 };
	struct sys_machine m = recorded("guest", &arena);
	assert_string_equal(m.cpu, "Intel Xeon Processor (Skylake, IBRS)");
	assert_string_equal(m.virt, "yes");
	assert_int_equal(m.cpus_online, 2);
	lt_arena_done(&arena);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(a_machine_that_tells_no_model_is_unknown),
		cmocka_unit_test(the_model_stands_behind_its_name),
	};
	return cmocka_run_group_tests(tests, NULL, NULL);
}
