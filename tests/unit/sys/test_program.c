/* SPDX-License-Identifier: GPL-2.0-or-later */
/* What kind of file a program is: files made up here, and those of this machine. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include <elf.h>
#include <fcntl.h>
#include <stdio.h>
#include <string.h>
#include <sys/stat.h>

#include "sys/program.h"

static struct lt_arena arena;
static char dir[] = "/tmp/leat-program-XXXXXX";

static const char *file(const char *name)
{
	static char path[128];
	snprintf(path, sizeof(path), "%s/%s", dir, name);
	return path;
}

static void put(const char *name, const void *bytes, size_t len, mode_t mode)
{
	int fd = open(file(name), O_WRONLY | O_CREAT | O_TRUNC, 0700);
	assert_true(fd >= 0);
	assert_int_equal(write(fd, bytes, len), len);
	assert_int_equal(fchmod(fd, mode), 0);
	close(fd);
}

static struct sys_program look(const char *name)
{
	struct sys_program p = { 0 };
	struct lt_err err = { 0 };
	if (sys_program(file(name), &arena, &p, &err) != 0)
		fail_msg("%s: %s", name, err.text);
	return p;
}

static const char interp[] = "/lib/ld-made-up.so.7";

/* A program of either class: an interpreter, a note of `owner`, or neither. */
static void put_wide(const char *name, bool dynamic, const char *owner)
{
	struct {
		Elf64_Ehdr head;
		Elf64_Phdr part[2];
		char interp[64];
		Elf64_Nhdr note;
		char owner[4], desc[8];
	} f = { .head = {
			.e_ident = { ELFMAG0, ELFMAG1, ELFMAG2, ELFMAG3, ELFCLASS64, ELFDATA2LSB },
			.e_phentsize = sizeof(Elf64_Phdr),
			.e_phnum = 2 } };
	f.head.e_phoff = offsetof(__typeof__(f), part);
	f.part[0] = (Elf64_Phdr){ .p_type = dynamic ? PT_INTERP : PT_LOAD,
		.p_offset = offsetof(__typeof__(f), interp),
		.p_filesz = sizeof(interp) };
	f.part[1] = (Elf64_Phdr){ .p_type = PT_NOTE,
		.p_offset = offsetof(__typeof__(f), note),
		.p_filesz = sizeof(f.note) + sizeof(f.owner) + sizeof(f.desc) };
	f.note = (Elf64_Nhdr){ .n_namesz = 4, .n_descsz = 8, .n_type = 4 };
	memcpy(f.interp, interp, sizeof(interp));
	memcpy(f.owner, owner, strlen(owner) + 1);
	put(name, &f, sizeof(f), 0755);
}

static void put_narrow(const char *name)
{
	struct {
		Elf32_Ehdr head;
		Elf32_Phdr part;
		char interp[64];
	} f = { .head = {
			.e_ident = { ELFMAG0, ELFMAG1, ELFMAG2, ELFMAG3, ELFCLASS32, ELFDATA2LSB },
			.e_phentsize = sizeof(Elf32_Phdr),
			.e_phnum = 1 } };
	f.head.e_phoff = offsetof(__typeof__(f), part);
	f.part = (Elf32_Phdr){ .p_type = PT_INTERP,
		.p_offset = offsetof(__typeof__(f), interp),
		.p_filesz = sizeof(interp) };
	memcpy(f.interp, interp, sizeof(interp));
	put(name, &f, sizeof(f), 0755);
}

static void dynamic_programs_name_their_loader(void **state)
{
	(void)state;
	put_wide("wide", true, "GNU");
	put_narrow("narrow");
	struct sys_program wide = look("wide"), narrow = look("narrow");
	assert_int_equal(wide.kind, SYS_PROGRAM_DYNAMIC);
	assert_string_equal(wide.loader, interp);
	assert_false(wide.go);
	assert_int_equal(narrow.kind, SYS_PROGRAM_DYNAMIC);
	assert_string_equal(narrow.loader, interp);
}

static void static_programs_have_none(void **state)
{
	(void)state;
	put_wide("static", false, "GNU");
	struct sys_program p = look("static");
	assert_int_equal(p.kind, SYS_PROGRAM_STATIC);
	assert_null(p.loader);
	assert_false(p.go);
	put_wide("go", false, "Go");
	assert_true(look("go").go);
}

static void this_test_is_dynamic(void **state)
{
	(void)state;
	struct sys_program p;
	assert_int_equal(sys_program("/proc/self/exe", &arena, &p, NULL), 0);
	assert_int_equal(p.kind, SYS_PROGRAM_DYNAMIC);
	assert_int_equal(access(p.loader, X_OK), 0);
	assert_false(p.privileged);
}

static void setuid_counts_for_others_only(void **state)
{
	(void)state;
	put_wide("setuid", true, "GNU");
	chmod(file("setuid"), 04755);
	assert_false(look("setuid").privileged); /* we are its owner */
	if (chown(file("setuid"), getuid() + 1, (gid_t)-1) == 0 &&
		chmod(file("setuid"), 04755) == 0)
		assert_true(look("setuid").privileged);
	put_wide("setgid", true, "GNU");
	if (chown(file("setgid"), (uid_t)-1, getgid() + 1) == 0 &&
		chmod(file("setgid"), 02755) == 0)
		assert_true(look("setgid").privileged);
	if (chmod(file("setgid"), 02744) == 0)
		assert_false(look("setgid").privileged);
}

static void scripts_name_their_interpreter(void **state)
{
	(void)state;
	char text[200];
	put("script", "#!  /bin/sh -e\nexit 0\n", 22, 0755);
	struct sys_program p = look("script");
	assert_int_equal(p.kind, SYS_PROGRAM_SCRIPT);
	assert_string_equal(p.loader, "/bin/sh");

	const char *behind = NULL;
	int len = snprintf(text, sizeof(text), "#!%s\n", file("script"));
	put("outer", text, (size_t)len, 0755);
	assert_int_equal(sys_program_behind(file("outer"), &arena, &behind, &p, NULL), 0);
	assert_string_equal(behind, "/bin/sh");
	assert_int_equal(p.kind, SYS_PROGRAM_DYNAMIC);
	len = snprintf(text, sizeof(text), "#!%s\n", file("circle"));
	put("circle", text, (size_t)len, 0755);
	assert_int_equal(sys_program_behind(file("circle"), &arena, &behind, &p, NULL), -ELOOP);
}

static void other_files_are_other(void **state)
{
	(void)state;
	static const struct {
		const char *bytes;
		size_t len;
	} files[] = { { "", 0 }, { "#!", 2 }, { "#! \n", 4 }, { "\177ELF", 4 }, { "text\n", 5 },
		/* of the other byte order */
		{ "\177ELF\2\2\0\0\0\0\0\0\0\0\0\0\0\0\0\0\0\0\0\0\0\0\0\0\0\0\0\0\0\0\0\0\0\0\0\0"
		  "\0\0"
		  "\0\0\0\0\0\0\0\0\0\0\0\0\0\0\0\0\0\0\0\0\0\0\0\0",
			64 } };
	for (size_t i = 0; i < LT_COUNT(files); i++) {
		put("other", files[i].bytes, files[i].len, 0755);
		assert_int_equal(look("other").kind, SYS_PROGRAM_OTHER);
	}
	struct sys_program p;
	assert_int_equal(sys_program(file("missing"), &arena, &p, NULL), -ENOENT);
}

/* Offsets and sizes that lie anywhere must not lead anywhere. */
static void damaged_headers_do_no_harm(void **state)
{
	(void)state;
	char bytes[512];
	put_wide("good", true, "GNU");
	int fd = open(file("good"), O_RDONLY);
	ssize_t len = read(fd, bytes, sizeof(bytes));
	close(fd);
	assert_true(len > 0);
	for (ssize_t i = 5; i < len; i++) {
		char before = bytes[i];
		for (int bit = 0; bit < 8; bit += 3) {
			bytes[i] = (char)(before ^ 1 << bit);
			put("bad", bytes, (size_t)len, 0755);
			look("bad");
		}
		bytes[i] = before;
	}
}

static int make_dir(void **state)
{
	(void)state;
	return mkdtemp(dir) ? 0 : -1;
}

static int remove_dir(void **state)
{
	(void)state;
	char command[128];
	lt_arena_done(&arena);
	snprintf(command, sizeof(command), "rm -r %s", dir);
	return system(command);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(dynamic_programs_name_their_loader),
		cmocka_unit_test(static_programs_have_none),
		cmocka_unit_test(this_test_is_dynamic),
		cmocka_unit_test(setuid_counts_for_others_only),
		cmocka_unit_test(scripts_name_their_interpreter),
		cmocka_unit_test(other_files_are_other),
		cmocka_unit_test(damaged_headers_do_no_harm),
	};
	return cmocka_run_group_tests(tests, make_dir, remove_dir);
}
