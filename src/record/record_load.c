/* SPDX-License-Identifier: GPL-2.0-or-later */
/* JSON to a record: a walk over the tables of fields.c that believes nothing. Every member
 * must be there, of its type and in its range; names become indexes only when they are
 * known; memory is bounded by the size of the file. */
#include <inttypes.h>
#include <limits.h>
#include <math.h>
#include <stdio.h>
#include <string.h>

#include "base/json.h"
#include "record/fields.h"
#include "record/record_json.h"

enum {
	WHERE_SIZE = 320,
	CACHE_SIZE = 64,
};

struct loader {
	struct record *rec;
	struct lt_err *err;
	bool scale;                    /* the file is the record of a sweep */
	const char *cache[CACHE_SIZE]; /* texts seen lately: reasons repeat in every trial */
};

#define BAD(l, where, key, ...) bad((l)->err, (where), (key), __VA_ARGS__)

/* "FILE: .trials[3].outcome.code " and what is wrong with it. */
static int LT_PRINTF(4, 5)
	bad(struct lt_err *err, const char *where, const char *key, const char *fmt, ...)
{
	char text[256];
	va_list ap;
	va_start(ap, fmt);
	vsnprintf(text, sizeof(text), fmt, ap);
	va_end(ap);
	return lt_fail(err, -EINVAL, "LT-RECORD-MEMBER", "%s.%.80s %s", where, key, text);
}

static int keep_text(struct loader *l, const char *text, const char **ret)
{
	uint32_t hash = 2166136261u;
	for (const char *c = text; *c; c++)
		hash = (hash ^ (unsigned char)*c) * 16777619u;
	const char **slot = &l->cache[hash % CACHE_SIZE];
	if (!*slot || strcmp(*slot, text) != 0) {
		const char *copy = lt_arena_strdup(&l->rec->arena, text);
		if (!copy)
			return lt_fail_mem(l->err);
		*slot = copy;
	}
	*ret = *slot;
	return 0;
}

static int load_text(
	struct loader *l, const json_t *obj, const char *where, const char *key, const char **ret)
{
	const char *text = NULL;
	int r = lt_json_get_str(obj, where, key, &text, l->err);
	return r < 0 ? r : keep_text(l, text, ret);
}

static int load_text_opt(
	struct loader *l, const json_t *obj, const char *where, const char *key, const char **ret)
{
	*ret = NULL;
	return json_is_null(json_object_get(obj, key)) ? 0 : load_text(l, obj, where, key, ret);
}

static int load_int(struct loader *l, const json_t *obj, const char *where, const char *key,
	int64_t min, int64_t max, int64_t *ret)
{
	json_t *j = NULL;
	int r = lt_json_get(obj, where, key, JSON_INTEGER, &j, l->err);
	if (r < 0)
		return r;
	int64_t v = json_integer_value(j);
	if (v < min || v > max)
		return BAD(l, where, key, "is %" PRId64 ", not between %" PRId64 " and %" PRId64, v,
			min, max);
	*ret = v;
	return 0;
}

/* `none` is what null stands for. */
static int load_num(struct loader *l, const json_t *obj, const char *where, const char *key,
	double none, double *ret)
{
	const json_t *j = json_object_get(obj, key);
	if (!json_is_null(j))
		return lt_json_get_num(obj, where, key, ret, l->err);
	*ret = none;
	return 0;
}

static int load_u64(
	struct loader *l, const json_t *obj, const char *where, const char *key, uint64_t *ret)
{
	const char *text = NULL;
	int r = lt_json_get_str(obj, where, key, &text, l->err);
	if (r < 0)
		return r;
	uint64_t v = strtoull(text, NULL, 10);
	char same[24];
	snprintf(same, sizeof(same), "%" PRIu64, v);
	if (strcmp(same, text) != 0)
		return BAD(l, where, key, "is '%.40s', not a whole number of 64 bits", text);
	*ret = v;
	return 0;
}

static int load_word(struct loader *l, const json_t *obj, const char *where, const char *key,
	const struct record_words *words, unsigned *ret)
{
	const char *text = NULL;
	int r = lt_json_get_str(obj, where, key, &text, l->err);
	if (r < 0)
		return r;
	int i = record_word_find(words, text);
	if (i < 0)
		return BAD(l, where, key, "is '%.40s', not one of '%s' ... '%s'", text,
			words->words[0], words->words[words->n - 1]);
	*ret = (unsigned)i;
	return 0;
}

static int load_bits(struct loader *l, const json_t *obj, const char *where, const char *key,
	const struct record_words *words, unsigned *ret)
{
	json_t *list = NULL;
	int r = lt_json_get(obj, where, key, JSON_ARRAY, &list, l->err);
	if (r < 0)
		return r;
	size_t i;
	json_t *item;
	unsigned bits = 0;
	json_array_foreach(list, i, item) {
		const char *text = json_string_value(item);
		int bit = text ? record_word_find(words, text) : -1;
		if (bit < 0)
			return BAD(l, where, key, "holds '%.40s', not one of '%s' ... '%s'",
				text ? text : "no string", words->words[0],
				words->words[words->n - 1]);
		bits |= 1u << bit;
	}
	*ret = bits;
	return 0;
}

/* The index of a variant or metric by its name. */
static int load_name(struct loader *l, const json_t *obj, const char *where, const char *key,
	int (*find)(const struct record *, const char *), const char *what, unsigned *ret)
{
	const char *text = NULL;
	int r = lt_json_get_str(obj, where, key, &text, l->err);
	if (r < 0)
		return r;
	int i = find(l->rec, text);
	if (i < 0)
		return BAD(l, where, key, "is '%.80s', but there is no such %s", text, what);
	*ret = (unsigned)i;
	return 0;
}

static int load_num3(
	struct loader *l, const json_t *obj, const char *where, const char *key, double *ret)
{
	json_t *list = NULL;
	int r = lt_json_get(obj, where, key, JSON_ARRAY, &list, l->err);
	if (r < 0)
		return r;
	if (json_array_size(list) != 3)
		return BAD(l, where, key, "holds %zu numbers, not 3", json_array_size(list));
	for (size_t i = 0; i < 3; i++) {
		const json_t *item = json_array_get(list, i);
		if (!json_is_number(item) && !json_is_null(item))
			return BAD(l, where, key, "holds what is neither a number nor null");
		ret[i] = json_is_null(item) ? NAN : json_number_value(item);
	}
	return 0;
}

static int known_members(
	struct loader *l, const json_t *obj, const char *where, const struct field_shape *shape);

static const struct field value_fields[] = {
	{ .key = "state", .kind = FIELD_ENUM },
	{ .key = "num", .kind = FIELD_NUM },
	{ .key = "reason", .kind = FIELD_TEXT_OPT },
	{ .key = "hint", .kind = FIELD_TEXT_OPT },
};
static const struct field_shape value_available = { value_fields, 4, 0, NULL, NULL };

static int load_value(
	struct loader *l, const json_t *obj, const char *where, const char *key, struct value *ret)
{
	const json_t *j = json_object_get(obj, key);
	if (json_is_number(j)) {
		*ret = value_of(json_number_value(j));
		return 0;
	}
	if (!json_is_object(j))
		return BAD(l, where, key, j ? "is neither a number nor an object" : "is missing");
	char inner[WHERE_SIZE];
	snprintf(inner, sizeof(inner), "%.220s.%.80s", where, key);
	unsigned state = VALUE_UNAVAILABLE;
	struct value v = { 0 };
	int r = load_word(l, j, inner, "state", &record_state_words, &state);
	v.state = state;
	if (r == 0 && state != VALUE_UNAVAILABLE)
		r = lt_json_get_num(j, inner, "num", &v.num, l->err);
	else if (r == 0 && json_object_get(j, "num"))
		r = BAD(l, inner, "num", "is there, but the value is unavailable");
	if (r == 0)
		r = load_text_opt(l, j, inner, "reason", &v.reason);
	if (r == 0)
		r = load_text_opt(l, j, inner, "hint", &v.hint);
	if (r == 0)
		r = known_members(l, j, inner, &value_available);
	*ret = v;
	return r;
}

static int load_readings(
	struct loader *l, const json_t *obj, const char *where, const char *key, struct value **ret)
{
	const struct record *rec = l->rec;
	json_t *readings = NULL;
	int r = lt_json_get(obj, where, key, JSON_OBJECT, &readings, l->err);
	if (r < 0)
		return r;
	/* As many as metrics, each by its name: so none is missing and none unknown. This
	 * also bounds the memory by the file. */
	if (json_object_size(readings) != rec->n_metrics)
		return BAD(l, where, key, "holds %zu members, but there are %zu metrics",
			json_object_size(readings), rec->n_metrics);
	struct value *values =
		lt_arena_alloc(&l->rec->arena, (rec->n_metrics + 1) * sizeof(*values));
	if (!values)
		return lt_fail_mem(l->err);
	char inner[WHERE_SIZE];
	snprintf(inner, sizeof(inner), "%.220s.%s", where, key);
	for (size_t i = 0; i < rec->n_metrics && r == 0; i++)
		r = load_value(l, readings, inner, rec->metrics[i].name, &values[i]);
	*ret = values;
	return r;
}

static int load_shape(struct loader *l, const json_t *obj, const char *where,
	const struct field_shape *shape, void *base);

static int load_rows(
	struct loader *l, const json_t *obj, const char *where, const struct field *f, void *base)
{
	json_t *list = NULL;
	int r = lt_json_get(obj, where, f->key, JSON_ARRAY, &list, l->err);
	if (r < 0)
		return r;
	size_t n = json_array_size(list);
	if (n > f->max)
		return lt_fail(l->err, -EFBIG, "LT-RECORD-LIMIT",
			"%s.%s holds %zu entries, more than %zu", where, f->key, n, f->max);
	if (n == 0)
		return 0;
	char *rows = lt_arena_alloc(&l->rec->arena, n * f->shape->size);
	if (!rows)
		return lt_fail_mem(l->err);
	*(void **)field_at(base, f->off) = rows;
	if (f->off_cap)
		*(size_t *)field_at(base, f->off_cap) = n;
	for (size_t i = 0; i < n; i++) {
		char inner[WHERE_SIZE];
		snprintf(inner, sizeof(inner), "%.220s.%s[%zu]", where, f->key, i);
		const json_t *item = json_array_get(list, i);
		if (!json_is_object(item))
			return lt_fail(
				l->err, -EINVAL, "LT-RECORD-MEMBER", "%s is not an object", inner);
		r = load_shape(l, item, inner, f->shape, rows + i * f->shape->size);
		if (r < 0)
			return r;
		/* One by one: a name is found only once its row is complete. */
		*(size_t *)field_at(base, f->off_n) = i + 1;
	}
	return 0;
}

static int load_texts(
	struct loader *l, const json_t *obj, const char *where, const struct field *f, void *base)
{
	json_t *list = NULL;
	int r = lt_json_get(obj, where, f->key, JSON_ARRAY, &list, l->err);
	if (r < 0)
		return r;
	size_t n = json_array_size(list);
	if (n > f->max)
		return BAD(l, where, f->key, "holds %zu texts, more than %zu", n, f->max);
	const char **texts = lt_arena_alloc(&l->rec->arena, (n + 1) * sizeof(*texts));
	if (!texts)
		return lt_fail_mem(l->err);
	for (size_t i = 0; i < n && r == 0; i++) {
		const char *text = json_string_value(json_array_get(list, i));
		r = text ? keep_text(l, text, &texts[i])
			 : BAD(l, where, f->key, "holds what is no string");
	}
	*(const char ***)field_at(base, f->off) = texts;
	*(size_t *)field_at(base, f->off_n) = n;
	return r;
}

/* One member per factor of the record, a level of it. */
static int load_levels(
	struct loader *l, const json_t *obj, const char *where, const char *key, const char ***ret)
{
	const struct record *rec = l->rec;
	json_t *levels = NULL;
	int r = lt_json_get(obj, where, key, JSON_OBJECT, &levels, l->err);
	if (r < 0)
		return r;
	*ret = NULL;
	if (json_object_size(levels) == 0)
		return 0;
	if (json_object_size(levels) != rec->n_factors)
		return BAD(l, where, key, "holds %zu members, but there are %zu factors",
			json_object_size(levels), rec->n_factors);
	const char **texts = lt_arena_alloc(&l->rec->arena, (rec->n_factors + 1) * sizeof(*texts));
	if (!texts)
		return lt_fail_mem(l->err);
	char inner[WHERE_SIZE];
	snprintf(inner, sizeof(inner), "%.220s.%s", where, key);
	for (size_t i = 0; i < rec->n_factors && r == 0; i++)
		r = load_text(l, levels, inner, rec->factors[i].name, &texts[i]);
	*ret = texts;
	return r;
}

/* Those of the variant, once more. */
static int load_levels_of(struct loader *l, const json_t *obj, const char *where, const char *key,
	const struct variant *variant)
{
	const char **levels = NULL;
	int r = load_levels(l, obj, where, key, &levels);
	if (r < 0)
		return r;
	bool same = !levels == !variant->levels;
	for (size_t i = 0; levels && same && i < l->rec->n_factors; i++)
		same = !strcmp(levels[i], variant->levels[i]);
	return same ? 0 : BAD(l, where, key, "are not those of variant '%.80s'", variant->name);
}

static int load_const(struct loader *l, const json_t *obj, const char *where, const struct field *f)
{
	const char *text = NULL;
	int r = lt_json_get_str(obj, where, f->key, &text, l->err);
	if (r < 0)
		return r;
	return strcmp(text, f->text) != 0
		? BAD(l, where, f->key, "is '%.40s', not '%s'", text, f->text)
		: 0;
}

static int load_empty(struct loader *l, const json_t *obj, const char *where, const char *key)
{
	json_t *j = NULL;
	int r = lt_json_get(obj, where, key, JSON_OBJECT, &j, l->err);
	if (r < 0)
		return r;
	return json_object_size(j) ? BAD(l, where, key, "has members, but none are known") : 0;
}

static int load_unit(struct loader *l, const json_t *obj, const char *where, const char *key,
	const struct metric *metric)
{
	const char *text = NULL;
	int r = lt_json_get_str(obj, where, key, &text, l->err);
	if (r < 0)
		return r;
	return strcmp(text, metric->unit) != 0
		? BAD(l, where, key, "is '%.40s', but the metric's is '%.40s'", text, metric->unit)
		: 0;
}

static int load_verdict(
	struct loader *l, const json_t *obj, const char *where, const char *key, enum verdict *ret)
{
	const char *text = NULL;
	int r = lt_json_get_str(obj, where, key, &text, l->err);
	if (r < 0)
		return r;
	int i = record_verdict_find(text);
	if (i < 0)
		return BAD(l, where, key, "is '%.40s', not a verdict", text);
	*ret = (enum verdict)i;
	return 0;
}

static int load_variant_opt(
	struct loader *l, const json_t *obj, const char *where, const char *key, int *ret)
{
	unsigned i = 0;
	*ret = -1;
	if (json_is_null(json_object_get(obj, key)))
		return 0;
	int r = load_name(l, obj, where, key, record_variant, "variant", &i);
	if (r == 0)
		*ret = (int)i;
	return r;
}

static int load_part(
	struct loader *l, const json_t *obj, const char *where, const struct field *f, void *base)
{
	json_t *part = NULL;
	char inner[WHERE_SIZE];
	int r = lt_json_get(obj, where, f->key, JSON_OBJECT, &part, l->err);
	if (r < 0)
		return r;
	snprintf(inner, sizeof(inner), "%.220s.%s", where, f->key);
	return load_shape(l, part, inner, f->shape, base);
}

static int load_part_opt(
	struct loader *l, const json_t *obj, const char *where, const struct field *f, void **ret)
{
	*ret = NULL;
	if (json_is_null(json_object_get(obj, f->key)))
		return 0;
	*ret = lt_arena_alloc(&l->rec->arena, f->shape->size);
	return *ret ? load_part(l, obj, where, f, *ret) : lt_fail_mem(l->err);
}

static int load_field(
	struct loader *l, const json_t *obj, const char *where, const struct field *f, void *base)
{
	const char *key = f->key;
	void *p = field_at(base, f->off);
	int64_t i = 0;
	int r = 0;
	switch (f->kind) {
	case FIELD_FORMAT:
		return load_int(
			l, obj, where, key, RECORD_FORMAT_VERSION, RECORD_FORMAT_VERSION, &i);
	case FIELD_CONST:
		return load_const(l, obj, where, f);
	case FIELD_EMPTY:
		return load_empty(l, obj, where, key);
	case FIELD_TEXT:
		return load_text(l, obj, where, key, p);
	case FIELD_TEXT_OPT:
		return load_text_opt(l, obj, where, key, p);
	case FIELD_BOOL:
		return lt_json_get_bool(obj, where, key, p, l->err);
	case FIELD_UINT:
		r = load_int(l, obj, where, key, 0, UINT_MAX, &i);
		*(unsigned *)p = (unsigned)i;
		return r;
	case FIELD_SIZE:
		r = load_int(l, obj, where, key, 0, INT64_C(1) << 53, &i);
		*(size_t *)p = (size_t)i;
		return r;
	case FIELD_INT:
		r = load_int(l, obj, where, key, INT_MIN, INT_MAX, &i);
		*(int *)p = (int)i;
		return r;
	case FIELD_I64:
		return load_int(l, obj, where, key, INT64_MIN, INT64_MAX, p);
	case FIELD_U64:
		return load_u64(l, obj, where, key, p);
	case FIELD_NUM:
		return load_num(l, obj, where, key, NAN, p);
	case FIELD_NUM_NONE:
		return load_num(l, obj, where, key, 0, p);
	case FIELD_NUM_UNREAD:
		return load_num(l, obj, where, key, -1, p);
	case FIELD_NUM3:
		return load_num3(l, obj, where, key, p);
	case FIELD_ENUM:
		return load_word(l, obj, where, key, f->words, p);
	case FIELD_BITS:
		return load_bits(l, obj, where, key, f->words, p);
	case FIELD_VARIANT:
		return load_name(l, obj, where, key, record_variant, "variant", p);
	case FIELD_VARIANT_OPT:
		return load_variant_opt(l, obj, where, key, p);
	case FIELD_METRIC:
		return load_name(l, obj, where, key, record_metric, "metric", p);
	case FIELD_UNIT:
		return load_unit(l, obj, where, key, &l->rec->metrics[*(const unsigned *)p]);
	case FIELD_VERDICT:
		return load_verdict(l, obj, where, key, p);
	case FIELD_VALUE:
		return load_value(l, obj, where, key, p);
	case FIELD_STATED: {
		struct value *v = p;
		if (v->state != VALUE_UNAVAILABLE)
			return lt_json_get_num(obj, where, key, &v->num, l->err);
		if (!json_is_null(json_object_get(obj, key)))
			return BAD(l, where, key, "is not null, but the value is unavailable");
		return 0;
	}
	case FIELD_TEXTS:
		return load_texts(l, obj, where, f, base);
	case FIELD_LEVELS:
		return load_levels(l, obj, where, key, p);
	case FIELD_LEVELS_OF:
		return load_levels_of(l, obj, where, key, &l->rec->variants[*(const unsigned *)p]);
	case FIELD_READINGS:
		return load_readings(l, obj, where, key, p);
	case FIELD_SHAPE:
		return load_part(l, obj, where, f, p);
	case FIELD_SHAPE_OPT:
		return load_part_opt(l, obj, where, f, p);
	case FIELD_ROWS:
		return load_rows(l, obj, where, f, base);
	}
	return -EINVAL;
}

static int known_members(
	struct loader *l, const json_t *obj, const char *where, const struct field_shape *shape)
{
	const char *key;
	json_t *item;
	json_object_foreach((json_t *)obj, key, item) {
		bool known = false;
		for (size_t i = 0; i < shape->n && !known; i++)
			known = !strcmp(shape->fields[i].key, key) &&
				(l->scale || !shape->fields[i].scale);
		if (!known)
			return BAD(l, where, key, "is not a known member");
	}
	return 0;
}

static int load_shape(struct loader *l, const json_t *obj, const char *where,
	const struct field_shape *shape, void *base)
{
	size_t n = 0;
	for (size_t i = 0; i < shape->n; i++) {
		if (shape->fields[i].scale && !l->scale)
			continue;
		int r = load_field(l, obj, where, &shape->fields[i], base);
		if (r < 0)
			return r;
		n++;
	}
	/* All known ones were there, so more members means unknown ones. */
	if (json_object_size(obj) != n)
		return known_members(l, obj, where, shape);
	if (shape->settle)
		shape->settle(base);
	return 0;
}

/* Another program's JSON, or a newer leat's, deserves a better word than "no member". */
static int check_format(const json_t *j, const char *name, struct lt_err *err)
{
	const char *format = json_string_value(json_object_get(j, "format"));
	if (!format || strcmp(format, "leat-record") != 0) {
		lt_err_set(err, -EINVAL, "LT-RECORD-KIND", "%.200s is not a record of leat", name);
		return lt_hint(
			err, "'leat run --json FILE' and 'leat compare --json FILE' make one");
	}
	const json_t *version = json_object_get(j, "version");
	if (json_is_integer(version) && json_integer_value(version) > RECORD_FORMAT_VERSION) {
		lt_err_set(err, -EINVAL, "LT-RECORD-VERSION",
			"%.200s is a record of format %lld; this leat reads up to %d", name,
			(long long)json_integer_value(version), RECORD_FORMAT_VERSION);
		return lt_hint(err, "a newer leat wrote it and can print it");
	}
	return 0;
}

int record_load_json(
	const char *bytes, size_t len, const char *name, struct record **ret, struct lt_err *err)
{
	if (len > RECORD_MAX_BYTES)
		return lt_fail(err, -EFBIG, "LT-RECORD-LIMIT", "%.200s has %zu bytes, more than %d",
			name, len, RECORD_MAX_BYTES);
	LT_AUTO_JSON json_t *j = NULL;
	int r = lt_json_parse(bytes, len, name, &j, err);
	if (r == 0)
		r = check_format(j, name, err);
	if (r < 0)
		return r;
	LT_AUTO_RECORD struct record *rec = record_new();
	if (!rec)
		return lt_fail_mem(err);
	struct loader l = { .rec = rec, .err = err, .scale = json_object_get(j, "scaling") };
	char where[WHERE_SIZE];
	snprintf(where, sizeof(where), "%.200s: ", name);
	r = load_shape(&l, j, where, &field_record, rec);
	if (r < 0)
		return r;
	/* What the walk itself cannot see: two things of one name, an empty name. */
	struct lt_err why;
	if (record_check(rec, &why) < 0)
		return lt_fail(err, why.code, why.id, "%.200s: %s", name, why.text);
	*ret = LT_TAKE(rec);
	return 0;
}
