// SPDX-License-Identifier: GPL-2.0-or-later
// Long strings kept in a list for each thread, in a program held to one arena.
#include "case.h"

#include <list>
#include <malloc.h>
#include <string>
#include <thread>
#include <vector>

static void fill(unsigned self)
{
	std::list<std::string> lines;
	for (uint64_t i = case_share(4e6); i > 0; i--) {
		lines.emplace_back(1100 + (i * 37 + self) % 900, 'x');
		if (lines.size() > 100)
			lines.pop_front();
	}
	case_sink = lines.size();
}

int main(int argc, char **argv)
{
	case_start(argc, argv);
	mallopt(M_ARENA_MAX, 1);
	std::vector<std::thread> threads;
	for (unsigned i = 0; i < case_threads; i++)
		threads.emplace_back(fill, i);
	for (auto &t : threads)
		t.join();
	return 0;
}
