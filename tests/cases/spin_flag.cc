// SPDX-License-Identifier: GPL-2.0-or-later
// A consumer that looks at a flag, without rest, until the producer has made the next item.
#include "case.h"

#include <atomic>
#include <thread>
#include <vector>

struct alignas(CASE_LINE) channel {
	std::atomic<uint64_t> ready{ 0 };
};

static channel channels[CASE_THREADS_MAX];

__attribute__((noinline)) static void await(channel &c, uint64_t item)
{
	while (c.ready.load(std::memory_order_acquire) < item)
		__builtin_ia32_pause();
}

static void work(unsigned self)
{
	channel &c = channels[self / 2];
	bool alone = self == case_threads - 1 && self % 2 == 0;
	uint64_t items = alone ? 100 : 200;
	for (uint64_t i = 1; i <= items; i++) {
		if (alone || self % 2 == 0) {
			case_sink = case_compute(case_share(4e6));
			c.ready.store(i, std::memory_order_release);
		} else {
			await(c, i);
		}
		if (alone || self % 2 == 1)
			case_sink = case_compute(case_share(1e6));
	}
}

int main(int argc, char **argv)
{
	case_start(argc, argv);
	std::vector<std::thread> threads;
	for (unsigned i = 0; i < case_threads; i++)
		threads.emplace_back(work, i);
	for (auto &t : threads)
		t.join();
	return 0;
}
