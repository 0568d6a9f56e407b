/* SPDX-License-Identifier: MIT */
/* The operations of lib/sync.h as the model checker sees them: each is a step, after which another
 * thread may run, and a store is seen by others only when it leaves its thread's buffer. */
#ifndef STRESS_MODEL_SYNC_H
#define STRESS_MODEL_SYNC_H

#include <stdbool.h>
#include <stdint.h>
#include <time.h>

typedef uint32_t sync_u32;

uint32_t model_load(const sync_u32 *p);
void model_store(sync_u32 *p, uint32_t v);
uint32_t model_xchg(sync_u32 *p, uint32_t v);
void model_fence(void);
void model_wait(sync_u32 *p, uint32_t value);
void model_wake(sync_u32 *p);

#define sync_load(p)             model_load(p)
#define sync_load_acquire(p)     model_load(p)
#define sync_store(p, v)         model_store((p), (v))
#define sync_store_release(p, v) model_store((p), (v))
#define sync_xchg(p, v)          model_xchg((p), (v))
#define sync_fence()             model_fence()
#define sync_fence_after_xchg()  ((void)0)
#define sync_pause()             model_fence()
#define sync_wait(p, value, ts)  model_wait((p), (value))
#define sync_wake(p, n)          model_wake(p)

#endif
