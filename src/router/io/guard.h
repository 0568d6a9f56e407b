/* SPDX-License-Identifier: MIT */
/* Mapped files that may be cut while they are read. The system answers a look behind the cut with
 * SIGBUS; here zeros take the place of what is gone, and the file's reader is told. */
#ifndef ROUTER_IO_GUARD_H
#define ROUTER_IO_GUARD_H

#include <stdbool.h>
#include <stddef.h>

struct io_guard;

/* NULL if no more files can be guarded, or the signal not be caught. Threads: any. */
struct io_guard *io_guard_new(void *map, size_t len);
void io_guard_free(struct io_guard *guard);

/* Whether something was gone when a thread looked for it. Threads: any. */
bool io_guard_hit(const struct io_guard *guard);

#endif
