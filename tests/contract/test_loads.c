/* SPDX-License-Identifier: GPL-2.0-or-later */
/* The contract of the load table: each entry is complete, its options can be told apart,
 * and the smallest run of it counts its work. */
#include "contract/contract.h"

#include <ctype.h>
#include <stdlib.h>
#include <sys/wait.h>

#include "base/own.h"
#include "load/load.h"

static void descriptors_are_complete(void **state)
{
	(void)state;
	assert_non_null(load_table[0]);
	for (const struct load *const *l = load_table; *l; l++) {
		owes(is_name((*l)->name), (*l)->name, "a name of lower case and dashes");
		owes(load_find((*l)->name) == *l, (*l)->name, "a name that no other load has");
		owes(is_line((*l)->brief, 66), (*l)->name, "a brief of one short line");
		owes(is_name((*l)->work), (*l)->name, "the plural of its unit of work");
		owes((*l)->timed && (*l)->timed[0], (*l)->name, "what its clock covers");
		owes((*l)->run, (*l)->name, "a run op");
		owes(!(*l)->n_options == !(*l)->options, (*l)->name, "options and their number");
	}
	assert_null(load_find("no-such-load"));
}

static void options_can_be_told_apart(void **state)
{
	(void)state;
	for (const struct load *const *l = load_table; *l; l++) {
		for (size_t i = 0; i < (*l)->n_options; i++) {
			const struct load_option *o = &(*l)->options[i];
			owes(is_name(o->name), (*l)->name, "option names");
			owes(islower((unsigned char)o->letter), o->name, "a lower-case letter");
			owes(is_line(o->what, 50), o->name, "a short line on what it is");
			if (o->type == LOAD_COUNT)
				owes(o->min <= o->def && o->def <= o->max && o->min < o->max,
					o->name, "min <= def <= max");
			for (size_t j = 0; j < i; j++) {
				const struct load_option *p = &(*l)->options[j];
				owes(o->letter != p->letter && strcmp(o->name, p->name) != 0,
					o->name, "letter and name of its own");
			}
		}
	}
}

/* Every count at its minimum: work is counted, time runs forward, no child is left. */
static void smallest_run_is_sound(void **state)
{
	(void)state;
	for (const struct load *const *l = load_table; *l; l++) {
		struct load_result res;
		struct lt_err err = { 0 };
		LT_AUTO_FREE struct load_value *values =
			calloc((*l)->n_options + 1, sizeof(*values));
		assert_non_null(values);
		load_defaults(*l, values);
		for (size_t i = 0; i < (*l)->n_options; i++)
			values[i].count = (*l)->options[i].min; /* no operand: the sample */
		memset(&res, 0xff, sizeof(res));
		owes((*l)->run(values, &res, &err) == 0, (*l)->name, err.text);
		owes(res.elapsed_ns >= 0, (*l)->name, "a time that is not negative");
		owes((res.work > 0) == (strcmp((*l)->name, "null") != 0), (*l)->name,
			"work, unless it is the null load");
		owes(res.n_figures <= LOAD_FIGURES_MAX, (*l)->name, "figures within bounds");
		owes(waitpid(-1, NULL, WNOHANG) < 0, (*l)->name, "no child left behind");
		free(res.text);
	}
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(descriptors_are_complete),
		cmocka_unit_test(options_can_be_told_apart),
		cmocka_unit_test(smallest_run_is_sound),
	};
	return cmocka_run_group_tests(tests, NULL, NULL);
}
