/* SPDX-License-Identifier: MIT */
/* All of libleat. */
#ifndef LEAT_LEAT_H
#define LEAT_LEAT_H

#include <leat/buf.h>
#include <leat/cancel.h>
#include <leat/base.h>
#include <leat/key.h>
#include <leat/module.h>
#include <leat/pipeline.h>
#include <leat/stats.h>
#include <leat/task.h>
#include <leat/work.h>

#endif
