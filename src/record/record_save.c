/* SPDX-License-Identifier: GPL-2.0-or-later */
/* A record to JSON: a walk over the tables of fields.c. */
#include <assert.h>
#include <inttypes.h>
#include <math.h>
#include <stdio.h>
#include <string.h>

#include "base/jsonw.h"
#include "record/fields.h"
#include "record/record_json.h"

struct saver {
	struct lt_jsonw w;
	const struct record *rec;
};

/* A number that is not finite cannot be in the file: it becomes what it is, missing. */
static struct value only_finite(struct value v)
{
	if (v.state != VALUE_UNAVAILABLE && !isfinite(v.num))
		return value_missing("not a finite number", NULL);
	return v;
}

static void save_value(struct lt_jsonw *w, const char *key, struct value v)
{
	v = only_finite(v);
	if (v.state == VALUE_MEASURED && !v.reason && !v.hint) {
		lt_jsonw_num(w, key, v.num);
		return;
	}
	lt_jsonw_open(w, key, '{', true);
	lt_jsonw_str(w, "state", record_word(&record_state_words, v.state));
	if (v.state != VALUE_UNAVAILABLE)
		lt_jsonw_num(w, "num", v.num);
	lt_jsonw_str(w, "reason", v.reason);
	lt_jsonw_str(w, "hint", v.hint);
	lt_jsonw_close(w);
}

static void save_bits(
	struct lt_jsonw *w, const char *key, const struct record_words *words, unsigned bits)
{
	lt_jsonw_open(w, key, '[', true);
	for (unsigned i = 0; i < words->n; i++)
		if (bits >> i & 1)
			lt_jsonw_str(w, NULL, words->words[i]);
	lt_jsonw_close(w);
}

static void save_readings(struct saver *s, const char *key, const struct value *readings)
{
	lt_jsonw_open(&s->w, key, '{', true);
	for (size_t i = 0; i < s->rec->n_metrics; i++)
		save_value(&s->w, s->rec->metrics[i].name, readings[i]);
	lt_jsonw_close(&s->w);
}

/* {"threads": "4"} */
static void save_levels(struct saver *s, const char *key, const char *const *levels)
{
	lt_jsonw_open(&s->w, key, '{', true);
	for (size_t i = 0; levels && i < s->rec->n_factors; i++)
		lt_jsonw_str(&s->w, s->rec->factors[i].name, levels[i]);
	lt_jsonw_close(&s->w);
}

static void save_texts(struct saver *s, const char *key, const char *const *texts, size_t n)
{
	lt_jsonw_open(&s->w, key, '[', true);
	for (size_t i = 0; i < n; i++)
		lt_jsonw_str(&s->w, NULL, texts[i]);
	lt_jsonw_close(&s->w);
}

static void save_shape(struct saver *s, const char *key, const struct field_shape *shape,
	const void *base, bool flat);

static void save_rows(struct saver *s, const struct field *f, const void *base)
{
	const char *rows = *(const char *const *)field_get(base, f->off);
	size_t n = *(const size_t *)field_get(base, f->off_n);
	lt_jsonw_open(&s->w, f->key, '[', false);
	for (size_t i = 0; i < n; i++)
		save_shape(s, NULL, f->shape, rows + i * f->shape->size, true);
	lt_jsonw_close(&s->w);
}

static void save_field(struct saver *s, const struct field *f, const void *base)
{
	struct lt_jsonw *w = &s->w;
	const struct record *rec = s->rec;
	const void *p = field_get(base, f->off);
	switch (f->kind) {
	case FIELD_FORMAT:
		lt_jsonw_int(w, f->key, RECORD_FORMAT_VERSION);
		break;
	case FIELD_CONST:
		lt_jsonw_str(w, f->key, f->text);
		break;
	case FIELD_EMPTY:
		lt_jsonw_open(w, f->key, '{', true);
		lt_jsonw_close(w);
		break;
	case FIELD_TEXT: {
		const char *text = *(const char *const *)p;
		lt_jsonw_str(w, f->key, text ? text : "");
		break;
	}
	case FIELD_TEXT_OPT:
		lt_jsonw_str(w, f->key, *(const char *const *)p);
		break;
	case FIELD_BOOL:
		lt_jsonw_bool(w, f->key, *(const bool *)p);
		break;
	case FIELD_UINT:
		lt_jsonw_int(w, f->key, *(const unsigned *)p);
		break;
	case FIELD_SIZE:
		lt_jsonw_int(w, f->key, (int64_t) * (const size_t *)p);
		break;
	case FIELD_INT:
		lt_jsonw_int(w, f->key, *(const int *)p);
		break;
	case FIELD_I64:
		lt_jsonw_int(w, f->key, *(const int64_t *)p);
		break;
	case FIELD_U64: {
		char text[24];
		snprintf(text, sizeof(text), "%" PRIu64, *(const uint64_t *)p);
		lt_jsonw_str(w, f->key, text);
		break;
	}
	case FIELD_NUM:
		lt_jsonw_num(w, f->key, *(const double *)p);
		break;
	case FIELD_NUM_NONE: {
		double num = *(const double *)p;
		lt_jsonw_num(w, f->key, num == 0 ? NAN : num);
		break;
	}
	case FIELD_NUM_UNREAD: {
		double num = *(const double *)p;
		lt_jsonw_num(w, f->key, num < 0 ? NAN : num);
		break;
	}
	case FIELD_NUM3:
		lt_jsonw_open(w, f->key, '[', true);
		for (int i = 0; i < 3; i++)
			lt_jsonw_num(w, NULL, ((const double *)p)[i]);
		lt_jsonw_close(w);
		break;
	case FIELD_ENUM:
		lt_jsonw_str(w, f->key, record_word(f->words, *(const unsigned *)p));
		break;
	case FIELD_BITS:
		save_bits(w, f->key, f->words, *(const unsigned *)p);
		break;
	case FIELD_VARIANT:
		lt_jsonw_str(w, f->key, rec->variants[*(const unsigned *)p].name);
		break;
	case FIELD_VARIANT_OPT: {
		int i = *(const int *)p;
		lt_jsonw_str(w, f->key, i < 0 ? NULL : rec->variants[i].name);
		break;
	}
	case FIELD_METRIC:
		lt_jsonw_str(w, f->key, rec->metrics[*(const unsigned *)p].name);
		break;
	case FIELD_UNIT:
		lt_jsonw_str(w, f->key, rec->metrics[*(const unsigned *)p].unit);
		break;
	case FIELD_VERDICT: {
		const struct comparison *c = base;
		lt_jsonw_str(w, f->key, record_verdict_word(&rec->metrics[c->metric], c->verdict));
		break;
	}
	case FIELD_VALUE:
		save_value(w, f->key, *(const struct value *)p);
		break;
	case FIELD_STATED: {
		const struct value *v = p;
		lt_jsonw_num(w, f->key, v->state == VALUE_UNAVAILABLE ? NAN : v->num);
		break;
	}
	case FIELD_TEXTS:
		save_texts(s, f->key, *(const char *const *const *)p,
			*(const size_t *)field_get(base, f->off_n));
		break;
	case FIELD_LEVELS:
		save_levels(s, f->key, *(const char *const *const *)p);
		break;
	case FIELD_LEVELS_OF:
		save_levels(s, f->key, rec->variants[*(const unsigned *)p].levels);
		break;
	case FIELD_READINGS:
		save_readings(s, f->key, *(const struct value *const *)p);
		break;
	case FIELD_SHAPE:
		save_shape(s, f->key, f->shape, p, false);
		break;
	case FIELD_SHAPE_OPT: {
		const void *part = *(const void *const *)p;
		if (part)
			save_shape(s, f->key, f->shape, part, false);
		else
			lt_jsonw_null(w, f->key);
		break;
	}
	case FIELD_ROWS:
		save_rows(s, f, base);
		break;
	}
}

static void save_shape(struct saver *s, const char *key, const struct field_shape *shape,
	const void *base, bool flat)
{
	union {
		struct summary summary;
		struct comparison comparison;
	} copy; /* of those that are tidied */
	if (shape->tidy) {
		assert(shape->size <= sizeof(copy));
		memcpy(&copy, base, shape->size);
		shape->tidy(&copy);
		base = &copy;
	}
	lt_jsonw_open(&s->w, key, '{', flat);
	for (size_t i = 0; i < shape->n; i++)
		if (!shape->fields[i].scale || s->rec->scaling)
			save_field(s, &shape->fields[i], base);
	lt_jsonw_close(&s->w);
}

int record_save_json(const struct record *rec, struct lt_buf *out, struct lt_err *err)
{
	int r = record_check(rec, err);
	if (r < 0)
		return r;
	struct saver s = { .w.out = out, .rec = rec };
	save_shape(&s, NULL, &field_record, rec, false);
	return out->failed ? lt_fail_mem(err) : 0;
}
