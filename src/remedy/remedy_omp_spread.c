/* SPDX-License-Identifier: GPL-2.0-or-later */
/* OpenMP threads on cores far apart. */
#include "remedy/variables.h"

static const char *const variables[] = {
	"OMP_PROC_BIND=spread",
	"OMP_PLACES=cores",
};

static struct remedy_offer omp_spread_offer(
	const struct remedy_place *place, struct remedy_change *ret)
{
	return variables_offer(place, variables, LT_COUNT(variables), ret);
}

static const char *const heals[] = { "memory-bandwidth", NULL };

const struct remedy remedy_omp_spread = {
	.name = "omp-spread",
	.brief = "OpenMP binds its threads to cores far apart",
	.does = "Binds each OpenMP thread to a core, as far from the others as there are "
		"(OMP_PROC_BIND=spread, OMP_PLACES=cores), so that each has more of the caches and "
		"of the way to memory.",
	.price = "Threads cannot move to an idle core.",
	.heals = heals,
	.offer = omp_spread_offer,
};
