/* SPDX-License-Identifier: GPL-2.0-or-later */
/* The files of each process, opened when first asked; places in their code; names of data. */
#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "run/evidence_inside.h"
#include "sys/demangle.h"

enum {
	BEYOND = 80 /* bytes of code behind a place: a loop's branch back may be there */
};

const char *reduce_text(struct reduce *r, const char *text)
{
	const char *copy = text ? lt_arena_strdup(r->arena, text) : NULL;
	if (text && !copy)
		r->failed = true;
	return copy;
}

const char *reduce_name(struct reduce *r, const char *name)
{
	LT_AUTO_FREE char *plain = sys_demangle(name);
	return reduce_text(r, plain ? plain : name);
}

/* One line of proc/PID/maps. */
struct mapping {
	uint64_t start, end, file_off;
	char perms[8];
	const char *name; /* to the end of the line */
	size_t name_len;
};

/* The line at `text`, and where the next one begins; NULL at the end. */
static const char *next_mapping(const char *text, struct mapping *ret)
{
	int at = 0;
	if (!text ||
		sscanf(text, "%" SCNx64 "-%" SCNx64 " %7s %" SCNx64 " %*s %*u%n", &ret->start,
			&ret->end, ret->perms, &ret->file_off, &at) != 4 ||
		!at)
		return NULL;
	const char *name = text + at;
	name += strspn(name, " ");
	ret->name = name;
	ret->name_len = strcspn(name, "\n");
	return name[ret->name_len] ? name + ret->name_len + 1 : name + ret->name_len;
}

/* Files that perf did not tell of, because it was not allowed to or came too late. */
static void add_from_procfs(struct reduce *r, struct sys_image *img, const char *text)
{
	struct mapping m;
	char path[4096];
	while ((text = next_mapping(text, &m))) {
		if (m.perms[2] != 'x' || m.name_len >= sizeof(path) ||
			(m.name[0] != '/' && strncmp(m.name, "[vdso]", 6) != 0))
			continue;
		memcpy(path, m.name, m.name_len);
		path[m.name_len] = '\0';
		if (sys_image_add(img, m.start, m.end - m.start, m.file_off, path, NULL) < 0)
			r->failed = true;
	}
}

struct sys_image *reduce_image(struct reduce *r, uint32_t image)
{
	if (image == OBSERVED_NONE)
		return NULL;
	struct observed_image *img = &r->o->images.at[image];
	if (img->sys)
		return img->sys;
	if (!r->o->files_read)
		r->o->files_read = sys_images_new();
	img->sys = r->o->files_read ? sys_image_new(r->o->files_read) : NULL;
	if (!img->sys) {
		r->failed = true;
		return NULL;
	}
	for (size_t i = 0; i < img->maps.n; i++) {
		const struct observed_map *m = &img->maps.at[i];
		if (m->path &&
			sys_image_add(img->sys, m->start, m->len, m->file_off, m->path, NULL) < 0)
			r->failed = true;
	}
	add_from_procfs(r, img->sys, img->proc_maps);
	return img->sys;
}

uint32_t reduce_place(struct reduce *r, uint32_t image, uint64_t ip)
{
	uint64_t key = lt_u64map_mix(image, ip);
	size_t known = r->places.n;
	struct reduce_place *p = REDUCE_FIND(r, &r->places, &r->place_of, key, NULL);
	if (!p)
		return OBSERVED_NONE;
	uint32_t i = (uint32_t)(p - r->places.at);
	if (i < known)
		return i;
	p->image = image;
	p->ip = ip;
	p->site = -2;
	struct sys_image *img = reduce_image(r, image);
	struct sys_place at;
	if (!img || !sys_image_places(img, ip, &at, 1))
		return i;
	p->wrapper = reduce_is_wrapper(&at);
	p->looked = true;
	p->decoded = sys_image_code(img, ip, BEYOND, &p->code) &&
		sys_insn_look(p->code.bytes, p->code.len, ip - p->code.start, &p->insn);
	return i;
}

static struct reduce_data from_procfs(struct reduce *r, const char *text, uint64_t addr)
{
	struct mapping m;
	struct reduce_data ret = { 0 };
	while ((text = next_mapping(text, &m))) {
		if (addr < m.start || addr >= m.end)
			continue;
		if (m.name[0] == '/') {
			char *path = lt_arena_strndup(r->arena, m.name, m.name_len);
			const char *slash = path ? strrchr(path, '/') : NULL;
			ret.object = slash ? slash + 1 : NULL;
		} else if (!strncmp(m.name, "[heap]", 6)) {
			ret.object = "heap";
		} else if (!strncmp(m.name, "[stack", 6)) {
			ret.object = "stack";
		} else {
			ret.object = "anonymous";
		}
		return ret;
	}
	return ret;
}

struct reduce_data reduce_name_data(struct reduce *r, uint32_t image, uint64_t addr)
{
	struct reduce_data ret = { 0 };
	struct sys_variable var;
	struct sys_image *img = reduce_image(r, image);
	if (img && sys_image_variable(img, addr, &var)) {
		const char *slash = strrchr(var.object, '/');
		ret.object = reduce_text(r, slash ? slash + 1 : var.object);
		ret.symbol = reduce_name(r, var.name);
		ret.symbol_off = var.offset;
	} else if (image != OBSERVED_NONE) {
		ret = from_procfs(r, r->o->images.at[image].proc_maps, addr);
	}
	return ret;
}
