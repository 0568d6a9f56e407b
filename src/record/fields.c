/* SPDX-License-Identifier: GPL-2.0-or-later */
/* The tables: every struct of the record, member by member, in the order of the file. */
#include "record/fields.h"

#include <math.h>

#include "record/evidence.h"
#include "record/field_macros.h"
#include "record/record_json.h"

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
	{ .key = "factors",
		.kind = FIELD_LEVELS,
		.scale = true,
		.off = offsetof(struct variant, levels) },
	SCALE(variant, TEXT_OPT, remedy),
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
const struct field_shape field_outcome = SHAPE(outcome);

static const struct field trial_fields[] = {
	MEMBER(trial, VARIANT, variant),
	MEMBER(trial, UINT, block),
	MEMBER(trial, UINT, order),
	MEMBER(trial, BOOL, warmup),
	MEMBER(trial, BOOL, evidence),
	MEMBER(trial, BOOL, kept),
	MEMBER(trial, I64, at_ns),
	MEMBER(trial, NUM_NONE, work),
	PART(trial, outcome, field_outcome),
	MEMBER(trial, READINGS, readings),
	SCALE(trial, U64, out_hash),
	SCALE(trial, U64, out_text),
};
static const struct field_shape trial_shape = SHAPE(trial);

static const struct field summary_fields[] = {
	MEMBER(summary, VARIANT, variant),
	NAMED(summary, LEVELS_OF, "factors", variant),
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

static const struct field finding_place_fields[] = {
	MEMBER(finding_place, TEXT_OPT, role),
	MEMBER(finding_place, TEXT_OPT, thread),
	MEMBER(finding_place, TEXT_OPT, function),
	MEMBER(finding_place, TEXT_OPT, object),
	MEMBER(finding_place, TEXT_OPT, file),
	MEMBER(finding_place, UINT, line),
	MEMBER(finding_place, TEXT_OPT, data),
	MEMBER(finding_place, NUM, offset),
};
static const struct field_shape finding_place_shape = SHAPE(finding_place);

static const struct field finding_fact_fields[] = {
	MEMBER(finding_fact, TEXT, name),
	MEMBER(finding_fact, TEXT, unit),
	NAMED(finding_fact, VALUE, "value", num),
};
static const struct field_shape finding_fact_shape = SHAPE(finding_fact);

static const struct field finding_fields[] = {
	MEMBER(finding, TEXT, id),
	WORD(finding, ENUM, "severity", severity, record_severity_words),
	MEMBER(finding, VARIANT_OPT, variant),
	MEMBER(finding, NUM3, num),
	MEMBER(finding, TEXT_OPT, name),
	SCALE(finding, NUM, share),
	SCALE(finding, ENUM, confidence, .words = &record_confidence_words),
	SCALE(finding, TEXT_OPT, confirm),
	SCALE(finding, ROWS, where, LIST(finding, where, finding_place, RECORD_MAX_PARTS)),
	SCALE(finding, ROWS, facts, LIST(finding, facts, finding_fact, RECORD_MAX_PARTS)),
};
static const struct field_shape finding_shape = SHAPE(finding);

static const struct field factor_fields[] = {
	MEMBER(factor, TEXT, name),
	WORD(factor, ENUM, "how", how, record_how_words),
	MEMBER(factor, TEXT_OPT, variables),
	MEMBER(factor, BOOL, pinned),
	{ .key = "levels",
		.kind = FIELD_TEXTS,
		.off = offsetof(struct factor, levels),
		.off_n = offsetof(struct factor, n_levels),
		.max = RECORD_MAX_VARIANTS },
};
static const struct field_shape factor_shape = SHAPE(factor);

static const struct field core_check_fields[] = {
	MEMBER(core_check, UINT, checks),
	MEMBER(core_check, UINT, failed),
	MEMBER(core_check, NUM, asked),
	MEMBER(core_check, NUM, given),
	MEMBER(core_check, NUM_NONE, wide),
};
static const struct field_shape core_check_shape = SHAPE(core_check);

static const struct field one_cpu_fields[] = {
	MEMBER(one_cpu, VARIANT_OPT, variant),
	ESTIMATE(one_cpu, ratio),
	NAMED(one_cpu, VALUE, "cpu_ratio", cpu),
};
static const struct field_shape one_cpu_shape = SHAPE(one_cpu);

static const struct field scaling_fields[] = {
	MEMBER(scaling, TEXT_OPT, command),
	MEMBER(scaling, NUM, cpus),
	MEMBER(scaling, UINT, allowed),
	MEMBER(scaling, NUM_NONE, quota),
	MEMBER(scaling, VARIANT_OPT, baseline),
	MEMBER(scaling, VARIANT_OPT, focus),
	WORD(scaling, ENUM, "mode", mode, record_mode_words),
	MEMBER(scaling, TEXT_OPT, mode_why),
	WORD(scaling, ENUM, "verdict", verdict, record_scale_words),
	MEMBER(scaling, BOOL, busy),
	PART(scaling, check, core_check_shape),
	MEMBER(scaling, UINT, rounds_end),
	WORD(scaling, ENUM, "law", law, record_law_words),
	MEMBER(scaling, TEXT_OPT, law_why),
	MEMBER(scaling, SIZE, law_points),
	ESTIMATE(scaling, sigma),
	ESTIMATE(scaling, kappa),
	ESTIMATE(scaling, serial),
	MEMBER(scaling, VALUE, lambda),
	MEMBER(scaling, VALUE, best_cpus),
	MEMBER(scaling, VALUE, most),
	PART(scaling, one_cpu, one_cpu_shape),
};
static const struct field_shape scaling_shape = SHAPE(scaling);

static const struct field curve_point_fields[] = {
	MEMBER(curve_point, VARIANT, variant),
	MEMBER(curve_point, UINT, threads),
	NAMED(curve_point, LEVELS_OF, "factors", variant),
	MEMBER(curve_point, TEXT_OPT, remedy),
	MEMBER(curve_point, BOOL, over),
	MEMBER(curve_point, SIZE, n),
	MEMBER(curve_point, NUM, given_up_ns),
	MEMBER(curve_point, NUM, work),
	ESTIMATE(curve_point, wall_ns),
	ESTIMATE(curve_point, rate),
	ESTIMATE(curve_point, speedup),
	ESTIMATE(curve_point, efficiency),
	MEMBER(curve_point, VALUE, user_ns),
	MEMBER(curve_point, VALUE, system_ns),
	MEMBER(curve_point, VALUE, cores),
	MEMBER(curve_point, VALUE, peak_bytes),
};
static const struct field_shape curve_point_shape = SHAPE(curve_point);

static const struct field ledger_line_fields[] = {
	WORD(ledger_line, ENUM, "part", part, record_part_words),
	MEMBER(ledger_line, TEXT_OPT, group),
	MEMBER(ledger_line, TEXT_OPT, op),
	MEMBER(ledger_line, TEXT_OPT, function),
	MEMBER(ledger_line, TEXT_OPT, object),
	MEMBER(ledger_line, TEXT_OPT, file),
	MEMBER(ledger_line, UINT, line),
	MEMBER(ledger_line, NUM, core_ns),
	MEMBER(ledger_line, TEXT_OPT, tier),
};
static const struct field_shape ledger_line_shape = SHAPE(ledger_line);

static const struct field cores_used_fields[] = {
	MEMBER(cores_used, UINT, cores),
	MEMBER(cores_used, NUM, ns),
};
static const struct field_shape cores_used_shape = SHAPE(cores_used);

static const struct field time_ledger_fields[] = {
	MEMBER(time_ledger, VARIANT, variant),
	MEMBER(time_ledger, UINT, threads),
	MEMBER(time_ledger, NUM, cores),
	MEMBER(time_ledger, NUM, wall_ns),
	MEMBER(time_ledger, NUM, useful_ns),
	MEMBER(time_ledger, NUM, lost_ns),
	MEMBER(time_ledger, NUM, user_ns),
	MEMBER(time_ledger, NUM, system_ns),
	MEMBER(time_ledger, NUM, idle_ns),
	MEMBER(time_ledger, NUM, unexplained_ns),
	SCALE(time_ledger, ROWS, lines, LIST(time_ledger, lines, ledger_line, RECORD_MAX_PARTS)),
	SCALE(time_ledger, ROWS, used, LIST(time_ledger, used, cores_used, RECORD_MAX_PARTS)),
	MEMBER(time_ledger, TEXT_OPT, used_tier),
};
static const struct field_shape time_ledger_shape = SHAPE(time_ledger);

static const struct field remedy_result_fields[] = {
	MEMBER(remedy_result, TEXT, name),
	MEMBER(remedy_result, TEXT_OPT, change),
	MEMBER(remedy_result, VARIANT_OPT, variant),
	WORD(remedy_result, ENUM, "verdict", verdict, record_remedy_words),
	MEMBER(remedy_result, BOOL, best),
	MEMBER(remedy_result, TEXT_OPT, reason),
	MEMBER(remedy_result, TEXT_OPT, hint),
	MEMBER(remedy_result, SIZE, n),
	NAMED(remedy_result, VALUE, "ratio", ratio.value),
	NAMED(remedy_result, NUM, "lo", ratio.lo),
	NAMED(remedy_result, NUM, "hi", ratio.hi),
	MEMBER(remedy_result, NUM_NONE, level),
	MEMBER(remedy_result, NUM, p),
	MEMBER(remedy_result, NUM, p_holm),
	MEMBER(remedy_result, VALUE, peak),
	MEMBER(remedy_result, VALUE, peak_without),
};
static const struct field_shape remedy_result_shape = SHAPE(remedy_result);

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

static const struct field record_fields[] = {
	{ .key = "format", .kind = FIELD_CONST, .text = "leat-record" },
	{ .key = "version", .kind = FIELD_FORMAT },
	{ .key = "tool", .kind = FIELD_SHAPE, .shape = &tool_shape },
	MEMBER(record, BOOL, partial),
	PART(record, machine, machine_shape),
	PART(record, plan, plan_shape),
	SCALE(record, ROWS, factors, LIST(record, factors, factor, RECORD_MAX_FACTORS)),
	ROWS(record, variants, variant, RECORD_MAX_VARIANTS),
	ROWS(record, metrics, metric, RECORD_MAX_METRICS),
	SCALE(record, SHAPE_OPT, scaling, .shape = &scaling_shape),
	GROWING(record, trials, trial),
	GROWING(record, summaries, summary),
	GROWING(record, comparisons, comparison),
	GROWING(record, gates, gate),
	SCALE(record, ROWS, curve, GROWING_LIST(record, curve, curve_point)),
	{ .key = "program",
		.kind = FIELD_SHAPE_OPT,
		.off = offsetof(struct record, program),
		.shape = &field_program },
	{ .key = "ledgers", .kind = FIELD_EMPTY },
	SCALE(record, SHAPE_OPT, ledger, .shape = &time_ledger_shape),
	GROWING(record, findings, finding),
	SCALE(record, ROWS, evidence, .off_n = offsetof(struct record, n_evidence),
		.off_cap = offsetof(struct record, cap_evidence), .shape = &field_evidence,
		.max = RECORD_MAX_EVIDENCE),
	SCALE(record, ROWS, remedies, GROWING_LIST(record, remedies, remedy_result)),
	PART(record, own, own_cost_shape),
};
const struct field_shape field_record = SHAPE(record);
