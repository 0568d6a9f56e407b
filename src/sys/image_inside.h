/* SPDX-License-Identifier: GPL-2.0-or-later */
/* The inside of an image, shared by the files that answer from it. Inside this room only. */
#ifndef SYS_IMAGE_INSIDE_H
#define SYS_IMAGE_INSIDE_H

#include <elfutils/libdwfl.h>

#include "base/arena.h"
#include "sys/image.h"

struct image_map {
	uint64_t low, high;
	uint64_t bias; /* what was added to the file's addresses */
	const char *path;
	bool module; /* libdwfl has it */
	bool shared;
};

/* What the unwinder works from just now. */
struct image_snapshot {
	const struct sys_regs *regs;
	const void *stack;
	size_t len;
	uint64_t *pcs;
	size_t n, max;
};

struct sys_image {
	Dwfl *dwfl;
	struct lt_arena arena;
	struct image_map *maps;
	size_t n_maps;
	bool reported; /* no modules come after this */
	bool attached;
	struct image_snapshot now;
};

Dwfl_Module *image_module(struct sys_image *img, uint64_t addr);

#endif
