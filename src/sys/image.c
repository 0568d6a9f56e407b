/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Symbols and lines. Where in a file an address lies is worked out from its program headers; what
 * is there, libdwfl tells. */
#include "sys/image.h"

#include <dwarf.h>
#include <stdlib.h>
#include <string.h>

#include "sys/image_inside.h"

static const uint64_t page_mask = 0xfff;

struct sys_image *sys_image_new(struct sys_images *all)
{
	struct sys_image *img = calloc(1, sizeof(*img));
	if (img)
		img->all = all;
	return img;
}

void sys_image_free(struct sys_image *img)
{
	if (!img)
		return;
	lt_arena_done(&img->arena);
	free(img->maps);
	free(img);
}

/* What to add to the file's addresses to get those of the mapping: a segment begins at
 * p_vaddr in the one and holds the bytes from p_offset on. A page of the file may belong to two
 * segments, of which code is meant. */
static bool find_bias(
	const struct image_file *file, uint64_t start, uint64_t file_off, uint64_t *ret)
{
	for (size_t i = 0; i < file->n; i++) {
		const GElf_Phdr *p = &file->loads[i];
		uint64_t from = p->p_offset & ~page_mask;
		if (!(p->p_flags & PF_X) || file_off < from ||
			file_off >= p->p_offset + p->p_filesz)
			continue;
		*ret = start - file_off - p->p_vaddr + p->p_offset;
		return true;
	}
	return false;
}

static bool is_known(const struct sys_image *img, uint64_t start)
{
	const struct image_map *map = image_map(img, start);
	return map && map->module;
}

/* With its file's segments, all of which belong to it. */
static void cover_file(const struct image_file *file, uint64_t file_off, struct image_map *map)
{
	if (!find_bias(file, map->low, file_off, &map->bias))
		return;
	const GElf_Phdr *first = &file->loads[0], *last = &file->loads[file->n - 1];
	map->module = true;
	map->low = map->bias + (first->p_vaddr & ~page_mask);
	map->high = map->bias + ((last->p_vaddr + last->p_memsz + page_mask) & ~page_mask);
}

int sys_image_add(struct sys_image *img, uint64_t start, uint64_t len, uint64_t file_off,
	const char *path, struct lt_err *err)
{
	if (is_known(img, start))
		return 0;
	const struct image_file *file = image_file(img->all, path);
	struct image_map *more = realloc(img->maps, (img->n_maps + 1) * sizeof(*more));
	if (more)
		img->maps = more;
	if (!file || !more)
		return lt_fail_mem(err);
	/* The kernel maps the program first, then its loader and so the libraries. */
	struct image_map map = { .low = start, .high = start + len, .shared = img->n_maps > 0 };
	map.path = lt_arena_strdup(&img->arena, path);
	if (!map.path)
		return lt_fail_mem(err);
	cover_file(file, file_off, &map);
	img->maps[img->n_maps++] = map;
	return 0;
}

const struct image_map *image_map(const struct sys_image *img, uint64_t addr)
{
	for (size_t i = 0; i < img->n_maps; i++)
		if (addr >= img->maps[i].low && addr < img->maps[i].high)
			return &img->maps[i];
	return NULL;
}

uint64_t image_inward(const struct sys_image *img, uint64_t addr)
{
	const struct image_map *map = image_map(img, addr);
	return map ? addr + map->away : addr;
}

uint64_t image_outward(const struct sys_image *img, uint64_t addr)
{
	for (size_t i = 0; i < img->n_maps; i++) {
		const struct image_map *map = &img->maps[i];
		if (map->module && addr - map->away >= map->low && addr - map->away < map->high)
			return addr - map->away;
	}
	return addr;
}

Dwfl_Module *image_module(struct sys_image *img, uint64_t addr, uint64_t *ret)
{
	struct image_core *core = image_core(img);
	const struct image_map *map = image_map(img, addr);
	*ret = image_inward(img, addr);
	return core && map && map->module ? dwfl_addrmodule(core->dwfl, *ret) : NULL;
}

static bool is_stub(Dwfl_Module *mod, uint64_t pc)
{
	Dwarf_Addr bias;
	size_t names;
	Elf_Scn *scn = dwfl_module_address_section(mod, &pc, &bias);
	Elf *elf = scn ? dwfl_module_getelf(mod, &bias) : NULL;
	GElf_Shdr shdr;
	if (!elf || !gelf_getshdr(scn, &shdr) || elf_getshdrstrndx(elf, &names) != 0)
		return false;
	const char *name = elf_strptr(elf, names, shdr.sh_name);
	return name && !strncmp(name, ".plt", 4);
}

static void source_of(Dwfl_Module *mod, uint64_t pc, struct sys_place *ret)
{
	Dwfl_Line *line = dwfl_module_getsrc(mod, pc);
	int number = 0;
	const char *file = line ? dwfl_lineinfo(line, NULL, &number, NULL, NULL, NULL) : NULL;
	ret->file = file;
	ret->line = file ? (unsigned)number : 0;
	ret->described = file;
}

/* Where the function of `die` was inlined: the source line of the call. */
static void call_of(Dwarf_Die *die, Dwarf_Die *cu, struct sys_place *ret)
{
	Dwarf_Attribute attr;
	Dwarf_Word file = 0, line = 0;
	Dwarf_Files *files;
	ret->file = NULL;
	ret->line = 0;
	if (dwarf_formudata(dwarf_attr(die, DW_AT_call_file, &attr), &file) == 0 &&
		dwarf_getsrcfiles(cu, &files, NULL) == 0)
		ret->file = dwarf_filesrc(files, file, NULL, NULL);
	if (ret->file && dwarf_formudata(dwarf_attr(die, DW_AT_call_line, &attr), &line) == 0)
		ret->line = (unsigned)line;
}

/* Goes from the innermost inlined function outwards; `ret[0]` has object and line already. */
static size_t inlined(Dwfl_Module *mod, uint64_t pc, struct sys_place *ret, size_t max)
{
	Dwarf_Addr bias = 0;
	Dwarf_Die *cu = dwfl_module_addrdie(mod, pc, &bias), *found = NULL, *nest = NULL;
	if (!cu || dwarf_getscopes(cu, pc - bias, &found) <= 0)
		return 1;
	int n = dwarf_getscopes_die(&found[0], &nest);
	size_t depth = 0;
	for (int i = 0; i < n && depth < max; i++) {
		int tag = dwarf_tag(&nest[i]);
		if (tag != DW_TAG_inlined_subroutine && tag != DW_TAG_subprogram)
			continue;
		const char *name = dwarf_diename(&nest[i]);
		if (name)
			ret[depth].function = name;
		depth++;
		if (tag == DW_TAG_subprogram || depth == max)
			break;
		ret[depth] = ret[depth - 1];
		call_of(&nest[i], cu, &ret[depth]);
	}
	free(nest);
	free(found);
	return depth ? depth : 1;
}

size_t sys_image_places(struct sys_image *img, uint64_t addr, struct sys_place *ret, size_t max)
{
	uint64_t pc;
	Dwfl_Module *mod = image_module(img, addr, &pc);
	const struct image_map *map = image_map(img, addr);
	if (!map || !max)
		return 0;
	ret[0] = (struct sys_place){
		.object = map->path, .offset = addr - map->bias, .shared = map->shared
	};
	if (!mod)
		return 1;
	GElf_Off off;
	GElf_Sym sym;
	ret[0].function = dwfl_module_addrinfo(mod, pc, &off, &sym, NULL, NULL, NULL);
	Dwarf_Addr bias;
	ret[0].stub = is_stub(mod, pc);
	ret[0].describes = dwfl_module_getdwarf(mod, &bias);
	source_of(mod, pc, &ret[0]);
	return ret[0].described ? inlined(mod, pc, ret, max) : 1;
}

bool sys_image_variable(struct sys_image *img, uint64_t addr, struct sys_variable *ret)
{
	uint64_t at;
	Dwfl_Module *mod = image_module(img, addr, &at);
	const struct image_map *map = image_map(img, addr);
	if (!map)
		return false;
	*ret = (struct sys_variable){ .object = map->path };
	GElf_Off off;
	GElf_Sym sym;
	const char *name = mod ? dwfl_module_addrinfo(mod, at, &off, &sym, NULL, NULL, NULL) : NULL;
	if (name && GELF_ST_TYPE(sym.st_info) == STT_OBJECT && off < sym.st_size) {
		ret->name = name;
		ret->offset = off;
		ret->size = sym.st_size;
	}
	return true;
}
