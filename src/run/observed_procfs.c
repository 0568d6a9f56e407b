/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Walking procfs for the program's processes and threads: the poorest way to know them. */
#include "run/observed_procfs.h"

#include <string.h>

#include "sys/procfs.h"

enum {
	EVERY_NS = 20000000
};

struct walk {
	struct observed *o;
	int root_fd;
	uint64_t now_ns;
	pid_t pid;
};

static int see_thread(void *ctx, pid_t tid)
{
	struct walk *w = ctx;
	struct sys_schedstat sched;
	struct sys_switches switches;
	uint32_t i = observed_thread(w->o, w->pid, tid);
	if (i == OBSERVED_NONE || sys_schedstat_thread(w->root_fd, w->pid, tid, &sched) < 0)
		return 0;
	struct observed_thread *t = &w->o->threads.at[i];
	if (!t->birth_ns)
		t->birth_ns = w->now_ns;
	t->counted = true;
	t->run_ns = sched.run_ns;
	t->queue_ns = sched.wait_ns;
	uint64_t age = w->now_ns - t->birth_ns, busy = sched.run_ns + sched.wait_ns;
	t->blocked_ns = age > busy ? age - busy : 0;
	if (sys_switches(w->root_fd, w->pid, tid, &switches) == 0) {
		t->voluntary = switches.voluntary;
		t->involuntary = switches.involuntary;
	}
	return 0;
}

/* A process under a new name is a new program, as far as can be seen from here; one under its
 * parent's was forked from it. */
static void see_program(struct walk *w, uint32_t process, pid_t parent, const char *comm)
{
	struct observed *o = w->o;
	uint32_t maker = observed_find_process(o, parent);
	struct observed_process *p = &o->processes.at[process];
	if (p->image != OBSERVED_NONE && !strncmp(p->name, comm, OBSERVED_NAME - 1))
		return;
	p->forked = maker != OBSERVED_NONE && p->image == OBSERVED_NONE &&
		!strncmp(o->processes.at[maker].name, comm, OBSERVED_NAME - 1);
	observed_set_name(p->name, comm);
	if (p->forked) {
		p->image = o->processes.at[maker].image;
		return;
	}
	struct observed_image *img = OBSERVED_ADD(o, images, OBSERVED_IMAGES);
	if (!img)
		return;
	p->image = (uint32_t)o->images.n - 1;
	img->pid = p->pid;
	memcpy(img->name, p->name, OBSERVED_NAME);
}

static int see_process(void *ctx, pid_t pid)
{
	struct walk *w = ctx;
	struct sys_stat st;
	if (sys_stat(w->root_fd, pid, &st) < 0 || st.state == 'Z') /* of the run before, too */
		return 0;
	if (!strcmp(st.comm, "leat-launcher")) /* on its way to exec */
		return 0;
	uint32_t process = observed_process(w->o, pid);
	if (process == OBSERVED_NONE)
		return 0;
	see_program(w, process, st.ppid, st.comm);
	w->pid = pid;
	sys_for_threads(w->root_fd, pid, see_thread, w);
	return 0;
}

void observed_discover(struct observed *o, int root_fd, pid_t launcher, uint64_t now_ns)
{
	if (o->walked_ns && now_ns - o->walked_ns < EVERY_NS)
		return;
	o->walked_ns = now_ns;
	struct walk w = { .o = o, .root_fd = root_fd, .now_ns = now_ns };
	sys_for_descendants(root_fd, launcher, see_process, &w);
}
