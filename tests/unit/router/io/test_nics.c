/* SPDX-License-Identifier: MIT */
/* From what a user types, and what files say, to NICs. */
#include "unit/router/io/rig.h"

#include "router/io/nics.h"

static void assert_parsed(
	const char *text, const char *path, const char *nic, const char *interface)
{
	struct lt_arena arena = { 0 };
	struct io_input input;
	assert_int_equal(io_input_parse(text, &arena, &input, NULL), 0);
	assert_string_equal(input.path, path);
	assert_true(!input.nic == !nic && (!nic || !strcmp(nic, input.nic)));
	assert_true(!input.interface == !interface &&
		(!interface || !strcmp(interface, input.interface)));
	lt_arena_done(&arena);
}

static void inputs_are_file_nic_and_interface(void **state)
{
	(void)state;
	assert_parsed("a.pcap", "a.pcap", NULL, NULL);
	assert_parsed("-", "-", NULL, NULL);
	assert_parsed("eth0=a.pcap", "a.pcap", "eth0", NULL);
	assert_parsed("eth0=-", "-", "eth0", NULL);
	assert_parsed("eth0=a=b", "a=b", "eth0", NULL);
	assert_parsed("./a=b", "./a=b", NULL, NULL);
	assert_parsed("eth0=/x/y#wlan0", "/x/y", "eth0", "wlan0");
	assert_parsed("eth0=a#b#2", "a#b", "eth0", "2");
	assert_parsed("a#2", "a#2", NULL, NULL);
	rig_file("odd#2", "x", 1);
	assert_parsed("eth0=odd#2", "odd#2", "eth0", NULL);
	static const char *const bad[] = { "", "=a", "eth0=", "eth0=#2", "eth0=a#" };
	for (size_t i = 0; i < LT_COUNT(bad); i++) {
		struct lt_arena arena = { 0 };
		struct io_input input;
		struct lt_err err = { 0 };
		assert_int_equal(io_input_parse(bad[i], &arena, &input, &err), -EINVAL);
		assert_string_equal(err.id, "LT-INPUT");
		lt_arena_done(&arena);
	}
}

static void what_says_most_decides(void **state)
{
	(void)state;
	struct io_input inputs[] = { { "f", "eth3", "wlan0" }, { "f", "eth2", "7" },
		{ "g", "eth3", "0" } };
	struct io_reader_opts opts = {
		.inputs = inputs, .n_inputs = 3, .nics = rig_nics, .n_nics = 4
	};
	struct io_nics nics = { .opts = &opts, .path = "f", .nic = "eth1" };
	assert_int_equal(io_nics_find(&nics, "wlan0", 0), 3);
	assert_int_equal(io_nics_find(&nics, "eth0", 7), 2);
	assert_int_equal(io_nics_find(&nics, "7", 0), 2);
	assert_int_equal(io_nics_find(&nics, "eth0", 0), 1);
	nics.nic = NULL;
	assert_int_equal(io_nics_find(&nics, "eth0", 0), 0);
	assert_int_equal(io_nics_find(&nics, "else", 0), IO_NIC_NONE);
	assert_int_equal(io_nics_find(&nics, NULL, -1), IO_NIC_NONE);
	nics.path = "some/dir.d/eth2.pcap";
	assert_int_equal(io_nics_find(&nics, "else", 0), 2);
	assert_int_equal(io_nics_find(&nics, "eth0", 0), 0);
	nics.path = "eth2";
	assert_int_equal(io_nics_find(&nics, NULL, -1), 2);
	nics.path = "eth20.pcap";
	assert_int_equal(io_nics_find(&nics, NULL, -1), IO_NIC_NONE);
	opts.default_nic = "eth1";
	assert_int_equal(io_nics_find(&nics, NULL, -1), 1);
}

static void a_file_of_several_interfaces_is_read_once(void **state)
{
	(void)state;
	LT_AUTO_BUF struct lt_buf buf = { 0 };
	pcap_head(&buf, false, true, 1);
	pcap_record(&buf, false, 0, 1, "x", 1, 1);
	rig_file("f", buf.data, buf.len);
	struct io_input inputs[] = { { "f", "eth3", "5" }, { "f", "eth2", "wlan0" },
		{ "f", "eth1", NULL } };
	rig_read(inputs, 3, IO_ORDER_TIME, 10);
	assert_int_equal(seen.n, 1);
	assert_int_equal(seen.packets[0].nic, 1);
	struct io_input twice[] = { { "f", "eth3", NULL }, { "f", "eth2", NULL } };
	rig_read(twice, 2, IO_ORDER_TIME, 10);
	assert_int_equal(seen.n, 2);
}

static void names_that_make_no_sense_are_refused(void **state)
{
	(void)state;
	rig_read(&(struct io_input){ .path = "f", .nic = "eth9" }, 1, IO_ORDER_TIME, 1);
	rig_failed("LT-INPUT", "there is no NIC 'eth9'");
	assert_string_equal(seen.err.hint, "the NICs are: eth0, eth1, eth2, eth3");
	rig_read(&(struct io_input){ .path = "f", .interface = "2" }, 1, IO_ORDER_TIME, 1);
	rig_failed("LT-INPUT", "interface '2' of 'f' is given no NIC");
	struct io_input twice[] = { { .path = "-", .nic = "eth0" },
		{ .path = "-", .nic = "eth1" } };
	rig_read(twice, 2, IO_ORDER_TIME, 1);
	rig_failed("LT-INPUT", "standard input is given twice");
	rig_read(&(struct io_input){ .path = "f" }, 1, IO_ORDER_TIME, 1);
	rig_failed("LT-INPUT-NIC", "'f' does not say which NIC its packets came in by");
	assert_non_null(strstr(seen.err.hint, "-i NIC=f"));
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(inputs_are_file_nic_and_interface),
		cmocka_unit_test(what_says_most_decides),
		cmocka_unit_test(a_file_of_several_interfaces_is_read_once),
		cmocka_unit_test(names_that_make_no_sense_are_refused),
	};
	return cmocka_run_group_tests_name("router/io nics", tests, rig_enter, rig_leave);
}
