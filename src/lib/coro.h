/* SPDX-License-Identifier: MIT */
/* Coroutines: a stack, and the switch to another one. Floating-point control modes belong to the
 * thread, not to the coroutine. */
#ifndef LIB_CORO_H
#define LIB_CORO_H

#include <stddef.h>

struct coro {
	void *sp; /* while it does not run */
	void *map;
	size_t map_bytes;
	void (*fn)(void *);
	void *arg;
	const void *stack; /* for the sanitizers, as are the next three */
	size_t stack_bytes;
	void *fake;
	void *fiber;
	void *context; /* where there is no switch of our own: a ucontext_t */
};

/* The thread itself, so that coroutines can switch back to it. */
int coro_init_thread(struct coro *c);
/* A new one; fn(arg) runs at the first switch to it, and must never return. 0 or -ENOMEM. */
int coro_init(struct coro *c, size_t stack_bytes, void (*fn)(void *), void *arg);
void coro_done(struct coro *c);
void coro_switch(struct coro *from, struct coro *to);
/* The last switch: `from` will not run again. */
void coro_leave(struct coro *from, struct coro *to);

#endif
