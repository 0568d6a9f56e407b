/* SPDX-License-Identifier: MIT */
/* Networks outside, for flows to go to. */
#ifndef TOOLS_CAPTURE_NETS_H
#define TOOLS_CAPTURE_NETS_H

#include "capture/capture.h"

/* Sets opts->nets from the prefixes that lines of a file begin with; without a file, large networks
 * all over. The caller frees *ret_nets, also after a failure. Errors: LT-CAPTURE, LT-MEMORY. */
int nets_load(struct capture_opts *opts, const char *path, struct capture_net **ret_nets,
	struct lt_err *err);

#endif
