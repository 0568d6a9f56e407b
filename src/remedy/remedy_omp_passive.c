/* SPDX-License-Identifier: GPL-2.0-or-later */
/* OpenMP threads that sleep while they wait. */
#include "remedy/variables.h"

static const char *const variables[] = {
	"OMP_WAIT_POLICY=passive",
	"GOMP_SPINCOUNT=0",
	"KMP_BLOCKTIME=0",
};

static struct remedy_offer omp_passive_offer(
	const struct remedy_place *place, struct remedy_change *ret)
{
	return variables_offer(place, variables, LT_COUNT(variables), ret);
}

static const char *const heals[] = { "spin-wait", "yield-storm", "oversubscribed", "mutex-convoy",
	NULL };

const struct remedy remedy_omp_passive = {
	.name = "omp-passive",
	.brief = "OpenMP threads sleep while they wait",
	.does = "Lets OpenMP threads sleep at barriers instead of spinning "
		"(OMP_WAIT_POLICY=passive, GOMP_SPINCOUNT=0, KMP_BLOCKTIME=0), which leaves the "
		"CPUs to those that have work.",
	.price = "Waking a thread takes longer than ending a spin.",
	.heals = heals,
	.offer = omp_passive_offer,
};
