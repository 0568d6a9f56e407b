/* SPDX-License-Identifier: GPL-2.0-or-later */
/* The classic test of a memory allocator: threads that take blocks, write them and give them
 * back. Where the allocator goes to the kernel for each block, more threads make it slower. */
#include <pthread.h>
#include <stdbool.h>
#include <string.h>
#include <sys/resource.h>

#include "base/buf.h"
#include "base/clock.h"
#include "base/own.h"
#include "load/load.h"
#include "load/malloc_modes.h"

enum option {
	OPT_THREADS,
	OPT_ROUNDS,
	OPT_BYTES,
	OPT_MODE,
};

static const struct load_option options[] = {
	[OPT_THREADS] = { "threads", 't', LOAD_COUNT, 1, 1, 1024, "threads" },
	[OPT_ROUNDS] = { "rounds", 'n', LOAD_COUNT, 20000, 1, UINT64_C(1) << 40,
		"rounds of each thread" },
	[OPT_BYTES] = { "bytes", 'b', LOAD_COUNT, 204800, 1, UINT64_C(1) << 32,
		"bytes of a block" },
	[OPT_MODE] = { "mode", 'm', LOAD_TEXT, 0, 0, 0, "the pattern (plain)" },
};

enum gate {
	GATE_SHUT,
	GATE_OPEN,
	GATE_HOME, /* not all threads could be made: nobody works */
};

struct member {
	struct crew *crew;
	struct malloc_worker worker;
	pthread_t thread;
};

struct crew {
	const struct malloc_mode *mode;
	pthread_mutex_t lock; /* guards gate */
	pthread_cond_t moved;
	enum gate gate;
	unsigned n, started;
	struct member *members;
	struct malloc_tray *trays;
};

static void *work(void *arg)
{
	struct member *m = arg;
	struct crew *crew = m->crew;
	struct malloc_worker w = m->worker; /* on the thread's stack: no line shared with others */
	pthread_mutex_lock(&crew->lock);
	while (crew->gate == GATE_SHUT)
		pthread_cond_wait(&crew->moved, &crew->lock);
	bool go = crew->gate == GATE_OPEN;
	pthread_mutex_unlock(&crew->lock);
	if (go)
		crew->mode->run(&w);
	m->worker = w;
	return NULL;
}

static void crew_done(struct crew *crew)
{
	malloc_trays_free(crew->trays, crew->n);
	pthread_cond_destroy(&crew->moved);
	pthread_mutex_destroy(&crew->lock);
	free(crew->members);
}

static int crew_fill(struct crew *crew, const struct load_value *v, struct lt_err *err)
{
	crew->members = calloc(crew->n, sizeof(*crew->members));
	crew->trays = crew->mode->hands_on ? malloc_trays_new(crew->n) : NULL;
	if (!crew->members || (crew->mode->hands_on && !crew->trays))
		return lt_fail_mem(err);
	for (unsigned i = 0; i < crew->n; i++) {
		struct member *m = &crew->members[i];
		m->crew = crew;
		m->worker.rounds = v[OPT_ROUNDS].count;
		m->worker.bytes = (size_t)v[OPT_BYTES].count;
		if (!crew->trays)
			continue;
		m->worker.from = malloc_tray_at(crew->trays, i);
		m->worker.to = malloc_tray_at(crew->trays, (i + 1) % crew->n);
	}
	return 0;
}

/* Makes the threads, lets them go, waits for the last. Returns when they went. */
static int run_threads(struct crew *crew, int64_t *ret_begin_ns, struct lt_err *err)
{
	int e = 0;
	while (crew->started < crew->n && !e) {
		struct member *m = &crew->members[crew->started];
		e = pthread_create(&m->thread, NULL, work, m);
		crew->started += e == 0;
	}
	pthread_mutex_lock(&crew->lock);
	crew->gate = e ? GATE_HOME : GATE_OPEN;
	*ret_begin_ns = lt_now_ns();
	pthread_cond_broadcast(&crew->moved);
	pthread_mutex_unlock(&crew->lock);
	for (unsigned i = 0; i < crew->started; i++)
		pthread_join(crew->members[i].thread, NULL);
	errno = e;
	return e ? lt_fail_sys(err, "LT-MALLOC-THREADS", "cannot make thread %u of %u",
			   crew->started + 1, crew->n)
		 : 0;
}

static int find_mode(const char *name, const struct malloc_mode **ret, struct lt_err *err)
{
	LT_AUTO_BUF struct lt_buf names = { 0 };
	*ret = name ? malloc_mode_find(name) : &malloc_modes[0];
	if (*ret)
		return 0;
	for (const struct malloc_mode *m = malloc_modes; m->name; m++)
		lt_buf_addf(&names, "%s%s", m == malloc_modes ? "" : ", ", m->name);
	lt_err_set(err, -EINVAL, "LT-MALLOC-MODE", "there is no mode '%.40s'", name);
	return lt_hint(err, "it is one of %s", names.data ? names.data : "few");
}

static int check(const struct crew *crew, uint64_t rounds, uint64_t *ret_blocks, struct lt_err *err)
{
	uint64_t expected = rounds * crew->mode->blocks_a_round * crew->n, blocks = 0;
	for (unsigned i = 0; i < crew->n; i++) {
		blocks += crew->members[i].worker.blocks;
		if (crew->members[i].worker.failed)
			return lt_fail(err, -ENOMEM, "LT-MALLOC-BLOCK",
				"thread %u got no block of %zu bytes, or one that lost its content",
				i + 1, crew->members[i].worker.bytes);
	}
	*ret_blocks = blocks;
	return blocks == expected
		? 0
		: lt_fail(err, -EBADMSG, "LT-MALLOC-COUNT", "%llu blocks of %llu",
			  (unsigned long long)blocks, (unsigned long long)expected);
}

static double seconds(const struct timeval *after, const struct timeval *before)
{
	return (double)(lt_timeval_ns(after) - lt_timeval_ns(before)) / 1e9;
}

static int malloc_run(const struct load_value *v, struct load_result *ret, struct lt_err *err)
{
	LT_AUTO(crew_done)
	struct crew crew = { .n = (unsigned)v[OPT_THREADS].count,
		.lock = PTHREAD_MUTEX_INITIALIZER,
		.moved = PTHREAD_COND_INITIALIZER };
	struct rusage before, after;
	int64_t begin_ns = 0;
	uint64_t blocks = 0;
	int r = find_mode(v[OPT_MODE].text, &crew.mode, err);
	if (r == 0 && crew.mode->prepare && (r = crew.mode->prepare()) < 0)
		lt_fail(err, r, "LT-MALLOC-PREPARE", "this allocator refuses mode %s",
			crew.mode->name);
	if (r == 0)
		r = crew_fill(&crew, v, err);
	getrusage(RUSAGE_SELF, &before);
	if (r == 0)
		r = run_threads(&crew, &begin_ns, err);
	int64_t elapsed_ns = lt_now_ns() - begin_ns;
	getrusage(RUSAGE_SELF, &after);
	if (r == 0)
		r = check(&crew, v[OPT_ROUNDS].count, &blocks, err);
	if (r < 0)
		return r;
	*ret = (struct load_result){
		.work = blocks,
		.elapsed_ns = elapsed_ns,
		.figures = {
			{ "user-time", "s", seconds(&after.ru_utime, &before.ru_utime) },
			{ "system-time", "s", seconds(&after.ru_stime, &before.ru_stime) },
			{ "minor-faults", "count", (double)(after.ru_minflt - before.ru_minflt) },
		},
		.n_figures = 3,
	};
	return 0;
}

const struct load load_malloc = {
	.name = "malloc",
	.brief = "threads that take blocks of memory, write them and free them",
	.work = "blocks",
	.timed = "from letting the threads go to the end of the last",
	.options = options,
	.n_options = LT_COUNT(options),
	.in_order = true,
	.run = malloc_run,
};
