/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Files that images share. Each becomes a module of libdwfl at the address that it was mapped at
 * in the first process with these files; addresses of the others are moved there and back. */
#include <fcntl.h>
#include <stdlib.h>
#include <string.h>
#include <sys/auxv.h>
#include <sys/mman.h>

#include "sys/image_inside.h"

static int no_elf(Dwfl_Module *mod LT_UNUSED, void **data LT_UNUSED, const char *name LT_UNUSED,
	Dwarf_Addr base LT_UNUSED, char **path LT_UNUSED, Elf **elf LT_UNUSED)
{
	return -1; /* modules are reported with their files */
}

/* Not dwfl_standard_find_debuginfo: that one may go to the network and wait for it. */
static const Dwfl_Callbacks callbacks = {
	.find_elf = no_elf,
	.find_debuginfo = dwfl_build_id_find_debuginfo,
	.section_address = dwfl_offline_section_address,
};

struct sys_images *sys_images_new(void)
{
	elf_version(EV_CURRENT); /* what libelf asks for before anything else */
	return calloc(1, sizeof(struct sys_images));
}

static void free_core(struct image_core *core)
{
	if (!core)
		return;
	if (core->dwfl)
		dwfl_end(core->dwfl);
	lt_buf_done(&core->files);
	free(core->low);
	free(core);
}

void sys_images_free(struct sys_images *all)
{
	if (!all)
		return;
	while (all->cores) {
		struct image_core *core = all->cores;
		all->cores = core->next;
		free_core(core);
	}
	lt_arena_done(&all->arena);
	free(all);
}

/* ---- files ---- */

/* The code that the kernel maps into every process is in no file; ours is the same. */
static int vdso_fd(void)
{
	/* NOLINTNEXTLINE(performance-no-int-to-ptr) */
	const char *vdso = (const char *)getauxval(AT_SYSINFO_EHDR);
	if (!vdso)
		return -1;
	LT_AUTO_CLOSE int fd = memfd_create("vdso", MFD_CLOEXEC);
	long size = 2 * sysconf(_SC_PAGESIZE);
	/* It is two pages on most machines, and writing says when it is shorter. */
	if (fd < 0 || write(fd, vdso, (size_t)size) <= 0)
		return -1;
	return LT_TAKE_FD(fd);
}

static int open_file(const char *path)
{
	return strcmp(path, "[vdso]") == 0 ? vdso_fd() : open(path, O_RDONLY | O_CLOEXEC);
}

static int take_loads(struct sys_images *all, Elf *elf, struct image_file *file)
{
	size_t n = 0;
	if (elf_getphdrnum(elf, &n) != 0)
		return 0;
	file->loads = lt_arena_alloc(&all->arena, (n + 1) * sizeof(*file->loads));
	if (!file->loads)
		return -1;
	for (size_t i = 0; i < n; i++) {
		GElf_Phdr p;
		if (gelf_getphdr(elf, (int)i, &p) && p.p_type == PT_LOAD)
			file->loads[file->n++] = p;
	}
	return 0;
}

const struct image_file *image_file(struct sys_images *all, const char *path)
{
	for (struct image_file *f = all->files; f; f = f->next)
		if (!strcmp(f->path, path))
			return f;
	struct image_file *file = lt_arena_alloc(&all->arena, sizeof(*file));
	char *copy = lt_arena_strdup(&all->arena, path);
	if (!file || !copy)
		return NULL;
	*file = (struct image_file){ .path = copy, .next = all->files };
	LT_AUTO_CLOSE int fd = open_file(path);
	Elf *elf = fd < 0 ? NULL : elf_begin(fd, ELF_C_READ_MMAP, NULL);
	int r = elf ? take_loads(all, elf, file) : 0;
	elf_end(elf);
	if (r < 0)
		return NULL;
	all->files = file;
	return file;
}

/* ---- cores ---- */

static void name_files(const struct sys_image *img, struct lt_buf *ret)
{
	for (size_t i = 0; i < img->n_maps; i++)
		if (img->maps[i].module)
			lt_buf_addf(ret, "%s\n", img->maps[i].path);
}

/* Reports the file at its address; libdwfl's module covers all its segments. */
static void report(struct image_core *core, const struct image_map *map)
{
	LT_AUTO_CLOSE int fd = open_file(map->path);
	if (fd < 0)
		return;
	int handed = LT_TAKE_FD(fd);
	if (!dwfl_report_elf(core->dwfl, map->path, map->path, handed, map->bias, true))
		close(handed);
}

static struct image_core *read_files(const struct sys_image *img)
{
	struct image_core *core = calloc(1, sizeof(*core));
	if (!core)
		return NULL;
	core->dwfl = dwfl_begin(&callbacks);
	core->low = calloc(img->n_maps + 1, sizeof(*core->low));
	name_files(img, &core->files);
	if (!core->dwfl || !core->low || core->files.failed) {
		free_core(core);
		return NULL;
	}
	dwfl_report_begin(core->dwfl);
	for (size_t i = 0; i < img->n_maps; i++) {
		if (!img->maps[i].module)
			continue;
		report(core, &img->maps[i]);
		core->low[core->n++] = img->maps[i].low;
	}
	dwfl_report_end(core->dwfl, NULL, NULL);
	return core;
}

static struct image_core *find_core(const struct sys_image *img)
{
	LT_AUTO_BUF struct lt_buf files = { 0 };
	name_files(img, &files);
	for (struct image_core *core = img->all->cores; core && !files.failed; core = core->next)
		if (core->files.len == files.len &&
			(!files.len || !memcmp(core->files.data, files.data, files.len)))
			return core;
	return NULL;
}

struct image_core *image_core(struct sys_image *img)
{
	if (img->core)
		return img->core;
	struct image_core *core = find_core(img);
	if (!core) {
		core = read_files(img);
		if (!core)
			return NULL;
		core->next = img->all->cores;
		img->all->cores = core;
	}
	size_t k = 0;
	for (size_t i = 0; i < img->n_maps; i++)
		if (img->maps[i].module)
			img->maps[i].away = core->low[k++] - img->maps[i].low;
	img->core = core;
	return core;
}
