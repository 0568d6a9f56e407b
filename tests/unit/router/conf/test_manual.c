/* SPDX-License-Identifier: MIT */
/* leat-router.conf(5) describes every key, with its default, and no others. */
#include <fcntl.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <string.h>

#include <cmocka.h>

#include "router/conf/reader.h"
#include "router/node/app.h"

#define PAGE SYSROOT "/../../man/leat-router.conf.5"

static struct lt_buf page;

/* The page's part about a section; its end is cut. */
static char *part_of(const struct conf_section *section)
{
	char head[64];
	snprintf(
		head, sizeof(head), "\n.Ss [%s%s]\n", section->name, section->named ? " NAME" : "");
	const char *begin = strstr(page.data, head);
	if (!begin)
		fail_msg("no part '%s'", head + 1);
	char *part = strdup(begin + strlen(head));
	assert_non_null(part);
	for (char *p = part; (p = strstr(p, "\n.S")); p++)
		if (p[3] == 's' || p[3] == 'h')
			*p = '\0'; /* and the search ends */
	return part;
}

static void every_key_is_described_with_its_default(void **state)
{
	(void)state;
	for (size_t s = 0; s < conf_n_sections; s++) {
		const struct conf_section *section = &conf_sections[s];
		char *part = part_of(section);
		for (size_t k = 0; k < section->n_keys; k++) {
			const struct conf_key *key = &section->keys[k];
			char item[64], value[64];
			snprintf(item, sizeof(item), ".It Sy %s\n", key->name);
			char *entry = strstr(part, item);
			if (!entry)
				fail_msg("[%s] %s is not described", section->name, key->name);
			char *text = strdup(entry + strlen(item));
			assert_non_null(text);
			char *next = strstr(text, "\n.It ");
			if (next)
				*next = '\0';
			snprintf(value, sizeof(value), ".Li %s ",
				key->fallback ? key->fallback : "");
			if (key->fallback && (!strstr(text, "efault") || !strstr(text, value)))
				fail_msg("[%s] %s: its default '%s' is not said", section->name,
					key->name, key->fallback);
			free(text);
		}
		free(part);
	}
}

static void no_other_key_is_described(void **state)
{
	(void)state;
	for (size_t s = 0; s < conf_n_sections; s++) {
		const struct conf_section *section = &conf_sections[s];
		char *part = part_of(section);
		for (const char *p = part; (p = strstr(p, ".It Sy ")); p++) {
			const char *name = p + strlen(".It Sy ");
			size_t len = strcspn(name, "\n"), k = 0;
			while (k < section->n_keys &&
				(strlen(section->keys[k].name) != len ||
					memcmp(section->keys[k].name, name, len)))
				k++;
			if (k == section->n_keys)
				fail_msg("[%s] has no key '%.*s'", section->name, (int)len, name);
		}
		free(part);
	}
}

static void every_application_is_named(void **state)
{
	(void)state;
	for (unsigned app = 1; app < APP_COUNT; app++) {
		const char *name = app_name((enum app)app);
		const char *entry = strstr(page.data, "\n.It Sy content\n");
		assert_non_null(entry);
		const char *there = strstr(entry, name);
		if (!there || there > strstr(entry + 1, "\n.It "))
			fail_msg("'%s' is not in the page", name);
		if (!strstr(conf_type_apps.form, name))
			fail_msg("'%s' is not in the hint", name);
	}
}

static int read_page(void **state)
{
	(void)state;
	int fd = open(PAGE, O_RDONLY | O_CLOEXEC);
	int rc = fd < 0 ? -1 : lt_buf_read_fd(&page, fd, PAGE, 1 << 20, NULL);
	close(fd);
	return rc < 0 ? -1 : 0;
}

static int drop_page(void **state)
{
	(void)state;
	lt_buf_done(&page);
	return 0;
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(every_key_is_described_with_its_default),
		cmocka_unit_test(no_other_key_is_described),
		cmocka_unit_test(every_application_is_named),
	};
	return cmocka_run_group_tests_name("router conf manual", tests, read_page, drop_page);
}
