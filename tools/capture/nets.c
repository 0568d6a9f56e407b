/* SPDX-License-Identifier: MIT */
/* Where the peers of inside hosts are: anywhere, or within the prefixes of a file of routes. */
#include "capture/nets.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "router/fib/addr.h"

/* Without a file: large networks all over the address space. */
static const uint8_t anywhere[] = { 17, 20, 34, 52, 66, 80, 93, 104, 128, 142, 157, 172, 185, 199,
	203, 217 };

static uint32_t mask_of(unsigned len)
{
	return len ? ~(uint32_t)0 << (32 - len) : 0;
}

static int add(struct capture_opts *opts, struct capture_net **nets, size_t *cap,
	struct capture_net net, struct lt_err *err)
{
	if (opts->n_nets == *cap) {
		size_t more = *cap ? 2 * *cap : 64;
		struct capture_net *grown = realloc(*nets, more * sizeof(*grown));
		if (!grown)
			return lt_fail_mem(err);
		*nets = grown;
		*cap = more;
	}
	(*nets)[opts->n_nets++] = net;
	return 0;
}

/* Whether packets to all of it can be forwarded to the outside. */
static bool is_outside(const struct capture_opts *opts, const struct prefix *prefix)
{
	uint32_t address = addr_v4(&prefix->addr), first = address >> 24;
	uint32_t mask = mask_of(prefix->len) & opts->inside_mask;
	return prefix->addr.family == 4 && prefix->len >= 8 && first != 0 && first != 127 &&
		first < 224 && ((address ^ opts->inside) & mask) != 0;
}

static int read_file(struct capture_opts *opts, const char *path, struct capture_net **nets,
	FILE *file, struct lt_err *err)
{
	size_t cap = 0, room = 0;
	LT_AUTO_FREE char *line = NULL;
	for (size_t n = 1; getline(&line, &room, file) > 0; n++) {
		char *word = line + strspn(line, " \t\r\n");
		size_t len = strcspn(word, " \t\r\n");
		struct prefix prefix;
		if (len == 0 || *word == '#')
			continue;
		if (!prefix_parse(word, len, &prefix))
			return lt_fail(err, -EBADMSG, "LT-CAPTURE",
				"'%.200s' line %zu: '%.*s' is no prefix", path, n,
				(int)(len < 60 ? len : 60), word);
		if (!is_outside(opts, &prefix))
			continue;
		struct capture_net net = { addr_v4(&prefix.addr) & mask_of(prefix.len),
			mask_of(prefix.len) };
		int r = add(opts, nets, &cap, net, err);
		if (r < 0)
			return r;
	}
	if (ferror(file))
		return lt_fail_sys(err, "LT-CAPTURE", "cannot read '%.200s'", path);
	if (opts->n_nets == 0)
		return lt_fail(err, -EINVAL, "LT-CAPTURE",
			"'%.200s' has no IPv4 prefix from /8 on that is outside", path);
	return 0;
}

int nets_load(struct capture_opts *opts, const char *path, struct capture_net **ret_nets,
	struct lt_err *err)
{
	size_t cap = 0;
	int r = 0;
	opts->n_nets = 0;
	*ret_nets = NULL;
	if (!path) {
		for (size_t i = 0; i < sizeof(anywhere) && r == 0; i++) {
			struct capture_net net = { (uint32_t)anywhere[i] << 24, mask_of(8) };
			r = add(opts, ret_nets, &cap, net, err);
		}
	} else {
		FILE *file = fopen(path, "re");
		if (!file)
			return lt_fail_sys(err, "LT-CAPTURE", "cannot open '%.200s'", path);
		r = read_file(opts, path, ret_nets, file, err);
		fclose(file);
	}
	opts->nets = *ret_nets;
	return r;
}
