/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Topology, on machines that hwloc makes up (HWLOC_SYNTHETIC) and on this one. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "sys/topology.h"

static int load(const char *machine, const char *cpus, struct lt_arena *arena,
	struct sys_topology *ret, struct lt_err *err)
{
	struct lt_cpuset of = { 0 };
	if (machine)
		setenv("HWLOC_SYNTHETIC", machine, 1);
	else
		unsetenv("HWLOC_SYNTHETIC");
	assert_int_equal(lt_cpuset_parse(&of, cpus, NULL), 0);
	int r = sys_topology(&of, arena, ret, err);
	if (r < 0 && strstr(err->text, "is not here")) {
		print_message("skipped: %s\n", err->text);
		exit(77);
	}
	return r;
}

static unsigned sharing(const struct sys_topology *t, size_t offset, size_t of)
{
	unsigned n = 0;
	for (size_t i = 0; i < t->n; i++)
		n += *(const unsigned *)((const char *)&t->cpus[i] + offset) ==
			*(const unsigned *)((const char *)&t->cpus[of] + offset);
	return n;
}

static void two_sockets_are_told_apart(void **state)
{
	(void)state;
	LT_AUTO(lt_arena_done) struct lt_arena arena = { 0 };
	struct sys_topology t;
	struct lt_err err = { 0 };
	const char *machine = "pack:2 [numa] l3:2 core:4 pu:2";
	assert_int_equal(load(machine, "0-31", &arena, &t, &err), 0);
	assert_int_equal(t.n, 32);
	assert_int_equal(t.nodes, 2);
	for (size_t i = 0; i < t.n; i++) {
		assert_int_equal(sharing(&t, offsetof(struct sys_topology_cpu, core), i), 2);
		assert_int_equal(sharing(&t, offsetof(struct sys_topology_cpu, cache), i), 8);
		assert_int_equal(sharing(&t, offsetof(struct sys_topology_cpu, package), i), 16);
		assert_int_equal(sharing(&t, offsetof(struct sys_topology_cpu, node), i), 16);
	}
}

static void only_the_cpus_asked_for_are_listed(void **state)
{
	(void)state;
	LT_AUTO(lt_arena_done) struct lt_arena arena = { 0 };
	struct sys_topology t;
	struct lt_err err = { 0 };
	assert_int_equal(load("pack:1 l3:2 core:4 pu:1", "1,5-6,400", &arena, &t, &err), 0);
	assert_int_equal(t.n, 3);
	assert_int_equal(t.cpus[0].cpu, 1);
	assert_int_equal(t.cpus[2].cpu, 6);
	assert_int_not_equal(t.cpus[0].cache, t.cpus[1].cache);
	assert_int_equal(t.cpus[1].cache, t.cpus[2].cache);
}

static void without_caches_each_cpu_is_alone(void **state)
{
	(void)state;
	LT_AUTO(lt_arena_done) struct lt_arena arena = { 0 };
	struct sys_topology t;
	struct lt_err err = { 0 };
	assert_int_equal(load("pu:3", "0-2", &arena, &t, &err), 0);
	assert_int_equal(t.n, 3);
	for (size_t i = 0; i < t.n; i++) {
		assert_int_equal(sharing(&t, offsetof(struct sys_topology_cpu, cache), i), 1);
		assert_int_equal(sharing(&t, offsetof(struct sys_topology_cpu, core), i), 1);
	}
}

static void cpus_that_are_not_there_are_an_error(void **state)
{
	(void)state;
	LT_AUTO(lt_arena_done) struct lt_arena arena = { 0 };
	struct sys_topology t = { .n = 77 };
	struct lt_err err = { 0 };
	assert_int_equal(load("core:2 pu:1", "9", &arena, &t, &err), -ENOTSUP);
	assert_string_equal(err.id, "LT-TOPOLOGY");
	assert_int_equal(t.n, 77);
}

static void this_machine_has_the_cpus_we_may_use(void **state)
{
	(void)state;
	LT_AUTO(lt_arena_done) struct lt_arena arena = { 0 };
	struct sys_topology t;
	struct lt_err err = { 0 };
	struct lt_cpuset allowed;
	assert_int_equal(lt_cpuset_allowed(&allowed, NULL), 0);
	char *list = lt_cpuset_format(&allowed, &arena);
	assert_non_null(list);
	assert_int_equal(load(NULL, list, &arena, &t, &err), 0);
	assert_int_equal(t.n, lt_cpuset_count(&allowed));
	assert_true(t.nodes >= 1);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(two_sockets_are_told_apart),
		cmocka_unit_test(only_the_cpus_asked_for_are_listed),
		cmocka_unit_test(without_caches_each_cpu_is_alone),
		cmocka_unit_test(cpus_that_are_not_there_are_an_error),
		cmocka_unit_test(this_machine_has_the_cpus_we_may_use),
	};
	return cmocka_run_group_tests(tests, NULL, NULL);
}
