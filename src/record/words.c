/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Tables of words for the record's enums. */
#include "record/words.h"

#include <string.h>

#include "base/own.h"
#include "record/evidence.h"

#define WORDS(name, ...)                                          \
	static const char *const name##_list[] = { __VA_ARGS__ }; \
	const struct record_words record_##name##_words = { name##_list, LT_COUNT(name##_list) }

WORDS(state, [VALUE_UNAVAILABLE] = "unavailable", [VALUE_MEASURED] = "measured",
	[VALUE_INTEGRATED] = "integrated", [VALUE_ESTIMATED] = "estimated");
WORDS(better, [METRIC_LOWER] = "lower", [METRIC_HIGHER] = "higher", [METRIC_NEITHER] = "neither");
WORDS(kind, [METRIC_COUNTER] = "counter", [METRIC_GAUGE] = "gauge", [METRIC_PEAK] = "peak");
WORDS(outcome, [OUTCOME_EXIT] = "exit", [OUTCOME_SIGNAL] = "signal", [OUTCOME_TIMEOUT] = "timeout",
	[OUTCOME_CANCELLED] = "cancelled", [OUTCOME_NOT_STARTED] = "not-started",
	[OUTCOME_WINDOW] = "window");
WORDS(note, "left-children", "daemon", "new-group", "closed-output", "core", "asleep",
	"reads-stdin", "given-up");
WORDS(severity, [SEVERITY_INFO] = "info", [SEVERITY_WARNING] = "warning",
	[SEVERITY_ERROR] = "error");
WORDS(confidence, [CONFIDENCE_FACT] = "fact", [CONFIDENCE_LOW] = "low",
	[CONFIDENCE_MEDIUM] = "medium", [CONFIDENCE_HIGH] = "high");
WORDS(how, [FACTOR_PLACEHOLDER] = "placeholder", [FACTOR_ENVIRONMENT] = "environment");
WORDS(mode, [SCALE_UNKNOWN] = "unknown", [SCALE_STRONG] = "strong", [SCALE_WEAK] = "weak");
WORDS(scale, [SCALE_UNDECIDED] = "undecided", [SCALE_SCALES] = "scales",
	[SCALE_LIMITED] = "limited", [SCALE_FLAT] = "flat", [SCALE_SLOWER] = "slower");
WORDS(law, [SCALE_LAW_NONE] = "none", [SCALE_LAW_USL] = "usl",
	[SCALE_LAW_KARP_FLATT] = "karp-flatt");
WORDS(part, [LEDGER_USER] = "user", [LEDGER_SYSTEM] = "system", [LEDGER_IDLE] = "idle");
WORDS(remedy, [REMEDY_NOT_TRIED] = "not-tried", [REMEDY_IGNORED] = "ignored",
	[REMEDY_BROKEN] = "broken", [REMEDY_DROPPED] = "dropped", [REMEDY_NO_HELP] = "no-help",
	[REMEDY_WORSE] = "worse", [REMEDY_HELPS] = "helps");

WORDS(tier, [EVIDENCE_NONE] = "none", [EVIDENCE_PROC] = "procfs", [EVIDENCE_PERF] = "perf",
	[EVIDENCE_PROBE] = "probe");
WORDS(op, [EVIDENCE_OP_USER] = "user", [EVIDENCE_OP_LOCK] = "lock",
	[EVIDENCE_OP_BARRIER] = "barrier", [EVIDENCE_OP_CONDITION] = "condition",
	[EVIDENCE_OP_JOIN] = "join", [EVIDENCE_OP_WAKE] = "wake", [EVIDENCE_OP_YIELD] = "yield",
	[EVIDENCE_OP_RUNQUEUE] = "runqueue", [EVIDENCE_OP_READ] = "read",
	[EVIDENCE_OP_WRITE] = "write", [EVIDENCE_OP_POLL] = "poll", [EVIDENCE_OP_SLEEP] = "sleep",
	[EVIDENCE_OP_CHILD] = "child", [EVIDENCE_OP_DISK] = "disk",
	[EVIDENCE_OP_FAULT] = "page-fault", [EVIDENCE_OP_MAP] = "memory-map",
	[EVIDENCE_OP_CLONE] = "clone", [EVIDENCE_OP_SIGNAL] = "signal",
	[EVIDENCE_OP_OTHER] = "other", [EVIDENCE_OP_KERNEL] = "kernel");

const char *evidence_op_word(enum evidence_op op)
{
	return record_word(&record_op_words, op);
}

const char *record_word(const struct record_words *words, unsigned value)
{
	return value < words->n ? words->words[value] : "?";
}

int record_word_find(const struct record_words *words, const char *word)
{
	for (unsigned i = 0; i < words->n; i++)
		if (!strcmp(words->words[i], word))
			return (int)i;
	return -1;
}

static const struct {
	const char *time, *other;
} verdicts[] = {
	[VERDICT_UNDECIDED] = { "undecided", "undecided" },
	[VERDICT_LOWER] = { "faster", "less" },
	[VERDICT_HIGHER] = { "slower", "more" },
	[VERDICT_SAME] = { "same", "same" },
	[VERDICT_TOO_FEW] = { "too-few", "too-few" },
};

const char *record_verdict_word(const struct metric *metric, enum verdict verdict)
{
	if ((unsigned)verdict >= LT_COUNT(verdicts))
		return "?";
	bool time = metric->better == METRIC_LOWER && !strcmp(metric->unit, "ns");
	return time ? verdicts[verdict].time : verdicts[verdict].other;
}

int record_verdict_find(const char *word)
{
	for (unsigned i = 0; i < LT_COUNT(verdicts); i++)
		if (!strcmp(verdicts[i].time, word) || !strcmp(verdicts[i].other, word))
			return (int)i;
	return -1;
}
