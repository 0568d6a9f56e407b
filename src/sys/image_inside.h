/* SPDX-License-Identifier: GPL-2.0-or-later */
/* The inside of an image, shared by the files that answer from it. Inside this room only. */
#ifndef SYS_IMAGE_INSIDE_H
#define SYS_IMAGE_INSIDE_H

#include <elfutils/libdwfl.h>

#include "base/arena.h"
#include "base/buf.h"
#include "sys/image.h"

/* The loadable segments of a file. */
struct image_file {
	const char *path;
	GElf_Phdr *loads;
	size_t n;
	struct image_file *next;
};

/* A file in a process. */
struct image_map {
	uint64_t low, high;
	uint64_t bias; /* what was added to the file's addresses */
	uint64_t away; /* from here to where the core has it */
	const char *path;
	bool module; /* the file could be read */
	bool shared;
};

/* What the unwinder works from just now. */
struct image_snapshot {
	const struct sys_image *img;
	const struct sys_regs *regs;
	const void *stack;
	size_t len;
	uint64_t *pcs;
	size_t n, max;
};

/* Files read together, at the addresses of the process that asked first. */
struct image_core {
	Dwfl *dwfl;
	struct lt_buf files; /* their paths, one in a line: what makes two images alike */
	uint64_t *low;       /* of each of them */
	size_t n;
	bool attached;
	struct image_snapshot now;
	struct image_core *next;
};

struct sys_images {
	struct lt_arena arena;
	struct image_file *files;
	struct image_core *cores;
};

struct sys_image {
	struct sys_images *all;
	struct lt_arena arena;
	struct image_map *maps;
	size_t n_maps;
	struct image_core *core; /* from the first question on */
};

/* The file's segments, read when asked first; none when it cannot be read. NULL: no memory. */
const struct image_file *image_file(struct sys_images *all, const char *path);

/* What the image's files tell. NULL: no memory. */
struct image_core *image_core(struct sys_image *img);

/* What is mapped at an address of the process; NULL: nothing. */
const struct image_map *image_map(const struct sys_image *img, uint64_t addr);

/* From an address of the process to the core's, and back; what is in no file stays. */
uint64_t image_inward(const struct sys_image *img, uint64_t addr);
uint64_t image_outward(const struct sys_image *img, uint64_t addr);

/* The module at an address of the process; *ret is the address there. */
Dwfl_Module *image_module(struct sys_image *img, uint64_t addr, uint64_t *ret);

#endif
