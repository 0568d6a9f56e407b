/* SPDX-License-Identifier: MIT */
/* A configuration from a file or from memory, and what all its readers share. */
#include "router/conf/conf.h"

#include <fcntl.h>
#include <stdarg.h>
#include <stdio.h>
#include <string.h>

#include "router/conf/reader.h"

enum {
	MAX_FILE = 64 << 20
};

void conf_say(const struct conf_reader *r, unsigned line, const char *id, const char *fmt, ...)
{
	char text[480];
	va_list ap;
	va_start(ap, fmt);
	vsnprintf(text, sizeof(text), fmt, ap);
	va_end(ap);
	lt_err_set(r->err, -EINVAL, id, "%.150s:%u: %s", r->name, line, text);
}

int conf_no_memory(const struct conf_reader *r)
{
	return lt_fail_mem(r->err);
}

/* " from 68 to 65535" */
static void add_range(const struct conf_key *key, struct lt_buf *out)
{
	struct conf_key bare = *key;
	bare.at = 0;
	for (int i = 0; i < 2; i++) {
		uint64_t limit = i ? key->max : key->min;
		union {
			uint32_t u32;
			uint64_t u64;
			struct conf_rate rate;
		} value = { 0 };
		if (key->type->size == sizeof(value.u32))
			value.u32 = (uint32_t)limit;
		else
			value.u64 = limit;
		LT_AUTO_BUF struct lt_buf line = { 0 };
		key->type->print(&bare, &value, &line);
		size_t skip = strlen(key->name) + strlen(" = ");
		if (!line.failed && line.len > skip)
			lt_buf_addf(out, " %s %.*s", i ? "to" : "from", (int)(line.len - skip - 1),
				line.data + skip);
	}
}

int conf_bad_value(const struct conf_reader *r, const struct conf_key *key, const char *text)
{
	char words[160] = "";
	size_t used = 0;
	for (size_t i = 0; key->words && key->words[i]; i++)
		used += (size_t)snprintf(
			words + used, sizeof(words) - used, "%s%s", i ? " or " : "", key->words[i]);
	LT_AUTO_BUF struct lt_buf range = { 0 };
	if (key->type->size)
		add_range(key, &range);
	conf_say(r, r->line, "LT-CONF-VALUE", "%s: '%.80s' is not %s%s", key->name, text,
		key->words ? words : key->type->form, range.data ? range.data : "");
	return lt_hint(r->err, "write it as in %s = %s", key->name,
		key->words ? key->words[0] : key->example);
}

unsigned conf_set_in(const struct conf_reader *r, const char *key)
{
	size_t i = 0;
	while (i < r->section->n_keys && strcmp(r->section->keys[i].name, key))
		i++;
	return i < r->section->n_keys ? r->set_in[i] : 0;
}

void conf_note(const struct conf_reader *r, unsigned line, const char *fmt, ...)
{
	char text[300];
	va_list ap;
	va_start(ap, fmt);
	vsnprintf(text, sizeof(text), fmt, ap);
	va_end(ap);
	lt_one_line(text);
	lt_buf_addf(&r->conf->notes, "%s:%u: %s\n", r->name, line, text);
}

void *conf_push(struct conf *conf, void *array, size_t *n, size_t size)
{
	char *items;
	memcpy(&items, array, sizeof(items));
	if ((*n & (*n - 1)) == 0) { /* full: rooms for 1, 2, 4, 8, ... */
		char *more = lt_arena_alloc(&conf->arena, (*n ? 2 * *n : 1) * size);
		if (!more)
			return NULL;
		if (*n)
			memcpy(more, items, *n * size);
		items = more;
		memcpy(array, &items, sizeof(items));
	}
	return items + (*n)++ * size;
}

int conf_find_nic(const struct conf *conf, const char *name)
{
	for (size_t i = 0; i < conf->n_nics; i++)
		if (!strcmp(conf->nics[i].name, name))
			return (int)i;
	return -1;
}

void conf_free(struct conf *conf)
{
	if (!conf)
		return;
	lt_buf_done(&conf->notes);
	lt_arena_done(&conf->arena);
	free(conf);
}

/* Only text, so that errors can quote it. */
static int check_bytes(struct conf_reader *r, const char *text, size_t len)
{
	unsigned line = 1;
	for (size_t i = 0; i < len; i++) {
		unsigned char c = (unsigned char)text[i];
		line += c == '\n';
		if (c >= 0x20 ? c != 0x7f : c == '\n' || c == '\t' || c == '\r')
			continue;
		conf_say(r, line, "LT-CONF-SYNTAX", "byte 0x%02x is not text", c);
		return lt_hint(r->err, "is this a router.conf? If so, remove the byte");
	}
	return 0;
}

static int read_text(struct conf_reader *r, const char *text, size_t len)
{
	int rc = check_bytes(r, text, len);
	if (rc < 0)
		return rc;
	LT_AUTO_FREE char *copy = malloc(len + 1);
	if (!copy)
		return conf_no_memory(r);
	memcpy(copy, text, len);
	copy[len] = '\0';
	rc = conf_read_lines(r, copy);
	if (!rc)
		rc = conf_settle(r);
	return !rc && (r->conf->arena.failed || r->conf->notes.failed) ? conf_no_memory(r) : rc;
}

int conf_parse(
	const char *text, size_t len, const char *name, struct conf **ret_conf, struct lt_err *err)
{
	struct conf *conf = calloc(1, sizeof(*conf));
	struct lt_err none = { 0 };
	if (!conf)
		return lt_fail_mem(err);
	struct conf_reader r = { .conf = conf, .name = name, .err = err ? err : &none };
	conf->name = lt_arena_strdup(&conf->arena, name);
	int rc = conf->name ? read_text(&r, text, len) : conf_no_memory(&r);
	if (rc < 0)
		conf_free(conf);
	else
		*ret_conf = conf;
	return rc;
}

int conf_load(const char *path, struct conf **ret_conf, struct lt_err *err)
{
	bool std = !strcmp(path, "-");
	LT_AUTO_CLOSE int fd = std ? dup(0) : open(path, O_RDONLY | O_CLOEXEC);
	if (fd < 0) {
		int rc = lt_fail_sys(
			err, "LT-CONF-OPEN", "cannot open configuration '%.200s'", path);
		lt_err_set_hint(
			err, "leat-router.conf(5) describes the file; examples/router.conf is one");
		return rc;
	}
	LT_AUTO_BUF struct lt_buf text = { 0 };
	const char *name = std ? "stdin" : path;
	struct lt_err why = { 0 };
	int rc = lt_buf_read_fd(&text, fd, name, MAX_FILE, &why);
	if (rc < 0) {
		rc = lt_fail(err, rc, "LT-CONF-OPEN", "configuration: %s", why.text);
		lt_err_set_hint(err, "name a file as leat-router.conf(5) describes it");
		return rc;
	}
	return conf_parse(text.data ? text.data : "", text.len, name, ret_conf, err);
}
