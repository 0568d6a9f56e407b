/* SPDX-License-Identifier: GPL-2.0-or-later */
/* No remedy: the control. It takes part in nearly every proof; where it wins nothing is proved. */
#include "remedy/remedy.h"

static struct remedy_offer null_offer(const struct remedy_place *place, struct remedy_change *ret)
{
	(void)place;
	*ret = (struct remedy_change){ 0 };
	return remedy_ready();
}

const struct remedy remedy_null = {
	.name = "null",
	.brief = "nothing: the control that must not win",
	.does = "Changes nothing. "
		"It is compared with the default as every other remedy is; a machine on which it "
		"wins is not quiet enough to prove anything. Where the default is so slow that "
		"there is no time for it twice, the best remedy runs twice instead, and must help "
		"both times.",
	.price = "None.",
	.offer = null_offer,
};
