/* SPDX-License-Identifier: GPL-2.0-or-later */
/* The probe in the scheduler counts what a child of this process does, to the switch; and
 * whom it is closed to hears why. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdio.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/syscall.h>
#include <sys/wait.h>
#include <time.h>

#include <cmocka.h>

#include "helpers/nobody.h"
#include "sys/probe.h"

enum {
	SLEEPS = 23
};

static struct seen {
	unsigned snapshots, threads;
	struct probe_thread child;
	double sleeps, slept_ns;
	pid_t pid;
} seen;

static void on_snapshot(void *ctx, const struct probe_snapshot *s)
{
	struct seen *to = ctx;
	to->snapshots++;
	assert_true(s->stack_len <= PROBE_STACK);
}

static void on_thread(void *ctx, const struct probe_thread *t)
{
	struct seen *to = ctx;
	to->threads++;
	if (t->tid == (__u32)to->pid)
		to->child = *t;
}

static void on_wait(void *ctx, const struct probe_key *key, const struct probe_wait *w)
{
	struct seen *to = ctx;
	if (key->tid != (__u32)to->pid || key->nr != SYS_clock_nanosleep)
		return;
	to->sleeps += (double)w->count;
	to->slept_ns += (double)w->total_ns;
}

static const struct sys_probe_handlers handlers = { &seen, on_snapshot, on_thread, on_wait };
static const uint8_t no_rules[PROBE_CALLS];

static void sleep_often(void)
{
	for (int i = 0; i < SLEEPS; i++)
		nanosleep(&(struct timespec){ .tv_nsec = 1000000 }, NULL);
}

/* The child belongs to the program from its birth: the probe is in place before. */
static void every_sleep_is_counted(void **state)
{
	(void)state;
	struct sys_probe *p = NULL;
	struct lt_err err = { 0 };
	if (sys_probe_open(&p, getpid(), no_rules, &err) < 0)
		fail_msg("%s", err.text);
	seen = (struct seen){ 0 };
	seen.pid = fork();
	if (seen.pid == 0) {
		sleep_often();
		_exit(0);
	}
	assert_int_equal(waitpid(seen.pid, NULL, 0), seen.pid);
	nanosleep(&(struct timespec){ .tv_nsec = 10000000 }, NULL); /* until it is off its CPU */
	sys_probe_drain(p, &handlers);
	sys_probe_finish(p, &handlers);
	assert_true(seen.threads >= 1);
	assert_int_equal(seen.sleeps, SLEEPS);
	assert_true(seen.slept_ns >= SLEEPS * 1e6);
	assert_true(seen.snapshots >= 1);
	assert_true(seen.child.voluntary >= SLEEPS && seen.child.voluntary < SLEEPS + 10);
	assert_true(seen.child.run_ns > 0);
	assert_true((double)seen.child.blocked_ns >= seen.slept_ns);
	const struct probe_cores *c = sys_probe_cores(p);
	assert_int_equal(c->state >> PROBE_CORES_SHIFT, 0);
	assert_true(c->ns[1] > 0);
	const struct probe_lost *lost = sys_probe_lost(p);
	assert_int_equal(lost->waits + lost->threads + lost->snapshots + lost->cores, 0);
	sys_probe_close(p);
}

static void whom_it_is_closed_to_hears_why(void **state)
{
	(void)state;
	struct lt_err *err =
		mmap(NULL, sizeof(*err), PROT_READ | PROT_WRITE, MAP_SHARED | MAP_ANONYMOUS, -1, 0);
	assert_true(err != MAP_FAILED);
	pid_t pid = nobody_fork();
	if (pid == 0) {
		struct sys_probe *p = NULL;
		_exit(sys_probe_open(&p, getpid(), no_rules, err) < 0 ? 0 : 1);
	}
	nobody_succeeds(pid);
	assert_string_equal(err->id, "LT-PROBE");
	assert_non_null(strstr(err->text, "CAP_BPF"));
	assert_true(err->hint[0]);
	munmap(err, sizeof(*err));
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(whom_it_is_closed_to_hears_why),
		cmocka_unit_test(every_sleep_is_counted),
	};
	struct sys_probe *p = NULL;
	struct lt_err err = { 0 };
	int r = sys_probe_open(&p, getpid(), no_rules, &err);
	sys_probe_close(p);
	/* What the verifier refuses is our fault; what the user or the kernel lacks is not. */
	if (r == -EPERM || r == -ENOENT || r == -ENOSYS || r == -ENOTSUP) {
		printf("skipped: %s\n", err.text);
		return 77;
	}
	return cmocka_run_group_tests(tests, NULL, NULL);
}
