/* SPDX-License-Identifier: GPL-2.0-or-later */
/* OpenMP threads on cores side by side. */
#include "remedy/variables.h"

static const char *const variables[] = {
	"OMP_PROC_BIND=close",
	"OMP_PLACES=cores",
};

static struct remedy_offer omp_close_offer(
	const struct remedy_place *place, struct remedy_change *ret)
{
	return variables_offer(place, variables, LT_COUNT(variables), ret);
}

static const char *const heals[] = { "mutex-convoy", "condvar-handoff", "false-sharing",
	"true-sharing", "yield-storm", "spin-wait", NULL };

const struct remedy remedy_omp_close = {
	.name = "omp-close",
	.brief = "OpenMP binds its threads to cores side by side",
	.does = "Binds each OpenMP thread to a core, neighbours side by side (OMP_PROC_BIND=close, "
		"OMP_PLACES=cores).",
	.price = "Threads cannot move to an idle core.",
	.heals = heals,
	.offer = omp_close_offer,
};
