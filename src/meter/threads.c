/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Reading the threads of a process, and taking the difference of two readings. */
#include "meter/threads.h"

#include "sys/procfs.h"

struct reading {
	struct threads *into;
	int root_fd;
	pid_t pid;
	threads_reader *reader;
};

static int read_thread(void *ctx, pid_t tid)
{
	struct reading *r = ctx;
	struct threads *t = r->into;
	if (t->n == t->cap) {
		size_t cap = t->cap ? 2 * t->cap : 16;
		struct thread_numbers *more = realloc(t->list, cap * sizeof(*more));
		if (!more)
			return -ENOMEM;
		t->list = more;
		t->cap = cap;
	}
	struct thread_numbers *one = &t->list[t->n];
	one->tid = tid;
	int error = r->reader(r->root_fd, r->pid, tid, one->num);
	if (error == -ENOENT || error == -ESRCH)
		return 0; /* ended meanwhile */
	t->n += error == 0;
	return error;
}

static int by_tid(const void *a, const void *b)
{
	pid_t x = ((const struct thread_numbers *)a)->tid;
	pid_t y = ((const struct thread_numbers *)b)->tid;
	return (x > y) - (x < y);
}

int threads_read(struct threads *ret, int root_fd, pid_t pid, threads_reader *reader)
{
	ret->n = 0;
	struct reading r = { ret, root_fd, pid, reader };
	int error = sys_for_threads(root_fd, pid, read_thread, &r);
	if (error < 0)
		return error;
	if (!ret->n)
		return -ESRCH;
	qsort(ret->list, ret->n, sizeof(*ret->list), by_tid);
	return 0;
}

void threads_done(struct threads *t)
{
	free(t->list);
	*t = (struct threads){ 0 };
}

/* Numbers only grow: a smaller one belongs to a new thread under an old id. */
static bool same_thread(const struct thread_numbers *a, const struct thread_numbers *b)
{
	for (size_t k = 0; k < THREADS_NUMBERS; k++)
		if (b->num[k] < a->num[k])
			return false;
	return a->tid == b->tid;
}

size_t threads_added(const struct threads *a, const struct threads *b, double ret[THREADS_NUMBERS])
{
	size_t i = 0, stayed = 0;
	double added[THREADS_NUMBERS] = { 0 };
	for (size_t j = 0; j < b->n; j++) {
		while (i < a->n && a->list[i].tid < b->list[j].tid)
			i++;
		bool known = i < a->n && same_thread(&a->list[i], &b->list[j]);
		for (size_t k = 0; k < THREADS_NUMBERS; k++)
			added[k] += (double)(b->list[j].num[k] - (known ? a->list[i].num[k] : 0));
		stayed += known;
	}
	for (size_t k = 0; k < THREADS_NUMBERS; k++)
		ret[k] = added[k];
	return a->n - stayed;
}
