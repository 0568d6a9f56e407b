/* SPDX-License-Identifier: MIT */
/* Numbers that the environment may set in place of the program's own: so a program is tuned, or
 * swept, without touching its code. */
#ifndef LIB_ENV_H
#define LIB_ENV_H

#include "leat/base.h"

/* *number becomes the variable's, if it is set. Errors: -EINVAL LEAT-ENV for what is no number
 * from 1 to max. A program with more rights than its user is not told by the environment. */
int env_number(const char *variable, unsigned max, unsigned *number, struct leat_err *err);

#endif
