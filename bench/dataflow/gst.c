/* SPDX-License-Identifier: MIT */
/* The dataflow shapes on GStreamer: fakesrc, eight times identity, fakesink. */
#include <gst/gst.h>

#include "shape.h"

static void chain(const char *between, int n)
{
	char text[2048];
	int len = snprintf(text, sizeof(text), "fakesrc num-buffers=%d silent=true", n);
	for (int i = 1; i < STAGES - 1; i++)
		len += snprintf(text + len, sizeof(text) - (size_t)len, " ! %sidentity silent=true",
			between);
	snprintf(text + len, sizeof(text) - (size_t)len, " ! %sfakesink silent=true", between);
	GError *error = NULL;
	GstElement *pipeline = gst_parse_launch(text, &error);
	if (!pipeline || error) {
		fprintf(stderr, "gst: %s\n", error ? error->message : "no pipeline");
		exit(1);
	}
	GstBus *bus = gst_element_get_bus(pipeline);
	int64_t start = now_ns();
	gst_element_set_state(pipeline, GST_STATE_PLAYING);
	GstMessage *msg = gst_bus_timed_pop_filtered(
		bus, GST_CLOCK_TIME_NONE, GST_MESSAGE_EOS | GST_MESSAGE_ERROR);
	int64_t ns = now_ns() - start;
	int ok = GST_MESSAGE_TYPE(msg) == GST_MESSAGE_EOS;
	gst_message_unref(msg);
	gst_object_unref(bus);
	gst_element_set_state(pipeline, GST_STATE_NULL);
	gst_object_unref(pipeline);
	if (!ok)
		exit(1);
	print_ns(ns, (uint64_t)n);
}

int main(int argc, char **argv)
{
	const char *shape = argc > 1 ? argv[1] : "";
	gst_init(NULL, NULL);
	if (strcmp(shape, "chain-1") == 0)
		chain("", 200000);
	else if (strcmp(shape, "chain-10") == 0)
		chain("queue max-size-buffers=10 max-size-bytes=0 max-size-time=0 ! ", 30000);
	else
		return 2;
	return 0;
}
