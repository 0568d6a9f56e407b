/* SPDX-License-Identifier: GPL-2.0-or-later */
/* The wait share of threads, as text. */
#include "load/share.h"

#include <string.h>

#include <leat/stats.h>

#include "base/buf.h"

static const char *const causes[LEAT_CAUSES] = {
	[LEAT_CAUSE_RUNNING] = "other",
	[LEAT_CAUSE_INPUT] = "input",
	[LEAT_CAUSE_CREDIT] = "credit",
	[LEAT_CAUSE_POOL] = "pool",
	[LEAT_CAUSE_TIMER] = "timer",
	[LEAT_CAUSE_TURN] = "turn",
	[LEAT_CAUSE_TASK] = "task",
};

static void add_thread(struct lt_buf *buf, const struct leat_stats_slot *slot)
{
	struct leat_share s;
	leat_stats_share(slot, 0, 0, 0, &s);
	double all = s.wall_ns ? 100.0 / (double)s.wall_ns : 0;
	lt_buf_addf(buf, "thread %s:", slot->name);
	if (slot->v[LEAT_V_THREAD_HAS_SCHEDSTAT])
		lt_buf_addf(buf, " cpu %.1f %%, no cpu %.1f %%, waits", (double)s.cpu_ns * all,
			(double)s.runq_ns * all);
	else
		lt_buf_addf(buf, " cpu n/a (no schedstat), waits");
	bool any = false;
	for (int i = 0; i < LEAT_CAUSES; i++) {
		double share = (double)s.wait_ns[i] * all;
		if (share < 0.05)
			continue;
		lt_buf_addf(buf, "%s %s %.1f %%", any ? "," : " for", causes[i], share);
		any = true;
	}
	lt_buf_addf(buf, any ? "\n" : " none\n");
}

char *share_text(int64_t since_ns)
{
	LT_AUTO_BUF struct lt_buf buf = { 0 };
	const struct leat_stats_head *head = leat_stats_self();
	struct leat_stats_slot slot;
	for (uint32_t i = 0; head && i < head->used; i++) {
		if (leat_stats_copy(leat_stats_slot_at(head, i), &slot) != LEAT_STATS_THREAD)
			continue;
		if (slot.v[LEAT_V_THREAD_END] && slot.v[LEAT_V_THREAD_START] >= (uint64_t)since_ns)
			add_thread(&buf, &slot);
	}
	return buf.failed || !buf.data ? NULL : strdup(buf.data);
}
