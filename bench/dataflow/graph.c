/* SPDX-License-Identifier: MIT */
/* The chain of ten on DPDK's rte_graph, one core: the argument is chain-BURST. Built where
 * pkg-config finds libdpdk, Debian's or, with PKG_CONFIG_PATH, that of a checkout. */
#include <rte_eal.h>
#include <rte_graph.h>
#include <rte_graph_worker.h>

#include "shape.h"

enum {
	BURST_MAX = 256
};

static uint16_t burst;
static uint64_t arrived;
static void *item[BURST_MAX];

static uint16_t source(struct rte_graph *graph, struct rte_node *node, void **objs, uint16_t n)
{
	(void)objs;
	(void)n;
	rte_node_enqueue(graph, node, 0, item, burst);
	return burst;
}

static uint16_t relay(struct rte_graph *graph, struct rte_node *node, void **objs, uint16_t n)
{
	(void)objs;
	rte_node_next_stream_move(graph, node, 0);
	return n;
}

static uint16_t sink(struct rte_graph *graph, struct rte_node *node, void **objs, uint16_t n)
{
	(void)graph;
	(void)node;
	(void)objs;
	arrived += n;
	return n;
}

#define NODE(name_, process_, flags_, next_)             \
	static struct rte_node_register name_##_node = { \
		.name = #name_,                          \
		.process = process_,                     \
		.flags = flags_,                         \
		.nb_edges = 1,                           \
		.next_nodes = { next_ },                 \
	};                                               \
	RTE_NODE_REGISTER(name_##_node)

NODE(leat0, source, RTE_NODE_SOURCE_F, "leat1");
NODE(leat1, relay, 0, "leat2");
NODE(leat2, relay, 0, "leat3");
NODE(leat3, relay, 0, "leat4");
NODE(leat4, relay, 0, "leat5");
NODE(leat5, relay, 0, "leat6");
NODE(leat6, relay, 0, "leat7");
NODE(leat7, relay, 0, "leat8");
NODE(leat8, relay, 0, "leat9");

static struct rte_node_register leat9_node = {
	.name = "leat9",
	.process = sink,
};
RTE_NODE_REGISTER(leat9_node)

int main(int argc, char **argv)
{
	unsigned size = 0;
	if (argc < 2 || sscanf(argv[1], "chain-%u", &size) != 1 || !size || size > BURST_MAX)
		return 2;
	burst = (uint16_t)size;
	char *eal[] = { argv[0], "--no-huge", "--no-pci", "--no-shconf", "--no-telemetry",
		"--log-level=error", "-l", "0", "-m", "32", NULL };
	if (rte_eal_init(sizeof(eal) / sizeof(*eal) - 1, eal) < 0)
		return 1;
	static const char *patterns[] = { "leat*" };
	struct rte_graph_param param = {
		.socket_id = SOCKET_ID_ANY, .nb_node_patterns = 1, .node_patterns = patterns
	};
	if (rte_graph_create("chain", &param) == RTE_GRAPH_ID_INVALID)
		return 1;
	struct rte_graph *graph = rte_graph_lookup("chain");
	if (!graph)
		return 1;
	const uint64_t n = 2000000;
	int64_t start = now_ns();
	while (arrived < n)
		rte_graph_walk(graph);
	print_ns(now_ns() - start, arrived);
	return 0;
}
