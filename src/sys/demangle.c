/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Loads the runtime when first asked. */
#include "sys/demangle.h"

#include <dlfcn.h>
#include <stdlib.h>
#include <string.h>

typedef char *demangle_fn(const char *name, char *to, size_t *len, int *status);

static demangle_fn *runtime(void)
{
	static demangle_fn *fn; /* the library stays */
	static int asked;
	if (asked++)
		return fn;
	void *lib = dlopen("libstdc++.so.6", RTLD_NOW | RTLD_LOCAL);
	if (!lib)
		lib = dlopen("libc++abi.so.1", RTLD_NOW | RTLD_LOCAL);
	if (lib)
		fn = (demangle_fn *)dlsym(lib, "__cxa_demangle");
	return fn;
}

/* The parameters are the last thing in brackets; "operator()" keeps its own. */
static void cut_parameters(char *name)
{
	char *end = strrchr(name, ')');
	int depth = 0;
	if (!end)
		return;
	for (char *c = end; c >= name; c--) {
		depth += (*c == ')') - (*c == '(');
		if (depth)
			continue;
		if (c - name < 8 || strncmp(c - 8, "operator", 8) != 0)
			*c = '\0';
		return;
	}
}

/* Rust's older names end in "::h" and sixteen digits, which tell nobody anything. */
static void cut_hash(char *name)
{
	enum {
		DIGITS = 16
	};
	char *h = strrchr(name, 'h');
	if (h && h - name > 2 && !strncmp(h - 2, "::", 2) && strlen(h) == 1 + DIGITS &&
		strspn(h + 1, "0123456789abcdef") == DIGITS)
		h[-2] = '\0';
}

char *sys_demangle(const char *name)
{
	int status = 0;
	if (!name || strncmp(name, "_Z", 2) != 0 || !runtime())
		return NULL;
	char *plain = runtime()(name, NULL, NULL, &status);
	if (plain) {
		cut_parameters(plain);
		cut_hash(plain);
	}
	return plain;
}
