/* SPDX-License-Identifier: GPL-2.0-or-later */
/* No OpenMP threads inside threads. */
#include "remedy/variables.h"

static const char *const variables[] = {
	"OMP_NUM_THREADS=1",
	"OMP_MAX_ACTIVE_LEVELS=1",
};

static struct remedy_offer omp_single_offer(
	const struct remedy_place *place, struct remedy_change *ret)
{
	if (place->threads_by_env)
		return remedy_refuse(REMEDY_POINTLESS,
			"OMP_NUM_THREADS carries the number of threads itself", NULL);
	return variables_offer(place, variables, LT_COUNT(variables), ret);
}

static const char *const heals[] = { "oversubscribed", NULL };

const struct remedy remedy_omp_single = {
	.name = "omp-single",
	.brief = "OpenMP teams of one, in programs with threads of their own",
	.does = "Gives every OpenMP team one thread (OMP_NUM_THREADS=1, OMP_MAX_ACTIVE_LEVELS=1), "
		"for programs whose own threads each call OpenMP code.",
	.price = "OpenMP code that is not called from several threads loses its parallelism.",
	.heals = heals,
	.offer = omp_single_offer,
};
