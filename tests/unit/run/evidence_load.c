/* SPDX-License-Identifier: GPL-2.0-or-later */
/* What the evidence tests look at: threads that do one thing each, known to the line.
 * evidence-load WHAT THREADS MS: about MS milliseconds of it. Lines that a test expects to be
 * named end in a comment "here: WHAT". */
#include <pthread.h>
#include <sched.h>
#include <signal.h>
#include <stdalign.h>
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/wait.h>
#include <time.h>
#include <unistd.h>

enum {
	MAX_THREADS = 64
};

static unsigned n_threads;
static long long until_ns;
static pthread_mutex_t mutex = PTHREAD_MUTEX_INITIALIZER;
static pthread_cond_t filled = PTHREAD_COND_INITIALIZER, emptied = PTHREAD_COND_INITIALIZER;
static pthread_barrier_t barrier;
static bool full;
static volatile unsigned long sum;
static volatile int stop;

struct shared {
	alignas(64) volatile unsigned long before[8];
	volatile unsigned long counter[8];
	volatile unsigned long padded[MAX_THREADS * 8];
};
static struct shared shared;

static long long now_ns(void)
{
	struct timespec ts;
	clock_gettime(CLOCK_MONOTONIC, &ts);
	return ts.tv_sec * 1000000000LL + ts.tv_nsec;
}

/* On a machine with much else to do, the time may be over before anything was done. */
static bool over(void)
{
	static _Thread_local unsigned rounds;
	return ++rounds > 20 && now_ns() >= until_ns;
}

/* The same for threads that compute: each for 50 ms at least. */
static bool over_computing(void)
{
	struct timespec ts;
	if (!over())
		return false;
	clock_gettime(CLOCK_THREAD_CPUTIME_ID, &ts);
	return ts.tv_sec || ts.tv_nsec > 50000000;
}

static void compute(unsigned long n)
{
	unsigned long x = n | 1;
	for (unsigned long i = 0; i < n; i++)
		x = x * 6364136223846793005UL + 1; /* here: compute */
	sum = x;
}

static void *work_compute(void *arg)
{
	while (!over_computing())
		compute(100000);
	return arg;
}

static void *work_lock(void *arg)
{
	while (!over_computing())
		for (int i = 0; i < 1000; i++) {
			pthread_mutex_lock(&mutex); /* here: lock */
			compute(10);
			pthread_mutex_unlock(&mutex);
		}
	return arg;
}

/* Holds the mutex while it sleeps, so that the others wait in futex calls. */
static void *work_wait(void *arg)
{
	while (!over()) {
		pthread_mutex_lock(&mutex); /* here: wait */
		usleep(2000);
		pthread_mutex_unlock(&mutex);
		usleep(100);
	}
	return arg;
}

/* The same, in a function that has the name of a C++ one. */
static void *work_plus(void *arg) __asm__("_ZN6Worker3runEPv");
static void *work_plus(void *arg)
{
	while (!over()) {
		pthread_mutex_lock(&mutex);
		usleep(2000);
		pthread_mutex_unlock(&mutex);
		usleep(100);
	}
	return arg;
}

static void *work_sharing(void *arg)
{
	size_t me = (size_t)arg;
	while (!over_computing())
		for (int i = 0; i < 100000; i++)
			shared.counter[me % 8]++; /* here: sharing */
	return arg;
}

static volatile unsigned long *counters;

static __attribute__((noinline)) void make_counters(void)
{
	counters = aligned_alloc(64, 64); /* here: allocated */
	memset((void *)counters, 0, 64);
}

static void *work_heap(void *arg)
{
	size_t me = (size_t)arg;
	while (!over_computing())
		for (int i = 0; i < 100000; i++)
			counters[me % 8]++; /* here: heap */
	return arg;
}

static void *work_padded(void *arg)
{
	size_t me = (size_t)arg;
	while (!over_computing())
		for (int i = 0; i < 100000; i++)
			shared.padded[8 * me]++; /* here: padded */
	return arg;
}

static void *work_condition(void *arg)
{
	bool mine = (size_t)arg % 2;
	while (!over()) {
		pthread_mutex_lock(&mutex);
		while (full != mine && !stop)
			pthread_cond_wait(mine ? &filled : &emptied, &mutex); /* here: condition */
		full = !mine;
		pthread_cond_signal(mine ? &emptied : &filled);
		pthread_mutex_unlock(&mutex);
	}
	stop = 1;
	pthread_cond_broadcast(&filled);
	pthread_cond_broadcast(&emptied);
	return arg;
}

/* The same, as a macro has it: all on one line. */
#define TAKE_TURNS(mine)                                                        \
	do {                                                                    \
		pthread_mutex_lock(&mutex);                                     \
		while (full != (mine) && !stop)                                 \
			pthread_cond_wait((mine) ? &filled : &emptied, &mutex); \
		full = !(mine);                                                 \
		pthread_cond_signal((mine) ? &emptied : &filled);               \
		pthread_mutex_unlock(&mutex);                                   \
	} while (0)

static void *work_macro(void *arg)
{
	bool mine = (size_t)arg % 2;
	while (!over())
		TAKE_TURNS(mine); /* here: macro */
	stop = 1;
	pthread_cond_broadcast(&filled);
	pthread_cond_broadcast(&emptied);
	return arg;
}

/* Thread 0 computes alone while the others wait for it. */
static void *work_serial(void *arg)
{
	for (int round = 0; round < 40; round++) {
		if (!arg)
			compute(3000000);       /* here: serial */
		pthread_barrier_wait(&barrier); /* here: barrier */
		compute(3000000);
		pthread_barrier_wait(&barrier);
	}
	return arg;
}

static void *work_sleep(void *arg)
{
	while (!over())
		usleep(1000); /* here: sleep */
	return arg;
}

static void *work_yield(void *arg)
{
	while (!over_computing())
		for (int i = 0; i < 1000; i++)
			sched_yield(); /* here: yield */
	return arg;
}

static void *work_spin(void *arg)
{
	if (arg) {
		while (!stop) /* here: spin */
			;
		return arg;
	}
	while (!over_computing())
		compute(100000);
	stop = 1;
	return arg;
}

static void *work_churn(void *arg)
{
	while (!over_computing()) {
		size_t len = 256 << 10;
		char *p =
			mmap(NULL, len, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
		for (size_t i = 0; i < len; i += 4096)
			p[i] = 1; /* here: churn */
		munmap(p, len);
	}
	return arg;
}

static void *work_crash(void *arg)
{
	compute(20000000);
	raise(SIGSEGV);
	return arg;
}

/* A child fills a pipe slowly; a thread reads it. */
static void *work_pipe(void *arg)
{
	int fds[2];
	if (pipe(fds) < 0)
		exit(1);
	pid_t child = fork();
	if (child == 0) {
		close(fds[0]);
		for (int i = 0; !over(); i++) {
			usleep(3000);
			if (write(fds[1], &i, sizeof(i)) < 0)
				break;
		}
		_exit(0);
	}
	close(fds[1]);
	for (int i; read(fds[0], &i, sizeof(i)) > 0;) /* here: pipe */
		compute(1000);
	waitpid(child, NULL, 0);
	close(fds[0]);
	return arg;
}

static const struct {
	const char *name;
	void *(*work)(void *);
} works[] = {
	{ "compute", work_compute },
	{ "lock", work_lock },
	{ "wait", work_wait },
	{ "plus", work_plus },
	{ "sharing", work_sharing },
	{ "heap", work_heap },
	{ "padded", work_padded },
	{ "condition", work_condition },
	{ "macro", work_macro },
	{ "serial", work_serial },
	{ "sleep", work_sleep },
	{ "yield", work_yield },
	{ "spin", work_spin },
	{ "churn", work_churn },
	{ "crash", work_crash },
	{ "pipe", work_pipe },
};

int main(int argc, char **argv)
{
	if (argc != 4)
		return 2;
	n_threads = (unsigned)atoi(argv[2]);
	if (n_threads < 1 || n_threads > MAX_THREADS)
		return 2;
	until_ns = now_ns() + atoll(argv[3]) * 1000000;
	void *(*work)(void *) = NULL;
	for (size_t i = 0; i < sizeof(works) / sizeof(*works); i++)
		if (!strcmp(works[i].name, argv[1]))
			work = works[i].work;
	if (!work)
		return 2;
	make_counters();
	pthread_barrier_init(&barrier, NULL, n_threads);
	pthread_t threads[MAX_THREADS];
	for (unsigned i = 0; i < n_threads; i++)
		pthread_create(&threads[i], NULL, work, (void *)(size_t)i);
	for (unsigned i = 0; i < n_threads; i++)
		pthread_join(threads[i], NULL);
	return 0;
}
