/* SPDX-License-Identifier: GPL-2.0-or-later */
/* How the tables of fields are written down. Inside this room only. */
#ifndef RECORD_FIELD_MACROS_H
#define RECORD_FIELD_MACROS_H

#include "base/own.h"
#include "record/fields.h"

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
/* A member that only records of sweeps have; more of its description may follow. */
#define SCALE(type, kind_, key_, ...)                                                    \
	{                                                                                \
		.key = #key_, .kind = FIELD_##kind_, .off = offsetof(struct type, key_), \
		.scale = true, __VA_ARGS__                                               \
	}
#define LIST(type, member, shape_, max_) \
	.off_n = offsetof(struct type, n_##member), .shape = &shape_##_shape, .max = (max_)
/* A value with its interval: three members. */
#define ESTIMATE(type, member)                                                                 \
	NAMED(type, VALUE, #member, member.value), NAMED(type, NUM, #member "_lo", member.lo), \
		NAMED(type, NUM, #member "_hi", member.hi)
#define SHAPE(type, ...)                                               \
	{                                                              \
		.fields = type##_fields, .n = LT_COUNT(type##_fields), \
		.size = sizeof(struct type), __VA_ARGS__               \
	}
#define ROWS(type, key_, shape_, max_)                                                \
	{                                                                             \
		.key = #key_, .kind = FIELD_ROWS, .off = offsetof(struct type, key_), \
		LIST(type, key_, shape_, max_)                                        \
	}
/* Rows that can grow. */
#define GROWING_LIST(type, member, shape_) \
	LIST(type, member, shape_, RECORD_MAX_ROWS), .off_cap = offsetof(struct type, cap_##member)
#define GROWING(type, key_, shape_)                                                   \
	{                                                                             \
		.key = #key_, .kind = FIELD_ROWS, .off = offsetof(struct type, key_), \
		GROWING_LIST(type, key_, shape_)                                      \
	}

#endif
