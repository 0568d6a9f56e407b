/* SPDX-License-Identifier: MIT */
/* What records look like in the files that are written: pcap and pcapng. */
#ifndef ROUTER_IO_WRITER_FORM_H
#define ROUTER_IO_WRITER_FORM_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "router/io/writer.h"

enum {
	WRITER_RECORD_MAX = 64, /* bytes of a record that are not the packet's */
};

struct writer_form {
	const char *ending;

	/* Writes the file's head and returns its length; the record of a packet likewise, but for
	 * its bytes, which begin at `frame_at`. There is room for them. */
	size_t (*head)(uint8_t *to, uint32_t linktype, bool nano, const char *nic);
	size_t (*record)(uint8_t *to, const struct io_out *out, bool nano);
	size_t frame_at;

	/* The length of a head, or of a record, from its first bytes. */
	size_t (*head_len)(const uint8_t *at);
	size_t (*record_len)(const uint8_t *at);
};

extern const struct writer_form writer_pcap, writer_pcapng;

#endif
