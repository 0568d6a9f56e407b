/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Blocking and reading the signals that end an experiment. */
#include "run/signals.h"

#include <sys/signalfd.h>

static const int stops[] = { SIGINT, SIGTERM, SIGHUP, SIGQUIT };

int signals_open(struct signals *s, struct lt_err *err)
{
	sigset_t set;
	sigemptyset(&set);
	for (size_t i = 0; i < LT_COUNT(stops); i++) {
		struct sigaction act;
		/* What leat's parent chose to ignore (nohup, a shell's background job) stays so. */
		if (sigaction(stops[i], NULL, &act) == 0 && act.sa_handler == SIG_IGN)
			continue;
		sigaddset(&set, stops[i]);
	}
	if (sigprocmask(SIG_BLOCK, &set, &s->old) < 0)
		return lt_fail_sys(err, "LT-SIGNAL", "cannot block signals");
	s->fd = signalfd(-1, &set, SFD_CLOEXEC | SFD_NONBLOCK);
	return s->fd < 0 ? lt_fail_sys(err, "LT-SIGNAL", "cannot listen for signals") : 0;
}

void signals_close(struct signals *s)
{
	if (s->fd < 0)
		return;
	close(s->fd);
	s->fd = -1;
}

int signals_take(struct signals *s)
{
	struct signalfd_siginfo info;
	if (s->fd < 0 || read(s->fd, &info, sizeof(info)) != (ssize_t)sizeof(info))
		return 0;
	if (!s->last)
		s->last = (int)info.ssi_signo;
	return (int)info.ssi_signo;
}

uint64_t signals_old_mask(const struct signals *s)
{
	uint64_t mask = 0;
	for (int sig = 1; sig <= 64; sig++)
		if (sigismember(&s->old, sig) == 1)
			mask |= UINT64_C(1) << (sig - 1);
	return mask;
}
