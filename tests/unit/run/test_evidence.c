/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Programs that do one known thing, looked at by each means there is: the thing is named, with
 * its line. All claims hold on a busy machine, too: threads need not run at once. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <signal.h>
#include <stdio.h>
#include <string.h>
#include <sys/prctl.h>

#include <cmocka.h>

#include "helpers/nobody.h"
#include "run/evidence.h"
#include "unit/run/trial_rig.h"

static struct evidence ev; /* of the last run */

/* The best means allowed. */
static enum evidence_tier tier;

static void observe(const char *const *argv)
{
	static char *none[] = { NULL };
	static const struct run_opts opts = { .timeout_ns = 30000000000 };
	struct run_command cmd = { .argv = (char *const *)argv, .path = argv[0] };
	struct evidence_opts how = { .variant = 3, .threads = 2, .best = tier };
	struct lt_err err = { 0 };
	struct trial_run t = trial_rig_run(&opts, none);
	if (evidence_run(&t, &cmd, &how, &arena, &ev, &err) < 0 || trial_run_end(&t, &err) < 0)
		fail_msg("%s", err.text);
	assert_int_equal(ev.variant, 3);
	assert_int_equal(ev.threads, 2);
}

static void observe_load(const char *suffix, const char *what, const char *ms)
{
	char path[512];
	snprintf(path, sizeof(path), "%s%s", EVIDENCE_LOAD, suffix);
	const char *argv[] = { path, what, "2", ms, NULL };
	observe(argv);
}

/* The line of the load's source that ends in this comment. */
static unsigned line_of(const char *what)
{
	char mark[64], text[256];
	snprintf(mark, sizeof(mark), "/* here: %s */", what);
	FILE *f = fopen(EVIDENCE_LOAD_SOURCE, "re");
	assert_non_null(f);
	unsigned line = 0, found = 0;
	while (fgets(text, sizeof(text), f)) {
		line++;
		if (strstr(text, mark))
			found = line;
	}
	fclose(f);
	assert_true(found);
	return found;
}

static const struct evidence_frame *call_of(int site)
{
	if (site < 0)
		return NULL;
	assert_true((size_t)site < ev.n_sites);
	const struct evidence_site *s = &ev.sites[site];
	return s->call < s->n_frames ? &s->frames[s->call] : NULL;
}

static bool is_here(int site, const char *what)
{
	const struct evidence_frame *f = call_of(site);
	return f && f->line == line_of(what) && f->file && strstr(f->file, "evidence_load.c");
}

static bool is_in(int site, const char *function)
{
	const struct evidence_frame *f = call_of(site);
	return f && f->function && !strcmp(f->function, function);
}

static const struct evidence_group *group_named(const char *name)
{
	for (size_t i = 0; i < ev.n_groups; i++)
		if (!strcmp(ev.groups[i].name, name))
			return &ev.groups[i];
	for (size_t i = 0; i < ev.n_groups; i++)
		print_error("group %s of %s: %u threads\n", ev.groups[i].name, ev.groups[i].process,
			ev.groups[i].threads);
	fail_msg("no group is named '%s'", name);
	return NULL;
}

/* All waits of this kind at the line; the longest one is in *ret. */
static double waited_ns(enum evidence_op op, const char *what, const struct evidence_wait **ret)
{
	double ns = 0;
	for (size_t i = ev.n_waits; i-- > 0;)
		if (ev.waits[i].op == op && is_here(ev.waits[i].site, what)) {
			ns += ev.waits[i].total_ns;
			*ret = &ev.waits[i];
		}
	return ns;
}

/* Time on the CPU of this kind at the line. */
static struct evidence_sample sampled(enum evidence_op op, const char *what)
{
	struct evidence_sample sum = { 0 };
	for (size_t i = 0; i < ev.n_samples; i++) {
		const struct evidence_sample *s = &ev.samples[i];
		if (s->op != op || !is_here(s->site, what))
			continue;
		sum.ns += s->ns;
		sum.frozen_ns += s->frozen_ns;
		sum.locked_ns += s->locked_ns;
		sum.entry_ns += s->entry_ns;
		sum.fresh_ns += s->fresh_ns;
	}
	return sum;
}

static bool has(enum evidence_fact fact)
{
	return ev.sources[fact].tier != EVIDENCE_NONE;
}

/* Each fact was had by some means, or says why not. */
static void check_sources(void)
{
	for (int i = 0; i < EVIDENCE_FACTS; i++) {
		const struct evidence_source *s = &ev.sources[i];
		assert_true(s->tier == EVIDENCE_NONE ? s->reason && !s->how : s->how != NULL);
	}
}

static void a_contended_mutex_is_named(void)
{
	const struct evidence_wait *w = NULL;
	observe_load("", "wait", "400");
	check_sources();
	double ns = waited_ns(EVIDENCE_OP_LOCK, "wait", &w);
	assert_true(ns > 0.2 * ev.elapsed_ns);
	assert_string_equal(w->detail, "mutex");
	assert_string_equal(w->syscall, "futex");
	assert_true(w->key);
	assert_true(w->count > 20 && w->count < 600); /* 2 ms each, of at most 0.8 s */
	const struct evidence_group *g = group_named("work_wait");
	assert_int_equal(g->threads, 2);
	assert_int_equal(ev.groups[w->group].threads, 2);
}

static void sleeping_is_told_from_waiting(void)
{
	const struct evidence_wait *w = NULL;
	double ns = 0;
	/* On a busy machine they sleep less often, as they wait for a CPU in between. */
	for (int tries = 0; tries < 5 && !(w && w->count > 50); tries++) {
		w = NULL;
		observe_load("", "sleep", "300");
		ns = waited_ns(EVIDENCE_OP_SLEEP, "sleep", &w);
	}
	assert_non_null(w);
	assert_true(ns > 0.8 * ev.groups[w->group].blocked_ns.num);
	assert_true(w->count > 50 && w->count < 700);
	assert_int_equal(w->threads, 2);
}

static void a_condition_variable_is_named(void)
{
	const struct evidence_wait *w = NULL;
	/* On a busy machine they may never be asked while they wait. */
	for (int tries = 0; !w && tries < 5; tries++) {
		observe_load("", "condition", "300");
		waited_ns(EVIDENCE_OP_CONDITION, "condition", &w);
	}
	assert_non_null(w);
	assert_true(!strcmp(w->detail, "filled") || !strcmp(w->detail, "emptied"));
}

static bool calls(int site, const char *part)
{
	const struct evidence_site *s = &ev.sites[site];
	const char *callee = s->call > 0 ? s->frames[s->call - 1].function : NULL;
	return callee && strstr(callee, part);
}

/* Waiting and waking are told apart by their own calls, though one line has them all. */
static void calls_of_one_line_are_told_apart(void)
{
	double waited = 0, woke = 0, signalled = 0;
	for (int tries = 0; waited == 0 && tries < 5; tries++) {
		observe_load("", "macro", "300");
		for (size_t i = 0; i < ev.n_waits; i++) {
			const struct evidence_wait *w = &ev.waits[i];
			if (w->op != EVIDENCE_OP_CONDITION || !is_here(w->site, "macro"))
				continue;
			assert_true(calls(w->site, "cond_wait"));
			waited += w->total_ns;
		}
		for (size_t i = 0; i < ev.n_samples; i++) {
			const struct evidence_sample *w = &ev.samples[i];
			if (w->op != EVIDENCE_OP_WAKE || !is_here(w->site, "macro"))
				continue;
			woke += w->ns;
			signalled += calls(w->site, "cond_signal") ? w->ns : 0;
		}
	}
	assert_true(waited > 0);
	assert_true(woke == 0 || signalled > 0);
}

static void a_barrier_is_no_lock(void)
{
	const struct evidence_wait *w = NULL;
	for (int tries = 0; !w && tries < 30; tries++) {
		observe_load("", "serial", "0");
		waited_ns(EVIDENCE_OP_BARRIER, "barrier", &w);
	}
	assert_non_null(w);
	assert_string_equal(w->detail, "barrier");
}

static void reading_a_pipe_is_named(void)
{
	const struct evidence_wait *w = NULL;
	observe_load("", "pipe", "300");
	assert_true(waited_ns(EVIDENCE_OP_READ, "pipe", &w) > 0.8 * ev.elapsed_ns);
	assert_string_equal(w->detail, "pipe");
	assert_int_equal(ev.processes, 3);
	assert_int_equal(group_named("children")->threads, 2);
}

/* Facts that need samples: with perf closed they say so instead. */
static bool sampling(void)
{
	if (tier == EVIDENCE_PROC) {
		assert_int_equal(ev.n_samples, 0);
		assert_int_equal(ev.sources[EVIDENCE_SAMPLES].tier, EVIDENCE_NONE);
		assert_non_null(ev.sources[EVIDENCE_SAMPLES].reason);
		return false;
	}
	assert_true(has(EVIDENCE_SAMPLES));
	return true;
}

static void a_line_with_two_writers_is_found(void)
{
	observe_load("", "sharing", "300");
	if (!sampling())
		return;
	assert_true(ev.n_lines > 0);
	const struct evidence_line *line = &ev.lines[0];
	assert_true(line->share > 0.8);
	assert_int_equal(line->threads, 2);
	assert_int_equal(line->writers, 2);
	assert_false(line->overlap);
	assert_string_equal(line->symbol, "shared");
	assert_int_equal(line->symbol_off, 64); /* behind one other line */
	unsigned offsets = 0;
	for (size_t i = 0; i < line->n_accesses; i++) {
		assert_true(line->accesses[i].offset == 0 || line->accesses[i].offset == 8);
		offsets |= 1u << line->accesses[i].offset;
		assert_true(is_in(line->accesses[i].site, "work_sharing"));
	}
	assert_int_equal(offsets, 1 | 1 << 8);
}

static void the_allocation_of_a_line_is_found(void)
{
	observe_load("", "heap", "300");
	if (!sampling())
		return;
	assert_true(ev.n_lines > 0);
	const struct evidence_line *line = &ev.lines[0];
	assert_true(line->share > 0.8);
	assert_null(line->symbol);
	assert_true(is_here(line->allocated, "allocated"));
	assert_true(is_in(line->allocated, "make_counters"));
	assert_int_equal(ev.outcome.kind, OUTCOME_EXIT);
	/* A program without a dynamic linker takes no notice. */
	observe_load("-static", "heap", "300");
	assert_true(ev.n_lines > 0);
	assert_int_equal(ev.lines[0].allocated, -1);
}

static void lines_of_their_own_are_not(void)
{
	observe_load("", "padded", "300");
	if (!sampling())
		return;
	for (size_t i = 0; i < ev.n_lines; i++)
		assert_true(ev.lines[i].share < 0.05);
}

static void a_lock_word_is_a_line_with_overlap(void)
{
	observe_load("", "lock", "300");
	if (!sampling())
		return;
	assert_true(ev.n_lines > 0);
	assert_true(ev.lines[0].overlap);
	assert_true(ev.lines[0].locked > 0.3 * ev.lines[0].n);
	assert_string_equal(ev.lines[0].symbol, "mutex");
	assert_true(sampled(EVIDENCE_OP_USER, "lock").locked_ns > 0);
}

static void spinning_is_frozen_and_computing_is_not(void)
{
	observe_load("", "spin", "300");
	if (!sampling())
		return;
	struct evidence_sample spin = sampled(EVIDENCE_OP_USER, "spin");
	struct evidence_sample compute = sampled(EVIDENCE_OP_USER, "compute");
	assert_true(spin.ns > 5e6 && compute.ns > 5e6);
	assert_true(spin.frozen_ns > 0.7 * spin.ns);
	assert_true(compute.frozen_ns < 0.05 * compute.ns);
}

static void yields_are_seen_in_the_kernel_or_behind_it(void)
{
	observe_load("", "yield", "300");
	if (!sampling())
		return;
	double ns = sampled(EVIDENCE_OP_USER, "yield").entry_ns;
	if (has(EVIDENCE_KERNEL))
		ns += sampled(EVIDENCE_OP_YIELD, "yield").ns;
	assert_true(ns > 0);
	bool named = false;
	for (size_t i = 0; i < ev.n_samples; i++)
		named |= ev.samples[i].syscall && !strcmp(ev.samples[i].syscall, "sched_yield");
	assert_true(named);
}

static void page_faults_have_a_line(void)
{
	observe_load("", "churn", "300");
	if (!sampling())
		return;
	assert_true(has(EVIDENCE_FAULTS) && ev.n_faults > 0);
	assert_true(is_in(ev.faults[0].site, "work_churn"));
	double all = ev.minor_faults.num + ev.major_faults.num;
	assert_true(ev.faults[0].n > 0.5 * all && ev.faults[0].n < 1.5 * all);
	double ns = 0;
	for (size_t i = 0; i < ev.n_samples; i++)
		if (ev.samples[i].op == EVIDENCE_OP_FAULT)
			ns += ev.samples[i].ns;
	assert_true(!has(EVIDENCE_KERNEL) || ns > 0.2 * ev.sys_ns.num);
	/* the two have the same memory after one another: none of it is shared */
	for (size_t i = 0; i < ev.n_lines; i++)
		assert_false(ev.lines[i].share > 0.1 && ev.lines[i].overlap);
	struct evidence_sample use = sampled(EVIDENCE_OP_USER, "churn");
	assert_true(use.fresh_ns <= use.ns);
}

/* Each thread runs, queues or is blocked from its birth to its end. */
static void the_times_of_a_thread_add_up(void)
{
	double sum = 0; /* but its end, which takes long now and then, is not in switch records */
	for (int tries = 0; !(sum > 0.9 * ev.elapsed_ns) && tries < 5; tries++) {
		observe_load("", "wait", "400");
		const struct evidence_group *g = group_named("main");
		sum = g->run_ns.num + g->queue_ns.num + g->blocked_ns.num;
		assert_true(sum < 1.1 * ev.elapsed_ns);
	}
	assert_true(sum > 0.9 * ev.elapsed_ns);
	double blocked = 0, waits = 0;
	for (size_t i = 0; i < ev.n_groups; i++)
		blocked += ev.groups[i].blocked_ns.num + ev.groups[i].queue_ns.num;
	for (size_t i = 0; i < ev.n_waits; i++)
		waits += ev.waits[i].total_ns;
	assert_true(waits > 0.9 * blocked && waits < 1.05 * blocked);
}

static void cores_in_use_add_up_to_the_time(void)
{
	observe_load("", "compute", "300");
	if (!has(EVIDENCE_CORES)) {
		assert_int_equal(tier, EVIDENCE_PROC);
		return;
	}
	double all = 0, busy = 0;
	for (size_t i = 0; i < ev.n_cores; i++) {
		all += ev.cores[i].ns;
		busy += (double)i * ev.cores[i].ns;
	}
	assert_true(all > 0.99 * ev.elapsed_ns && all < 1.01 * ev.elapsed_ns);
	double cpu = ev.user_ns.num + ev.sys_ns.num;
	/* A hypervisor may take the CPU from under a thread that has it. */
	assert_true(busy > 0.85 * cpu);
	assert_true(busy < 1.5 * cpu + 50e6);
	assert_true(ev.n_cores <= 1 + ev.cpus);
}

static void a_static_program_tells_its_lines(void)
{
	const struct evidence_wait *w = NULL;
	observe_load("-static", "wait", "300");
	assert_true(waited_ns(EVIDENCE_OP_LOCK, "wait", &w) > 0.2 * ev.elapsed_ns);
}

/* Code with frame pointers, whose chain procfs does not tell all of. */
static void a_plain_build_tells_where_threads_began(void)
{
	const struct evidence_wait *w = NULL;
	observe_load("-plain", "wait", "300");
	assert_true(waited_ns(EVIDENCE_OP_LOCK, "wait", &w) > 0.2 * ev.elapsed_ns);
	assert_string_equal(ev.groups[w->group].start, "work_wait");
	assert_int_equal(ev.groups[w->group].threads, 2);
}

static void threads_with_a_mangled_start_are_one_group(void)
{
	observe_load("-nodebug", "plus", "300");
	const struct evidence_group *g = group_named("Worker::run");
	assert_int_equal(g->threads, 2);
}

static void a_stripped_program_gives_addresses_and_says_why(void)
{
	observe_load("-stripped", "wait", "300");
	double ns = 0;
	for (size_t i = 0; i < ev.n_waits; i++)
		if (ev.waits[i].op == EVIDENCE_OP_LOCK && ev.waits[i].site >= 0)
			ns += ev.waits[i].total_ns;
	assert_true(ns > 0.2 * ev.elapsed_ns);
	assert_true(ev.n_sites > 0);
	for (size_t i = 0; i < ev.n_sites; i++) {
		assert_non_null(ev.sites[i].frames[0].object);
		assert_true(ev.sites[i].frames[0].offset);
	}
	assert_non_null(ev.sources[EVIDENCE_SITES].reason);
	assert_string_equal(ev.sources[EVIDENCE_SITES].hint, "compile it with -g");
}

static void a_crash_is_an_outcome(void)
{
	observe_load("", "crash", "0");
	assert_int_equal(ev.outcome.kind, OUTCOME_SIGNAL);
	assert_int_equal(ev.outcome.code, SIGSEGV);
	check_sources();
}

static void a_program_of_no_length_is_no_trouble(void)
{
	const char *argv[] = { "/bin/true", NULL };
	observe(argv);
	assert_int_equal(ev.outcome.kind, OUTCOME_EXIT);
	assert_true(ev.elapsed_ns > 0);
	check_sources();
}

static void programs_of_a_script_are_told_apart(void)
{
	char script[700];
	snprintf(script, sizeof(script), "%s compute 1 100; %s wait 2 100; exit 7", EVIDENCE_LOAD,
		EVIDENCE_LOAD);
	const char *argv[] = { "/bin/sh", "-c", script, NULL };
	observe(argv);
	assert_int_equal(ev.outcome.code, 7);
	if (!sampling()) /* too short to be met */
		return;
	assert_true(ev.processes >= 3);
	assert_int_equal(group_named("work_wait")->threads, 2);
	assert_string_equal(group_named("work_wait")->process, "evidence-load");
}

/* By the best means there is, and where even perf is closed; nobody's is in between. */
static void by_all_means(void (*claim)(void))
{
	static const enum evidence_tier tiers[] = { EVIDENCE_NONE, EVIDENCE_PROC };
	assert_int_equal(trial_rig_open(NULL), 0);
	for (size_t i = 0; i < LT_COUNT(tiers); i++) {
		tier = tiers[i];
		claim();
	}
	trial_rig_close(NULL);
}

/* The same in a child that has given up root for good. */
static void as_nobody(void (*claim)(void))
{
	pid_t pid = nobody_fork();
	if (pid == 0) {
		prctl(PR_SET_DUMPABLE, 1); /* as after exec: its descriptors are its own again */
		assert_int_equal(trial_rig_open(NULL), 0);
		tier = EVIDENCE_NONE;
		claim();
		assert_true(ev.sources[EVIDENCE_WAITS].tier < EVIDENCE_PROBE);
		assert_non_null(ev.sources[EVIDENCE_WAITS].reason);
		trial_rig_close(NULL);
		_exit(0);
	}
	nobody_succeeds(pid);
}

#define CLAIM(name)                           \
	static void test_##name(void **state) \
	{                                     \
		(void)state;                  \
		by_all_means(name);           \
		as_nobody(name);              \
	}
CLAIM(a_contended_mutex_is_named)
CLAIM(sleeping_is_told_from_waiting)
CLAIM(a_condition_variable_is_named)
CLAIM(calls_of_one_line_are_told_apart)
CLAIM(a_barrier_is_no_lock)
CLAIM(reading_a_pipe_is_named)
CLAIM(a_line_with_two_writers_is_found)
CLAIM(the_allocation_of_a_line_is_found)
CLAIM(lines_of_their_own_are_not)
CLAIM(a_lock_word_is_a_line_with_overlap)
CLAIM(spinning_is_frozen_and_computing_is_not)
CLAIM(yields_are_seen_in_the_kernel_or_behind_it)
CLAIM(page_faults_have_a_line)
CLAIM(the_times_of_a_thread_add_up)
CLAIM(cores_in_use_add_up_to_the_time)
CLAIM(a_static_program_tells_its_lines)
CLAIM(a_plain_build_tells_where_threads_began)
CLAIM(threads_with_a_mangled_start_are_one_group)
CLAIM(a_stripped_program_gives_addresses_and_says_why)
CLAIM(a_crash_is_an_outcome)
CLAIM(a_program_of_no_length_is_no_trouble)
CLAIM(programs_of_a_script_are_told_apart)

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(test_a_contended_mutex_is_named),
		cmocka_unit_test(test_sleeping_is_told_from_waiting),
		cmocka_unit_test(test_a_condition_variable_is_named),
		cmocka_unit_test(test_calls_of_one_line_are_told_apart),
		cmocka_unit_test(test_a_barrier_is_no_lock),
		cmocka_unit_test(test_reading_a_pipe_is_named),
		cmocka_unit_test(test_a_line_with_two_writers_is_found),
		cmocka_unit_test(test_the_allocation_of_a_line_is_found),
		cmocka_unit_test(test_lines_of_their_own_are_not),
		cmocka_unit_test(test_a_lock_word_is_a_line_with_overlap),
		cmocka_unit_test(test_spinning_is_frozen_and_computing_is_not),
		cmocka_unit_test(test_yields_are_seen_in_the_kernel_or_behind_it),
		cmocka_unit_test(test_page_faults_have_a_line),
		cmocka_unit_test(test_the_times_of_a_thread_add_up),
		cmocka_unit_test(test_cores_in_use_add_up_to_the_time),
		cmocka_unit_test(test_a_static_program_tells_its_lines),
		cmocka_unit_test(test_a_plain_build_tells_where_threads_began),
		cmocka_unit_test(test_threads_with_a_mangled_start_are_one_group),
		cmocka_unit_test(test_a_stripped_program_gives_addresses_and_says_why),
		cmocka_unit_test(test_a_crash_is_an_outcome),
		cmocka_unit_test(test_a_program_of_no_length_is_no_trouble),
		cmocka_unit_test(test_programs_of_a_script_are_told_apart),
	};
	return cmocka_run_group_tests(tests, NULL, NULL);
}
