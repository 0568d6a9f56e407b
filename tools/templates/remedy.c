/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Output of the C library in lines instead of blocks. */
#include "remedy/remedy.h"

/* Required. What would be changed; or remedy_refuse with the reason, where it cannot be tried. */
static struct remedy_offer this_name_offer(
	const struct remedy_place *place, struct remedy_change *ret)
{
	(void)place;
	*ret = (struct remedy_change){ .prefix = { "stdbuf", "-oL" }, .n_prefix = 2 };
	return remedy_ready();
}

static const char *const heals[] = { "waiting-for-input", NULL };

const struct remedy remedy_this_name = {
	.name = "this-name",
	.brief = "output in lines",
	.does = "Makes the program write each line at once, so that who reads it can begin.",
	.price = "More system calls.",
	.heals = heals,
	.offer = this_name_offer,
};
