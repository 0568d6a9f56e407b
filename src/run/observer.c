/* SPDX-License-Identifier: GPL-2.0-or-later */
/* The observer's thread. It sleeps until a ring fills or its turn has come; without the probe
 * a turn is short, as it asks procfs then what threads wait for. */
#include "run/observer.h"

#include <math.h>
#include <poll.h>
#include <sched.h>
#include <stdlib.h>
#include <string.h>
#include <sys/eventfd.h>
#include <sys/resource.h>
#include <unistd.h>

#include "base/clock.h"
#include "run/evidence_ops.h"
#include "run/observed_procfs.h"

enum {
	TURN_MIN_MS = 5, /* at first, when procfs is asked; later seldom */
	TURN_SHARE = 64, /* of the time so far */
	TURN_MS = 50,
	OBSERVER_NICE = -10,
	RINGS_POLLED = 512,
	SAMPLES = 350, /* wanted of each CPU */
	PERIOD_MIN_NS = LT_NS_PER_MS,
	PERIOD_MAX_NS = 3 * LT_NS_PER_MS,
	FEW_CPUS = 8, /* more of them are sampled less often each */
	STACK_BYTES = 2048,
	STACK_BYTES_MANY = 1024,
	SETTLED_NS = 20000, /* records are in their rings after that */
};

/* Some hundred samples of each CPU tell as much as thousands, and cost less. */
static uint64_t choose_period(const struct observer_opts *opts, long cpus)
{
	if (opts->period_ns)
		return opts->period_ns;
	double ns = fmin(fmax(opts->wall_ns / SAMPLES, PERIOD_MIN_NS), PERIOD_MAX_NS);
	return (uint64_t)ns * (uint64_t)(cpus > FEW_CPUS ? (cpus + FEW_CPUS - 1) / FEW_CPUS : 1);
}

static bool may(const struct observer_opts *opts, enum evidence_tier tier)
{
	return opts->best == EVIDENCE_NONE || tier <= opts->best;
}

static void open_probe(struct observer *ob)
{
	uint8_t rules[PROBE_CALLS];
	evidence_probe_rules(rules);
	if (!may(&ob->opts, EVIDENCE_PROBE))
		lt_err_set(&ob->no_probe, -ECANCELED, "LT-PROBE", "the probe was not asked for");
	else
		sys_probe_open(&ob->probe, ob->opts.launcher->pid, rules, &ob->no_probe);
}

static void open_sampler(struct observer *ob)
{
	long cpus = sysconf(_SC_NPROCESSORS_ONLN);
	struct sys_sampler_opts opts = {
		.root_fd = ob->opts.root_fd,
		.launcher = ob->opts.launcher->pid,
		.period_ns = choose_period(&ob->opts, cpus),
		.stack_bytes = cpus > FEW_CPUS ? STACK_BYTES_MANY : STACK_BYTES,
		.switches = !ob->probe,
		.user_only = !may(&ob->opts, EVIDENCE_PROBE),
	};
	if (!may(&ob->opts, EVIDENCE_PERF)) {
		lt_err_set(&ob->no_sampler, -ECANCELED, "LT-PERF", "perf was not asked for");
		return;
	}
	ob->sampling = sys_sampler_open(&ob->sampler, &opts, &ob->no_sampler) == 0;
	if (!ob->sampling)
		return;
	ob->seen->wide = ob->sampler.wide;
	ob->seen->switches = opts.switches;
	ob->seen->period_ns = opts.period_ns;
}

int observer_open(struct observer *ob, const struct observer_opts *opts, struct observed *seen,
	struct lt_err *err)
{
	*ob = (struct observer)OBSERVER_NONE;
	ob->opts = *opts;
	ob->seen = seen;
	ob->polls.root_fd = opts->root_fd;
	ob->stop_fd = eventfd(0, EFD_CLOEXEC);
	if (ob->stop_fd < 0)
		return lt_fail_sys(err, "LT-OBSERVER", "cannot make an event descriptor");
	open_probe(ob);
	open_sampler(ob);
	return 0;
}

void observer_close(struct observer *ob)
{
	observer_stop(ob);
	observed_polls_done(&ob->polls);
	sys_probe_close(ob->probe);
	ob->probe = NULL;
	if (ob->sampling)
		sys_sampler_close(&ob->sampler);
	ob->sampling = false;
	if (ob->stop_fd >= 0)
		close(ob->stop_fd);
	ob->stop_fd = -1;
}

static void settle(void *ctx, uint64_t now_ns)
{
	struct observer *ob = ctx;
	if (ob->sampling)
		sys_sampler_drain(&ob->sampler, now_ns, observed_record, ob->seen);
}

static void hear_snapshot(void *ctx, const struct probe_snapshot *s)
{
	struct observer *ob = ctx;
	observed_probe_snapshot(ob->seen, ob->opts.root_fd, s);
}

static void hear_thread(void *ctx, const struct probe_thread *t)
{
	observed_probe_thread(((struct observer *)ctx)->seen, t);
}

static void hear_wait(void *ctx, const struct probe_key *key, const struct probe_wait *w)
{
	observed_probe_wait(((struct observer *)ctx)->seen, key, w);
}

static struct sys_probe_handlers handlers(struct observer *ob)
{
	return (struct sys_probe_handlers){
		.ctx = ob, .snapshot = hear_snapshot, .thread = hear_thread, .wait = hear_wait
	};
}

static void take_turn(struct observer *ob)
{
	uint64_t now = (uint64_t)lt_now_ns();
	settle(ob, now - SETTLED_NS);
	if (!ob->sampling)
		observed_discover(ob->seen, ob->opts.root_fd, ob->opts.launcher->pid, now);
	if (ob->probe) {
		struct sys_probe_handlers on = handlers(ob);
		sys_probe_drain(ob->probe, &on);
	} else {
		observed_poll(&ob->polls, ob->seen, settle, ob);
	}
	observed_note_maps(ob->seen, ob->opts.root_fd, now);
	ob->turns++;
}

static double thread_cpu_ns(void)
{
	struct timespec ts;
	clock_gettime(CLOCK_THREAD_CPUTIME_ID, &ts);
	return (double)lt_timespec_ns(&ts);
}

/* Few looks at a long run tell as much as many at a short one; each stands for the time to
 * the next. */
static int turn_ms(const struct observer *ob, uint64_t begin_ns)
{
	if (ob->probe)
		return TURN_MS;
	int64_t ms = ((int64_t)lt_now_ns() - (int64_t)begin_ns) / LT_NS_PER_MS / TURN_SHARE;
	return ms < TURN_MIN_MS ? TURN_MIN_MS : ms > TURN_MS ? TURN_MS : (int)ms;
}

static void *observe(void *arg)
{
	struct observer *ob = arg;
	/* leat stays on one CPU while a program runs; it may be the busy one. */
	sched_setaffinity(0, sizeof(ob->opts.launcher->cpus.bits),
		(const cpu_set_t *)ob->opts.launcher->cpus.bits);
	/* It runs little, but must not come late; who may not, does without. */
	setpriority(PRIO_PROCESS, (id_t)gettid(), OBSERVER_NICE);
	struct pollfd on[1 + RINGS_POLLED] = { { .fd = ob->stop_fd, .events = POLLIN } };
	int fds[RINGS_POLLED];
	nfds_t n = ob->sampling ? sys_sampler_fds(&ob->sampler, fds, RINGS_POLLED) : 0;
	for (nfds_t i = 0; i < n; i++)
		on[1 + i] = (struct pollfd){ .fd = fds[i], .events = POLLIN };
	for (uint64_t before = ob->seen->begin_ns; !on[0].revents;) {
		poll(on, n + 1, turn_ms(ob, ob->seen->begin_ns));
		uint64_t now = (uint64_t)lt_now_ns();
		ob->polls.weight = (double)(now - before);
		before = now;
		take_turn(ob);
	}
	ob->cpu_ns = thread_cpu_ns();
	return NULL;
}

int observer_start(struct observer *ob, struct lt_err *err)
{
	ob->seen->begin_ns = (uint64_t)lt_now_ns();
	int r = pthread_create(&ob->thread, NULL, observe, ob);
	if (r) {
		errno = r;
		return lt_fail_sys(err, "LT-OBSERVER", "cannot start a thread to observe with");
	}
	ob->started = true;
	return 0;
}

void observer_stop(struct observer *ob)
{
	if (!ob->started)
		return;
	ob->started = false;
	uint64_t one = 1;
	while (write(ob->stop_fd, &one, sizeof(one)) < 0 && errno == EINTR)
		;
	pthread_join(ob->thread, NULL);
	ob->seen->end_ns = (uint64_t)lt_now_ns();
	settle(ob, UINT64_MAX);
	if (ob->probe) {
		struct sys_probe_handlers on = handlers(ob);
		sys_probe_finish(ob->probe, &on);
		observed_probe_cores(ob->seen, sys_probe_cores(ob->probe), ob->seen->end_ns);
		const struct probe_lost *lost = sys_probe_lost(ob->probe);
		ob->seen->lost_keys = (double)(lost->waits + lost->threads);
	}
}
