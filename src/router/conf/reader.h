/* SPDX-License-Identifier: MIT */
/* How router.conf is read: sections and keys are tables, and what a key's value may be is a type
 * with two functions, from text and back. Inside conf/ only. */
#ifndef ROUTER_CONF_READER_H
#define ROUTER_CONF_READER_H

#include "router/conf/conf.h"

enum {
	CONF_MAX_KEYS = 24,
	CONF_MAX_SECTIONS = 8,
	CONF_NAME_MAX = 31
};

struct conf_section;

struct conf_reader {
	struct conf *conf;
	const char *name; /* of the file */
	unsigned line;
	struct lt_err *err;
	const char *const *nic_names;          /* once all is read */
	const struct conf_section *section;    /* the one that lines belong to */
	void *object;                          /* what its keys fill in */
	unsigned opened_in[CONF_MAX_SECTIONS]; /* line of the last section of this kind; 0: none */
	unsigned set_in[CONF_MAX_KEYS];        /* line that set a key of the section; 0: none did */
	struct conf_raw_route *raw;            /* routes name interfaces that may come later */
	size_t n_raw;
};

struct conf_raw_route {
	const char *text;
	unsigned line;
};

struct conf_key {
	const char *name;
	const struct conf_type *type;
	size_t at; /* where in the section's object; for types of one field */
	uint64_t min, max;
	const char *const *words; /* of type word, in the order of their values; ends in NULL */
	const char *fallback;     /* default, as text; NULL: none, or finish() knows */
	const char *example;
	bool many;                           /* may stand in several lines */
	bool (*applies)(const void *object); /* NULL: always */
	const char *needs;                   /* what would make it apply */
};

struct conf_type {
	/* Puts the value into the object, or fails with file, line and fix. */
	int (*parse)(
		struct conf_reader *r, const struct conf_key *key, void *object, const char *text);
	/* Adds "KEY = VALUE\n" lines; none where the object has no such value. */
	void (*print)(const struct conf_key *key, const void *object, struct lt_buf *out);
	const char *form; /* "a rate such as 100M" */
	size_t size;      /* of a number: 4 or more, with the number first; 0: there is no range */
};

struct conf_section {
	const char *name;
	bool named; /* [NAME something], any number of them */
	const struct conf_key *keys;
	size_t n_keys;
	/* The object to fill in. `name` is "" where the section has none, and NULL to have its
	 * defaults filled in before the file is read. */
	int (*open)(struct conf_reader *r, const char *name, void **ret_object);
	/* After the last key, defaults filled in; may be NULL. */
	int (*finish)(struct conf_reader *r, void *object);
	/* The i-th object of a finished configuration; NULL beyond the last. */
	const void *(*object)(const struct conf *conf, size_t i);
	const char *(*object_name)(const void *object); /* of a named section */
};

extern const struct conf_section conf_sections[];
extern const size_t conf_n_sections;

/* values.c: types of one field */
extern const struct conf_type conf_type_u32, conf_type_limit, conf_type_bool, conf_type_word,
	conf_type_time, conf_type_rate, conf_type_share, conf_type_path;
/* values_nic.c, values_nat.c, values_class.c: types of several lines or several parts */
extern const struct conf_type conf_type_nic_addr, conf_type_nat_addr, conf_type_forward,
	conf_type_ports, conf_type_dscps, conf_type_apps, conf_type_file, conf_type_route;

/* Starts an error about a line; end it with `return lt_hint(r->err, FIX)`. */
void conf_say(const struct conf_reader *r, unsigned line, const char *id, const char *fmt, ...)
	LT_PRINTF(4, 5);
int conf_bad_value(const struct conf_reader *r, const struct conf_key *key, const char *text);
int conf_no_memory(const struct conf_reader *r);

/* The line that set a key of the section being read; 0: none did. */
unsigned conf_set_in(const struct conf_reader *r, const char *key);

/* Legal, but worth a look. */
void conf_note(const struct conf_reader *r, unsigned line, const char *fmt, ...) LT_PRINTF(3, 4);

/* A zeroed element more at the end of an array in the configuration's arena; NULL: out of memory.
 */
void *conf_push(struct conf *conf, void *array, size_t *n, size_t size);

/* lines.c: the text into the configuration, section by section */
int conf_read_lines(struct conf_reader *r, char *text);

/* finish.c: defaults that depend on other keys of the section */
int conf_finish_nat(struct conf_reader *r, void *object);
int conf_finish_class(struct conf_reader *r, void *object);

/* check.c: what only shows once all is read; fills in what depends on it */
int conf_settle(struct conf_reader *r);

#endif
