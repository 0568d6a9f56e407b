/* SPDX-License-Identifier: GPL-2.0-or-later */
/* LD_PRELOAD, if the loader would heed it. */
#include "remedy/preload.h"

#include "sys/loader.h"

/* Would the loader of this program, if it has one, preload anything? */
static struct remedy_offer heeded(const struct remedy_place *place)
{
	if (!place->program)
		return remedy_ready();
	if (place->file.kind == SYS_PROGRAM_STATIC)
		return remedy_refuse(REMEDY_UNHEARD,
			place->file.go ? "the program is statically linked and made by Go, which "
					 "has an allocator of its own"
				       : "the program is statically linked: nothing can be "
					 "preloaded",
			place->file.go ? NULL : "link it dynamically");
	if (place->file.privileged)
		return remedy_refuse_privileged();
	return remedy_ready();
}

struct remedy_offer preload_offer(const struct remedy_place *place, const char *library,
	const char *package, struct remedy_change *ret)
{
	struct lt_err err = { 0 };
	const char *file = NULL, *program = place->program ? place->program : "/proc/self/exe";
	struct remedy_offer offer = heeded(place);
	if (offer.state != REMEDY_READY)
		return offer;
	if (!place->loader)
		return remedy_refuse(
			REMEDY_MISSING, "no dynamic loader is known that could be asked", NULL);
	if (sys_loader_find(place->loader, program, library, place->arena, &file, &err) < 0)
		return remedy_refuse(REMEDY_MISSING, lt_arena_strdup(place->arena, err.text), NULL);
	if (!file)
		return remedy_refuse(REMEDY_MISSING,
			lt_arena_printf(place->arena, "%s is not installed", library),
			lt_arena_printf(place->arena, "the package %s brings it", package));
	const char *env = lt_arena_printf(place->arena, "LD_PRELOAD=%s", library);
	if (!env)
		return remedy_refuse(REMEDY_MISSING, "out of memory", NULL);
	*ret = (struct remedy_change){ .env = { env }, .n_env = 1, .preload = file };
	return offer;
}
