/* SPDX-License-Identifier: GPL-2.0-or-later */
/* This very process as an image: its functions, lines, variables, and its own stack. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <elf.h>
#include <fcntl.h>
#include <sched.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <ucontext.h>
#include <unistd.h>

#include <cmocka.h>

#include "sys/image.h"

static struct sys_images *all;
static struct sys_image *img;
static int variable_of_the_test[23];

/* As the observer learns them: files mapped for execution, by so many bytes further up than they
 * are in truth. */
static int add_maps(struct sys_image *to, uint64_t up)
{
	FILE *f = to ? fopen("/proc/self/maps", "re") : NULL;
	char line[1024], path[512], perms[8];
	if (!f)
		return -1;
	while (fgets(line, sizeof(line), f)) {
		unsigned long start, end, off;
		if (sscanf(line, "%lx-%lx %7s %lx %*s %*u %511s", &start, &end, perms, &off,
			    path) == 5 &&
			perms[2] == 'x' && path[0] == '/' &&
			sys_image_add(to, start + up, end - start, off, path, NULL) < 0)
			return -1;
	}
	fclose(f);
	return 0;
}

static int add_own_maps(void **state)
{
	(void)state;
	all = sys_images_new();
	img = all ? sys_image_new(all) : NULL;
	return add_maps(img, 0);
}

static int drop(void **state)
{
	(void)state;
	sys_image_free(img);
	sys_images_free(all);
	return 0;
}

enum {
	FUNCTION_LINE = __LINE__ + 2
};
static __attribute__((noinline)) int function_of_the_test(int x)
{
	__asm__ volatile("");
	return x + 1;
}

static void a_function_is_named_with_its_line(void **state)
{
	(void)state;
	struct sys_place p[SYS_IMAGE_INLINED];
	uint64_t pc = (uint64_t)(uintptr_t)function_of_the_test;
	assert_true(sys_image_places(img, pc, p, SYS_IMAGE_INLINED) >= 1);
	assert_string_equal(p[0].function, "function_of_the_test");
	assert_non_null(strstr(p[0].file, "test_image.c"));
	assert_in_range(p[0].line, FUNCTION_LINE, FUNCTION_LINE + 4);
	assert_false(p[0].shared);
	assert_true(p[0].described && p[0].describes);
	assert_int_equal(function_of_the_test(1), 2);
}

static void a_library_is_told_from_the_program(void **state)
{
	(void)state;
	struct sys_place p;
	assert_int_equal(sys_image_places(img, (uint64_t)(uintptr_t)&sched_yield, &p, 1), 1);
	assert_non_null(strstr(p.object, "libc"));
	assert_true(p.shared);
	assert_non_null(strstr(p.function, "sched_yield"));
	assert_int_equal(sys_image_places(img, 0x10, &p, 1), 0);
}

static void a_variable_is_named(void **state)
{
	(void)state;
	struct sys_variable v;
	uint64_t addr = (uint64_t)(uintptr_t)&variable_of_the_test[3];
	assert_true(sys_image_variable(img, addr, &v));
	assert_string_equal(v.name, "variable_of_the_test");
	assert_int_equal(v.offset, 3 * sizeof(int));
	assert_int_equal(v.size, sizeof(variable_of_the_test));
	assert_false(sys_image_variable(img, (uint64_t)(uintptr_t)&v, &v)); /* on the stack */
}

static void code_begins_with_the_function(void **state)
{
	(void)state;
	struct sys_code code;
	const uint8_t *start = (const uint8_t *)(uintptr_t)function_of_the_test;
	assert_true(sys_image_code(img, (uint64_t)(uintptr_t)start + 1, 8, &code));
	assert_int_equal(code.start, (uint64_t)(uintptr_t)start);
	assert_int_equal(code.len, 9);
	assert_memory_equal(code.bytes, start, code.len);
}

#if defined(__x86_64__)
struct snapshot {
	struct sys_regs regs;
	char stack[8192];
	ssize_t len; /* less where the stack begins before */
};

/* Also past its own frame, by the kernel: a sanitizer would not let it, and with a small
 * environment the stack ends before the copy does. */
static __attribute__((noinline)) void take(struct snapshot *s)
{
	static const unsigned char from[SYS_REGS] = {
		[SYS_REG_AX] = REG_RAX,
		[SYS_REG_DX] = REG_RDX,
		[SYS_REG_CX] = REG_RCX,
		[SYS_REG_BX] = REG_RBX,
		[SYS_REG_SI] = REG_RSI,
		[SYS_REG_DI] = REG_RDI,
		[SYS_REG_BP] = REG_RBP,
		[SYS_REG_SP] = REG_RSP,
		[SYS_REG_R8] = REG_R8,
		[SYS_REG_R9] = REG_R9,
		[SYS_REG_R10] = REG_R10,
		[SYS_REG_R11] = REG_R11,
		[SYS_REG_R12] = REG_R12,
		[SYS_REG_R13] = REG_R13,
		[SYS_REG_R14] = REG_R14,
		[SYS_REG_R15] = REG_R15,
		[SYS_REG_IP] = REG_RIP,
	};
	ucontext_t context;
	getcontext(&context);
	s->regs.known = SYS_REGS_ALL;
	for (unsigned i = 0; i < SYS_REGS; i++)
		s->regs.r[i] = (uint64_t)context.uc_mcontext.gregs[from[i]];
	int fd = open("/proc/self/mem", O_RDONLY | O_CLOEXEC);
	s->len = pread(fd, s->stack, sizeof(s->stack), (off_t)s->regs.r[SYS_REG_SP]);
	close(fd);
}

static __attribute__((noinline)) void inner(struct snapshot *s)
{
	take(s);
	__asm__ volatile("");
}

static __attribute__((noinline)) void outer(struct snapshot *s)
{
	inner(s);
	__asm__ volatile("");
}

static bool chain_has(const uint64_t *pcs, size_t n, const char *function)
{
	for (size_t i = 0; i < n; i++) {
		struct sys_place p[SYS_IMAGE_INLINED];
		size_t k = sys_image_places(img, pcs[i] - (i > 0), p, SYS_IMAGE_INLINED);
		for (size_t j = 0; j < k; j++)
			if (p[j].function && !strcmp(p[j].function, function))
				return true;
	}
	return false;
}

static void a_copied_stack_shows_the_callers(void **state)
{
	(void)state;
	static struct snapshot s;
	outer(&s);
	uint64_t pcs[64];
	assert_true(s.len > 0);
	size_t n = sys_image_unwind(img, &s.regs, s.stack, (size_t)s.len, pcs, 64);
	assert_true(n > 4);
	assert_int_equal(pcs[0], s.regs.r[SYS_REG_IP]);
	assert_true(chain_has(pcs, n, "take") && chain_has(pcs, n, "inner"));
	assert_true(chain_has(pcs, n, "outer"));
	assert_true(chain_has(pcs, n, "main"));
	/* Half a stack is half a chain, and none is the place itself. */
	size_t some = sys_image_unwind(img, &s.regs, s.stack, 64, pcs, 64);
	assert_true(some < n);
	assert_int_equal(sys_image_unwind(img, &s.regs, s.stack, 0, pcs, 64), 1);
	/* Whatever is on it, it ends. */
	memset(s.stack, 0x41, sizeof(s.stack));
	assert_true(sys_image_unwind(img, &s.regs, s.stack, sizeof(s.stack), pcs, 64) >= 1);
}

/* Where there is code of ours, the same further up. */
static uint64_t moved(uint64_t word, uint64_t up)
{
	struct sys_place p;
	return sys_image_places(img, word, &p, 1) ? word + up : word;
}

static void a_copied_stack_of_another_process_is_its_own(void **state)
{
	(void)state;
	static struct snapshot s;
	uint64_t up = UINT64_C(0x10000000000), pcs[64], there[64];
	struct sys_image *other = sys_image_new(all);
	assert_int_equal(add_maps(other, up), 0);
	outer(&s);
	size_t n = sys_image_unwind(img, &s.regs, s.stack, (size_t)s.len, pcs, 64);
	s.regs.r[SYS_REG_IP] = moved(s.regs.r[SYS_REG_IP], up);
	for (ssize_t at = 0; at + 8 <= s.len; at += 8) {
		uint64_t word;
		memcpy(&word, s.stack + at, sizeof(word));
		word = moved(word, up);
		memcpy(s.stack + at, &word, sizeof(word));
	}
	assert_int_equal(sys_image_unwind(other, &s.regs, s.stack, (size_t)s.len, there, 64), n);
	for (size_t i = 0; i < n; i++)
		assert_int_equal(there[i], moved(pcs[i], up));
	sys_image_free(other);
}
#endif

/* Processes that have the same files share what was read, wherever they have them. */
static void the_same_files_elsewhere_tell_the_same(void **state)
{
	(void)state;
	uint64_t up = UINT64_C(0x10000000000);
	uint64_t pc = (uint64_t)(uintptr_t)function_of_the_test;
	struct sys_image *other = sys_image_new(all);
	assert_int_equal(add_maps(other, up), 0);
	struct sys_place a, b;
	assert_int_equal(sys_image_places(img, pc, &a, 1), 1);
	assert_int_equal(sys_image_places(other, pc + up, &b, 1), 1);
	assert_ptr_equal(a.function, b.function); /* the very text */
	assert_int_equal(a.offset, b.offset);
	assert_int_equal(a.line, b.line);
	assert_int_equal(sys_image_places(other, pc, &b, 1), 0);
	struct sys_code code;
	assert_true(sys_image_code(other, pc + up + 1, 8, &code));
	assert_int_equal(code.start, pc + up);
	struct sys_variable v;
	uint64_t addr = (uint64_t)(uintptr_t)&variable_of_the_test[3];
	assert_true(sys_image_variable(other, addr + up, &v));
	assert_string_equal(v.name, "variable_of_the_test");
	assert_int_equal(v.offset, 3 * sizeof(int));
	sys_image_free(other);
}

/* As some linkers lay files out: one page of the file ends the data and begins the code, which is
 * mapped a page further up. */
static void a_page_of_data_and_code_is_code(void **state)
{
	(void)state;
	const struct {
		Elf64_Ehdr head;
		Elf64_Phdr data, code;
	} elf = {
		.head = { .e_ident = { ELFMAG0, ELFMAG1, ELFMAG2, ELFMAG3, ELFCLASS64, ELFDATA2LSB,
				  EV_CURRENT },
			.e_type = ET_DYN,
			.e_machine = EM_X86_64,
			.e_version = EV_CURRENT,
			.e_phoff = sizeof(Elf64_Ehdr),
			.e_ehsize = sizeof(Elf64_Ehdr),
			.e_phentsize = sizeof(Elf64_Phdr),
			.e_phnum = 2 },
		.data = { .p_type = PT_LOAD,
			.p_flags = PF_R,
			.p_filesz = 0x5688,
			.p_memsz = 0x5688,
			.p_align = 0x1000 },
		.code = { .p_type = PT_LOAD,
			.p_flags = PF_R | PF_X,
			.p_offset = 0x5690,
			.p_vaddr = 0x6690,
			.p_filesz = 0x2000,
			.p_memsz = 0x2000,
			.p_align = 0x1000 },
	};
	char path[] = "image-test-XXXXXX";
	int fd = mkstemp(path);
	assert_int_equal(write(fd, &elf, sizeof(elf)), sizeof(elf));
	assert_int_equal(ftruncate(fd, 0x7690), 0);
	close(fd);
	struct sys_image *laid = sys_image_new(all);
	struct sys_place p;
	assert_int_equal(sys_image_add(laid, 0x400006000, 0x3000, 0x5000, path, NULL), 0);
	unlink(path);
	assert_int_equal(sys_image_places(laid, 0x4000066a0, &p, 1), 1);
	assert_int_equal(p.offset, 0x66a0);
	sys_image_free(laid);
}

static void a_file_that_is_gone_keeps_its_name(void **state)
{
	(void)state;
	struct sys_image *gone = sys_image_new(all);
	struct sys_place p;
	assert_non_null(gone);
	assert_int_equal(sys_image_add(gone, 0x1000, 0x1000, 0, "/no/such/file", NULL), 0);
	assert_int_equal(sys_image_places(gone, 0x1234, &p, 1), 1);
	assert_string_equal(p.object, "/no/such/file");
	assert_null(p.function);
	struct sys_code code;
	assert_false(sys_image_code(gone, 0x1234, 8, &code));
	sys_image_free(gone);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(a_function_is_named_with_its_line),
		cmocka_unit_test(a_library_is_told_from_the_program),
		cmocka_unit_test(a_variable_is_named),
		cmocka_unit_test(code_begins_with_the_function),
#if defined(__x86_64__)
		cmocka_unit_test(a_copied_stack_shows_the_callers),
		cmocka_unit_test(a_copied_stack_of_another_process_is_its_own),
#endif
		cmocka_unit_test(the_same_files_elsewhere_tell_the_same),
		cmocka_unit_test(a_page_of_data_and_code_is_code),
		cmocka_unit_test(a_file_that_is_gone_keeps_its_name),
	};
	return cmocka_run_group_tests(tests, add_own_maps, drop);
}
