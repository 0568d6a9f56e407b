// SPDX-License-Identifier: GPL-2.0-or-later
// Work handed to a pool item by item, each answer waited for: one queue, one condition.
#include "case.h"

#include <condition_variable>
#include <mutex>
#include <thread>
#include <vector>

static std::mutex lock;
static std::condition_variable asked, answered;
static uint64_t wanted, taken, done;
static bool over;

static void serve()
{
	std::unique_lock<std::mutex> guard(lock);
	for (;;) {
		asked.wait(guard, [] { return over || taken < wanted; });
		if (taken == wanted)
			return;
		taken++;
		guard.unlock();
		case_sink = case_compute(2500);
		guard.lock();
		if (++done == wanted)
			answered.notify_one();
	}
}

int main(int argc, char **argv)
{
	case_start(argc, argv);
	uint64_t rounds = case_share(100e3);
	std::vector<std::thread> pool;
	for (unsigned i = 1; i < case_threads; i++)
		pool.emplace_back(serve);
	for (uint64_t r = 0; r < rounds; r++) {
		std::unique_lock<std::mutex> guard(lock);
		wanted += case_threads - 1;
		asked.notify_all();
		guard.unlock();
		case_sink = case_compute(2500);
		guard.lock();
		answered.wait(guard, [] { return done == wanted; });
	}
	lock.lock();
	over = true;
	lock.unlock();
	asked.notify_all();
	for (auto &t : pool)
		t.join();
	return 0;
}
