/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Idle states of recorded machines, and of the live one against its own idle time. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <fcntl.h>
#include <stdio.h>
#include <stdlib.h>
#include <unistd.h>
#include <cmocka.h>

#include "base/clock.h"
#include "unit/meter/rig.h"

/* The meter opened on a recorded machine. */
struct idle_at {
	struct lt_arena arena;
	struct meter_place place;
	void *inst;
	const struct metric *metrics;
	size_t n;
};

static void open_at(struct idle_at *at, const char *path)
{
	const struct meter *m = meter_find("idle");
	*at = (struct idle_at){ .inst = calloc(1, m->inst_size) };
	at->place.arena = &at->arena;
	at->place.root_fd = open(path, O_PATH | O_DIRECTORY | O_CLOEXEC);
	assert_non_null(at->inst);
	assert_int_equal(m->open(at->inst, &at->place, NULL, NULL), 0);
	at->n = m->list(at->inst, &at->metrics);
}

static void close_at(struct idle_at *at)
{
	free(at->inst);
	close(at->place.root_fd);
	lt_arena_done(&at->arena);
}

static void sleep_half(void *ctx)
{
	(void)ctx;
	usleep(500000);
}

/* Of all CPUs together, from proc/uptime. */
static double idle_seconds(void)
{
	FILE *f = fopen("/proc/uptime", "r");
	double idle = 0;
	assert_non_null(f);
	assert_int_equal(fscanf(f, "%*f %lf", &idle), 1);
	fclose(f);
	return idle;
}

static void every_state_of_the_machine_has_two_metrics(void **state)
{
	(void)state;
	static const char *const names[] = { "idle-poll", "idle-poll-entries", "idle-c1e",
		"idle-c1e-entries", "idle-c6", "idle-c6-entries", "idle-c8", "idle-c8-entries" };
	struct idle_at at;
	open_at(&at, SYSROOT "/laptop");
	assert_int_equal(at.n, LT_COUNT(names));
	for (size_t i = 0; i < LT_COUNT(names); i++) {
		assert_string_equal(at.metrics[i].name, names[i]);
		assert_non_null(at.metrics[i].what);
	}
	close_at(&at);
	open_at(&at, SYSROOT "/guest");
	assert_int_equal(at.n, 4);
	assert_string_equal(at.metrics[2].name, "idle-haltpoll-idle");
	close_at(&at);
}

static void a_machine_without_states_is_named(void **state)
{
	(void)state;
	struct lt_arena arena = { 0 };
	assert_int_equal(rig_probe(&arena, "laptop", "idle").state, VALUE_MEASURED);
	assert_int_equal(rig_probe(&arena, "bare", "idle").state, VALUE_UNAVAILABLE);
	assert_non_null(rig_probe(&arena, "bare", "idle").hint);
	lt_arena_done(&arena);
}

/* Skips on a machine whose kernel counts no idle states. */
static void attach(struct rig *r)
{
	struct idle_at at = { .place.arena = &at.arena, .place.root_fd = open("/", O_PATH) };
	bool none = meter_probe(meter_find("idle"), &at.place).state == VALUE_UNAVAILABLE;
	close_at(&at);
	if (none)
		skip();
	rig_attach(r, "idle", NULL, getpid());
}

static void idle_shares_are_the_rest_of_the_busy_time(void **state)
{
	(void)state;
	struct rig r;
	attach(&r);
	double best = 1;
	for (int i = 0; i < 7 && best > 0.1; i++) {
		double before = idle_seconds(), share = 0;
		int64_t t0 = lt_now_ns();
		rig_window(&r, sleep_half, NULL);
		double cpus_s =
			(double)(lt_now_ns() - t0) * 1e-9 * (double)sysconf(_SC_NPROCESSORS_ONLN);
		double want = (idle_seconds() - before) / cpus_s;
		for (size_t k = 0; k < r.n; k += 2)
			share += r.values[k].num;
		assert_true(share >= 0 && share < 1.02);
		double off = share > want ? share - want : want - share;
		best = off < best ? off : best;
	}
	if (best > 0.1)
		fail_msg("off by %g", best);
	rig_close(&r);
}

static void a_window_shorter_than_a_sleep_still_counts_it(void **state)
{
	(void)state;
	struct rig r;
	attach(&r);
	double most = 0, before = idle_seconds();
	for (int i = 0; i < 23; i++) {
		rig_window(&r, NULL, NULL); /* 20 ms asleep */
		double share = 0;
		for (size_t k = 0; k < r.n; k += 2)
			share += r.values[k].num;
		assert_true(share < 1.02);
		most = share > most ? share : most;
	}
	if (idle_seconds() - before > 0.1) /* not all CPUs were taken by others */
		assert_true(most > 0);
	rig_close(&r);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(every_state_of_the_machine_has_two_metrics),
		cmocka_unit_test(a_machine_without_states_is_named),
		cmocka_unit_test(idle_shares_are_the_rest_of_the_busy_time),
		cmocka_unit_test(a_window_shorter_than_a_sleep_still_counts_it),
	};
	return cmocka_run_group_tests(tests, NULL, NULL);
}
