// SPDX-License-Identifier: GPL-2.0-or-later
// A shared map behind one std::mutex.
#include "case.h"

#include <mutex>
#include <thread>
#include <unordered_map>
#include <vector>

static std::mutex lock;
static std::unordered_map<uint64_t, uint64_t> counts;

static void count_words(unsigned self)
{
	for (uint64_t i = case_share(24e6); i > 0; i--) {
		uint64_t word = (i * 2654435761u + self) % 1000;
		std::lock_guard<std::mutex> guard(lock);
		counts[word]++;
	}
}

int main(int argc, char **argv)
{
	case_start(argc, argv);
	std::vector<std::thread> threads;
	for (unsigned i = 0; i < case_threads; i++)
		threads.emplace_back(count_words, i);
	for (auto &t : threads)
		t.join();
	case_sink = counts.size();
	return 0;
}
