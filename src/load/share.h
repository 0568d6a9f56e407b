/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Where the threads of a load spent their time, from the library's statistics page. */
#ifndef LOAD_SHARE_H
#define LOAD_SHARE_H

#include <stdint.h>

/* One line per libleat thread that began at since_ns or later and has ended; NULL: no memory, or
 * no such thread. The caller frees it. */
char *share_text(int64_t since_ns);

#endif
