// SPDX-License-Identifier: GPL-2.0-or-later
// A vector of 34 MB for each item: above every threshold, so it is a map each time.
#include "case.h"

#include <thread>
#include <vector>

static void churn()
{
	for (uint64_t i = case_share(60); i > 0; i--) {
		std::vector<uint64_t> v(34 * 131072, i);
		case_sink = v[i];
	}
}

int main(int argc, char **argv)
{
	case_start(argc, argv);
	std::vector<std::thread> threads;
	for (unsigned i = 0; i < case_threads; i++)
		threads.emplace_back(churn);
	for (auto &t : threads)
		t.join();
	return 0;
}
