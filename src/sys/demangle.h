/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Names of C++ and Rust as people write them, by libiberty, which GCC and binutils use. */
#ifndef SYS_DEMANGLE_H
#define SYS_DEMANGLE_H

/* "foo::bar" for "_ZN3foo3barEi", without the parameters; NULL when the name is not mangled or
 * cannot be read here. Owner: the caller, by free. */
char *sys_demangle(const char *name);

#endif
