/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Remedies on real programs: one that churns memory, dynamic, static and setuid, and some that
 * remedies break. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include <sched.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>

#include "helpers/remedy_result.h"
#include "run/sweep.h"
#include "run/sweep_remedies.h"

/* A sanitizer is an allocator of its own, which nothing here replaces. */
#if defined(__SANITIZE_ADDRESS__) || defined(__SANITIZE_THREAD__)
#define SANITIZED true
#else
#define SANITIZED false
#endif

static struct lt_cpuset cpus;

static struct record *heal(const char *program, const char *what, const char *list)
{
	static char threads[] = "{threads}";
	char *words[] = { strdup(program), threads, strdup(what), NULL };
	struct sweep_opts opts = {
		.words = words, .threads = "1,2", .run = { .n = 2, .seed = 1 }, .even_busy = true
	};
	struct remedies_opts remedies = { .list = list, .pairs_max = 8 };
	struct lt_err err = { 0 };
	SWEEP_AUTO struct sweep *s = NULL;
	sched_setaffinity(0, sizeof(cpus.bits), (cpu_set_t *)cpus.bits); /* the last one stayed */
	if (sweep_open(&s, &opts, NULL, &err) < 0 || sweep_time(s, &err) < 0 ||
		sweep_remedies(s, &remedies, &err) < 0 || sweep_finish(s, &err) < 0)
		fail_msg("%s", err.text);
	struct record *rec = sweep_take_record(s);
	if (record_check(rec, &err) < 0)
		fail_msg("%s", err.text);
	free(words[0]);
	free(words[2]);
	return rec;
}

static const struct remedy_result *best_of(const struct record *rec)
{
	for (size_t i = 0; i < rec->n_remedies; i++)
		if (rec->remedies[i].best)
			return &rec->remedies[i];
	return NULL;
}

static bool is_ready(const struct remedy_result *r)
{
	return r->verdict != REMEDY_NOT_TRIED;
}

static void churn_is_healed_and_the_curve_follows(void **state)
{
	(void)state;
	LT_AUTO_RECORD struct record *rec = heal(REMEDY_LOAD, "churns", "glibc-keep,jemalloc");
	const struct remedy_result *r = remedy_result(rec, "glibc-keep"), *best = best_of(rec);
	assert_int_equal(r->verdict, REMEDY_HELPS);
	assert_true(r->n == 8 && r->p_holm < 0.05 && r->ratio.lo > 1.02);
	assert_true(r->ratio.value.num > 3); /* ten and more on a quiet machine */
	assert_true(value_known(r->peak) && value_known(r->peak_without));
	assert_non_null(best);
	assert_non_null(strstr(best->change, "="));
	assert_false(remedy_result(rec, "null")->best); /* by chance it may look faster */
	if (is_ready(remedy_result(rec, "jemalloc")))   /* its library showed in the maps */
		assert_true(remedy_result(rec, "jemalloc")->verdict == REMEDY_HELPS ||
			remedy_result(rec, "jemalloc")->verdict == REMEDY_DROPPED);
	/* before and after, at both thread counts */
	unsigned after = 0, before = 0;
	for (size_t i = 0; i < rec->n_curve; i++) {
		const struct curve_point *p = &rec->curve[i];
		after += p->remedy && !strcmp(p->remedy, best->name) && p->n > 0;
		before += !p->remedy && p->n > 0;
	}
	assert_int_equal(before, 2);
	assert_int_equal(after, 2);
}

/* Nothing can be preloaded into a static program, but it reads the tunables. */
static void static_program_ignores_preloads_and_heeds_tunables(void **state)
{
	(void)state;
	LT_AUTO_RECORD struct record *rec =
		heal(REMEDY_LOAD_STATIC, "churns", "glibc-keep,jemalloc,tcmalloc");
	assert_int_equal(remedy_result(rec, "jemalloc")->verdict, REMEDY_IGNORED);
	assert_non_null(strstr(remedy_result(rec, "jemalloc")->reason, "statically linked"));
	assert_int_equal(remedy_result(rec, "tcmalloc")->verdict, REMEDY_IGNORED);
	assert_int_equal(remedy_result(rec, "glibc-keep")->verdict, REMEDY_HELPS);
}

static void setuid_program_ignores_both(void **state)
{
	(void)state;
	char path[] = "/tmp/leat-setuid-XXXXXX", command[512];
	int fd = mkstemp(path);
	assert_true(fd >= 0);
	close(fd);
	snprintf(command, sizeof(command), "cp %s %s", REMEDY_LOAD, path);
	assert_int_equal(system(command), 0);
	if (chown(path, 65534, (gid_t)-1) < 0 || chmod(path, 04755) < 0) {
		unlink(path);
		print_message("skipped: cannot make a setuid program\n");
		skip();
	}
	LT_AUTO_RECORD struct record *rec = heal(path, "churns", "glibc-keep,jemalloc");
	unlink(path);
	static const char *const names[] = { "glibc-keep", "jemalloc" };
	for (size_t i = 0; i < LT_COUNT(names); i++) {
		assert_int_equal(remedy_result(rec, names[i])->verdict, REMEDY_IGNORED);
		assert_non_null(strstr(remedy_result(rec, names[i])->reason, "setuid"));
	}
	assert_null(best_of(rec));
}

static void what_a_remedy_breaks_is_said(void **state)
{
	(void)state;
	static const struct {
		const char *what, *says;
	} cases[] = { { "dies", "SIGABRT" }, { "fails", "exit code 3" },
		{ "says", "writes something else" } };
	for (size_t i = 0; i < LT_COUNT(cases); i++) {
		LT_AUTO_RECORD struct record *rec =
			heal(REMEDY_LOAD, cases[i].what, "glibc-keep,tcmalloc");
		assert_int_equal(remedy_result(rec, "glibc-keep")->verdict, REMEDY_BROKEN);
		assert_non_null(strstr(remedy_result(rec, "glibc-keep")->reason, cases[i].says));
		if (is_ready(remedy_result(rec, "tcmalloc")))
			assert_int_equal(remedy_result(rec, "tcmalloc")->verdict, REMEDY_BROKEN);
		assert_null(best_of(rec));
		assert_false(rec->partial); /* a broken remedy does not end the sweep */
	}
}

static void nothing_helps_what_only_computes(void **state)
{
	(void)state;
	LT_AUTO_RECORD struct record *rec = heal(REMEDY_LOAD, "computes", "glibc-keep,tcmalloc");
	assert_null(best_of(rec));
	for (size_t i = 0; i < rec->n_remedies; i++)
		assert_int_not_equal(rec->remedies[i].verdict, REMEDY_HELPS);
}

static void one_cpu_is_a_pin_for_the_trials_only(void **state)
{
	(void)state;
	LT_AUTO_RECORD struct record *rec = heal(REMEDY_LOAD, "computes", "one-cpu");
	const struct remedy_result *r = remedy_result(rec, "one-cpu");
	if (r->verdict == REMEDY_NOT_TRIED) {
		print_message("skipped: %s\n", r->reason);
		skip();
	}
	assert_int_equal(strncmp(r->change, "taskset -c ", 11), 0);
	assert_int_not_equal(r->verdict, REMEDY_HELPS); /* two threads that need two CPUs */
	int cores = record_metric(rec, "cores");
	unsigned pinned = 0;
	assert_true(cores >= 0);
	for (size_t i = 0; i < rec->n_trials; i++) {
		const struct trial *t = &rec->trials[i];
		const char *remedy = rec->variants[t->variant].remedy;
		if (!remedy || strcmp(remedy, "one-cpu") != 0)
			continue;
		pinned++;
		assert_true(t->readings[cores].num < 1.1); /* whatever the machine does beside it */
	}
	assert_true(pinned > 0);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(churn_is_healed_and_the_curve_follows),
		cmocka_unit_test(static_program_ignores_preloads_and_heeds_tunables),
		cmocka_unit_test(setuid_program_ignores_both),
		cmocka_unit_test(what_a_remedy_breaks_is_said),
		cmocka_unit_test(nothing_helps_what_only_computes),
		cmocka_unit_test(one_cpu_is_a_pin_for_the_trials_only),
	};
	if (SANITIZED) {
		print_message("skipped: a sanitizer's allocator cannot be replaced\n");
		return 77;
	}
	lt_cpuset_allowed(&cpus, NULL);
	return cmocka_run_group_tests(tests, NULL, NULL);
}
