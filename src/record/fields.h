/* SPDX-License-Identifier: GPL-2.0-or-later */
/* The JSON form of a record as tables: the saver and the loader walk the same ones, so
 * they cannot disagree. Inside this room only. */
#ifndef RECORD_FIELDS_H
#define RECORD_FIELDS_H

#include <stdbool.h>
#include <stddef.h>

#include "record/record.h"
#include "record/words.h"

/* What a member is in C, and its JSON form. Every member is always present, but for those of
 * sweeps. */
enum field_kind {
	FIELD_FORMAT,      /* nothing: the constant RECORD_FORMAT_VERSION */
	FIELD_CONST,       /* nothing: the constant string `text` */
	FIELD_EMPTY,       /* nothing: {} */
	FIELD_TEXTS,       /* an array of const char *, never NULL */
	FIELD_TEXT,        /* const char *; NULL is saved as "" */
	FIELD_TEXT_OPT,    /* const char *; NULL is null */
	FIELD_BOOL,        /* bool */
	FIELD_UINT,        /* unsigned */
	FIELD_SIZE,        /* size_t */
	FIELD_INT,         /* int */
	FIELD_I64,         /* int64_t */
	FIELD_U64,         /* uint64_t: a string of digits, as not every reader has 64 bits */
	FIELD_NUM,         /* double; what is not finite is null */
	FIELD_NUM_NONE,    /* double; 0 stands for none and is null */
	FIELD_NUM_UNREAD,  /* double; negative stands for not read and is null */
	FIELD_NUM3,        /* double[3] */
	FIELD_ENUM,        /* an enum: one of `words` */
	FIELD_BITS,        /* unsigned: array of those of `words` whose bit is set */
	FIELD_VARIANT,     /* unsigned index: the variant's name */
	FIELD_VARIANT_OPT, /* int index; -1 is null */
	FIELD_METRIC,      /* unsigned index: the metric's name */
	FIELD_UNIT,        /* offset of the metric's index: its unit, for the reader */
	FIELD_VERDICT,     /* struct comparison: a word that depends on the metric */
	FIELD_VALUE,       /* struct value: a bare number when simply measured, else an object */
	FIELD_STATED,      /* struct value: its number, null when unavailable; the state has a
			      member of its own */
	FIELD_LEVELS,      /* const char **: the level of each factor of the record, by its name */
	FIELD_LEVELS_OF,   /* offset of a variant's index: its levels, for the reader */
	FIELD_READINGS,    /* struct value *: one member per metric of the record */
	FIELD_SHAPE,       /* a struct inside: `shape` */
	FIELD_SHAPE_OPT,   /* a pointer to one; NULL is null */
	FIELD_ROWS,        /* an array of `shape` */
};

struct field_shape {
	const struct field *fields;
	size_t n;
	size_t size;            /* of the struct */
	void (*tidy)(void *);   /* before saving, on a copy: meaningless numbers become NAN */
	void (*settle)(void *); /* after loading: what follows from the members */
};

struct field {
	const char *key;
	enum field_kind kind;
	bool scale; /* only in the record of a sweep, and there always */
	size_t off;
	const char *text;
	const struct record_words *words;
	const struct field_shape *shape;
	size_t off_n;   /* rows, texts: of their number */
	size_t off_cap; /* rows that can grow: of their room; else 0 */
	size_t max;     /* rows: how many are accepted */
};

/* The struct record itself. */
extern const struct field_shape field_record;
/* Its struct program. */
extern const struct field_shape field_program;

/* Parts of it that have a table of their own, or two places. */
extern const struct field_shape field_outcome, field_evidence;

static inline void *field_at(void *base, size_t off)
{
	return (char *)base + off;
}

static inline const void *field_get(const void *base, size_t off)
{
	return (const char *)base + off;
}

#endif
