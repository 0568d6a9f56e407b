/* SPDX-License-Identifier: MIT */
/* Atomics and the futex under one roof, so that the model checker in tests/ can put its own
 * in place of them and run ring and parker through every interleaving. */
#ifndef LIB_SYNC_H
#define LIB_SYNC_H

#include <stdint.h>

/* clang says it this way */
#if defined(__has_feature) && !defined(__SANITIZE_THREAD__)
#if __has_feature(thread_sanitizer)
#define __SANITIZE_THREAD__ 1
#endif
#endif

#ifndef LIB_MODEL /* else the checker has included its own */
#include <errno.h>
#include <linux/futex.h>
#include <stdatomic.h>
#include <stddef.h>
#include <sys/syscall.h>
#include <time.h>
#include <unistd.h>

typedef _Atomic(uint32_t) sync_u32;

#define sync_load(p)             atomic_load_explicit((p), memory_order_relaxed)
#define sync_load_acquire(p)     atomic_load_explicit((p), memory_order_acquire)
#define sync_store(p, v)         atomic_store_explicit((p), (v), memory_order_relaxed)
#define sync_store_release(p, v) atomic_store_explicit((p), (v), memory_order_release)
#define sync_xchg(p, v)          atomic_exchange_explicit((p), (v), memory_order_seq_cst)
#define sync_cas(p, old, v)                      \
	atomic_compare_exchange_strong_explicit( \
		(p), (old), (v), memory_order_seq_cst, memory_order_relaxed)

/* A store before it is visible before a load after it reads. The thread sanitizer knows no
 * fences; there a locked operation does the same work, and the happens-before edges it needs
 * come from the flags themselves. */
static inline void sync_fence(void)
{
#ifdef __SANITIZE_THREAD__
	static _Thread_local _Atomic(int) dummy;
	atomic_fetch_add_explicit(&dummy, 1, memory_order_seq_cst);
#else
	atomic_thread_fence(memory_order_seq_cst);
#endif
}

/* The same behind sync_xchg(), which on x86 is such a fence itself. */
static inline void sync_fence_after_xchg(void)
{
#if !defined(__x86_64__) && !defined(__i386__)
	sync_fence();
#endif
}

static inline void sync_pause(void)
{
#if defined(__x86_64__) || defined(__i386__)
	__builtin_ia32_pause();
#elif defined(__aarch64__)
	__asm__ volatile("yield");
#endif
}

/* Sleeps while *word is `value`, until the absolute CLOCK_MONOTONIC time (NULL: for ever). */
static inline int sync_wait(sync_u32 *word, uint32_t value, const struct timespec *until)
{
	long r = syscall(SYS_futex, word, FUTEX_WAIT_BITSET | FUTEX_PRIVATE_FLAG, value, until,
		NULL, FUTEX_BITSET_MATCH_ANY);
	return r < 0 ? -errno : 0;
}

static inline void sync_wake(sync_u32 *word, int n)
{
	syscall(SYS_futex, word, FUTEX_WAKE | FUTEX_PRIVATE_FLAG, n, NULL, NULL, 0);
}
#endif

#endif
