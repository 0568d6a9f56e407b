/* SPDX-License-Identifier: GPL-2.0-or-later */
/* The JSON form of what a program tells of itself: fields.c for the parts of program.h. */
#include "record/fields.h"

#include "base/own.h"
#include "record/program.h"
#include "record/record_json.h"

#define MEMBER(kind_, key_)                                                                     \
	{                                                                                       \
		.key = #key_, .kind = FIELD_##kind_, .off = offsetof(struct program_part, key_) \
	}
#define OF(kind_, key_)                                                                        \
	{                                                                                      \
		.key = (key_), .kind = FIELD_##kind_, .off = offsetof(struct program_part, of) \
	}
#define VALUE(kind_, name_, unit_, how_)                  \
	{ .key = #name_,                                  \
		.kind = FIELD_VALUE,                      \
		.off = offsetof(struct program_part, v) + \
			PROGRAM_##kind_##_##name_ * sizeof(struct value) },
#define HEAD MEMBER(VARIANT, variant), MEMBER(TEXT, process), MEMBER(TEXT, name), MEMBER(NUM, count)
#define SHAPE(kind)                                                               \
	static const struct field_shape kind##_shape = { .fields = kind##_fields, \
		.n = LT_COUNT(kind##_fields),                                     \
		.size = sizeof(struct program_part) }

static const struct field process_fields[] = { HEAD };
static const struct field thread_fields[] = { HEAD, OF(TEXT_OPT, "queue"),
	PROGRAM_THREAD_VALUES(VALUE) };
static const struct field module_fields[] = { HEAD, OF(TEXT_OPT, "thread"),
	PROGRAM_MODULE_VALUES(VALUE) };
static const struct field queue_fields[] = { HEAD, PROGRAM_QUEUE_VALUES(VALUE) };
static const struct field pool_fields[] = { HEAD, PROGRAM_POOL_VALUES(VALUE) };
static const struct field pipeline_fields[] = { HEAD, OF(TEXT_OPT, "thread"),
	PROGRAM_PIPELINE_VALUES(VALUE) };
static const struct field stage_fields[] = { HEAD, OF(TEXT_OPT, "pipeline"),
	PROGRAM_STAGE_VALUES(VALUE) };
static const struct field counter_fields[] = { HEAD, OF(TEXT_OPT, "unit"), MEMBER(BOOL, chosen),
	PROGRAM_COUNTER_VALUES(VALUE) };
static const struct field region_fields[] = { HEAD, MEMBER(BOOL, chosen),
	PROGRAM_REGION_VALUES(VALUE) };

SHAPE(process);
SHAPE(thread);
SHAPE(module);
SHAPE(queue);
SHAPE(pool);
SHAPE(pipeline);
SHAPE(stage);
SHAPE(counter);
SHAPE(region);

#define PARTS(kind_, key_, shape_)                                                                \
	{                                                                                         \
		.key = (key_), .kind = FIELD_ROWS,                                                \
		.off = offsetof(struct program, kinds) + (kind_) * sizeof(struct program_parts) + \
			offsetof(struct program_parts, list),                                     \
		.off_n = offsetof(struct program, kinds) +                                        \
			(kind_) * sizeof(struct program_parts) +                                  \
			offsetof(struct program_parts, n),                                        \
		.off_cap = offsetof(struct program, kinds) +                                      \
			(kind_) * sizeof(struct program_parts) +                                  \
			offsetof(struct program_parts, cap),                                      \
		.shape = &(shape_), .max = RECORD_MAX_ROWS                                        \
	}

static const struct field program_fields[] = {
	PARTS(PROGRAM_PROCESSES, "processes", process_shape),
	PARTS(PROGRAM_THREADS, "threads", thread_shape),
	PARTS(PROGRAM_MODULES, "modules", module_shape),
	PARTS(PROGRAM_QUEUES, "queues", queue_shape),
	PARTS(PROGRAM_POOLS, "pools", pool_shape),
	PARTS(PROGRAM_PIPELINES, "pipelines", pipeline_shape),
	PARTS(PROGRAM_STAGES, "stages", stage_shape),
	PARTS(PROGRAM_COUNTERS, "counters", counter_shape),
	PARTS(PROGRAM_REGIONS, "regions", region_shape),
};
const struct field_shape field_program = {
	.fields = program_fields, .n = LT_COUNT(program_fields), .size = sizeof(struct program)
};
