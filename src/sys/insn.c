/* SPDX-License-Identifier: GPL-2.0-or-later */
/* The one place that talks to Zydis. */
#include "sys/insn.h"

#include <dlfcn.h>
#include <string.h>

#if defined(__x86_64__)
#include <Zydis/Zydis.h>

struct zydis {
	__typeof__(ZydisDecoderInit) *init;
	__typeof__(ZydisDecoderDecodeFull) *decode;
	__typeof__(ZydisRegisterGetLargestEnclosing) *whole;
	ZydisDecoder decoder;
};

static struct zydis *zydis(struct lt_err *err)
{
	static struct zydis z; /* loaded once; whoever asks first */
	if (z.decode)
		return &z;
	void *lib = dlopen("libZydis.so.4.0", RTLD_NOW | RTLD_LOCAL);
	if (!lib) {
		lt_err_set(err, -ENOTSUP, "LT-INSN", "libZydis is not here: %s", dlerror());
		lt_hint(err, "install it: it reads the operands of sampled instructions");
		return NULL;
	}
	z.init = (__typeof__(ZydisDecoderInit) *)dlsym(lib, "ZydisDecoderInit");
	z.whole = (__typeof__(ZydisRegisterGetLargestEnclosing) *)dlsym(
		lib, "ZydisRegisterGetLargestEnclosing");
	__typeof__(ZydisDecoderDecodeFull) *decode =
		(__typeof__(ZydisDecoderDecodeFull) *)dlsym(lib, "ZydisDecoderDecodeFull");
	if (!z.init || !z.whole || !decode ||
		!ZYAN_SUCCESS(
			z.init(&z.decoder, ZYDIS_MACHINE_MODE_LONG_64, ZYDIS_STACK_WIDTH_64))) {
		lt_err_set(err, -ENOTSUP, "LT-INSN", "libZydis lacks what leat needs of it");
		return NULL;
	}
	z.decode = decode;
	return &z;
}

int sys_insn_ready(struct lt_err *err)
{
	return zydis(err) ? 0 : lt_err_code(err);
}

struct insn {
	ZydisDecodedInstruction i;
	ZydisDecodedOperand ops[ZYDIS_MAX_OPERAND_COUNT];
};

static bool decode(const uint8_t *code, size_t len, size_t pos, struct insn *ret)
{
	const struct zydis *z = zydis(NULL);
	return z && pos < len &&
		ZYAN_SUCCESS(z->decode(&z->decoder, code + pos, len - pos, &ret->i, ret->ops));
}

static bool is_branch(const struct insn *in)
{
	return in->i.meta.category == ZYDIS_CATEGORY_COND_BR ||
		in->i.meta.category == ZYDIS_CATEGORY_UNCOND_BR;
}

static bool is_memory(const ZydisDecodedOperand *op)
{
	return op->type == ZYDIS_OPERAND_TYPE_MEMORY && op->mem.type == ZYDIS_MEMOP_TYPE_MEM &&
		/* push, pop, call: the thread's own stack */
		!(op->visibility == ZYDIS_OPERAND_VISIBILITY_HIDDEN &&
			op->mem.base == ZYDIS_REGISTER_RSP);
}

static bool locks(const struct insn *in)
{
	if (in->i.attributes & ZYDIS_ATTRIB_HAS_LOCK)
		return true;
	bool memory = false;
	for (unsigned k = 0; k < in->i.operand_count_visible; k++)
		memory |= is_memory(&in->ops[k]);
	return memory && in->i.mnemonic == ZYDIS_MNEMONIC_XCHG;
}

static bool stores(const struct insn *in)
{
	for (unsigned k = 0; k < in->i.operand_count; k++)
		if (is_memory(&in->ops[k]) &&
			(in->ops[k].actions & ZYDIS_OPERAND_ACTION_MASK_WRITE))
			return true;
	return false;
}

/* ---- loops in which nothing changes ---- */

/* What one round of a loop does, as far as it goes round because of memory alone. */
struct round {
	uint32_t live;    /* registers that it takes from the round before */
	uint32_t written; /* ... that it sets */
	bool loads, changes;
};

/* A general register's bit; 0 for the flags and the instruction pointer. Others are not followed:
 * a loop that uses them does more than wait. */
static uint32_t bit_of(ZydisRegister reg, struct round *round)
{
	ZydisRegister whole = zydis(NULL)->whole(ZYDIS_MACHINE_MODE_LONG_64, reg);
	if (whole >= ZYDIS_REGISTER_RAX && whole <= ZYDIS_REGISTER_R15)
		return UINT32_C(1) << (whole - ZYDIS_REGISTER_RAX);
	round->changes |= reg != ZYDIS_REGISTER_NONE && reg != ZYDIS_REGISTER_RFLAGS &&
		reg != ZYDIS_REGISTER_RIP;
	return 0;
}

/* Sets a register to zero by itself: its value does not matter. */
static bool clears(const struct insn *in)
{
	return (in->i.mnemonic == ZYDIS_MNEMONIC_XOR || in->i.mnemonic == ZYDIS_MNEMONIC_SUB) &&
		in->ops[0].type == ZYDIS_OPERAND_TYPE_REGISTER &&
		in->ops[1].type == ZYDIS_OPERAND_TYPE_REGISTER &&
		in->ops[0].reg.value == in->ops[1].reg.value;
}

static void go_on(const struct insn *in, struct round *round)
{
	uint32_t read = 0, written = 0;
	for (unsigned k = 0; k < in->i.operand_count; k++) {
		const ZydisDecodedOperand *op = &in->ops[k];
		if (op->type == ZYDIS_OPERAND_TYPE_REGISTER) {
			uint32_t bit = bit_of(op->reg.value, round);
			read |= op->actions & ZYDIS_OPERAND_ACTION_MASK_READ ? bit : 0;
			written |= op->actions & ZYDIS_OPERAND_ACTION_MASK_WRITE ? bit : 0;
		} else if (op->type == ZYDIS_OPERAND_TYPE_MEMORY) {
			read |= bit_of(op->mem.base, round) | bit_of(op->mem.index, round);
			round->loads |= is_memory(op);
		}
	}
	round->live |= clears(in) ? 0 : read & ~round->written;
	round->written |= written;
	/* an exchange puts the same there each time; others that lock count, or try to */
	bool exchange = locks(in) && in->i.mnemonic == ZYDIS_MNEMONIC_XCHG;
	round->changes |= stores(in) && !exchange;
	round->changes |= in->i.meta.category == ZYDIS_CATEGORY_SYSCALL;
}

static bool idles(const struct round *round)
{
	return round->loads && !round->changes && !(round->live & round->written);
}

/* Where a branch goes to, as an offset in the code; negative = not to be seen. */
static int64_t target_of(const struct insn *in, size_t pos)
{
	const ZydisDecodedOperand *op = &in->ops[0];
	if (!is_branch(in) || op->type != ZYDIS_OPERAND_TYPE_IMMEDIATE || !op->imm.is_relative)
		return -1;
	return (int64_t)pos + in->i.length + op->imm.value.s;
}

/* From `from` to the branch at `end`, what is in the loop. */
static void look_into_loop(
	const uint8_t *code, size_t len, size_t from, size_t end, struct sys_insn_place *ret)
{
	struct insn in;
	bool pauses = false, writes = false;
	struct round round = { 0 };
	for (size_t pos = from; pos <= end; pos += in.i.length) {
		if (!decode(code, len, pos, &in) || in.i.meta.category == ZYDIS_CATEGORY_CALL ||
			in.i.meta.category == ZYDIS_CATEGORY_RET)
			return;
		pauses |= in.i.mnemonic == ZYDIS_MNEMONIC_PAUSE;
		writes |= stores(&in) && !locks(&in);
		go_on(&in, &round);
	}
	ret->in_loop = true;
	ret->pauses = pauses;
	ret->stores = writes;
	ret->idles = idles(&round);
}

/* The nearest branch behind that goes back over us makes a loop. */
static void find_loop(const uint8_t *code, size_t len, size_t at, struct sys_insn_place *ret)
{
	struct insn in;
	for (size_t pos = at; pos < at + SYS_INSN_LOOP; pos += in.i.length) {
		if (!decode(code, len, pos, &in))
			return;
		int64_t to = target_of(&in, pos);
		if (to >= 0 && to <= (int64_t)at &&
			pos + in.i.length - (size_t)to <= SYS_INSN_LOOP) {
			look_into_loop(code, len, (size_t)to, pos, ret);
			return;
		}
	}
}

/* The number a system call was made with: what was last moved into eax in front of it. */
static long syscall_number(const uint8_t *code, size_t len, const size_t *at, unsigned n)
{
	struct insn in;
	for (unsigned k = 0; k < n; k++) {
		if (!decode(code, len, at[k], &in) || is_branch(&in))
			return -1;
		const ZydisDecodedOperand *to = &in.ops[0], *from = &in.ops[1];
		if (to->type != ZYDIS_OPERAND_TYPE_REGISTER ||
			(to->reg.value != ZYDIS_REGISTER_EAX &&
				to->reg.value != ZYDIS_REGISTER_RAX))
			continue;
		if (in.i.mnemonic == ZYDIS_MNEMONIC_MOV &&
			from->type == ZYDIS_OPERAND_TYPE_IMMEDIATE)
			return (long)from->imm.value.s;
		bool zeroed = in.i.mnemonic == ZYDIS_MNEMONIC_XOR &&
			from->type == ZYDIS_OPERAND_TYPE_REGISTER &&
			from->reg.value == to->reg.value;
		return zeroed ? 0 : -1;
	}
	return -1;
}

enum {
	TRAIL = 16, /* instructions in front of a system call that may set its number */
	AHEAD = 24, /* instructions behind a load that may store what became of it */
};

bool sys_insn_look(const uint8_t *code, size_t len, size_t at, struct sys_insn_place *ret)
{
	size_t trail[TRAIL] = { 0 };
	unsigned n = 0;
	size_t pos = 0;
	struct insn in;
	*ret = (struct sys_insn_place){ .at = at, .syscall = -1 };
	while (pos < at) {
		if (!decode(code, len, pos, &in)) {
			pos++; /* data between the code: falls into step again */
			continue;
		}
		trail[n++ % TRAIL] = pos;
		pos += in.i.length;
	}
	if (pos != at)
		return false;
	size_t nearest[TRAIL];
	unsigned n_near = n < TRAIL ? n : TRAIL;
	for (unsigned k = 0; k < n_near; k++)
		nearest[k] = trail[(n - 1 - k) % TRAIL];
	ret->n_before = n_near < SYS_INSN_BACK ? n_near : SYS_INSN_BACK;
	memcpy(ret->before, nearest, ret->n_before * sizeof(*nearest));
	if (n_near && decode(code, len, nearest[0], &in) &&
		in.i.mnemonic == ZYDIS_MNEMONIC_SYSCALL) {
		ret->behind_syscall = true;
		ret->syscall = syscall_number(code, len, nearest + 1, n_near - 1);
	}
	find_loop(code, len, at, ret);
	return true;
}

static const unsigned char order[16] = { SYS_REG_AX, SYS_REG_CX, SYS_REG_DX, SYS_REG_BX, SYS_REG_SP,
	SYS_REG_BP, SYS_REG_SI, SYS_REG_DI, SYS_REG_R8, SYS_REG_R9, SYS_REG_R10, SYS_REG_R11,
	SYS_REG_R12, SYS_REG_R13, SYS_REG_R14, SYS_REG_R15 };

/* The value of an address register; false for what the samples do not tell. */
static bool value_of_register(
	ZydisRegister reg, uint64_t next_ip, const struct sys_regs *regs, uint64_t *ret)
{
	*ret = 0;
	if (reg == ZYDIS_REGISTER_NONE)
		return true;
	if (reg == ZYDIS_REGISTER_RIP) {
		*ret = next_ip;
		return true;
	}
	if (reg < ZYDIS_REGISTER_RAX || reg > ZYDIS_REGISTER_R15)
		return false;
	unsigned i = order[reg - ZYDIS_REGISTER_RAX];
	*ret = regs->r[i];
	return sys_regs_know(regs, i);
}

static bool address_of(const struct insn *in, const ZydisDecodedOperand *op, uint64_t ip,
	const struct sys_regs *regs, uint64_t *ret)
{
	uint64_t base, index;
	/* What is behind fs and gs is the thread's own. */
	if (op->mem.segment == ZYDIS_REGISTER_FS || op->mem.segment == ZYDIS_REGISTER_GS ||
		!value_of_register(op->mem.base, ip + in->i.length, regs, &base) ||
		!value_of_register(op->mem.index, 0, regs, &index))
		return false;
	*ret = base + index * op->mem.scale + (uint64_t)op->mem.disp.value;
	return true;
}

static bool access_of(
	const struct insn *in, uint64_t ip, const struct sys_regs *regs, struct sys_access *ret)
{
	if (in->i.mnemonic == ZYDIS_MNEMONIC_NOP) /* some name memory, none touch it */
		return false;
	for (unsigned k = 0; k < in->i.operand_count; k++) {
		const ZydisDecodedOperand *op = &in->ops[k];
		struct sys_access a = {
			.size = op->size / 8u,
			.read = op->actions & ZYDIS_OPERAND_ACTION_MASK_READ,
			.write = op->actions & ZYDIS_OPERAND_ACTION_MASK_WRITE,
		};
		if (!is_memory(op) || (!a.read && !a.write) ||
			!address_of(in, op, ip, regs, &a.addr))
			continue;
		a.locked = locks(in);
		*ret = a;
		return true;
	}
	return false;
}

/* What the instruction leaves in registers is not known. */
static void forget_written(const struct insn *in, struct sys_regs *regs)
{
	for (unsigned k = 0; k < in->i.operand_count; k++) {
		const ZydisDecodedOperand *op = &in->ops[k];
		if (op->type != ZYDIS_OPERAND_TYPE_REGISTER ||
			!(op->actions & ZYDIS_OPERAND_ACTION_MASK_WRITE))
			continue;
		ZydisRegister whole = zydis(NULL)->whole(ZYDIS_MACHINE_MODE_LONG_64, op->reg.value);
		if (whole >= ZYDIS_REGISTER_RAX && whole <= ZYDIS_REGISTER_R15)
			regs->known &= ~(UINT32_C(1) << order[whole - ZYDIS_REGISTER_RAX]);
	}
}

/* From the instruction at `pos` on, is `addr` written before the next branch? */
static bool is_stored_behind(const uint8_t *code, size_t len, size_t pos, uint64_t ip,
	const struct sys_regs *regs, uint64_t addr)
{
	struct insn in;
	struct sys_access a;
	struct sys_regs left = *regs;
	for (unsigned n = 0; n < AHEAD && decode(code, len, pos, &in); n++) {
		if (is_branch(&in) || in.i.meta.category == ZYDIS_CATEGORY_CALL ||
			in.i.meta.category == ZYDIS_CATEGORY_RET)
			return false;
		if (n && access_of(&in, ip, &left, &a) && a.write && a.addr == addr)
			return true;
		forget_written(&in, &left);
		pos += in.i.length;
		ip += in.i.length;
	}
	return false;
}

bool sys_insn_access(const uint8_t *code, size_t len, size_t pos, uint64_t ip,
	const struct sys_regs *regs, struct sys_access *ret)
{
	struct insn in;
	if (!decode(code, len, pos, &in) || !access_of(&in, ip, regs, ret))
		return false;
	ret->stored = !ret->write && is_stored_behind(code, len, pos, ip, regs, ret->addr);
	return true;
}

bool sys_insn_is_locked(const uint8_t *code, size_t len, size_t pos)
{
	struct insn in;
	return decode(code, len, pos, &in) && locks(&in);
}

bool sys_insn_changes(const uint8_t *code, size_t len, size_t pos, size_t mem_pos)
{
	struct insn in, mem;
	if (!decode(code, len, pos, &in) || !decode(code, len, mem_pos, &mem))
		return true;
	const struct zydis *z = zydis(NULL);
	for (unsigned k = 0; k < in.i.operand_count; k++) {
		const ZydisDecodedOperand *op = &in.ops[k];
		if (op->type != ZYDIS_OPERAND_TYPE_REGISTER ||
			!(op->actions & ZYDIS_OPERAND_ACTION_MASK_WRITE))
			continue;
		ZydisRegister reg = z->whole(ZYDIS_MACHINE_MODE_LONG_64, op->reg.value);
		if (reg == ZYDIS_REGISTER_NONE) /* the flags have none; nor has an absent index */
			continue;
		for (unsigned m = 0; m < mem.i.operand_count; m++)
			if (is_memory(&mem.ops[m]) &&
				(mem.ops[m].mem.base == reg || mem.ops[m].mem.index == reg))
				return true;
	}
	return false;
}
#else
int sys_insn_ready(struct lt_err *err)
{
	return lt_fail(err, -ENOTSUP, "LT-INSN", "instructions are read on x86-64 only");
}

bool sys_insn_look(const uint8_t *code, size_t len, size_t pos, struct sys_insn_place *ret)
{
	(void)code, (void)len, (void)pos, (void)ret;
	return false;
}

bool sys_insn_access(const uint8_t *code, size_t len, size_t pos, uint64_t ip,
	const struct sys_regs *regs, struct sys_access *ret)
{
	(void)code, (void)len, (void)pos, (void)ip, (void)regs, (void)ret;
	return false;
}

bool sys_insn_is_locked(const uint8_t *code, size_t len, size_t pos)
{
	(void)code, (void)len, (void)pos;
	return false;
}

bool sys_insn_changes(const uint8_t *code, size_t len, size_t pos, size_t mem_pos)
{
	(void)code, (void)len, (void)pos, (void)mem_pos;
	return true;
}
#endif
