/* SPDX-License-Identifier: GPL-2.0-or-later */
/* What a remedy is: something to change in how a program is started, without touching the
 * program, that may heal a cause of bad scaling. One file, remedy_NAME.c, ending in one const
 * descriptor, and one line in table.def. A remedy says what it would change; whether that
 * helps is measured, never assumed. */
#ifndef REMEDY_REMEDY_H
#define REMEDY_REMEDY_H

#include <stdbool.h>
#include <stddef.h>

#include "base/arena.h"
#include "base/cpuset.h"
#include "base/err.h"
#include "sys/program.h"
#include "sys/topology.h"

enum {
	REMEDY_ENV_MAX = 6,
	REMEDY_PREFIX_MAX = 3,
};

/* What a remedy is offered for: the machine, and the program as far as it is known. */
struct remedy_place {
	int root_fd;            /* as in sys/file.h */
	struct lt_arena *arena; /* of reasons and changes */

	/* Filled by remedy_place_open. */
	const char *program; /* the file that will run, behind any scripts; NULL = none given */
	struct sys_program file;
	const char *loader;   /* the program's, else leat's own; NULL = none known */
	const char *tunables; /* the loader's list; NULL: tunables_why */
	const char *tunables_why;
	struct lt_cpuset allowed;     /* the CPUs it may use */
	struct sys_topology topology; /* of those; n = 0: topology_why */
	const char *topology_why;

	/* What the sweep knows; zeros where it does not. */
	unsigned threads;            /* at the point that is to be healed */
	unsigned threads_best;       /* at the fastest point of the curve */
	bool grows;                  /* every thread brings its own work */
	const struct lt_cpuset *pin; /* the CPUs it is limited to as it is; NULL = all allowed */
	bool threads_by_env;         /* the number is carried by OMP_NUM_THREADS and its like */
	const char *const *maps;     /* files that the running program maps */
	size_t n_maps;
};

/* Everything a remedy can change about the next run. */
struct remedy_change {
	const char *env[REMEDY_ENV_MAX]; /* "NAME=VALUE" */
	size_t n_env;
	const char *prefix[REMEDY_PREFIX_MAX]; /* words before the command */
	size_t n_prefix;
	bool pinned;
	struct lt_cpuset pin; /* pinned: its CPUs */
	unsigned threads;     /* another number of them; 0 = as it is */
	const char *preload;  /* the file that has to show in the running program's maps */
};

enum remedy_state {
	REMEDY_READY,
	REMEDY_MISSING,   /* this machine lacks it */
	REMEDY_POINTLESS, /* it would change nothing here */
	REMEDY_UNHEARD,   /* the program takes no notice of it */
};

/* Not ready: `reason`, and `hint` where something can be done. */
struct remedy_offer {
	enum remedy_state state;
	const char *reason, *hint;
};

struct remedy {
	const char *name;
	const char *brief;        /* one line for `leat list remedies` */
	const char *does;         /* for the manual: what is changed, and how that can help */
	const char *price;        /* for the manual: what it may cost */
	const char *const *heals; /* ids of causes, ending in NULL; NULL = none */

	/* Required. Can it be tried here, and what does it change? Fills *ret only when ready. */
	struct remedy_offer (*offer)(const struct remedy_place *place, struct remedy_change *ret);
};

/* Every remedy, in the order of table.def, ending in NULL. */
extern const struct remedy *const remedy_table[];

const struct remedy *remedy_find(const char *name);
bool remedy_heals(const struct remedy *r, const char *cause);

/* Looks at the machine and, unless it is NULL, at the program of that path. What cannot be
 * found out leaves its reason. Errors: no memory, a program that cannot be read. */
int remedy_place_open(struct remedy_place *place, int root_fd, struct lt_arena *arena,
	const struct lt_cpuset *allowed, const char *program, struct lt_err *err);

static inline struct remedy_offer remedy_ready(void)
{
	return (struct remedy_offer){ .state = REMEDY_READY };
}

static inline struct remedy_offer remedy_refuse(
	enum remedy_state state, const char *reason, const char *hint)
{
	return (struct remedy_offer){ state, reason, hint };
}

static inline struct remedy_offer remedy_refuse_privileged(void)
{
	return remedy_refuse(REMEDY_UNHEARD,
		"the program starts with more rights than its user has (setuid), so the loader "
		"ignores the environment",
		"run it as the user whose rights it takes");
}

#endif
