/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Modules, symbols and lines. Each file mapped becomes a module of libdwfl at the address it
 * was mapped at, worked out from its program headers. */
#include "sys/image.h"

#include <dwarf.h>
#include <fcntl.h>
#include <string.h>
#include <sys/auxv.h>
#include <sys/mman.h>

#include "base/arena.h"
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

struct sys_image *sys_image_new(void)
{
	struct sys_image *img = calloc(1, sizeof(*img));
	if (!img)
		return NULL;
	img->dwfl = dwfl_begin(&callbacks);
	if (!img->dwfl) {
		free(img);
		return NULL;
	}
	dwfl_report_begin(img->dwfl);
	return img;
}

void sys_image_free(struct sys_image *img)
{
	if (!img)
		return;
	dwfl_end(img->dwfl);
	lt_arena_done(&img->arena);
	free(img->maps);
	free(img);
}

/* What to add to the file's addresses to get those of the mapping: a segment begins at
 * p_vaddr in the one and holds the bytes from p_offset on. */
static bool find_bias(Elf *elf, uint64_t start, uint64_t file_off, uint64_t *ret)
{
	size_t n = 0;
	if (elf_getphdrnum(elf, &n) != 0)
		return false;
	for (size_t i = 0; i < n; i++) {
		GElf_Phdr p;
		if (!gelf_getphdr(elf, (int)i, &p) || p.p_type != PT_LOAD)
			continue;
		uint64_t from = p.p_offset & ~UINT64_C(0xfff);
		if (file_off < from || file_off >= p.p_offset + p.p_filesz)
			continue;
		*ret = start - file_off - p.p_vaddr + p.p_offset;
		return true;
	}
	return false;
}

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

static bool is_known(const struct sys_image *img, uint64_t start)
{
	for (size_t i = 0; i < img->n_maps; i++)
		if (img->maps[i].module && start >= img->maps[i].low && start < img->maps[i].high)
			return true;
	return false;
}

/* Reports the file at its address; the module covers all its segments. */
static void report(struct sys_image *img, struct image_map *map, uint64_t file_off)
{
	LT_AUTO_CLOSE int fd = open_file(map->path);
	Elf *elf = fd < 0 ? NULL : elf_begin(fd, ELF_C_READ_MMAP, NULL);
	uint64_t bias;
	if (elf && find_bias(elf, map->low, file_off, &bias)) {
		int handed = LT_TAKE_FD(fd);
		Dwfl_Module *mod =
			dwfl_report_elf(img->dwfl, map->path, map->path, handed, bias, true);
		if (mod) {
			dwfl_module_info(mod, NULL, &map->low, &map->high, NULL, NULL, NULL, NULL);
			map->module = true;
			map->bias = bias;
		} else {
			close(handed);
		}
	}
	elf_end(elf);
}

int sys_image_add(struct sys_image *img, uint64_t start, uint64_t len, uint64_t file_off,
	const char *path, struct lt_err *err)
{
	if (is_known(img, start))
		return 0;
	struct image_map *more = realloc(img->maps, (img->n_maps + 1) * sizeof(*more));
	if (!more)
		return lt_fail_mem(err);
	img->maps = more;
	/* The kernel maps the program first, then its loader and so the libraries. */
	struct image_map map = { .low = start, .high = start + len, .shared = img->n_maps > 0 };
	map.path = lt_arena_strdup(&img->arena, path);
	if (!map.path)
		return lt_fail_mem(err);
	report(img, &map, file_off);
	img->maps[img->n_maps++] = map;
	return 0;
}

/* The module that holds an address, once all are reported. */
Dwfl_Module *image_module(struct sys_image *img, uint64_t addr)
{
	if (!img->reported)
		dwfl_report_end(img->dwfl, NULL, NULL);
	img->reported = true;
	return dwfl_addrmodule(img->dwfl, addr);
}

static const struct image_map *find_map(const struct sys_image *img, uint64_t addr)
{
	for (size_t i = 0; i < img->n_maps; i++)
		if (addr >= img->maps[i].low && addr < img->maps[i].high)
			return &img->maps[i];
	return NULL;
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

size_t sys_image_places(struct sys_image *img, uint64_t pc, struct sys_place *ret, size_t max)
{
	Dwfl_Module *mod = image_module(img, pc);
	const struct image_map *map = find_map(img, pc);
	if (!map || !max)
		return 0;
	ret[0] = (struct sys_place){
		.object = map->path, .offset = pc - map->bias, .shared = map->shared
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
	Dwfl_Module *mod = image_module(img, addr);
	const struct image_map *map = find_map(img, addr);
	if (!map)
		return false;
	*ret = (struct sys_variable){ .object = map->path };
	GElf_Off off;
	GElf_Sym sym;
	const char *name =
		mod ? dwfl_module_addrinfo(mod, addr, &off, &sym, NULL, NULL, NULL) : NULL;
	if (name && GELF_ST_TYPE(sym.st_info) == STT_OBJECT && off < sym.st_size) {
		ret->name = name;
		ret->offset = off;
		ret->size = sym.st_size;
	}
	return true;
}
