/* SPDX-License-Identifier: MIT */
/* Options of make-capture. */
#include "capture/args.h"

#include <argp.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/parse.h"
#include "capture/nets.h"
#include "router/fib/addr.h"

enum {
	KEY_HOSTS = 256,
	KEY_LIFE,
	KEY_EXTERNAL,
	KEY_INSIDE,
	KEY_NICS,
	KEY_MICRO,
	SIZE_MAX_FRAME = CAPTURE_PAYLOAD_MAX,
};

static const struct argp_option options[] = {
	{ "packets", 'n', "N", 0, "Packets to make (100000)", 0 },
	{ "flows", 'f', "N", 0, "Flows that are alive at a time (1000)", 0 },
	{ "hosts", KEY_HOSTS, "N", 0, "Hosts inside (a hundredth of the flows, at least 10)", 0 },
	{ "popularity", 'p', "HOW", 0,
		"Which flow sends next: uniform, or zipf[:S], the n-th as often as 1 / n^S "
		"(zipf:1)",
		0 },
	{ "size", 'l', "HOW", 0,
		"Frames of kinds tcp and udp: small (60 bytes), imix (7 of 60, 4 of 590, 1 of "
		"1514), or a number (imix)",
		0 },
	{ "traffic", 't', "KIND=SHARE,...", 0,
		"Shares of the flows (udp=5,tcp=5,http=20,tls=40,voip=15,ftp=5,dns=5,icmp=5)", 0 },
	{ "life", KEY_LIFE, "N", 0,
		"Packets of both directions until a flow ends and a new one begins (0: never)", 0 },
	{ "both", 'b', NULL, 0, "Answers, too, in a file of the outside NIC", 0 },
	{ "external", KEY_EXTERNAL, "ADDRESS", 0,
		"Answers go to this address, as behind NAT that keeps ports (to the host itself)",
		0 },
	{ "inside", KEY_INSIDE, "PREFIX", 0, "Where the hosts are (10.0.0.0/8)", 0 },
	{ "routes", 'r', "FILE", 0,
		"Peers are within the prefixes that its lines begin with (anywhere)", 0 },
	{ "rate", 'R', "PPS", 0, "Packets per second, by their times (1000000)", 0 },
	{ "seed", 's', "N", 0, "Another seed, other packets (1)", 0 },
	{ "format", 'F', "FORM", 0, "pcap, pcapng or text (pcap)", 0 },
	{ "micro", KEY_MICRO, NULL, 0, "Times in microseconds instead of nanoseconds", 0 },
	{ "nics", KEY_NICS, "INSIDE,OUTSIDE", 0, "Names of the NICs, and of the files (eth0,eth1)",
		0 },
	{ NULL, 'o', "DIR", 0, "Where to put INSIDE.pcap and OUTSIDE.pcap, or capture.txt (.)", 0 },
	{ 0 },
};

struct parsing {
	struct args *args;
	struct lt_err *err;
	const char *routes;
};

static int count(const char *text, const char *what, uint64_t min, uint64_t max, uint32_t *ret,
	struct lt_err *err)
{
	uint64_t value;
	int r = lt_parse_u64(text, what, min, max, &value, err);
	if (r == 0)
		*ret = (uint32_t)value;
	return r;
}

static int parse_popularity(struct capture_opts *opts, const char *text, struct lt_err *err)
{
	opts->uniform = !strcmp(text, "uniform");
	if (opts->uniform || !strcmp(text, "zipf"))
		return 0;
	if (strncmp(text, "zipf:", 5) != 0)
		return lt_fail(err, -EINVAL, "LT-USAGE",
			"--popularity is uniform or zipf[:S], not '%.100s'", text);
	int r = lt_parse_double(text + 5, "--popularity zipf:", &opts->zipf, err);
	if (r == 0 && !(opts->zipf >= 0 && opts->zipf <= 10))
		r = lt_fail(err, -EINVAL, "LT-USAGE", "S of zipf:S is from 0 to 10");
	return r;
}

static int parse_size(struct capture_opts *opts, const char *text, struct lt_err *err)
{
	opts->sizes = strcmp(text, "imix") == 0 ? CAPTURE_IMIX : CAPTURE_FIXED;
	opts->size = CAPTURE_SMALL;
	if (opts->sizes == CAPTURE_IMIX || !strcmp(text, "small"))
		return 0;
	return count(text, "--size", CAPTURE_SMALL, SIZE_MAX_FRAME, &opts->size, err);
}

static int parse_share(struct capture_opts *opts, char *item, struct lt_err *err)
{
	char *equals = strchr(item, '=');
	double share = 1;
	if (equals) {
		*equals = '\0';
		int r = lt_parse_double(equals + 1, "--traffic", &share, err);
		if (r < 0)
			return r;
	}
	for (int i = 0; capture_kinds[i].name; i++) {
		if (strcmp(capture_kinds[i].name, item) != 0)
			continue;
		if (!(share >= 0 && share <= 1e9))
			return lt_fail(err, -EINVAL, "LT-USAGE", "--traffic: the share of %s",
				capture_kinds[i].name);
		opts->shares[i] = share;
		return 0;
	}
	return lt_fail(err, -EINVAL, "LT-USAGE", "--traffic: there is no kind '%.100s'", item);
}

static int parse_traffic(struct capture_opts *opts, char *text, struct lt_err *err)
{
	double total = 0;
	memset(opts->shares, 0, sizeof(opts->shares));
	char *rest = NULL;
	for (char *item = strtok_r(text, ",", &rest); item; item = strtok_r(NULL, ",", &rest)) {
		int r = parse_share(opts, item, err);
		if (r < 0)
			return r;
	}
	for (int i = 0; capture_kinds[i].name; i++)
		total += opts->shares[i];
	return total > 0 ? 0 : lt_fail(err, -EINVAL, "LT-USAGE", "--traffic: no kind has a share");
}

static int parse_prefix(const char *text, uint8_t max_len, uint32_t *ret_address,
	uint32_t *ret_mask, struct lt_err *err)
{
	struct prefix prefix;
	if (!prefix_parse(text, strlen(text), &prefix) || prefix.addr.family != 4 ||
		prefix.len > max_len)
		return lt_fail(err, -EINVAL, "LT-USAGE", "'%.100s' is no such IPv4 %s", text,
			max_len < 32 ? "prefix" : "address");
	*ret_mask = prefix.len ? ~(uint32_t)0 << (32 - prefix.len) : 0;
	*ret_address = addr_v4(&prefix.addr) & *ret_mask;
	return 0;
}

static int parse_form(struct args *args, const char *text, struct lt_err *err)
{
	static const char *const forms[] = { "pcap", "pcapng", "text" };
	for (int i = 0; i < 3; i++) {
		if (!strcmp(text, forms[i])) {
			args->form = (enum args_form)i;
			return 0;
		}
	}
	return lt_fail(
		err, -EINVAL, "LT-USAGE", "--format is pcap, pcapng or text, not '%.100s'", text);
}

static int parse_nics(struct args *args, char *text, struct lt_err *err)
{
	char *comma = strchr(text, ',');
	if (!comma || comma == text || !comma[1])
		return lt_fail(err, -EINVAL, "LT-USAGE", "--nics is INSIDE,OUTSIDE");
	*comma = '\0';
	args->inside_nic = text;
	args->outside_nic = comma + 1;
	return 0;
}

static int parse_rate(struct capture_opts *opts, const char *text, struct lt_err *err)
{
	int r = lt_parse_double(text, "--rate", &opts->rate, err);
	if (r == 0 && !(opts->rate >= 1e-3 && opts->rate <= 1e9))
		r = lt_fail(err, -EINVAL, "LT-USAGE", "--rate is from 0.001 to 1000000000");
	return r;
}

static error_t parse_option(int key, char *arg, struct argp_state *state)
{
	struct parsing *p = state->input;
	struct capture_opts *opts = &p->args->capture;
	struct lt_err *err = p->err;
	uint32_t mask;
	int r = 0;
	switch (key) {
	case 'n':
		r = lt_parse_u64(arg, "--packets", 0, 1000000000000, &opts->packets, err);
		break;
	case 'f':
		r = count(arg, "--flows", 1, 100000000, &opts->flows, err);
		break;
	case KEY_HOSTS:
		r = count(arg, "--hosts", 1, 16777214, &opts->hosts, err);
		break;
	case 'p':
		r = parse_popularity(opts, arg, err);
		break;
	case 'l':
		r = parse_size(opts, arg, err);
		break;
	case 't':
		r = parse_traffic(opts, arg, err);
		break;
	case KEY_LIFE:
		r = count(arg, "--life", 0, 1000000000, &opts->life, err);
		break;
	case 'b':
		opts->both = true;
		break;
	case KEY_EXTERNAL:
		r = parse_prefix(arg, 32, &opts->external, &mask, err);
		break;
	case KEY_INSIDE:
		r = parse_prefix(arg, 30, &opts->inside, &opts->inside_mask, err);
		break;
	case 'r':
		p->routes = arg;
		break;
	case 'R':
		r = parse_rate(opts, arg, err);
		break;
	case 's':
		r = lt_parse_u64(arg, "--seed", 0, UINT64_MAX, &opts->seed, err);
		break;
	case 'F':
		r = parse_form(p->args, arg, err);
		break;
	case KEY_MICRO:
		p->args->micro = true;
		break;
	case KEY_NICS:
		r = parse_nics(p->args, arg, err);
		break;
	case 'o':
		p->args->dir = arg;
		break;
	default:
		return ARGP_ERR_UNKNOWN;
	}
	return -r;
}

static char *help(int key, const char *text, void *input)
{
	(void)input;
	if (key != ARGP_KEY_HELP_EXTRA)
		return (char *)text;
	char *kinds = NULL;
	size_t size = 0;
	FILE *file = open_memstream(&kinds, &size);
	if (!file)
		return NULL;
	fprintf(file, "Kinds of traffic:\n");
	for (int i = 0; capture_kinds[i].name; i++)
		fprintf(file, "  %-6s %s\n", capture_kinds[i].name, capture_kinds[i].what);
	fprintf(file,
		"\nThe same options and seed make the same files, byte for byte.\n\n"
		"Examples:\n"
		"  make-capture -n 5000000 -f 100000 -p uniform -l small -t udp,tcp -o DIR\n"
		"  make-capture --both --external 192.0.2.1 -t voip=1,ftp=1,http=2 -o DIR\n"
		"  make-capture -F text -n 113405 -o DIR");
	fclose(file);
	return kinds;
}

int args_parse(struct args *args, int argc, char **argv, struct lt_err *err)
{
	static const struct argp argp = {
		.options = options,
		.parser = parse_option,
		.doc = "Makes captures of traffic as a router between inside and outside sees "
		       "it.\v",
		.help_filter = help,
	};
	struct parsing parsing = { .args = args, .err = err };
	*args = (struct args){
		.capture = { .packets = 100000,
			.seed = 1,
			.flows = 1000,
			.zipf = 1,
			.rate = 1e6,
			.start_ns = 1700000000000000000,
			.inside = 10U << 24,
			.inside_mask = 255U << 24 },
		.dir = ".",
		.inside_nic = "eth0",
		.outside_nic = "eth1",
	};
	for (int i = 0; capture_kinds[i].name; i++)
		args->capture.shares[i] = capture_kinds[i].share;
	struct capture_opts *opts = &args->capture;
	argp_err_exit_status = 2;
	int r = -argp_parse(&argp, argc, argv, 0, NULL, &parsing);
	if (r < 0)
		return err->code ? r : lt_fail(err, r, "LT-USAGE", "bad options");
	uint32_t room = ~opts->inside_mask - 1; /* without the network's own and all-ones */
	if (opts->hosts == 0)
		opts->hosts = opts->flows / 100 > 10 ? opts->flows / 100 : 10;
	if (opts->hosts > room)
		opts->hosts = room;
	return nets_load(opts, parsing.routes, &args->nets, err);
}

void args_done(struct args *args)
{
	free(args->nets);
}
