/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Are the CPUs cores, or hardware threads that share the units of one? Guests are often not
 * told; a loop that needs all units shows it. */
#include <math.h>

#include "run/sweep.h"
#include "run/sweep_inside.h"

enum {
	LOOKS = 3, /* the best of them: what disturbs only takes */
};

int sweep_look_for_units(struct sweep *s, struct lt_err *err)
{
	struct core_check *check = &s->x.rec->scaling->check;
	struct quiet wide;
	if (s->x.rec->scaling->quota > 0 || s->quiet.n < 2)
		return 0;
	int r = quiet_open(&wide, QUIET_WIDE, &s->allowed, 0, err);
	for (int i = 0; r >= 0 && i < LOOKS && !sweep_over(s); i++) {
		double given = 0;
		bool quiet;
		r = quiet_look(&wide, &given, &quiet, err);
		check->wide = fmax(check->wide, given);
	}
	quiet_close(&wide);
	return r;
}
