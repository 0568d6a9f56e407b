/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Building the program's environment. */
#include "run/environment.h"

#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

/* Do "NAME=..." and "NAME=..." speak of the same variable? */
static bool same_name(const char *a, const char *b)
{
	size_t len = strcspn(a, "=");
	return !strncmp(a, b, len) && b[len] == '=';
}

static void put(char **list, size_t *n, char *var)
{
	for (size_t i = 0; i < *n; i++) {
		if (same_name(var, list[i])) {
			list[i] = var;
			return;
		}
	}
	list[(*n)++] = var;
}

int environment_open(
	struct environment *env, const char *const *changes, size_t n_changes, struct lt_err *err)
{
	size_t n = 0;
	while (environ && environ[n])
		n++;
	env->list = calloc(n + n_changes + 3, sizeof(*env->list));
	if (!env->list)
		return lt_fail_mem(err);
	memcpy(env->pad, "LEAT_PAD=", sizeof("LEAT_PAD="));
	for (size_t i = 0; i < n; i++)
		if (!same_name(env->pad, environ[i]))
			env->list[env->n++] = environ[i];
	for (size_t i = 0; i < n_changes; i++) {
		const char *eq = strchr(changes[i], '=');
		if (!eq || eq == changes[i])
			return lt_fail(
				err, -EINVAL, "LT-ENV", "'%.80s' is not NAME=VALUE", changes[i]);
		put(env->list, &env->n, (char *)changes[i]);
	}
	put(env->list, &env->n, env->pad); /* leat's own, whatever --env says of it */
	return 0;
}

const char *environment_get(const struct environment *env, const char *name)
{
	size_t len = strlen(name);
	for (size_t i = 0; i < env->n; i++)
		if (!strncmp(env->list[i], name, len) && env->list[i][len] == '=')
			return env->list[i] + len + 1;
	return NULL;
}

int environment_set_own(
	struct environment *env, const char *name, const char *value, struct lt_err *err)
{
	if (asprintf(&env->own, "%s=%s", name, value) >= 0)
		return 0;
	env->own = NULL;
	return lt_fail_mem(err);
}

void environment_close(struct environment *env)
{
	free(env->list);
	free(env->with);
	free(env->own);
	env->list = env->with = NULL;
	env->own = NULL;
	env->n = 0;
}

char *const *environment_list(struct environment *env, size_t pad, bool own)
{
	env->list[env->n] = own ? env->own : NULL;
	char *value = env->pad + strlen("LEAT_PAD=");
	memset(value, 'x', pad);
	value[pad] = '\0';
	return env->list;
}

char *const *environment_with(
	struct environment *env, size_t pad, const char *const *changes, size_t n_changes)
{
	char *const *list = environment_list(env, pad, true);
	if (!n_changes)
		return list;
	char **with = realloc(env->with, (env->n + n_changes + 2) * sizeof(*with));
	if (!with)
		return NULL;
	env->with = with;
	size_t n = env->n + (env->own != NULL);
	memcpy(with, list, n * sizeof(*with));
	for (size_t i = 0; i < n_changes; i++)
		put(with, &n, (char *)changes[i]);
	with[n] = NULL;
	return with;
}
