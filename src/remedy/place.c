/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Looking at the machine and the program, once for all remedies. */
#include <string.h>

#include "remedy/remedy.h"
#include "sys/loader.h"

/* Keeps what an error says, as a reason. */
static const char *reason_of(const struct lt_err *err, struct lt_arena *arena)
{
	const char *text = lt_arena_strdup(arena, err->text);
	return text ? text : "out of memory";
}

static int look_at_program(struct remedy_place *p, const char *program, struct lt_err *err)
{
	struct sys_program own;
	if (program) {
		int r = sys_program_behind(program, p->arena, &p->program, &p->file, err);
		if (r < 0)
			return r;
		if (p->file.kind == SYS_PROGRAM_DYNAMIC)
			p->loader = p->file.loader;
	}
	/* A static program of the same C library knows the same tunables. */
	if (!p->loader && sys_program("/proc/self/exe", p->arena, &own, NULL) == 0)
		p->loader = own.loader;
	return 0;
}

static void ask_loader(struct remedy_place *p)
{
	struct lt_err err = { 0 };
	if (!p->loader)
		p->tunables_why = "no dynamic loader is known that could be asked";
	else if (sys_loader_tunables(p->loader, p->arena, &p->tunables, &err) < 0)
		p->tunables_why = reason_of(&err, p->arena);
}

int remedy_place_open(struct remedy_place *place, int root_fd, struct lt_arena *arena,
	const struct lt_cpuset *allowed, const char *program, struct lt_err *err)
{
	struct lt_err why = { 0 };
	*place = (struct remedy_place){ .root_fd = root_fd, .arena = arena, .allowed = *allowed };
	int r = look_at_program(place, program, err);
	if (r < 0)
		return r;
	ask_loader(place);
	if (sys_topology(allowed, arena, &place->topology, &why) < 0)
		place->topology_why = reason_of(&why, arena);
	return arena->failed ? lt_fail_mem(err) : 0;
}
