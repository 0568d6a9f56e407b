/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Drawing progress: at most ten times a second between runs, once a second during one. */
#include "cmd/progress.h"

#include <math.h>
#include <stdio.h>
#include <string.h>
#include <unistd.h>

#include "base/clock.h"
#include "base/err.h"

enum {
	BAR = 20,
	WIDTH = 79
};

static void draw(void *ctx, const struct run_progress *now)
{
	struct progress *p = ctx;
	long long t = lt_now_ns();
	if (t - p->at_ns < LT_NS_PER_S / 10)
		return;
	p->at_ns = t;
	char bar[BAR + 1], line[WIDTH * 2], tail[64] = "";
	int full = (int)(now->share * BAR);
	memset(bar, '.', BAR);
	memset(bar, '#', (size_t)full);
	bar[BAR] = '\0';
	if (now->running_s >= 1)
		snprintf(tail, sizeof(tail), ", this one for %.0f s", now->running_s);
	else if (isfinite(now->reached))
		snprintf(tail, sizeof(tail), ", known to ±%.2g %%", 100 * now->reached);
	snprintf(line, sizeof(line), "[%s] %u done%s  %.24s", bar, now->done, tail, now->name);
	lt_one_line(line);
	/* "±" is two bytes and one column. */
	int len = (int)strlen(line) - (strstr(line, "±") != NULL);
	fprintf(stderr, "\r%s%*s", line, p->shown > len ? p->shown - len : 0, "");
	fflush(stderr);
	p->shown = len;
}

struct run_hooks progress_hooks(struct progress *p, bool quiet)
{
	*p = (struct progress){ .on = !quiet && isatty(STDERR_FILENO) };
	return (struct run_hooks){ .progress = p->on ? draw : NULL, .ctx = p, .live = p->on };
}

void progress_clear(struct progress *p)
{
	if (p->on && p->shown)
		fprintf(stderr, "\r%*s\r", p->shown, "");
	p->shown = 0;
}
