/* SPDX-License-Identifier: GPL-2.0-or-later */
/* The files a process had mapped, and what they tell of an address: function, source line,
 * variable, code; and of a piece of stack: who called. By elfutils' libdwfl, so frame
 * pointers are not needed, and after the process has ended. */
#ifndef SYS_IMAGE_H
#define SYS_IMAGE_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "base/err.h"
#include "sys/regs.h"

/* What was read from files, for all images: processes that have the same files mapped, wherever,
 * share it, and a hundred children cost no more than one. */
struct sys_images;

/* Owner: the caller (sys_images_free, after the images). NULL when memory has run out. */
struct sys_images *sys_images_new(void);
void sys_images_free(struct sys_images *all);

struct sys_image;

/* Owner: the caller (sys_image_free). NULL when memory has run out. */
struct sys_image *sys_image_new(struct sys_images *all);
void sys_image_free(struct sys_image *img);

/* Notes that part of a file is mapped for execution. Files that cannot be read any more keep
 * their name; their addresses have no functions. Not after the first question. */
int sys_image_add(struct sys_image *img, uint64_t start, uint64_t len, uint64_t file_off,
	const char *path, struct lt_err *err);

/* A place as source code has it. Strings live as long as the image and what it shares; unknown is
 * NULL or 0. */
struct sys_place {
	const char *object; /* path of the file */
	const char *function;
	const char *file;
	unsigned line;
	uint64_t offset; /* of the instruction, as the file was linked */
	bool described;  /* the file tells lines of this place */
	bool describes;  /* ... or of any place */
	bool shared;     /* the file is a library; else the program itself */
	bool stub;       /* a jump to a function of another file */
};

enum {
	SYS_IMAGE_INLINED = 12 /* functions inlined into one another at one place */
};

/* The functions at `pc`, the innermost inlined one first. Returns how many, at least 1 when
 * anything is mapped there. A return address belongs to the call before it: give pc - 1. */
size_t sys_image_places(struct sys_image *img, uint64_t pc, struct sys_place *ret, size_t max);

/* The call chain: ret[0] is the instruction itself, the others are return addresses.
 * `stack` are `len` bytes from the stack pointer up. Returns how many. */
size_t sys_image_unwind(struct sys_image *img, const struct sys_regs *regs, const void *stack,
	size_t len, uint64_t *ret, size_t max);

/* The function's code from its first byte to `pc` and `beyond` bytes further, as far as the
 * file has it. Owner: the image. false: not known. */
struct sys_code {
	const uint8_t *bytes;
	size_t len;
	uint64_t start; /* address of the first */
};
bool sys_image_code(struct sys_image *img, uint64_t pc, size_t beyond, struct sys_code *ret);

/* The variable that holds `addr`. false: none that is known. */
struct sys_variable {
	const char *object;
	const char *name; /* NULL: only the object is known */
	uint64_t offset;  /* of addr in it */
	uint64_t size;
};
bool sys_image_variable(struct sys_image *img, uint64_t addr, struct sys_variable *ret);

#endif
