/* SPDX-License-Identifier: GPL-2.0-or-later */
/* What `leat list` asks of `leat bench`. */
#ifndef CMD_BENCH_H
#define CMD_BENCH_H

/* Prints the table of loads on stdout. */
void bench_list(void);

#endif
