/* SPDX-License-Identifier: GPL-2.0-or-later */
/* this-name: named when it holds, and only then. */
#include "unit/cause/scene.h"

static void waits_to_write_are_named(void **state)
{
	struct scene s;
	(void)state;
	scene_open(&s, 1.0, 0.5, 0, 1.0, 0.5, 0);
	scene_cores(&s, 0.5, 0.5, 0);
	scene_sample(&s, EVIDENCE_OP_USER, "work", NULL, 0.5);
	scene_wait(&s, 0, EVIDENCE_OP_WRITE, "write", 100, 1.4);
	assert_string_equal(scene_first(&s), "this-name");
}

static void a_program_that_scales_is_not(void **state)
{
	struct scene s;
	(void)state;
	scene_open(&s, 1.0, 1.0, 0, 0.5, 1.0, 0);
	scene_wait(&s, 0, EVIDENCE_OP_WRITE, "write", 100, 0.1);
	assert_string_equal(scene_first(&s), "scales");
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(waits_to_write_are_named),
		cmocka_unit_test(a_program_that_scales_is_not),
	};
	return cmocka_run_group_tests(tests, NULL, NULL);
}
