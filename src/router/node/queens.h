/* SPDX-License-Identifier: MIT */
/* Simulated work: for each packet, all solutions of N queens on an N x N board are counted, as the
 * classic multicore router does in place of real work. */
#ifndef ROUTER_NODE_QUEENS_H
#define ROUTER_NODE_QUEENS_H

enum {
	QUEENS_MAX = 16
};

unsigned queens_count(unsigned n);

void queens_work(unsigned n, unsigned packets);

#endif
