/* SPDX-License-Identifier: GPL-2.0-or-later */
/* What remedies offer: checked against a loader's words and a program's nature, both made up
 * here. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include <fcntl.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "helpers/test_arena.h"
#include "remedy/change.h"
#include "remedy/remedy.h"
#include "remedy/tunables.h"

static const char tunables[] =
	"glibc.rtld.nns: 0x4 (min: 0x1, max: 0x10)\n"
	"glibc.malloc.trim_threshold: 0x0 (min: 0x0, max: 0xffffffffffffffff)\n"
	"glibc.cpu.x86_ibt:\n"
	"glibc.malloc.mmap_max: 0 (min: 0, max: 2147483647)\n"
	"glibc.malloc.tcache_count: 0 (min: 0, max: 64)\n";

static void ranges_are_read_from_the_loaders_list(void **state)
{
	(void)state;
	uint64_t min = 7, max = 7;
	assert_true(tunables_range(tunables, "glibc.rtld.nns", &min, &max));
	assert_int_equal(min, 1);
	assert_int_equal(max, 16);
	assert_true(tunables_range(tunables, "glibc.malloc.trim_threshold", &min, &max));
	assert_int_equal(min, 0);
	assert_true(max == UINT64_MAX);
	assert_false(tunables_range(tunables, "glibc.cpu.x86_ibt", &min, &max)); /* has none */
	assert_false(tunables_range(tunables, "glibc.malloc.mmap", &min, &max)); /* a part */
	assert_false(tunables_range("", "glibc.malloc.mmap_max", &min, &max));
	assert_false(tunables_range(NULL, "glibc.malloc.mmap_max", &min, &max));
}

static struct remedy_place a_place(void)
{
	return (struct remedy_place){ .root_fd = -1, .arena = &arena, .tunables = tunables };
}

static struct remedy_offer ask(
	const char *name, const struct remedy_place *place, struct remedy_change *ret)
{
	memset(ret, 0, sizeof(*ret));
	return remedy_find(name)->offer(place, ret);
}

static void tunables_are_checked_by_name_and_range(void **state)
{
	(void)state;
	struct remedy_change c;
	struct remedy_place place = a_place();
	assert_int_equal(ask("glibc-keep", &place, &c).state, REMEDY_READY);
	assert_int_equal(c.n_env, 1);
	assert_string_equal(c.env[0],
		"GLIBC_TUNABLES=glibc.malloc.mmap_max=0:glibc.malloc.trim_threshold=1073741824");
	struct remedy_offer offer = ask("glibc-threshold", &place, &c); /* not in the list */
	assert_int_equal(offer.state, REMEDY_MISSING);
	assert_non_null(strstr(offer.reason, "glibc.malloc.mmap_threshold"));
	offer = ask("glibc-tcache", &place, &c); /* beyond its range */
	assert_int_equal(offer.state, REMEDY_MISSING);
	assert_non_null(strstr(offer.reason, "from 0 to 64 here, not 127"));
	place.tunables = NULL;
	place.tunables_why = "no answer";
	assert_string_equal(ask("glibc-keep", &place, &c).reason, "no answer");
}

static const char *write_file(const char *text)
{
	static char path[] = "/tmp/leat-remedy-XXXXXX";
	memset(path + sizeof(path) - 7, 'X', 6);
	int fd = mkstemp(path);
	assert_true(fd >= 0);
	assert_int_equal(write(fd, text, strlen(text)), strlen(text));
	close(fd);
	return path;
}

static void variables_have_to_be_read_by_somebody(void **state)
{
	(void)state;
	struct remedy_change c;
	struct remedy_place place = a_place();
	assert_int_equal(ask("omp-close", &place, &c).state, REMEDY_READY); /* no program known */
	place.program = write_file("a program that reads OMP_WAIT_POLICY and no other");
	assert_int_equal(ask("omp-passive", &place, &c).state, REMEDY_READY);
	assert_int_equal(c.n_env, 3);
	struct remedy_offer offer = ask("omp-close", &place, &c);
	assert_int_equal(offer.state, REMEDY_UNHEARD);
	assert_non_null(strstr(offer.reason, "OMP_PROC_BIND"));
	unlink(place.program);
	/* or by a library that the running program maps */
	const char *maps[] = { write_file("a library that reads OMP_PROC_BIND") };
	place.program = "/dev/null";
	place.maps = maps;
	place.n_maps = 1;
	assert_int_equal(ask("omp-close", &place, &c).state, REMEDY_READY);
	unlink(maps[0]);
}

static void each_openmp_remedy_sets_what_it_says(void **state)
{
	(void)state;
	static const struct {
		const char *name, *text;
	} cases[] = { { "omp-close", "OMP_PROC_BIND=close OMP_PLACES=cores" },
		{ "omp-spread", "OMP_PROC_BIND=spread OMP_PLACES=cores" },
		{ "omp-active", "OMP_WAIT_POLICY=active KMP_BLOCKTIME=infinite" } };
	struct remedy_place place = a_place();
	for (size_t i = 0; i < LT_COUNT(cases); i++) {
		struct remedy_change c;
		assert_int_equal(ask(cases[i].name, &place, &c).state, REMEDY_READY);
		assert_string_equal(remedy_change_text(&c, &arena), cases[i].text);
	}
}

/* "always [madvise] never": the kernel's switch in sysfs. */
static void huge_pages_need_a_kernel_that_gives_them(void **state)
{
	(void)state;
	struct remedy_change c;
	static const char list[] = "glibc.malloc.hugetlb: 0x0 (min: 0x0, max: 0xff)\n";
	struct remedy_place place = { .arena = &arena, .tunables = list };
	char root[] = "/tmp/leat-huge-XXXXXX", path[128];
	assert_non_null(mkdtemp(root));
	LT_AUTO_CLOSE int fd = open(root, O_PATH | O_DIRECTORY | O_CLOEXEC);
	place.root_fd = fd;
	struct remedy_offer offer = ask("glibc-hugepages", &place, &c);
	assert_int_equal(offer.state, REMEDY_MISSING); /* no such file */

	snprintf(path, sizeof(path), "mkdir -p %s/sys/kernel/mm/transparent_hugepage", root);
	assert_int_equal(system(path), 0);
	static const struct {
		const char *mode;
		enum remedy_state state;
	} modes[] = { { "always [madvise] never", REMEDY_READY },
		{ "[always] madvise never", REMEDY_READY },
		{ "always madvise [never]", REMEDY_MISSING } };
	for (size_t i = 0; i < LT_COUNT(modes); i++) {
		snprintf(path, sizeof(path), "%s/sys/kernel/mm/transparent_hugepage/enabled", root);
		FILE *f = fopen(path, "w");
		assert_non_null(f);
		fprintf(f, "%s\n", modes[i].mode);
		fclose(f);
		assert_int_equal(ask("glibc-hugepages", &place, &c).state, modes[i].state);
	}
	snprintf(path, sizeof(path), "rm -r %s", root);
	assert_int_equal(system(path), 0);
}

static void variables_that_carry_the_threads_are_left_alone(void **state)
{
	(void)state;
	struct remedy_change c;
	struct remedy_place place = a_place();
	assert_int_equal(ask("omp-single", &place, &c).state, REMEDY_READY);
	place.threads_by_env = true;
	assert_int_equal(ask("omp-single", &place, &c).state, REMEDY_POINTLESS);
	assert_int_equal(ask("blas-single", &place, &c).state, REMEDY_POINTLESS);
}

static const char *const preloads[] = { "tbbmalloc", "jemalloc", "jemalloc-oversize", "mimalloc",
	"tcmalloc" };

static void static_and_setuid_programs_ignore_preloads(void **state)
{
	(void)state;
	struct remedy_change c;
	struct remedy_place place = a_place();
	place.program = "/bin/true";
	place.loader = "/nonesuch";
	for (size_t i = 0; i < LT_COUNT(preloads); i++) {
		place.file = (struct sys_program){ .kind = SYS_PROGRAM_STATIC };
		struct remedy_offer offer = ask(preloads[i], &place, &c);
		assert_int_equal(offer.state, REMEDY_UNHEARD);
		assert_non_null(strstr(offer.reason, "statically linked"));
		place.file.go = true;
		assert_non_null(strstr(ask(preloads[i], &place, &c).reason, "Go"));
		place.file =
			(struct sys_program){ .kind = SYS_PROGRAM_DYNAMIC, .privileged = true };
		offer = ask(preloads[i], &place, &c);
		assert_int_equal(offer.state, REMEDY_UNHEARD);
		assert_non_null(strstr(offer.reason, "setuid"));
		place.file.privileged = false;
		assert_int_equal(ask(preloads[i], &place, &c).state, REMEDY_MISSING);
	}
	place.file = (struct sys_program){ .kind = SYS_PROGRAM_DYNAMIC, .privileged = true };
	assert_non_null(strstr(ask("glibc-keep", &place, &c).reason, "setuid"));
	assert_int_equal(ask("glibc-keep", &place, &c).state, REMEDY_UNHEARD);
}

/* A static program with glibc in it reads the tunables all the same. */
static void static_programs_heed_tunables_they_speak_of(void **state)
{
	(void)state;
	struct remedy_change c;
	struct remedy_place place = a_place();
	place.file = (struct sys_program){ .kind = SYS_PROGRAM_STATIC };
	place.program = write_file("...GLIBC_TUNABLES...");
	assert_int_equal(ask("glibc-keep", &place, &c).state, REMEDY_READY);
	unlink(place.program);
	place.program = write_file("another C library");
	assert_int_equal(ask("glibc-keep", &place, &c).state, REMEDY_UNHEARD);
	place.file.go = true;
	assert_non_null(strstr(ask("glibc-keep", &place, &c).reason, "Go"));
	unlink(place.program);
}

static void preloads_that_are_installed_name_their_file(void **state)
{
	(void)state;
	unsigned ready = 0;
	struct remedy_place place;
	struct lt_cpuset cpus;
	assert_int_equal(lt_cpuset_allowed(&cpus, NULL), 0);
	LT_AUTO_CLOSE int root = open("/", O_PATH | O_DIRECTORY | O_CLOEXEC);
	assert_int_equal(remedy_place_open(&place, root, &arena, &cpus, "/bin/true", NULL), 0);
	for (size_t i = 0; i < LT_COUNT(preloads); i++) {
		struct remedy_change c;
		struct remedy_offer offer = ask(preloads[i], &place, &c);
		if (offer.state != REMEDY_READY) {
			assert_non_null(strstr(offer.reason, "is not installed"));
			assert_non_null(strstr(offer.hint, "package"));
			continue;
		}
		ready++;
		assert_int_equal(access(c.preload, R_OK), 0);
		assert_int_equal(strncmp(c.env[0], "LD_PRELOAD=lib", 14), 0);
	}
	if (!ready) {
		print_message("skipped: none of the allocators is installed\n");
		exit(77);
	}
}

static void fewer_threads_must_be_able_to_do_the_same(void **state)
{
	(void)state;
	struct remedy_change c;
	struct remedy_place place = a_place();
	place.threads = 8;
	assert_int_equal(ask("fewer-threads", &place, &c).state, REMEDY_READY);
	assert_int_equal(c.threads, 4);
	place.threads_best = 2;
	assert_int_equal(ask("fewer-threads", &place, &c).state, REMEDY_READY);
	assert_int_equal(c.threads, 2);
	place.threads_best = 8;
	assert_int_equal(ask("fewer-threads", &place, &c).state, REMEDY_POINTLESS);
	place.threads_best = 0;
	place.grows = true;
	assert_int_equal(ask("fewer-threads", &place, &c).state, REMEDY_POINTLESS);
	place = a_place();
	place.threads = 1;
	assert_int_equal(ask("fewer-threads", &place, &c).state, REMEDY_POINTLESS);
}

static void only_what_can_help_is_tried_for_a_cause(void **state)
{
	(void)state;
	assert_true(remedy_heals(remedy_find("tcmalloc"), "memory-map-churn"));
	assert_false(remedy_heals(remedy_find("tcmalloc"), "mutex-convoy"));
	assert_true(remedy_heals(remedy_find("one-cpu"), "mutex-convoy"));
	for (const struct remedy *const *r = remedy_table; *r; r++) {
		static const char *const hopeless[] = { "serial-section", "waiting-for-input",
			"timer-polling", "disk", "cpu-limit", "foreign-load", "unknown" };
		for (size_t i = 0; i < LT_COUNT(hopeless); i++)
			assert_false(remedy_heals(*r, hopeless[i]));
	}
}

static void change_is_put_into_words_to_copy(void **state)
{
	(void)state;
	struct remedy_change c = { .env = { "A=1", "B=2" }, .n_env = 2, .pinned = true };
	lt_cpuset_parse(&c.pin, "0-2,5", NULL);
	assert_string_equal(remedy_change_text(&c, &arena), "A=1 B=2 taskset -c 0-2,5");
	c = (struct remedy_change){ .prefix = { "/usr/bin/numactl", "--interleave=all" },
		.n_prefix = 2 };
	assert_string_equal(remedy_change_text(&c, &arena), "numactl --interleave=all");
	c = (struct remedy_change){ .threads = 1 };
	assert_string_equal(remedy_change_text(&c, &arena), "1 thread");
	c = (struct remedy_change){ 0 };
	assert_null(remedy_change_text(&c, &arena));
}

static void lists_that_are_set_already_are_joined(void **state)
{
	(void)state;
	const char *had[] = { "LD_PRELOAD=theirs.so", "GLIBC_TUNABLES=glibc.a.b=1",
		"MALLOC_CONF=", "OMP_PLACES=threads", "LD_PRELOAD=last.so" };
	const char *ret[REMEDY_ENV_MAX];
	struct remedy_change c = { .env = { "LD_PRELOAD=ours.so", "GLIBC_TUNABLES=glibc.c.d=2",
					   "MALLOC_CONF=x:0", "OMP_PLACES=cores" },
		.n_env = 4 };
	assert_int_equal(remedy_change_env(&c, had, LT_COUNT(had), &arena, ret, NULL), 0);
	assert_string_equal(ret[0], "LD_PRELOAD=ours.so:last.so");
	assert_string_equal(ret[1], "GLIBC_TUNABLES=glibc.a.b=1:glibc.c.d=2");
	assert_string_equal(ret[2], "MALLOC_CONF=x:0");
	assert_string_equal(ret[3], "OMP_PLACES=cores");
	assert_int_equal(remedy_change_env(&c, NULL, 0, &arena, ret, NULL), 0);
	assert_string_equal(ret[0], "LD_PRELOAD=ours.so");
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(ranges_are_read_from_the_loaders_list),
		cmocka_unit_test(tunables_are_checked_by_name_and_range),
		cmocka_unit_test(variables_have_to_be_read_by_somebody),
		cmocka_unit_test(each_openmp_remedy_sets_what_it_says),
		cmocka_unit_test(huge_pages_need_a_kernel_that_gives_them),
		cmocka_unit_test(variables_that_carry_the_threads_are_left_alone),
		cmocka_unit_test(static_and_setuid_programs_ignore_preloads),
		cmocka_unit_test(static_programs_heed_tunables_they_speak_of),
		cmocka_unit_test(fewer_threads_must_be_able_to_do_the_same),
		cmocka_unit_test(only_what_can_help_is_tried_for_a_cause),
		cmocka_unit_test(change_is_put_into_words_to_copy),
		cmocka_unit_test(lists_that_are_set_already_are_joined),
		cmocka_unit_test(preloads_that_are_installed_name_their_file),
	};
	return cmocka_run_group_tests(tests, NULL, arena_end);
}
