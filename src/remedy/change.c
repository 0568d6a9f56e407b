/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Changes, as text and as variables. */
#include "remedy/change.h"

#include <string.h>

#include "base/buf.h"

static void add_word(struct lt_buf *buf, const char *word)
{
	lt_buf_addf(buf, "%s%s", buf->len ? " " : "", word);
}

const char *remedy_change_text(const struct remedy_change *change, struct lt_arena *arena)
{
	LT_AUTO_BUF struct lt_buf buf = { 0 };
	for (size_t i = 0; i < change->n_env; i++)
		add_word(&buf, change->env[i]);
	if (change->pinned) {
		const char *list = lt_cpuset_format(&change->pin, arena);
		add_word(&buf, "taskset -c");
		add_word(&buf, list ? list : "?");
	}
	for (size_t i = 0; i < change->n_prefix; i++) {
		const char *slash = i == 0 ? strrchr(change->prefix[i], '/') : NULL;
		add_word(&buf, slash ? slash + 1 : change->prefix[i]);
	}
	if (change->threads)
		lt_buf_addf(&buf, "%s%u thread%s", buf.len ? ", " : "", change->threads,
			change->threads == 1 ? "" : "s");
	return buf.failed || !buf.len ? NULL : lt_arena_strdup(arena, buf.data);
}

/* Variables that hold a list. Where an entry stands twice the loader takes the last tunable,
 * but the first library. */
static const struct {
	const char *name, *separator;
	bool ours_first;
} joined[] = {
	{ "LD_PRELOAD=", ":", true },
	{ "GLIBC_TUNABLES=", ":", false },
	{ "MALLOC_CONF=", ",", false },
};

static const char *join(const char *var, const char *const *had, size_t n, struct lt_arena *arena)
{
	for (size_t k = 0; k < LT_COUNT(joined); k++) {
		size_t len = strlen(joined[k].name);
		if (strncmp(var, joined[k].name, len) != 0)
			continue;
		for (size_t i = n; i-- > 0;) { /* the last one given is the one in force */
			if (strncmp(had[i], joined[k].name, len) != 0)
				continue;
			const char *ours = var + len, *theirs = had[i] + len;
			if (!*theirs)
				return var;
			return lt_arena_printf(arena, "%s%s%s%s", joined[k].name,
				joined[k].ours_first ? ours : theirs, joined[k].separator,
				joined[k].ours_first ? theirs : ours);
		}
	}
	return var;
}

int remedy_change_env(const struct remedy_change *change, const char *const *had, size_t n,
	struct lt_arena *arena, const char **ret, struct lt_err *err)
{
	for (size_t i = 0; i < change->n_env; i++) {
		ret[i] = join(change->env[i], had, n, arena);
		if (!ret[i])
			return lt_fail_mem(err);
	}
	return 0;
}
