// SPDX-License-Identifier: GPL-2.0-or-later
// A server of small requests that come over a socket slower than it answers them.
#include "case.h"

#include <sys/epoll.h>
#include <sys/socket.h>
#include <sys/wait.h>
#include <thread>
#include <unistd.h>
#include <vector>

static int server[2], client[2];

static void ask()
{
	uint64_t n = static_cast<uint64_t>(1500 * case_scale);
	for (uint64_t i = 0; i < n; i++) {
		usleep(500);
		if (send(client[1], &i, sizeof(i), 0) < 0)
			_exit(1);
	}
	_exit(0);
}

static void serve()
{
	int ep = epoll_create1(EPOLL_CLOEXEC);
	epoll_event event = {};
	event.events = EPOLLIN | EPOLLEXCLUSIVE;
	epoll_ctl(ep, EPOLL_CTL_ADD, server[0], &event);
	for (;;) {
		uint64_t request;
		epoll_wait(ep, &event, 1, -1);
		ssize_t n = recv(server[0], &request, sizeof(request), MSG_DONTWAIT);
		if (n == 0)
			break;
		if (n > 0)
			case_sink = case_compute(150e3);
	}
	close(ep);
}

int main(int argc, char **argv)
{
	int fd[2];
	case_start(argc, argv);
	case_need(socketpair(AF_UNIX, SOCK_SEQPACKET, 0, fd) == 0, "socketpair");
	server[0] = fd[0], client[1] = fd[1];
	pid_t child = fork();
	if (child == 0)
		ask();
	close(client[1]);
	std::vector<std::thread> threads;
	for (unsigned i = 0; i < case_threads; i++)
		threads.emplace_back(serve);
	for (auto &t : threads)
		t.join();
	waitpid(child, nullptr, 0);
	return 0;
}
