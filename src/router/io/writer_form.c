/* SPDX-License-Identifier: MIT */
/* Heads and records of pcap and pcapng, in the byte order of this machine. */
#include "router/io/writer_form.h"

#include <string.h>

#include "router/io/bytes.h"

enum {
	SNAPLEN = IO_PACKET_MAX,
	PCAP_HEAD = 24,
	PCAP_RECORD = 16,
	PCAPNG_RECORD = 28,
	SECTION_LEN = 28,
	NIC_NAME_MAX = 255,
};

static void put16(uint8_t *at, uint16_t v)
{
	memcpy(at, &v, sizeof(v));
}

static size_t pcap_head(uint8_t *to, uint32_t linktype, bool nano, const char *nic)
{
	(void)nic;
	memset(to, 0, PCAP_HEAD);
	io_put32(to, nano ? 0xa1b23c4d : 0xa1b2c3d4);
	put16(to + 4, 2);
	put16(to + 6, 4);
	io_put32(to + 16, SNAPLEN);
	io_put32(to + 20, linktype);
	return PCAP_HEAD;
}

static size_t pcap_head_len(const uint8_t *at)
{
	(void)at;
	return PCAP_HEAD;
}

static size_t pcap_record_len(const uint8_t *at)
{
	return PCAP_RECORD + io_get32(at + 8, false);
}

/* Seconds have 32 bits without a sign: times outside of 1970 to 2106 stay at its ends. */
static size_t pcap_record(uint8_t *to, const struct io_out *out, bool nano)
{
	uint64_t ns = out->time_ns < 0 ? 0 : (uint64_t)out->time_ns;
	uint64_t seconds = ns / 1000000000;
	uint32_t rest = (uint32_t)(ns % 1000000000);
	if (seconds > UINT32_MAX) {
		seconds = UINT32_MAX;
		rest = 999999999;
	}
	uint32_t len = out->head_len + out->tail_len;
	io_put32(to, (uint32_t)seconds);
	io_put32(to + 4, nano ? rest : rest / 1000);
	io_put32(to + 8, len);
	io_put32(to + 12, out->wire_len > len ? out->wire_len : len);
	return PCAP_RECORD + len;
}

const struct writer_form writer_pcap = {
	.ending = "pcap",
	.head = pcap_head,
	.record = pcap_record,
	.frame_at = PCAP_RECORD,
	.head_len = pcap_head_len,
	.record_len = pcap_record_len,
};

/* One section and one interface, which has the NIC's name. */
static size_t pcapng_head(uint8_t *to, uint32_t linktype, bool nano, const char *nic)
{
	size_t name_len = strnlen(nic, NIC_NAME_MAX), padded = (name_len + 3) & ~(size_t)3;
	uint32_t interface_len = (uint32_t)(16 + 4 + padded + 8 + 4 + 4);
	memset(to, 0, SECTION_LEN + interface_len);
	io_put32(to, 0x0a0d0d0a);
	io_put32(to + 4, SECTION_LEN);
	io_put32(to + 8, 0x1a2b3c4d);
	put16(to + 12, 1);
	memset(to + 16, 0xff, 8); /* how long the section is, is not said */
	io_put32(to + 24, SECTION_LEN);
	to += SECTION_LEN;
	io_put32(to, 1);
	io_put32(to + 4, interface_len);
	put16(to + 8, (uint16_t)linktype);
	io_put32(to + 12, SNAPLEN);
	put16(to + 16, 2); /* if_name */
	put16(to + 18, (uint16_t)name_len);
	memcpy(to + 20, nic, name_len);
	uint8_t *option = to + 20 + padded;
	put16(option, 9); /* if_tsresol */
	put16(option + 2, 1);
	option[4] = nano ? 9 : 6;
	io_put32(to + interface_len - 4, interface_len);
	return SECTION_LEN + interface_len;
}

static size_t pcapng_head_len(const uint8_t *at)
{
	return SECTION_LEN + io_get32(at + SECTION_LEN + 4, false);
}

static size_t pcapng_record_len(const uint8_t *at)
{
	return io_get32(at + 4, false);
}

static size_t pcapng_record(uint8_t *to, const struct io_out *out, bool nano)
{
	uint64_t units = out->time_ns < 0 ? 0 : (uint64_t)out->time_ns / (nano ? 1 : 1000);
	uint32_t len = out->head_len + out->tail_len, padded = (len + 3) & ~3U;
	uint32_t block_len = 32 + padded;
	io_put32(to, 6);
	io_put32(to + 4, block_len);
	io_put32(to + 8, 0);
	io_put32(to + 12, (uint32_t)(units >> 32));
	io_put32(to + 16, (uint32_t)units);
	io_put32(to + 20, len);
	io_put32(to + 24, out->wire_len > len ? out->wire_len : len);
	if (padded > len)
		io_put32(to + PCAPNG_RECORD + padded - 4, 0);
	io_put32(to + PCAPNG_RECORD + padded, block_len);
	return block_len;
}

const struct writer_form writer_pcapng = {
	.ending = "pcapng",
	.head = pcapng_head,
	.record = pcapng_record,
	.frame_at = PCAPNG_RECORD,
	.head_len = pcapng_head_len,
	.record_len = pcapng_record_len,
};
