/* SPDX-License-Identifier: GPL-2.0-or-later */
/* The points of a sweep: every combination once, each told of its levels. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <string.h>

#include <cmocka.h>

#include "helpers/test_arena.h"
#include "run/points.h"

static const unsigned order[] = { 0, 2, 1, 3 };

static struct points make(struct points_opts o)
{
	struct points p;
	struct lt_err err = { 0 };
	o.cpu_order = order;
	o.n_cpus = 4;
	o.cpus = 4;
	if (points_make(&o, &arena, &p, &err) < 0)
		fail_msg("%s", err.text);
	return p;
}

static bool has_env(const struct run_command *cmd, const char *var)
{
	for (size_t i = 0; i < cmd->n_env; i++)
		if (!strcmp(cmd->env[i], var))
			return true;
	return false;
}

static void a_placeholder_is_filled_in_words_and_variables(void **state)
{
	(void)state;
	const char *words[] = { "/bin/echo", "-j{threads}", "{x}", NULL };
	const char *env[] = { "N={threads}" };
	struct points p = make((struct points_opts){
		.words = (char *const *)words, .threads = "1,3", .env = env, .n_env = 1 });
	assert_int_equal(p.n, 2);
	assert_string_equal(p.list[1].cmd.argv[1], "-j3");
	assert_string_equal(p.list[1].cmd.argv[2], "{x}");
	assert_true(has_env(&p.list[1].cmd, "N=3"));
	assert_null(p.list[1].cmd.pin);
	assert_int_equal(p.factors[0].how, FACTOR_PLACEHOLDER);
	assert_string_equal(p.list[1].cmd.name, "threads=3");
}

static void without_one_variables_and_cpus_are_set(void **state)
{
	(void)state;
	const char *words[] = { "/bin/echo", NULL };
	struct points p = make((struct points_opts){ .words = (char *const *)words });
	assert_int_equal(p.n, 4); /* 1 2 4 8 */
	assert_true(has_env(&p.list[1].cmd, "OMP_NUM_THREADS=2"));
	assert_true(has_env(&p.list[3].cmd, "GOMAXPROCS=8"));
	/* Two threads on two cores, not on two halves of one. */
	assert_true(lt_cpuset_has(p.list[1].cmd.pin, 0));
	assert_true(lt_cpuset_has(p.list[1].cmd.pin, 2));
	assert_int_equal(lt_cpuset_count(p.list[1].cmd.pin), 2);
	assert_null(p.list[2].cmd.pin);
	assert_null(p.list[3].cmd.pin);
}

static void what_the_user_sets_wins(void **state)
{
	(void)state;
	const char *words[] = { "/bin/echo", NULL };
	const char *env[] = { "OMP_NUM_THREADS=7" };
	struct points p =
		make((struct points_opts){ .words = (char *const *)words, .env = env, .n_env = 1 });
	const struct run_command *cmd = &p.list[0].cmd;
	assert_string_equal(cmd->env[cmd->n_env - 1], "OMP_NUM_THREADS=7");
}

static void factors_are_crossed_threads_last(void **state)
{
	(void)state;
	const char *words[] = { "/bin/echo", "{a}", "{b}", "{threads}", NULL };
	const char *factors[] = { "a=x,y", "b=1,2,3" };
	struct points p = make((struct points_opts){ .words = (char *const *)words,
		.threads = "1,2",
		.factors = factors,
		.n_factors = 2 });
	assert_int_equal(p.n, 12);
	assert_int_equal(p.threads, 2);
	assert_string_equal(p.list[0].cmd.name, "a=x b=1 threads=1");
	assert_string_equal(p.list[1].cmd.name, "a=x b=1 threads=2");
	assert_string_equal(p.list[11].cmd.name, "a=y b=3 threads=2");
	assert_int_equal(p.list[11].threads, 2);
}

static void another_factor_alone_leaves_threads_alone(void **state)
{
	(void)state;
	const char *words[] = { "/bin/echo", "{a}", NULL };
	const char *factors[] = { "a=x,y" };
	struct points p = make((struct points_opts){
		.words = (char *const *)words, .factors = factors, .n_factors = 1 });
	assert_int_equal(p.n, 2);
	assert_int_equal(p.threads, -1);
	assert_int_equal(p.list[0].threads, 0);
	assert_int_equal(p.list[0].cmd.n_env, 0);
}

static void too_many_points_are_refused(void **state)
{
	(void)state;
	const char *words[] = { "/bin/echo", "{a}{b}", NULL };
	const char *factors[] = { "a=1,2,3,4,5,6,7,8,9,10,11,12", "b=1,2,3,4,5,6,7,8,9,10,11,12" };
	struct points_opts o = { .words = (char *const *)words,
		.factors = factors,
		.n_factors = 2,
		.cpu_order = order,
		.n_cpus = 4,
		.cpus = 4 };
	struct points p;
	struct lt_err err = { 0 };
	assert_int_equal(points_make(&o, &arena, &p, &err), -EINVAL);
	assert_string_equal(err.id, "LT-POINTS");
}

static void a_further_thread_count_is_like_its_point(void **state)
{
	(void)state;
	const char *words[] = { "/bin/echo", "{a}", "{threads}", NULL };
	const char *factors[] = { "a=x,y" };
	struct points_opts o = { .words = (char *const *)words,
		.threads = "1,2",
		.factors = factors,
		.n_factors = 1,
		.cpu_order = order,
		.n_cpus = 4,
		.cpus = 4 };
	struct points p;
	struct point more;
	struct lt_err err = { 0 };
	assert_int_equal(points_make(&o, &arena, &p, &err), 0);
	assert_int_equal(points_with_threads(&o, &p, &p.list[3], 3, &arena, &more, &err), 0);
	assert_string_equal(more.cmd.name, "a=y threads=3");
	assert_int_equal(more.threads, 3);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(a_placeholder_is_filled_in_words_and_variables),
		cmocka_unit_test(without_one_variables_and_cpus_are_set),
		cmocka_unit_test(what_the_user_sets_wins),
		cmocka_unit_test(factors_are_crossed_threads_last),
		cmocka_unit_test(another_factor_alone_leaves_threads_alone),
		cmocka_unit_test(too_many_points_are_refused),
		cmocka_unit_test(a_further_thread_count_is_like_its_point),
	};
	return cmocka_run_group_tests(tests, NULL, arena_end);
}
