/* SPDX-License-Identifier: GPL-2.0-or-later */
/* No threads of a BLAS inside threads. */
#include "remedy/variables.h"

static const char *const variables[] = {
	"OPENBLAS_NUM_THREADS=1",
	"MKL_NUM_THREADS=1",
	"BLIS_NUM_THREADS=1",
	"GOTO_NUM_THREADS=1",
};

static struct remedy_offer blas_single_offer(
	const struct remedy_place *place, struct remedy_change *ret)
{
	if (place->threads_by_env)
		return remedy_refuse(REMEDY_POINTLESS,
			"these variables carry the number of threads themselves", NULL);
	return variables_offer(place, variables, LT_COUNT(variables), ret);
}

static const char *const heals[] = { "oversubscribed", NULL };

const struct remedy remedy_blas_single = {
	.name = "blas-single",
	.brief = "the BLAS uses one thread a call",
	.does = "Lets linear algebra libraries use one thread a call (OPENBLAS_NUM_THREADS=1, "
		"MKL_NUM_THREADS=1, BLIS_NUM_THREADS=1, GOTO_NUM_THREADS=1), for programs whose "
		"own threads each call them.",
	.price = "Calls that are not made from several threads lose their parallelism.",
	.heals = heals,
	.offer = blas_single_offer,
};
