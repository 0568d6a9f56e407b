/* SPDX-License-Identifier: GPL-2.0-or-later */
/* The load of the meter tests: does one thing exactly N times, and little else. Static and
 * without stdio, so that nothing else counts. */
#include <fcntl.h>
#include <pthread.h>
#include <sched.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/wait.h>
#include <time.h>
#include <unistd.h>

static void nap(long ns)
{
	nanosleep(
		&(struct timespec){ .tv_sec = ns / 1000000000, .tv_nsec = ns % 1000000000 }, NULL);
}

static void burn_ms(int ms)
{
	struct timespec now, end;
	clock_gettime(CLOCK_PROCESS_CPUTIME_ID, &end);
	end.tv_sec += ms / 1000;
	end.tv_nsec += (ms % 1000) * 1000000L;
	if (end.tv_nsec >= 1000000000) {
		end.tv_sec++;
		end.tv_nsec -= 1000000000;
	}
	do
		clock_gettime(CLOCK_PROCESS_CPUTIME_ID, &now);
	while (now.tv_sec < end.tv_sec || (now.tv_sec == end.tv_sec && now.tv_nsec < end.tv_nsec));
}

static void work(volatile unsigned long *sum, long n)
{
	for (long i = 0; i < n; i++)
		*sum += (unsigned long)i;
}

static void do_faults(int n)
{
	long page = sysconf(_SC_PAGESIZE);
	volatile char *at = mmap(NULL, (size_t)(64 * page), PROT_READ | PROT_WRITE,
		MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
	for (int i = 0; i < n; i++)
		at[i * page] = 1;
}

static void do_sleeps(int n)
{
	for (int i = 0; i < n; i++)
		nap(200000);
}

static void do_children(int n)
{
	for (int i = 0; i < n; i++) {
		pid_t pid = fork();
		if (pid == 0) {
			nap(200000);
			_exit(0);
		}
		waitpid(pid, NULL, 0);
	}
}

/* From the CPU it is on to another and back, n moves in all. */
static void do_migrations(int n)
{
	cpu_set_t allowed, one;
	sched_getaffinity(0, sizeof(allowed), &allowed);
	size_t cpu[2] = { (size_t)sched_getcpu() };
	while (cpu[1] == cpu[0] || !CPU_ISSET(cpu[1], &allowed))
		if (++cpu[1] == CPU_SETSIZE)
			_exit(1);
	for (int i = 0; i <= n; i++) {
		CPU_ZERO(&one);
		CPU_SET(cpu[i % 2], &one);
		sched_setaffinity(0, sizeof(one), &one);
	}
}

static void do_reads(int n)
{
	char byte[7];
	int fd = open("/dev/zero", O_RDONLY);
	for (int i = 0; i < n; i++)
		if (read(fd, byte, sizeof(byte)) < 0)
			_exit(1);
}

static void do_writes(int n)
{
	int fd = open("/dev/null", O_WRONLY);
	for (int i = 0; i < n; i++)
		if (write(fd, "1234567", 7) < 0)
			_exit(1);
}

/* Blocks of 4 KiB written to a file in the current directory, and to storage. */
static void do_blocks(int n)
{
	static char block[4096];
	char name[] = "meter-load-XXXXXX";
	int fd = mkstemp(name);
	if (fd < 0)
		_exit(1);
	unlink(name);
	for (int i = 0; i < n; i++)
		if (write(fd, block, sizeof(block)) < 0)
			_exit(1);
	fsync(fd);
}

static void do_mib(int n)
{
	size_t size = (size_t)n << 20;
	if (n)
		memset(mmap(NULL, size, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0),
			1, size);
}

/* n MiB in a child that is awaited. */
static void do_child_mib(int n)
{
	pid_t pid = fork();
	if (pid == 0) {
		do_mib(n);
		_exit(0);
	}
	waitpid(pid, NULL, 0);
}

static void *burn_thread(void *ms)
{
	struct timespec now, end;
	clock_gettime(CLOCK_THREAD_CPUTIME_ID, &end);
	end.tv_nsec += *(int *)ms * 1000000L;
	do
		clock_gettime(CLOCK_THREAD_CPUTIME_ID, &now);
	while ((now.tv_sec - end.tv_sec) * 1000000000L + now.tv_nsec < end.tv_nsec);
	return NULL;
}

/* All the work in two threads beside the first. */
static void do_thread_ms(int n)
{
	pthread_t t[2];
	for (int i = 0; i < 2; i++)
		pthread_create(&t[i], NULL, burn_thread, &n);
	for (int i = 0; i < 2; i++)
		pthread_join(t[i], NULL);
}

/* A child nobody waits for sleeps n times and ends before its parent. */
static void do_orphan_sleeps(int n)
{
	int p[2];
	char byte;
	if (pipe(p) < 0)
		_exit(1);
	if (fork() == 0) {
		if (fork() == 0) {
			do_sleeps(n);
			_exit(0);
		}
		_exit(0);
	}
	close(p[1]);
	if (read(p[0], &byte, 1) != 0) /* the end of the last writer */
		_exit(1);
	nap(2000000);
}

/* The same, but it burns n ms. */
static void do_orphan_ms(int n)
{
	int p[2];
	char byte;
	if (pipe(p) < 0)
		_exit(1);
	if (fork() == 0) {
		if (fork() == 0)
			burn_ms(n);
		_exit(0);
	}
	close(p[1]);
	if (read(p[0], &byte, 1) != 0)
		_exit(1);
	nap(2000000);
}

/* A child nobody waits for sleeps n times, says so, and lives on. */
static void do_living_sleeps(int n)
{
	int p[2];
	char byte;
	if (pipe(p) < 0)
		_exit(1);
	if (fork() == 0) {
		do_sleeps(n);
		if (write(p[1], "x", 1) < 0)
			_exit(1);
		nap(3000000000);
		_exit(0);
	}
	if (read(p[0], &byte, 1) != 1)
		_exit(1);
	nap(5000000); /* the child is asleep again */
}

static void *sleep_on(void *until)
{
	while (!__atomic_load_n((int *)until, __ATOMIC_RELAXED))
		nap(1000000);
	return NULL;
}

/* Served: starts a thread, and ends it the next time. */
static void do_end_thread(int n)
{
	static pthread_t t;
	static int running, until;
	(void)n;
	if (!running) {
		pthread_create(&t, NULL, sleep_on, &until);
	} else {
		__atomic_store_n(&until, 1, __ATOMIC_RELAXED);
		pthread_join(t, NULL);
	}
	running = !running;
}

static void do_ms(int n)
{
	burn_ms(n);
}

/* n million rounds of a loop, then a child of as many that never calls exec. */
static void do_fork_loops(int n)
{
	volatile unsigned long sum = 0;
	work(&sum, n * 1000000L);
	pid_t pid = fork();
	if (pid == 0) {
		work(&sum, n * 1000000L);
		_exit(0);
	}
	waitpid(pid, NULL, 0);
}

static void do_loops(int n)
{
	volatile unsigned long sum = 0;
	work(&sum, n * 1000L);
}

static void do_abort(int n)
{
	(void)n;
	abort();
}

static void do_nothing(int n)
{
	(void)n;
}

static const struct {
	const char *name;
	void (*run)(int n);
} things[] = {
	{ "nothing", do_nothing },
	{ "faults", do_faults },
	{ "sleeps", do_sleeps },
	{ "children", do_children },
	{ "migrations", do_migrations },
	{ "reads", do_reads },
	{ "writes", do_writes },
	{ "blocks", do_blocks },
	{ "mib", do_mib },
	{ "child-mib", do_child_mib },
	{ "ms", do_ms },
	{ "thread-ms", do_thread_ms },
	{ "orphan-sleeps", do_orphan_sleeps },
	{ "orphan-ms", do_orphan_ms },
	{ "end-thread", do_end_thread },
	{ "living-sleeps", do_living_sleeps },
	{ "loops", do_loops },
	{ "fork-loops", do_fork_loops },
	{ "abort", do_abort },
};

/* load WHAT N; or, to be attached to, load serve WHAT N: says it is there by a byte, then
 * does it once for each byte that comes in and answers by one. */
int main(int argc, char **argv)
{
	int serve = argc == 4 && !strcmp(argv[1], "serve");
	if (argc != 3 + serve)
		return 2;
	for (size_t i = 0; i < sizeof(things) / sizeof(things[0]); i++) {
		if (strcmp(things[i].name, argv[1 + serve]))
			continue;
		char byte = 'r';
		int n = atoi(argv[2 + serve]);
		if (!serve)
			things[i].run(n);
		else if (write(1, &byte, 1) != 1)
			return 1;
		while (serve && read(0, &byte, 1) == 1) {
			things[i].run(n);
			if (write(1, &byte, 1) != 1)
				return 1;
		}
		return 0;
	}
	return 2;
}
