/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Remedies that are environment variables: who would read them? */
#ifndef REMEDY_VARIABLES_H
#define REMEDY_VARIABLES_H

#include "remedy/remedy.h"

/* Ready when the program or a file that it maps holds the variable's name, which it must in
 * order to ask for it; or when no program is known. The C library's own are not read by a
 * program that starts with more rights than its user. */
struct remedy_offer variables_heard(const struct remedy_place *place, const char *name);

/* Sets all of "NAME=VALUE", n of them, if one of the names is heard. */
struct remedy_offer variables_offer(const struct remedy_place *place, const char *const *vars,
	size_t n, struct remedy_change *ret);

#endif
