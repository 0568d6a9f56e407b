# SPDX-License-Identifier: GPL-2.0-or-later
"""Programs that leave others behind, become daemons or move away: counted, named, ended."""

import os

import leat

# Leaves argv[1] sleeping children and ends.
LEAVE = r"""
#include <stdlib.h>
#include <unistd.h>
int main(int argc, char **argv)
{
	for (int i = 0; i < atoi(argv[1]); i++)
		if (fork() == 0) {
			pause();
			_exit(0);
		}
	return 0;
}
"""

# A daemon by the book: fork, setsid, fork, descriptors to the null device.
DAEMON = r"""
#include <fcntl.h>
#include <sys/prctl.h>
#include <unistd.h>
int main(void)
{
	prctl(PR_SET_NAME, "mydaemon");
	if (fork())
		_exit(0);
	setsid();
	if (fork())
		_exit(0);
	chdir("/");
	int fd = open("/dev/null", O_RDWR);
	for (int i = 0; i < 3; i++)
		dup2(fd, i);
	for (;;)
		pause();
}
"""


class Leaving(leat.Case):
    def test_a_child_left_running_is_told_and_ended(self):  # T3
        for line in ("sleep 60 & sleep 0.2", "(sleep 60 &) ; sleep 0.2"):
            record = self.record("run", "-n", "2", "--", "sh", "-c", line)
            for trial in record["trials"]:
                self.assertEqual(trial["outcome"]["left"], 1)
                self.assertEqual(trial["outcome"]["left_name"], "sleep")
                self.assertIn("left-children", trial["outcome"]["notes"])
                self.assertLess(trial["readings"]["wall"], 10e9)
            told = leat.finding(record, "left-children")
            self.assertEqual((told["num"][:2], told["name"]), ([2, 1], "sleep"))
        text = self.ok("run", "-n", "1", "--", "sh", "-c", "sleep 60 & sleep 0.1").out
        self.assertRegex(text, "1 run left")
        self.assertRegex(text, r"--descendants\s+wait")

    def test_dash_that_takes_the_ampersand_for_a_background_job_is_seen_through(self):  # T3
        record = self.record("run", "-n", "1", "--shell", "--", "sleep 60 &> f")
        self.path("f")
        self.assertEqual(record["trials"][0]["outcome"]["left"], 1)

    def test_descendants_wait_times_the_last_of_them(self):
        record = self.record(
            "run", "-n", "2", "--descendants", "wait", "--",
            "sh", "-c", "(sleep 0.1; sleep 0.1) & sleep 0.05 & exit 0",
        )
        for trial in record["trials"]:
            self.assertEqual(trial["outcome"]["left"], 0)
            self.assertGreaterEqual(trial["readings"]["wall"], 0.2e9)
        self.assertIsNone(leat.finding(record, "left-children"))

    def test_descendants_wait_waits_for_a_daemon_too(self):
        record = self.record(
            "run", "-n", "1", "--descendants", "wait", "--",
            "sh", "-c", "setsid sh -c 'sleep 0.2' & exit 0",
        )
        self.assertGreaterEqual(record["trials"][0]["readings"]["wall"], 0.2e9)

    def test_waiting_for_descendants_that_never_end_stops_at_the_timeout(self):
        record = self.record(
            "run", "-n", "1", "--descendants", "wait", "--timeout", "0.3", "--",
            "sh", "-c", "sleep 100 &", code=leat.PROGRAM,
        )
        self.assertEqual(record["trials"][0]["outcome"]["kind"], "timeout")

    def test_a_daemon_is_called_a_daemon_and_ended(self):
        record = self.record("run", "-n", "2", "--", leat.compile_c("daemon", DAEMON))
        for trial in record["trials"]:
            self.assertIn("daemon", trial["outcome"]["notes"])
            # the daemon, and perhaps still the process between that made it
            self.assertIn(trial["outcome"]["left"], (1, 2))
            self.assertEqual(trial["outcome"]["left_name"], "mydaemon")
        self.assertIsNotNone(leat.finding(record, "daemon"))
        self.assertIsNone(leat.finding(record, "left-children"), "said twice")

    def test_a_thousand_children_are_counted_and_ended(self):
        record = self.record("run", "-n", "1", "--", leat.compile_c("leave", LEAVE), "1009")
        self.assertEqual(record["trials"][0]["outcome"]["left"], 1009)

    def test_ten_thousand_children_are_counted_and_ended(self):
        with open("/proc/sys/kernel/pid_max", encoding="ascii") as file:
            if int(file.read()) < 20000:
                self.skipTest("pid_max does not allow 10,000 processes")
        leave = leat.compile_c("leave-static", LEAVE, static=True)
        record = self.record("run", "-n", "1", "--", leave, "10007", timeout=60)
        self.assertEqual(record["trials"][0]["outcome"]["left"], 10007)

    def test_children_that_keep_forking_are_ended(self):
        hydra = leat.compile_c("hydra", r"""
#include <unistd.h>
int main(void)
{
	if (fork())
		return 0;
	setsid();
	for (;;) {
		if (fork())
			_exit(0);
		usleep(100);
	}
}
""")
        record = self.record("run", "-n", "3", "--", hydra)
        self.assertEqual(leat.outcomes(record), [("exit", 0)] * 3)

    def test_children_that_ignore_every_signal_are_ended(self):
        stubborn = leat.compile_c("stubborn", leat.STUBBORN)
        record = self.record("run", "-n", "1", "--", "sh", "-c", f"setsid {stubborn} & exit 0")
        self.assertEqual(record["trials"][0]["outcome"]["left"], 1)

    def test_a_child_that_holds_stdout_open_does_not_hold_leat(self):
        for mode in ("pipe", "file"):
            record = self.record(
                "run", "-n", "2", "--stdout", mode, "--", "sh", "-c", "echo a; sleep 60 & exit 0"
            )
            self.assertLess(record["plan"]["wall_ns"], 10e9)
            self.assertEqual(record["trials"][0]["outcome"]["left"], 1)

    def test_children_that_ended_before_the_program_are_not_left(self):
        record = self.record("run", "-n", "1", "--", "sh", "-c", "true & (true &) ; sleep 0.1")
        self.assertEqual(record["trials"][0]["outcome"]["left"], 0)
        self.assertEqual(record["trials"][0]["outcome"]["notes"], [])

    def test_the_leftovers_of_one_run_are_gone_before_the_next(self):
        record = self.record("run", "-n", "3", "--", "sh", "-c", "sleep 60 & sleep 60 &")
        self.assertEqual([t["outcome"]["left"] for t in record["trials"]], [2, 2, 2])


class Moving(leat.Case):
    def test_a_program_that_changes_its_group_is_told_and_still_ended(self):
        mover = leat.compile_c("mover", r"""
#include <stdlib.h>
#include <sys/wait.h>
#include <unistd.h>
int main(int argc, char **argv)
{
	pid_t child = fork();
	if (child == 0) {
		for (;;)
			pause();
	}
	setpgid(child, child);
	if (setpgid(0, child) < 0) /* a session leader cannot leave: the group stays */
		;
	if (argc > 1)
		for (;;)
			pause();
	return 0;
}
""")
        record = self.record("run", "-n", "1", "--", mover)
        self.assertEqual(record["trials"][0]["outcome"]["left"], 1)
        record = self.record("run", "-n", "1", "--timeout", "0.2", "--", mover, "hang", code=4)
        self.assertEqual(record["trials"][0]["outcome"]["kind"], "timeout")

    def test_a_program_can_make_a_session_of_its_own(self):
        # setsid(1) forks only when it has to; either way the run is timed to its end.
        record = self.record("run", "-n", "2", "--", "setsid", "--wait", "sleep", "0.1")
        for wall in leat.walls(record):
            self.assertGreaterEqual(wall, 0.1e9)

    def test_exec_of_another_program_is_one_run(self):
        record = self.record("run", "-n", "2", "--", "sh", "-c", "exec sh -c 'exec sleep 0.1'")
        self.assertEqual(leat.outcomes(record), [("exit", 0)] * 2)
        for wall in leat.walls(record):
            self.assertGreaterEqual(wall, 0.1e9)

    def test_a_main_thread_that_ends_before_the_others_is_waited_for(self):
        threads = leat.compile_c("threads", r"""
#include <pthread.h>
#include <unistd.h>
static void *work(void *arg)
{
	usleep(200000);
	_exit(7);
}
int main(void)
{
	pthread_t t;
	pthread_create(&t, 0, work, 0);
	pthread_exit(0);
}
""", "-pthread")
        record = self.record("run", "-n", "1", "--success", "7", "--", threads)
        self.assertEqual(leat.outcomes(record), [("exit", 7)])
        self.assertGreaterEqual(leat.walls(record)[0], 0.2e9)

    def test_a_setuid_program_is_run_like_any_other(self):
        su = next((p for p in ("/bin/su", "/usr/bin/passwd") if os.path.exists(p)), None)
        if not su:
            self.skipTest("no setuid program here")
        record = self.record("run", "-n", "1", "--", su, "--help")
        self.assertEqual(leat.outcomes(record), [("exit", 0)])


if __name__ == "__main__":
    leat.main()
