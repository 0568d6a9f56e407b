/* SPDX-License-Identifier: MIT */
/* Any bytes as a packet of every link type: the first says which, the rest lie in memory of exactly
 * their length. */
#include <assert.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>

#include "router/io/link.h"

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
	if (size < 2)
		return 0;
	struct io_l2 l2;
	uint8_t *bytes = malloc(size - 1);
	if (!bytes)
		return 0;
	memcpy(bytes, data + 1, size - 1);
	if (io_link_parse((enum io_link)(data[0] % IO_LINKS), bytes, size - 1, &l2)) {
		assert(l2.offset <= size - 1);
		assert(l2.n_tags <= IO_LINK_TAGS_MAX && l2.type_at + 2 <= 40);
	}
	free(bytes);
	return 0;
}
