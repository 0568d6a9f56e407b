// SPDX-License-Identifier: GPL-2.0-or-later
// Much small allocation, each thread for itself, and a few sleeps of the main thread.
#include "case.h"

#include <chrono>
#include <string>
#include <thread>
#include <vector>

static void work()
{
	uint64_t sum = 0;
	for (uint64_t i = case_share(1.2e6); i > 0; i--) {
		std::vector<std::string> words;
		for (int w = 0; w < 12; w++)
			words.emplace_back(20 + w, 'a');
		sum += words[i % 12].size();
	}
	case_sink = sum;
}

int main(int argc, char **argv)
{
	case_start(argc, argv);
	std::vector<std::thread> threads;
	for (unsigned i = 0; i < case_threads; i++)
		threads.emplace_back(work);
	for (int i = 0; i < 5; i++)
		std::this_thread::sleep_for(std::chrono::milliseconds(10));
	for (auto &t : threads)
		t.join();
	return 0;
}
