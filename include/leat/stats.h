/* SPDX-License-Identifier: MIT */
/* The statistics page: what a running libleat program lets others see. One page per process, in
 * memory, always on; a reader needs this header only, not the library.
 *
 * Where it is. If the environment variable LEAT_STATS_DIR names a directory with room when the
 * process first uses libleat, the page is the file DIR/leat-stats.PID, and stays when the process
 * has ended. Otherwise it is an anonymous file: the one descriptor in /proc/PID/fd whose link
 * reads "/memfd:leat-stats (deleted)"; open that and map it shared, read-only. After fork() the
 * child has a page of its own; a reader compares `pid`.
 *
 * What it holds. A head, then slots of equal size. Slots [0, used) exist; a slot's kind, name,
 * unit, parent and tid do not change while `kind` is not 0 and `ended` is 0. Values are 64-bit;
 * slots whose values belong together are guarded by `seq`: odd while written. leat_stats_copy()
 * does it right. New kinds and values may be added at the end; other changes raise the version. */
#ifndef LEAT_STATS_H
#define LEAT_STATS_H

#include <stdint.h>
#include <string.h>

#include <leat/base.h>

LEAT_BEGIN_DECLS

#define LEAT_STATS_MAGIC   UINT64_C(0x544154535441454c) /* "LEATSTAT" in memory order */
#define LEAT_STATS_VERSION 1
#define LEAT_STATS_MEMFD   "leat-stats"

enum {
	LEAT_STATS_VALUES = 64,
	LEAT_STATS_SHARDS =
		8, /* of a work counter: values 0, 8, 16, ... 56; the total is the sum */
	LEAT_STATS_NAME = 48,
};

enum leat_stats_kind {
	LEAT_STATS_FREE = 0,
	LEAT_STATS_WORK,
	LEAT_STATS_REGION,
	LEAT_STATS_THREAD,
	LEAT_STATS_MODULE, /* parent: its thread */
	LEAT_STATS_QUEUE,  /* parent: the module of the input; name "sender.port>receiver.port" */
	LEAT_STATS_POOL,
	LEAT_STATS_PIPELINE, /* parent: the calling thread */
	LEAT_STATS_STAGE,    /* parent: its pipeline; written when that has ended */
};

/* Why a thread sleeps. */
enum leat_cause {
	LEAT_CAUSE_RUNNING = 0, /* it does not */
	LEAT_CAUSE_INPUT,       /* every input is empty */
	LEAT_CAUSE_CREDIT,      /* an output gives no credit: see THREAD_PORT */
	LEAT_CAUSE_POOL,        /* a pool is empty */
	LEAT_CAUSE_TIMER,       /* a timer or descriptor is all there is to wait for */
	LEAT_CAUSE_TURN,        /* a pipeline's worker: no token to move */
	LEAT_CAUSE_TASK,        /* a task pool's worker: no task */
	LEAT_CAUSES,
};

/* Indexes of values, by kind. Times are nanoseconds of CLOCK_MONOTONIC. */
enum {
	LEAT_V_WORK = 0, /* first shard */

	LEAT_V_REGION_OPEN = 0, /* begins without end now */
	LEAT_V_REGION_TIMES,    /* times it was opened */
	LEAT_V_REGION_SINCE,    /* when it was last opened; counts while OPEN is not 0 */
	/* sums over the closed periods */
	LEAT_V_REGION_WALL_NS,
	LEAT_V_REGION_CPU_NS, /* user + system, of the process */
	LEAT_V_REGION_SYS_NS,
	LEAT_V_REGION_MINFLT,
	LEAT_V_REGION_MAJFLT,
	LEAT_V_REGION_NVCSW,
	LEAT_V_REGION_NIVCSW,
	LEAT_V_REGION_WORK = 16, /* units inside, of the n-th WORK slot of the page: 32 values */
	/* what the process had when it was last opened */
	LEAT_V_REGION_AT_CPU_NS = 48,
	LEAT_V_REGION_AT_SYS_NS,
	LEAT_V_REGION_AT_MINFLT,
	LEAT_V_REGION_AT_MAJFLT,
	LEAT_V_REGION_AT_NVCSW,
	LEAT_V_REGION_AT_NIVCSW,

	LEAT_V_THREAD_START = 0, /* when it began to work for libleat */
	LEAT_V_THREAD_END,       /* when it or, by exit(), the process ended; 0 before */
	LEAT_V_THREAD_CPU0,      /* schedstat at START: time on a CPU, */
	LEAT_V_THREAD_RUNQ0,     /* and time runnable without one */
	LEAT_V_THREAD_CPU, /* the same at END; before that read /proc/PID/task/TID/schedstat */
	LEAT_V_THREAD_RUNQ,
	LEAT_V_THREAD_SINCE,         /* asleep since, valid if */
	LEAT_V_THREAD_CAUSE,         /* not LEAT_CAUSE_RUNNING */
	LEAT_V_THREAD_PORT,          /* 1 + slot of the queue that gave no credit last */
	LEAT_V_THREAD_SPIN_NS,       /* CPU time spent looking instead of sleeping */
	LEAT_V_THREAD_ROUNDS,        /* times round its loop */
	LEAT_V_THREAD_HAS_SCHEDSTAT, /* 0: CPU and RUNQ are not available */
	LEAT_V_THREAD_SLEEP_NS = 16, /* + cause: time asleep */
	LEAT_V_THREAD_SLEEPS = 24,   /* + cause: number of sleeps */
	LEAT_V_THREAD_LATE_NS = 32,  /* + cause: from being woken to running again */

	LEAT_V_MODULE_CALLS = 0, /* of the handler, or resumptions of the main loop */
	LEAT_V_MODULE_IN,        /* buffers received */
	LEAT_V_MODULE_OUT,       /* buffers sent */
	LEAT_V_MODULE_ERRORS,
	LEAT_V_MODULE_STATE, /* 0 not started, 1 running, 2 ended */

	LEAT_V_QUEUE_DEPTH = 0,
	LEAT_V_QUEUE_IN,           /* buffers put in */
	LEAT_V_QUEUE_OUT,          /* buffers taken out; IN - OUT - DROPPED are inside */
	LEAT_V_QUEUE_DROPPED,      /* lost by the link's policy */
	LEAT_V_QUEUE_NO_CREDIT,    /* times a sender found it full */
	LEAT_V_QUEUE_NO_CREDIT_NS, /* how long main loops waited for it */

	LEAT_V_POOL_COUNT = 0,
	LEAT_V_POOL_HOME,  /* when last published */
	LEAT_V_POOL_EMPTY, /* times a take found nothing */

	LEAT_V_PIPELINE_ITEMS = 0,
	LEAT_V_PIPELINE_DONE,
	LEAT_V_PIPELINE_DROPPED,
	LEAT_V_PIPELINE_CALLS,   /* helpers woken */
	LEAT_V_PIPELINE_WORK_NS, /* last estimate of an item's work behind the input */
	LEAT_V_PIPELINE_STAGES,
	LEAT_V_PIPELINE_WORKERS,

	LEAT_V_STAGE_ITEMS = 0, /* of its pipeline */
	LEAT_V_STAGE_TIMED,     /* of them, those whose time in the stage was taken */
	LEAT_V_STAGE_NS,        /* time in the stage of those, all together */
	LEAT_V_STAGE_SERIAL,    /* 1: one item at a time */
};

struct leat_stats_head {
	uint64_t magic;
	uint32_t version;
	uint32_t head_size; /* where slots begin */
	uint32_t slot_size;
	uint32_t n_slots;
	uint32_t used; /* atomic */
	uint32_t pid;
	uint64_t start_ns;
	uint64_t wake_ns;           /* a wake-up as measured here; 0: not measured yet */
	char name[LEAT_STATS_NAME]; /* of the program, without directories */
	uint64_t reserved[4];
};

struct leat_stats_slot {
	uint32_t kind;   /* atomic, set last */
	uint32_t seq;    /* atomic */
	uint32_t parent; /* 1 + index of a slot; 0: none */
	uint32_t tid;    /* of THREAD */
	char name[LEAT_STATS_NAME];
	char unit[LEAT_STATS_NAME];
	uint32_t ended; /* atomic; 1: its values are final, and the slot may be used anew */
	uint32_t reserved[3];
	uint64_t v[LEAT_STATS_VALUES];
};

/* The page of this process, made if need be. **Owner:** borrowed. **Threads:** any. **Blocks:** no.
 * **Errors:** NULL when there is no memory or descriptor left. */
LEAT_API const struct leat_stats_head *leat_stats_self(void);

/* The i-th slot of a mapped page. */
static inline const struct leat_stats_slot *leat_stats_slot_at(
	const struct leat_stats_head *head, uint32_t i)
{
	const char *base = (const char *)head;
	return (const struct leat_stats_slot *)(const void *)(base + head->head_size +
		(uint64_t)i * head->slot_size);
}

/* Copies a slot as it was at one moment. Returns its kind; LEAT_STATS_FREE if it is not in use
 * or changed all the time. Threads: any, in any process. */
static inline unsigned leat_stats_copy(
	const struct leat_stats_slot *slot, struct leat_stats_slot *ret_copy)
{
	for (int tries = 0; tries < 1000; tries++) {
		uint32_t seq = __atomic_load_n(&slot->seq, __ATOMIC_ACQUIRE);
		uint32_t kind = __atomic_load_n(&slot->kind, __ATOMIC_ACQUIRE);
		if (kind == LEAT_STATS_FREE)
			return LEAT_STATS_FREE;
		if (seq & 1)
			continue;
		ret_copy->kind = kind;
		ret_copy->seq = seq;
		ret_copy->parent = slot->parent;
		ret_copy->ended = __atomic_load_n(&slot->ended, __ATOMIC_RELAXED);
		ret_copy->tid = slot->tid;
		memcpy(ret_copy->name, slot->name, sizeof(slot->name));
		memcpy(ret_copy->unit, slot->unit, sizeof(slot->unit));
		for (int i = 0; i < LEAT_STATS_VALUES; i++)
			ret_copy->v[i] = __atomic_load_n(&slot->v[i], __ATOMIC_ACQUIRE);
		if (__atomic_load_n(&slot->seq, __ATOMIC_RELAXED) == seq)
			return kind;
	}
	return LEAT_STATS_FREE;
}

/* Where a thread's time went. All of it: the parts add up to wall_ns. */
struct leat_share {
	uint64_t wall_ns;
	uint64_t cpu_ns;               /* on a CPU */
	uint64_t runq_ns;              /* runnable, but not on a CPU */
	uint64_t wait_ns[LEAT_CAUSES]; /* asleep, by cause; [0]: asleep outside libleat */
	uint64_t raw_ns; /* wait_ns as the library measured it, before it was fitted to the
			    kernel's account: what the parts would miss is |raw - sum of wait_ns| */
};

/* Splits the time of a THREAD slot at now_ns. cpu_ns and runq_ns are the first two numbers of
 * /proc/PID/task/TID/schedstat read at that time; ignored once the thread has ended.
 * The kernel knows how long the thread ran, and waited for a CPU; what is left it slept. That is
 * given to the causes as the library measured them, the rest to [0]. Measured sleeps hold the
 * system call's own CPU time and are cut down in proportion when they exceed the kernel's. */
static inline void leat_stats_share(const struct leat_stats_slot *copy, uint64_t now_ns,
	uint64_t cpu_ns, uint64_t runq_ns, struct leat_share *ret_share)
{
	struct leat_share s;
	memset(&s, 0, sizeof(s));
	uint64_t end = copy->v[LEAT_V_THREAD_END];
	if (end) {
		now_ns = end;
		cpu_ns = copy->v[LEAT_V_THREAD_CPU];
		runq_ns = copy->v[LEAT_V_THREAD_RUNQ];
	}
	s.wall_ns = now_ns - copy->v[LEAT_V_THREAD_START];
	s.cpu_ns = cpu_ns - copy->v[LEAT_V_THREAD_CPU0];
	s.runq_ns = runq_ns - copy->v[LEAT_V_THREAD_RUNQ0];
	for (int i = 1; i < LEAT_CAUSES; i++) {
		s.wait_ns[i] = copy->v[LEAT_V_THREAD_SLEEP_NS + i];
		if (copy->v[LEAT_V_THREAD_CAUSE] == (uint64_t)i &&
			now_ns > copy->v[LEAT_V_THREAD_SINCE])
			s.wait_ns[i] += now_ns - copy->v[LEAT_V_THREAD_SINCE];
		s.raw_ns += s.wait_ns[i];
	}
	uint64_t busy = s.cpu_ns + s.runq_ns;
	uint64_t asleep = s.wall_ns > busy ? s.wall_ns - busy : 0;
	if (s.raw_ns > asleep) {
		double cut = (double)asleep / (double)s.raw_ns;
		for (int i = 1; i < LEAT_CAUSES; i++)
			s.wait_ns[i] = (uint64_t)((double)s.wait_ns[i] * cut);
	} else {
		s.wait_ns[0] = asleep - s.raw_ns;
	}
	*ret_share = s;
}

LEAT_END_DECLS

#endif
