/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Watching a run. leat sleeps from start to exit; it wakes for output it must take away,
 * for a signal, for the timeout, and at most once a second otherwise. */
#include "run/trial.h"

#include <ctype.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/wait.h>
#include <time.h>

#include "base/clock.h"
#include "base/str.h"
#include "sys/procfs.h"

enum {
	GRACE_MS = 500, /* between the polite signal and SIGKILL */
	DAEMON_MS = 20, /* for a left-over process to become a daemon */
	DAEMON_FEW = 16,
	PROBE_MS = 40,     /* between looks for somebody who waits for stdin */
	PROBE_ASLEEP = 12, /* looks that found everybody asleep: then it ends anyway */
	AGAIN_MS = 2,      /* between looks at what a program leaves behind */
	CLOSING_MS =
		100, /* before its end a program may close its output, or a tenth of its time */
	SLEEP_MAX_MS = 1000000,
};

/* How far the ending of the program has come. */
enum phase {
	RUNNING,
	ASKED,  /* a polite signal was sent */
	KILLED, /* SIGKILL was sent to the whole tree */
};

struct watch {
	enum phase phase;
	int64_t started_ns;
	int64_t timeout_at; /* 0 = none */
	int64_t kill_at;    /* ASKED: when patience ends */
	int64_t tick_at;    /* 0 = none */
	int64_t probe_at;   /* 0 = stdin is not watched */
	int probed_asleep;
	int64_t look_at; /* 0 = none */
	bool timed_out, cancelled;
	bool gives_up; /* the timeout is leat's own, of this command alone */
};

static uint64_t own_switches(void)
{
	struct rusage usage;
	getrusage(RUSAGE_SELF, &usage);
	return (uint64_t)usage.ru_nvcsw;
}

/* Milliseconds to sleep, rounded up so that the deadline has passed on waking. */
static int sleep_ms(const struct watch *w, int64_t now)
{
	int64_t at = INT64_MAX;
	if (w->phase == RUNNING && w->timeout_at)
		at = w->timeout_at;
	if (w->phase == ASKED && w->kill_at < at)
		at = w->kill_at;
	if (w->tick_at && w->tick_at < at)
		at = w->tick_at;
	if (w->probe_at && w->probe_at < at)
		at = w->probe_at;
	if (w->look_at && w->look_at < at)
		at = w->look_at;
	if (at == INT64_MAX)
		return -1;
	int64_t ms = at <= now ? 0 : (at - now + LT_NS_PER_MS - 1) / LT_NS_PER_MS;
	return ms > SLEEP_MAX_MS ? SLEEP_MAX_MS : (int)ms;
}

static int find_first(void *ctx, pid_t child)
{
	*(pid_t *)ctx = child;
	return 1;
}

struct search {
	int root_fd;
	pid_t pid;
	bool seen;
};

static int find_runnable_thread(void *ctx, pid_t tid)
{
	struct search *s = ctx;
	struct sys_stat st;
	if (sys_stat_thread(s->root_fd, s->pid, tid, &st) < 0)
		return 0; /* ended meanwhile */
	s->seen = true;
	return st.state == 'R';
}

static int find_runnable(void *ctx, pid_t child)
{
	struct search *s = ctx;
	s->pid = child;
	int r = sys_for_threads(s->root_fd, child, find_runnable_thread, s);
	return r < 0 ? 0 : r;
}

/* Is nothing of the tree computing just now? Not known is not asleep. */
static bool is_asleep(struct trial_run *t)
{
	struct search s = { .root_fd = t->root_fd };
	return sys_for_descendants(t->root_fd, t->launcher->pid, find_runnable, &s) == 0 && s.seen;
}

/* Once a run has lasted a second: did the program close what it talks through, or does it
 * pour out so much that this is what it does? */
static void look_at_output(struct trial_run *t)
{
	pid_t pid = 0;
	struct sys_stat st;
	sys_for_descendants(t->root_fd, t->launcher->pid, find_first, &pid);
	if (!pid || sys_stat(t->root_fd, pid, &st) < 0 || st.exiting)
		return;
	struct sys_io io;
	if (sys_io(t->root_fd, pid, &io) == 0)
		t->poured = (double)io.wchar;
	for (int fd = 1; fd <= 2; fd++) {
		char path[64], target[8];
		snprintf(path, sizeof(path), "proc/%d/fd/%d", (int)pid, fd);
		if (readlinkat(t->root_fd, path, target, sizeof(target)) < 0 && errno == ENOENT)
			t->outcome.notes |= NOTE_CLOSED_OUTPUT;
	}
}

static int ask_to_end(
	struct trial_run *t, struct watch *w, int signal, int64_t now, struct lt_err *err)
{
	if (w->phase != RUNNING) { /* asked before: no more patience */
		w->phase = KILLED;
		return launcher_kill(t->launcher, err);
	}
	w->phase = ASKED;
	w->kill_at = now + GRACE_MS * LT_NS_PER_MS;
	/* In our own group the terminal has told the program already; it takes its time, as
	 * under time(1), until we are told again. */
	if (t->opts->same_group && (signal == SIGINT || signal == SIGQUIT)) {
		w->kill_at = INT64_MAX;
		return 0;
	}
	return launcher_signal(t->launcher, signal, !t->opts->same_group, err);
}

static int find_reader(void *ctx, pid_t child)
{
	return sys_reads_stdin(*(int *)ctx, child);
}

/* Ends the empty stdin for somebody who waits for it, or once everybody sleeps: perhaps they
 * wait for it in a way that does not show. */
static void probe_stdin(struct trial_run *t, struct watch *w, int64_t now)
{
	w->probe_at = now + PROBE_MS * LT_NS_PER_MS;
	w->probed_asleep += is_asleep(t);
	bool reader =
		sys_for_descendants(t->root_fd, t->launcher->pid, find_reader, &t->root_fd) > 0;
	if (!reader && w->probed_asleep < PROBE_ASLEEP)
		return;
	if (reader)
		t->outcome.notes |= NOTE_READS_STDIN;
	streams_end_stdin(t->streams);
	w->probe_at = 0;
}

static int on_time(struct trial_run *t, struct watch *w, int64_t now, struct lt_err *err)
{
	if (w->tick_at && now >= w->tick_at) {
		if (w->tick_at == w->started_ns + LT_NS_PER_S) {
			look_at_output(t);
			launcher_roam(t->launcher);
		}
		if (t->tick)
			t->tick(t->tick_ctx, (double)(now - w->started_ns) / 1e9);
		w->tick_at = t->tick ? w->tick_at + LT_NS_PER_S : 0;
	}
	if (w->probe_at && now >= w->probe_at)
		probe_stdin(t, w, now);
	if (w->look_at && now >= w->look_at)
		w->look_at = now + t->look(t->look_ctx, now - w->started_ns);
	if (w->phase == RUNNING && w->timeout_at && now >= w->timeout_at) {
		w->timed_out = true;
		if (is_asleep(t))
			t->outcome.notes |= NOTE_ASLEEP;
		if (w->gives_up)
			t->outcome.notes |= NOTE_GIVEN_UP;
		return ask_to_end(t, w, SIGTERM, now, err);
	}
	if (w->phase == ASKED && now >= w->kill_at) {
		w->phase = KILLED;
		return launcher_kill(t->launcher, err);
	}
	return 0;
}

/* Returns once the launcher has something to say. */
static int watch(struct trial_run *t, struct watch *w, struct lt_err *err)
{
	for (;;) {
		struct pollfd on[2 + STREAMS_POLL] = {
			{ .fd = t->launcher->fd, .events = POLLIN },
			{ .fd = t->signals->fd, .events = POLLIN },
		};
		int n = streams_poll(t->streams, on + 2);
		int ready = poll(on, 2 + (nfds_t)n, sleep_ms(w, lt_now_ns()));
		if (ready < 0 && errno != EINTR)
			return lt_fail_sys(err, "LT-WATCH", "cannot wait for the program");
		if (ready > 0)
			streams_serve(t->streams, on + 2, n);
		int64_t now = lt_now_ns();
		int r = 0, signal;
		while (r >= 0 && (signal = signals_take(t->signals))) {
			w->cancelled = true;
			r = ask_to_end(t, w, signal, now, err);
		}
		if (r >= 0)
			r = on_time(t, w, now, err);
		if (r < 0 || (ready > 0 && on[0].revents))
			return r;
	}
}

static int fail_start(const struct trial_run *t, const struct run_command *cmd, struct lt_err *err)
{
	const struct launch_reply *r = &t->reply;
	errno = r->error;
	switch (r->stage) {
	case LAUNCH_STAGE_CHDIR:
		return lt_fail_sys(err, "LT-CWD", "cannot enter '%.200s'", t->opts->cwd);
	case LAUNCH_STAGE_PIN:
		lt_fail_sys(err, "LT-PIN", "cannot pin the program to its CPUs");
		return lt_hint(err, "--pin takes CPUs that leat itself may use");
	case LAUNCH_STAGE_FORK:
		return lt_fail_sys(err, "LT-START", "cannot start another process");
	default:
		break;
	}
	lt_fail_sys(err, "LT-COMMAND-EXEC", "cannot start '%.200s'", cmd->path);
	if (r->error == E2BIG)
		return lt_hint(err, "arguments and environment together are too long for Linux");
	if (r->error == ENOENT)
		return lt_hint(
			err, "the file exists, so its interpreter does not: look at its #! line");
	if (r->error == ENOEXEC)
		return lt_hint(
			err, "it is not a program for this machine; a script needs a #! line");
	return lt_err_code(err);
}

static void usage_from(const struct launch_usage *u, struct rusage *ret)
{
	*ret = (struct rusage){
		.ru_utime = { .tv_sec = u->utime_us / 1000000, .tv_usec = u->utime_us % 1000000 },
		.ru_stime = { .tv_sec = u->stime_us / 1000000, .tv_usec = u->stime_us % 1000000 },
		.ru_maxrss = u->maxrss_kib,
		.ru_minflt = u->minflt,
		.ru_majflt = u->majflt,
		.ru_inblock = u->inblock,
		.ru_oublock = u->oublock,
		.ru_nvcsw = u->nvcsw,
		.ru_nivcsw = u->nivcsw,
	};
}

struct leftovers {
	struct trial_run *t;
	pid_t session; /* the program's */
};

/* One process the program left behind. */
static int count_leftover(void *ctx, pid_t child)
{
	struct leftovers *l = ctx;
	struct trial_run *t = l->t;
	struct sys_stat st;
	struct sys_schedstat ran;
	if (child == t->reply.pid || sys_stat(t->root_fd, child, &st) < 0 || st.state == 'Z')
		return 0;
	t->outcome.notes |= NOTE_LEFT_CHILDREN;
	bool daemon = st.session != l->session && st.session != 0;
	/* The name is the daemon's, if there is one, not that of its maker on its way out. */
	if (t->outcome.left++ == 0 || (daemon && !(t->outcome.notes & NOTE_DAEMON)))
		t->outcome.left_name = lt_arena_strdup(t->arena, st.comm);
	if (daemon)
		t->outcome.notes |= NOTE_DAEMON;
	if (sys_schedstat_threads(t->root_fd, child, &ran) == 0)
		t->window.orphans_cpu_ns += (double)ran.run_ns;
	return 0;
}

static int has_own_session(void *ctx, pid_t child)
{
	const struct leftovers *l = ctx;
	struct sys_stat st;
	if (child == l->t->reply.pid || sys_stat(l->t->root_fd, child, &st) < 0 ||
		st.state == 'Z' || st.session == l->session || st.session == 0)
		return 0;
	l->t->outcome.left_name = lt_arena_strdup(l->t->arena, st.comm);
	return 1;
}

/* The parent of a daemon ends at once, before its child has got around to setsid(2). */
static void look_for_daemon(struct trial_run *t)
{
	struct leftovers l = { t, t->reply.session };
	if (t->outcome.left > DAEMON_FEW) /* a crowd is no daemon, and slow to look through */
		return;
	for (int ms = 0; ms < DAEMON_MS && t->outcome.left && !(t->outcome.notes & NOTE_DAEMON);
		ms += AGAIN_MS) {
		struct timespec pause = { .tv_nsec = AGAIN_MS * LT_NS_PER_MS };
		if (sys_for_descendants(t->root_fd, t->launcher->pid, has_own_session, &l) > 0)
			t->outcome.notes |= NOTE_DAEMON;
		else
			nanosleep(&pause, NULL);
	}
}

static void look_at_tree(struct trial_run *t)
{
	const struct launch_usage *o = &t->reply.orphans;
	t->window.orphans_cpu_ns = (double)(o->utime_us + o->stime_us) * 1e3;
	if (o->maxrss_kib > t->window.usage.ru_maxrss)
		t->window.usage.ru_maxrss = o->maxrss_kib;
	if (!t->opts->same_group &&
		(t->reply.pgrp != t->reply.pid || t->reply.session != t->reply.pid))
		t->outcome.notes |= NOTE_NEW_GROUP;
	/* A process may make another and end while its like are being counted: the launcher saw
	 * somebody, so look again before believing that there is nobody. */
	for (int ms = 0; t->reply.others != 0 && t->outcome.left == 0 && ms < DAEMON_MS;
		ms += AGAIN_MS) {
		struct leftovers l = { t, t->reply.session };
		struct timespec pause = { .tv_nsec = ms ? AGAIN_MS * LT_NS_PER_MS : 0 };
		nanosleep(&pause, NULL);
		sys_for_descendants(t->root_fd, t->launcher->pid, count_leftover, &l);
	}
	t->window.left = t->outcome.left;
	look_for_daemon(t);
}

/* The last line of its stderr with anything on it, made printable. */
static const char *last_line(struct trial_run *t)
{
	const char *talk = t->streams->talk;
	size_t end = t->streams->talk_len;
	while (end > 0 && isspace((unsigned char)talk[end - 1]))
		end--;
	size_t begin = end;
	while (begin > 0 && talk[begin - 1] != '\n' && end - begin < 200)
		begin--;
	if (begin == end)
		return NULL;
	char *line = lt_arena_strndup(t->arena, talk + begin, end - begin);
	for (char *s = line; s && *s; s++)
		if (!isprint((unsigned char)*s) && (unsigned char)*s < 0x80)
			*s = ' ';
	return line;
}

static void name_outcome(struct trial_run *t, const struct watch *w)
{
	struct outcome *o = &t->outcome;
	const struct launch_reply *r = &t->reply;
	if (w->cancelled)
		o->kind = OUTCOME_CANCELLED;
	else if (w->timed_out)
		o->kind = OUTCOME_TIMEOUT;
	else
		o->kind = r->how == CLD_EXITED ? OUTCOME_EXIT : OUTCOME_SIGNAL;
	o->code = r->status;
	if (r->how == CLD_DUMPED)
		o->notes |= NOTE_CORE;
	o->out_bytes = fmax(t->streams->out_bytes, t->poured);
	/* Every program closes its output as it ends, and on a busy machine ending takes time. */
	int64_t closed = t->streams->hung_up_ns, margin = (r->end_ns - r->begin_ns) / 10;
	if (margin < CLOSING_MS * LT_NS_PER_MS)
		margin = CLOSING_MS * LT_NS_PER_MS;
	if (closed && closed < r->end_ns - margin)
		o->notes |= NOTE_CLOSED_OUTPUT;
	if (o->kind != OUTCOME_EXIT || o->code != 0)
		o->talk = last_line(t);
}

static struct watch begin_watch(
	const struct trial_run *t, const struct run_command *cmd, int64_t now)
{
	struct watch w = {
		.started_ns = now, .tick_at = now + LT_NS_PER_S, .gives_up = cmd->timeout_ns != 0
	};
	int64_t timeout_ns = cmd->timeout_ns ? cmd->timeout_ns : t->opts->timeout_ns;
	if (t->streams->in_write >= 0)
		w.probe_at = now + PROBE_MS * LT_NS_PER_MS / 4;
	if (t->look)
		w.look_at = now + LT_NS_PER_MS;
	if (timeout_ns)
		w.timeout_at = now + timeout_ns;
	return w;
}

/* The last switch of each ends with the exit already seen: not within the window. */
static void count_wakeups(struct trial_run *t, uint64_t own)
{
	t->own_wakeups = fmax((double)own - 1, 0) + fmax((double)t->reply.wakeups - 1, 0);
}

static void take_window(struct trial_run *t)
{
	const struct launch_reply *r = &t->reply;
	usage_from(&r->usage, &t->window.usage);
	t->window.pid = r->pid;
	t->window.begin_ns = r->begin_ns;
	t->window.end_ns = r->end_ns;
	t->window.leader_run_ns = (double)r->leader_run_ns;
	t->window.leader_wait_ns = (double)r->leader_wait_ns;
	t->window.begin_read_chars = r->begin_read_chars;
}

int trial_run_wait(struct trial_run *t, const struct run_command *cmd, struct lt_err *err)
{
	t->outcome = (struct outcome){ 0 };
	t->poured = 0;
	t->window = (struct meter_window){ .ended = true };
	int fds[3];
	int r = streams_begin(t->streams, fds, err);
	struct launch_command launch = {
		.path = cmd->path,
		.cwd = t->opts->cwd,
		.argv = cmd->argv,
		.envp = t->envp,
		.fds = { fds[0], fds[1], fds[2] },
		.flags = (t->opts->same_group ? 0 : LAUNCH_SESSION) |
			(t->opts->pty ? LAUNCH_TERMINAL : 0) |
			(t->opts->wait_descendants ? LAUNCH_WAIT : 0),
		.pin = cmd->pin ? cmd->pin : t->opts->pin,
		.sigmask = signals_old_mask(t->signals),
	};
	uint64_t switches = own_switches();
	int64_t now = lt_now_ns();
	if (r >= 0)
		r = launcher_start(t->launcher, &launch, err);
	streams_started(t->streams, fds);
	if (r < 0)
		return r;
	struct watch w = begin_watch(t, cmd, now);
	r = watch(t, &w, err);
	if (r >= 0)
		r = launcher_hear(t->launcher, &t->reply, err);
	if (r < 0)
		return r;
	if (t->reply.said == LAUNCH_SAID_NOT_STARTED) {
		t->outcome.kind = OUTCOME_NOT_STARTED;
		return fail_start(t, cmd, err);
	}
	count_wakeups(t, own_switches() - switches);
	streams_end(t->streams);
	take_window(t);
	look_at_tree(t);
	name_outcome(t, &w);
	return 0;
}

int trial_run_end(struct trial_run *t, struct lt_err *err)
{
	if (t->reply.others == 0)
		return 0;
	struct launch_reply clean;
	int r = launcher_end(t->launcher, err);
	return r < 0 ? r : launcher_hear(t->launcher, &clean, err);
}

bool trial_succeeded(const struct outcome *o, const char *success)
{
	if (o->kind != OUTCOME_EXIT)
		return false;
	for (const char *s = success ? success : "0"; s; s = lt_next_item(s, ','))
		if (atoi(s) == o->code)
			return true;
	return false;
}
