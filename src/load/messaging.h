/* SPDX-License-Identifier: GPL-2.0-or-later */
/* What the two halves of the messaging load share: load_messaging.c makes channels and
 * tasks and holds the clock, messaging_task.c is what a task does. */
#ifndef LOAD_MESSAGING_H
#define LOAD_MESSAGING_H

#include <pthread.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <sys/types.h>

enum {
	FAN = 20, /* senders, and receivers, of a group */
	GROUP_TASKS = 2 * FAN,
};

/* How a task ends: the worst over all tasks is what is reported. */
enum fate {
	FATE_DONE,
	FATE_ORPHANED, /* the other side of a channel has gone, or other tasks failed */
	FATE_IO,       /* a call failed */
	FATE_WRONG,    /* a message was lost, doubled or damaged */
	FATE_KILLED,   /* a task did not end by itself */
};

struct channel {
	int in, out; /* what the receiver reads and the senders write; -1 = closed */
};

struct group {
	struct channel channels[FAN];
};

struct task {
	struct messaging *all; /* threads share it, processes have copies */
	unsigned group, index;
	bool sender;
	union {
		pid_t pid;
		pthread_t thread;
	};
};

/* One task's results, in memory that processes share: written by it once, at its end. */
struct tally {
	uint64_t received;
	enum fate fate; /* threads only; processes exit with theirs */
};

struct messaging {
	unsigned groups;
	uint64_t loops;
	bool pipe, threads;
	int ready[2], wake[2];
	struct group *group; /* one for each group */
	struct task *tasks;  /* in the order of creation */
	struct tally *tally; /* one for each task */
	size_t n_tasks, begun, reaped;
	pthread_mutex_t lock; /* guards failed */
	bool failed;          /* a thread has, or not all could be started */
};

/* Processes or threads. */
struct task_ops {
	int (*begin)(struct task *task);     /* 0 or negative errno */
	enum fate (*end)(struct task *task); /* waits for it */
	void (*stop)(struct messaging *m);   /* ends all tasks that were not waited for */
};

extern const struct task_ops messaging_processes;
extern const struct task_ops messaging_threads;

void messaging_close(int *fd);

#endif
