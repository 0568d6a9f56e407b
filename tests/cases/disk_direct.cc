// SPDX-License-Identifier: GPL-2.0-or-later
// Blocks written past the page cache, one at a time under a lock, as a log would be.
#include "case.h"

#include <fcntl.h>
#include <mutex>
#include <string>
#include <thread>
#include <unistd.h>
#include <vector>

static int fd;
static std::mutex order;
static off_t end;

static void store(char *block)
{
	for (uint64_t i = case_share(3000); i > 0; i--) {
		case_sink = case_compute(20e3);
		std::lock_guard<std::mutex> guard(order);
		case_need(pwrite(fd, block, 65536, end) == 65536, "pwrite");
		end = (end + 65536) % (64 << 20);
	}
}

int main(int argc, char **argv)
{
	std::string name = "case-blocks-XXXXXX";
	case_start(argc, argv);
	fd = mkostemp(&name[0], O_DIRECT | O_DSYNC);
	case_need(fd >= 0, "mkostemp with O_DIRECT");
	unlink(name.c_str());
	std::vector<std::thread> threads;
	for (unsigned i = 0; i < case_threads; i++) {
		void *block;
		case_need(!posix_memalign(&block, 4096, 65536), "posix_memalign");
		threads.emplace_back(store, static_cast<char *>(block));
	}
	for (auto &t : threads)
		t.join();
	close(fd);
	return 0;
}
