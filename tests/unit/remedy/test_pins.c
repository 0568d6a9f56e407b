/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Choosing CPUs, on machines made up here. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include <string.h>

#include "helpers/test_arena.h"
#include "remedy/pins.h"

/* Two chips with two caches of two cores with two threads each; numbered as Linux does: first
 * one thread of every core, then the other. */
enum {
	CORES = 8
};

static void make_machine(struct sys_topology *t, struct sys_topology_cpu cpus[2 * CORES])
{
	*t = (struct sys_topology){ .cpus = cpus, .n = 2 * CORES, .nodes = 2 };
	for (unsigned core = 0; core < CORES; core++)
		for (unsigned k = 0; k < 2; k++)
			cpus[2 * core + k] = (struct sys_topology_cpu){
				.cpu = core + k * CORES,
				.core = core,
				.cache = core / 2,
				.package = core / 4,
				.node = core / 4,
			};
}

#define chosen(set, list) assert_string_equal(lt_cpuset_format(&(set), &arena), list)

static void close_fills_a_cache_before_the_next(void **state)
{
	(void)state;
	struct sys_topology_cpu cpus[2 * CORES];
	struct sys_topology t;
	struct lt_cpuset set;
	make_machine(&t, cpus);
	pins_close(&t, 1, &set);
	chosen(set, "0");
	pins_close(&t, 2, &set); /* two cores, not two threads of one */
	chosen(set, "0-1");
	pins_close(&t, 4, &set);
	chosen(set, "0-1,8-9");
	pins_close(&t, 5, &set); /* the next cache is that of the same chip */
	chosen(set, "0-2,8-9");
	pins_close(&t, 8, &set);
	chosen(set, "0-3,8-11");
	pins_close(&t, 99, &set);
	chosen(set, "0-15");
}

static void spread_shares_as_little_as_it_can(void **state)
{
	(void)state;
	struct sys_topology_cpu cpus[2 * CORES];
	struct sys_topology t;
	struct lt_cpuset set;
	make_machine(&t, cpus);
	pins_spread(&t, 2, &set); /* a chip each */
	chosen(set, "0,4");
	pins_spread(&t, 4, &set); /* a cache each */
	chosen(set, "0,2,4,6");
	pins_spread(&t, 8, &set); /* a core each */
	chosen(set, "0-7");
	pins_spread(&t, 0, &set);
	assert_int_equal(lt_cpuset_count(&set), 0);
}

/* Where not all CPUs may be used, the cache with the most of those that may. */
static void one_cache_is_the_one_with_the_most(void **state)
{
	(void)state;
	struct sys_topology_cpu cpus[2 * CORES];
	struct sys_topology t;
	struct lt_cpuset set;
	make_machine(&t, cpus);
	pins_one_cache(&t, &set);
	chosen(set, "0-1,8-9");
	t.cpus += 2; /* without CPUs 0 and 8 */
	t.n -= 2;
	pins_one_cache(&t, &set);
	chosen(set, "2-3,10-11");
	pins_close(&t, 2, &set);
	chosen(set, "2-3");
	t.n = 0;
	pins_one_cache(&t, &set);
	assert_int_equal(lt_cpuset_count(&set), 0);
	pins_close(&t, 3, &set);
	assert_int_equal(lt_cpuset_count(&set), 0);
}

static struct remedy_offer ask(
	const char *name, const char *allowed, unsigned threads, struct remedy_change *ret)
{
	static struct sys_topology_cpu cpus[2 * CORES];
	struct remedy_place place = { .arena = &arena, .threads = threads };
	make_machine(&place.topology, cpus);
	assert_int_equal(lt_cpuset_parse(&place.allowed, allowed, NULL), 0);
	size_t n = 0;
	for (size_t i = 0; i < place.topology.n; i++)
		if (lt_cpuset_has(&place.allowed, cpus[i].cpu))
			cpus[n++] = cpus[i];
	place.topology.n = n;
	return remedy_find(name)->offer(&place, ret);
}

static void pins_that_choose_nothing_are_pointless(void **state)
{
	(void)state;
	struct remedy_change c;
	static const struct {
		const char *name, *allowed;
		unsigned threads;
	} cases[] = { { "pin-close", "0-15", 16 }, { "pin-spread", "0-15", 99 },
		{ "pin-close", "3", 1 }, { "one-cache", "0,1,8,9", 2 }, { "one-cpu", "7", 2 },
		{ "one-cpu", "0-15", 1 } };
	for (size_t i = 0; i < LT_COUNT(cases); i++) {
		struct remedy_offer offer =
			ask(cases[i].name, cases[i].allowed, cases[i].threads, &c);
		if (offer.state != REMEDY_POINTLESS || !offer.reason)
			fail_msg("%s on %s with %u threads", cases[i].name, cases[i].allowed,
				cases[i].threads);
	}
}

/* Where the number of threads is carried by the CPUs, other CPUs of that number are a choice. */
static void pins_look_at_the_cpus_that_are_used_already(void **state)
{
	(void)state;
	static struct sys_topology_cpu cpus[2 * CORES];
	struct lt_cpuset now;
	struct remedy_change c;
	struct remedy_place place = { .arena = &arena, .threads = 2, .pin = &now };
	make_machine(&place.topology, cpus);
	lt_cpuset_parse(&place.allowed, "0-15", NULL);
	lt_cpuset_parse(&now, "0-1", NULL);
	struct remedy_offer offer = remedy_find("pin-close")->offer(&place, &c);
	assert_int_equal(offer.state, REMEDY_POINTLESS);
	assert_non_null(strstr(offer.reason, "just these CPUs"));
	assert_int_equal(remedy_find("pin-spread")->offer(&place, &c).state, REMEDY_READY);
	chosen(c.pin, "0,4");
	/* and to be limited no more is one, too */
	place.threads = 16;
	assert_int_equal(remedy_find("pin-spread")->offer(&place, &c).state, REMEDY_READY);
	chosen(c.pin, "0-15");
}

static void pins_say_their_cpus(void **state)
{
	(void)state;
	static const struct {
		const char *name, *allowed, *cpus;
		unsigned threads;
	} cases[] = { { "pin-close", "0-15", "0-1,8-9", 4 }, { "pin-close", "2-7", "2-3", 2 },
		{ "pin-spread", "0-15", "0,4", 2 }, { "one-cache", "0-15", "0-1,8-9", 9 },
		{ "one-cpu", "5-9", "5", 3 } };
	for (size_t i = 0; i < LT_COUNT(cases); i++) {
		struct remedy_change c;
		assert_int_equal(ask(cases[i].name, cases[i].allowed, cases[i].threads, &c).state,
			REMEDY_READY);
		assert_true(c.pinned);
		chosen(c.pin, cases[i].cpus);
	}
}

static void without_topology_the_reason_is_passed_on(void **state)
{
	(void)state;
	struct remedy_change c;
	struct remedy_place place = { .arena = &arena, .topology_why = "a reason", .threads = 2 };
	lt_cpuset_parse(&place.allowed, "0-3", NULL);
	static const char *const names[] = { "pin-close", "pin-spread", "one-cache", "interleave" };
	for (size_t i = 0; i < LT_COUNT(names); i++) {
		struct remedy_offer offer = remedy_find(names[i])->offer(&place, &c);
		assert_int_equal(offer.state, REMEDY_MISSING);
		assert_string_equal(offer.reason, "a reason");
	}
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(close_fills_a_cache_before_the_next),
		cmocka_unit_test(spread_shares_as_little_as_it_can),
		cmocka_unit_test(one_cache_is_the_one_with_the_most),
		cmocka_unit_test(pins_that_choose_nothing_are_pointless),
		cmocka_unit_test(pins_look_at_the_cpus_that_are_used_already),
		cmocka_unit_test(pins_say_their_cpus),
		cmocka_unit_test(without_topology_the_reason_is_passed_on),
	};
	return cmocka_run_group_tests(tests, NULL, arena_end);
}
