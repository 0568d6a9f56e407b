// SPDX-License-Identifier: MIT
// The chain of ten on FastFlow, a thread each, queues of ten that sleep rather than spin. Built
// where FASTFLOW names a checkout.
#include <ff/ff.hpp>

#include <vector>

#include "shape.h"

struct source : ff::ff_node_t<long> {
	long left;
	explicit source(long n) : left(n)
	{
	}
	long *svc(long *) override
	{
		return left > 0 ? (long *)(uintptr_t)left-- : (long *)EOS;
	}
};

struct relay : ff::ff_node_t<long> {
	long *svc(long *item) override
	{
		return item;
	}
};

struct sink : ff::ff_node_t<long> {
	long got = 0;
	long *svc(long *) override
	{
		got++;
		return (long *)GO_ON;
	}
};

int main(int argc, char **argv)
{
	const long n = 30000;
	if (argc < 2 || strcmp(argv[1], "chain-10") != 0)
		return 2;
	source first(n);
	sink last;
	std::vector<relay> between(STAGES - 2);
	ff::ff_pipeline pipe;
	pipe.add_stage(&first);
	for (relay &r : between)
		pipe.add_stage(&r);
	pipe.add_stage(&last);
	pipe.setXNodeInputQueueLength(10, true);
	pipe.setXNodeOutputQueueLength(10, true);
	pipe.blocking_mode(true);
	int64_t start = now_ns();
	if (pipe.run_and_wait_end() < 0 || last.got != n)
		return 1;
	print_ns(now_ns() - start, (uint64_t)n);
	return 0;
}
