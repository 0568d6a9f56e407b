/* SPDX-License-Identifier: GPL-2.0-or-later */
/* What a launched program finds: three descriptors, its own session, the signals and the
 * limits it would have had without us; and what comes back about how it went. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <fcntl.h>
#include <poll.h>
#include <signal.h>
#include <stdio.h>
#include <string.h>
#include <sys/stat.h>
#include <sys/syscall.h>
#include <sys/wait.h>
#include <time.h>

#include <cmocka.h>

#include "base/buf.h"
#include "base/clock.h"
#include "run/launch.h"
#include "sys/procfs.h"

static struct launcher l = LAUNCHER_NONE;
static int null_fd = -1, out_fd = -1, root_fd = -1;

static int open_all(void **state)
{
	(void)state;
	struct lt_err err = { 0 };
	null_fd = open("/dev/null", O_RDWR | O_CLOEXEC);
	out_fd = open("/tmp", O_TMPFILE | O_RDWR | O_CLOEXEC, 0600);
	root_fd = open("/", O_PATH | O_CLOEXEC);
	return null_fd < 0 || out_fd < 0 || root_fd < 0 || launcher_open(&l, &err) < 0 ? -1 : 0;
}

static int close_all(void **state)
{
	(void)state;
	launcher_close(&l);
	close(null_fd);
	close(out_fd);
	close(root_fd);
	return waitpid(-1, NULL, WNOHANG) < 0 && errno == ECHILD ? 0 : -1;
}

static void hear(struct launch_reply *ret)
{
	struct pollfd on = { .fd = l.fd, .events = POLLIN };
	if (poll(&on, 1, 20000) != 1)
		fail_msg("the launcher says nothing");
	assert_int_equal(launcher_hear(&l, ret, NULL), 0);
}

/* Starts it with the null device for stdin and the file for stdout and stderr. */
static void start(struct launch_command *cmd)
{
	struct lt_err err = { 0 };
	static char *none[] = { NULL };
	cmd->fds[0] = null_fd;
	cmd->fds[1] = cmd->fds[2] = out_fd;
	if (!cmd->path)
		cmd->path = cmd->argv[0];
	if (!cmd->envp)
		cmd->envp = none;
	if (ftruncate(out_fd, 0) < 0 || lseek(out_fd, 0, SEEK_SET) < 0)
		fail_msg("the file cannot be emptied");
	if (launcher_start(&l, cmd, &err) < 0)
		fail_msg("%s", err.text);
}

static struct launch_reply run(struct launch_command *cmd)
{
	struct launch_reply rep;
	start(cmd);
	hear(&rep);
	return rep;
}

static struct launch_reply run_shell(const char *script, uint32_t flags)
{
	const char *argv[] = { "/bin/sh", "-c", script, NULL };
	struct launch_command cmd = { .argv = (char *const *)argv, .flags = flags };
	struct launch_reply rep = run(&cmd);
	assert_int_equal(rep.said, LAUNCH_SAID_EXITED);
	return rep;
}

static void start_shell(const char *script)
{
	const char *argv[] = { "/bin/sh", "-c", script, NULL };
	struct launch_command cmd = { .argv = (char *const *)argv, .flags = LAUNCH_SESSION };
	start(&cmd);
}

static void end_tree(void)
{
	struct launch_reply rep;
	assert_int_equal(launcher_end(&l, NULL), 0);
	hear(&rep);
	assert_int_equal(rep.said, LAUNCH_SAID_CLEAN);
}

static const char *output(void)
{
	static char text[8192];
	ssize_t got = pread(out_fd, text, sizeof(text) - 1, 0);
	text[got < 0 ? 0 : got] = '\0';
	return text;
}

static off_t output_size(void)
{
	struct stat st;
	return fstat(out_fd, &st) == 0 ? st.st_size : -1;
}

/* Waits until the program has written something. */
static void await_output(void)
{
	for (int i = 0; i < 5000 && output_size() == 0; i++)
		nanosleep(&(struct timespec){ .tv_nsec = 1000000 }, NULL);
	assert_true(output_size() > 0);
}

static int count_one(void *ctx, pid_t pid)
{
	struct sys_stat st;
	if (sys_stat(root_fd, pid, &st) == 0 && st.state != 'Z')
		++*(int *)ctx;
	return 0;
}

/* Running descendants of the launcher. */
static int descendants(void)
{
	int n = 0;
	assert_int_equal(sys_for_descendants(root_fd, l.pid, count_one, &n), 0);
	return n;
}

static void it_ends_as_it_ends(void **state)
{
	(void)state;
	struct launch_reply rep = run_shell("exit 42", 0);
	assert_int_equal(rep.how, CLD_EXITED);
	assert_int_equal(rep.status, 42);
	assert_true(rep.begin_ns > 0 && rep.end_ns > rep.begin_ns);
	assert_true(lt_now_ns() >= rep.end_ns);
	rep = run_shell("kill -USR1 $$", 0);
	assert_int_equal(rep.how, CLD_KILLED);
	assert_int_equal(rep.status, SIGUSR1);
	rep = run_shell("exit 0", 0);
	assert_int_equal(rep.how, CLD_EXITED);
	assert_int_equal(rep.status, 0);
}

static void it_sees_three_descriptors_and_no_more(void **state)
{
	(void)state;
	run_shell("i=0; while [ $i -lt 100 ]; do [ -e /proc/$$/fd/$i ] && echo $i; "
		  "i=$((i+1)); done",
		LAUNCH_SESSION);
	assert_string_equal(output(), "0\n1\n2\n");
}

/* The value behind "NAME:" in a status file. */
static unsigned long long mask_of(const char *status, const char *name)
{
	const char *at = strstr(status, name);
	assert_non_null(at);
	return strtoull(at + strlen(name) + 1, NULL, 16);
}

static void its_signals_are_as_asked(void **state)
{
	(void)state;
	char own[8192] = "";
	LT_AUTO_CLOSE int fd = open("/proc/self/status", O_RDONLY | O_CLOEXEC);
	assert_true(read(fd, own, sizeof(own) - 1) > 0);
	const uint64_t masks[] = { 0, UINT64_C(1) << (SIGUSR2 - 1),
		UINT64_C(1) << (SIGRTMAX - 1) | UINT64_C(1) << (SIGINT - 1) };
	for (size_t i = 0; i < LT_COUNT(masks); i++) {
		const char *argv[] = { "/bin/cat", "/proc/self/status", NULL };
		struct launch_command cmd = { .argv = (char *const *)argv, .sigmask = masks[i] };
		run(&cmd);
		assert_true(mask_of(output(), "SigBlk") == masks[i]);
		assert_true(mask_of(output(), "SigIgn") == mask_of(own, "SigIgn"));
		assert_true(mask_of(output(), "SigCgt") == 0);
	}
}

static void what_we_ignore_it_ignores(void **state)
{
	(void)state;
	launcher_close(&l);
	signal(SIGHUP, SIG_IGN); /* as nohup(1) does */
	assert_int_equal(launcher_open(&l, NULL), 0);
	signal(SIGHUP, SIG_DFL);
	const char *argv[] = { "/bin/cat", "/proc/self/status", NULL };
	struct launch_command cmd = { .argv = (char *const *)argv };
	run(&cmd);
	assert_true(mask_of(output(), "SigIgn") & 1);
}

static void a_session_is_its_own_when_asked(void **state)
{
	(void)state;
	const char *argv[] = { "/bin/cat", "/proc/self/stat", NULL };
	for (uint32_t flags = 0; flags <= LAUNCH_SESSION; flags++) {
		struct launch_command cmd = { .argv = (char *const *)argv, .flags = flags };
		struct launch_reply rep = run(&cmd);
		int pid, ppid, pgrp, session;
		assert_int_equal(
			sscanf(output(), "%d (cat) R %d %d %d", &pid, &ppid, &pgrp, &session), 4);
		assert_int_equal(pid, rep.pid);
		assert_int_equal(ppid, l.pid);
		assert_int_equal(pgrp, flags ? pid : getpgrp());
		assert_int_equal(session, flags ? pid : getsid(0));
	}
}

static void its_peak_memory_is_its_own(void **state)
{
	(void)state;
	enum {
		GROWN = 64 << 20
	};
	char *grown = malloc(GROWN);
	assert_non_null(grown);
	memset(grown, 1, GROWN);
	struct launch_reply small = run_shell("exit 0", 0);
	assert_in_range(small.usage.maxrss_kib, 100, 8192);
	const char *argv[] = { "/bin/dd", "if=/dev/zero", "of=/dev/null", "bs=40M", "count=1",
		NULL };
	struct launch_command cmd = { .argv = (char *const *)argv };
	struct launch_reply large = run(&cmd);
	assert_in_range(large.usage.maxrss_kib, 40 << 10, 48 << 10);
	free(grown);
}

static void children_it_waited_for_are_in_its_use(void **state)
{
	(void)state;
	struct launch_reply rep = run_shell(
		"(i=0; while [ $i -lt 50000 ]; do i=$((i+1)); done); exit 0", LAUNCH_SESSION);
	assert_true(rep.usage.utime_us > 5000);
	assert_int_equal(rep.orphans.utime_us, 0);
	assert_int_equal(rep.others, 0);
}

static void orphans_that_ended_are_counted_apart(void **state)
{
	(void)state;
	struct launch_reply rep = run_shell("((i=0; while [ $i -lt 50000 ]; do i=$((i+1)); done;"
					    " echo x) & ); while ! [ -s /proc/$$/fd/1 ]; do "
					    "sleep 0.02; done; sleep 0.05",
		LAUNCH_SESSION);
	assert_true(rep.orphans.utime_us + rep.orphans.stime_us > 5000);
	assert_int_equal(rep.others, 0);
}

static void not_one_of_many_orphans_is_missed(void **state)
{
	(void)state;
	struct launch_reply rep = run_shell(
		"i=0; while [ $i -lt 300 ]; do (: &); i=$((i+1)); done; sleep 0.3", LAUNCH_SESSION);
	assert_int_equal(rep.others, 0);
	int zombies = 0;
	struct sys_stat st;
	char path[64], list[8192] = "";
	snprintf(path, sizeof(path), "/proc/%d/task/%d/children", (int)l.pid, (int)l.pid);
	LT_AUTO_CLOSE int fd = open(path, O_RDONLY | O_CLOEXEC);
	assert_true(read(fd, list, sizeof(list) - 1) > 0);
	for (char *at = list, *end; *at; at = end) {
		pid_t pid = (pid_t)strtol(at, &end, 10);
		if (end == at)
			break;
		zombies += pid != rep.pid && sys_stat(root_fd, pid, &st) == 0;
	}
	assert_int_equal(zombies, 0);
	/* Each has faulted a page in at least. */
	assert_true(rep.orphans.minflt >= 300);
}

static void what_it_leaves_is_counted_and_ended(void **state)
{
	(void)state;
	struct launch_reply rep =
		run_shell("sleep 100 & sleep 100 & setsid sleep 100 & exit 3", LAUNCH_SESSION);
	assert_int_equal(rep.status, 3);
	assert_int_equal(rep.others, 3);
	assert_int_equal(descendants(), 3);
	end_tree();
	assert_int_equal(descendants(), 0);
}

static void a_start_after_leftovers_is_a_start(void **state)
{
	(void)state;
	run_shell("sleep 100 & exit 0", LAUNCH_SESSION);
	struct launch_reply rep = run_shell("exit 7", LAUNCH_SESSION);
	assert_int_equal(rep.status, 7);
	assert_int_equal(rep.others, 1); /* still there: nobody asked for its end */
	end_tree();
	rep = run_shell("exit 8", LAUNCH_SESSION);
	assert_int_equal(rep.status, 8);
	assert_int_equal(rep.others, 0);
}

static void a_tree_of_hundreds_is_ended(void **state)
{
	(void)state;
	struct launch_reply rep =
		run_shell("i=0; while [ $i -lt 100 ]; do sleep 100 & "
			  "(setsid sh -c 'sleep 100 & sleep 100' &); i=$((i+1)); done",
			LAUNCH_SESSION);
	assert_true(rep.others >= 100);
	end_tree();
	assert_int_equal(descendants(), 0);
}

static void the_window_ends_with_the_last_descendant_when_asked(void **state)
{
	(void)state;
	static const char script[] = "(sleep 0.2; sleep 0.2) & exit 5";
	struct launch_reply rep = run_shell(script, LAUNCH_SESSION | LAUNCH_WAIT);
	assert_true(rep.end_ns - rep.begin_ns >= 400000000);
	assert_int_equal(rep.status, 5);
	assert_int_equal(rep.others, 0);
	rep = run_shell(script, LAUNCH_SESSION);
	assert_int_equal(rep.status, 5);
	assert_true(rep.others > 0);
	end_tree();
}

static void megabytes_of_arguments_arrive(void **state)
{
	(void)state;
	enum {
		WORDS = 15,
		LENGTH = 127000
	};
	char *word = malloc(LENGTH + 1);
	assert_non_null(word);
	memset(word, 'w', LENGTH);
	word[LENGTH] = '\0';
	const char *argv[WORDS + 3] = { "/usr/bin/printf", "%s" };
	for (int i = 0; i < WORDS; i++)
		argv[2 + i] = word;
	struct launch_command cmd = { .argv = (char *const *)argv };
	struct launch_reply rep = run(&cmd);
	assert_int_equal(rep.said, LAUNCH_SAID_EXITED);
	assert_int_equal(rep.status, 0);
	assert_int_equal(output_size(), WORDS * LENGTH);
	/* The next one is a small one again. */
	rep = run_shell("echo small", 0);
	assert_string_equal(output(), "small\n");
	free(word);
}

static void more_than_linux_takes_is_told(void **state)
{
	(void)state;
	size_t len = 200000;
	char *word = malloc(len + 1);
	assert_non_null(word);
	memset(word, 'w', len);
	word[len] = '\0';
	const char *argv[] = { "/usr/bin/printf", "%s", word, NULL };
	struct launch_command cmd = { .argv = (char *const *)argv };
	struct launch_reply rep = run(&cmd);
	assert_int_equal(rep.said, LAUNCH_SAID_NOT_STARTED);
	assert_int_equal(rep.error, E2BIG);
	assert_int_equal(rep.stage, LAUNCH_STAGE_EXEC);
	rep = run_shell("exit 4", 0);
	assert_int_equal(rep.status, 4);
	free(word);
}

static void a_large_environment_arrives(void **state)
{
	(void)state;
	enum {
		VARS = 1000
	};
	static char vars[VARS][100];
	static char *envp[VARS + 1];
	size_t size = 0;
	for (int i = 0; i < VARS; i++) {
		snprintf(vars[i], sizeof(vars[i]), "V%d=%090d", i, i);
		size += strlen(vars[i]) + 1;
		envp[i] = vars[i];
	}
	const char *argv[] = { "/usr/bin/env", NULL };
	struct launch_command cmd = { .argv = (char *const *)argv, .envp = envp };
	run(&cmd);
	assert_int_equal(output_size(), size);
}

static void it_starts_in_its_directory(void **state)
{
	(void)state;
	const char *argv[] = { "/bin/pwd", NULL };
	struct launch_command cmd = { .argv = (char *const *)argv, .cwd = "/usr/bin" };
	run(&cmd);
	assert_string_equal(output(), "/usr/bin\n");
	cmd.cwd = "/nowhere/at/all";
	struct launch_reply rep = run(&cmd);
	assert_int_equal(rep.said, LAUNCH_SAID_NOT_STARTED);
	assert_int_equal(rep.stage, LAUNCH_STAGE_CHDIR);
	assert_int_equal(rep.error, ENOENT);
}

static void what_cannot_be_started_is_told(void **state)
{
	(void)state;
	char script[] = "/tmp/leat-launch-XXXXXX";
	int fd = mkstemp(script);
	assert_true(fd >= 0);
	assert_int_equal(fchmod(fd, 0700), 0);
	assert_int_equal(write(fd, "#!/no/interpreter\n", 18), 18);
	close(fd);
	const char *const paths[] = { script, "/nowhere", "/etc/passwd", "/tmp" };
	static const int errors[] = { ENOENT, ENOENT, EACCES, EACCES };
	for (size_t i = 0; i < LT_COUNT(paths); i++) {
		const char *argv[] = { paths[i], NULL };
		struct launch_command cmd = { .argv = (char *const *)argv };
		struct launch_reply rep = run(&cmd);
		assert_int_equal(rep.said, LAUNCH_SAID_NOT_STARTED);
		assert_int_equal(rep.stage, LAUNCH_STAGE_EXEC);
		assert_int_equal(rep.error, errors[i]);
	}
	unlink(script);
	assert_int_equal(descendants(), 0);
}

static void it_runs_on_the_cpus_asked_for(void **state)
{
	(void)state;
	struct lt_cpuset allowed, one = { 0 };
	assert_int_equal(lt_cpuset_allowed(&allowed, NULL), 0);
	unsigned cpu = 0;
	while (!lt_cpuset_has(&allowed, cpu))
		cpu++;
	lt_cpuset_add(&one, cpu);
	const char *argv[] = { "/bin/grep", "-o", "Cpus_allowed_list.*", "/proc/self/status",
		NULL };
	struct launch_command cmd = { .argv = (char *const *)argv, .pin = &one };
	char want[64];
	run(&cmd);
	snprintf(want, sizeof(want), "Cpus_allowed_list:\t%u\n", cpu);
	assert_string_equal(output(), want);
	struct lt_cpuset none = { 0 };
	cmd.pin = &none;
	struct launch_reply rep = run(&cmd);
	assert_int_equal(rep.said, LAUNCH_SAID_NOT_STARTED);
	assert_int_equal(rep.stage, LAUNCH_STAGE_PIN);
	assert_int_equal(rep.error, EINVAL);
}

static void a_signal_reaches_its_group(void **state)
{
	(void)state;
	struct launch_reply rep;
	start_shell("trap 'exit 9' TERM; (trap '' TERM; echo up; sleep 0.3) & "
		    "while :; do sleep 0.02; done");
	await_output();
	assert_int_equal(launcher_signal(&l, SIGTERM, true, NULL), 0);
	hear(&rep);
	assert_int_equal(rep.how, CLD_EXITED);
	assert_int_equal(rep.status, 9);
	end_tree();
}

static void what_listens_to_nothing_is_killed(void **state)
{
	(void)state;
	struct launch_reply rep;
	start_shell("trap '' TERM INT HUP; echo up; while :; do sleep 0.02; done");
	await_output();
	assert_int_equal(launcher_signal(&l, SIGTERM, true, NULL), 0);
	assert_int_equal(launcher_kill(&l, NULL), 0);
	hear(&rep);
	assert_int_equal(rep.how, CLD_KILLED);
	assert_int_equal(rep.status, SIGKILL);
	end_tree();
}

static void a_kill_does_not_wait_for_descendants(void **state)
{
	(void)state;
	struct launch_reply rep;
	const char *argv[] = { "/bin/sh", "-c", "setsid sleep 100 & echo up; wait", NULL };
	struct launch_command cmd = { .argv = (char *const *)argv,
		.flags = LAUNCH_SESSION | LAUNCH_WAIT };
	start(&cmd);
	await_output();
	assert_int_equal(launcher_kill(&l, NULL), 0);
	hear(&rep);
	assert_int_equal(rep.status, SIGKILL);
	end_tree();
	assert_int_equal(descendants(), 0);
}

static void signals_for_nobody_do_no_harm(void **state)
{
	(void)state;
	assert_int_equal(launcher_signal(&l, SIGTERM, true, NULL), 0);
	assert_int_equal(launcher_kill(&l, NULL), 0);
	end_tree();
	struct launch_reply rep = run_shell("exit 6", 0);
	assert_int_equal(rep.status, 6);
}

static void closing_the_launcher_ends_what_it_runs(void **state)
{
	(void)state;
	start_shell("setsid sleep 100 & echo $$; exec sleep 100");
	await_output();
	pid_t pid = (pid_t)atoi(output());
	assert_int_equal(kill(pid, 0), 0);
	launcher_close(&l);
	assert_int_equal(kill(pid, 0), -1);
	assert_int_equal(errno, ESRCH);
	launcher_close(&l);
}

static void a_launcher_that_was_killed_is_told_and_cleaned_up_after(void **state)
{
	(void)state;
	struct launch_reply rep;
	struct lt_err err = { 0 };
	start_shell("setsid sleep 100 & echo $$; kill -9 $PPID; exec sleep 100");
	await_output();
	assert_true(launcher_hear(&l, &rep, &err) < 0);
	assert_string_equal(err.id, "LT-LAUNCHER");
	assert_true(launcher_start(&l,
			    &(struct launch_command){ .path = "/bin/true",
				    .argv = (char *const[]){ NULL },
				    .envp = (char *const[]){ NULL },
				    .fds = { null_fd, out_fd, out_fd } },
			    &err) < 0);
	pid_t pid = (pid_t)atoi(output());
	launcher_close(&l);
	assert_int_equal(kill(pid, 0), -1);
}

#define LAUNCHED(test) cmocka_unit_test_setup_teardown(test, open_all, close_all)

int main(void)
{
	const struct CMUnitTest tests[] = {
		LAUNCHED(it_ends_as_it_ends),
		LAUNCHED(it_sees_three_descriptors_and_no_more),
		LAUNCHED(its_signals_are_as_asked),
		LAUNCHED(what_we_ignore_it_ignores),
		LAUNCHED(a_session_is_its_own_when_asked),
		LAUNCHED(its_peak_memory_is_its_own),
		LAUNCHED(children_it_waited_for_are_in_its_use),
		LAUNCHED(orphans_that_ended_are_counted_apart),
		LAUNCHED(not_one_of_many_orphans_is_missed),
		LAUNCHED(what_it_leaves_is_counted_and_ended),
		LAUNCHED(a_start_after_leftovers_is_a_start),
		LAUNCHED(a_tree_of_hundreds_is_ended),
		LAUNCHED(the_window_ends_with_the_last_descendant_when_asked),
		LAUNCHED(megabytes_of_arguments_arrive),
		LAUNCHED(more_than_linux_takes_is_told),
		LAUNCHED(a_large_environment_arrives),
		LAUNCHED(it_starts_in_its_directory),
		LAUNCHED(what_cannot_be_started_is_told),
		LAUNCHED(it_runs_on_the_cpus_asked_for),
		LAUNCHED(a_signal_reaches_its_group),
		LAUNCHED(what_listens_to_nothing_is_killed),
		LAUNCHED(a_kill_does_not_wait_for_descendants),
		LAUNCHED(signals_for_nobody_do_no_harm),
		LAUNCHED(closing_the_launcher_ends_what_it_runs),
		LAUNCHED(a_launcher_that_was_killed_is_told_and_cleaned_up_after),
	};
	/* What ctest or a shell left open is not ours to judge. */
	syscall(SYS_close_range, 3u, ~0u, 0u);
	return cmocka_run_group_tests(tests, NULL, NULL);
}
