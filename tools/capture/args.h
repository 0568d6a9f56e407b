/* SPDX-License-Identifier: MIT */
/* The command line of make-capture. */
#ifndef TOOLS_CAPTURE_ARGS_H
#define TOOLS_CAPTURE_ARGS_H

#include "capture/capture.h"

enum args_form {
	ARGS_PCAP,
	ARGS_PCAPNG,
	ARGS_TEXT,
};

struct args {
	struct capture_opts capture;
	struct capture_net *nets; /* owned */
	enum args_form form;
	bool micro;
	const char *dir;
	const char *inside_nic, *outside_nic;
};

int args_parse(struct args *args, int argc, char **argv, struct lt_err *err);
void args_done(struct args *args);

#endif
