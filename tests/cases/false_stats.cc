// SPDX-License-Identifier: GPL-2.0-or-later
// Statistics of each worker in a vector of structs with atomics: 24 bytes each, so that wherever
// the vector begins neighbours meet in a cache line.
#include "case.h"

#include <atomic>
#include <thread>
#include <vector>

#ifdef PADDED
struct alignas(128) worker_stats {
#else
struct worker_stats {
#endif
	std::atomic<uint64_t> items{ 0 };
	std::atomic<uint64_t> bytes{ 0 };
	std::atomic<uint64_t> errors{ 0 };
};

static void work(worker_stats &mine)
{
	for (uint64_t i = case_share(80e6); i > 0; i--) {
		mine.items.fetch_add(1, std::memory_order_relaxed);
		mine.bytes.fetch_add(i & 63, std::memory_order_relaxed);
		mine.errors.fetch_add(!(i & 63), std::memory_order_relaxed);
	}
}

int main(int argc, char **argv)
{
	case_start(argc, argv);
	std::vector<worker_stats> stats(case_threads);
	std::vector<std::thread> threads;
	for (unsigned i = 0; i < case_threads; i++)
		threads.emplace_back(work, std::ref(stats[i]));
	for (auto &t : threads)
		t.join();
	case_sink = stats[0].items;
	return 0;
}
