/* SPDX-License-Identifier: GPL-2.0-or-later */
/* The tables: every struct of the record, member by member, in the order of the file. */
#include "record/fields.h"

#include <math.h>

#include "base/own.h"
#include "record/record_json.h"

#define MEMBER(type, kind_, key_)                                                       \
	{                                                                               \
		.key = #key_, .kind = FIELD_##kind_, .off = offsetof(struct type, key_) \
	}
#define NAMED(type, kind_, key_, member)                                                   \
	{                                                                                  \
		.key = (key_), .kind = FIELD_##kind_, .off = offsetof(struct type, member) \
	}
#define WORD(type, kind_, key_, member, words_)                                             \
	{                                                                                   \
		.key = (key_), .kind = FIELD_##kind_, .off = offsetof(struct type, member), \
		.words = &(words_)                                                          \
	}
#define PART(type, key_, shape_)                                                       \
	{                                                                              \
		.key = #key_, .kind = FIELD_SHAPE, .off = offsetof(struct type, key_), \
		.shape = &(shape_)                                                     \
	}
#define SHAPE(type, ...)                                               \
	{                                                              \
		.fields = type##_fields, .n = LT_COUNT(type##_fields), \
		.size = sizeof(struct type), __VA_ARGS__               \
	}

static const struct field record_meter_fields[] = {
	MEMBER(record_meter, TEXT, name),
	WORD(record_meter, ENUM, "state", state, record_state_words),
	MEMBER(record_meter, TEXT_OPT, reason),
	MEMBER(record_meter, TEXT_OPT, hint),
};
static const struct field_shape record_meter_shape = SHAPE(record_meter);

static const struct field machine_fields[] = {
	MEMBER(machine, TEXT_OPT, cpu),
	MEMBER(machine, TEXT_OPT, arch),
	MEMBER(machine, TEXT_OPT, kernel),
	MEMBER(machine, TEXT_OPT, virt),
	MEMBER(machine, UINT, cpus_online),
	MEMBER(machine, TEXT_OPT, cpus_allowed),
	MEMBER(machine, NUM_UNREAD, load_before),
	MEMBER(machine, NUM_UNREAD, load_after),
	{ .key = "meters",
		.kind = FIELD_ROWS,
		.off = offsetof(struct machine, meters),
		.off_n = offsetof(struct machine, n_meters),
		.shape = &record_meter_shape,
		.max = RECORD_MAX_METRICS },
};
static const struct field_shape machine_shape = SHAPE(machine);

static const struct field plan_fields[] = {
	MEMBER(plan, TEXT, verb),
	MEMBER(plan, TEXT, design),
	MEMBER(plan, TEXT_OPT, primary),
	MEMBER(plan, U64, seed),
	MEMBER(plan, UINT, n),
	MEMBER(plan, UINT, n_max),
	MEMBER(plan, UINT, warmup),
	MEMBER(plan, NUM_NONE, budget_ns),
	MEMBER(plan, NUM_NONE, timeout_ns),
	MEMBER(plan, NUM_NONE, precision),
	MEMBER(plan, NUM_NONE, same),
	NAMED(plan, TEXT_OPT, "stdin", stdin_mode),
	NAMED(plan, TEXT_OPT, "stdout", stdout_mode),
	MEMBER(plan, TEXT_OPT, prepare),
	MEMBER(plan, TEXT_OPT, work_from),
	MEMBER(plan, TEXT_OPT, work_unit),
	MEMBER(plan, TEXT_OPT, region),
	MEMBER(plan, TEXT_OPT, pin),
	MEMBER(plan, TEXT_OPT, stopped),
	MEMBER(plan, INT, stop_signal),
	MEMBER(plan, NUM, wall_ns),
	MEMBER(plan, TEXT_OPT, date),
};
static const struct field_shape plan_shape = SHAPE(plan);

static const struct field variant_fields[] = {
	MEMBER(variant, TEXT, name),
	MEMBER(variant, TEXT_OPT, command),
	MEMBER(variant, BOOL, aa),
};
static const struct field_shape variant_shape = SHAPE(variant);

static const struct field metric_fields[] = {
	MEMBER(metric, TEXT, name),
	MEMBER(metric, TEXT, unit),
	WORD(metric, ENUM, "better", better, record_better_words),
	WORD(metric, ENUM, "kind", kind, record_kind_words),
	MEMBER(metric, BOOL, sampled),
	MEMBER(metric, TEXT_OPT, what),
	MEMBER(metric, TEXT_OPT, scope),
	MEMBER(metric, TEXT_OPT, source),
};
static const struct field_shape metric_shape = SHAPE(metric);

static const struct field outcome_fields[] = {
	WORD(outcome, ENUM, "kind", kind, record_outcome_words),
	MEMBER(outcome, INT, code),
	WORD(outcome, BITS, "notes", notes, record_note_words),
	MEMBER(outcome, UINT, left),
	MEMBER(outcome, TEXT_OPT, left_name),
	MEMBER(outcome, NUM, out_bytes),
	MEMBER(outcome, TEXT_OPT, talk),
};
static const struct field_shape outcome_shape = SHAPE(outcome);

static const struct field trial_fields[] = {
	MEMBER(trial, VARIANT, variant),
	MEMBER(trial, UINT, block),
	MEMBER(trial, UINT, order),
	MEMBER(trial, BOOL, warmup),
	MEMBER(trial, BOOL, evidence),
	MEMBER(trial, BOOL, kept),
	MEMBER(trial, I64, at_ns),
	MEMBER(trial, NUM_NONE, work),
	PART(trial, outcome, outcome_shape),
	MEMBER(trial, READINGS, readings),
};
static const struct field_shape trial_shape = SHAPE(trial);

static const struct field summary_fields[] = {
	MEMBER(summary, VARIANT, variant),
	{ .key = "factors", .kind = FIELD_EMPTY },
	MEMBER(summary, METRIC, metric),
	MEMBER(summary, BOOL, per_work),
	NAMED(summary, UNIT, "unit", metric),
	WORD(summary, ENUM, "state", center.state, record_state_words),
	NAMED(summary, TEXT_OPT, "reason", center.reason),
	NAMED(summary, TEXT_OPT, "hint", center.hint),
	MEMBER(summary, SIZE, n),
	MEMBER(summary, STATED, center),
	MEMBER(summary, NUM, lo),
	MEMBER(summary, NUM, hi),
	MEMBER(summary, NUM, level),
	MEMBER(summary, TEXT_OPT, what),
	MEMBER(summary, NUM, mean),
	MEMBER(summary, NUM, sd),
	MEMBER(summary, NUM, min),
	MEMBER(summary, NUM, median),
	MEMBER(summary, NUM, max),
};

static void summary_tidy(void *row)
{
	struct summary *s = row;
	if (s->center.state != VALUE_UNAVAILABLE && !isfinite(s->center.num))
		s->center = value_missing("not a finite number", NULL);
	if (!s->bounded || s->center.state == VALUE_UNAVAILABLE)
		s->lo = s->hi = s->level = NAN;
	if (s->n == 0)
		s->mean = s->min = s->median = s->max = NAN;
	if (s->n < 2)
		s->sd = NAN;
}

static void summary_settle(void *row)
{
	struct summary *s = row;
	s->bounded = isfinite(s->lo) && isfinite(s->hi);
	summary_tidy(s);
}

static const struct field_shape summary_shape =
	SHAPE(summary, .tidy = summary_tidy, .settle = summary_settle);

static const struct field comparison_fields[] = {
	MEMBER(comparison, VARIANT, a),
	MEMBER(comparison, VARIANT, b),
	MEMBER(comparison, METRIC, metric),
	NAMED(comparison, UNIT, "unit", metric),
	MEMBER(comparison, BOOL, primary),
	MEMBER(comparison, BOOL, aa),
	MEMBER(comparison, BOOL, interleaved),
	MEMBER(comparison, SIZE, n),
	MEMBER(comparison, SIZE, m),
	MEMBER(comparison, VALUE, ratio),
	MEMBER(comparison, NUM, lo),
	MEMBER(comparison, NUM, hi),
	MEMBER(comparison, NUM, level),
	MEMBER(comparison, VALUE, diff),
	MEMBER(comparison, NUM, diff_lo),
	MEMBER(comparison, NUM, diff_hi),
	MEMBER(comparison, NUM, p),
	MEMBER(comparison, NUM, p_holm),
	MEMBER(comparison, VERDICT, verdict),
	MEMBER(comparison, NUM, provable),
	MEMBER(comparison, NUM, lag1),
	MEMBER(comparison, NUM_NONE, plan_effect),
	MEMBER(comparison, NUM_NONE, plan_runs),
	MEMBER(comparison, TEXT_OPT, method),
	MEMBER(comparison, TEXT_OPT, what),
};

static void comparison_tidy(void *row)
{
	struct comparison *c = row;
	if (!record_ratio_bounded(c))
		c->lo = c->hi = NAN;
	if (!record_diff_bounded(c))
		c->diff_lo = c->diff_hi = NAN;
}

static const struct field_shape comparison_shape =
	SHAPE(comparison, .tidy = comparison_tidy, .settle = comparison_tidy);

static const struct field gate_fields[] = {
	MEMBER(gate, TEXT, text),
	MEMBER(gate, METRIC, metric),
	MEMBER(gate, VARIANT, b),
	MEMBER(gate, NUM, limit),
	MEMBER(gate, BOOL, violated),
	MEMBER(gate, BOOL, decided),
};
static const struct field_shape gate_shape = SHAPE(gate);

static const struct field finding_fields[] = {
	MEMBER(finding, TEXT, id),
	WORD(finding, ENUM, "severity", severity, record_severity_words),
	MEMBER(finding, VARIANT_OPT, variant),
	MEMBER(finding, NUM3, num),
	MEMBER(finding, TEXT_OPT, name),
};
static const struct field_shape finding_shape = SHAPE(finding);

static const struct field own_cost_fields[] = {
	MEMBER(own_cost, NUM, cpu_ns),
	MEMBER(own_cost, NUM, peak_bytes),
	MEMBER(own_cost, NUM, window_wakeups),
	MEMBER(own_cost, NUM, window_ns),
};
static const struct field_shape own_cost_shape = SHAPE(own_cost);

/* Members of the record itself that the file groups as "tool". */
static const struct field tool_fields[] = {
	{ .key = "name", .kind = FIELD_CONST, .text = "leat" },
	MEMBER(record, TEXT_OPT, version),
};
static const struct field_shape tool_shape = { tool_fields, LT_COUNT(tool_fields), 0, NULL, NULL };

#define ROWS(key_, shape_, max_)                                                        \
	{                                                                               \
		.key = #key_, .kind = FIELD_ROWS, .off = offsetof(struct record, key_), \
		.off_n = offsetof(struct record, n_##key_), .shape = &shape_##_shape,   \
		.max = (max_)                                                           \
	}
#define GROWING(key_, shape_)                                                             \
	{                                                                                 \
		.key = #key_, .kind = FIELD_ROWS, .off = offsetof(struct record, key_),   \
		.off_n = offsetof(struct record, n_##key_),                               \
		.off_cap = offsetof(struct record, cap_##key_), .shape = &shape_##_shape, \
		.max = RECORD_MAX_ROWS                                                    \
	}

static const struct field record_fields[] = {
	{ .key = "format", .kind = FIELD_CONST, .text = "leat-record" },
	{ .key = "version", .kind = FIELD_FORMAT },
	{ .key = "tool", .kind = FIELD_SHAPE, .shape = &tool_shape },
	MEMBER(record, BOOL, partial),
	PART(record, machine, machine_shape),
	PART(record, plan, plan_shape),
	ROWS(variants, variant, RECORD_MAX_VARIANTS),
	ROWS(metrics, metric, RECORD_MAX_METRICS),
	GROWING(trials, trial),
	GROWING(summaries, summary),
	GROWING(comparisons, comparison),
	GROWING(gates, gate),
	{ .key = "program",
		.kind = FIELD_SHAPE_OPT,
		.off = offsetof(struct record, program),
		.shape = &field_program },
	{ .key = "ledgers", .kind = FIELD_EMPTY },
	GROWING(findings, finding),
	PART(record, own, own_cost_shape),
};
const struct field_shape field_record = SHAPE(record);
