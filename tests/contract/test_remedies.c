/* SPDX-License-Identifier: GPL-2.0-or-later */
/* The contract of the remedy table: each entry is complete, heals causes that there are,
 * changes something or says why it cannot, and asking it starts nothing that stays. */
#include "contract/contract.h"

#include <fcntl.h>
#include <stdio.h>
#include <stdlib.h>
#include <sys/wait.h>
#include <unistd.h>

#include "remedy/change.h"
#include "remedy/remedy.h"

static const char *const causes[] = { "memory-map-churn", "allocator-lock", "mutex-convoy",
	"condvar-handoff", "serial-section", "false-sharing", "true-sharing", "spin-wait",
	"yield-storm", "memory-bandwidth", "waiting-for-input", "timer-polling", "disk",
	"oversubscribed", "cpu-limit", "foreign-load" };

static bool is_cause(const char *id)
{
	for (size_t i = 0; i < LT_COUNT(causes); i++)
		if (!strcmp(causes[i], id))
			return true;
	return false;
}

static void descriptors_are_complete(void **state)
{
	(void)state;
	assert_non_null(remedy_table[0]);
	for (const struct remedy *const *r = remedy_table; *r; r++) {
		const char *name = (*r)->name;
		owes(is_name(name), name, "a name of lower case and dashes");
		owes(remedy_find(name) == *r, name, "a name that no other remedy has");
		owes(is_line((*r)->brief, 60), name, "a brief of one short line");
		owes(is_prose((*r)->does), name, "what it does, in whole sentences");
		owes(is_prose((*r)->price), name, "its price, in whole sentences");
		owes((*r)->offer, name, "an offer op");
		owes(!(*r)->heals == !strcmp(name, "null"), name, "causes, unless it is null");
		for (const char *const *h = (*r)->heals; h && *h; h++)
			owes(is_cause(*h), name, "ids of causes that there are");
	}
	assert_null(remedy_find("no-such-remedy"));
}

static void check_change(
	const struct remedy *r, const struct remedy_change *c, struct lt_arena *arena)
{
	bool any = c->n_env || c->n_prefix || c->pinned || c->threads;
	const char *text = remedy_change_text(c, arena);
	owes(c->n_env <= REMEDY_ENV_MAX && c->n_prefix <= REMEDY_PREFIX_MAX, r->name,
		"a change within its bounds");
	owes(any == (strcmp(r->name, "null") != 0) || !strcmp(r->name, "fewer-threads"), r->name,
		"a change, unless it is null");
	owes(any == (text != NULL), r->name, "words for what it changes");
	owes(!c->pinned || lt_cpuset_count(&c->pin) > 0, r->name, "a CPU to run on");
	owes(!c->preload || c->preload[0] == '/', r->name, "the path of what it preloads");
	for (size_t i = 0; i < c->n_env; i++)
		owes(strchr(c->env[i], '=') > c->env[i], r->name, "variables of NAME=VALUE");
}

/* On this machine with and without a program, and on one that has nothing at all. */
static void each_changes_something_or_says_why(void **state)
{
	(void)state;
	char empty[] = "/tmp/leat-contract-XXXXXX";
	assert_non_null(mkdtemp(empty));
	const struct {
		const char *root, *program;
		unsigned threads;
	} places[] = { { "/", NULL, 0 }, { "/", "/bin/true", 2 }, { "/", "/bin/sh", 1 },
		{ empty, NULL, 4 } };
	for (size_t i = 0; i < LT_COUNT(places); i++) {
		LT_AUTO_CLOSE int root = open(places[i].root, O_PATH | O_DIRECTORY | O_CLOEXEC);
		struct lt_arena arena = { 0 };
		struct lt_cpuset allowed;
		struct remedy_place place;
		struct lt_err err = { 0 };
		assert_int_equal(lt_cpuset_allowed(&allowed, &err), 0);
		assert_int_equal(
			remedy_place_open(&place, root, &arena, &allowed, places[i].program, &err),
			0);
		place.threads = places[i].threads;
		for (const struct remedy *const *r = remedy_table; *r; r++) {
			struct remedy_change change = { 0 };
			struct remedy_offer offer = (*r)->offer(&place, &change);
			if (offer.state == REMEDY_READY)
				check_change(*r, &change, &arena);
			else
				owes(offer.reason && offer.reason[0], (*r)->name,
					"a reason where it cannot be tried");
		}
		assert_false(arena.failed);
		lt_arena_done(&arena);
	}
	rmdir(empty);
	assert_true(waitpid(-1, NULL, WNOHANG) < 0); /* nobody is left */
}

/* As the sweep gives it: what is not known of the program is not held against it. */
static void null_is_always_ready_and_changes_nothing(void **state)
{
	(void)state;
	struct remedy_change change;
	memset(&change, 0xff, sizeof(change));
	const struct remedy *null = remedy_find("null");
	assert_non_null(null);
	assert_int_equal(null->offer(NULL, &change).state, REMEDY_READY);
	static const struct remedy_change nothing;
	assert_memory_equal(&change, &nothing, sizeof(change));
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(descriptors_are_complete),
		cmocka_unit_test(each_changes_something_or_says_why),
		cmocka_unit_test(null_is_always_ready_and_changes_nothing),
	};
	return cmocka_run_group_tests(tests, NULL, NULL);
}
