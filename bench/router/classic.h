/* SPDX-License-Identifier: MIT */
/* The stages of the router, one by one, for programs that join them by other means than libleat. */
#ifndef BENCH_ROUTER_CLASSIC_H
#define BENCH_ROUTER_CLASSIC_H

#include <stdint.h>

#ifdef __cplusplus
extern "C" {
#endif

struct classic;

/* NULL, and a word on stderr, when something is missing. */
struct classic *classic_open(
	const char *capture, const char *config, unsigned chunk, unsigned tokens, unsigned queens);

/* The number-th chunk, filled; NULL: the capture has ended. One at a time, in order. */
void *classic_read(struct classic *c, uint64_t number);

void classic_parse(struct classic *c, void *item); /* any number at a time */
void classic_work(struct classic *c, void *item);  /* likewise */
void classic_flow(struct classic *c, void *item);  /* one at a time, in order */
void classic_write(struct classic *c, void *item); /* likewise */

/* Packets that came in; 0: some are missing. Frees it. */
uint64_t classic_close(struct classic *c);

#ifdef __cplusplus
}
#endif

#endif
