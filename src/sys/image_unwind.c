/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Unwinding a copied piece of stack, and finding the code around a place. */
#include <string.h>

#include "sys/image_inside.h"

static pid_t next_thread(Dwfl *dwfl LT_UNUSED, void *arg LT_UNUSED, void **thread LT_UNUSED)
{
	return 0; /* threads are asked for one by one */
}

static bool get_thread(Dwfl *dwfl LT_UNUSED, pid_t tid LT_UNUSED, void *arg, void **thread)
{
	*thread = arg;
	return true;
}

static bool read_stack(Dwfl *dwfl LT_UNUSED, Dwarf_Addr addr, Dwarf_Word *ret, void *arg)
{
	const struct image_snapshot *now = &((const struct image_core *)arg)->now;
	uint64_t sp = now->regs->r[SYS_REG_SP];
	if (addr < sp || addr - sp > now->len || now->len - (addr - sp) < sizeof(*ret))
		return false;
	memcpy(ret, (const char *)now->stack + (addr - sp), sizeof(*ret));
	*ret = image_inward(now->img, *ret); /* it may be a return address */
	return true;
}

static bool set_registers(Dwfl_Thread *thread, void *arg)
{
	const struct image_snapshot *now = &((const struct image_core *)arg)->now;
	const struct sys_regs *regs = now->regs;
	dwfl_thread_state_register_pc(thread, image_inward(now->img, regs->r[SYS_REG_IP]));
#if defined(__x86_64__)
	for (unsigned i = 0; i < SYS_REGS; i++)
		if (sys_regs_know(regs, i) &&
			!dwfl_thread_state_registers(thread, (int)i, 1, &regs->r[i]))
			return false;
	return true;
#elif defined(__aarch64__)
	return dwfl_thread_state_registers(thread, 31, 1, &regs->r[SYS_REG_SP]);
#else
	return false;
#endif
}

static const Dwfl_Thread_Callbacks callbacks = {
	.next_thread = next_thread,
	.get_thread = get_thread,
	.memory_read = read_stack,
	.set_initial_registers = set_registers,
};

static int take_frame(Dwfl_Frame *frame, void *arg)
{
	struct image_snapshot *now = arg;
	Dwarf_Addr pc;
	if (!dwfl_frame_pc(frame, &pc, NULL) || !pc || now->n == now->max)
		return DWARF_CB_ABORT;
	now->pcs[now->n++] = image_outward(now->img, pc);
	return DWARF_CB_OK;
}

size_t sys_image_unwind(struct sys_image *img, const struct sys_regs *regs, const void *stack,
	size_t len, uint64_t *ret, size_t max)
{
	if (!max || !sys_regs_know(regs, SYS_REG_IP))
		return 0;
	ret[0] = regs->r[SYS_REG_IP];
	uint64_t pc;
	if (!image_module(img, ret[0], &pc) || !sys_regs_know(regs, SYS_REG_SP))
		return 1;
	struct image_core *core = img->core;
	if (!core->attached)
		/* Any number will do for the process: nothing is asked of it. */
		core->attached = dwfl_attach_state(core->dwfl, NULL, 1, &callbacks, core);
	core->now = (struct image_snapshot){
		.img = img, .regs = regs, .stack = stack, .len = len, .pcs = ret, .max = max
	};
	if (core->attached)
		dwfl_getthread_frames(core->dwfl, 1, take_frame, &core->now);
	return core->now.n ? core->now.n : 1;
}

/* First address of the function, from its symbol or from its unwind table. */
static uint64_t function_start(Dwfl_Module *mod, uint64_t pc)
{
	GElf_Off off;
	GElf_Sym sym;
	Dwarf_Addr bias = 0, start = 0;
	const char *name = dwfl_module_addrinfo(mod, pc, &off, &sym, NULL, NULL, NULL);
	if (name && GELF_ST_TYPE(sym.st_info) == STT_FUNC && off < sym.st_size)
		return pc - off;
	Dwarf_CFI *cfi = dwfl_module_eh_cfi(mod, &bias);
	Dwarf_Frame *frame = NULL;
	if (!cfi || dwarf_cfi_addrframe(cfi, pc - bias, &frame) != 0)
		return 0;
	/* The row's range only: good enough to begin at an instruction. */
	int ra = dwarf_frame_info(frame, &start, NULL, NULL);
	free(frame);
	return ra < 0 ? 0 : start + bias;
}

bool sys_image_code(struct sys_image *img, uint64_t addr, size_t beyond, struct sys_code *ret)
{
	uint64_t pc;
	Dwfl_Module *mod = image_module(img, addr, &pc);
	GElf_Addr bias = 0;
	Elf *elf = mod ? dwfl_module_getelf(mod, &bias) : NULL;
	uint64_t start = elf ? function_start(mod, pc) : 0;
	size_t n = 0;
	if (!start || elf_getphdrnum(elf, &n) != 0)
		return false;
	for (size_t i = 0; i < n; i++) {
		GElf_Phdr p;
		uint64_t at = start - bias;
		if (!gelf_getphdr(elf, (int)i, &p) || p.p_type != PT_LOAD || at < p.p_vaddr ||
			at >= p.p_vaddr + p.p_filesz)
			continue;
		uint64_t len = pc - start + beyond, there = p.p_vaddr + p.p_filesz - at;
		len = len < there ? len : there;
		Elf_Data *data = elf_getdata_rawchunk(
			elf, (int64_t)(at - p.p_vaddr + p.p_offset), len, ELF_T_BYTE);
		if (!data)
			return false;
		*ret = (struct sys_code){ data->d_buf, data->d_size, addr - (pc - start) };
		return true;
	}
	return false;
}
