/* SPDX-License-Identifier: GPL-2.0-or-later */
/* GLIBC_TUNABLES, checked against what the loader says of itself. */
#include "remedy/tunables.h"

#include <inttypes.h>
#include <stdlib.h>
#include <string.h>

#include "base/buf.h"
#include "base/str.h"
#include "remedy/variables.h"

bool tunables_range(const char *list, const char *name, uint64_t *ret_min, uint64_t *ret_max)
{
	size_t len = strlen(name);
	for (const char *line = list; line; line = lt_next_item(line, '\n')) {
		if (strncmp(line, name, len) != 0 || line[len] != ':')
			continue;
		size_t rest = strcspn(line, "\n");
		const char *min = memmem(line, rest, "(min: ", 6);
		const char *max = memmem(line, rest, ", max: ", 7);
		if (!min || !max)
			return false;
		*ret_min = strtoull(min + 6, NULL, 0);
		*ret_max = strtoull(max + 7, NULL, 0);
		return true;
	}
	return false;
}

static struct remedy_offer check(
	const struct remedy_place *place, const struct tunable *list, size_t n)
{
	for (size_t i = 0; i < n; i++) {
		uint64_t min, max;
		if (!tunables_range(place->tunables, list[i].name, &min, &max))
			return remedy_refuse(REMEDY_MISSING,
				lt_arena_printf(place->arena, "the C library has no tunable %s",
					list[i].name),
				"a newer C library has more of them");
		if (list[i].value < min || list[i].value > max)
			return remedy_refuse(REMEDY_MISSING,
				lt_arena_printf(place->arena,
					"%s goes from %" PRIu64 " to %" PRIu64
					" here, not %" PRIu64,
					list[i].name, min, max, list[i].value),
				NULL);
	}
	return remedy_ready();
}

struct remedy_offer tunables_offer(const struct remedy_place *place, const struct tunable *list,
	size_t n, struct remedy_change *ret)
{
	LT_AUTO_BUF struct lt_buf text = { 0 };
	struct remedy_offer heard = variables_heard(place, "GLIBC_TUNABLES");
	if (heard.state != REMEDY_READY)
		return heard;
	if (!place->tunables)
		return remedy_refuse(REMEDY_MISSING, place->tunables_why, NULL);
	struct remedy_offer offer = check(place, list, n);
	if (offer.state != REMEDY_READY)
		return offer;
	for (size_t i = 0; i < n; i++)
		lt_buf_addf(&text, "%s%s=%" PRIu64, i ? ":" : "GLIBC_TUNABLES=", list[i].name,
			list[i].value);
	const char *env = text.failed ? NULL : lt_arena_strdup(place->arena, text.data);
	if (!env)
		return remedy_refuse(REMEDY_MISSING, "out of memory", NULL);
	*ret = (struct remedy_change){ .env = { env }, .n_env = 1 };
	return offer;
}
