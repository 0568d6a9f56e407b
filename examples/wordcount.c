/* SPDX-License-Identifier: MIT */
/* wordcount FILE: a pipeline of three stages. Reading is serial and in order, counting words is
 * parallel, adding up is serial in any order. Ctrl-C ends it early. */
#include <ctype.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <leat/pipeline.h>
#include <leat/work.h>

enum {
	CHUNK = 256 * 1024
};

struct chunk {
	size_t len;
	unsigned long words;
	char text[CHUNK + 1];
};

static FILE *file;
static unsigned long words;
static struct leat_cancel *cancel;
static struct leat_work *bytes; /* a measuring tool sees how far we are */

/* Whole lines, so that no word is cut in two. */
static void *read_chunk(void *ctx, void *item, struct leat_token *token)
{
	(void)ctx;
	(void)item;
	struct chunk *c = malloc(sizeof(*c));
	if (!c) {
		leat_token_fail(token, -1, "out of memory");
		return LEAT_END;
	}
	c->len = fread(c->text, 1, CHUNK - 4096, file);
	if (c->len > 0 && c->text[c->len - 1] != '\n' && fgets(c->text + c->len, 4096, file))
		c->len += strlen(c->text + c->len);
	if (c->len == 0) {
		free(c);
		return LEAT_END;
	}
	return c;
}

static void *count_words(void *ctx, void *item, struct leat_token *token)
{
	(void)ctx;
	(void)token;
	struct chunk *c = item;
	int inside = 0;
	c->words = 0;
	for (size_t i = 0; i < c->len; i++) {
		int space = isspace((unsigned char)c->text[i]) != 0;
		c->words += !space && !inside;
		inside = !space;
	}
	return c;
}

static void *add_up(void *ctx, void *item, struct leat_token *token)
{
	(void)ctx;
	(void)token;
	struct chunk *c = item;
	words += c->words;
	leat_work_add(bytes, c->len);
	free(c);
	return NULL;
}

static void drop(void *ctx, void *item, unsigned stage)
{
	(void)ctx;
	(void)stage;
	free(item);
}

static void on_interrupt(int sig)
{
	(void)sig;
	leat_cancel_now(cancel);
}

int main(int argc, char **argv)
{
	struct leat_err err = { 0 };
	struct leat_pipeline_report report;
	const struct leat_stage stages[] = {
		{ .kind = LEAT_IN_ORDER, .name = "read", .fn = read_chunk },
		{ .kind = LEAT_PARALLEL, .name = "count", .fn = count_words },
		{ .kind = LEAT_SERIAL, .name = "add", .fn = add_up },
	};
	file = argc > 1 ? fopen(argv[1], "r") : stdin;
	if (!file || leat_cancel_new(&cancel, &err) < 0 ||
		leat_work_get("text", "byte", &bytes, &err) < 0) {
		fprintf(stderr, "wordcount: %s\n", file ? err.text : "cannot open the file");
		return 1;
	}
	signal(SIGINT, on_interrupt);
	struct leat_pipeline_opts opts = { .name = "wordcount", .cancel = cancel, .drop = drop };
	if (leat_pipeline(stages, 3, &opts, &report, &err) < 0) {
		fprintf(stderr, "wordcount: %s\n", err.text);
		return 1;
	}
	printf("%lu words in %llu chunks, %u workers\n", words, (unsigned long long)report.items,
		report.workers);
	leat_cancel_free(cancel);
	return 0;
}
