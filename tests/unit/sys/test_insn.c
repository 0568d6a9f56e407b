/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Instructions read from their bytes: what they do to memory. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <cmocka.h>

#include "sys/insn.h"

#if defined(__x86_64__)
static const uint8_t loop[] = {
	0xf0,
	0x48,
	0x83,
	0x05,
	0xb7,
	0x2d,
	0,
	0,
	1, /* lock addq $1, 0x2db7(%rip) */
	0x48,
	0x83,
	0xe8,
	1, /* sub $1, %rax */
	0x75,
	0xf1, /* jne to the first */
	0x48,
	0x8b,
	0x00, /* mov (%rax), %rax */
	0x90,
};

static void address_is_that_of_the_operand(void **state)
{
	struct sys_regs regs = { .known = SYS_REGS_ALL };
	struct sys_access a;
	(void)state;
	assert_true(sys_insn_access(loop, sizeof(loop), 0, 0x12b0, &regs, &a));
	assert_int_equal(a.addr, 0x12b0 + 9 + 0x2db7);
	assert_int_equal(a.size, 8);
	assert_true(a.read && a.write && a.locked);
	assert_false(sys_insn_access(loop, sizeof(loop), 9, 0x12b9, &regs, &a));
}

/* Most arithmetic writes the flags, which no address is made of. */
static void only_registers_of_the_address_count_as_changed(void **state)
{
	(void)state;
	assert_false(sys_insn_changes(loop, sizeof(loop), 0, 0));
	assert_true(sys_insn_changes(loop, sizeof(loop), 15, 15));
}

static void a_loop_is_seen_from_within(void **state)
{
	struct sys_insn_place p;
	(void)state;
	assert_true(sys_insn_look(loop, sizeof(loop), 9, &p));
	assert_true(p.in_loop);
	assert_int_equal(p.n_before, 1);
	assert_int_equal(p.before[0], 0);
	assert_false(sys_insn_look(loop, sizeof(loop), 10, &p));
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(address_is_that_of_the_operand),
		cmocka_unit_test(only_registers_of_the_address_count_as_changed),
		cmocka_unit_test(a_loop_is_seen_from_within),
	};
	struct lt_err err = { 0 };
	if (sys_insn_ready(&err) < 0) {
		print_message("skipped: %s\n", err.text);
		return 77;
	}
	return cmocka_run_group_tests(tests, NULL, NULL);
}
#else
int main(void)
{
	print_message("skipped: instructions are read on x86-64 only\n");
	return 77;
}
#endif
