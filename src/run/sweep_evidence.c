/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Evidence in a sweep: a run of its own, whose times count nowhere. */
#include "base/clock.h"
#include "run/evidence.h"
#include "run/sweep_inside.h"

/* The run stands among the trials, without readings. */
static int note_trial(struct sweep *s, unsigned variant, int64_t at_ns, struct lt_err *err)
{
	struct record *rec = s->x.rec;
	struct trial *t = record_add_trial(rec);
	if (!t)
		return lt_fail_mem(err);
	t->variant = variant;
	t->block = s->x.next_block++;
	t->order = (unsigned)rec->n_trials - 1;
	t->evidence = true;
	t->at_ns = at_ns - s->x.begin_ns;
	t->outcome = s->x.trial.outcome;
	for (size_t i = 0; i < rec->n_metrics; i++)
		t->readings[i] =
			value_missing("a run under observation: its times mean nothing", NULL);
	return 0;
}

int sweep_observe(struct sweep *s, unsigned variant, struct evidence **ret, struct lt_err *err)
{
	struct trial_run *run = &s->x.trial;
	const struct run_command *cmd = &s->cmds[variant];
	struct lt_arena *arena = &s->x.rec->arena;
	struct evidence_opts opts = { .variant = variant,
		.threads = s->slots[variant].threads,
		.wall_ns = s->slots[variant].wall_ns };
	struct evidence *ev = lt_arena_alloc(arena, sizeof(*ev));
	*ret = NULL;
	if (!ev)
		return lt_fail_mem(err);
	if (sweep_over(s))
		return 0;
	run->envp = environment_with(&s->x.env, 0, cmd->env, cmd->n_env);
	if (!run->envp)
		return lt_fail_mem(err);
	s->x.running = variant;
	int64_t at_ns = lt_now_ns();
	int r = evidence_run(run, cmd, &opts, arena, ev, err);
	if (r < 0)
		return r;
	r = note_trial(s, variant, at_ns, err);
	if (r >= 0)
		r = trial_run_end(run, err);
	struct evidence *kept = r < 0 ? NULL : record_add_evidence(s->x.rec);
	if (r >= 0 && !kept)
		return lt_fail_mem(err);
	if (kept)
		*kept = *ev;
	if (r >= 0 && experiment_succeeded(&s->x, &run->outcome))
		*ret = ev;
	if (*ret && (int)variant == s->x.rec->scaling->focus)
		s->at = ev;
	if (*ret && (int)variant == s->x.rec->scaling->baseline)
		s->base = ev;
	return r;
}
