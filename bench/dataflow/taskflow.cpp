// SPDX-License-Identifier: MIT
// The dataflow shapes on Taskflow's pipelines. Built where TASKFLOW names a checkout.
#include <taskflow/taskflow.hpp>

#include <taskflow/algorithm/pipeline.hpp>

#include <functional>
#include <vector>

#include "shape.h"

static void *pass(void *item)
{
	return item;
}
static void *(*volatile stage_fn)(void *) = pass;

using pipe_fn = std::function<void(tf::Pipeflow &)>;

static void run(int workers, std::vector<tf::Pipe<pipe_fn>> &pipes, size_t tokens)
{
	tf::Executor executor((size_t)workers);
	tf::Taskflow flow;
	tf::ScalablePipeline<std::vector<tf::Pipe<pipe_fn>>::iterator> pipeline(
		tokens, pipes.begin(), pipes.end());
	flow.composed_of(pipeline);
	executor.run(flow).wait();
}

static void pipe_empty(tf::PipeType kind, int workers, uint64_t n)
{
	void *item[4] = {};
	std::vector<tf::Pipe<pipe_fn>> pipes;
	pipes.emplace_back(tf::PipeType::SERIAL, [&](tf::Pipeflow &pf) {
		if (pf.token() == n)
			pf.stop();
		else
			item[pf.line()] = (void *)(uintptr_t)(pf.token() + 1);
	});
	for (int i = 1; i < STAGES; i++)
		pipes.emplace_back(kind,
			[&](tf::Pipeflow &pf) { item[pf.line()] = stage_fn(item[pf.line()]); });
	int64_t start = now_ns();
	run(workers, pipes, 4);
	print_ns(now_ns() - start, n);
}

static void router(int workers, uint64_t n)
{
	static struct chunk chunk[4];
	uint64_t arrived = 0, wrong = 0;
	std::vector<tf::Pipe<pipe_fn>> pipes;
	pipes.emplace_back(tf::PipeType::SERIAL, [&](tf::Pipeflow &pf) {
		if (pf.token() == n) {
			pf.stop();
			return;
		}
		router_fill(&chunk[pf.line()], pf.token());
		router_work(&chunk[pf.line()], 0);
	});
	for (unsigned s = 1; s < ROUTER_STAGES - 1; s++)
		pipes.emplace_back(tf::PipeType::PARALLEL,
			[s](tf::Pipeflow &pf) { router_work(&chunk[pf.line()], s); });
	pipes.emplace_back(tf::PipeType::SERIAL, [&](tf::Pipeflow &pf) {
		struct chunk *c = &chunk[pf.line()];
		router_work(c, ROUTER_STAGES - 1);
		wrong += c->number != arrived++;
	});
	int64_t start = now_ns();
	run(workers, pipes, 4);
	print_ns(now_ns() - start, n);
	if (wrong || arrived != n)
		exit(1);
}

int main(int argc, char **argv)
{
	const char *shape = argc > 1 ? argv[1] : "";
	if (strcmp(shape, "pipe-serial-1") == 0)
		pipe_empty(tf::PipeType::SERIAL, 1, 500000);
	else if (strcmp(shape, "pipe-parallel-1") == 0)
		pipe_empty(tf::PipeType::PARALLEL, 1, 500000);
	else if (strcmp(shape, "pipe-serial-2") == 0)
		pipe_empty(tf::PipeType::SERIAL, 2, 500000);
	else if (strcmp(shape, "pipe-parallel-2") == 0)
		pipe_empty(tf::PipeType::PARALLEL, 2, 500000);
	else if (strcmp(shape, "router-1") == 0)
		router(1, 3000);
	else if (strcmp(shape, "router-2") == 0)
		router(2, 6000);
	else
		return 2;
	return 0;
}
