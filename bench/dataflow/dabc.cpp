// SPDX-License-Identifier: MIT
// The chain of ten on DABC: event-driven modules with queues of ten, on one thread or on one each.
// Modules are started by name, last to first: started otherwise, DABC can lose a wake-up. Built
// where DABC names a checkout with its libraries.
#include <dabc/Buffer.h>
#include <dabc/Factory.h>
#include <dabc/Manager.h>
#include <dabc/ModuleAsync.h>
#include <dabc/api.h>

#include <atomic>

#include "shape.h"

enum {
	DEPTH = 10
};
static std::atomic<uint64_t> arrived;

enum place {
	FIRST,
	BETWEEN,
	LAST
};

class link_module : public dabc::ModuleAsync
{
	int place;

	bool pass()
	{
		if (place != LAST && !CanSend())
			return false;
		if (place == FIRST ? !CanTakeBuffer() : !CanRecv())
			return false;
		dabc::Buffer buf = place == FIRST ? TakeBuffer() : Recv();
		if (place != LAST) {
			Send(buf);
		} else {
			buf.Release();
			arrived.fetch_add(1, std::memory_order_relaxed);
		}
		return true;
	}

      public:
	link_module(const std::string &name, dabc::Command cmd) : dabc::ModuleAsync(name, cmd)
	{
		place = (int)Cfg("Place", cmd).AsInt(BETWEEN);
		if (place == FIRST)
			CreatePoolHandle("Pool", 0);
		else
			CreateInput("Input", DEPTH);
		if (place != LAST)
			CreateOutput("Output", DEPTH);
	}
	bool ProcessBuffer(unsigned) override
	{
		return pass();
	}
	bool ProcessRecv(unsigned) override
	{
		return pass();
	}
	bool ProcessSend(unsigned) override
	{
		return pass();
	}
};

class link_factory : public dabc::Factory
{
      public:
	using dabc::Factory::Factory;
	dabc::Module *CreateModule(
		const std::string &kind, const std::string &name, dabc::Command cmd) override
	{
		return kind == "link_module" ? new link_module(name, cmd) : nullptr;
	}
};
static dabc::FactoryPlugin plugin(new link_factory("leat-bench"));

static void chain(bool one_thread, double seconds)
{
	dabc::mgr.CreateMemoryPool("Pool", 1024, STAGES * DEPTH * 2);
	for (int i = 0; i < STAGES; i++) {
		dabc::CmdCreateModule cmd(
			"link_module", dabc::format("Link%d", i), one_thread ? "OneThread" : "");
		cmd.SetInt("Place", i == 0 ? FIRST : i == STAGES - 1 ? LAST : BETWEEN);
		dabc::mgr.Execute(cmd);
	}
	for (int i = 1; i < STAGES; i++)
		dabc::mgr.Connect(
			dabc::format("Link%d/Output", i - 1), dabc::format("Link%d/Input", i));
	for (int i = STAGES - 1; i >= 0; i--)
		dabc::mgr.StartModule(dabc::format("Link%d", i));
	dabc::mgr.Sleep(0.2);
	uint64_t before = arrived;
	int64_t start = now_ns();
	dabc::mgr.Sleep(seconds);
	int64_t ns = now_ns() - start;
	uint64_t n = arrived - before;
	fflush(stdout);
	if (n)
		print_ns(ns, n);
	fflush(stdout);
	_Exit(n ? 0 : 1); // its clean-up leaves the modules of a chain alone
}

int main(int argc, char **argv)
{
	const char *shape = argc > 1 ? argv[1] : "";
	bool one = strcmp(shape, "chain-1") == 0;
	if (!one && strcmp(shape, "chain-10") != 0)
		return 2;
	dabc::SetDebugLevel(-1);
	if (!dabc::CreateManager("bench"))
		return 1;
	chain(one, 1.0);
	return 1;
}
