/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Stolen time of a machine made for it, and of machines that tell none. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <fcntl.h>
#include <stdio.h>
#include <stdlib.h>
#include <sys/stat.h>
#include <unistd.h>
#include <cmocka.h>

#include "sys/procfs.h"
#include "unit/meter/rig.h"

struct step {
	int dir;
	unsigned steal;
};

/* A machine whose hypervisor took so many ticks, later than the meter takes for the same time. */
static void write_stat(void *ctx)
{
	const struct step *s = ctx;
	usleep(3000);
	char text[128];
	int len = snprintf(text, sizeof(text), "cpu  11 2 3 44 5 0 6 %u 0 0\n", s->steal);
	int fd = openat(s->dir, "proc/stat", O_WRONLY | O_CREAT | O_TRUNC | O_CLOEXEC, 0600);
	assert_int_equal(write(fd, text, (size_t)len), len);
	close(fd);
}

static void a_machine_that_never_counted_any_has_none_to_tell(void **state)
{
	(void)state;
	struct lt_arena arena = { 0 };
	assert_int_equal(rig_probe(&arena, "laptop", "steal").state, VALUE_UNAVAILABLE);
	assert_non_null(rig_probe(&arena, "laptop", "steal").hint);
	assert_int_equal(rig_probe(&arena, "bare", "steal").state, VALUE_UNAVAILABLE);
	assert_int_equal(rig_probe(&arena, "guest", "steal").state, VALUE_MEASURED);
	lt_arena_done(&arena);
}

static void ticks_of_the_window_become_ns(void **state)
{
	(void)state;
	struct rig r;
	char dir[] = "/tmp/leat-test-XXXXXX";
	assert_non_null(mkdtemp(dir));
	rig_attach(&r, "steal", NULL, getpid());
	close(r.place.root_fd);
	r.place.root_fd = open(dir, O_RDONLY | O_DIRECTORY | O_CLOEXEC);
	assert_int_equal(mkdirat(r.place.root_fd, "proc", 0700), 0);
	struct step step = { r.place.root_fd, 42 + 23 };
	write_stat((struct step[]){ { step.dir, 42 } });
	rig_window(&r, write_stat, &step);
	assert_near(rig_num(&r, "steal"), 23 * (1e9 / (double)sysconf(_SC_CLK_TCK)), 0);
	assert_true(rig_metric(&r, "steal")->sampled);
	write_stat((struct step[]){ { step.dir, 0 } });
	rig_window(&r, NULL, NULL);
	assert_int_equal(rig_value(&r, "steal")->state, VALUE_UNAVAILABLE);
	unlinkat(r.place.root_fd, "proc/stat", 0);
	usleep(3000);
	rig_window(&r, NULL, NULL);
	assert_int_equal(rig_value(&r, "steal")->state, VALUE_UNAVAILABLE);
	unlinkat(r.place.root_fd, "proc", AT_REMOVEDIR);
	rmdir(dir);
	rig_close(&r);
}

static void the_live_machine_agrees_with_procfs(void **state)
{
	(void)state;
	struct rig r;
	uint64_t a, b;
	rig_open(&r, "steal", NULL);
	assert_int_equal(sys_steal_ticks(r.place.root_fd, &a), 0);
	rig_run(&r, (const char *const[]){ METER_LOAD, "ms", "53", NULL });
	assert_int_equal(sys_steal_ticks(r.place.root_fd, &b), 0);
	if (!a)
		assert_int_equal(
			rig_value(&r, "steal")->state, b ? VALUE_MEASURED : VALUE_UNAVAILABLE);
	else
		assert_true(rig_num(&r, "steal") <=
			(double)(b - a) * (1e9 / (double)sysconf(_SC_CLK_TCK)));
	rig_close(&r);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(a_machine_that_never_counted_any_has_none_to_tell),
		cmocka_unit_test(ticks_of_the_window_become_ns),
		cmocka_unit_test(the_live_machine_agrees_with_procfs),
	};
	return cmocka_run_group_tests(tests, NULL, NULL);
}
