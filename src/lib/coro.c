/* SPDX-License-Identifier: MIT */
/* Switching stacks: a dozen instructions on x86-64 and aarch64, swapcontext(3) elsewhere. */
#include "lib/coro.h"

#include <errno.h>
#include <stdbool.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <unistd.h>

#include "lib/sync.h"

#if defined(__has_feature)
#if __has_feature(address_sanitizer) && !defined(__SANITIZE_ADDRESS__)
#define __SANITIZE_ADDRESS__ 1
#endif
#endif
#ifdef __SANITIZE_ADDRESS__
#include <sanitizer/common_interface_defs.h>
#endif
#ifdef __SANITIZE_THREAD__
#include <sanitizer/tsan_interface.h>
#endif

enum {
	STACK_DEFAULT = 256 << 10,
	STACK_MIN = 32 << 10,
};

void coro_begin(struct coro *c);

#if defined(__x86_64__) && defined(__LP64__) && !defined(LIB_CORO_PLAIN)
#define OWN_SWITCH 1
/* What a function must keep is pushed on the old stack and popped from the new one. */
__asm__(".text\n"
	".p2align 4\n"
	".type lib_coro_swap, @function\n"
	".hidden lib_coro_swap\n"
	".globl lib_coro_swap\n"
	"lib_coro_swap:\n"
	"	pushq %rbp\n"
	"	pushq %rbx\n"
	"	pushq %r12\n"
	"	pushq %r13\n"
	"	pushq %r14\n"
	"	pushq %r15\n"
	"	movq %rsp, (%rdi)\n"
	"	movq %rsi, %rsp\n"
	"	popq %r15\n"
	"	popq %r14\n"
	"	popq %r13\n"
	"	popq %r12\n"
	"	popq %rbx\n"
	"	popq %rbp\n"
	"	popq %rcx\n" /* not `ret`: the return predictor knows the other stack */
	"	jmp *%rcx\n"
	".size lib_coro_swap, .-lib_coro_swap\n"
	".type lib_coro_start, @function\n"
	".hidden lib_coro_start\n"
	".globl lib_coro_start\n"
	"lib_coro_start:\n"
	"	.cfi_startproc\n"
	"	.cfi_undefined rip\n"
	"	movq %r12, %rdi\n"
	"	call *%r13\n"
	"	ud2\n"
	"	.cfi_endproc\n"
	".size lib_coro_start, .-lib_coro_start\n");

void lib_coro_swap(void **from, void *to);
void lib_coro_start(void);

static void prepare_stack(struct coro *c, char *top)
{
	uintptr_t *sp = (uintptr_t *)(void *)top - 8;
	memset(sp, 0, 8 * sizeof(*sp));
	sp[2] = (uintptr_t)coro_begin;     /* r13 */
	sp[3] = (uintptr_t)c;              /* r12 */
	sp[6] = (uintptr_t)lib_coro_start; /* where the jump goes */
	c->sp = sp;
}
#elif defined(__aarch64__) && !defined(LIB_CORO_PLAIN)
#define OWN_SWITCH 1
__asm__(".text\n"
	".p2align 4\n"
	".type lib_coro_swap, %function\n"
	".hidden lib_coro_swap\n"
	".globl lib_coro_swap\n"
	"lib_coro_swap:\n"
	"	sub sp, sp, #160\n"
	"	stp x19, x20, [sp, #0]\n"
	"	stp x21, x22, [sp, #16]\n"
	"	stp x23, x24, [sp, #32]\n"
	"	stp x25, x26, [sp, #48]\n"
	"	stp x27, x28, [sp, #64]\n"
	"	stp x29, x30, [sp, #80]\n"
	"	stp d8, d9, [sp, #96]\n"
	"	stp d10, d11, [sp, #112]\n"
	"	stp d12, d13, [sp, #128]\n"
	"	stp d14, d15, [sp, #144]\n"
	"	mov x9, sp\n"
	"	str x9, [x0]\n"
	"	mov sp, x1\n"
	"	ldp x19, x20, [sp, #0]\n"
	"	ldp x21, x22, [sp, #16]\n"
	"	ldp x23, x24, [sp, #32]\n"
	"	ldp x25, x26, [sp, #48]\n"
	"	ldp x27, x28, [sp, #64]\n"
	"	ldp x29, x30, [sp, #80]\n"
	"	ldp d8, d9, [sp, #96]\n"
	"	ldp d10, d11, [sp, #112]\n"
	"	ldp d12, d13, [sp, #128]\n"
	"	ldp d14, d15, [sp, #144]\n"
	"	add sp, sp, #160\n"
	"	ret\n"
	".size lib_coro_swap, .-lib_coro_swap\n"
	".type lib_coro_start, %function\n"
	".hidden lib_coro_start\n"
	".globl lib_coro_start\n"
	"lib_coro_start:\n"
	"	mov x0, x19\n"
	"	blr x20\n"
	"	brk #1\n"
	".size lib_coro_start, .-lib_coro_start\n");

void lib_coro_swap(void **from, void *to);
void lib_coro_start(void);

static void prepare_stack(struct coro *c, char *top)
{
	uintptr_t *sp = (uintptr_t *)(void *)top - 20;
	memset(sp, 0, 20 * sizeof(*sp));
	sp[0] = (uintptr_t)c;               /* x19 */
	sp[1] = (uintptr_t)coro_begin;      /* x20 */
	sp[11] = (uintptr_t)lib_coro_start; /* x30 */
	c->sp = sp;
}
#else
#include <ucontext.h>

static void start_context(unsigned high, unsigned low)
{
	coro_begin((struct coro *)((uintptr_t)high << 16 << 16 | low));
}

static void prepare_stack(struct coro *c, char *top)
{
	ucontext_t *uc = c->context;
	getcontext(uc);
	uc->uc_stack.ss_sp = c->map;
	uc->uc_stack.ss_size = (size_t)(top - (char *)c->map);
	uc->uc_link = NULL;
	makecontext(uc, (void (*)(void))start_context, 2, (unsigned)((uintptr_t)c >> 16 >> 16),
		(unsigned)(uintptr_t)c);
}
#endif

static void before(struct coro *from, struct coro *to, bool last)
{
	(void)from;
	(void)to;
	(void)last;
#ifdef __SANITIZE_ADDRESS__
	__sanitizer_start_switch_fiber(last ? NULL : &from->fake, to->stack, to->stack_bytes);
#endif
#ifdef __SANITIZE_THREAD__
	__tsan_switch_to_fiber(to->fiber, 0);
#endif
}

/* On the new stack. The thread's own stack is learnt when it is left for the first time. */
static void after(struct coro *self, struct coro *from)
{
	(void)self;
	(void)from;
#ifdef __SANITIZE_ADDRESS__
	const void *stack;
	size_t bytes;
	__sanitizer_finish_switch_fiber(self->fake, &stack, &bytes);
	if (from && !from->map) {
		from->stack = stack;
		from->stack_bytes = bytes;
	}
#endif
}

static _Thread_local struct coro *came_from;

void coro_begin(struct coro *c)
{
	after(c, came_from);
	c->fn(c->arg);
	abort(); /* fn leaves by coro_leave */
}

static void swap(struct coro *from, struct coro *to, bool last)
{
	came_from = from;
	before(from, to, last);
#ifdef OWN_SWITCH
	lib_coro_swap(&from->sp, to->sp);
#else
	swapcontext(from->context, to->context);
#endif
	after(from, came_from);
}

void coro_switch(struct coro *from, struct coro *to)
{
	swap(from, to, false);
}

void coro_leave(struct coro *from, struct coro *to)
{
	swap(from, to, true);
}

static int init(struct coro *c)
{
#ifndef OWN_SWITCH
	c->context = calloc(1, sizeof(ucontext_t));
	if (!c->context)
		return -ENOMEM;
#endif
	(void)c;
	return 0;
}

int coro_init_thread(struct coro *c)
{
	memset(c, 0, sizeof(*c));
#ifdef __SANITIZE_THREAD__
	c->fiber = __tsan_get_current_fiber();
#endif
	return init(c);
}

int coro_init(struct coro *c, size_t stack_bytes, void (*fn)(void *), void *arg)
{
	size_t page = (size_t)sysconf(_SC_PAGESIZE);
	memset(c, 0, sizeof(*c));
	stack_bytes = stack_bytes == 0    ? STACK_DEFAULT
		: stack_bytes < STACK_MIN ? STACK_MIN
					  : stack_bytes;
	stack_bytes = (stack_bytes + page - 1) & ~(page - 1);
	void *map = mmap(NULL, stack_bytes + page, PROT_READ | PROT_WRITE,
		MAP_PRIVATE | MAP_ANONYMOUS | MAP_STACK | MAP_NORESERVE, -1, 0);
	if (map == MAP_FAILED)
		return -ENOMEM;
	mprotect(map, page, PROT_NONE); /* an overflow faults instead of corrupting */
	c->map = map;
	c->map_bytes = stack_bytes + page;
	c->stack = (char *)map + page;
	c->stack_bytes = stack_bytes;
	c->fn = fn;
	c->arg = arg;
	if (init(c) < 0)
		return -ENOMEM;
#ifdef __SANITIZE_THREAD__
	c->fiber = __tsan_create_fiber(0);
#endif
	prepare_stack(c, (char *)map + c->map_bytes);
	return 0;
}

void coro_done(struct coro *c)
{
#ifdef __SANITIZE_THREAD__
	if (c->map && c->fiber)
		__tsan_destroy_fiber(c->fiber);
#endif
	if (c->map)
		munmap(c->map, c->map_bytes);
	free(c->context);
	memset(c, 0, sizeof(*c));
}
