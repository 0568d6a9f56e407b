/* SPDX-License-Identifier: MIT */
/* Modules: parts of a program that own their data and talk through ports. An event module is a
 * function called when something happened; a main-loop module is a function that waits by
 * itself. Any number of both share a thread; a placement says who runs where.
 *
 *	struct leat_app *app;             leat_app_new(&opts, &app, &err);
 *	struct leat_module *a, *b;        leat_module_new(app, &a_opts, &a, &err); ...
 *	struct leat_port *out, *in;       leat_out(a, "out", 10, &out, &err); ...
 *	leat_link(out, in, LEAT_BLOCK, &err);
 *	leat_start(app, &err);            leat_wait(app, LEAT_FOREVER, &err);
 *	leat_app_free(app);
 */
#ifndef LEAT_MODULE_H
#define LEAT_MODULE_H

#include <stdbool.h>
#include <stdint.h>

#include <leat/base.h>
#include <leat/buf.h>
#include <leat/cancel.h>

LEAT_BEGIN_DECLS

struct leat_app;
struct leat_module;
struct leat_port;
struct leat_timer;

enum leat_event_kind {
	LEAT_EV_START,  /* once, before every other event */
	LEAT_EV_INPUT,  /* .port has buffers; again and again until it is empty */
	LEAT_EV_CREDIT, /* .port takes buffers again after leat_send() could not place them all or
			   leat_credit() was 0 */
	LEAT_EV_POOL,   /* a pool that ran empty has buffers again */
	LEAT_EV_END,    /* .port: the sender has ended and everything it sent was received */
	LEAT_EV_TIMER,  /* .timer expired, .count times since the last event */
	LEAT_EV_FD,     /* .fd is ready, .bits say for what, as in poll(2) */
	LEAT_EV_AGAIN,  /* the handler returned LEAT_AGAIN */
	LEAT_EV_DRAIN,  /* leat_drain(): a module without inputs should end */
	LEAT_EV_STOP,   /* leat_stop(), error or cancel: last event */
};

struct leat_event {
	enum leat_event_kind kind;
	unsigned bits;
	int fd;
	struct leat_port *port;
	struct leat_timer *timer;
	uint64_t count;
};

/* What a handler returns: one of these, or a negative errno (see leat_module_fail). */
enum {
	LEAT_OK = 0,
	LEAT_AGAIN = 1, /* call me again after the others had their turn */
	LEAT_DONE = 2,  /* this module has ended; its outputs send end of stream */
};

/* A handler that leaves the input where it is, for want of credit or buffers, is called with
 * LEAT_EV_INPUT again once an output of its module has credit or a pool has buffers. A module
 * with inputs ends by itself after all of them have ended. */
typedef int leat_handler_fn(struct leat_module *module, const struct leat_event *event, void *ctx);

/* A main loop. It has ended when it returns: 0, or a negative errno. -ECANCELED, -EPIPE and
 * -ESHUTDOWN, as the waiting calls return them, are orderly ends. */
typedef int leat_main_fn(struct leat_module *module, void *ctx);

enum leat_on_error {
	LEAT_STOP_APP,    /* everything stops; leat_wait() returns the error */
	LEAT_STOP_MODULE, /* this module ends, the others see the end of its streams */
	LEAT_IGNORE,      /* counted, nothing else; a main loop has ended all the same */
};

struct leat_module_opts {
	const char *name;    /* needed, unique in the app */
	leat_handler_fn *on; /* an event module ... */
	leat_main_fn *run;   /* ... or a main-loop module; one of the two */
	void *ctx;
	const char *thread; /* NULL: the thread called "main"; a placement overrides */
	unsigned priority;  /* of its events: 0 normal, 1 high, 2 low */
	enum leat_on_error on_error;
	size_t stack_bytes; /* of a main loop that shares its thread; 0: 256 KiB */
};

struct leat_app_opts {
	const char *name;      /* NULL: "app" */
	const char *placement; /* who runs where, see leat_place(3); NULL: as the modules say */
	struct leat_cancel *cancel; /* ends the app like leat_stop(); may be NULL */
	int64_t spin_ns;            /* longest spin before sleep; 0: one wake-up as measured here;
				       -1: never */
	unsigned lazy;              /* 1: a send of a main loop wakes its reader only when half the
				       queue is ready, at the next waiting call or leat_flush() */
};

/* Makes an empty app. The environment variable LEAT_PLACEMENT, if set, goes before
 * opts->placement.
 * **Owner:** the caller; leat_app_free(). **Threads:** one caller. **Blocks:** no.
 * **Errors:** LEAT-MEMORY, LEAT-STATS-PAGE, LEAT-PLACEMENT (syntax). */
LEAT_API int leat_app_new(
	const struct leat_app_opts *opts, struct leat_app **ret_app, struct leat_err *err);

/* Stops it if it runs, waits for its threads, sends all buffers home and frees everything the
 * app owns: modules, ports, links, timers, pools. NULL is allowed.
 * **Threads:** one caller, none of the app's. **Blocks:** until every module has returned. */
LEAT_API void leat_app_free(struct leat_app *app);

/* Adds a module. **Owner:** the app. **Threads:** one caller, before leat_start(). **Blocks:** no.
 * **Errors:** LEAT-MODULE-NAME, LEAT-MODULE-TWICE (name in use), LEAT-MODULE-KIND (not exactly one
 * of on and run), LEAT-MODULE-PRIORITY, LEAT-APP-RUNNING, LEAT-MEMORY. */
LEAT_API int leat_module_new(struct leat_app *app, const struct leat_module_opts *opts,
	struct leat_module **ret_module, struct leat_err *err);

/* Adds an input or output port. A link's queue holds the larger depth of its two ends; an event
 * module that waits for credit may have as many again in hand.
 * **Owner:** the app. **Threads:** one caller, before leat_start(). **Blocks:** no.
 * **Errors:** LEAT-PORT-DEPTH (0 or over 65536), LEAT-PORT-NAME, LEAT-PORT-TWICE,
 * LEAT-APP-RUNNING, LEAT-MEMORY. */
LEAT_API int leat_in(struct leat_module *module, const char *name, unsigned depth,
	struct leat_port **ret_port, struct leat_err *err);
LEAT_API int leat_out(struct leat_module *module, const char *name, unsigned depth,
	struct leat_port **ret_port, struct leat_err *err);

enum leat_policy {
	LEAT_BLOCK,       /* a full queue gives no credit */
	LEAT_DROP_OLDEST, /* a full queue loses its oldest buffer, sent home and counted */
	LEAT_DROP_NEWEST, /* a full queue loses what is sent, likewise */
};

/* Joins an output to an input. **Threads:** one caller, before leat_start(). **Blocks:** no.
 * **Errors:** LEAT-LINK-TWICE (an end is linked), LEAT-LINK-WAY (not an output and an input),
 * LEAT-LINK-APP (two apps), LEAT-LINK-POLICY, LEAT-APP-RUNNING, LEAT-MEMORY. */
LEAT_API int leat_link(
	struct leat_port *out, struct leat_port *in, enum leat_policy policy, struct leat_err *err);

/* A timer of a module: first after first_ns, then each period_ns (0: once). May be called before
 * leat_start() or by the module; LEAT_EV_TIMER is for event modules, a main loop uses timeouts.
 * **Owner:** the app. **Threads:** the module's. **Blocks:** no.
 * **Errors:** LEAT-TIMER-TIME, LEAT-MODULE-KIND, LEAT-MODULE-THREAD, LEAT-MEMORY. */
LEAT_API int leat_timer_new(struct leat_module *module, int64_t first_ns, int64_t period_ns,
	struct leat_timer **ret_timer, struct leat_err *err);

/* Sets it anew; first_ns < 0 stops it. **Threads:** the module's. **Errors:** as above. */
LEAT_API int leat_timer_set(struct leat_timer *timer, int64_t first_ns, int64_t period_ns);

/* Has an event module called with LEAT_EV_FD while the descriptor is ready for `bits` (POLLIN,
 * POLLOUT); bits 0 ends it. **Owner:** the descriptor stays the caller's. **Threads:** the
 * module's, or one caller before leat_start(). **Blocks:** no.
 * **Errors:** LEAT-FD (no such, or one that cannot be polled), LEAT-MODULE-KIND,
 * LEAT-MODULE-THREAD, LEAT-MEMORY. */
LEAT_API int leat_watch(struct leat_module *module, int fd, unsigned bits, struct leat_err *err);

/* Starts all threads and modules, in any order: nothing sent early is lost.
 * **Threads:** one caller. **Blocks:** until the threads exist.
 * **Errors:** LEAT-APP-RUNNING, LEAT-APP-EMPTY, LEAT-PORT-LOOSE (a port without link),
 * LEAT-PLACEMENT, LEAT-THREAD, LEAT-MEMORY. */
LEAT_API int leat_start(struct leat_app *app, struct leat_err *err);

/* Waits until every module has ended.
 * **Threads:** one caller, none of the app's. **Blocks:** up to timeout_ns.
 * **Errors:** 0; the first module's error (id LEAT-MODULE-FAILED or the failing call's, text names
 * module and number of buffers it had received); -ECANCELED LEAT-CANCELED; -ETIMEDOUT
 * LEAT-TIMEOUT, text names a module that still runs; LEAT-APP-IDLE before leat_start(). */
LEAT_API int leat_wait(struct leat_app *app, int64_t timeout_ns, struct leat_err *err);

/* Ends the sources and waits until what they sent has been worked off: modules without inputs
 * get LEAT_EV_DRAIN, or -ESHUTDOWN from waiting calls; end of stream follows the data.
 * **Threads, Blocks, Errors:** as leat_wait(). After -ETIMEDOUT the app still drains. */
LEAT_API int leat_drain(struct leat_app *app, int64_t timeout_ns, struct leat_err *err);

/* Ends everything now: waiting calls return -ECANCELED, event modules get LEAT_EV_STOP, buffers
 * in queues go home. **Threads, Blocks, Errors:** as leat_wait(), but a stop by this call is 0. */
LEAT_API int leat_stop(struct leat_app *app, int64_t timeout_ns, struct leat_err *err);

/* Moving data. All of these are for the module's own thread. `bufs` holds up to n references.
 * Errors of this group, with leat_err_last() for the text: -EPERM LEAT-PORT-THREAD (not the
 * module's thread), -EINVAL LEAT-PORT-WAY (send on an input, ...), -EPIPE LEAT-PORT-ENDED (send
 * after leat_end()), -EPIPE without id: the other side has ended, -ECANCELED: stopped, id
 * LEAT-STOPPED for a send after that. */

/* Receives what is there. **Owner:** the caller gets the references. **Blocks:** no.
 * **Errors:** number received, 0 when empty; -EPIPE after the end of the stream; the group's. */
LEAT_API int leat_recv(struct leat_port *in, struct leat_buf **bufs, unsigned n);

/* Sends as much as there is credit for. **Owner:** the first ret buffers have moved, the rest are
 * still the caller's; on a link that drops, all move. **Blocks:** no.
 * **Errors:** number sent; the group's. */
LEAT_API int leat_send(struct leat_port *out, struct leat_buf **bufs, unsigned n);

/* Buffers that can be sent at once, or that wait to be received. A closed output has credit: the
 * send will not wait, it will say -EPIPE or -ECANCELED. **Blocks:** no. **Errors:** 0. */
LEAT_API unsigned leat_credit(struct leat_port *out);
LEAT_API unsigned leat_queued(struct leat_port *in);

/* Sends end of stream: the reader gets it after the data. **Blocks:** no. **Errors:** the group's.
 */
LEAT_API int leat_end(struct leat_port *out);

/* Wakes readers and writers that a lazy app has not woken yet. **Threads:** the module's.
 * **Blocks:** no. */
LEAT_API void leat_flush(struct leat_module *module);

/* The waiting calls, for main loops only (an event module gets -EDEADLK LEAT-MODULE-KIND).
 * **Blocks:** this module until success, error, or timeout_ns is over (-ETIMEDOUT); other modules
 * of the thread go on. Drain ends those of modules without inputs with -ESHUTDOWN. */

/* At least one buffer. **Errors:** number received, the group's. */
LEAT_API int leat_recv_wait(
	struct leat_port *in, struct leat_buf **bufs, unsigned n, int64_t timeout_ns);
/* All n. **Errors:** n, or a smaller number > 0 when it failed after that many; the group's. */
LEAT_API int leat_send_wait(
	struct leat_port *out, struct leat_buf **bufs, unsigned n, int64_t timeout_ns);
/* At least one buffer from the pool. **Errors:** number taken; the group's. */
LEAT_API int leat_take_wait(struct leat_module *module, struct leat_pool *pool,
	struct leat_buf **bufs, unsigned n, int64_t timeout_ns);
/* Until an input has data or its end, or an output that gave none has credit.
 * **Errors:** 0 and the port; the group's; -EPIPE when all inputs have ended. */
LEAT_API int leat_wait_any(
	struct leat_module *module, int64_t timeout_ns, struct leat_port **ret_port);
/* Until fd is ready. **Errors:** the ready bits; LEAT-FD; the group's. */
LEAT_API int leat_wait_fd(struct leat_module *module, int fd, unsigned bits, int64_t timeout_ns);
/* **Errors:** 0 after the time; the group's. */
LEAT_API int leat_sleep(struct leat_module *module, int64_t ns);
/* Lets the other modules of the thread run. **Errors:** 0; the group's. */
LEAT_API int leat_yield(struct leat_module *module);

/* Says what went wrong, before returning the code; the first one of the app wins.
 * **Threads:** the module's. **Blocks:** no. **Errors:** returns code. */
LEAT_API int leat_module_fail(struct leat_module *module, int code, const char *fmt, ...)
	LEAT_PRINTF(3, 4);

/* Names. **Owner:** borrowed from the app. **Threads:** any. */
LEAT_API const char *leat_module_name(const struct leat_module *module);
LEAT_API const char *leat_port_name(const struct leat_port *port);
LEAT_API struct leat_module *leat_port_module(const struct leat_port *port);
/* The thread it was placed on, "" before leat_start(). */
LEAT_API const char *leat_module_thread(const struct leat_module *module);

LEAT_END_DECLS

#endif
