/* SPDX-License-Identifier: MIT */
/* The public face of pipelines: checking, the caller alone, errors, the report. */
#include "leat/pipeline.h"

#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <sys/epoll.h>
#include <sys/eventfd.h>
#include <unistd.h>

#include "base/clock.h"
#include "base/own.h"
#include "lib/cancel.h"
#include "lib/cpus.h"
#include "lib/env.h"
#include "lib/err.h"
#include "lib/pipe.h"
#include "lib/stats.h"

char leat_end_mark[1], leat_skip_mark[1];

/* ---- errors and stopping ---- */

static const char *stage_name(const struct pipe *p, unsigned s, char text[32])
{
	if (p->stage[s].name)
		return p->stage[s].name;
	snprintf(text, 32, "stage %u", s);
	return text;
}

static void raise_fd(struct pipe *p)
{
	uint64_t one = 1;
	if (p->event_fd >= 0 && write(p->event_fd, &one, sizeof(one)) < 0)
		return; /* full: it is readable */
}

int leat_token_fail(struct leat_token *token, int code, const char *fmt, ...)
{
	struct pipe_token *t = (struct pipe_token *)token;
	struct pipe *p = t->pipe;
	char why[sizeof(p->err.text) / 2], name[32];
	va_list ap;
	va_start(ap, fmt);
	vsnprintf(why, sizeof(why), fmt, ap);
	va_end(ap);
	code = code < 0 ? code : -EIO;
	t->failed = true;
	pthread_mutex_lock(&p->lock);
	if (p->fail_stage == STAGE_NONE && sync_load(&p->stop) != STOP_CANCELED) {
		p->fail_stage = token->stage;
		p->fail_item = token->number;
		leat_err_set(&p->err, code, "LEAT-STAGE", "%s, item %llu: %s",
			stage_name(p, token->stage, name), (unsigned long long)token->number, why);
		sync_store_release(&p->stop, STOP_FAILED);
		raise_fd(p);
	}
	pthread_mutex_unlock(&p->lock);
	return code;
}

/* Under the lock: one descriptor for failure and cancel. */
static int make_stop_fd(struct pipe *p)
{
	LT_AUTO_CLOSE int event_fd = eventfd(0, EFD_CLOEXEC | EFD_NONBLOCK);
	LT_AUTO_CLOSE int stop_fd = epoll_create1(EPOLL_CLOEXEC);
	struct epoll_event ev = { .events = EPOLLIN };
	if (event_fd < 0 || stop_fd < 0 || epoll_ctl(stop_fd, EPOLL_CTL_ADD, event_fd, &ev) < 0)
		return -errno;
	if (p->opts.cancel && epoll_ctl(stop_fd, EPOLL_CTL_ADD, p->opts.cancel->fd, &ev) < 0)
		return -errno;
	p->event_fd = LT_TAKE_FD(event_fd);
	p->stop_fd = LT_TAKE_FD(stop_fd);
	if (sync_load(&p->stop))
		raise_fd(p);
	return 0;
}

int leat_token_stop_fd(struct leat_token *token)
{
	struct pipe *p = ((struct pipe_token *)token)->pipe;
	pthread_mutex_lock(&p->lock);
	int r = p->stop_fd >= 0 ? 0 : make_stop_fd(p);
	if (r == 0)
		r = p->stop_fd;
	pthread_mutex_unlock(&p->lock);
	return r;
}

static __attribute__((noinline, cold)) void note_cancel(struct pipe *p)
{
	pthread_mutex_lock(&p->lock);
	if (!sync_load(&p->stop)) {
		sync_store_release(&p->stop, STOP_CANCELED);
		raise_fd(p);
	}
	pthread_mutex_unlock(&p->lock);
}

uint32_t pipe_check_stop(struct pipe *p)
{
	if (cancel_raised(p->opts.cancel))
		note_cancel(p);
	return sync_load_acquire(&p->stop);
}

static void note_time(struct pipe_timed *timed, int64_t since)
{
	timed->n++;
	timed->ns += (uint64_t)(lt_now_ns() - since);
}

void *pipe_run_stage(
	struct pipe *p, struct pipe_worker *w, struct pipe_token *token, unsigned s, void *item)
{
	if (s > 0 && pipe_check_stop(p)) {
		if (p->opts.drop)
			p->opts.drop(p->opts.drop_ctx, item, s);
		w->dropped++;
		return LEAT_SKIP;
	}
	token->pub.stage = s;
	w->worked = true;
	bool timed = token->pub.number % PIPE_TIMED == 0;
	int64_t since = timed ? lt_now_ns() : 0;
	item = p->call[s].fn(p->call[s].ctx, item, &token->pub);
	if (timed && item != LEAT_END)
		note_time(&w->timed[s], since);
	if (__builtin_expect(token->failed, 0)) {
		token->failed = false;
		return s > 0 ? LEAT_SKIP : LEAT_END;
	}
	if (item == LEAT_SKIP)
		w->skipped++;
	return item;
}

/* ---- the caller alone ---- */

enum {
	SAMPLE_MAX = 256,
	SURE = 3, /* samples over the limit in a row: one or two may be preemptions */
};

/* Carries one item from the input to the end. False: the input has ended, or stop. */
static inline bool carry(
	struct pipe *p, struct pipe_worker *w, struct pipe_token *token, int64_t *ret_start)
{
	const struct pipe_call *call = p->call, *end = call + p->n;
	token->pub.stage = 0;
	int64_t since = ret_start ? lt_now_ns() : 0;
	void *item = call->fn(call->ctx, NULL, &token->pub);
	if (__builtin_expect(item == LEAT_END || sync_load(&p->stop), 0)) {
		if (item == LEAT_END || token->failed)
			return false;
		token->pub.number++;
		if (item == LEAT_SKIP)
			w->skipped++;
		else
			pipe_run_stage(p, w, token, 1, item); /* drops it */
		return false;
	}
	if (ret_start) {
		note_time(&w->timed[0], since);
		*ret_start = since = lt_now_ns();
	}
	for (call++; call < end && item != LEAT_SKIP; call++) {
		token->pub.stage++;
		item = call->fn(call->ctx, item, &token->pub);
		if (ret_start) {
			note_time(&w->timed[token->pub.stage], since);
			since = lt_now_ns();
		}
		if (__builtin_expect(sync_load(&p->stop) != 0, 0)) {
			token->pub.number++;
			if (token->failed)
				return false;
			if (item == LEAT_SKIP)
				w->skipped++;
			else if (call + 1 < end)
				pipe_run_stage(p, w, token, token->pub.stage + 1, item);
			else
				w->done++;
			return false;
		}
	}
	token->pub.number++;
	if (__builtin_expect(item == LEAT_SKIP, 0))
		w->skipped++;
	else
		w->done++;
	return true;
}

static void publish(struct pipe *p, struct pipe_worker *w, uint64_t items)
{
	if (!p->stats)
		return;
	stats_set(p->stats, LEAT_V_PIPELINE_ITEMS, items);
	stats_set(p->stats, LEAT_V_PIPELINE_DONE, w->done);
	stats_set(p->stats, LEAT_V_PIPELINE_DROPPED, w->dropped);
	stats_set(p->stats, LEAT_V_PIPELINE_CALLS, p->calls);
	stats_set(p->stats, LEAT_V_PIPELINE_WORK_NS, (uint64_t)p->work_ns);
}

/* Where the time of an item goes, once there were enough of them. */
static void publish_stages(struct pipe *p, uint64_t items)
{
	for (unsigned s = 0; p->stats && items >= PIPE_TIMED && s < p->n; s++) {
		struct pipe_timed sum = { 0 };
		char name[LEAT_STATS_NAME];
		for (unsigned i = 0; i < p->workers; i++) {
			sum.n += p->worker[i].timed[s].n;
			sum.ns += p->worker[i].timed[s].ns;
		}
		snprintf(name, sizeof(name), "stage %u", s);
		struct leat_stats_slot *slot =
			stats_slot_new(LEAT_STATS_STAGE, p->stage[s].name ? p->stage[s].name : name,
				NULL, stats_slot_number(p->stats));
		if (!slot)
			return;
		stats_set(slot, LEAT_V_STAGE_ITEMS, items);
		stats_set(slot, LEAT_V_STAGE_TIMED, sum.n);
		stats_set(slot, LEAT_V_STAGE_NS, sum.ns);
		stats_set(slot, LEAT_V_STAGE_SERIAL, p->stage[s].kind != LEAT_PARALLEL);
		stats_slot_end(slot);
	}
}

/* Until the input has ended or stop: false. True: the work is worth helpers. */
static bool run_alone(struct pipe *p, struct pipe_worker *w)
{
	struct pipe_token token = { .pipe = p };
	token.pub.number = atomic_load_explicit(&p->next, memory_order_relaxed);
	bool call = false, more = true;
	unsigned left = 1, period = 1, over = 0;
	w->worked = true;
	while (more && !call && !(p->opts.cancel && pipe_check_stop(p))) {
		if (__builtin_expect(--left > 0, 1)) {
			more = carry(p, w, &token, NULL);
			continue;
		}
		int64_t start = 0;
		more = carry(p, w, &token, &start);
		if (!more)
			break;
		p->work_ns = lt_now_ns() - start;
		if (p->workers > 1 && p->wake_ns == 0 && p->work_ns > 1000)
			p->wake_ns = park_wake_ns();
		over = p->wake_ns && p->work_ns > p->wake_ns ? over + 1 : 0;
		call = p->workers > 1 && p->tokens > 1 && over >= SURE;
		period = over ? 1 : period < SAMPLE_MAX ? period * 2 : SAMPLE_MAX;
		if (p->work_ns > 2000 && period > 8)
			period = 8;
		left = period;
		publish(p, w, token.pub.number);
	}
	atomic_store_explicit(&p->next, token.pub.number, memory_order_relaxed);
	return call;
}

/* From alone to many: the next number has the turn at each in-order stage. */
static void open_gates(struct pipe *p, uint32_t cell_state)
{
	unsigned place =
		(unsigned)atomic_load_explicit(&p->next, memory_order_relaxed) & (p->ring - 1);
	for (unsigned s = 1; s < p->n; s++) {
		if (p->stage[s].kind == LEAT_IN_ORDER)
			sync_store(&p->gate[s].cell[place].state, cell_state);
	}
}

static int run(struct pipe *p, struct leat_err *err)
{
	struct pipe_worker *w = &p->worker[0];
	bool call = p->needs_helpers || (p->opts.wake_ns == 1 && p->workers > 1 && p->tokens > 1);
	for (;;) {
		if (!call && !run_alone(p, w))
			return 0;
		if (p->wake_ns == 0)
			p->wake_ns = park_wake_ns();
		open_gates(p, CELL_GRANTED);
		int r = pipe_call_helpers(p, err);
		if (r < 0)
			return r;
		if (!pipe_flow(p, w))
			return 0;
		open_gates(p, CELL_EMPTY);
		call = false;
	}
}

/* ---- making and ending ---- */

static int check(
	const struct leat_stage *stages, unsigned n, const struct pipe *p, struct leat_err *err)
{
	if (!stages || n == 0 || n > PIPE_STAGES_MAX)
		return LEAT_FAIL(err, -EINVAL, "LEAT-PIPELINE-STAGES",
			"%u stages; there must be 1 to %d", n, PIPE_STAGES_MAX);
	if (p->tokens > PIPE_TOKENS_MAX)
		return LEAT_FAIL(err, -EINVAL, "LEAT-PIPELINE-TOKENS",
			"%u tokens; at most %d are possible", p->tokens, PIPE_TOKENS_MAX);
	if (p->workers > PIPE_WORKERS_MAX)
		return LEAT_FAIL(err, -EINVAL, "LEAT-PIPELINE-WORKERS",
			"%u workers; at most %d are possible", p->workers, PIPE_WORKERS_MAX);
	if (p->opts.cpus && cpus_count(p->opts.cpus) <= 0)
		return LEAT_FAIL(err, -EINVAL, "LEAT-PIPELINE-CPUS",
			"'%.80s' is not a list of CPUs such as 0-3,5", p->opts.cpus);
	for (unsigned s = 0; s < n; s++) {
		if (!stages[s].fn || (unsigned)stages[s].kind > LEAT_PARALLEL)
			return LEAT_FAIL(err, -EINVAL, "LEAT-PIPELINE-KIND",
				"stage %u has no function or no such kind as %d", s,
				(int)stages[s].kind);
		if (stages[s].bind > p->workers)
			return LEAT_FAIL(err, -EINVAL, "LEAT-PIPELINE-BIND",
				"stage %u is bound to worker %u; there are %u", s,
				stages[s].bind - 1, p->workers);
	}
	return 0;
}

static void *zeroed(size_t n, size_t size)
{
	size_t bytes = (n * size + PIPE_LINE - 1) & ~(size_t)(PIPE_LINE - 1);
	void *mem = aligned_alloc(PIPE_LINE, bytes ? bytes : PIPE_LINE);
	return mem ? memset(mem, 0, bytes) : NULL;
}

/* Only a pipeline with more than one worker has gates and slots. */
static bool make_flow(struct pipe *p)
{
	if (p->workers == 1)
		return true;
	p->gate = zeroed(p->n, sizeof(*p->gate));
	p->slot = zeroed(p->ring, sizeof(*p->slot));
	p->ready = zeroed(p->words, sizeof(*p->ready));
	if (!p->gate || !p->slot || !p->ready)
		return false;
	for (unsigned s = 0; s < p->n; s++) {
		unsigned bind = p->stage[s].bind;
		if (p->stage[s].kind == LEAT_IN_ORDER && s > 0 &&
			!(p->gate[s].cell = zeroed(p->ring, sizeof(*p->gate[s].cell))))
			return false;
		if (bind != LEAT_ANY_WORKER && !p->worker[bind - 1].bound &&
			!(p->worker[bind - 1].bound = zeroed(p->words, sizeof(*p->ready))))
			return false;
		p->needs_helpers |= bind > 1;
	}
	return true;
}

static bool make(struct pipe *p)
{
	p->ring = 64;
	while (p->ring < 2 * p->tokens)
		p->ring *= 2;
	p->words = p->ring / 64;
	p->call = calloc(p->n, sizeof(*p->call));
	p->worker = zeroed(p->workers, sizeof(*p->worker));
	p->timed = calloc((size_t)p->workers * p->n, sizeof(*p->timed));
	if (!p->call || !p->worker || !p->timed)
		return false;
	for (unsigned s = 0; s < p->n; s++)
		p->call[s] = (struct pipe_call){ p->stage[s].fn, p->stage[s].ctx };
	for (unsigned i = 0; i < p->workers; i++)
		p->worker[i] = (struct pipe_worker){
			.pipe = p, .index = i, .timed = p->timed + (size_t)i * p->n
		};
	return make_flow(p);
}

static void done(struct pipe *p)
{
	for (unsigned s = 0; p->gate && s < p->n; s++)
		free(p->gate[s].cell);
	for (unsigned i = 0; p->worker && i < p->workers; i++)
		free(p->worker[i].bound);
	free(p->call);
	free(p->worker);
	free(p->timed);
	free(p->gate);
	free(p->slot);
	free(p->ready);
	if (p->stop_fd >= 0)
		close(p->stop_fd);
	if (p->event_fd >= 0)
		close(p->event_fd);
	pthread_mutex_destroy(&p->lock);
	stats_slot_end(p->stats);
}

/* Lets the helpers go, however the run ended. */
static void join_helpers(struct pipe *p)
{
	sync_store_release(&p->ended, 1);
	for (unsigned i = 1; i < p->workers; i++) {
		struct pipe_worker *w = &p->worker[i];
		if (!w->started)
			continue;
		sync_store_release(&w->park.state, PARK_AWAKE);
		sync_wake(&w->park.state, 1);
		pthread_join(w->thread, NULL);
		park_threads_add(-1);
	}
}

static void report(struct pipe *p, struct leat_pipeline_report *ret)
{
	ret->items = atomic_load_explicit(&p->next, memory_order_relaxed);
	ret->calls = p->calls;
	ret->fail_stage = p->fail_stage;
	ret->fail_item = p->fail_item;
	for (unsigned i = 0; i < p->workers; i++) {
		ret->done += p->worker[i].done;
		ret->skipped += p->worker[i].skipped;
		ret->dropped += p->worker[i].dropped;
		ret->workers += p->worker[i].worked;
	}
}

static int result(struct pipe *p, struct leat_err *err)
{
	uint32_t stop = pipe_check_stop(p); /* an input that was woken by it may just have ended */
	if (stop == STOP_CANCELED)
		return LEAT_FAIL(err, -ECANCELED, "LEAT-CANCELED", "the pipeline was cancelled");
	if (stop && err)
		*err = p->err;
	return stop ? p->err.code : 0;
}

static void open_stats(struct pipe *p)
{
	p->worker[0].stats = stats_thread_self("main");
	p->stats = stats_slot_new(LEAT_STATS_PIPELINE, p->opts.name ? p->opts.name : "pipeline",
		NULL, stats_slot_number(p->worker[0].stats));
	if (p->stats) {
		stats_set(p->stats, LEAT_V_PIPELINE_STAGES, p->n);
		stats_set(p->stats, LEAT_V_PIPELINE_WORKERS, p->workers);
	}
}

static void close_stats(struct pipe *p, const struct leat_pipeline_report *all)
{
	p->worker[0].done = all->done;
	p->worker[0].dropped = all->dropped;
	publish(p, &p->worker[0], all->items);
	publish_stages(p, all->items);
}

/* Runs what make() has made. */
static int run_to_end(struct pipe *p, struct leat_pipeline_report *ret_report, struct leat_err *err)
{
	struct leat_pipeline_report rep = { 0 };
	open_stats(p);
	park_threads_add(1);
	int r = run(p, err);
	join_helpers(p);
	park_threads_add(-1);
	report(p, &rep);
	close_stats(p, &rep);
	if (ret_report)
		*ret_report = rep;
	return r == 0 ? result(p, err) : r;
}

int leat_pipeline(const struct leat_stage *stages, unsigned n_stages,
	const struct leat_pipeline_opts *opts, struct leat_pipeline_report *ret_report,
	struct leat_err *err)
{
	struct pipe p = { .stage = stages, .n = n_stages, .event_fd = -1, .stop_fd = -1 };
	if (opts)
		p.opts = *opts;
	int r = env_number("LEAT_THREADS", PIPE_WORKERS_MAX, &p.opts.workers, err);
	if (r >= 0)
		r = env_number("LEAT_TOKENS", PIPE_TOKENS_MAX, &p.opts.tokens, err);
	if (r < 0)
		return r;
	p.workers = p.opts.workers ? p.opts.workers : park_cpus();
	p.tokens = p.opts.tokens ? p.opts.tokens : 4 * p.workers;
	if (p.tokens > PIPE_TOKENS_MAX && !p.opts.tokens)
		p.tokens = PIPE_TOKENS_MAX;
	p.wake_ns = p.opts.wake_ns;
	p.fail_stage = STAGE_NONE;
	sync_store(&p.limit, 1);
	r = check(stages, n_stages, &p, err);
	if (r < 0)
		return r;
	pthread_mutex_init(&p.lock, NULL);
	r = make(&p) ? run_to_end(&p, ret_report, err) : LEAT_FAIL_MEM(err);
	done(&p);
	return r;
}
