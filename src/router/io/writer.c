/* SPDX-License-Identifier: MIT */
/* Writing captures: records are gathered in one large buffer, which a short write or a full disk
 * cuts at the end of a record. */
#include "router/io/writer.h"

#include <assert.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "base/outfile.h"
#include "router/io/bytes.h"
#include "router/io/link.h"
#include "router/io/writer_form.h"

enum {
	BUFFERED = 256 << 10,
	/* Behind what makes a full buffer: one more record, whatever its size. */
	SPARE = IO_PACKET_MAX + (64 << 10),
};

struct io_writer {
	const struct writer_form *form; /* NULL: IO_WRITE_NONE */
	bool nano;
	uint8_t *buffer;
	size_t used, full;
	uint64_t packets; /* in file and buffer */
	uint64_t written; /* in the file */
	uint64_t size;    /* of the file, up to the end of a record */
	struct lt_outfile file;
	struct lt_err failure;
};

static int check_nic_name(const char *nic, struct lt_err *err)
{
	if (!*nic || !strcmp(nic, ".") || !strcmp(nic, "..") || strchr(nic, '/'))
		return lt_fail(err, -EINVAL, "LT-OUTPUT",
			"no file can be called after a NIC of the name '%.100s'", nic);
	return 0;
}

static int make_directory(const char *dir, struct lt_err *err)
{
	struct stat st;
	if (mkdir(dir, 0777) == 0)
		return 0;
	if (errno != EEXIST)
		return lt_fail_sys(err, "LT-OUTPUT", "cannot make directory '%.200s'", dir);
	if (stat(dir, &st) == 0 && S_ISDIR(st.st_mode))
		return 0;
	lt_err_set(err, -ENOTDIR, "LT-OUTPUT", "'%.200s' is there already, and no directory", dir);
	return lt_hint(err,
		"name a directory: one file is written there for each interface; one that is not "
		"there is made");
}

static int open_file(struct io_writer *writer, const char *dir, const char *nic,
	const struct io_writer_opts *opts, struct lt_err *err)
{
	LT_AUTO_FREE char *path = NULL;
	int r = make_directory(dir, err);
	if (r < 0)
		return r;
	if (asprintf(&path, "%s/%s.%s", dir, nic, writer->form->ending) < 0) {
		path = NULL;
		return lt_fail_mem(err);
	}
	r = lt_outfile_open(&writer->file, path, err);
	if (r < 0)
		return r;
	writer->used =
		writer->form->head(writer->buffer, io_link_to_file(opts->link), opts->nano, nic);
	return 0;
}

int io_writer_open(const char *dir, const char *nic, const struct io_writer_opts *opts,
	struct io_writer **ret_writer, struct lt_err *err)
{
	int r = check_nic_name(nic, err);
	if (r < 0)
		return r;
	struct io_writer *writer = calloc(1, sizeof(*writer));
	if (!writer)
		return lt_fail_mem(err);
	writer->file = (struct lt_outfile)LT_OUTFILE_NONE;
	writer->nano = opts->nano;
	writer->full = opts->buffered ? opts->buffered : BUFFERED;
	writer->buffer = malloc(writer->full + SPARE);
	if (!writer->buffer) {
		r = lt_fail_mem(err);
	} else if (opts->format != IO_WRITE_NONE) {
		writer->form = opts->format == IO_WRITE_PCAPNG ? &writer_pcapng : &writer_pcap;
		r = open_file(writer, dir, nic, opts, err);
	}
	if (r < 0) {
		io_writer_close(writer);
		return r;
	}
	*ret_writer = writer;
	return 0;
}

/* After a failed write: cuts the file behind the last record that is whole. `put` bytes of the
 * buffer are in it. */
static void cut(struct io_writer *writer, size_t put)
{
	size_t whole = 0;
	bool is_head = writer->size == 0;
	while (whole < writer->used) {
		size_t len = is_head ? writer->form->head_len(writer->buffer)
				     : writer->form->record_len(writer->buffer + whole);
		if (len > put - whole)
			break;
		whole += len;
		writer->written += !is_head;
		is_head = false;
	}
	writer->size += whole;
	writer->packets = writer->written;
	if (put > whole && ftruncate(writer->file.fd, (off_t)writer->size) < 0)
		return; /* a pipe: there is nothing to cut, and a failure is noted already */
}

static void flush(struct io_writer *writer)
{
	size_t put = 0;
	while (put < writer->used && !writer->failure.code) {
		ssize_t n = write(writer->file.fd, writer->buffer + put, writer->used - put);
		if (n >= 0) {
			put += (size_t)n;
		} else if (errno != EINTR) {
			lt_err_set_sys(&writer->failure, errno, "LT-OUTPUT",
				"cannot write '%.200s'", writer->file.path);
			cut(writer, put);
		}
	}
	if (!writer->failure.code) {
		writer->size += put;
		writer->written = writer->packets;
	}
	writer->used = 0;
}

uint8_t *io_writer_room(struct io_writer *writer, const struct io_out *out)
{
	if (writer->used >= writer->full)
		flush(writer);
	if (writer->failure.code)
		return NULL;
	writer->packets++;
	assert((size_t)out->head_len + out->tail_len <= SPARE - WRITER_RECORD_MAX);
	if (!writer->form)
		return writer->buffer;
	uint8_t *record = writer->buffer + writer->used;
	writer->used += writer->form->record(record, out, writer->nano);
	return record + writer->form->frame_at;
}

bool io_writer_put(struct io_writer *writer, const struct io_out *out)
{
	uint8_t *frame = io_writer_room(writer, out);
	if (!frame)
		return false;
	io_copy(frame, out->head, out->head_len);
	if (out->tail_len)
		io_copy(frame + out->head_len, out->tail, out->tail_len);
	if (writer->used >= writer->full)
		flush(writer);
	return !writer->failure.code;
}

bool io_writer_ok(const struct io_writer *writer)
{
	return !writer->failure.code;
}

int io_writer_commit(struct io_writer *writer, struct lt_err *err)
{
	static const struct lt_buf nothing;
	if (!writer->form)
		return 0;
	if (!writer->failure.code)
		flush(writer);
	int r = 0;
	if (writer->size > 0 || !writer->failure.code)
		r = lt_outfile_commit(&writer->file, &nothing, err);
	else
		lt_outfile_close(&writer->file); /* not even its head: no valid file */
	if (!writer->failure.code)
		return r;
	if (err)
		*err = writer->failure;
	return lt_neg(writer->failure.code);
}

uint64_t io_writer_packets(const struct io_writer *writer)
{
	return writer->packets;
}

const char *io_writer_path(const struct io_writer *writer)
{
	return writer->file.path;
}

void io_writer_close(struct io_writer *writer)
{
	if (!writer)
		return;
	lt_outfile_close(&writer->file);
	free(writer->buffer);
	free(writer);
}
