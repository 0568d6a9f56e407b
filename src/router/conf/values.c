/* SPDX-License-Identifier: MIT */
/* Values of one field, from text and back. */
#include <stdio.h>
#include <string.h>

#include "base/parse.h"
#include "router/conf/reader.h"

static void *field(const struct conf_key *key, void *object)
{
	return (char *)object + key->at;
}

static const void *const_field(const struct conf_key *key, const void *object)
{
	return (const char *)object + key->at;
}

/* ---- numbers ---- */

static int u32_parse(
	struct conf_reader *r, const struct conf_key *key, void *object, const char *text)
{
	uint64_t value;
	if (lt_parse_u64(text, key->name, key->min, key->max, &value, NULL) < 0)
		return conf_bad_value(r, key, text);
	*(uint32_t *)field(key, object) = (uint32_t)value;
	return 0;
}

static void u32_print(const struct conf_key *key, const void *object, struct lt_buf *out)
{
	lt_buf_addf(out, "%s = %u\n", key->name, *(const uint32_t *)const_field(key, object));
}

/* A number, or "unlimited", which is 0. */
static int limit_parse(
	struct conf_reader *r, const struct conf_key *key, void *object, const char *text)
{
	if (strcmp(text, "unlimited"))
		return u32_parse(r, key, object, text);
	*(uint32_t *)field(key, object) = 0;
	return 0;
}

static void limit_print(const struct conf_key *key, const void *object, struct lt_buf *out)
{
	if (*(const uint32_t *)const_field(key, object))
		u32_print(key, object, out);
	else
		lt_buf_addf(out, "%s = unlimited\n", key->name);
}

/* ---- words ---- */

static int bool_parse(
	struct conf_reader *r, const struct conf_key *key, void *object, const char *text)
{
	bool yes = !strcmp(text, "yes");
	if (!yes && strcmp(text, "no"))
		return conf_bad_value(r, key, text);
	*(bool *)field(key, object) = yes;
	return 0;
}

static void bool_print(const struct conf_key *key, const void *object, struct lt_buf *out)
{
	lt_buf_addf(out, "%s = %s\n", key->name,
		*(const bool *)const_field(key, object) ? "yes" : "no");
}

static int word_parse(
	struct conf_reader *r, const struct conf_key *key, void *object, const char *text)
{
	for (unsigned i = 0; key->words[i]; i++) {
		if (!strcmp(key->words[i], text)) {
			memcpy(field(key, object), &i, sizeof(i)); /* an enum */
			return 0;
		}
	}
	return conf_bad_value(r, key, text);
}

static void word_print(const struct conf_key *key, const void *object, struct lt_buf *out)
{
	unsigned i;
	memcpy(&i, const_field(key, object), sizeof(i));
	lt_buf_addf(out, "%s = %s\n", key->name, key->words[i]);
}

/* ---- times ---- */

static int time_parse(
	struct conf_reader *r, const struct conf_key *key, void *object, const char *text)
{
	int64_t ns;
	if (lt_parse_duration_ns(text, key->name, &ns, NULL) < 0 || (uint64_t)ns < key->min ||
		(uint64_t)ns > key->max)
		return conf_bad_value(r, key, text);
	*(uint64_t *)field(key, object) = (uint64_t)ns;
	return 0;
}

static void time_print(const struct conf_key *key, const void *object, struct lt_buf *out)
{
	static const struct {
		uint64_t ns;
		const char *name;
	} units[] = { { 1000000000, "s" }, { 1000000, "ms" }, { 1000, "us" }, { 1, "ns" } };
	uint64_t ns = *(const uint64_t *)const_field(key, object);
	size_t i = 0;
	while (ns % units[i].ns)
		i++;
	lt_buf_addf(out, "%s = %llu%s\n", key->name, (unsigned long long)(ns / units[i].ns),
		units[i].name);
}

/* ---- rates ---- */

/* "100M", "2.5 Gbit/s": a whole number of bits a second; false: it is none. */
static bool rate_from(const char *text, uint64_t *ret_bps)
{
	static const char letters[] = "kMGT";
	uint64_t whole = 0, scale = 1, part = 1;
	const char *p = text;
	bool digits = false;
	for (; *p >= '0' && *p <= '9'; p++, digits = true) {
		if (whole > UINT64_MAX / 100)
			return false;
		whole = whole * 10 + (uint64_t)(*p - '0');
	}
	if (digits && *p == '.')
		for (p++; *p >= '0' && *p <= '9'; p++, part *= 10) {
			if (whole > UINT64_MAX / 100 || part > 1000000000)
				return false;
			whole = whole * 10 + (uint64_t)(*p - '0');
		}
	while (*p == ' ' || *p == '\t')
		p++;
	const char *letter = *p ? strchr(letters, *p) : NULL;
	for (const char *l = letters; letter && l <= letter; l++)
		scale *= 1000;
	p += letter != NULL;
	if (!digits || (*p && strcmp(p, "bit") && strcmp(p, "bit/s")))
		return false;
	unsigned __int128 bits = (unsigned __int128)whole * scale / part;
	*ret_bps = bits > UINT64_MAX ? UINT64_MAX : (uint64_t)bits;
	return true;
}

static void print_rate(uint64_t bps, struct lt_buf *out)
{
	static const char *const units[] = { "", "k", "M", "G", "T" };
	size_t i = 0;
	for (; i + 1 < LT_COUNT(units) && bps % 1000 == 0; i++)
		bps /= 1000;
	lt_buf_addf(out, "%llu%s", (unsigned long long)bps, units[i]);
}

/* "unlimited" is 0. */
static int rate_parse(
	struct conf_reader *r, const struct conf_key *key, void *object, const char *text)
{
	uint64_t bps = 0;
	if (strcmp(text, "unlimited") &&
		(!rate_from(text, &bps) || bps < key->min || bps > key->max))
		return conf_bad_value(r, key, text);
	*(uint64_t *)field(key, object) = bps;
	return 0;
}

static void rate_print(const struct conf_key *key, const void *object, struct lt_buf *out)
{
	uint64_t bps = *(const uint64_t *)const_field(key, object);
	lt_buf_addf(out, "%s = ", key->name);
	if (bps)
		print_rate(bps, out);
	else
		lt_buf_adds(out, "unlimited");
	lt_buf_adds(out, "\n");
}

/* A rate, or a share in percent. */
static int share_parse(
	struct conf_reader *r, const struct conf_key *key, void *object, const char *text)
{
	struct conf_rate rate = { 0 };
	size_t len = strlen(text);
	if (len && text[len - 1] == '%') {
		double share;
		if (lt_parse_fraction(text, key->name, &share, NULL) < 0 || share > 1 ||
			share < 1e-6)
			return conf_bad_value(r, key, text);
		rate.share_ppm = (uint32_t)(share * 1e6 + 0.5);
	} else if (!rate_from(text, &rate.bps) || rate.bps < key->min || rate.bps > key->max) {
		return conf_bad_value(r, key, text);
	}
	*(struct conf_rate *)field(key, object) = rate;
	return 0;
}

static void share_print(const struct conf_key *key, const void *object, struct lt_buf *out)
{
	const struct conf_rate *rate = const_field(key, object);
	if (!rate->share_ppm && !rate->bps)
		return;
	lt_buf_addf(out, "%s = ", key->name);
	if (!rate->share_ppm)
		print_rate(rate->bps, out);
	else if (rate->share_ppm % 10000)
		lt_buf_addf(out, "%u.%04u%%", rate->share_ppm / 10000, rate->share_ppm % 10000);
	else
		lt_buf_addf(out, "%u%%", rate->share_ppm / 10000);
	lt_buf_adds(out, "\n");
}

/* ---- names of files ---- */

static int path_parse(
	struct conf_reader *r, const struct conf_key *key, void *object, const char *text)
{
	const char *path = lt_arena_strdup(&r->conf->arena, text);
	if (!path)
		return conf_no_memory(r);
	*(const char **)field(key, object) = path;
	return 0;
}

static void path_print(const struct conf_key *key, const void *object, struct lt_buf *out)
{
	const char *path = *(const char *const *)const_field(key, object);
	if (path)
		lt_buf_addf(out, "%s = %s\n", key->name, path);
}

const struct conf_type conf_type_u32 = { u32_parse, u32_print, "a whole number", 4 };
const struct conf_type conf_type_limit = { limit_parse, limit_print, "a whole number or unlimited",
	4 };
const struct conf_type conf_type_bool = { bool_parse, bool_print, "yes or no", 0 };
const struct conf_type conf_type_word = { word_parse, word_print, "one of its words", 0 };
const struct conf_type conf_type_time = { time_parse, time_print, "a time such as 30s, 200ms or 2h",
	8 };
const struct conf_type conf_type_rate = { rate_parse, rate_print,
	"a rate such as 100M, 2.5G or unlimited", 8 };
const struct conf_type conf_type_share = { share_parse, share_print,
	"a rate such as 10M, or a share such as 25%", 8 };
const struct conf_type conf_type_path = { path_parse, path_print, "the name of a file", 0 };
