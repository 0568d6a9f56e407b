/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Reading the head of an executable file: ELF of either class, or a #! line. */
#include "sys/program.h"

#include <elf.h>
#include <fcntl.h>
#include <stdint.h>
#include <string.h>
#include <sys/stat.h>
#include <sys/statvfs.h>
#include <sys/xattr.h>

enum {
	SCRIPTS_MAX = 4,
	HEADERS_MAX = 128, /* program headers that are looked at */
	NOTES_MAX = 4096,  /* bytes of notes likewise */
	PIECE = 1 << 17,   /* bytes read at once when a text is looked for */
};

/* What is needed of a program header of either class. */
struct segment {
	uint32_t type;
	uint64_t offset, size;
};

static bool read_at(int fd, void *ret, size_t size, uint64_t offset)
{
	return pread(fd, ret, size, (off_t)offset) == (ssize_t)size;
}

static bool read_segment(int fd, bool wide, uint64_t at, struct segment *ret)
{
	Elf64_Phdr p64;
	Elf32_Phdr p32;
	if (wide && read_at(fd, &p64, sizeof(p64), at)) {
		*ret = (struct segment){ p64.p_type, p64.p_offset, p64.p_filesz };
		return true;
	}
	if (!wide && read_at(fd, &p32, sizeof(p32), at)) {
		*ret = (struct segment){ p32.p_type, p32.p_offset, p32.p_filesz };
		return true;
	}
	return false;
}

/* Go puts its build id into a note of the owner "Go". */
static bool is_go_note(int fd, const struct segment *s)
{
	_Alignas(Elf64_Nhdr) char notes[NOTES_MAX];
	size_t size = s->size < sizeof(notes) ? (size_t)s->size : sizeof(notes);
	if (!read_at(fd, notes, size, s->offset))
		return false;
	for (size_t at = 0; at + sizeof(Elf64_Nhdr) <= size;) {
		Elf64_Nhdr head;
		memcpy(&head, notes + at, sizeof(head));
		at += sizeof(head);
		size_t name = (head.n_namesz + 3) & ~3U, desc = (head.n_descsz + 3) & ~3U;
		if (name > size - at)
			return false;
		if (head.n_namesz >= 3 && !memcmp(notes + at, "Go\0", 3))
			return true;
		if (desc > size - at - name)
			return false;
		at += name + desc;
	}
	return false;
}

static int read_elf(int fd, struct lt_arena *arena, struct sys_program *ret, struct lt_err *err)
{
	union {
		unsigned char ident[EI_NIDENT];
		Elf64_Ehdr e64;
		Elf32_Ehdr e32;
	} head = { 0 };
	const uint16_t one = 1;
	unsigned char ours = *(const unsigned char *)&one ? ELFDATA2LSB : ELFDATA2MSB;
	char path[4096];
	if (pread(fd, &head, sizeof(head), 0) < (ssize_t)sizeof(head.e32) ||
		head.ident[EI_DATA] != ours)
		return 0; /* of another byte order: stays "other" */
	bool wide = head.ident[EI_CLASS] == ELFCLASS64;
	uint64_t at = wide ? head.e64.e_phoff : head.e32.e_phoff;
	unsigned n = wide ? head.e64.e_phnum : head.e32.e_phnum;
	unsigned step = wide ? head.e64.e_phentsize : head.e32.e_phentsize;
	struct segment s;
	ret->kind = SYS_PROGRAM_STATIC;
	for (unsigned i = 0; i < n && i < HEADERS_MAX; i++) {
		if (!read_segment(fd, wide, at + (uint64_t)i * step, &s))
			continue;
		if (s.type == PT_NOTE && is_go_note(fd, &s))
			ret->go = true;
		if (s.type != PT_INTERP || s.size < 2 || s.size > sizeof(path) ||
			!read_at(fd, path, (size_t)s.size, s.offset))
			continue;
		ret->kind = SYS_PROGRAM_DYNAMIC;
		ret->loader = lt_arena_strndup(arena, path, (size_t)s.size - 1);
		if (!ret->loader)
			return lt_fail_mem(err);
	}
	return 0;
}

static int read_script(
	const char *line, struct lt_arena *arena, struct sys_program *ret, struct lt_err *err)
{
	line += strlen("#!");
	line += strspn(line, " \t");
	size_t len = strcspn(line, " \t\r\n");
	if (!len)
		return 0;
	ret->kind = SYS_PROGRAM_SCRIPT;
	ret->loader = lt_arena_strndup(arena, line, len);
	return ret->loader ? 0 : lt_fail_mem(err);
}

/* Does the kernel mark it for secure execution? Not for a user who gains nothing by it. */
static bool is_privileged(int fd)
{
	struct stat st;
	struct statvfs fs;
	if (fstat(fd, &st) < 0 || (fstatvfs(fd, &fs) == 0 && (fs.f_flag & ST_NOSUID)))
		return false;
	if ((st.st_mode & S_ISUID) && st.st_uid != getuid())
		return true;
	/* without execution for the group the bit means something else, mandatory locking */
	if ((st.st_mode & S_ISGID) && (st.st_mode & S_IXGRP) && st.st_gid != getgid())
		return true;
	return getuid() != 0 && fgetxattr(fd, "security.capability", NULL, 0) > 0;
}

int sys_program(
	const char *path, struct lt_arena *arena, struct sys_program *ret, struct lt_err *err)
{
	char head[1024] = "";
	struct sys_program p = { .kind = SYS_PROGRAM_OTHER };
	LT_AUTO_CLOSE int fd = open(path, O_RDONLY | O_CLOEXEC | O_NONBLOCK);
	if (fd < 0)
		return lt_fail_sys(err, "LT-PROGRAM", "cannot read '%.200s'", path);
	ssize_t got = pread(fd, head, sizeof(head) - 1, 0);
	int r = 0;
	if (got >= EI_NIDENT && !memcmp(head, ELFMAG, SELFMAG))
		r = read_elf(fd, arena, &p, err);
	else if (got > 2 && !memcmp(head, "#!", 2))
		r = read_script(head, arena, &p, err);
	if (r < 0)
		return r;
	/* Linux ignores these bits of a script. */
	p.privileged = p.kind != SYS_PROGRAM_SCRIPT && is_privileged(fd);
	*ret = p;
	return 0;
}

int sys_program_behind(const char *path, struct lt_arena *arena, const char **ret_path,
	struct sys_program *ret, struct lt_err *err)
{
	struct sys_program p;
	for (int depth = 0; depth <= SCRIPTS_MAX; depth++) {
		int r = sys_program(path, arena, &p, err);
		if (r < 0)
			return r;
		if (p.kind != SYS_PROGRAM_SCRIPT) {
			*ret_path = path;
			*ret = p;
			return 0;
		}
		path = p.loader;
	}
	return lt_fail(err, -ELOOP, "LT-PROGRAM", "'%.200s' is a script of scripts", path);
}

/* Read piece by piece: a file that shrinks under a mapping would end leat. */
bool sys_program_mentions(const char *path, const char *text)
{
	char bytes[PIECE];
	size_t len = strlen(text), had = 0;
	LT_AUTO_CLOSE int fd = open(path, O_RDONLY | O_CLOEXEC | O_NONBLOCK);
	for (;;) {
		ssize_t got = fd < 0 ? -1 : read(fd, bytes + had, sizeof(bytes) - had);
		if (got <= 0)
			return false;
		had += (size_t)got;
		if (memmem(bytes, had, text, len))
			return true;
		size_t keep = had < len ? had : len - 1; /* it may go on in the next piece */
		memmove(bytes, bytes + had - keep, keep);
		had = keep;
	}
}
