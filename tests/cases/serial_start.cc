// SPDX-License-Identifier: GPL-2.0-or-later
// The main thread prepares everything, then starts the others, then sums up.
#include "case.h"

#include <thread>
#include <vector>

static std::vector<uint64_t> parts;

__attribute__((noinline)) static void prepare()
{
	for (auto &p : parts)
		p = case_compute(static_cast<uint64_t>(4000 * case_scale));
}

static void work(size_t from, size_t to)
{
	for (size_t i = from; i < to; i++)
		parts[i] += case_compute(static_cast<uint64_t>(6000 * case_scale));
}

int main(int argc, char **argv)
{
	case_start(argc, argv);
	parts.resize(60000);
	prepare();
	std::vector<std::thread> threads;
	size_t n = parts.size();
	for (size_t i = 0; i < case_threads; i++)
		threads.emplace_back(work, n * i / case_threads, n * (i + 1) / case_threads);
	for (auto &t : threads)
		t.join();
	case_sink = parts[0];
	return 0;
}
