/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Attaching: leat wakes once a window, at most once a second. */
#include "run/attach.h"

#include <limits.h>
#include <poll.h>
#include <sys/syscall.h>

#include "base/clock.h"
#include "sys/stats_live.h"

enum {
	WINDOWS = 20
};

/* A second, or longer when there would be more than enough windows. */
static int64_t window_ns(int64_t total)
{
	int64_t ns = total / WINDOWS;
	if (ns < LT_NS_PER_S)
		ns = LT_NS_PER_S;
	return ns < total ? ns : total;
}

/* Sleeps until `at`; false when the process ended or a signal came before. */
static bool sleep_until(struct experiment *x, int pidfd, int64_t at)
{
	for (int64_t now; (now = lt_now_ns()) < at;) {
		struct pollfd on[2] = {
			{ .fd = pidfd, .events = POLLIN },
			{ .fd = x->signals->fd, .events = POLLIN },
		};
		int64_t ms = (at - now + LT_NS_PER_MS - 1) / LT_NS_PER_MS;
		int ready = poll(on, 2, ms < INT_MAX ? (int)ms : INT_MAX);
		if (ready > 0 && on[1].revents)
			signals_take(x->signals);
		if (ready > 0 && (on[0].revents || x->signals->last))
			return false;
	}
	return true;
}

static int window(struct experiment *x, int pidfd, unsigned block, int64_t until, bool *ret_go_on,
	struct lt_err *err)
{
	struct meter_window win = { .pid = x->opts->attach, .begin_ns = lt_now_ns() };
	/* A process without a page may get one any time; but one with many descriptors is not
	 * looked through again and again. */
	unsigned max_fds = block == 0 || x->program.sums ? SYS_STATS_FDS : SYS_STATS_FDS_FEW;
	PAGES_AUTO struct pages before = PAGES_NONE;
	PAGES_AUTO struct pages after = PAGES_NONE;
	int r = pages_of_process(&before, x->root_fd, win.pid, max_fds, err);
	if (r < 0)
		return r;
	meterset_start(&x->meters, &win);
	*ret_go_on = sleep_until(x, pidfd, until);
	win.end_ns = lt_now_ns();
	struct trial *t = record_add_trial(x->rec);
	if (!t)
		return lt_fail_mem(err);
	meterset_read(&x->meters, &win, t->readings);
	t->block = block;
	t->order = block;
	t->at_ns = win.begin_ns - x->begin_ns;
	t->outcome.kind = OUTCOME_WINDOW;
	/* A window cut short by the end of the process is told, not counted: its meters had
	 * nothing left to read. */
	t->kept = *ret_go_on || (x->signals->last && x->blocks_kept == 0);
	double units;
	r = pages_of_process(
		&after, x->root_fd, win.pid, before.n ? max_fds : SYS_STATS_FDS_FEW, err);
	pages_subtract(&after, &before);
	if (r >= 0)
		r = program_take(&x->program, &after, t, true, &units, err);
	if (r < 0)
		return r;
	t->work = x->work.constant > 0 ? x->work.constant : units;
	x->rec->own.window_ns += meter_window_wall_ns(&win);
	x->rec->own.window_wakeups += *ret_go_on ? 1 : 2;
	return 0;
}

int attach_run(struct experiment *x, struct lt_err *err)
{
	pid_t pid = x->opts->attach;
	LT_AUTO_CLOSE int pidfd = (int)syscall(SYS_pidfd_open, pid, 0);
	if (pidfd < 0) {
		int r = lt_fail_sys(err, "LT-ATTACH", "cannot attach to process %d", (int)pid);
		return r == -ESRCH
			? lt_hint(err, "no process has this number: see ps(1)")
			: lt_hint(err, "-p takes the number of a process, not of a thread");
	}
	int64_t slice = window_ns(x->opts->attach_ns), end = x->begin_ns + x->opts->attach_ns;
	bool go_on = true;
	int r = 0;
	for (unsigned block = 0; r >= 0 && go_on; block++) {
		int64_t until = lt_now_ns() + slice;
		if (until > end + slice / 2)
			break;
		r = window(x, pidfd, block, until < end ? until : end, &go_on, err);
		x->blocks_kept += go_on;
		experiment_progress(x, 0, 0);
	}
	if (x->signals->last)
		x->stopped = "signal";
	else
		x->stopped = go_on ? "n" : "ended";
	return r;
}
