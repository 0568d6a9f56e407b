/* SPDX-License-Identifier: MIT */
/* The inside of an app: modules, ports, links, and the threads that run them.
 *
 * Everything that can happen to a module is an `ev`. On its own thread an ev waits in one of
 * three lists; from another thread it comes through the thread's inbox, a lock-free stack. An ev
 * is in the inbox once at most (`posted`) and in the lists once at most (`queued`), so neither
 * allocates. What an ev is about is looked up when it is handled, never carried. */
#ifndef LIB_MOD_H
#define LIB_MOD_H

#include <pthread.h>
#include <stdalign.h>
#include <stdatomic.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "leat/module.h"
#include "leat/stats.h"
#include "lib/coro.h"
#include "lib/err.h"
#include "lib/park.h"
#include "lib/ring.h"

enum ev_kind {
	EV_IN,     /* an input has data or its end */
	EV_OUT,    /* an output has credit, or its reader is gone */
	EV_MODULE, /* bits of the module say what */
	EV_POOL,   /* a pool has buffers again */
	EV_TIMER,
	EV_WATCH,
	EV_DRAIN, /* for the thread */
	EV_STOP,  /* likewise */
};

struct ev {
	struct ev *next;                /* in a list of the thread */
	_Atomic(struct ev *) next_post; /* in the inbox */
	sync_u32 posted;
	uint8_t kind, priority;
	bool queued;
	struct leat_module *module; /* NULL: the thread's own */
};

/* The port, timer, watch or wait that an ev is the member `ev` of. */
#define EV_OF(type, its_ev) ((type *)((char *)(its_ev)-offsetof(type, ev)))

struct ev_list {
	struct ev *head, **tail;
};

enum {
	BIT_START = 1,
	BIT_AGAIN = 2,
	BIT_DRAIN = 4,
	BIT_RESUME = 8, /* a main loop that yielded */
	PRIORITIES = 3,
	SKIPS = 7,         /* picks of one list before a lower one has its turn */
	DEPTH_MAX = 65536, /* of a queue */
};

/* A wake-up time; `at` is its place in the thread's heap, 1 + index. */
struct alarm {
	int64_t when;
	unsigned at;
	struct ev *ev;
};

struct leat_timer {
	struct ev ev;
	struct alarm alarm;
	int64_t period_ns;
	bool early; /* set before the start */
	struct leat_timer *next;
};

struct watch {
	struct ev ev;
	int fd;
	unsigned bits, ready;
	struct watch *next;
};

struct pool_wait {
	struct ev ev;
	struct leat_pool *pool;
	bool listed; /* guarded by the pool's lock */
	struct pool_wait *next_in_pool, *next_in_module;
};

struct link {
	struct ring ring;
	uint64_t dropped; /* the writer's */
	enum leat_policy policy;
	struct link *next;
};

struct leat_port {
	struct link *link;
	struct thr *thr;
	struct leat_port *peer;
	sync_u32 *stop; /* the app's */
	struct leat_module *module;
	uint32_t half;      /* of the queue */
	uint32_t burst;     /* most buffers that are received at once */
	uint32_t untold;    /* moved since the other side was last told */
	uint64_t moved;     /* ever */
	bool input, remote; /* constant */
	bool want;          /* on a link within a thread: what want_data, want_room are across */
	bool ended;         /* output: end sent; input: end seen */
	bool short_;        /* output: gave less than was asked for */
	bool stalled;       /* input: the handler left something */
	bool robbed;        /* input that drops: a call found nothing, the writer was quicker */
	bool dirty;         /* in the thread's list of ports whose other side may wait */
	struct leat_port *next_dirty;
	struct leat_buf *
		*hand; /* input of an event module: taken over while it has no credit; depth */
	uint32_t n_hand, hand_at;
	struct ev ev;
	unsigned depth;
	const char *name;
	struct leat_port *next; /* of the module */
	struct leat_stats_slot *stats;
	uint64_t no_credit, no_credit_ns;
};

enum module_state {
	MODULE_NEW,
	MODULE_RUNS,
	MODULE_ENDED,
};

struct leat_module {
	struct thr *thr;
	leat_handler_fn *on;
	leat_main_fn *run;
	void *ctx;
	struct leat_port *ins, *outs;
	struct ev ev;
	uint8_t bits;
	_Atomic(uint8_t) state; /* its thread's; others only look */
	bool slow; /* takes longer than a wake-up: others are told before and after it runs */
	bool main, lone, waiting, draining, stopped, timed_out, pool_dry;
	enum leat_cause cause; /* while waiting */
	struct coro coro;
	struct alarm alarm;
	struct ev alarm_ev;
	int64_t until;         /* of the wait; -1: none */
	int64_t timed;         /* when the run that is being timed began; 0: it is not */
	struct watch waits_fd; /* of leat_wait_fd() */
	int open_ins;
	uint64_t calls, in, out, errors;
	struct leat_err err; /* said by leat_module_fail() */
	struct leat_app *app;
	struct leat_module *next, *next_here;
	struct leat_module_opts opts;
	struct leat_stats_slot *stats;
	struct pool_wait *pools;
	struct leat_timer *timers;
	struct watch *watches;
	const struct leat_port *blocked_on;
	char name[];
};

struct thr {
	alignas(RING_LINE) _Atomic(struct ev *) inbox;
	struct park park;
	_Atomic(int64_t) woken_ns;
	sync_u32 polls; /* it sleeps in epoll_wait(2) */
	alignas(RING_LINE) struct ev_list ready[PRIORITIES];
	unsigned picked[PRIORITIES]; /* while a lower list waited */
	struct leat_port *dirty;
	struct leat_module *current, *modules;
	struct ev *handed; /* picked by a main loop, to be handled by the thread */
	unsigned live, rounds;
	struct coro coro;
	struct alarm **heap;
	unsigned n_heap, max_heap;
	int epoll_fd, event_fd;
	unsigned n_watches;
	struct park_spin spin;
	int64_t spin_ns, slow_ns;
	struct leat_stats_slot *stats;
	struct ev ev_drain, ev_stop;
	struct leat_app *app;
	pthread_t thread;
	bool started;
	int cpu; /* -1: any */
	struct thr *next;
	char name[32];
};

struct leat_app {
	sync_u32 stop, drain; /* set once */
	sync_u32 live;        /* threads */
	bool running;
	struct leat_app_opts opts;
	struct leat_module *modules, **last_module;
	struct thr *threads;
	struct link *links;
	struct leat_pool *pools;
	pthread_mutex_t lock; /* guards err and stop's reason */
	struct leat_err err;
	bool stop_asked, crowded;
	pthread_t watcher;
	int quit_fd;    /* the watcher's; -1: none */
	unsigned burst; /* of LEAT_BURST; 0 = none set */
	char *placement;
	char name[32];
};

extern _Thread_local struct thr *thr_self __attribute__((tls_model("initial-exec")));

/* thread.c */
void thr_queue(struct thr *t, struct ev *ev);
void thr_post(struct thr *t, struct ev *ev);
void thr_step(struct thr *t, bool may_sleep);
void thr_flush(struct thr *t);
/* Its counts and those of its modules and queues to the statistics page. */
void thr_publish(struct thr *t);
/* The next ev, if the thread has nothing else to look at first. */
struct ev *thr_pick_quick(struct thr *t);
void *thr_main(void *arg);
void thr_set_alarm(struct thr *t, struct alarm *a, int64_t when);
void thr_clear_alarm(struct thr *t, struct alarm *a);
int thr_reserve(struct thr *t);
/* The calling main loop waits, for this reason, until an ev for it comes or the time. 0, or the
 * error that ends the wait: -ETIMEDOUT, -ECANCELED, -ESHUTDOWN. */
int thr_block(struct leat_module *m, enum leat_cause cause, int64_t until);
int thr_watch(struct thr *t, struct watch *w);

/* dispatch.c */
void dispatch(struct thr *t, struct ev *ev);
void module_end(struct leat_module *m);
/* Is this error no failure of the module, but somebody else's end? The module ends too. */
bool module_cut_off(int r);
/* A main loop waits: where to switch to. NULL: it need not wait. */
struct coro *dispatch_next(struct thr *t, struct leat_module *from);

/* port.c */
void port_tell(struct leat_port *p);
uint32_t port_fill(struct leat_port *in);
void port_take_over(struct leat_port *in);
bool port_arm_in(struct leat_port *in, uint32_t seen);
bool port_arm_out(struct leat_port *out, uint32_t seen_room);
void port_close(struct leat_port *p);
uint32_t link_drain(struct link *l);
void port_publish(struct leat_port *in);

/* pool.c */
struct pool_wait *pool_wait_get(struct leat_pool *pool, struct leat_module *m);
int pools_prepare(struct leat_app *app);
bool pool_wait_for(struct leat_pool *pool, struct leat_module *m);
void pool_unlist(struct pool_wait *w);
void pools_free(struct leat_app *app);
void pools_publish(struct leat_app *app);

/* place.c */
int place_check(const char *text, struct leat_err *err);
int place_all(struct leat_app *app, struct leat_err *err);

/* app.c */
/* The error of what must be done before the start. */
int app_is_running(const struct leat_app *app, struct leat_err *err);

/* app_run.c */
void app_stop(struct leat_app *app, bool asked);
void app_stop_watcher(struct leat_app *app);
void app_error(struct leat_module *m, int code);
void app_thread_ended(struct leat_app *app);

#endif
