/* SPDX-License-Identifier: GPL-2.0-or-later */
/* The contract of the meter table: each entry is complete, says why where it cannot
 * measure, and around a real program each value is a sound number or has a reason. */
#include "contract/contract.h"

#include <fcntl.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <sys/wait.h>
#include <unistd.h>

#include "base/clock.h"
#include "base/own.h"
#include "meter/meter.h"

static void descriptors_are_complete(void **state)
{
	(void)state;
	assert_non_null(meter_table[0]);
	for (const struct meter *const *m = meter_table; *m; m++) {
		const char *name = (*m)->name;
		owes(is_name(name), name, "a name of lower case and dashes");
		owes(meter_find(name) == *m, name, "a name that no other meter has");
		owes(is_line((*m)->brief, 66), name, "a brief of one short line");
		owes((*m)->cost && (*m)->cost[0], name, "its cost");
		owes(is_prose((*m)->overhead), name, "OVERHEAD in whole sentences");
		owes(is_prose((*m)->caveats), name, "CAVEATS in whole sentences");
		owes((*m)->read, name, "a read op");
		owes((*m)->use & (METER_USE_TRIAL | METER_USE_ATTACH), name, "a use");
		owes(!(*m)->wrap == !((*m)->use & METER_USE_EVIDENCE), name,
			"a wrap op if and only if it is evidence");
		owes(!((*m)->use & METER_USE_EVIDENCE) || !((*m)->use & METER_USE_DEFAULT), name,
			"to be asked for, as evidence is");
	}
	assert_null(meter_find("no-such-meter"));
}

static bool is_unit(const char *unit)
{
	static const char *const units[] = { "ns", "bytes", "count", "ratio", "uJ", "uW", "Hz" };
	for (size_t i = 0; unit && i < LT_COUNT(units); i++)
		if (!strcmp(units[i], unit))
			return true;
	return false;
}

static void metrics_are_complete(void **state)
{
	(void)state;
	for (const struct meter *const *m = meter_table; *m; m++) {
		owes(!(*m)->n_metrics == !(*m)->metrics, (*m)->name, "metrics and their number");
		for (size_t i = 0; (*m)->metrics && i < (*m)->n_metrics; i++) {
			const struct metric *x = &(*m)->metrics[i];
			owes(is_name(x->name), x->name, "a name of lower case and dashes");
			owes(is_unit(x->unit), x->name, "a base unit");
			owes(is_line(x->what, 72), x->name, "one line on what it counts");
			owes(x->scope && x->scope[0], x->name, "whose it is (scope)");
			owes(x->source && x->source[0], x->name, "its source");
			for (size_t j = 0; j < i; j++)
				owes(strcmp(x->name, (*m)->metrics[j].name) != 0, x->name,
					"a name of its own");
			for (const struct meter *const *o = meter_table; *o != *m; o++)
				for (size_t j = 0; j < (*o)->n_metrics; j++)
					owes(strcmp(x->name, (*o)->metrics[j].name) != 0, x->name,
						"a name that no other meter's metric has");
		}
	}
}

/* On this machine, and on one that has nothing at all. */
static void missing_has_a_reason(void **state)
{
	(void)state;
	char empty[] = "/tmp/leat-contract-XXXXXX";
	assert_non_null(mkdtemp(empty));
	const char *roots[] = { "/", empty };
	for (size_t i = 0; i < LT_COUNT(roots); i++) {
		LT_AUTO_CLOSE int root = open(roots[i], O_PATH | O_DIRECTORY | O_CLOEXEC);
		assert_true(root >= 0);
		struct lt_arena arena = { 0 };
		struct meter_place place = { .root_fd = root, .arena = &arena };
		for (const struct meter *const *m = meter_table; *m; m++) {
			struct value v = meter_probe(*m, &place);
			owes(v.state != VALUE_UNAVAILABLE || (v.reason && v.reason[0]), (*m)->name,
				"a reason where it is not available");
		}
		lt_arena_done(&arena);
	}
	rmdir(empty);
}

static void check_value(const struct metric *x, const struct value *v)
{
	char text[160];
	if (v->state == VALUE_UNAVAILABLE) {
		owes(v->reason && v->reason[0], x->name, "a reason for its missing value");
		return;
	}
	snprintf(text, sizeof(text), "a sound number, not %g", v->num);
	owes(isfinite(v->num) && v->num >= 0, x->name, text);
}

/* Starts a program that ends at once; it stays a zombie until the meter has read. */
static void measure(const struct meter *m, void *inst, const struct meter_place *place)
{
	struct meter_window win = { .begin_ns = lt_now_ns() };
	siginfo_t info;
	if (m->start)
		m->start(inst, place, &win);
	win.pid = fork();
	if (!win.pid) {
		execl("/bin/true", "true", (char *)NULL);
		_exit(127);
	}
	assert_int_equal(waitid(P_PID, (id_t)win.pid, &info, WEXITED | WNOWAIT), 0);
	win.end_ns = lt_now_ns();
	win.ended = true;
	getrusage(RUSAGE_CHILDREN, &win.usage);

	const struct metric *metrics = m->metrics;
	size_t n = m->list ? m->list(inst, &metrics) : m->n_metrics;
	LT_AUTO_FREE struct value *values = calloc(n + 1, sizeof(*values));
	assert_non_null(values);
	m->read(inst, place, &win, values);
	waitpid(win.pid, NULL, 0);
	for (size_t i = 0; i < n; i++)
		check_value(&metrics[i], &values[i]);
}

static void values_are_sound(void **state)
{
	(void)state;
	LT_AUTO_CLOSE int root = open("/", O_PATH | O_DIRECTORY | O_CLOEXEC);
	struct lt_arena arena = { 0 };
	struct meter_place place = { .root_fd = root, .launcher = getpid(), .arena = &arena };
	for (const struct meter *const *m = meter_table; *m; m++) {
		struct lt_err err = { 0 };
		if (!((*m)->use & METER_USE_TRIAL) || ((*m)->use & METER_USE_EVIDENCE) ||
			meter_probe(*m, &place).state == VALUE_UNAVAILABLE)
			continue;
		LT_AUTO_FREE void *inst = calloc(1, (*m)->inst_size + 1);
		assert_non_null(inst);
		int r = (*m)->open ? (*m)->open(inst, &place, NULL, &err) : 0;
		if (r == 0)
			measure(*m, inst, &place);
		else
			owes(r < 0 && err.text[0], (*m)->name, "an error text where open fails");
		if ((*m)->close)
			(*m)->close(inst);
	}
	lt_arena_done(&arena);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(descriptors_are_complete),
		cmocka_unit_test(metrics_are_complete),
		cmocka_unit_test(missing_has_a_reason),
		cmocka_unit_test(values_are_sound),
	};
	return cmocka_run_group_tests(tests, NULL, NULL);
}
