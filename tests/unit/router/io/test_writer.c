/* SPDX-License-Identifier: MIT */
/* What is written reads back the same; a file appears whole, or valid up to where the disk was
 * full, or not at all. */
#include <dirent.h>
#include <signal.h>
#include <sys/resource.h>

#include "unit/router/io/rig.h"

#include "router/io/writer.h"

static int files_in(const char *dir)
{
	int n = 0;
	DIR *d = opendir(dir);
	assert_non_null(d);
	while (readdir(d))
		n++;
	closedir(d);
	return n - 2;
}

static struct io_writer *open_writer(struct io_writer_opts opts)
{
	struct io_writer *writer;
	struct lt_err err = { 0 };
	if (io_writer_open("out", "eth1", &opts, &writer, &err) < 0)
		fail_msg("%s", err.text);
	return writer;
}

static bool put(struct io_writer *writer, int64_t time_ns, const char *head, const char *tail,
	uint32_t wire_len)
{
	struct io_out out = { .time_ns = time_ns,
		.head = head,
		.tail = tail,
		.head_len = (uint32_t)strlen(head),
		.tail_len = tail ? (uint32_t)strlen(tail) : 0,
		.wire_len = wire_len };
	return io_writer_put(writer, &out);
}

static void both_forms_and_resolutions_read_back_the_same(void **state)
{
	(void)state;
	for (int form = 0; form < 4; form++) {
		bool nano = form & 1, ng = form & 2;
		unlink(ng ? "out/eth1.pcapng" : "out/eth1.pcap");
		struct io_writer *writer = open_writer((struct io_writer_opts){
			.format = ng ? IO_WRITE_PCAPNG : IO_WRITE_PCAP, .nano = nano });
		assert_true(put(writer, 1700000000123456789, "head", "and tail", 60));
		assert_true(put(writer, 5, "", NULL, 0));
		assert_true(put(writer, 4294967295999999999, "odd", "", 1));
		assert_int_equal(io_writer_packets(writer), 3);
		assert_int_equal(access(ng ? "out/eth1.pcapng" : "out/eth1.pcap", F_OK), -1);
		assert_int_equal(io_writer_commit(writer, NULL), 0);
		io_writer_close(writer);
		assert_int_equal(files_in("out"), 1 + ng);
		rig_read(&(struct io_input){ .path = ng ? "out/eth1.pcapng" : "out/eth1.pcap" }, 1,
			IO_ORDER_TIME, 10);
		assert_int_equal(seen.end, 0);
		assert_int_equal(seen.n, 3);
		int64_t unit = nano ? 1 : 1000;
		assert_int_equal(seen.packets[0].time_ns, 1700000000123456789 / unit * unit);
		assert_int_equal(seen.packets[1].time_ns, 5 / unit * unit);
		assert_int_equal(seen.packets[2].time_ns, 4294967295999999999 / unit * unit);
		assert_int_equal(seen.packets[0].nic, 1);
		assert_int_equal(seen.packets[0].wire_len, 60);
		assert_int_equal(seen.packets[0].len, 12);
		assert_memory_equal(seen.packets[0].data, "headand tailodd", 15);
		assert_int_equal(seen.packets[1].wire_len, 0);
		assert_int_equal(seen.packets[2].wire_len, 3);
	}
}

static void times_that_do_not_fit_stay_at_the_end(void **state)
{
	(void)state;
	struct io_writer *writer = open_writer((struct io_writer_opts){ .nano = true });
	put(writer, -1, "a", NULL, 1);
	put(writer, INT64_MAX, "b", NULL, 1);
	assert_int_equal(io_writer_commit(writer, NULL), 0);
	io_writer_close(writer);
	rig_read(&(struct io_input){ .path = "out/eth1.pcap" }, 1, IO_ORDER_TIME, 10);
	assert_int_equal(seen.packets[0].time_ns, 0);
	assert_int_equal(seen.packets[1].time_ns, 4294967295999999999);
}

static void a_link_type_and_nothing_else_is_a_valid_file(void **state)
{
	(void)state;
	for (int link = 0; link < IO_LINKS; link++) {
		struct io_writer *writer =
			open_writer((struct io_writer_opts){ .link = (enum io_link)link });
		assert_int_equal(io_writer_commit(writer, NULL), 0);
		io_writer_close(writer);
		rig_read(&(struct io_input){ .path = "out/eth1.pcap" }, 1, IO_ORDER_TIME, 10);
		assert_int_equal(seen.end, 0);
		assert_int_equal(seen.n, 0);
		writer = open_writer((struct io_writer_opts){ .link = (enum io_link)link });
		put(writer, 1, "x", NULL, 1);
		assert_int_equal(io_writer_commit(writer, NULL), 0);
		io_writer_close(writer);
		rig_read(&(struct io_input){ .path = "out/eth1.pcap" }, 1, IO_ORDER_TIME, 10);
		assert_int_equal(seen.packets[0].link, link);
	}
}

static void many_packets_of_all_sizes_come_through(void **state)
{
	(void)state;
	static char bytes[IO_PACKET_MAX + 1];
	for (size_t i = 0; i < IO_PACKET_MAX; i++)
		bytes[i] = (char)('a' + i % 26);
	for (int ng = 0; ng < 2; ng++) {
		struct io_writer *writer = open_writer((struct io_writer_opts){
			.format = ng ? IO_WRITE_PCAPNG : IO_WRITE_PCAP, .buffered = 4096 });
		for (uint32_t i = 0; i < 2000; i++) {
			struct io_out out = { .time_ns = i,
				.head = bytes,
				.tail = bytes + i % 54,
				.head_len = i % 54,
				.tail_len = i % 7 * i };
			if (i % 500 == 0)
				out.tail_len = IO_PACKET_MAX - 54;
			assert_true(io_writer_put(writer, &out));
		}
		assert_int_equal(io_writer_commit(writer, NULL), 0);
		io_writer_close(writer);
		rig_read(&(struct io_input){ .path = ng ? "out/eth1.pcapng" : "out/eth1.pcap" }, 1,
			IO_ORDER_TIME, 100);
		assert_int_equal(seen.end, 0);
		assert_int_equal(seen.n, 2000);
		for (uint32_t i = 0; i < 2000; i++) {
			uint32_t tail = i % 500 ? i % 7 * i : IO_PACKET_MAX - 54;
			assert_int_equal(seen.packets[i].len, i % 54 + tail);
			assert_memory_equal(
				seen.packets[i].data, bytes, i % 54 + (tail < 26 ? tail : 26));
		}
	}
}

/* Under a limit for the size of files, which behaves as a full disk does. */
static void cut_at(rlim_t limit, bool ng, size_t *ret_packets)
{
	struct rlimit old, small;
	assert_int_equal(getrlimit(RLIMIT_FSIZE, &old), 0);
	small = old;
	small.rlim_cur = limit;
	unlink("out/eth1.pcap");
	unlink("out/eth1.pcapng");
	assert_int_equal(setrlimit(RLIMIT_FSIZE, &small), 0);
	struct io_writer *writer = open_writer((struct io_writer_opts){
		.format = ng ? IO_WRITE_PCAPNG : IO_WRITE_PCAP, .nano = true, .buffered = 64 });
	for (int i = 0; i < 20; i++)
		put(writer, i, "0123456789abcde", i % 2 ? "xyz" : "", 60);
	struct lt_err err = { 0 };
	int r = io_writer_commit(writer, &err);
	assert_int_equal(setrlimit(RLIMIT_FSIZE, &old), 0);
	*ret_packets = io_writer_packets(writer);
	if (*ret_packets == 20) {
		assert_int_equal(r, 0);
	} else {
		assert_int_equal(r, -EFBIG);
		assert_string_equal(err.id, "LT-OUTPUT");
		assert_non_null(strstr(err.text, "eth1.pcap"));
		assert_false(io_writer_ok(writer));
		assert_false(put(writer, 1, "x", NULL, 1));
	}
	io_writer_close(writer);
}

static void a_full_disk_leaves_a_valid_file_of_what_fitted(void **state)
{
	(void)state;
	signal(SIGXFSZ, SIG_IGN);
	for (int ng = 0; ng < 2; ng++) {
		const char *path = ng ? "out/eth1.pcapng" : "out/eth1.pcap";
		size_t head = ng ? 28 + 40 : 24, before = 0, packets = 0;
		for (rlim_t limit = 1; packets < 20; limit++) {
			cut_at(limit, ng, &packets);
			assert_true(packets >= before && packets <= before + 1);
			before = packets;
			if (limit < head) {
				assert_int_equal(access(path, F_OK), -1);
				assert_int_equal(packets, 0);
				continue;
			}
			rig_read(&(struct io_input){ .path = path }, 1, IO_ORDER_TIME, 10);
			assert_int_equal(seen.end, 0);
			assert_int_equal(seen.n, packets);
			assert_true(limit < 2000);
		}
	}
	assert_int_equal(files_in("out"), 1); /* nothing beside the last */
}

static void what_cannot_be_written_is_said_at_once(void **state)
{
	(void)state;
	struct io_writer *writer;
	struct lt_err err = { 0 };
	struct io_writer_opts opts = { 0 };
	rig_file("a-file", "x", 1);
	assert_int_equal(io_writer_open("a-file", "eth0", &opts, &writer, &err), -ENOTDIR);
	assert_string_equal(err.text, "'a-file' is there already, and no directory");
	assert_non_null(strstr(err.hint, "name a directory"));
	assert_int_equal(io_writer_open("no/such", "eth0", &opts, &writer, &err), -ENOENT);
	assert_non_null(strstr(err.text, "no/such"));
	static const char *const names[] = { "", ".", "..", "a/b", "/etc" };
	for (size_t i = 0; i < LT_COUNT(names); i++)
		assert_int_equal(io_writer_open("out", names[i], &opts, &writer, &err), -EINVAL);
	assert_int_equal(mkdir("out", 0777) < 0 && errno != EEXIST, 0);
	assert_int_equal(symlink("/dev/full", "out/full.pcap"), 0);
	assert_int_equal(io_writer_open("out", "full", &opts, &writer, &err), 0);
	put(writer, 1, "x", NULL, 1);
	assert_int_equal(io_writer_commit(writer, &err), -ENOSPC);
	assert_non_null(strstr(err.text, "/dev/full"));
	io_writer_close(writer);
	unlink("out/full.pcap");
}

static void without_commit_there_is_no_file(void **state)
{
	(void)state;
	unlink("out/eth1.pcap");
	int before = files_in("out");
	struct io_writer *writer = open_writer((struct io_writer_opts){ .buffered = 16 });
	put(writer, 1, "0123456789", NULL, 1);
	put(writer, 1, "0123456789", NULL, 1);
	io_writer_close(writer);
	io_writer_close(NULL);
	assert_int_equal(files_in("out"), before);
}

static void no_file_at_all_still_counts(void **state)
{
	(void)state;
	struct io_writer *writer;
	struct io_writer_opts opts = { .format = IO_WRITE_NONE };
	assert_int_equal(io_writer_open("no/such/place", "eth0", &opts, &writer, NULL), 0);
	assert_true(put(writer, 1, "x", "y", 2));
	assert_int_equal(io_writer_packets(writer), 1);
	assert_null(io_writer_path(writer));
	assert_int_equal(io_writer_commit(writer, NULL), 0);
	io_writer_close(writer);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(both_forms_and_resolutions_read_back_the_same),
		cmocka_unit_test(times_that_do_not_fit_stay_at_the_end),
		cmocka_unit_test(a_link_type_and_nothing_else_is_a_valid_file),
		cmocka_unit_test(many_packets_of_all_sizes_come_through),
		cmocka_unit_test(a_full_disk_leaves_a_valid_file_of_what_fitted),
		cmocka_unit_test(what_cannot_be_written_is_said_at_once),
		cmocka_unit_test(without_commit_there_is_no_file),
		cmocka_unit_test(no_file_at_all_still_counts),
	};
	return cmocka_run_group_tests_name("router/io writer", tests, rig_enter, rig_leave);
}
