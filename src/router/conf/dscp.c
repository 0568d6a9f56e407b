/* SPDX-License-Identifier: MIT */
/* Names of DiffServ code points (RFC 2474, 2597, 3246, 5865, 8622). */
#include <stdio.h>
#include <string.h>
#include <strings.h>

#include "router/conf/words.h"

static const struct {
	const char *name;
	unsigned dscp;
} names[] = {
	{ "cs0", 0 },
	{ "le", 1 },
	{ "cs1", 8 },
	{ "af11", 10 },
	{ "af12", 12 },
	{ "af13", 14 },
	{ "cs2", 16 },
	{ "af21", 18 },
	{ "af22", 20 },
	{ "af23", 22 },
	{ "cs3", 24 },
	{ "af31", 26 },
	{ "af32", 28 },
	{ "af33", 30 },
	{ "cs4", 32 },
	{ "af41", 34 },
	{ "af42", 36 },
	{ "af43", 38 },
	{ "cs5", 40 },
	{ "va", 44 },
	{ "ef", 46 },
	{ "cs6", 48 },
	{ "cs7", 56 },
};

int conf_dscp_from(const char *text, size_t len)
{
	for (size_t i = 0; i < LT_COUNT(names); i++)
		if (strlen(names[i].name) == len && !strncasecmp(names[i].name, text, len))
			return (int)names[i].dscp;
	int value = 0;
	for (size_t i = 0; i < len; i++) {
		if (len > 2 || text[i] < '0' || text[i] > '9')
			return -1;
		value = value * 10 + text[i] - '0';
	}
	return len && value < 64 ? value : -1;
}

const char *conf_dscp_name(unsigned dscp, char buf[8])
{
	for (size_t i = 0; i < LT_COUNT(names); i++)
		if (names[i].dscp == dscp)
			return names[i].name;
	snprintf(buf, 8, "%u", dscp & 63);
	return buf;
}
