/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Being told to stop. The signals are blocked and read from a descriptor, so that no
 * moment of an experiment can be cut in two. */
#ifndef RUN_SIGNALS_H
#define RUN_SIGNALS_H

#include <signal.h>
#include <stdint.h>

#include "base/err.h"

struct signals {
	int fd;       /* readable when told to stop */
	sigset_t old; /* the mask leat was started with: programs get it back */
	int last;     /* the signal that told us first; 0 = none yet */
};

#define SIGNALS_NONE     \
	{                \
		.fd = -1 \
	}

int signals_open(struct signals *s, struct lt_err *err);

/* They stay blocked: what was measured is still to be written, and whole. */
void signals_close(struct signals *s);

/* The next signal waiting, or 0; never blocks. Remembers the first in `last`. */
int signals_take(struct signals *s);

/* The old mask as the kernel's 64 bits. */
uint64_t signals_old_mask(const struct signals *s);

#endif
