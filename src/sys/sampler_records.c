/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Perf's records to ours. Their layout follows from SAMPLER_TYPE (perf_event_open(2)). */
#include <string.h>

#include "sys/sampler_ring.h"

#if defined(__x86_64__)
#include <asm/perf_regs.h>

/* Perf's number of each register, in DWARF's order. */
static const unsigned char perf_reg[SYS_REGS] = {
	[SYS_REG_AX] = PERF_REG_X86_AX,
	[SYS_REG_DX] = PERF_REG_X86_DX,
	[SYS_REG_CX] = PERF_REG_X86_CX,
	[SYS_REG_BX] = PERF_REG_X86_BX,
	[SYS_REG_SI] = PERF_REG_X86_SI,
	[SYS_REG_DI] = PERF_REG_X86_DI,
	[SYS_REG_BP] = PERF_REG_X86_BP,
	[SYS_REG_SP] = PERF_REG_X86_SP,
	[SYS_REG_R8] = PERF_REG_X86_R8,
	[SYS_REG_R9] = PERF_REG_X86_R9,
	[SYS_REG_R10] = PERF_REG_X86_R10,
	[SYS_REG_R11] = PERF_REG_X86_R11,
	[SYS_REG_R12] = PERF_REG_X86_R12,
	[SYS_REG_R13] = PERF_REG_X86_R13,
	[SYS_REG_R14] = PERF_REG_X86_R14,
	[SYS_REG_R15] = PERF_REG_X86_R15,
	[SYS_REG_IP] = PERF_REG_X86_IP,
};
#elif defined(__aarch64__)
#include <asm/perf_regs.h>

static const unsigned char perf_reg[SYS_REGS] = {
	[SYS_REG_SP] = PERF_REG_ARM64_SP,
	[SYS_REG_IP] = PERF_REG_ARM64_PC,
};
#else
#define NO_PERF_REGS 1
static const unsigned char perf_reg[SYS_REGS];
#endif

uint64_t sampler_regs_mask(void)
{
	uint64_t mask = 0;
#ifndef NO_PERF_REGS
	for (unsigned i = 0; i < SYS_REGS; i++)
		mask |= UINT64_C(1) << perf_reg[i];
#endif
	return mask;
}

/* A cursor over the 64-bit words of a record. */
struct words {
	const char *at, *end;
};

static uint64_t take(struct words *w)
{
	uint64_t v = 0;
	if (w->end - w->at < (ptrdiff_t)sizeof(v))
		return 0;
	memcpy(&v, w->at, sizeof(v));
	w->at += sizeof(v);
	return v;
}

static void take_two(struct words *w, uint32_t *a, uint32_t *b)
{
	uint64_t v = take(w);
	memcpy(a, &v, sizeof(*a));
	memcpy(b, (char *)&v + sizeof(*a), sizeof(*b));
}

/* Registers come in the order of their bits in the mask. */
static void take_regs(struct words *w, struct sys_record *ret)
{
	uint64_t abi = take(w);
	if (abi == PERF_SAMPLE_REGS_ABI_NONE)
		return;
	uint64_t mask = sampler_regs_mask();
	for (unsigned bit = 0; bit < 64; bit++) {
		if (!(mask >> bit & 1))
			continue;
		uint64_t v = take(w);
		for (unsigned i = 0; i < SYS_REGS; i++)
			if (perf_reg[i] == bit)
				ret->regs.r[i] = v;
	}
	ret->regs32 = abi == PERF_SAMPLE_REGS_ABI_32;
	ret->regs.known = ret->regs32 ? 0 : SYS_REGS_ALL;
}

static void take_stack(struct words *w, struct sys_record *ret)
{
	uint64_t size = take(w);
	if (!size || size > (uint64_t)(w->end - w->at))
		return;
	ret->stack = w->at;
	w->at += size;
	uint64_t filled = take(w);
	ret->stack_len = filled < size ? filled : size;
}

static bool read_sample(const struct sys_sampler_ring *ring, const struct perf_event_header *header,
	struct sys_record *ret)
{
	struct words w = { (const char *)(header + 1), (const char *)header + header->size };
	uint64_t id = take(&w);
	ret->kind = id == ring->clock_id ? SYS_RECORD_CLOCK : SYS_RECORD_FAULT;
	ret->ip = take(&w);
	take_two(&w, (uint32_t *)&ret->pid, (uint32_t *)&ret->tid);
	ret->time_ns = take(&w);
	ret->addr = take(&w);
	uint32_t reserved;
	take_two(&w, &ret->cpu, &reserved);
	ret->count = SAMPLER_FAULTS;
	take_regs(&w, ret);
	take_stack(&w, ret);
	unsigned mode = header->misc & PERF_RECORD_MISC_CPUMODE_MASK;
	ret->in_kernel = mode == PERF_RECORD_MISC_KERNEL;
	return mode == PERF_RECORD_MISC_KERNEL || mode == PERF_RECORD_MISC_USER;
}

enum {
	WORD = 8,
	SAMPLE_TIME = 3 * WORD, /* behind event, instruction, and who */
	/* Behind every other record: who, when, where, and of which event. */
	TRAILER = 4 * WORD,
	TRAILER_TIME = WORD,
	MAP_OF_FILE = 4 * WORD, /* device, inode, generation, protection */
};

static void read_trailer(const struct perf_event_header *header, struct sys_record *ret)
{
	const char *end = (const char *)header + header->size;
	struct words w = { end - TRAILER, end };
	take_two(&w, (uint32_t *)&ret->pid, (uint32_t *)&ret->tid);
	ret->time_ns = take(&w);
	uint32_t reserved;
	take_two(&w, &ret->cpu, &reserved);
}

static bool read_map(
	const struct perf_event_header *header, struct words *w, struct sys_record *ret)
{
	ret->kind = SYS_RECORD_MAP;
	take_two(w, (uint32_t *)&ret->pid, (uint32_t *)&ret->tid);
	ret->addr = take(w);
	ret->len = take(w);
	ret->file_off = take(w);
	w->at += MAP_OF_FILE;
	ret->text = w->at;
	return w->at < (const char *)header + header->size - TRAILER;
}

uint64_t sampler_time(const struct perf_event_header *header)
{
	uint64_t time;
	const char *at = header->type == PERF_RECORD_SAMPLE
		? (const char *)(header + 1) + SAMPLE_TIME
		: (const char *)header + header->size - TRAILER + TRAILER_TIME;
	memcpy(&time, at, sizeof(time));
	return time;
}

bool sampler_read(const struct sys_sampler_ring *ring, const struct perf_event_header *header,
	struct sys_record *ret)
{
	*ret = (struct sys_record){ 0 };
	if (header->type == PERF_RECORD_SAMPLE)
		return read_sample(ring, header, ret);
	struct words w = { (const char *)(header + 1), (const char *)header + header->size };
	read_trailer(header, ret);
	switch (header->type) {
	case PERF_RECORD_SWITCH:
		ret->kind =
			header->misc & PERF_RECORD_MISC_SWITCH_OUT ? SYS_RECORD_OUT : SYS_RECORD_IN;
		ret->preempted = header->misc & PERF_RECORD_MISC_SWITCH_OUT_PREEMPT;
		return true;
	case PERF_RECORD_MMAP2:
		return read_map(header, &w, ret);
	case PERF_RECORD_COMM:
		ret->kind = SYS_RECORD_NAME;
		take_two(&w, (uint32_t *)&ret->pid, (uint32_t *)&ret->tid);
		ret->exec = header->misc & PERF_RECORD_MISC_COMM_EXEC;
		ret->text = w.at;
		return true;
	case PERF_RECORD_FORK:
	case PERF_RECORD_EXIT:
		ret->kind = header->type == PERF_RECORD_FORK ? SYS_RECORD_BIRTH : SYS_RECORD_DEATH;
		take_two(&w, (uint32_t *)&ret->pid, (uint32_t *)&ret->parent);
		take_two(&w, (uint32_t *)&ret->tid, (uint32_t *)&ret->creator);
		return true;
	case PERF_RECORD_LOST:
		ret->kind = SYS_RECORD_LOST;
		take(&w);
		ret->count = take(&w);
		return true;
	case PERF_RECORD_THROTTLE:
		ret->kind = SYS_RECORD_SLOWED;
		return true;
	default:
		return false;
	}
}
