/* SPDX-License-Identifier: MIT */
/* Where a thread sleeps. A waker first makes its reason visible (pushes to an inbox), then calls
 * park_wake(); a sleeper says so first, then looks for reasons once more, then sleeps. */
#ifndef LIB_PARK_H
#define LIB_PARK_H

#include <stdbool.h>
#include <stdint.h>

#include "lib/sync.h"

enum {
	PARK_AWAKE = 0,
	PARK_ASLEEP = 1,
};

struct park {
	sync_u32 state;
};

/* Sleeper, step one; look for reasons after it. */
static inline void park_prepare(struct park *p)
{
	sync_xchg(&p->state, PARK_ASLEEP);
	sync_fence_after_xchg();
}

/* Sleeper: found a reason after all, or has woken up. */
static inline void park_cancel(struct park *p)
{
	sync_store(&p->state, PARK_AWAKE);
}

/* Waker, after the exchange that made the reason visible: true if it must now wake the sleeper. */
static inline bool park_must_wake(struct park *p)
{
	sync_fence_after_xchg(); /* that made it visible */
	return sync_load(&p->state) == PARK_ASLEEP &&
		sync_xchg(&p->state, PARK_AWAKE) == PARK_ASLEEP;
}

#ifndef LIB_MODEL
/* What one wake-up across threads takes on this machine, measured once per process. */
int64_t park_wake_ns(void);

/* CPUs this process may use. */
unsigned park_cpus(void);

/* Threads of the library that are in the process, this many more. Spinning is for them only while
 * they are not more than the CPUs. */
void park_threads_add(int n);
bool park_may_spin(void);

/* A spinner's memory: spinning pays when the reason to wake up came soon. After a spin that found
 * nothing `pays` is false; now and then it is worth another try. */
struct park_spin {
	bool pays;
	uint8_t idle; /* sleeps for which spinning would not have paid */
};

/* Told after each sleep how long it took until somebody decided to wake the sleeper: that it then
 * had to wake up is what spinning saves. */
void park_spin_slept(struct park_spin *spin, int64_t until_woken_ns);
#endif

#endif
