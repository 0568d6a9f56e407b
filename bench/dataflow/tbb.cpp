// SPDX-License-Identifier: MIT
// The dataflow shapes on oneTBB: parallel_pipeline and flow graph.
#include <tbb/flow_graph.h>
#include <tbb/global_control.h>
#include <tbb/parallel_pipeline.h>

#include "shape.h"

static void *pass(void *item)
{
	return item;
}
static void *(*volatile stage_fn)(void *) = pass;

static void pipe_empty(tbb::filter_mode mode, int workers, uint64_t n)
{
	tbb::global_control control(tbb::global_control::max_allowed_parallelism, (size_t)workers);
	uint64_t made = 0;
	tbb::filter<void, void *> head = tbb::make_filter<void, void *>(
		tbb::filter_mode::serial_in_order, [&](tbb::flow_control &fc) -> void * {
			if (made == n) {
				fc.stop();
				return nullptr;
			}
			return (void *)(uintptr_t)++made;
		});
	for (int i = 1; i < STAGES - 1; i++)
		head = head &
			tbb::make_filter<void *, void *>(mode, [](void *x) { return stage_fn(x); });
	int64_t start = now_ns();
	tbb::parallel_pipeline(
		4, head & tbb::make_filter<void *, void>(mode, [](void *x) { stage_fn(x); }));
	print_ns(now_ns() - start, n);
}

static void router(int workers, uint64_t n)
{
	static struct chunk chunk[16];
	tbb::global_control control(tbb::global_control::max_allowed_parallelism, (size_t)workers);
	uint64_t made = 0, arrived = 0, wrong = 0;
	const auto mode = tbb::filter_mode::parallel, order = tbb::filter_mode::serial_in_order;
	auto middle = [&](unsigned s) {
		return tbb::make_filter<struct chunk *, struct chunk *>(mode, [s](struct chunk *c) {
			router_work(c, s);
			return c;
		});
	};
	int64_t start = now_ns();
	tbb::parallel_pipeline(4,
		tbb::make_filter<void, struct chunk *>(
			order,
			[&](tbb::flow_control & fc) -> struct chunk * {
				if (made == n) {
					fc.stop();
					return nullptr;
				}
				struct chunk *c = &chunk[made % 16];
				router_fill(c, made++);
				router_work(c, 0);
				return c;
			}) &
			middle(1) & middle(2) & middle(3) &
			tbb::make_filter<struct chunk *, void>(order, [&](struct chunk *c) {
				router_work(c, 4);
				wrong += c->number != arrived++;
			}));
	print_ns(now_ns() - start, n);
	if (wrong || arrived != n)
		exit(1);
}

static void flow(int workers, uint64_t n)
{
	using node = tbb::flow::function_node<void *, void *>;
	tbb::global_control control(tbb::global_control::max_allowed_parallelism, (size_t)workers);
	tbb::flow::graph g;
	uint64_t made = 0;
	tbb::flow::input_node<void *> in(g, [&](tbb::flow_control &fc) -> void * {
		if (made == n) {
			fc.stop();
			return nullptr;
		}
		return (void *)(uintptr_t)++made;
	});
	tbb::flow::limiter_node<void *> limit(g, 24);
	std::vector<std::unique_ptr<node>> nodes;
	tbb::flow::make_edge(in, limit);
	for (int i = 1; i < STAGES; i++) {
		nodes.push_back(std::make_unique<node>(
			g, tbb::flow::serial, [](void *x) { return stage_fn(x); }));
		if (i == 1)
			tbb::flow::make_edge(limit, *nodes[0]);
		else
			tbb::flow::make_edge(*nodes[(size_t)i - 2], *nodes[(size_t)i - 1]);
	}
	tbb::flow::function_node<void *, tbb::flow::continue_msg> out(
		g, tbb::flow::serial, [](void *) { return tbb::flow::continue_msg(); });
	tbb::flow::make_edge(*nodes.back(), out);
	tbb::flow::make_edge(out, limit.decrementer());
	int64_t start = now_ns();
	in.activate();
	g.wait_for_all();
	print_ns(now_ns() - start, n);
}

static void paced(uint64_t n)
{
	tbb::global_control control(tbb::global_control::max_allowed_parallelism, 2);
	uint64_t made = 0;
	const auto order = tbb::filter_mode::serial_in_order;
	int64_t beat = now_ns(), cpu = cpu_ns(), start = now_ns();
	tbb::filter<void, void *> head =
		tbb::make_filter<void, void *>(order, [&](tbb::flow_control &fc) -> void * {
			if (made++ == n) {
				fc.stop();
				return nullptr;
			}
			sleep_until(beat += 1000000);
			return (void *)1;
		});
	for (int i = 1; i < STAGES - 1; i++)
		head = head & tbb::make_filter<void *, void *>(order, [](void *x) {
			return stage_fn(x);
		});
	tbb::parallel_pipeline(
		4, head & tbb::make_filter<void *, void>(order, [](void *x) { stage_fn(x); }));
	printf("%.4f\n", 100.0 * (double)(cpu_ns() - cpu) / (double)(now_ns() - start));
}

int main(int argc, char **argv)
{
	const char *shape = argc > 1 ? argv[1] : "";
	const auto order = tbb::filter_mode::serial_in_order, par = tbb::filter_mode::parallel;
#define SHAPE(name, call)               \
	if (strcmp(shape, name) == 0) { \
		call;                   \
		return 0;               \
	}
	SHAPE("pipe-serial-1", pipe_empty(order, 1, 500000))
	SHAPE("pipe-parallel-1", pipe_empty(par, 1, 1000000))
	SHAPE("pipe-serial-2", pipe_empty(order, 2, 500000))
	SHAPE("pipe-parallel-2", pipe_empty(par, 2, 1000000))
	SHAPE("flow-1", flow(1, 300000))
	SHAPE("flow-2", flow(2, 300000))
	SHAPE("router-1", router(1, 3000))
	SHAPE("router-2", router(2, 6000))
	SHAPE("paced-pipe", paced(1000))
	fprintf(stderr, "tbb: no shape '%s'\n", shape);
	return 2;
}
