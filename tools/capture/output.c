/* SPDX-License-Identifier: MIT */
/* Writing what was made. */
#include "capture/output.h"

#include <stdio.h>
#include <string.h>
#include <sys/stat.h>

static int open_text(struct output *output, struct lt_err *err)
{
	LT_AUTO_BUF struct lt_buf path = { 0 };
	lt_buf_addf(&path, "%s/capture.txt", output->args->dir);
	if (path.failed)
		return lt_fail_mem(err);
	if (mkdir(output->args->dir, 0777) < 0 && errno != EEXIST)
		return lt_fail_sys(
			err, "LT-OUTPUT", "cannot make directory '%.200s'", output->args->dir);
	return lt_outfile_open(&output->text, path.data, err);
}

int output_open(struct output *output, const struct args *args, struct lt_err *err)
{
	*output = (struct output){ .args = args, .text = LT_OUTFILE_NONE };
	if (args->form == ARGS_TEXT)
		return open_text(output, err);
	const struct io_writer_opts opts = {
		.format = args->form == ARGS_PCAPNG ? IO_WRITE_PCAPNG : IO_WRITE_PCAP,
		.nano = !args->micro,
	};
	int r = io_writer_open(args->dir, args->inside_nic, &opts, &output->writers[0], err);
	if (r == 0 && args->capture.both)
		r = io_writer_open(args->dir, args->outside_nic, &opts, &output->writers[1], err);
	return r;
}

static int add_line(struct output *output, const struct capture_packet *packet, struct lt_err *err)
{
	enum {
		FULL = 256 << 10
	};
	const struct frame *f = &packet->frame;
	lt_buf_addf(&output->lines, "%s %u.%u.%u.%u %u.%u.%u.%u %u %u %s\n",
		packet->inbound ? output->args->outside_nic : output->args->inside_nic,
		f->from >> 24, f->from >> 16 & 255, f->from >> 8 & 255, f->from & 255, f->to >> 24,
		f->to >> 16 & 255, f->to >> 8 & 255, f->to & 255, f->from_port, f->to_port,
		packet->word);
	if (output->lines.len < FULL)
		return output->lines.failed ? lt_fail_mem(err) : 0;
	int r = lt_write_all(output->text.fd, output->lines.data, output->lines.len, err);
	lt_buf_reset(&output->lines);
	return r;
}

int output_packet(struct output *output, const struct capture_packet *packet, struct lt_err *err)
{
	static uint8_t bytes[CAPTURE_PAYLOAD_MAX + 128];
	if (output->args->form == ARGS_TEXT)
		return add_line(output, packet, err);
	struct io_writer *writer = output->writers[packet->inbound];
	uint32_t len = (uint32_t)frame_build(&packet->frame, bytes);
	struct io_out out = {
		.time_ns = packet->time_ns, .head = bytes, .head_len = len, .wire_len = len
	};
	return io_writer_put(writer, &out) ? 0 : io_writer_commit(writer, err);
}

int output_commit(struct output *output, struct lt_err *err)
{
	if (output->args->form == ARGS_TEXT)
		return lt_outfile_commit(&output->text, &output->lines, err);
	int r = 0;
	for (int i = 0; i < 2 && r == 0; i++)
		if (output->writers[i])
			r = io_writer_commit(output->writers[i], err);
	return r;
}

void output_close(struct output *output)
{
	io_writer_close(output->writers[0]);
	io_writer_close(output->writers[1]);
	lt_outfile_close(&output->text);
	lt_buf_done(&output->lines);
}
