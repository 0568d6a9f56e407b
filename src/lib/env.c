/* SPDX-License-Identifier: MIT */
/* Reading numbers from the environment. */
#include "lib/env.h"

#include <stdlib.h>

#include "lib/err.h"

int env_number(const char *variable, unsigned max, unsigned *number, struct leat_err *err)
{
	const char *text = secure_getenv(variable);
	if (!text || !*text)
		return 0;
	char *end;
	errno = 0;
	unsigned long n = strtoul(text, &end, 10);
	if (errno || *end || *text == '-' || n < 1 || n > max)
		return LEAT_FAIL(err, -EINVAL, "LEAT-ENV",
			"%s is '%.40s', not a number from 1 to %u", variable, text, max);
	*number = (unsigned)n;
	return 0;
}
