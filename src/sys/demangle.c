/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Rust's older names look like C++'s: they are asked for first. */
#include "sys/demangle.h"

#include <libiberty/demangle.h>
#include <stddef.h>

char *sys_demangle(const char *name)
{
	if (!name)
		return NULL;
	char *plain = rust_demangle(name, DMGL_NO_OPTS);
	return plain ? plain : cplus_demangle_v3(name, DMGL_NO_OPTS);
}
