/* SPDX-License-Identifier: GPL-2.0-or-later */
/* From what was seen to evidence: the state that the steps share. Not for other rooms. */
#ifndef RUN_EVIDENCE_INSIDE_H
#define RUN_EVIDENCE_INSIDE_H

#include "base/u64map.h"
#include "record/evidence.h"
#include "run/allocations.h"
#include "run/evidence.h"
#include "run/observed.h"
#include "sys/insn.h"

enum {
	REDUCE_FRAMES = 24, /* of a chain, inlined ones counted */
	REDUCE_CHAIN = 64,  /* return addresses unwound */
	REDUCE_SITES = 1 << 16,
	REDUCE_ROWS = 256, /* of waits and of samples */
	REDUCE_LINES = 16,
	REDUCE_GROUPS = 64,
};

/* An address of code, looked at once: its place in the source and in the machine code. */
struct reduce_place {
	uint32_t image;
	uint64_t ip;
	bool looked, decoded;
	bool wrapper; /* in libc or the like: the call site is further out */
	struct sys_code code;
	struct sys_insn_place insn;
	OBSERVED_LIST(uint32_t) stacks; /* samples of the place that have one */
	int site; /* of the place itself, not in a wrapper; -2 = not looked for */
};

/* A page that was faulted in, in samples. */
struct reduce_page {
	double faults, uses;
};

/* What the functions of libc and runtimes between the call site and the kernel tell. */
struct reduce_chain {
	enum evidence_op op; /* what a futex is used for; EVIDENCE_OP_USER = not told */
	bool malloc;         /* inside the allocator */
	const char *start;   /* where the thread began; NULL = the chain does not reach it */
};

struct reduce {
	struct observed *o;
	const struct allocations *blocks; /* NULL: nobody noted them */
	struct lt_arena *arena;           /* of the evidence */
	struct evidence *e;
	bool failed;

	OBSERVED_LIST(struct reduce_place) places;
	struct lt_u64map place_of; /* image and ip */

	OBSERVED_LIST(struct reduce_page) pages;
	struct lt_u64map page_of; /* address and process */

	OBSERVED_LIST(struct evidence_site) sites;
	struct lt_u64map site_of;    /* what the call site says */
	struct lt_u64map chain_of;   /* addresses of a chain */
	int *stack_site;             /* by stack; -2 = not looked for, -1 = no site */
	struct reduce_chain *chains; /* by stack: what else the chain tells */
};

/* Find by key, or make: the element of a list whose index the map holds. A new one is a copy of
 * `like`; of zeros where that is NULL. NULL when memory has run out: then `failed` is set. */
void *reduce_find(struct reduce *r, void *list, size_t *n, size_t *cap, size_t size,
	struct lt_u64map *of, uint64_t key, const void *like);

#define REDUCE_FIND(r, list, of, key, like)                                               \
	__extension__({                                                                   \
		const __typeof__(*(list)->at) *like_ = (like);                            \
		(__typeof__((list)->at))reduce_find((r), (void *)&(list)->at, &(list)->n, \
			&(list)->cap, sizeof(*like_), (of), (key), like_);                \
	})

/* evidence_images.c */
struct sys_image *reduce_image(struct reduce *r, uint32_t image);
uint32_t reduce_place(struct reduce *r, uint32_t image, uint64_t ip);

/* evidence_sites.c: index of a site, or -1. */
int reduce_site_of_stack(struct reduce *r, uint32_t stack);
int reduce_site_of_place(struct reduce *r, uint32_t place);

/* Of a sample: its place, or in a wrapper who called it, by its own stack or one of its like. */
int reduce_site_of_sample(struct reduce *r, const struct observed_sample *s);
bool reduce_is_wrapper(const struct sys_place *p);

/* evidence_wrappers.c: adds to a chain what a frame in front of the call site tells. */
void reduce_wrapper_tells(const struct sys_place *p, struct reduce_chain *ret);

/* Of a caller that is told by its registers and the stack above it. */
int reduce_site_of_caller(struct reduce *r, uint32_t image, const struct sys_regs *regs,
	const void *stack, size_t len);

/* evidence_pages.c */

/* The clock stops a thread in front of the instruction that comes next: the one it had to
 * wait for is mostly the one before. That one's operand counts unless it has changed its own
 * address; else that of the instruction itself. */
bool reduce_access(
	const struct observed_sample *s, const struct reduce_place *p, struct sys_access *ret);

/* Is the address in memory that is faulted in again and again? */
bool reduce_is_fresh(const struct reduce *r, uint32_t thread, uint64_t addr);

/* One step each. */
void reduce_pages(struct reduce *r);
void reduce_groups(struct reduce *r);
void reduce_samples(struct reduce *r);
void reduce_faults(struct reduce *r);
void reduce_lines(struct reduce *r);
void reduce_waits(struct reduce *r);
void reduce_sites(struct reduce *r); /* last: keeps those that the others name */

/* What an address of data is called: `object` and `symbol` as in struct evidence_line. */
struct reduce_data {
	const char *object, *symbol;
	uint64_t symbol_off;
};
struct reduce_data reduce_name_data(struct reduce *r, uint32_t image, uint64_t addr);

/* The file's name without its directories; NULL stays NULL. */
const char *reduce_base_name(const char *path);

/* One run, and all that follows from it. `blocks`, which may be NULL, were noted meanwhile. */
int evidence_observe(struct trial_run *t, const struct run_command *cmd,
	const struct evidence_opts *opts, const struct allocations *blocks, struct lt_arena *arena,
	struct evidence *ret, struct lt_err *err);

/* Where the hot lines of `e` that are in no variable were allocated: by another run, if there
 * are any. t ends as after the first run, but for what trial_run_end needs. */
int evidence_find_allocations(struct trial_run *t, const struct run_command *cmd,
	const struct evidence_opts *opts, struct lt_arena *arena, struct evidence *e,
	struct lt_err *err);

/* A copy in the arena; NULL stays NULL. */
const char *reduce_text(struct reduce *r, const char *text);

/* The same of a function's or variable's name, as people write it. */
const char *reduce_name(struct reduce *r, const char *name);

#endif
