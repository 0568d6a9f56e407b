/* SPDX-License-Identifier: MIT */
/* The end of a section: what one of its keys means for the others. */
#include <string.h>

#include "router/conf/reader.h"

int conf_finish_nat(struct conf_reader *r, void *object)
{
	struct conf_nat *nat = object;
	bool symmetric = nat->mapping == CONF_MAPPING_SYMMETRIC;
	unsigned line = conf_set_in(r, "filtering");
	if (!nat->n_addrs) {
		conf_say(r, nat->line, "LT-CONF-MISSING", "section [nat] has no external address");
		return lt_hint(r->err, "add a line such as address = 203.0.113.1");
	}
	if (!line)
		nat->filtering = symmetric ? CONF_FILTERING_PORT : CONF_FILTERING_ADDRESS;
	if (symmetric && nat->filtering != CONF_FILTERING_PORT) {
		conf_say(r, line, "LT-CONF-NEEDS",
			"symmetric mapping filters by address and port, not in another way");
		return lt_hint(r->err, "remove this line, or change mapping");
	}
	return 0;
}

int conf_finish_class(struct conf_reader *r, void *object)
{
	struct conf_class *class = object;
	if (!conf_set_in(r, "queue"))
		class->queue = class->strict ? CONF_QUEUE_TAIL_DROP : CONF_QUEUE_CODEL;
	if (class->strict && !conf_set_in(r, "rate")) {
		conf_say(r, class->line, "LT-CONF-MISSING", "strict class '%s' has no rate",
			class->name);
		return lt_hint(r->err,
			"add a line such as rate = 25%%, so that it cannot starve the others");
	}
	if (class->queue == CONF_QUEUE_CODEL && class->interval_ns < class->target_ns) {
		unsigned line = conf_set_in(r, "target");
		conf_say(r, line ? line : conf_set_in(r, "interval"), "LT-CONF-VALUE",
			"target is longer than interval");
		return lt_hint(
			r->err, "make interval about 20 times target, such as 100ms and 5ms");
	}
	return 0;
}
