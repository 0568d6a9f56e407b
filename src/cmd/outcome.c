/* SPDX-License-Identifier: GPL-2.0-or-later */
/* From a record to an exit code. */
#include "cmd/outcome.h"

#include <stdio.h>
#include <string.h>

#include "base/log.h"
#include "cmd/cmd.h"

/* The trial that ended the experiment, or NULL. */
static const struct trial *failed_trial(const struct record *rec)
{
	if (!rec->plan.stopped || strcmp(rec->plan.stopped, "failure") || rec->n_trials == 0)
		return NULL;
	return &rec->trials[rec->n_trials - 1];
}

/* A variant of which no run counts; -1 = none. */
static int empty_variant(const struct record *rec)
{
	for (size_t v = 0; v < rec->n_variants; v++) {
		bool any = rec->n_trials == 0;
		for (size_t i = 0; i < rec->n_trials && !any; i++)
			any = rec->trials[i].variant == v && rec->trials[i].kept;
		if (!any && !rec->variants[v].aa)
			return (int)v;
	}
	return -1;
}

int outcome_exit(const struct record *rec)
{
	if (rec->plan.stop_signal)
		return CMD_SIGNAL + rec->plan.stop_signal;
	if (failed_trial(rec))
		return CMD_PROGRAM;
	if (strcmp(rec->plan.verb, "attach") == 0)
		return empty_variant(rec) >= 0 ? CMD_CANNOT : CMD_OK;
	if (empty_variant(rec) >= 0 && rec->n_trials > 0)
		return CMD_PROGRAM;
	for (size_t i = 0; i < rec->n_gates; i++)
		if (rec->gates[i].violated)
			return CMD_FOUND;
	for (size_t i = 0; i < rec->n_findings; i++)
		if (!strcmp(rec->findings[i].id, "aa-unfit"))
			return CMD_FOUND;
	return CMD_OK;
}

/* "SIGKILL", or "signal 40" for one without a name. */
static const char *signal_name(int signal, char *text, size_t size)
{
	const char *name = sigabbrev_np(signal);
	if (name)
		snprintf(text, size, "SIG%s", name);
	else
		snprintf(text, size, "signal %d", signal);
	return text;
}

static void describe(const struct outcome *o, char *text, size_t size)
{
	char name[32];
	switch (o->kind) {
	case OUTCOME_EXIT:
		snprintf(text, size, "exit code %d", o->code);
		return;
	case OUTCOME_SIGNAL:
		snprintf(text, size, "signal %d (%s)%s", o->code,
			signal_name(o->code, name, sizeof(name)),
			o->notes & NOTE_CORE ? ", core dumped" : "");
		return;
	case OUTCOME_TIMEOUT:
		snprintf(text, size, "timed out%s",
			o->notes & NOTE_ASLEEP ? ", asleep: it hung" : "");
		return;
	case OUTCOME_NOT_STARTED:
		snprintf(text, size, "it did not start");
		return;
	case OUTCOME_CANCELLED:
	case OUTCOME_WINDOW:
		break;
	}
	snprintf(text, size, "ended by leat");
}

void outcome_tell(const struct record *rec)
{
	const struct trial *t = failed_trial(rec);
	char how[96];
	if (rec->plan.stop_signal) {
		lt_log(LT_LOG_WARNING, "cmd", "stopped by %s after %zu runs; the result is partial",
			signal_name(rec->plan.stop_signal, how, sizeof(how)), rec->n_trials);
	} else if (t) {
		unsigned nth = 0;
		for (size_t i = 0; i < rec->n_trials; i++)
			nth += rec->trials[i].variant == t->variant;
		describe(&t->outcome, how, sizeof(how));
		lt_log(LT_LOG_ERROR, "cmd", "run %u of '%.200s' failed: %s%s%s", nth,
			rec->variants[t->variant].command, how,
			t->outcome.talk ? "; it said: " : "",
			t->outcome.talk ? t->outcome.talk : "");
		if (t->outcome.kind == OUTCOME_EXIT)
			lt_log(LT_LOG_NOTE, "cmd",
				"hint: --success %d if that is its way of saying yes; "
				"--ignore-failure to go on",
				t->outcome.code);
	} else if (empty_variant(rec) >= 0 && rec->n_trials > 0) {
		lt_log(LT_LOG_ERROR, "cmd", "no run of '%.200s' succeeded",
			rec->variants[empty_variant(rec)].command);
	}
}
