/* SPDX-License-Identifier: GPL-2.0-or-later */
/* C++ names as people write them. By the C++ runtime, where there is one: programs that have
 * such names bring it. */
#ifndef SYS_DEMANGLE_H
#define SYS_DEMANGLE_H

/* "foo::bar" for "_ZN3foo3barEi", without the parameters; NULL when the name is not mangled or
 * cannot be read here. Owner: the caller, by free. */
char *sys_demangle(const char *name);

#endif
