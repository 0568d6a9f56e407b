/* SPDX-License-Identifier: MIT */
/* Data of FTP looks like anything: it is known by what its control connection announced. */
#include "router/node/class_app.h"

const struct class_app class_ftp_data = {
	.name = "ftp-data",
};
