/* SPDX-License-Identifier: MIT */
/* The dataflow shapes on libleat. */
#include <leat/leat.h>

#include <dirent.h>
#include <errno.h>
#include <pthread.h>
#include <stdatomic.h>
#include <unistd.h>

#include "shape.h"

static void die(const struct leat_err *err)
{
	fprintf(stderr, "ours: %s: %s\n", err->id, err->text);
	exit(1);
}

/* ---- pipelines ---- */

static uint64_t limit, made;

static void *empty_in(void *ctx, void *item, struct leat_token *t)
{
	(void)ctx;
	(void)item;
	(void)t;
	/* NOLINTNEXTLINE(performance-no-int-to-ptr) */
	return made < limit ? (void *)(uintptr_t)++made : LEAT_END;
}

static void *empty_stage(void *ctx, void *item, struct leat_token *t)
{
	(void)ctx;
	(void)t;
	return item;
}

static void pipe_empty(enum leat_stage_kind kind, unsigned workers, uint64_t n)
{
	struct leat_stage stage[STAGES] = { { .fn = empty_in } };
	struct leat_err err = { 0 };
	for (int i = 1; i < STAGES; i++)
		stage[i] = (struct leat_stage){ .kind = kind, .fn = empty_stage };
	struct leat_pipeline_opts opts = { .workers = workers, .tokens = 4 };
	limit = n;
	int64_t start = now_ns();
	if (leat_pipeline(stage, STAGES, &opts, NULL, &err) < 0)
		die(&err);
	print_ns(now_ns() - start, n);
}

enum {
	CHUNKS = 16,
	TURNS = 10, /* in which two ways of doing the same are compared */
};
static struct chunk chunk[CHUNKS];
static uint64_t arrived, wrong, total;

static void *router_in(void *ctx, void *item, struct leat_token *t)
{
	(void)ctx;
	(void)item;
	if (made == limit)
		return LEAT_END;
	struct chunk *c = &chunk[made % CHUNKS];
	router_fill(c, made++);
	router_work(c, 0);
	wrong += c->number != t->number;
	return c;
}

static void *router_mid(void *ctx, void *item, struct leat_token *t)
{
	(void)ctx;
	router_work(item, t->stage);
	return item;
}

static void *router_out(void *ctx, void *item, struct leat_token *t)
{
	struct chunk *c = item;
	(void)ctx;
	router_work(c, t->stage);
	wrong += c->number != arrived++;
	total = total * 31 + c->sum;
	return NULL;
}

static void router_chunk(struct chunk *c, uint64_t i)
{
	router_fill(c, i);
	for (unsigned s = 0; s < ROUTER_STAGES; s++)
		router_work(c, s);
}

/* n chunks by hand: their time, and the total of all results in order. */
static int64_t router_loop(uint64_t n)
{
	int64_t start = now_ns();
	total = 0;
	for (uint64_t i = 0; i < n; i++) {
		struct chunk *c = &chunk[i % CHUNKS];
		router_chunk(c, i);
		total = total * 31 + c->sum;
	}
	return now_ns() - start;
}

static int64_t router_pipeline(unsigned workers, uint64_t n)
{
	struct leat_err err = { 0 };
	const struct leat_stage stage[ROUTER_STAGES] = {
		{ .kind = LEAT_IN_ORDER, .fn = router_in },
		{ .kind = LEAT_PARALLEL, .fn = router_mid },
		{ .kind = LEAT_PARALLEL, .fn = router_mid },
		{ .kind = LEAT_PARALLEL, .fn = router_mid },
		{ .kind = LEAT_IN_ORDER, .fn = router_out },
	};
	struct leat_pipeline_opts opts = { .workers = workers, .tokens = 4 };
	limit = n;
	made = arrived = total = 0;
	int64_t start = now_ns();
	if (leat_pipeline(stage, ROUTER_STAGES, &opts, NULL, &err) < 0)
		die(&err);
	return now_ns() - start;
}

/* What the machine can give: two threads that share nothing, each with half of the chunks. */
static struct chunk half[2][CHUNKS];

static void *half_loop(void *arg)
{
	struct chunk *mine = arg;
	for (uint64_t i = 0; i < limit; i++)
		router_chunk(&mine[i % CHUNKS], i);
	return NULL;
}

static int64_t two_loops(uint64_t n)
{
	pthread_t other;
	int64_t start = now_ns();
	limit = n / 2;
	if (pthread_create(&other, NULL, half_loop, half[1]) != 0)
		exit(1);
	half_loop(half[0]);
	pthread_join(other, NULL);
	return now_ns() - start;
}

static void two_loops_of_loop(uint64_t n)
{
	int64_t two = 0, one = 0;
	for (int turn = 0; turn < TURNS; turn++) {
		two += two_loops(n / TURNS);
		one += router_loop(n / TURNS);
	}
	printf("%.4f\n", (double)two / (double)one);
}

/* The pipeline against the loop, in turns short enough that both see the same machine: every
 * result is compared. Its time per chunk, or as a ratio to the loop's. */
static void router(unsigned workers, uint64_t n, int as_ratio)
{
	int64_t ours = 0, loop = 0;
	for (int turn = 0; turn < TURNS; turn++) {
		ours += router_pipeline(workers, n / TURNS);
		uint64_t by_pipeline = total;
		loop += router_loop(n / TURNS);
		if (wrong || arrived != n / TURNS || total != by_pipeline) {
			fprintf(stderr, "ours: router: results lost or out of order\n");
			exit(1);
		}
	}
	if (as_ratio)
		printf("%.4f\n", (double)ours / (double)loop);
	else
		print_ns(ours, n);
}

/* ---- chains ---- */

enum {
	BURST = 64
};

struct part {
	struct leat_module *m;
	struct leat_port *in, *out;
};
static struct part part[STAGES];
static struct leat_pool *pool;
static unsigned burst;
static int64_t pace_ns;
static int64_t pace_next;
static struct leat_timer *timer;

static int on_source(struct leat_module *m, const struct leat_event *ev, void *ctx)
{
	struct part *p = ctx;
	struct leat_buf *bufs[BURST];
	(void)m;
	if (ev->kind == LEAT_EV_STOP || (pace_ns && ev->kind != LEAT_EV_TIMER))
		return LEAT_OK;
	while (made < limit) {
		unsigned n = leat_credit(p->out), most = pace_ns ? 1 : burst;
		n = n < most ? n : most;
		n = n < limit - made ? n : (unsigned)(limit - made);
		n = leat_take(pool, bufs, n);
		if (n == 0)
			return LEAT_OK;
		int k = leat_send(p->out, bufs, n);
		if (k < 0)
			return k;
		made += (unsigned)k;
		if (pace_ns)
			return LEAT_OK;
	}
	return LEAT_DONE;
}

static int on_middle(struct leat_module *m, const struct leat_event *ev, void *ctx)
{
	struct part *p = ctx;
	struct leat_buf *bufs[BURST];
	(void)m;
	if (ev->kind != LEAT_EV_INPUT)
		return LEAT_OK;
	unsigned n = leat_credit(p->out);
	if (n == 0)
		return LEAT_OK;
	int k = leat_recv(p->in, bufs, n < burst ? n : burst);
	return k < 0 ? k : leat_send(p->out, bufs, (unsigned)k) < 0 ? -EPIPE : LEAT_OK;
}

static int on_sink(struct leat_module *m, const struct leat_event *ev, void *ctx)
{
	struct part *p = ctx;
	struct leat_buf *bufs[BURST];
	(void)m;
	if (ev->kind != LEAT_EV_INPUT)
		return LEAT_OK;
	int k = leat_recv(p->in, bufs, burst);
	if (k > 0)
		leat_put(bufs, (unsigned)k);
	arrived += k > 0 ? (unsigned)k : 0;
	return k < 0 ? k : LEAT_OK;
}

static int run_source(struct leat_module *m, void *ctx)
{
	struct part *p = ctx;
	struct leat_buf *bufs[BURST];
	while (made < limit) {
		uint64_t left = limit - made;
		int n = leat_take_wait(m, pool, bufs, left < burst ? (unsigned)left : burst, -1);
		if (n < 0)
			return n;
		n = leat_send_wait(p->out, bufs, (unsigned)n, -1);
		if (n < 0)
			return n;
		made += (unsigned)n;
	}
	return 0;
}

static int run_middle(struct leat_module *m, void *ctx)
{
	struct part *p = ctx;
	struct leat_buf *bufs[BURST];
	(void)m;
	for (;;) {
		int n = leat_recv_wait(p->in, bufs, burst, -1);
		if (n < 0)
			return n;
		n = leat_send_wait(p->out, bufs, (unsigned)n, -1);
		if (n < 0)
			return n;
	}
}

static int run_sink(struct leat_module *m, void *ctx)
{
	struct part *p = ctx;
	struct leat_buf *bufs[BURST];
	(void)m;
	for (;;) {
		int n = leat_recv_wait(p->in, bufs, burst, -1);
		if (n < 0)
			return n;
		leat_put(bufs, (unsigned)n);
		arrived += (unsigned)n;
	}
}

static struct leat_app *make_chain(
	int main_loops, const char *placement, unsigned depth, unsigned buffers, unsigned n)
{
	struct leat_app *app;
	struct leat_err err = { 0 };
	struct leat_app_opts opts = { .placement = placement, .lazy = 1 };
	struct leat_pool_opts po = { .count = buffers };
	int r = leat_app_new(&opts, &app, &err);
	r = r < 0 ? r : leat_pool_new(app, &po, &pool, &err);
	burst = depth < BURST ? depth : BURST;
	for (unsigned i = 0; i < n && r == 0; i++) {
		char name[8];
		int first = i == 0, last = i + 1 == n;
		snprintf(name, sizeof(name), "m%u", i);
		struct leat_module_opts mo = { .name = name, .ctx = &part[i] };
		if (main_loops)
			mo.run = first ? run_source : last ? run_sink : run_middle;
		else
			mo.on = first ? on_source : last ? on_sink : on_middle;
		r = leat_module_new(app, &mo, &part[i].m, &err);
		if (r == 0 && !first)
			r = leat_in(part[i].m, "in", depth, &part[i].in, &err);
		if (r == 0 && !last)
			r = leat_out(part[i].m, "out", depth, &part[i].out, &err);
		if (r == 0 && !first)
			r = leat_link(part[i - 1].out, part[i].in, LEAT_BLOCK, &err);
	}
	if (r < 0)
		die(&err);
	return app;
}

static void chain(int main_loops, const char *placement, unsigned depth, uint64_t n)
{
	struct leat_err err = { 0 };
	struct leat_app *app = make_chain(main_loops, placement, depth, 20 * depth, STAGES);
	limit = n;
	int64_t start = now_ns();
	if (leat_start(app, &err) < 0 || leat_wait(app, LEAT_FOREVER, &err) < 0 || arrived != n)
		die(&err);
	print_ns(now_ns() - start, n);
	leat_app_free(app);
}

/* The largest part, in percent, by which a thread's causes and CPU time miss its wall time. */
static void share(uint64_t n)
{
	struct leat_err err = { 0 };
	struct leat_app *app = make_chain(0, "each", 10, 200, STAGES);
	struct leat_stats_slot slot;
	double worst = 0;
	limit = n;
	if (leat_start(app, &err) < 0 || leat_wait(app, LEAT_FOREVER, &err) < 0)
		die(&err);
	const struct leat_stats_head *head = leat_stats_self();
	for (uint32_t i = 0; i < head->used; i++) {
		struct leat_share s;
		if (leat_stats_copy(leat_stats_slot_at(head, i), &slot) != LEAT_STATS_THREAD ||
			!slot.v[LEAT_V_THREAD_END])
			continue;
		leat_stats_share(&slot, 0, 0, 0, &s);
		double parts = (double)s.cpu_ns + (double)s.runq_ns;
		for (int k = 0; k < LEAT_CAUSES; k++)
			parts += (double)s.wait_ns[k];
		double miss = 100 * (parts / (double)s.wall_ns - 1);
		miss = miss < 0 ? -miss : miss;
		worst = miss > worst ? miss : worst;
	}
	printf("%.4f\n", worst);
	leat_app_free(app);
}

/* ---- idle and paced ---- */

static uint64_t switches(void)
{
	uint64_t all = 0;
	DIR *d = opendir("/proc/self/task");
	for (struct dirent *e; d && (e = readdir(d));) {
		char path[300], line[128];
		snprintf(path, sizeof(path), "/proc/self/task/%s/status", e->d_name);
		FILE *f = e->d_name[0] == '.' || atoi(e->d_name) == getpid() ? NULL
									     : fopen(path, "r");
		while (f && fgets(line, sizeof(line), f)) {
			unsigned long long v;
			if (sscanf(line, "voluntary_ctxt_switches: %llu", &v) == 1)
				all += v;
		}
		if (f)
			fclose(f);
	}
	if (d)
		closedir(d);
	return all;
}

/* Context switches of a ten-thread chain without input. */
static void idle(int seconds)
{
	struct leat_err err = { 0 };
	struct leat_app *app = make_chain(0, "each", 10, 200, STAGES);
	pace_ns = 1;
	if (leat_start(app, &err) < 0)
		die(&err);
	usleep(300000);
	uint64_t before = switches();
	sleep((unsigned)seconds);
	printf("%.4f\n", (double)(switches() - before));
	leat_stop(app, LEAT_FOREVER, &err);
	leat_app_free(app);
}

static void *paced_in(void *ctx, void *item, struct leat_token *t)
{
	(void)ctx;
	(void)item;
	(void)t;
	if (made++ == limit)
		return LEAT_END;
	sleep_until(pace_next += 1000000);
	return (void *)1;
}

/* Percent of a CPU at 1000 items a second. */
static void paced_pipe(uint64_t n)
{
	struct leat_stage stage[STAGES] = { { .fn = paced_in } };
	struct leat_err err = { 0 };
	for (int i = 1; i < STAGES; i++)
		stage[i] = (struct leat_stage){ .fn = empty_stage };
	struct leat_pipeline_opts opts = { .workers = 2, .tokens = 4 };
	limit = n;
	pace_next = now_ns();
	int64_t cpu = cpu_ns(), start = now_ns();
	if (leat_pipeline(stage, STAGES, &opts, NULL, &err) < 0)
		die(&err);
	printf("%.4f\n", 100.0 * (double)(cpu_ns() - cpu) / (double)(now_ns() - start));
}

static void paced_chain(uint64_t n)
{
	struct leat_err err = { 0 };
	struct leat_app *app = make_chain(0, "each", 10, 40, 4);
	pace_ns = 1000000;
	limit = n + 1000;
	if (leat_timer_new(part[0].m, pace_ns, pace_ns, &timer, &err) < 0 ||
		leat_start(app, &err) < 0)
		die(&err);
	usleep(100000);
	int64_t cpu = cpu_ns(), start = now_ns();
	usleep((unsigned)n * 1000);
	printf("%.4f\n", 100.0 * (double)(cpu_ns() - cpu) / (double)(now_ns() - start));
	leat_stop(app, LEAT_FOREVER, &err);
	leat_app_free(app);
}

/* ---- small things ---- */

static void work_counter(uint64_t n)
{
	struct leat_work *work;
	struct leat_err err = { 0 };
	if (leat_work_get("bench", NULL, &work, &err) < 0)
		die(&err);
	int64_t start = now_ns();
	for (uint64_t i = 0; i < n; i++)
		leat_work_add(work, 1);
	print_ns(now_ns() - start, n);
}

LEAT_KEY(bench_key);

static __attribute__((noinline)) uint64_t loop_with_key(uint64_t n)
{
	uint64_t x = 1;
	for (uint64_t i = 0; i < n; i++) {
		x = x * 3 + i;
		if (leat_key_on(bench_key))
			x ^= (uint64_t)now_ns();
		__asm__ volatile("" : "+r"(x));
	}
	return x;
}

static __attribute__((noinline)) uint64_t loop_without(uint64_t n)
{
	uint64_t x = 1;
	for (uint64_t i = 0; i < n; i++) {
		x = x * 3 + i;
		__asm__ volatile("" : "+r"(x));
	}
	return x;
}

static void key_off(uint64_t n)
{
	double best = 1e9;
	for (int i = 0; i < 7; i++) { /* the least of several pairs: the difference is tiny */
		int64_t a = now_ns();
		total += loop_without(n);
		int64_t b = now_ns();
		total += loop_with_key(n);
		double d = (double)((now_ns() - b) - (b - a)) / (double)n;
		best = d < best ? d : best;
	}
	printf("%.4f\n", best < 0 ? 0 : best);
}

int main(int argc, char **argv)
{
	const char *shape = argc > 1 ? argv[1] : "";
#define SHAPE(name, call)               \
	if (strcmp(shape, name) == 0) { \
		call;                   \
		return 0;               \
	}
	SHAPE("pipe-serial-1", pipe_empty(LEAT_IN_ORDER, 1, 4000000))
	SHAPE("pipe-parallel-1", pipe_empty(LEAT_PARALLEL, 1, 4000000))
	SHAPE("pipe-serial-2", pipe_empty(LEAT_IN_ORDER, 2, 4000000))
	SHAPE("pipe-parallel-2", pipe_empty(LEAT_PARALLEL, 2, 4000000))
	SHAPE("router-loop", print_ns(router_loop(3000), 3000))
	SHAPE("router-1", router(1, 3000, 0))
	SHAPE("router-2", router(2, 6000, 0))
	SHAPE("router-1-of-loop", router(1, 3000, 1))
	SHAPE("router-2-of-loop", router(2, 6000, 1))
	SHAPE("two-loops-of-loop", two_loops_of_loop(6000))
	SHAPE("chain-1", chain(0, "threads:1", 10, 2000000))
	SHAPE("chain-1-deep", chain(0, "threads:1", 64, 2000000))
	SHAPE("chain-main-1", chain(1, "threads:1", 10, 1000000))
	SHAPE("chain-10", chain(0, "each@all", 10, 60000))
	SHAPE("chain-main-10", chain(1, "each@all", 10, 60000))
	SHAPE("chain-10-one-cpu", chain(0, "each@0", 10, 60000))
	SHAPE("share", share(60000))
	SHAPE("idle", idle(argc > 2 ? atoi(argv[2]) : 10))
	SHAPE("paced-pipe", paced_pipe(1000))
	SHAPE("paced-chain", paced_chain(1000))
	SHAPE("work", work_counter(20000000))
	SHAPE("key", key_off(50000000))
	fprintf(stderr, "ours: no shape '%s'\n", shape);
	return 2;
}
