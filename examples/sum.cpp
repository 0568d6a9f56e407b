// SPDX-License-Identifier: MIT
// The headers from C++: a pipeline whose stages are lambdas without captures.
#include <cstdint>
#include <cstdio>

#include <leat/leat.h>

int main()
{
	struct State {
		std::uintptr_t next = 0, sum = 0;
	} state;
	leat_stage stages[2] = {};
	stages[0].fn = [](void *ctx, void *, leat_token *) -> void * {
		auto *s = static_cast<State *>(ctx);
		return s->next < 100 ? reinterpret_cast<void *>(++s->next) : LEAT_END;
	};
	stages[1].fn = [](void *ctx, void *item, leat_token *) -> void * {
		static_cast<State *>(ctx)->sum += reinterpret_cast<std::uintptr_t>(item);
		return nullptr;
	};
	stages[0].ctx = stages[1].ctx = &state;
	leat_err err = {};
	if (leat_pipeline(stages, 2, nullptr, nullptr, &err) < 0) {
		std::fprintf(stderr, "sum: %s\n", err.text);
		return 1;
	}
	std::printf("sum: %ju\n", static_cast<std::uintmax_t>(state.sum));
	return 0;
}
