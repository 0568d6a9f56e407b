/* SPDX-License-Identifier: MIT */
/* Several inputs as one sequence: its order, whatever the burst, from files and from pipes, and
 * what becomes of the others when one is damaged. */
#include <pthread.h>

#include "unit/router/io/rig.h"

/* `n` packets whose times begin at `from` and go on by `step`; each holds its input's letter. */
static void make(const char *path, char letter, unsigned from, unsigned step, unsigned n)
{
	LT_AUTO_BUF struct lt_buf buf = { 0 };
	pcap_head(&buf, false, true, 1);
	for (unsigned i = 0; i < n; i++)
		pcap_record(&buf, false, 0, from + i * step, &letter, 1, 1);
	rig_file(path, buf.data, buf.len);
}

/* The letters that came, as one text. */
static const char *letters(void)
{
	lt_buf_add(&seen.bytes, "", 0);
	return seen.bytes.data;
}

static void the_earliest_comes_first_and_ties_go_to_the_first_input(void **state)
{
	(void)state;
	make("a", 'a', 0, 10, 4);  /* 0 10 20 30 */
	make("b", 'b', 5, 5, 4);   /* 5 10 15 20 */
	make("c", 'c', 100, 1, 2); /* 100 101 */
	struct io_input inputs[] = { { .path = "a", .nic = "eth0" }, { .path = "b", .nic = "eth1" },
		{ .path = "c", .nic = "eth2" } };
	for (uint32_t burst = 1; burst < 12; burst++) {
		rig_read(inputs, 3, IO_ORDER_TIME, burst);
		assert_int_equal(seen.end, 0);
		assert_string_equal(letters(), "ababbabacc");
		assert_int_equal(seen.packets[1].nic, 1);
		assert_int_equal(seen.packets[9].nic, 2);
		rig_read(inputs, 3, IO_ORDER_GIVEN, burst);
		assert_string_equal(letters(), "aaaabbbbcc");
	}
}

static void a_file_that_goes_back_in_time_keeps_its_own_order(void **state)
{
	(void)state;
	LT_AUTO_BUF struct lt_buf buf = { 0 };
	pcap_head(&buf, true, true, 1);
	pcap_record(&buf, true, 0, 50, "x", 1, 1);
	pcap_record(&buf, true, 0, 10, "y", 1, 1);
	rig_file("back", buf.data, buf.len);
	make("a", 'a', 0, 30, 3); /* 0 30 60 */
	struct io_input inputs[] = { { .path = "back", .nic = "eth0" },
		{ .path = "a", .nic = "eth1" } };
	rig_read(inputs, 2, IO_ORDER_TIME, 3);
	assert_string_equal(letters(), "aaxya");
}

static void a_damaged_input_ends_and_the_others_go_on(void **state)
{
	(void)state;
	make("a", 'a', 0, 10, 5);
	make("b", 'b', 1, 10, 5);
	assert_int_equal(truncate("a", 24 + 2 * 17 + 3), 0);
	struct io_input inputs[] = { { .path = "a", .nic = "eth0" },
		{ .path = "b", .nic = "eth1" } };
	for (int order = 0; order < 2; order++) {
		rig_read(inputs, 2, (enum io_order)order, 2);
		rig_failed("LT-INPUT-TRUNCATED", "'a' at byte 58");
		assert_string_equal(letters(), order ? "aabbbbb" : "ababbbb");
	}
}

/* Gives a file to a pipe in pieces that end anywhere. */
struct feed {
	int fd;
	const struct lt_buf *bytes;
	size_t piece;
};

static void *feed(void *arg)
{
	struct feed *f = arg;
	for (size_t at = 0; at < f->bytes->len; at += f->piece) {
		size_t n = f->bytes->len - at < f->piece ? f->bytes->len - at : f->piece;
		if (write(f->fd, f->bytes->data + at, n) != (ssize_t)n)
			break;
	}
	close(f->fd);
	return NULL;
}

/* The same bytes as a file and through a pipe yield the same packets; returns how many. */
static size_t same_by_pipe(const struct lt_buf *bytes, size_t piece)
{
	rig_read_bytes(bytes);
	size_t n = seen.n;
	int end = seen.end;
	char text[sizeof(seen.err.text)];
	memcpy(text, seen.err.text, sizeof(text));
	static struct io_packet packets[SEEN_MAX];
	memcpy(packets, seen.packets, sizeof(packets));
	struct lt_buf all = seen.bytes;
	seen.bytes = (struct lt_buf){ 0 };

	int ends[2], saved = dup(STDIN_FILENO);
	pthread_t thread;
	assert_int_equal(pipe(ends), 0);
	assert_int_equal(dup2(ends[0], STDIN_FILENO), STDIN_FILENO);
	close(ends[0]);
	struct feed f = { ends[1], bytes, piece };
	assert_int_equal(pthread_create(&thread, NULL, feed, &f), 0);
	rig_read(&(struct io_input){ .path = "-", .nic = "eth1" }, 1, IO_ORDER_TIME, 64);
	dup2(saved, STDIN_FILENO); /* a feeder that nobody reads from any more ends with EPIPE */
	close(saved);
	pthread_join(thread, NULL);

	assert_int_equal(seen.n, n);
	assert_int_equal(seen.end, end);
	if (end < 0)
		assert_string_equal(strstr(seen.err.text, "' "), strstr(text, "' "));
	assert_int_equal(seen.bytes.len, all.len);
	assert_memory_equal(seen.bytes.data, all.data, all.len);
	for (size_t i = 0; i < n; i++) {
		assert_int_equal(seen.packets[i].time_ns, packets[i].time_ns);
		assert_int_equal(seen.packets[i].len, packets[i].len);
	}
	lt_buf_done(&all);
	return n;
}

static void a_pipe_yields_what_a_file_does(void **state)
{
	(void)state;
	static char bytes[60000];
	LT_AUTO_BUF struct lt_buf buf = { 0 };
	pcap_head(&buf, true, false, 1);
	for (unsigned i = 0; i < 300; i++) {
		memset(bytes, (int)i, sizeof(bytes));
		pcap_record(&buf, true, i, i, bytes, i * 197 % 60000, 60000);
	}
	assert_true(buf.len > 4 << 20); /* more than a few blocks */
	assert_int_equal(same_by_pipe(&buf, 65536), 300);
	assert_int_equal(same_by_pipe(&buf, 4099), 300);
	buf.len -= 5;
	assert_int_equal(same_by_pipe(&buf, 10007), 299);
}

static void a_pipe_of_text_yields_what_a_file_does(void **state)
{
	(void)state;
	LT_AUTO_BUF struct lt_buf buf = { 0 };
	lt_buf_adds(&buf, "# a comment\n\n");
	for (unsigned i = 0; i < 15000; i++)
		lt_buf_addf(&buf, "eth%u 10.0.%u.%u 20.0.0.1 %u 5003 %s\r\n", i % 4, i / 256 % 256,
			i % 256, i, i % 3 ? "http" : "ftp-data");
	assert_int_equal(same_by_pipe(&buf, 65536), 15000);
	assert_int_equal(same_by_pipe(&buf, 333), 15000);
	lt_buf_adds(&buf, "eth0 10.0.0.1");
	assert_int_equal(same_by_pipe(&buf, 1000), 15000);
}

static void standard_input_that_is_a_file_is_read_from_where_it_stands(void **state)
{
	(void)state;
	LT_AUTO_BUF struct lt_buf buf = { 0 };
	lt_buf_adds(&buf, "something before\n");
	pcap_head(&buf, false, true, 1);
	pcap_record(&buf, false, 0, 7, "x", 1, 1);
	rig_file("input", buf.data, buf.len);
	int saved = dup(STDIN_FILENO), fd = open("input", O_RDONLY);
	assert_int_equal(lseek(fd, 17, SEEK_SET), 17);
	dup2(fd, STDIN_FILENO);
	close(fd);
	rig_read(&(struct io_input){ .path = "-", .nic = "eth1" }, 1, IO_ORDER_TIME, 64);
	dup2(saved, STDIN_FILENO);
	close(saved);
	assert_int_equal(seen.end, 0);
	assert_int_equal(seen.n, 1);
}

static void stats_count_packets_bytes_and_what_was_skipped(void **state)
{
	(void)state;
	make("a", 'a', 0, 10, 5);
	struct io_input inputs[] = { { .path = "a", .nic = "eth0" } };
	struct io_reader_opts opts = {
		.inputs = inputs, .n_inputs = 1, .nics = rig_nics, .n_nics = 4
	};
	struct io_reader *reader;
	assert_int_equal(io_reader_open(&opts, &reader, NULL), 0);
	rig_drain(reader, 3);
	struct io_input_stats stats;
	assert_int_equal(io_reader_inputs(reader), 1);
	io_reader_stats(reader, 0, &stats);
	assert_string_equal(stats.path, "a");
	assert_string_equal(stats.format, "pcap");
	assert_int_equal(stats.packets, 5);
	assert_int_equal(stats.bytes, 24 + 5 * 17);
	assert_int_equal(stats.skipped, 0);
	io_reader_close(reader);
}

/* Chunks are decoded by another thread while the reader is ahead. */
enum {
	CHUNKS = 50
};
static struct io_chunk ahead[CHUNKS];
static int n_ahead;

static void *decode_all(void *arg)
{
	struct io_reader *reader = arg;
	static struct io_packet packets[64];
	size_t *total = calloc(1, sizeof(*total));
	for (int i = 0; i < n_ahead; i++) {
		io_chunk_packets(&ahead[i], packets);
		for (uint32_t k = 0; k < ahead[i].n; k++)
			*total += packets[k].len;
		io_reader_release(reader, &ahead[i]);
	}
	return total;
}

static void chunks_are_decoded_in_other_threads(void **state)
{
	(void)state;
	make("a", 'a', 0, 2, 900);
	LT_AUTO_BUF struct lt_buf buf = { 0 };
	for (unsigned i = 0; i < 2000; i++)
		lt_buf_adds(&buf, "eth1 10.0.0.1 20.0.0.1 1 2 rtp\n");
	rig_file("t", buf.data, buf.len);
	struct io_input inputs[] = { { .path = "a", .nic = "eth0" }, { .path = "t" } };
	struct io_reader_opts opts = {
		.inputs = inputs, .n_inputs = 2, .nics = rig_nics, .n_nics = 4
	};
	struct io_reader *reader;
	assert_int_equal(io_reader_open(&opts, &reader, NULL), 0);
	for (int i = 0; i < CHUNKS; i++)
		assert_int_equal(io_chunk_init(&ahead[i], 64, NULL), 0);
	for (n_ahead = 0; n_ahead < CHUNKS; n_ahead++)
		if (io_reader_next(reader, &ahead[n_ahead], NULL) <= 0)
			break;
	assert_int_equal(n_ahead, (900 + 2000 + 63) / 64);
	pthread_t thread;
	void *total;
	assert_int_equal(pthread_create(&thread, NULL, decode_all, reader), 0);
	pthread_join(thread, &total);
	assert_int_equal(*(size_t *)total, 900 + 2000 * (14 + 20 + 8 + 172));
	free(total);
	for (int i = 0; i < CHUNKS; i++)
		io_chunk_done(&ahead[i]);
	io_reader_close(reader);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(the_earliest_comes_first_and_ties_go_to_the_first_input),
		cmocka_unit_test(a_file_that_goes_back_in_time_keeps_its_own_order),
		cmocka_unit_test(a_damaged_input_ends_and_the_others_go_on),
		cmocka_unit_test(a_pipe_yields_what_a_file_does),
		cmocka_unit_test(a_pipe_of_text_yields_what_a_file_does),
		cmocka_unit_test(standard_input_that_is_a_file_is_read_from_where_it_stands),
		cmocka_unit_test(stats_count_packets_bytes_and_what_was_skipped),
		cmocka_unit_test(chunks_are_decoded_in_other_threads),
	};
	return cmocka_run_group_tests_name("router/io reader", tests, rig_enter, rig_leave);
}
