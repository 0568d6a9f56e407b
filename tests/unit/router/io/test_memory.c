/* SPDX-License-Identifier: MIT */
/* Whichever allocation fails: an error or success, never a crash, nothing left behind. */
#include "unit/router/io/rig.h"

#include "helpers/failing_alloc.h"
#include "router/io/writer.h"

static int read_all(const struct io_reader_opts *opts)
{
	struct io_reader *reader;
	struct io_chunk chunk = { 0 };
	struct io_packet packets[4];
	int r = io_reader_open(opts, &reader, NULL);
	if (r < 0)
		return r;
	r = io_chunk_init(&chunk, 4, NULL);
	while (r >= 0 && (r = io_reader_next(reader, &chunk, NULL)) > 0) {
		io_chunk_packets(&chunk, packets);
		io_reader_release(reader, &chunk);
	}
	io_chunk_done(&chunk);
	io_reader_close(reader);
	return r;
}

/* Fails each allocation in turn until none does; at least `least` of them are made. */
#define EVERY_ALLOCATION(least, work)                                 \
	do {                                                          \
		long n = 0;                                           \
		for (;; n++) {                                        \
			alloc_fail_after(n);                          \
			int r = (work);                               \
			alloc_recover();                              \
			assert_int_equal(r, alloc_hit ? -ENOMEM : 0); \
			if (!alloc_hit)                               \
				break;                                \
		}                                                     \
		assert_true(n >= (least));                            \
	} while (0)

static void reading_survives_any_failed_allocation(void **state)
{
	(void)state;
	LT_AUTO_BUF struct lt_buf buf = { 0 };
	pcap_head(&buf, false, true, 1);
	pcap_record(&buf, false, 0, 1, "x", 1, 1);
	rig_file("eth0.pcap", buf.data, buf.len);
	static const char text[] = "eth1 1.1.1.1 2.2.2.2 1 2 udp\n";
	rig_file("lines", text, sizeof(text) - 1);
	static const uint32_t ng[] = { 0x0a0d0d0a, 28, 0x1a2b3c4d, 1, 0, 0, 28, /* */
		1, 32, 1, 0, 0x00040002, 0x32687465, 0, 32,                     /* "eth2" */
		6, 36, 0, 0, 1, 4, 4, 0x64636261, 36 };
	rig_file("f.pcapng", ng, sizeof(ng));
	struct io_input inputs[] = { { .path = "eth0.pcap" }, { .path = "lines" },
		{ .path = "f.pcapng" } };
	struct io_reader_opts opts = {
		.inputs = inputs, .n_inputs = 3, .nics = rig_nics, .n_nics = 4
	};
	EVERY_ALLOCATION(7, read_all(&opts));
}

static int parse(const char *text)
{
	struct lt_arena arena = { 0 };
	struct io_input input;
	int r = io_input_parse(text, &arena, &input, NULL);
	lt_arena_done(&arena);
	return r;
}

static void parsing_survives_any_failed_allocation(void **state)
{
	(void)state;
	EVERY_ALLOCATION(1, parse("eth0=file#wlan0"));
}

static int write_one(void)
{
	struct io_writer *writer;
	struct io_writer_opts opts = { 0 };
	int r = io_writer_open("out", "eth0", &opts, &writer, NULL);
	if (r < 0)
		return r;
	r = io_writer_commit(writer, NULL);
	io_writer_close(writer);
	return r;
}

static void writing_survives_any_failed_allocation(void **state)
{
	(void)state;
	EVERY_ALLOCATION(2, write_one());
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(reading_survives_any_failed_allocation),
		cmocka_unit_test(parsing_survives_any_failed_allocation),
		cmocka_unit_test(writing_survives_any_failed_allocation),
	};
	return cmocka_run_group_tests_name("router/io memory", tests, rig_enter, rig_leave);
}
