/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Input and output: what went through calls, and what of it reached storage. */
#include "meter/meter.h"

#include "meter/attached.h"
#include "sys/file.h"
#include "sys/procfs.h"

#define IO_METRIC(n, u, w)                                                                \
	{                                                                                 \
		.name = (n), .unit = (u), .better = METRIC_LOWER, .kind = METRIC_COUNTER, \
		.what = (w), .scope = "program and children it waited for",               \
		.source = "PID/io, read before the zombie goes, or rusage",               \
	}

static const struct metric metrics[] = {
	IO_METRIC("read-bytes", "bytes", "bytes fetched from storage"),
	IO_METRIC("write-bytes", "bytes", "bytes on their way to storage"),
	IO_METRIC("read-chars", "bytes", "bytes through read calls, from anywhere"),
	IO_METRIC("write-chars", "bytes", "bytes through write calls, to anywhere"),
	IO_METRIC("read-calls", "count", "read calls of any kind"),
	IO_METRIC("write-calls", "count", "write calls of any kind"),
};

enum {
	READ_BYTES,
	WRITE_BYTES
};

struct io {
	const struct metric *metrics;
	struct sys_io begin; /* of the process attached to */
	int error;
};

static struct value io_probe(const struct meter_place *place)
{
	char text[512];
	if (sys_read_at(place->root_fd, "proc/self/io", text, sizeof(text)) <= 0)
		return value_missing("this kernel does not account I/O by process",
			"a kernel built with CONFIG_TASK_IO_ACCOUNTING");
	return (struct value){ .state = VALUE_MEASURED };
}

static int io_open(void *inst, const struct meter_place *place, const char *arg, struct lt_err *err)
{
	struct io *io = inst;
	(void)arg;
	return meter_metrics_at(place, metrics, LT_COUNT(metrics),
		"process and children it waited for", "PID/io", &io->metrics, err);
}

static size_t io_list(const void *inst, const struct metric **ret)
{
	*ret = ((const struct io *)inst)->metrics;
	return LT_COUNT(metrics);
}

static void io_start(void *inst, const struct meter_place *place, const struct meter_window *win)
{
	struct io *io = inst;
	(void)win;
	if (place->target)
		io->error = sys_io(place->root_fd, place->target, &io->begin);
}

/* Newer kernels show an ended program's PID/io to root alone; rusage has the part of it that
 * reached storage, in blocks of 512 bytes. */
static void read_rusage(const struct meter_window *win, struct value *ret)
{
	ret[READ_BYTES] = value_of((double)win->usage.ru_inblock * 512);
	ret[WRITE_BYTES] = value_of((double)win->usage.ru_oublock * 512);
	for (size_t i = WRITE_BYTES + 1; i < LT_COUNT(metrics); i++)
		ret[i] = value_missing("this kernel shows the calls of an ended program to root "
				       "alone",
			"run leat as root");
}

static void io_read(void *inst, const struct meter_place *place, const struct meter_window *win,
	struct value *ret)
{
	const struct io *io = inst;
	struct sys_io a = io->begin, b = { 0 };
	int r = io->error ? io->error : sys_io(place->root_fd, win->pid, &b);
	if (win->begin_read_chars > 0) {
		a.rchar = (uint64_t)win->begin_read_chars;
		a.syscr = 1;
	}
	const uint64_t added[LT_COUNT(metrics)] = {
		b.read_bytes - a.read_bytes,
		b.write_bytes - a.write_bytes,
		b.rchar - a.rchar,
		b.wchar - a.wchar,
		b.syscr - a.syscr,
		b.syscw - a.syscw,
	};
	for (size_t i = 0; i < LT_COUNT(metrics); i++)
		ret[i] = r < 0 ? meter_unread(r) : value_of((double)added[i]);
	if (win->ended && (r == -EACCES || r == -EPERM))
		read_rusage(win, ret);
	if (win->ended)
		meter_note_unwaited(win, ret, LT_COUNT(metrics));
}

const struct meter meter_io = {
	.name = "io",
	.brief = "bytes and calls of input and output, storage apart",
	.cost = "one procfs read",
	.overhead = "One read of PID/io after the program has ended; attached: one more at the "
		    "start of the window.",
	.caveats = "Bytes to storage count when a page is dirtied, not when it is written; what "
		   "is deleted before that counts too. read-chars include what the kernel read "
		   "of the program file to start it. Memory maps go past the calls. "
		   "Descendants that nobody waited for are missing; the value says so. Where "
		   "the kernel shows PID/io of an ended program to root alone, storage bytes "
		   "come from rusage, and the calls are unavailable.",
	.metrics = metrics,
	.n_metrics = LT_COUNT(metrics),
	.inst_size = sizeof(struct io),
	.use = METER_USE_TRIAL | METER_USE_ATTACH,
	.probe = io_probe,
	.open = io_open,
	.list = io_list,
	.start = io_start,
	.read = io_read,
};
