/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Remedies that put another memory allocator in place of the C library's. */
#ifndef REMEDY_PRELOAD_H
#define REMEDY_PRELOAD_H

#include "remedy/remedy.h"

/* Preloads `library`, if the program's loader finds it. `package` is what brings it. */
struct remedy_offer preload_offer(const struct remedy_place *place, const char *library,
	const char *package, struct remedy_change *ret);

#endif
