/* SPDX-License-Identifier: MIT */
/* From the interfaces of files to NICs. */
#include "router/io/nics.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>

int io_nic_named(const struct io_reader_opts *opts, const char *name)
{
	for (size_t i = 0; i < opts->n_nics; i++)
		if (!strcmp(opts->nics[i], name))
			return (int)i;
	return IO_NIC_NONE;
}

/* "2" names interface 2, and one called "2". */
static bool is_interface(const char *wanted, const char *interface, long number)
{
	if (interface && !strcmp(wanted, interface))
		return true;
	char *rest;
	long n = strtol(wanted, &rest, 10);
	return number >= 0 && *wanted >= '0' && *wanted <= '9' && !*rest && n == number;
}

/* The NIC that a file is called after: "in/eth3.pcap" is eth3's. A name with dots of its own,
 * "eth0.100.pcap", loses only its ending. */
static int named_after(const struct io_reader_opts *opts, const char *path)
{
	const char *slash = strrchr(path, '/');
	const char *base = slash ? slash + 1 : path;
	const char *dot = strrchr(base, '.');
	size_t len = dot ? (size_t)(dot - base) : strlen(base);
	for (size_t i = 0; i < opts->n_nics; i++)
		if (strlen(opts->nics[i]) == len && !memcmp(opts->nics[i], base, len))
			return (int)i;
	return IO_NIC_NONE;
}

int io_nics_find(const struct io_nics *nics, const char *interface, long number)
{
	const struct io_reader_opts *opts = nics->opts;
	for (size_t i = 0; i < opts->n_inputs; i++) {
		const struct io_input *input = &opts->inputs[i];
		if (input->interface && !strcmp(input->path, nics->path) &&
			is_interface(input->interface, interface, number))
			return io_nic_named(opts, input->nic);
	}
	if (nics->nic)
		return io_nic_named(opts, nics->nic);
	int found = interface ? io_nic_named(opts, interface) : IO_NIC_NONE;
	if (found == IO_NIC_NONE)
		found = named_after(opts, nics->path);
	if (found == IO_NIC_NONE && opts->default_nic)
		found = io_nic_named(opts, opts->default_nic);
	return found;
}

/* "eth0, eth1, ..." for a hint. */
static void list_nics(const struct io_reader_opts *opts, char *text, size_t size)
{
	size_t used = 0;
	text[0] = '\0';
	for (size_t i = 0; i < opts->n_nics && used < size; i++)
		used += (size_t)snprintf(
			text + used, size - used, "%s%s", i ? ", " : "", opts->nics[i]);
}

static int check_nic(const struct io_reader_opts *opts, const char *nic, struct lt_err *err)
{
	if (!nic || io_nic_named(opts, nic) != IO_NIC_NONE)
		return 0;
	char names[200];
	list_nics(opts, names, sizeof(names));
	lt_err_set(err, -EINVAL, "LT-INPUT", "there is no NIC '%.100s'", nic);
	return lt_hint(err, "the NICs are: %s", names);
}

int io_nics_check(const struct io_reader_opts *opts, struct lt_err *err)
{
	int r = check_nic(opts, opts->default_nic, err);
	unsigned stdins = 0;
	for (size_t i = 0; i < opts->n_inputs && r == 0; i++) {
		const struct io_input *input = &opts->inputs[i];
		r = check_nic(opts, input->nic, err);
		if (r == 0 && input->interface && !input->nic)
			r = lt_fail(err, -EINVAL, "LT-INPUT",
				"interface '%.100s' of '%.200s' is given no NIC", input->interface,
				input->path);
		stdins += !strcmp(input->path, "-") && !input->interface;
	}
	if (r == 0 && stdins > 1)
		r = lt_fail(err, -EINVAL, "LT-INPUT", "standard input is given twice");
	return r;
}

int io_input_parse(
	const char *text, struct lt_arena *arena, struct io_input *ret_input, struct lt_err *err)
{
	struct io_input input = { 0 };
	const char *equals = strchr(text, '=');
	const char *slash = strchr(text, '/');
	const char *path = text;
	if (equals && !(slash && slash < equals)) {
		if (equals == text)
			return lt_fail(err, -EINVAL, "LT-INPUT",
				"no NIC before the '=' of input '%.200s'", text);
		input.nic = lt_arena_strndup(arena, text, (size_t)(equals - text));
		path = equals + 1;
	}
	const char *hash = input.nic ? strrchr(path, '#') : NULL;
	struct stat st;
	if (hash && stat(path, &st) == 0)
		hash = NULL;
	size_t len = hash ? (size_t)(hash - path) : strlen(path);
	if (len == 0)
		return lt_fail(err, -EINVAL, "LT-INPUT", "no file in input '%.200s'", text);
	if (hash && !hash[1])
		return lt_fail(err, -EINVAL, "LT-INPUT",
			"no interface after the '#' of input '%.200s'", text);
	input.path = lt_arena_strndup(arena, path, len);
	if (hash)
		input.interface = lt_arena_strdup(arena, hash + 1);
	if (arena->failed)
		return lt_fail_mem(err);
	*ret_input = input;
	return 0;
}
