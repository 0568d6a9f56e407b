/* SPDX-License-Identifier: MIT */
/* The error idiom inside libleat. */
#ifndef LIB_ERR_H
#define LIB_ERR_H

#include <errno.h>
#include <string.h>

#include "leat/base.h"

#define LEAT_FAIL(err, code, id, ...) leat_err_set((err), (code), (id), __VA_ARGS__)
#define LEAT_FAIL_MEM(err)            leat_err_set((err), -ENOMEM, "LEAT-MEMORY", "out of memory")

/* Where data calls, which have no error argument, leave the text. */
struct leat_err *err_last(void);

#endif
