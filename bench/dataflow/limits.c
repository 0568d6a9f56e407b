/* SPDX-License-Identifier: MIT */
/* What this machine can do at best: calls, cache lines, futexes. */
#include <linux/futex.h>
#include <pthread.h>
#include <sched.h>
#include <stdatomic.h>
#include <sys/syscall.h>
#include <unistd.h>

#include "shape.h"

static void bind_to(int cpu)
{
	cpu_set_t set;
	CPU_ZERO(&set);
	CPU_SET((unsigned)cpu, &set);
	sched_setaffinity(0, sizeof(set), &set);
}

static __attribute__((noinline)) void *callee(void *ctx, void *item)
{
	(void)ctx;
	return item;
}

static void call(uint64_t n)
{
	void *(*volatile fn)(void *, void *) = callee;
	void *x = NULL;
	int64_t start = now_ns();
	for (uint64_t i = 0; i < n; i++)
		x = fn(NULL, x);
	print_ns(now_ns() - start, n);
}

/* ---- one word that two threads change in turn ---- */

static _Atomic(uint32_t) word __attribute__((aligned(128)));
static uint64_t laps;
static int cpu_b;

static void *line_b(void *arg)
{
	bind_to(cpu_b);
	for (uint64_t i = 0; i < laps; i++) {
		while (atomic_load_explicit(&word, memory_order_acquire) != 2 * i + 1)
			;
		atomic_store_explicit(&word, (uint32_t)(2 * i + 2), memory_order_release);
	}
	return arg;
}

static void line(uint64_t n)
{
	pthread_t b;
	laps = n;
	cpu_b = 1;
	bind_to(0);
	pthread_create(&b, NULL, line_b, NULL);
	int64_t start = 0;
	for (uint64_t i = 0; i < laps; i++) {
		if (i == laps / 10)
			start = now_ns();
		atomic_store_explicit(&word, (uint32_t)(2 * i + 1), memory_order_release);
		while (atomic_load_explicit(&word, memory_order_acquire) != 2 * i + 2)
			;
	}
	print_ns(now_ns() - start, 2 * (laps - laps / 10));
	pthread_join(b, NULL);
}

/* ---- a ring of threads that pass a turn with futexes ---- */

enum {
	RING_MAX = 10
};
static struct seat {
	_Atomic(uint32_t) turn __attribute__((aligned(128)));
} seat[RING_MAX];
static int seats, cpus[RING_MAX];
static int64_t pause_each; /* ns, seat 0 */

static void *sit(void *arg)
{
	int me = (int)((struct seat *)arg - seat), next = (me + 1) % seats;
	if (cpus[me] >= 0)
		bind_to(cpus[me]);
	int64_t beat = now_ns();
	for (uint64_t i = 0; i < laps; i++) {
		if (me > 0 || i > 0 || pause_each == 0) {
			while (atomic_load(&seat[me].turn) == 0)
				syscall(SYS_futex, &seat[me].turn, FUTEX_WAIT_PRIVATE, 0, NULL,
					NULL, 0);
			atomic_store(&seat[me].turn, 0);
		}
		if (me == 0 && pause_each)
			sleep_until(beat += pause_each);
		atomic_store(&seat[next].turn, 1);
		syscall(SYS_futex, &seat[next].turn, FUTEX_WAKE_PRIVATE, 1, NULL, NULL, 0);
	}
	return NULL;
}

static void ring(int n, int spread, uint64_t n_laps)
{
	pthread_t t[RING_MAX];
	seats = n;
	laps = n_laps;
	for (int i = 0; i < n; i++)
		cpus[i] = spread < 0 ? -1 : spread ? i * 2 / n : 0;
	for (int i = 0; i < n; i++)
		pthread_create(&t[i], NULL, sit, &seat[i]);
	usleep(10000);
	int64_t start = now_ns(), cpu = cpu_ns();
	if (!pause_each) {
		atomic_store(&seat[0].turn, 1);
		syscall(SYS_futex, &seat[0].turn, FUTEX_WAKE_PRIVATE, 1, NULL, NULL, 0);
	}
	for (int i = 0; i < n; i++)
		pthread_join(t[i], NULL);
	if (pause_each)
		printf("%.4f\n", 100.0 * (double)(cpu_ns() - cpu) / (double)(now_ns() - start));
	else
		print_ns(now_ns() - start, laps * (uint64_t)n);
}

/* The floor of a paced program: one sleep per item, and so many hand-overs. */
static void paced(int hops, uint64_t n)
{
	int64_t cpu = cpu_ns(), start = now_ns(), beat = start;
	if (hops > 0) {
		pause_each = 1000000;
		ring(hops + 1, -1, n);
		return;
	}
	for (uint64_t i = 0; i < n; i++)
		sleep_until(beat += 1000000);
	printf("%.4f\n", 100.0 * (double)(cpu_ns() - cpu) / (double)(now_ns() - start));
}

int main(int argc, char **argv)
{
	const char *shape = argc > 1 ? argv[1] : "";
#define SHAPE(name, call)               \
	if (strcmp(shape, name) == 0) { \
		call;                   \
		return 0;               \
	}
	SHAPE("call", call(50000000))
	SHAPE("line", line(300000))
	SHAPE("futex-same", ring(2, 0, 30000))
	SHAPE("futex-other", ring(2, 1, 5000))
	SHAPE("ring-10-one-cpu", ring(10, 0, 6000))
	SHAPE("paced-0", paced(0, 1000))
	SHAPE("paced-1", paced(1, 1000))
	SHAPE("paced-3", paced(3, 1000))
	fprintf(stderr, "limits: no shape '%s'\n", shape);
	return 2;
}
