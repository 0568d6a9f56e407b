/* SPDX-License-Identifier: MIT */
/* The classic example's shape on oneTBB: the router's own stages, joined by parallel_pipeline.
 *
 *	tbb THREADS CAPTURE CONFIG CHUNK TOKENS QUEENS      prints: PACKETS CPU-NS WALL-NS */
#include "router/classic.h"

#include <tbb/global_control.h>
#include <tbb/parallel_pipeline.h>

#include <cstdio>
#include <cstdlib>
#include <ctime>

static long long clock_ns(clockid_t clock)
{
	struct timespec ts;
	clock_gettime(clock, &ts);
	return static_cast<long long>(ts.tv_sec) * 1000000000 + ts.tv_nsec;
}

static void run(struct classic *c, unsigned tokens)
{
	using tbb::filter_mode;
	auto stage = [c](filter_mode mode, void (*fn)(struct classic *, void *)) {
		return tbb::make_filter<void *, void *>(mode, [c, fn](void *item) {
			fn(c, item);
			return item;
		});
	};
	auto read = tbb::make_filter<void, void *>(
		filter_mode::serial_in_order, [c](tbb::flow_control &fc) -> void * {
			void *item = classic_read(c);
			if (!item)
				fc.stop();
			return item;
		});
	auto write = tbb::make_filter<void *, void>(
		filter_mode::serial_in_order, [c](void *item) { classic_write(c, item); });
	tbb::parallel_pipeline(tokens,
		read & stage(filter_mode::parallel, classic_parse) &
			stage(filter_mode::parallel, classic_work) &
			stage(filter_mode::parallel, classic_work) &
			stage(filter_mode::parallel, classic_work) &
			stage(filter_mode::serial_in_order, classic_flow) & write);
}

int main(int argc, char **argv)
{
	if (argc != 7)
		return 2;
	auto count = [argv](int i) { return static_cast<unsigned>(std::atoi(argv[i])); };
	tbb::global_control threads(tbb::global_control::max_allowed_parallelism, count(1));
	struct classic *c = classic_load(argv[3]);
	/* from here as `router` does it: it makes all that a run needs, too */
	long long cpu = clock_ns(CLOCK_PROCESS_CPUTIME_ID), wall = clock_ns(CLOCK_MONOTONIC);
	classic_start(c, argv[2], count(4), count(5), count(6));
	run(c, count(5));
	unsigned long long packets = classic_finish(c);
	cpu = clock_ns(CLOCK_PROCESS_CPUTIME_ID) - cpu;
	wall = clock_ns(CLOCK_MONOTONIC) - wall;
	std::printf("%llu %lld %lld\n", packets, cpu, wall);
	classic_free(c);
	return packets == 0;
}
