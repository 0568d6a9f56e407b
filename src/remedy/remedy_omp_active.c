/* SPDX-License-Identifier: GPL-2.0-or-later */
/* OpenMP threads that spin while they wait. */
#include "remedy/variables.h"

static const char *const variables[] = {
	"OMP_WAIT_POLICY=active",
	"KMP_BLOCKTIME=infinite",
};

static struct remedy_offer omp_active_offer(
	const struct remedy_place *place, struct remedy_change *ret)
{
	return variables_offer(place, variables, LT_COUNT(variables), ret);
}

static const char *const heals[] = { "condvar-handoff", NULL };

const struct remedy remedy_omp_active = {
	.name = "omp-active",
	.brief = "OpenMP threads spin while they wait",
	.does = "Lets OpenMP threads spin at barriers instead of sleeping (OMP_WAIT_POLICY=active, "
		"KMP_BLOCKTIME=infinite), so that short parallel regions follow each other faster.",
	.price = "Threads burn CPU while they wait; with more threads than CPUs it makes things "
		 "worse.",
	.heals = heals,
	.offer = omp_active_offer,
};
