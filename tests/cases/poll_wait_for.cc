// SPDX-License-Identifier: GPL-2.0-or-later
// A condition that nobody signals, waited for with a timeout of two milliseconds.
#include "case.h"

#include <chrono>
#include <condition_variable>
#include <mutex>
#include <thread>
#include <vector>

static std::mutex lock;
static std::condition_variable changed;

static void work()
{
	for (int i = 0; i < static_cast<int>(500 * case_scale); i++) {
		std::unique_lock<std::mutex> guard(lock);
		changed.wait_for(guard, std::chrono::milliseconds(2));
		guard.unlock();
		case_sink = case_compute(case_share(500e3));
	}
}

int main(int argc, char **argv)
{
	case_start(argc, argv);
	std::vector<std::thread> threads;
	for (unsigned i = 0; i < case_threads; i++)
		threads.emplace_back(work);
	for (auto &t : threads)
		t.join();
	return 0;
}
