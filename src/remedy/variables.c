/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Environment variables and the files that speak of them. */
#include "remedy/variables.h"

#include <string.h>

static bool is_of_libc(const char *name)
{
	return !strcmp(name, "GLIBC_TUNABLES") || !strncmp(name, "LD_", 3);
}

static bool mentions(const struct remedy_place *place, const char *name)
{
	bool found = sys_program_mentions(place->program, name);
	/* of its loader the maps say nothing until it has been run */
	if (!found && place->file.loader && is_of_libc(name))
		found = sys_program_mentions(place->file.loader, name);
	for (size_t i = 0; i < place->n_maps && !found; i++)
		found = sys_program_mentions(place->maps[i], name);
	return found;
}

struct remedy_offer variables_heard(const struct remedy_place *place, const char *name)
{
	if (!place->program)
		return remedy_ready();
	if (is_of_libc(name) && place->file.privileged)
		return remedy_refuse_privileged();
	if (mentions(place, name))
		return remedy_ready();
	if (place->file.go)
		return remedy_refuse(REMEDY_UNHEARD,
			lt_arena_printf(place->arena,
				"the program is made by Go, which does not read %s", name),
			NULL);
	return remedy_refuse(REMEDY_UNHEARD,
		lt_arena_printf(
			place->arena, "neither the program nor a library of its reads %s", name),
		NULL);
}

static struct remedy_offer any_heard(
	const struct remedy_place *place, const char *const *vars, size_t n)
{
	struct remedy_offer first = remedy_ready();
	for (size_t i = 0; i < n; i++) {
		char *name = lt_arena_strndup(place->arena, vars[i], strcspn(vars[i], "="));
		struct remedy_offer offer = name
			? variables_heard(place, name)
			: remedy_refuse(REMEDY_MISSING, "out of memory", NULL);
		if (offer.state == REMEDY_READY)
			return offer;
		if (i == 0)
			first = offer;
	}
	return first;
}

struct remedy_offer variables_offer(const struct remedy_place *place, const char *const *vars,
	size_t n, struct remedy_change *ret)
{
	struct remedy_offer offer = any_heard(place, vars, n);
	if (offer.state != REMEDY_READY)
		return offer;
	*ret = (struct remedy_change){ .n_env = n };
	memcpy(ret->env, vars, n * sizeof(*vars));
	return offer;
}
