/* SPDX-License-Identifier: MIT */
/* Which NIC an interface of an input is: the rules of struct io_reader_opts. */
#ifndef ROUTER_IO_NICS_H
#define ROUTER_IO_NICS_H

#include "router/io/reader.h"

enum {
	IO_NIC_NONE = -1
};

struct io_nics {
	const struct io_reader_opts *opts;
	const char *path; /* as given: inputs of this path that name an interface apply */
	const char *nic;  /* all other interfaces are this one's; NULL: see further rules */
};

/* Index of a NIC by name, or IO_NIC_NONE. */
int io_nic_named(const struct io_reader_opts *opts, const char *name);

/* The NIC of an interface, by its name (NULL: has none) and its number (-1: has none), or
 * IO_NIC_NONE. */
int io_nics_find(const struct io_nics *nics, const char *interface, long number);

/* Every NIC and interface that the inputs name must make sense. Errors: LT-INPUT. */
int io_nics_check(const struct io_reader_opts *opts, struct lt_err *err);

#endif
