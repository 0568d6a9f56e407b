/* SPDX-License-Identifier: GPL-2.0-or-later */
/* A token pipeline: stages of one kind or another, with a known amount of work per item. The
 * order of the items is checked. */
#include <leat/pipeline.h>
#include <leat/work.h>

#include "base/clock.h"
#include "base/own.h"
#include "load/load.h"
#include "load/share.h"

#include <stdio.h>
#include <string.h>

enum {
	STAGES_MAX = 256,
	CALIBRATE = 2000000,
};

struct flow {
	uint64_t limit, next, done, wrong;
	uint64_t loops; /* of work per stage */
	struct leat_work *work;
	bool ordered; /* the last stage is in order */
};

/* A chain of multiplications: its time does not depend on memory or on the compiler's mood. */
static uint64_t spin(uint64_t loops)
{
	uint64_t x = loops | 1;
	for (uint64_t i = 0; i < loops; i++) {
		x = x * 6364136223846793005u + 1442695040888963407u;
		__asm__ volatile("" : "+r"(x));
	}
	return x;
}

static double loops_per_ns(void)
{
	int64_t best = INT64_MAX;
	for (int i = 0; i < 3; i++) {
		int64_t start = lt_now_ns();
		spin(CALIBRATE);
		int64_t ns = lt_now_ns() - start;
		best = ns < best ? ns : best;
	}
	return CALIBRATE / (double)best;
}

static void *first_stage(void *ctx, void *item, struct leat_token *token)
{
	struct flow *f = ctx;
	(void)item;
	(void)token;
	if (f->next == f->limit)
		return LEAT_END;
	if (f->loops)
		spin(f->loops);
	return (void *)(uintptr_t)++f->next; /* NOLINT(performance-no-int-to-ptr) */
}

static void *middle_stage(void *ctx, void *item, struct leat_token *token)
{
	struct flow *f = ctx;
	(void)token;
	if (f->loops)
		spin(f->loops);
	return item;
}

/* Never parallel, so that it can count. */
static void *last_stage(void *ctx, void *item, struct leat_token *token)
{
	struct flow *f = ctx;
	if (f->loops)
		spin(f->loops);
	f->wrong += (uintptr_t)item != token->number + 1;
	f->done++;
	f->wrong += f->ordered && f->done != (uintptr_t)item;
	leat_work_add(f->work, 1);
	return NULL;
}

enum option {
	OPT_STAGES,
	OPT_KINDS,
	OPT_WORKERS,
	OPT_TOKENS,
	OPT_WORK,
	OPT_COUNT,
};

static const struct load_option options[] = {
	[OPT_STAGES] = { "stages", 's', LOAD_COUNT, 10, 2, STAGES_MAX,
		"stages, first and last in order" },
	[OPT_KINDS] = { "kinds", 'k', LOAD_TEXT, 0, 0, 0, "of the others: o, s, p, in turn (o)" },
	[OPT_WORKERS] = { "threads", 't', LOAD_COUNT, 0, 0, 1024, "workers; 0: one for each CPU" },
	[OPT_TOKENS] = { "tokens", 'c', LOAD_COUNT, 0, 0, 1024,
		"items in flight; 0: 4 per worker" },
	[OPT_WORK] = { "work", 'w', LOAD_COUNT, 0, 0, 1000000000,
		"ns of work per item, over all stages" },
	[OPT_COUNT] = { "count", 'n', LOAD_COUNT, 1000000, 1, UINT64_MAX / 2, "items" },
};

static int kind_of(char letter, enum leat_stage_kind *ret)
{
	*ret = letter == 's' ? LEAT_SERIAL : letter == 'p' ? LEAT_PARALLEL : LEAT_IN_ORDER;
	return letter == 'o' || letter == 's' || letter == 'p' ? 0 : -EINVAL;
}

static int pipeline_run(const struct load_value *v, struct load_result *ret, struct lt_err *err)
{
	struct leat_stage stages[STAGES_MAX] = { 0 };
	unsigned n = (unsigned)v[OPT_STAGES].count;
	const char *kinds = v[OPT_KINDS].text && v[OPT_KINDS].text[0] ? v[OPT_KINDS].text : "o";
	struct flow f = { .limit = v[OPT_COUNT].count, .ordered = true };
	for (unsigned i = 0; i < n; i++) {
		bool inner = i > 0 && i + 1 < n;
		char letter = inner ? kinds[(i - 1) % strlen(kinds)] : 'o';
		if (kind_of(letter, &stages[i].kind) < 0)
			return lt_fail(err, -EINVAL, "LT-PIPELINE-KINDS",
				"'%c' in kinds is not o (in order), s (serial) or p (parallel)",
				letter);
		stages[i].fn = i == 0 ? first_stage : inner ? middle_stage : last_stage;
		stages[i].ctx = &f;
	}
	if (v[OPT_WORK].count)
		f.loops = (uint64_t)((double)v[OPT_WORK].count * loops_per_ns() / n);
	struct leat_pipeline_opts opts = { .workers = (unsigned)v[OPT_WORKERS].count,
		.tokens = (unsigned)v[OPT_TOKENS].count };
	struct leat_pipeline_report rep;
	struct leat_err lib_err = { 0 };
	leat_work_get("pipeline", "item", &f.work, NULL); /* on failure there is none */
	int64_t begin_ns = lt_now_ns();
	int r = leat_pipeline(stages, n, &opts, &rep, &lib_err);
	int64_t elapsed_ns = lt_now_ns() - begin_ns;
	if (r < 0)
		return lt_fail(err, r, "LT-PIPELINE-RUN", "%s", lib_err.text);
	if (f.done != f.limit || f.wrong)
		return lt_fail(err, -EBADMSG, "LT-PIPELINE-LOST",
			"%llu of %llu items arrived, %llu out of order", (unsigned long long)f.done,
			(unsigned long long)f.limit, (unsigned long long)f.wrong);
	*ret = (struct load_result){
		.work = f.done,
		.elapsed_ns = elapsed_ns,
		.figures = {
			{ "time-per-item", "ns", (double)elapsed_ns / (double)f.done },
			{ "workers-used", "count", rep.workers },
			{ "helpers-called", "count", (double)rep.calls },
		},
		.n_figures = 3,
		.text = share_text(begin_ns),
	};
	return 0;
}

const struct load load_pipeline = {
	.name = "pipeline",
	.brief = "items through a token pipeline, with work per item",
	.work = "items",
	.timed = "the pipeline, from its call to its return",
	.options = options,
	.n_options = LT_COUNT(options),
	.run = pipeline_run,
};
