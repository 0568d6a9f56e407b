/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Library calls that say what a thread was about, by the names on its call chain. */
#ifndef CAUSE_ENTRY_H
#define CAUSE_ENTRY_H

#include "record/evidence.h"

enum cause_entry {
	CAUSE_ENTRY_NONE,
	CAUSE_ENTRY_MUTEX,
	CAUSE_ENTRY_RWLOCK,
	CAUSE_ENTRY_SEMAPHORE,
	CAUSE_ENTRY_CONDITION,
	CAUSE_ENTRY_TIMED, /* a condition, semaphore or lock with a deadline */
	CAUSE_ENTRY_BARRIER,
	CAUSE_ENTRY_JOIN,
	CAUSE_ENTRY_SPINLOCK,
	CAUSE_ENTRY_YIELD,
	CAUSE_ENTRY_ALLOCATOR,
	CAUSE_ENTRY_STDIO,
	CAUSE_ENTRY_RUNTIME, /* a team of an OpenMP runtime waits for its members */
	CAUSE_ENTRIES,
};

/* The outermost call that is known, among the site's frames up to its call site. */
enum cause_entry cause_entry_of(const struct evidence_site *site);

/* The same of one function's name, as the object has it. */
enum cause_entry cause_entry_named(const char *function);

#endif
