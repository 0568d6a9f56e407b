/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Library calls by their names: exported ones, internal ones, those of C++ and OpenMP. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <cmocka.h>

#include "cause/entry.h"

static void names_are_known_with_and_without_their_trimmings(void **state)
{
	(void)state;
	static const struct {
		const char *name;
		enum cause_entry entry;
	} cases[] = {
		{ "pthread_mutex_lock", CAUSE_ENTRY_MUTEX },
		{ "___pthread_mutex_lock", CAUSE_ENTRY_MUTEX },
		{ "__lll_lock_wait_private", CAUSE_ENTRY_MUTEX },
		{ "pthread_mutex_timedlock", CAUSE_ENTRY_TIMED },
		{ "pthread_cond_wait@@GLIBC_2.3.2", CAUSE_ENTRY_CONDITION },
		{ "pthread_cond_clockwait", CAUSE_ENTRY_TIMED },
		{ "___pthread_cond_timedwait64", CAUSE_ENTRY_TIMED },
		{ "std::condition_variable::wait", CAUSE_ENTRY_CONDITION },
		{ "__new_sem_wait_slow64.constprop.0", CAUSE_ENTRY_SEMAPHORE },
		{ "__pthread_rwlock_wrlock_full64", CAUSE_ENTRY_RWLOCK },
		{ "_int_malloc", CAUSE_ENTRY_ALLOCATOR },
		{ "__libc_malloc", CAUSE_ENTRY_ALLOCATOR },
		{ "operator new", CAUSE_ENTRY_ALLOCATOR },
		{ "GOMP_critical_start", CAUSE_ENTRY_MUTEX },
		{ "gomp_team_barrier_wait_end", CAUSE_ENTRY_RUNTIME },
		{ "sched_yield", CAUSE_ENTRY_YIELD },
		{ "_IO_fgets", CAUSE_ENTRY_STDIO },
		{ "freeze", CAUSE_ENTRY_NONE },
		{ "malloced", CAUSE_ENTRY_NONE },
		{ "memset", CAUSE_ENTRY_NONE },
		{ "", CAUSE_ENTRY_NONE },
	};
	for (size_t i = 0; i < sizeof(cases) / sizeof(cases[0]); i++)
		if (cause_entry_named(cases[i].name) != cases[i].entry)
			fail_msg("'%s' is %d", cases[i].name, cause_entry_named(cases[i].name));
}

static enum cause_entry entry_of(const struct evidence_frame *frames, size_t n, unsigned call)
{
	struct evidence_site site = { (struct evidence_frame *)frames, n, call };
	return cause_entry_of(&site);
}

/* A wait for a condition takes its lock again at the end; that is still the same wait. */
static void the_outermost_call_counts(void **state)
{
	(void)state;
	static const struct evidence_frame frames[] = {
		{ .object = "libc.so.6", .function = "__lll_lock_wait" },
		{ .object = "libc.so.6", .function = "__pthread_mutex_cond_lock" },
		{ .object = "libc.so.6", .function = "pthread_cond_wait" },
		{ .object = "prog", .function = "take" },
	};
	assert_int_equal(entry_of(frames, 4, 3), CAUSE_ENTRY_CONDITION);
	assert_int_equal(entry_of(frames, 2, 2), CAUSE_ENTRY_MUTEX);
}

static void what_a_program_calls_its_functions_says_nothing(void **state)
{
	(void)state;
	static const struct evidence_frame frames[] = {
		{ .object = "prog", .function = "malloc_test" },
		{ .object = "prog", .function = "sched_yield" },
	};
	assert_int_equal(entry_of(frames, 2, 0), CAUSE_ENTRY_NONE);
	assert_int_equal(cause_entry_of(NULL), CAUSE_ENTRY_NONE);
}

static void a_runtime_without_names_is_known_by_its_file(void **state)
{
	(void)state;
	static const struct evidence_frame frames[] = {
		{ .object = "libgomp.so.1.0.0" },
		{ .object = "prog", .function = "main._omp_fn.0" },
	};
	assert_int_equal(entry_of(frames, 2, 1), CAUSE_ENTRY_RUNTIME);
	assert_int_equal(entry_of(frames, 1, 1), CAUSE_ENTRY_RUNTIME);
	/* The runtime's critical section is the program's lock. */
	static const struct evidence_frame critical[] = {
		{ .object = "libgomp.so.1.0.0", .function = "gomp_mutex_lock_slow" },
		{ .object = "libgomp.so.1.0.0", .function = "GOMP_critical_start" },
		{ .object = "prog", .function = "main._omp_fn.0" },
	};
	assert_int_equal(entry_of(critical, 3, 2), CAUSE_ENTRY_MUTEX);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(names_are_known_with_and_without_their_trimmings),
		cmocka_unit_test(the_outermost_call_counts),
		cmocka_unit_test(what_a_program_calls_its_functions_says_nothing),
		cmocka_unit_test(a_runtime_without_names_is_known_by_its_file),
	};
	return cmocka_run_group_tests(tests, NULL, NULL);
}
