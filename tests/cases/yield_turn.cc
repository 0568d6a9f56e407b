// SPDX-License-Identifier: GPL-2.0-or-later
// Threads that take turns and yield until it is theirs.
#include "case.h"

#include <atomic>
#include <thread>
#include <vector>

static std::atomic<unsigned> turn;

static void play(unsigned self)
{
	for (uint64_t i = case_share(1200); i > 0; i--) {
		while (turn.load() != self)
			std::this_thread::yield();
		case_sink = case_compute(500000);
		turn = (self + 1) % case_threads;
	}
}

int main(int argc, char **argv)
{
	case_start(argc, argv);
	std::vector<std::thread> threads;
	for (unsigned i = 0; i < case_threads; i++)
		threads.emplace_back(play, i);
	for (auto &t : threads)
		t.join();
	return 0;
}
