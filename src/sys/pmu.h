/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Names of events, as libpfm4 knows them, turned into what perf counts. */
#ifndef SYS_PMU_H
#define SYS_PMU_H

#include <stdbool.h>

#include "base/err.h"
#include "sys/perf.h"

/* Has this machine a processor PMU that the kernel knows? */
bool sys_pmu_present(int root_fd);

/* "cycles", "branch-misses:u", "page-faults", "skl::UOPS_ISSUED:ANY". Without a modifier the
 * user's and the kernel's side are counted. Errors: LT-PMU-NAME, -EINVAL. */
int sys_pmu_encode(const char *name, struct sys_perf_code *ret, struct lt_err *err);

#endif
