/* SPDX-License-Identifier: MIT */
/* The stages of the router, one by one, for programs that join them by other means than libleat. */
#ifndef BENCH_ROUTER_CLASSIC_H
#define BENCH_ROUTER_CLASSIC_H

#include <stdint.h>

#ifdef __cplusplus
extern "C" {
#endif

struct classic;

/* Reads the configuration and its routes. What is missing ends the program with a word. */
struct classic *classic_load(const char *config);

/* Opens the capture and makes what a run needs. What is missing ends the program with a word. */
void classic_start(
	struct classic *c, const char *capture, unsigned chunk, unsigned tokens, unsigned queens);

/* The next chunk, filled; NULL: the capture has ended. One at a time, in order. */
void *classic_read(struct classic *c);

void classic_parse(struct classic *c, void *item); /* any number at a time */
void classic_work(struct classic *c, void *item);  /* likewise */
void classic_flow(struct classic *c, void *item);  /* one at a time, in order */
void classic_write(struct classic *c, void *item); /* likewise */

/* Ends the run. Packets that came in; 0: some are missing. */
uint64_t classic_finish(struct classic *c);

void classic_free(struct classic *c);

#ifdef __cplusplus
}
#endif

#endif
