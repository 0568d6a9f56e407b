/* SPDX-License-Identifier: MIT */
/* One line a message, one write a line. */
#include "base/log.h"

#include <stdarg.h>
#include <stdbool.h>
#include <stdio.h>
#include <string.h>

#include "base/err.h"
#include "base/str.h"

static const char *program = "leat"; /* set before there are threads */
static const char *debug_areas;      /* likewise */

void lt_log_program(const char *name)
{
	program = name;
}

void lt_log_debug(const char *areas)
{
	debug_areas = areas;
}

static bool debugging(const char *area)
{
	size_t len = strlen(area);
	for (const char *s = debug_areas; s; s = lt_next_item(s, ',')) {
		size_t n = strcspn(s, ",");
		if ((n == len && !memcmp(s, area, n)) || (n == 3 && !memcmp(s, "all", 3)))
			return true;
	}
	return false;
}

void lt_log(enum lt_log_level level, const char *area, const char *fmt, ...)
{
	static const char *const words[] = { [LT_LOG_ERROR] = "error: ",
		[LT_LOG_WARNING] = "warning: ",
		[LT_LOG_NOTE] = "",
		[LT_LOG_DEBUG] = "debug: " };
	if (level == LT_LOG_DEBUG && !debugging(area))
		return;
	char line[1200];
	int used = snprintf(line, sizeof(line), "%s: %s", program, words[level]);
	va_list ap;
	va_start(ap, fmt);
	vsnprintf(line + used, sizeof(line) - (size_t)used, fmt, ap);
	va_end(ap);
	lt_one_line(line);
	fprintf(stderr, "%s\n", line);
}
