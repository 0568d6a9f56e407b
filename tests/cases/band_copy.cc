// SPDX-License-Identifier: GPL-2.0-or-later
// Frames of 64 MB copied from one ring of buffers to another.
#include "case.h"

#include <cstring>
#include <thread>
#include <vector>

constexpr size_t frame = 64 << 20, frames = 8;

static void copy_part(char *to, const char *from, unsigned self)
{
	size_t begin = frame * self / case_threads, end = frame * (self + 1) / case_threads;
	for (int i = 0; i < static_cast<int>(160 * case_scale); i++) {
		size_t at = i % (frames / 2) * frame;
		memcpy(to + at + begin, from + at + begin, end - begin);
	}
}

int main(int argc, char **argv)
{
	case_start(argc, argv);
	std::vector<char> ring(frame * frames, 1);
	std::vector<std::thread> threads;
	for (unsigned i = 0; i < case_threads; i++)
		threads.emplace_back(copy_part, &ring[frame * frames / 2], &ring[0], i);
	for (auto &t : threads)
		t.join();
	case_sink = static_cast<uint64_t>(ring[frame * frames - 1]);
	return 0;
}
