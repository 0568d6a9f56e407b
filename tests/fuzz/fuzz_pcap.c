/* SPDX-License-Identifier: MIT */
/* Any bytes as an input of pcap. */
#include "fuzz/router_io.h"

extern const struct io_format io_pcap;

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
	return fuzz_format(&io_pcap, data, size);
}
