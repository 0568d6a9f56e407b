/* SPDX-License-Identifier: MIT */
/* Flows of hostile packets: [length][flags][bytes] after each other, with flags that choose
 * protocol, ports and how much of the packet the capture left out. */
#include <assert.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>

#include "router/node/class.h"
#include "router/node/class_app.h"

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);

static void one_packet(struct class_flow *flow, const uint8_t *data, uint32_t len, unsigned flags)
{
	/* of just its size, so that reading beyond it is noticed */
	uint8_t *copy = malloc(len ? len : 1);
	if (!copy)
		return;
	memcpy(copy, data, len);
	struct class_packet p = { .data = copy,
		.len = len,
		.full = len + (flags & 4 ? 1000 : 0),
		.sport = flags & 8 ? 21 : 40000,
		.dport = flags & 16 ? 21 : 40001,
		.proto = flags & 2 ? IPPROTO_TCP : IPPROTO_UDP };
	struct class_lesson lesson;
	enum app before = (enum app)flow->app;
	bool is_new = class_look(flow, &p, &lesson);
	assert(flow->app < APP_COUNT && is_new == (flow->app != before));
	assert(flow->looks <= CLASS_LOOKS && lesson.n <= CLASS_LESSONS);
	for (unsigned i = 0; i < lesson.n; i++)
		assert(lesson.endpoints[i].port && lesson.endpoints[i].app < APP_COUNT);
	free(copy);
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
	struct class_flow flow = { 0 };
	while (size > 3 && class_wants(&flow)) {
		uint32_t len = (uint32_t)data[0] | (uint32_t)data[1] << 8;
		unsigned flags = data[2];
		data += 3;
		size -= 3;
		if (len > size)
			len = (uint32_t)size;
		if (flags & 1)
			flow = (struct class_flow){ 0 };
		one_packet(&flow, data, len, flags);
		data += len;
		size -= len;
	}
	return 0;
}
