/* SPDX-License-Identifier: GPL-2.0-or-later */
/* The tables of evidence: what one run under observation showed. */
#include "record/evidence.h"
#include "record/field_macros.h"
#include "record/record_json.h"

static const struct field evidence_source_fields[] = {
	WORD(evidence_source, ENUM, "tier", tier, record_tier_words),
	MEMBER(evidence_source, TEXT_OPT, how),
	MEMBER(evidence_source, TEXT_OPT, reason),
	MEMBER(evidence_source, TEXT_OPT, hint),
	MEMBER(evidence_source, NUM, lost),
};
static const struct field_shape evidence_source_shape = SHAPE(evidence_source);

/* Members of struct evidence that the file groups as "sources". */
#define SOURCE(key_, fact)                                       \
	{                                                        \
		.key = (key_), .kind = FIELD_SHAPE,              \
		.off = offsetof(struct evidence, sources) +      \
			(fact) * sizeof(struct evidence_source), \
		.shape = &evidence_source_shape                  \
	}
static const struct field sources_fields[] = {
	SOURCE("waits", EVIDENCE_WAITS),
	SOURCE("samples", EVIDENCE_SAMPLES),
	SOURCE("kernel", EVIDENCE_KERNEL),
	SOURCE("lines", EVIDENCE_LINES),
	SOURCE("cores", EVIDENCE_CORES),
	SOURCE("faults", EVIDENCE_FAULTS),
	SOURCE("sites", EVIDENCE_SITES),
};
static const struct field_shape sources_shape = { sources_fields, LT_COUNT(sources_fields), 0, NULL,
	NULL };

static const struct field evidence_frame_fields[] = {
	MEMBER(evidence_frame, TEXT_OPT, object),
	MEMBER(evidence_frame, TEXT_OPT, function),
	MEMBER(evidence_frame, TEXT_OPT, file),
	MEMBER(evidence_frame, UINT, line),
	MEMBER(evidence_frame, U64, offset),
};
static const struct field_shape evidence_frame_shape = SHAPE(evidence_frame);

static const struct field evidence_site_fields[] = {
	MEMBER(evidence_site, UINT, call),
	ROWS(evidence_site, frames, evidence_frame, RECORD_MAX_PARTS),
};
static const struct field_shape evidence_site_shape = SHAPE(evidence_site);

static const struct field evidence_group_fields[] = {
	MEMBER(evidence_group, TEXT, name),
	MEMBER(evidence_group, TEXT_OPT, process),
	MEMBER(evidence_group, TEXT_OPT, start),
	MEMBER(evidence_group, BOOL, main),
	MEMBER(evidence_group, UINT, threads),
	MEMBER(evidence_group, VALUE, run_ns),
	MEMBER(evidence_group, VALUE, queue_ns),
	MEMBER(evidence_group, VALUE, blocked_ns),
	MEMBER(evidence_group, VALUE, voluntary),
	MEMBER(evidence_group, VALUE, involuntary),
};
static const struct field_shape evidence_group_shape = SHAPE(evidence_group);

static const struct field evidence_wait_fields[] = {
	MEMBER(evidence_wait, UINT, group),
	WORD(evidence_wait, ENUM, "op", op, record_op_words),
	MEMBER(evidence_wait, TEXT_OPT, syscall),
	MEMBER(evidence_wait, TEXT_OPT, detail),
	MEMBER(evidence_wait, U64, key),
	MEMBER(evidence_wait, U64, process),
	MEMBER(evidence_wait, UINT, threads),
	MEMBER(evidence_wait, NUM, count),
	MEMBER(evidence_wait, NUM, total_ns),
	MEMBER(evidence_wait, NUM_NONE, max_ns),
	MEMBER(evidence_wait, BOOL, uninterruptible),
	MEMBER(evidence_wait, INT, site),
};
static const struct field_shape evidence_wait_shape = SHAPE(evidence_wait);

static const struct field evidence_sample_fields[] = {
	MEMBER(evidence_sample, UINT, group),
	WORD(evidence_sample, ENUM, "op", op, record_op_words),
	MEMBER(evidence_sample, TEXT_OPT, syscall),
	MEMBER(evidence_sample, NUM, n),
	MEMBER(evidence_sample, NUM, ns),
	MEMBER(evidence_sample, NUM, alone_ns),
	MEMBER(evidence_sample, NUM, frozen_ns),
	MEMBER(evidence_sample, NUM, pause_ns),
	MEMBER(evidence_sample, NUM, locked_ns),
	MEMBER(evidence_sample, NUM, entry_ns),
	MEMBER(evidence_sample, NUM, fresh_ns),
	MEMBER(evidence_sample, INT, site),
};
static const struct field_shape evidence_sample_shape = SHAPE(evidence_sample);

static const struct field evidence_access_fields[] = {
	MEMBER(evidence_access, UINT, group),
	MEMBER(evidence_access, U64, thread),
	MEMBER(evidence_access, UINT, offset),
	MEMBER(evidence_access, UINT, size),
	MEMBER(evidence_access, BOOL, write),
	MEMBER(evidence_access, BOOL, locked),
	MEMBER(evidence_access, NUM, n),
	MEMBER(evidence_access, INT, site),
};
static const struct field_shape evidence_access_shape = SHAPE(evidence_access);

static const struct field evidence_line_fields[] = {
	MEMBER(evidence_line, U64, address),
	MEMBER(evidence_line, U64, process),
	MEMBER(evidence_line, NUM, n),
	MEMBER(evidence_line, NUM, share),
	MEMBER(evidence_line, NUM, locked),
	MEMBER(evidence_line, UINT, threads),
	MEMBER(evidence_line, UINT, writers),
	MEMBER(evidence_line, BOOL, overlap),
	MEMBER(evidence_line, TEXT_OPT, object),
	MEMBER(evidence_line, TEXT_OPT, symbol),
	MEMBER(evidence_line, U64, symbol_off),
	MEMBER(evidence_line, INT, allocated),
	MEMBER(evidence_line, BOOL, first_touch),
	ROWS(evidence_line, accesses, evidence_access, RECORD_MAX_PARTS),
};
static const struct field_shape evidence_line_shape = SHAPE(evidence_line);

static const struct field evidence_fault_fields[] = {
	MEMBER(evidence_fault, UINT, group),
	MEMBER(evidence_fault, NUM, n),
	MEMBER(evidence_fault, INT, site),
};
static const struct field_shape evidence_fault_shape = SHAPE(evidence_fault);

static const struct field evidence_core_fields[] = {
	MEMBER(evidence_core, NUM, ns),
};
static const struct field_shape evidence_core_shape = SHAPE(evidence_core);

static const struct field evidence_fields[] = {
	MEMBER(evidence, VARIANT, variant),
	MEMBER(evidence, UINT, threads),
	MEMBER(evidence, UINT, cpus),
	MEMBER(evidence, NUM, elapsed_ns),
	MEMBER(evidence, VALUE, user_ns),
	MEMBER(evidence, VALUE, sys_ns),
	MEMBER(evidence, VALUE, voluntary),
	MEMBER(evidence, VALUE, involuntary),
	MEMBER(evidence, VALUE, minor_faults),
	MEMBER(evidence, VALUE, major_faults),
	MEMBER(evidence, VALUE, peak_bytes),
	MEMBER(evidence, VALUE, foreign_ns),
	PART(evidence, outcome, field_outcome),
	MEMBER(evidence, NUM_NONE, sample_ns),
	MEMBER(evidence, NUM, own_cpu_ns),
	MEMBER(evidence, UINT, processes),
	MEMBER(evidence, UINT, peak_threads),
	{ .key = "sources", .kind = FIELD_SHAPE, .shape = &sources_shape },
	ROWS(evidence, sites, evidence_site, RECORD_MAX_PARTS),
	ROWS(evidence, groups, evidence_group, RECORD_MAX_PARTS),
	ROWS(evidence, waits, evidence_wait, RECORD_MAX_PARTS),
	ROWS(evidence, samples, evidence_sample, RECORD_MAX_PARTS),
	ROWS(evidence, lines, evidence_line, RECORD_MAX_PARTS),
	ROWS(evidence, faults, evidence_fault, RECORD_MAX_PARTS),
	ROWS(evidence, cores, evidence_core, RECORD_MAX_PARTS),
};
const struct field_shape field_evidence = SHAPE(evidence);
