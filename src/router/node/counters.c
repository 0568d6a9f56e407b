/* SPDX-License-Identifier: MIT */
/* Adding counters up, and checking that no packet is missing. */
#include "router/node/counters.h"

void counters_add(struct counters *to, const struct counters *from, size_t n_nics)
{
	for (size_t i = 0; i < n_nics; i++) {
		to[i].in += from[i].in;
		to[i].in_bytes += from[i].in_bytes;
		to[i].made += from[i].made;
		to[i].out += from[i].out;
		to[i].waiting += from[i].waiting;
		to[i].sent += from[i].sent;
		to[i].sent_bytes += from[i].sent_bytes;
		for (unsigned d = 0; d < DROPS; d++)
			to[i].drops[d] += from[i].drops[d];
	}
}

bool counters_balance(const struct counters *c, size_t n_nics)
{
	uint64_t out = 0, sent = 0;
	for (size_t i = 0; i < n_nics; i++) {
		uint64_t left = c[i].out + c[i].waiting;
		for (unsigned d = 0; d < DROPS; d++)
			left += c[i].drops[d];
		if (left != c[i].in + c[i].made)
			return false;
		out += c[i].out;
		sent += c[i].sent;
	}
	return out == sent;
}
