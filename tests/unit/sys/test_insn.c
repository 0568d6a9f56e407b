/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Operands of instructions, given as the bytes a compiler makes. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

#include "base/own.h"
#include "sys/insn.h"

#if defined(__x86_64__)
enum {
	IP = 0x401000
};

/* Each register holds 0x1000 times its number, plus one line. */
static struct sys_regs some_regs(void)
{
	struct sys_regs regs = { .known = SYS_REGS_ALL };
	for (unsigned i = 0; i < SYS_REGS; i++)
		regs.r[i] = 0x1000 * (i + 1);
	return regs;
}

#define REG(name) (0x1000u * (SYS_REG_##name + 1))

static void operands_are_computed(void **state)
{
	(void)state;
	const struct {
		uint8_t code[SYS_INSN_MAX];
		uint64_t addr;
		unsigned size;
		bool read, write, locked;
	} cases[] = {
		/* mov %rax,(%rdi) */
		{ { 0x48, 0x89, 0x07 }, REG(DI), 8, false, true, false },
		/* mov 8(%rsi,%rcx,4),%edx */
		{ { 0x8b, 0x54, 0x8e, 0x08 }, REG(SI) + 4 * REG(CX) + 8, 4, true, false, false },
		/* addq $1,-16(%rbp) */
		{ { 0x48, 0x83, 0x45, 0xf0, 0x01 }, REG(BP) - 16, 8, true, true, false },
		/* lock xadd %eax,(%rdx) */
		{ { 0xf0, 0x0f, 0xc1, 0x02 }, REG(DX), 4, true, true, true },
		/* xchg %eax,(%rdi): locks without saying so */
		{ { 0x87, 0x07 }, REG(DI), 4, true, true, true },
		/* lock cmpxchg %r9d,(%r15,%r14,8) */
		{ { 0xf0, 0x47, 0x0f, 0xb1, 0x0c, 0xf7 }, REG(R15) + 8 * REG(R14), 4, true, true,
			true },
		/* movb $1,0x10(%rip) */
		{ { 0xc6, 0x05, 0x10, 0, 0, 0, 0x01 }, IP + 7 + 0x10, 1, false, true, false },
		/* movups %xmm0,(%r8) */
		{ { 0x41, 0x0f, 0x11, 0x00 }, REG(R8), 16, false, true, false },
		/* cmp %ecx,(%rbx) */
		{ { 0x39, 0x0b }, REG(BX), 4, true, false, false },
	};
	struct sys_regs regs = some_regs();
	for (size_t i = 0; i < LT_COUNT(cases); i++) {
		struct sys_access a;
		if (!sys_insn_access(cases[i].code, SYS_INSN_MAX, 0, IP, &regs, &a))
			fail_msg("case %zu has no operand", i);
		assert_int_equal(a.addr, cases[i].addr);
		assert_int_equal(a.size, cases[i].size);
		assert_int_equal(a.read, cases[i].read);
		assert_int_equal(a.write, cases[i].write);
		assert_int_equal(a.locked, cases[i].locked);
		assert_int_equal(sys_insn_is_locked(cases[i].code, SYS_INSN_MAX, 0), a.locked);
	}
}

static void what_is_no_shared_memory_has_no_operand(void **state)
{
	(void)state;
	static const uint8_t cases[][SYS_INSN_MAX] = {
		{ 0x55 },                                        /* push %rbp */
		{ 0x48, 0x8d, 0x04, 0x7f },                      /* lea (%rdi,%rdi,2),%rax */
		{ 0x64, 0x48, 0x8b, 0x04, 0x25, 0x28, 0, 0, 0 }, /* mov %fs:0x28,%rax */
		{ 0x48, 0x01, 0xd8 },                            /* add %rbx,%rax */
		{ 0xe8, 0, 0, 0, 0 },                            /* call */
		{ 0x0f, 0x1f, 0x44, 0, 0 },                      /* nopl 0(%rax,%rax,1) */
		{ 0x06 },                                        /* no instruction */
	};
	struct sys_regs regs = some_regs();
	struct sys_access a;
	for (size_t i = 0; i < LT_COUNT(cases); i++)
		if (sys_insn_access(cases[i], SYS_INSN_MAX, 0, IP, &regs, &a))
			fail_msg("case %zu has an operand at %#lx", i, (unsigned long)a.addr);
	/* a register that nobody told */
	static const uint8_t store[SYS_INSN_MAX] = { 0x48, 0x89, 0x07 };
	regs.known &= ~(1u << SYS_REG_DI);
	assert_false(sys_insn_access(store, sizeof(store), 0, IP, &regs, &a));
}

static void a_load_that_is_stored_again_is_told(void **state)
{
	(void)state;
	static const struct {
		const char *what;
		bool stored;
		uint8_t code[SYS_INSN_MAX];
	} cases[] = {
		{ "mov (%rcx),%eax; add %esi,%eax; mov %eax,(%rcx)", true,
			{ 0x8b, 0x01, 0x01, 0xf0, 0x89, 0x01 } },
		{ "mov 16(%rip),%eax; inc %eax; mov %eax,8(%rip)", true,
			{ 0x8b, 0x05, 0x10, 0, 0, 0, 0xff, 0xc0, 0x89, 0x05, 0x08 } },
		{ "mov (%rcx),%eax; mov %eax,4(%rcx)", false, { 0x8b, 0x01, 0x89, 0x41, 0x04 } },
		{ "mov (%rcx),%eax; mov %edx,%ecx; mov %eax,(%rcx)", false,
			{ 0x8b, 0x01, 0x89, 0xd1, 0x89, 0x01 } },
		{ "mov (%rcx),%rcx; mov %eax,(%rcx)", false, { 0x48, 0x8b, 0x09, 0x89, 0x01 } },
		{ "cmp %eax,(%rcx); jge 1f; mov %eax,(%rcx); 1:", false,
			{ 0x39, 0x01, 0x7d, 0x02, 0x89, 0x01 } },
		{ "mov (%rcx),%eax; ret; mov %eax,(%rcx)", false,
			{ 0x8b, 0x01, 0xc3, 0x89, 0x01 } },
	};
	struct sys_regs regs = some_regs();
	for (size_t i = 0; i < LT_COUNT(cases); i++) {
		struct sys_access a;
		if (!sys_insn_access(cases[i].code, SYS_INSN_MAX, 0, IP, &regs, &a) ||
			a.stored != cases[i].stored)
			fail_msg("%s: not so", cases[i].what);
	}
}

static void a_changed_address_is_noticed(void **state)
{
	(void)state;
	static const uint8_t chase[] = { 0x48, 0x8b, 0x00 }; /* mov (%rax),%rax */
	static const uint8_t load[] = { 0x48, 0x8b, 0x18 };  /* mov (%rax),%rbx */
	static const uint8_t half[] = { 0x8b, 0x07, 0x89,
		0xc7 }; /* mov (%rdi),%eax; mov %eax,%edi */
	assert_true(sys_insn_changes(chase, sizeof(chase), 0, 0));
	assert_false(sys_insn_changes(load, sizeof(load), 0, 0));
	assert_false(sys_insn_changes(half, sizeof(half), 0, 0));
	assert_true(sys_insn_changes(half, sizeof(half), 2, 0));
}

static void tiny_loops_are_seen(void **state)
{
	(void)state;
	/* nop; 1: pause; mov (%rdi),%eax; test %eax,%eax; je 1b; ret */
	static const uint8_t wait[] = { 0x90, 0xf3, 0x90, 0x8b, 0x07, 0x85, 0xc0, 0x74, 0xf8,
		0xc3 };
	/* 1: incl (%rdi); dec %esi; jne 1b; ret */
	static const uint8_t work[] = { 0xff, 0x07, 0xff, 0xce, 0x75, 0xfa, 0xc3 };
	/* 1: call somewhere; jmp 1b */
	static const uint8_t calls[] = { 0xe8, 0, 0, 0, 0, 0xeb, 0xf9 };
	struct sys_insn_place p;
	assert_true(sys_insn_look(wait, sizeof(wait), 5, &p));
	assert_true(p.in_loop && p.pauses && !p.stores);
	assert_int_equal(p.n_before, 3);
	assert_int_equal(p.before[0], 3);
	assert_int_equal(p.before[1], 1);
	assert_true(sys_insn_look(wait, sizeof(wait), 0, &p)); /* in front of it */
	assert_false(p.in_loop);
	assert_true(sys_insn_look(wait, sizeof(wait), 9, &p)); /* behind it */
	assert_false(p.in_loop);
	assert_true(sys_insn_look(work, sizeof(work), 2, &p));
	assert_true(p.in_loop && !p.pauses && p.stores);
	assert_true(sys_insn_look(calls, sizeof(calls), 5, &p));
	assert_false(p.in_loop);
	assert_false(sys_insn_look(wait, sizeof(wait), 4, &p)); /* inside an instruction */
}

static void loops_that_only_look_are_told(void **state)
{
	(void)state;
	static const struct {
		uint8_t code[16];
		size_t len;
		bool idles;
	} loops[] = {
		/* 1: mov (%rdi),%eax; cmp %edx,%eax; je 1b */
		{ { 0x8b, 0x07, 0x39, 0xd0, 0x74, 0xfa }, 6, true },
		/* 1: xor %eax,%eax; cmp %eax,(%rdi); jne 1b */
		{ { 0x31, 0xc0, 0x39, 0x07, 0x75, 0xfa }, 6, true },
		/* 1: mov $1,%eax; xchg %al,(%rdi); test %al,%al; jne 1b */
		{ { 0xb8, 1, 0, 0, 0, 0x86, 0x07, 0x84, 0xc0, 0x75, 0xf5 }, 11, true },
		/* 1: mov (%rax),%rax; test %rax,%rax; jne 1b: goes along a list */
		{ { 0x48, 0x8b, 0x00, 0x48, 0x85, 0xc0, 0x75, 0xf8 }, 8, false },
		/* 1: add (%rdi),%eax; add $4,%rdi; cmp %rsi,%rdi; jne 1b: sums up */
		{ { 0x03, 0x07, 0x48, 0x83, 0xc7, 4, 0x48, 0x39, 0xf7, 0x75, 0xf5 }, 11, false },
		/* 1: mov $1,%eax; lock xadd %eax,(%rdi); cmp %esi,%eax; jl 1b: counts */
		{ { 0xb8, 1, 0, 0, 0, 0xf0, 0x0f, 0xc1, 0x07, 0x39, 0xf0, 0x7c, 0xf3 }, 13, false },
		/* 1: dec %esi; jne 1b: does not look */
		{ { 0xff, 0xce, 0x75, 0xfc }, 4, false },
	};
	for (size_t i = 0; i < LT_COUNT(loops); i++) {
		struct sys_insn_place p;
		assert_true(sys_insn_look(loops[i].code, loops[i].len, 0, &p));
		assert_true(p.in_loop);
		assert_int_equal(p.idles, loops[i].idles);
	}
}

static void the_system_call_in_front_is_named(void **state)
{
	(void)state;
	/* mov $202,%eax; mov %rbx,%rdi; syscall; ret */
	static const uint8_t futex[] = { 0xb8, 0xca, 0, 0, 0, 0x48, 0x89, 0xdf, 0x0f, 0x05, 0xc3 };
	/* xor %eax,%eax; syscall; ret */
	static const uint8_t zero[] = { 0x31, 0xc0, 0x0f, 0x05, 0xc3 };
	/* mov %rdi,%rax; syscall; ret */
	static const uint8_t any[] = { 0x48, 0x89, 0xf8, 0x0f, 0x05, 0xc3 };
	struct sys_insn_place p;
	assert_true(sys_insn_look(futex, sizeof(futex), 10, &p));
	assert_true(p.behind_syscall);
	assert_int_equal(p.syscall, 202);
	assert_true(sys_insn_look(futex, sizeof(futex), 8, &p));
	assert_false(p.behind_syscall);
	assert_true(sys_insn_look(zero, sizeof(zero), 4, &p));
	assert_int_equal(p.syscall, 0);
	assert_true(sys_insn_look(any, sizeof(any), 5, &p));
	assert_true(p.behind_syscall);
	assert_int_equal(p.syscall, -1);
}

/* Whatever the bytes: no access beyond them, no endless loop. */
static void any_bytes_do(void **state)
{
	(void)state;
	struct sys_regs regs = some_regs();
	srand(4711);
	for (int i = 0; i < 20000; i++) {
		size_t len = 1 + (size_t)rand() % 48;
		uint8_t *code = malloc(len);
		assert_non_null(code);
		for (size_t k = 0; k < len; k++)
			code[k] = (uint8_t)rand();
		struct sys_insn_place p;
		struct sys_access a;
		for (size_t pos = 0; pos <= len; pos++) {
			sys_insn_look(code, len, pos, &p);
			sys_insn_access(code, len, pos, IP, &regs, &a);
			sys_insn_changes(code, len, pos, 0);
		}
		free(code);
	}
}

int main(void)
{
	struct lt_err err = { 0 };
	if (sys_insn_ready(&err) < 0) {
		printf("skipped: %s\n", err.text);
		return 77;
	}
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(operands_are_computed),
		cmocka_unit_test(what_is_no_shared_memory_has_no_operand),
		cmocka_unit_test(a_load_that_is_stored_again_is_told),
		cmocka_unit_test(a_changed_address_is_noticed),
		cmocka_unit_test(tiny_loops_are_seen),
		cmocka_unit_test(loops_that_only_look_are_told),
		cmocka_unit_test(the_system_call_in_front_is_named),
		cmocka_unit_test(any_bytes_do),
	};
	return cmocka_run_group_tests(tests, NULL, NULL);
}
#else
int main(void)
{
	printf("skipped: instructions are read on x86-64 only\n");
	return 77;
}
#endif
