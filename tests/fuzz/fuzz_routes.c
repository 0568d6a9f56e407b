/* SPDX-License-Identifier: MIT */
/* Route files from hostile text: routes that are taken are found again, and what is refused says
 * in which line and what to do. */
#include <assert.h>
#include <stdint.h>
#include <string.h>

#include "router/fib/fib.h"

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);

/* Making a table is slow beside reading a line, so one serves for all inputs. */
static struct fib *the_fib(void)
{
	static struct fib *fib;
	if (!fib)
		assert(fib_new(&fib, NULL) == 0);
	return fib;
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
	static const char *const nics[] = { "a", "eth0" };
	struct lt_err err = { 0 };
	struct prefix prefix;
	struct fib_hop hop;
	const char *text = (const char *)data, *line_end = memchr(text, '\n', size);
	size_t len = line_end ? (size_t)(line_end - text) : size;
	if (fib_parse_route(text, len, nics, 2, &prefix, &hop, &err) < 0)
		assert(err.id[0] && err.hint[0]);
	else
		assert(prefix_is_clean(&prefix) && hop.kind != FIB_NONE && hop.nic < 2);

	struct fib *fib = the_fib();
	int n = fib_load_text(fib, text, size, "r", nics, 2, &err);
	if (n < 0) {
		assert(!strncmp(err.text, "r:", 2) && err.hint[0]);
		return 0;
	}
	assert(fib_n_routes(fib) >= (size_t)n);
	if (fib_parse_route(text, len, nics, 2, &prefix, &hop, &err) == 0) {
		const struct fib_hop *found = fib_find(fib, &prefix);
		assert(found && found->kind == hop.kind && found->nic == hop.nic);
		assert(fib_delete(fib, &prefix, &err) == 0);
	}
	return 0;
}
