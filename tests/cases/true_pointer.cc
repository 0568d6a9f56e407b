// SPDX-License-Identifier: GPL-2.0-or-later
// A shared_ptr to the configuration, copied for each request.
#include "case.h"

#include <memory>
#include <thread>
#include <vector>

struct config {
	uint64_t limit = 7;
};

static std::shared_ptr<config> current = std::make_shared<config>();

static void serve()
{
	uint64_t sum = 0;
	for (uint64_t i = case_share(50e6); i > 0; i--) {
		std::shared_ptr<config> mine = current;
		sum += mine->limit;
	}
	case_sink = sum;
}

int main(int argc, char **argv)
{
	case_start(argc, argv);
	std::vector<std::thread> threads;
	for (unsigned i = 0; i < case_threads; i++)
		threads.emplace_back(serve);
	for (auto &t : threads)
		t.join();
	return 0;
}
