/* SPDX-License-Identifier: MIT */
/* Lines of router.conf: sections, keys and values into the tables of sections.c. */
#include <stdio.h>
#include <string.h>

#include "router/conf/reader.h"

static bool is_blank(char c)
{
	return c == ' ' || c == '\t' || c == '\r';
}

/* Cuts the comment and the blanks on both sides. */
static char *trim(char *line)
{
	for (char *p = line; *p; p++) {
		if (*p == '#' && (p == line || is_blank(p[-1]))) {
			*p = '\0';
			break;
		}
	}
	while (is_blank(*line))
		line++;
	size_t len = strlen(line);
	while (len && is_blank(line[len - 1]))
		line[--len] = '\0';
	return line;
}

/* ---- sections ---- */

static int finish_section(struct conf_reader *r)
{
	const struct conf_section *section = r->section;
	if (!section)
		return 0;
	int rc = section->finish ? section->finish(r, r->object) : 0;
	for (size_t i = 0; i < section->n_keys && !rc; i++) {
		const struct conf_key *key = &section->keys[i];
		if (!r->set_in[i] || !key->applies || key->applies(r->object))
			continue;
		conf_say(r, r->set_in[i], "LT-CONF-NEEDS", "%s means nothing without '%s'",
			key->name, key->needs);
		rc = lt_hint(r->err, "remove this line, or write '%s'", key->needs);
	}
	r->section = NULL;
	return rc;
}

static int set_defaults(struct conf_reader *r, const struct conf_section *section, void *object)
{
	int rc = 0;
	for (size_t i = 0; i < section->n_keys && !rc; i++)
		if (section->keys[i].fallback)
			rc = section->keys[i].type->parse(
				r, &section->keys[i], object, section->keys[i].fallback);
	return rc;
}

static int fail_section(struct conf_reader *r, const char *text)
{
	char known[200] = "";
	size_t used = 0;
	for (size_t i = 0; i < conf_n_sections; i++)
		used += (size_t)snprintf(known + used, sizeof(known) - used, "%s[%s%s]",
			i ? ", " : "", conf_sections[i].name,
			conf_sections[i].named ? " NAME" : "");
	conf_say(r, r->line, "LT-CONF-SECTION", "there is no section '%.60s'", text);
	return lt_hint(r->err, "the sections are %s", known);
}

/* Names become names of files and words of other lines. */
static bool is_name(const char *text)
{
	size_t len =
		strspn(text, "abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789._:@-");
	return len && !text[len] && len <= CONF_NAME_MAX && text[0] != '.' && text[0] != '-';
}

static int open_section(struct conf_reader *r, char *text)
{
	size_t len = strlen(text);
	if (text[len - 1] != ']') {
		conf_say(r, r->line, "LT-CONF-SYNTAX", "section '%.60s' has no ']'", text);
		return lt_hint(r->err, "end it in ']', with nothing behind");
	}
	text[len - 1] = '\0';
	char *kind = trim(text + 1);
	char *name = kind + strcspn(kind, " \t");
	if (*name)
		*name++ = '\0';
	name = trim(name);
	size_t i = 0;
	while (i < conf_n_sections && strcmp(conf_sections[i].name, kind))
		i++;
	if (i == conf_n_sections)
		return fail_section(r, kind);
	const struct conf_section *section = &conf_sections[i];
	if (!section->named && *name) {
		conf_say(r, r->line, "LT-CONF-SECTION", "section [%s] takes no name", kind);
		return lt_hint(r->err, "write [%s]", kind);
	}
	if (section->named && !is_name(name)) {
		conf_say(r, r->line, "LT-CONF-SECTION", "'%.60s' is not a name of an %s", name,
			kind);
		return lt_hint(r->err,
			"write [%s NAME], with 1 to %d letters, digits or any of . _ : @ -, "
			"and no . or - in front",
			kind, CONF_NAME_MAX);
	}
	if (!section->named && r->opened_in[i]) {
		conf_say(r, r->line, "LT-CONF-TWICE", "section [%s] began in line %u already", kind,
			r->opened_in[i]);
		return lt_hint(r->err, "put all its keys into one section");
	}
	int rc = section->open(r, name, &r->object);
	if (!rc && section->named)
		rc = set_defaults(r, section, r->object);
	r->opened_in[i] = r->line;
	r->section = section;
	memset(r->set_in, 0, sizeof(r->set_in));
	return rc;
}

/* ---- keys ---- */

static int fail_key(struct conf_reader *r, const char *name)
{
	char known[300] = "";
	size_t used = 0;
	for (size_t i = 0; i < r->section->n_keys && used < sizeof(known) - 40; i++)
		used += (size_t)snprintf(known + used, sizeof(known) - used, "%s%s", i ? ", " : "",
			r->section->keys[i].name);
	conf_say(r, r->line, "LT-CONF-KEY", "section [%s] has no key '%.60s'", r->section->name,
		name);
	return lt_hint(r->err, "its keys are %s", known);
}

static int read_key(struct conf_reader *r, char *line)
{
	char *equals = strchr(line, '=');
	if (!equals) {
		conf_say(r, r->line, "LT-CONF-SYNTAX", "'%.60s' is neither a section nor a key",
			line);
		return lt_hint(r->err, "write [SECTION], or KEY = VALUE");
	}
	*equals = '\0';
	const char *name = trim(line), *value = trim(equals + 1);
	if (!r->section) {
		conf_say(r, r->line, "LT-CONF-SYNTAX", "key '%.60s' stands before any section",
			name);
		return lt_hint(r->err, "begin a section before it, such as [interface eth0]");
	}
	size_t i = 0;
	while (i < r->section->n_keys && strcmp(r->section->keys[i].name, name))
		i++;
	if (i == r->section->n_keys)
		return fail_key(r, name);
	const struct conf_key *key = &r->section->keys[i];
	if (r->set_in[i] && !key->many) {
		conf_say(r, r->line, "LT-CONF-TWICE", "%s is set in line %u already", name,
			r->set_in[i]);
		return lt_hint(r->err, "remove one of the two lines");
	}
	r->set_in[i] = r->line;
	return *value ? key->type->parse(r, key, r->object, value) : conf_bad_value(r, key, value);
}

static int read_line(struct conf_reader *r, char *line)
{
	line = trim(line);
	if (!*line)
		return 0;
	if (*line != '[')
		return read_key(r, line);
	int rc = finish_section(r);
	return rc ? rc : open_section(r, line);
}

/* What no class claims goes to best-effort where no other class is the default; where no section
 * describes that, it is as if one of only its name stood at the end. */
static int find_default_class(struct conf_reader *r)
{
	struct conf *conf = r->conf;
	char line[] = "[class best-effort]";
	for (size_t i = 0; i < conf->n_classes; i++)
		if (conf->classes[i].is_default)
			return 0;
	for (size_t i = 0; i < conf->n_classes; i++)
		if (!strcmp(conf->classes[i].name, "best-effort")) {
			conf->classes[i].is_default = true;
			return 0;
		}
	if (conf->n_classes == CONF_MAX_CLASSES) {
		conf_say(r, r->line, "LT-CONF-LIMIT", "%d classes, and none is the default",
			CONF_MAX_CLASSES);
		return lt_hint(r->err, "write default = yes in one of them");
	}
	int rc = open_section(r, line);
	if (!rc)
		conf->classes[conf->n_classes - 1].is_default = true;
	return rc ? rc : finish_section(r);
}

int conf_read_lines(struct conf_reader *r, char *text)
{
	int rc = 0;
	for (size_t i = 0; i < conf_n_sections && !rc; i++) {
		void *object;
		if (conf_sections[i].named)
			continue;
		rc = conf_sections[i].open(r, NULL, &object);
		if (!rc)
			rc = set_defaults(r, &conf_sections[i], object);
	}
	for (char *line = text; line && !rc;) {
		char *next = strchr(line, '\n');
		if (next)
			*next++ = '\0';
		r->line++;
		rc = read_line(r, line);
		line = next;
	}
	if (!rc)
		rc = finish_section(r);
	return rc ? rc : find_default_class(r);
}
