# SPDX-License-Identifier: MIT
"""leat-router from outside: what it writes depends on its packets alone, and whatever goes wrong is
said, with valid files left behind.

LEAT, LEAT_ROUTER and MAKE_CAPTURE name the binaries."""

import hashlib
import json
import os
import resource
import shutil
import signal
import struct
import subprocess
import tempfile
import time
import unittest

HERE = os.path.dirname(os.path.abspath(__file__))
SOURCE = os.path.dirname(os.path.dirname(HERE))
BUILD = os.path.join(SOURCE, "build-dev")
ROUTER = os.environ.get("LEAT_ROUTER", os.path.join(BUILD, "bin/leat-router"))
LEAT = os.environ.get("LEAT", os.path.join(BUILD, "bin/leat"))
CAPTURE = os.environ.get("MAKE_CAPTURE", os.path.join(BUILD, "tools/make-capture"))

CONFIG = """
[interface eth0]
address = 10.255.0.1/8
side = inside
{eth0}

[interface eth1]
address = 192.0.2.1/24
side = outside
{eth1}

[routes]
route = default 192.0.2.254 eth1

[nat]
address = 192.0.2.7
{nat}

{more}
"""

CLASSES = """
[class voice]
dscp = ef
ports = udp/10000-60000
strict = yes
rate = 30%
burst = 5000

[class web]
ports = tcp/80 tcp/443
weight = 3

[class other]
default = yes
queue = codel
"""

# Where a thread's wall time went, see leat_stats(3).
PARTS = {name + "_ns" for name in ("cpu", "no_cpu", "other", "input", "credit", "pool", "timer",
                                   "turn", "task")}


def config(path, eth0="", eth1="", nat="", more=""):
    with open(path, "w", encoding="ascii") as file:
        file.write(CONFIG.format(eth0=eth0, eth1=eth1, nat=nat, more=more))
    return path


def run(*words, code=0, **kwargs):
    done = subprocess.run([ROUTER, *words], capture_output=True, timeout=100, check=False, **kwargs)
    if done.returncode != code:
        raise AssertionError(f"{words}: exit code {done.returncode}, not {code}\n"
                             f"{done.stdout.decode()}{done.stderr.decode()}")
    return done.stdout.decode(), done.stderr.decode()


def measured(*words, **env):
    """The record of `leat run`."""
    subprocess.run([LEAT, "run", "-n", "2", "--json", "record.json", "--", ROUTER, *words],
                   check=True, capture_output=True, timeout=100, env={**os.environ, **env})
    with open("record.json", encoding="utf-8") as file:
        return json.load(file)


def packets(path):
    """The packets of a classic pcap that must be whole: (time, bytes)."""
    with open(path, "rb") as file:
        data = file.read()
    magic, = struct.unpack_from("<I", data)
    unit = {0xa1b2c3d4: 1000, 0xa1b23c4d: 1}[magic]
    found, at = [], 24
    while at < len(data):
        s, fraction, captured, wire = struct.unpack_from("<IIII", data, at)
        at += 16
        assert captured <= wire and at + captured <= len(data), path
        found.append((s * 10**9 + fraction * unit, data[at:at + captured]))
        at += captured
    return found


def digest(directory):
    """Names and contents of all files."""
    found = {}
    for name in sorted(os.listdir(directory)):
        with open(os.path.join(directory, name), "rb") as file:
            found[name] = hashlib.sha256(file.read()).hexdigest()
    return found


class Case(unittest.TestCase):
    def setUp(self):
        self.dir = tempfile.mkdtemp(prefix="leat-router-test.")
        self.addCleanup(shutil.rmtree, self.dir)
        old = os.getcwd()
        os.chdir(self.dir)
        self.addCleanup(os.chdir, old)

    @staticmethod
    def capture(*words):
        subprocess.run([CAPTURE, *words], check=True, timeout=60)


class TheSamePacketsGiveTheSameOutput(Case):
    def check(self, inputs, conf):
        out, _ = run("-c", conf, *inputs, "-o", "serial", "--serial")
        want = digest("serial")
        variants = [("1",), ("2",), ("4",), ("8",), ("2", "--burst", "1"), ("2", "--burst", "256"),
                    ("2", "--chunk", "1"), ("4", "--chunk", "7", "--tokens", "3"),
                    ("2", "--chunk", "1600", "--tokens", "24"), ("8", "--chunk", "65536")]
        for threads, *more in variants:
            shutil.rmtree("parallel", ignore_errors=True)
            got, _ = run("-c", conf, *inputs, "-o", "parallel", "--threads", threads, *more)
            self.assertEqual(digest("parallel"), want, (threads, more))
            self.assertEqual(got, out)
        for more in (("--chunk", "1"), ("--burst", "1", "--chunk", "999")):
            shutil.rmtree("parallel", ignore_errors=True)
            run("-c", conf, *inputs, "-o", "parallel", "--serial", *more)
            self.assertEqual(digest("parallel"), want, more)

    def test_mapped_independently_of_endpoints(self):
        self.capture("--both", "--external", "192.0.2.7", "-n", "20000", "-f", "500")
        conf = config("r.conf", nat="log = nat.log\nmax-host-mappings = 40")
        self.check(("-i", "eth0.pcap", "-i", "eth1.pcap"), conf)
        self.assertGreater(os.path.getsize("serial/nat.log"), 500)

    def test_symmetric_with_queues(self):
        self.capture("--both", "--external", "192.0.2.7", "-n", "20000", "-f", "500", "-R", "100000")
        conf = config("r.conf", eth1="rate = 100M", eth0="rate = 200M\nmtu = 1000",
                      nat="mapping = symmetric", more=CLASSES)
        self.check(("-i", "eth0.pcap", "-i", "eth1.pcap"), conf)

    def test_short_lives_and_few_ports(self):
        # 1000 packets a second: most flows end by their timers during the capture
        self.capture("--both", "--external", "192.0.2.7", "-n", "10000", "-f", "3000", "--life", "9",
                     "-R", "20")
        self.check(("-i", "eth0.pcap", "-i", "eth1.pcap"), config("r.conf"))


class Forms(Case):
    def test_standard_input_is_read(self):
        self.capture("-n", "3000")
        conf = config("r.conf")
        run("-c", conf, "-i", "eth0.pcap", "-o", "a")
        with open("eth0.pcap", "rb") as file:
            run("-c", conf, "-i", "eth0=-", "-o", "b", stdin=file)
        self.assertEqual(digest("a"), digest("b"))

    def test_text_gives_packets_and_c21_octets_are_decimal(self):
        with open("in.txt", "w", encoding="ascii") as file:
            file.write("eth0 10.230.30.03 104.44.44.10 4003 5003 udp\n"
                       "eth0 10.0.0.08 104.44.44.10 4004 5003 tcp\n")
        out, _ = run("-c", config("r.conf", nat="log = nat.log"), "in.txt", "-o", "out")
        sent = [frame for _, frame in packets("out/eth1.pcap")]
        self.assertEqual(len(sent), 2)
        for frame in sent:
            self.assertEqual(frame[26:34], bytes([192, 0, 2, 7, 104, 44, 44, 10]))
        with open("out/nat.log", encoding="ascii") as file:
            self.assertIn("10.0.0.8", file.read())
        self.assertRegex(out, r"eth0 +2 +0 +2 +0 +0\n")

    def test_pcapng_is_written_when_asked_for(self):
        self.capture("-n", "100")
        run("-c", config("r.conf"), "-i", "eth0.pcap", "-o", "out", "--format", "pcapng")
        with open("out/eth1.pcapng", "rb") as file:
            self.assertEqual(file.read(4), b"\x0a\x0d\x0d\x0a")
        # and read again
        run("-c", config("r.conf"), "-i", "eth0=out/eth1.pcapng", "--drop")

    def test_times_of_packets_that_do_not_wait_are_kept(self):
        self.capture("-n", "2000")
        run("-c", config("r.conf"), "-i", "eth0.pcap", "-o", "out")
        self.assertEqual([t for t, _ in packets("out/eth1.pcap")],
                         [t for t, _ in packets("eth0.pcap")])

    def test_times_are_exact_where_a_finer_clock_comes_later(self):
        self.capture("-n", "2")
        frames = [frame for _, frame in packets("eth0.pcap")]
        clocks, stamps = (6, 9), (1700000000000001, 1700000000000002003)

        def block(kind, body):
            body += bytes(-len(body) % 4)
            return struct.pack("<II", kind, 12 + len(body)) + body + struct.pack("<I", 12 + len(body))

        data = block(0x0A0D0D0A, struct.pack("<IHHq", 0x1A2B3C4D, 1, 0, -1))
        for i, (frame, clock, stamp) in enumerate(zip(frames, clocks, stamps)):
            data += block(1, struct.pack("<HHIHHB3x", 1, 0, 0, 9, 1, clock))
            data += block(6, struct.pack("<IIIII", i, stamp >> 32, stamp & 0xffffffff, len(frame), len(frame)) + frame)
        with open("eth0.pcapng", "wb") as file:
            file.write(data)
        run("-c", config("r.conf"), "-i", "eth0.pcapng", "-o", "out")
        self.assertEqual([t for t, _ in packets("out/eth1.pcap")],
                         [1700000000000001000, 1700000000000002003])

    def test_packets_that_wait_leave_at_the_rate(self):
        self.capture("-n", "2000", "-t", "udp", "-l", "1000", "-R", "1000000")
        out, _ = run("-c", config("r.conf", eth1="rate = 10M"), "-i", "eth0.pcap", "-o", "out")
        times = [t for t, _ in packets("out/eth1.pcap")]
        self.assertGreater(len(times), 100)
        self.assertTrue(all(b - a >= 800000 for a, b in zip(times, times[1:])))
        self.assertIn("queue-full", out)

    def test_drop_writes_nothing(self):
        self.capture("-n", "100")
        out, _ = run("-c", config("r.conf", nat="log = nat.log"), "-i", "eth0.pcap", "--drop")
        self.assertRegex(out, r"all +100 ")
        self.assertEqual(sorted(os.listdir(".")), ["eth0.pcap", "eth1.pcap", "r.conf"]
                         if os.path.exists("eth1.pcap") else ["eth0.pcap", "r.conf"])

    def test_check_shows_what_a_configuration_means(self):
        out, _ = run("--check", "-c", config("r.conf"))
        self.assertIn("udp-timeout = 300s", out)
        with open("again.conf", "w", encoding="ascii") as file:
            file.write(out)
        again, _ = run("--check", "-c", "again.conf")
        self.assertEqual(out.split("\n")[1:], again.split("\n")[1:])

    def test_simulated_work_changes_nothing(self):
        self.capture("-n", "2000")
        conf = config("r.conf")
        run("-c", conf, "-i", "eth0.pcap", "-o", "a")
        run("-c", conf, "-i", "eth0.pcap", "-o", "b", "--work", "queens:5")
        run("-c", conf, "-i", "eth0.pcap", "-o", "c", "--work", "queens:5", "--serial")
        self.assertEqual(digest("a"), digest("b"))
        self.assertEqual(digest("a"), digest("c"))


class Environment(Case):
    """The variables of libleat programs."""

    def workers(self, *words, **env):
        self.capture("-n", "20000")
        record = measured("-c", config("r.conf"), "--drop", "eth0.pcap", *words, **env)
        return record["program"]["pipelines"][0]["workers"]

    def test_threads_are_taken_and_an_option_goes_before(self):
        self.assertEqual(self.workers(LEAT_THREADS="5"), 5)
        self.assertEqual(self.workers("--threads", "2", LEAT_THREADS="5"), 2)

    def test_nothing_of_it_changes_what_is_written(self):
        self.capture("-n", "20000")
        conf = config("r.conf")
        run("-c", conf, "-i", "eth0.pcap", "-o", "a", "--serial")
        for i, (env, words) in enumerate((
                ({"LEAT_BURST": "3", "LEAT_TOKENS": "1", "LEAT_THREADS": "4"}, ()),
                ({"LEAT_TOKENS": "1000", "LEAT_BURST": "1024"}, ("--chunk", "16")),
                ({"LEAT_TOKENS": "1000"}, ("--tokens", "2", "--chunk", "16")),
                ({"LEAT_CHUNK": "7"}, ()), ({"LEAT_CHUNK": "7"}, ("--chunk", "65536")),
                ({"LEAT_THREADS": "", "LEAT_TOKENS": "", "LEAT_BURST": "", "LEAT_CHUNK": ""}, ()))):
            run("-c", conf, "-i", "eth0.pcap", "-o", str(i), *words, env={**os.environ, **env})
            self.assertEqual(digest(str(i)), digest("a"), (env, words))

    def test_what_is_no_number_is_said_with_its_variable_and_a_way_out(self):
        open("empty", "wb").close()
        for name, most in (("THREADS", 1024), ("BURST", 1024), ("TOKENS", 1024), ("CHUNK", 65536)):
            for bad in ("0", "-1", "many", str(most + 1), "9" * 30):
                env = {**os.environ, "LEAT_" + name: bad}
                _, err = run("-c", config("r.conf"), "-i", "empty", "--drop", code=2, env=env)
                self.assertIn(f"LEAT_{name}: '{bad}' is not", err)
                self.assertIn(f"from 1 to {most}", err)
                self.assertIn(f"--{name.lower()}", err)
        self.capture("-n", "10")
        run("-c", config("r.conf"), "-i", "eth0.pcap", "--drop", "--burst", "8",
            env={**os.environ, "LEAT_BURST": "many"})


class Measured(Case):
    """What leat sees of the router without any option."""

    def test_costs_are_per_packet_inside_the_region(self):
        self.capture("-n", "20000")
        for how in ("--serial", "--threads=2"):
            record = measured("-c", config("r.conf"), "--drop", how, "eth0.pcap")
            self.assertEqual(record["plan"]["region"], "router")
            self.assertEqual(record["plan"]["work_unit"], "packet")
            for trial in record["trials"]:
                self.assertEqual(trial["work"], 20000)
            rows = {(row["metric"], row["per_work"]): row for row in record["summaries"]}
            for metric in ("wall", "cpu"):
                whole, each = (rows[metric, per]["center"] for per in (False, True))
                self.assertAlmostEqual(each * 20000 / whole, 1, places=3)
            self.assertGreater(rows["cores", False]["center"], 0)
            program = record["program"]
            self.assertEqual(program["regions"][0]["name"], "router")
            self.assertEqual(program["regions"][0]["times"], 1)
            for thread in program["threads"]:
                parts = sum(value for name, value in thread.items() if name in PARTS)
                self.assertAlmostEqual(parts / thread["wall_ns"], 1, places=2)
            self.assertEqual([(row["name"], row["workers"]) for row in program["pipelines"]],
                             [] if how == "--serial" else [("router", 2)])

    def test_the_example_of_the_readme_translates_every_packet(self):
        self.capture("-n", "20000", "-f", "2000", "--nics", "lan,wan")
        out, _ = run("-c", os.path.join(SOURCE, "examples/small.conf"), "--drop", "lan.pcap")
        self.assertRegex(out, r"wan +0 +0 +0 +0 +20000\n")

    def test_a_sweep_of_burst_reaches_the_router(self):
        self.capture("-n", "2000")
        sweep = [LEAT, "scale", "-n", "2", "--curve", "--even-busy", "--factor"]
        router = ["--", ROUTER, "-c", config("r.conf"), "--drop", "eth0.pcap"]
        done = subprocess.run([*sweep, "burst=8,32", *router], capture_output=True, timeout=100,
                              check=False)
        self.assertEqual(done.returncode, 0, done.stderr)
        self.assertIn(b"LEAT_BURST carried it", done.stdout)
        done = subprocess.run([*sweep, "burst=8,9999", *router], capture_output=True, timeout=100,
                              check=False)
        self.assertIn(b"give\n    LEAT_BURST a number from 1 to 1024", done.stdout + done.stderr)


class Troubles(Case):
    def test_usage(self):
        conf = config("r.conf")
        with open(conf, encoding="ascii") as file, open("dir.conf", "w", encoding="ascii") as other:
            other.write(file.read().replace("[routes]", "[routes]\nfile = /"))
        open("empty", "wb").close()
        for words, said in (
                ((), "no configuration"),
                (("-c", conf), "no input"),
                (("-c", conf, "-i", "empty"), "no output directory"),
                (("-c", "nowhere.conf", "-i", "empty", "-o", "out"), "nowhere.conf"),
                (("-c", conf, "-i", "nowhere.pcap", "-o", "out"), "nowhere.pcap"),
                (("-c", conf, "-i", "eth9=empty", "-o", "out"), "eth9"),
                (("-c", conf, "-i", "empty", "-o", "out", "--threads", "0"), "--threads"),
                (("-c", conf, "-i", "empty", "-o", "out", "--work", "sudoku:9"), "queens:N"),
                (("-c", conf, "-i", "empty", "-o", "out", "--format", "csv"), "pcapng"),
                (("-c", conf, "-i", "empty", "-o", "out", "--tokens", "0"), "--tokens"),
                (("-c", conf, "-i", "empty", "-o", "out", "--burst", "1e9"), "--burst"),
                (("-c", conf, "-i", "eth0=-", "-i", "eth1=-", "-o", "out"), "twice"),
                (("-c", "-", "-i", "eth0=-", "-o", "out"), "configuration and packets"),
                (("-c", conf, "-i", "eth0=/", "-o", "out"), "'/': it is a directory"),
                (("-c", "/", "-i", "empty", "-o", "out"), "cannot read '/'"),
                (("-c", "dir.conf", "-i", "empty", "-o", "out"), "cannot read '/'"),
        ):
            _, err = run(*words, code=2)
            self.assertIn(said, err)
            self.assertTrue(err.startswith("leat-router: error: "), err)
            self.assertFalse(os.path.exists("out"))

    def test_an_error_in_the_configuration_names_file_and_line(self):
        config("r.conf", nat="mapping = conical")
        _, err = run("--check", "-c", "r.conf", code=2)
        self.assertIn("r.conf:17", err)
        _, err = run("-c", "r.conf", "-i", "x", "-o", "out", code=2)
        self.assertIn("r.conf:17", err)

    def test_an_input_is_never_overwritten(self):
        self.capture("-n", "100")
        size = os.path.getsize("eth0.pcap")
        os.symlink("eth0.pcap", "link.pcap")
        for name in ("eth0.pcap", "link.pcap"):
            _, err = run("-c", config("r.conf"), "-i", "eth0=" + name, "-o", ".", code=2)
            self.assertIn("eth0.pcap' is an input", err)
            self.assertEqual(os.path.getsize("eth0.pcap"), size)
        self.assertEqual(sorted(os.listdir(".")), ["eth0.pcap", "link.pcap", "r.conf"])
        # nor by the NAT's log, which is no interface's capture either
        conf = config("r.conf", nat=f"log = {self.dir}/link.pcap")
        _, err = run("-c", conf, "-i", "eth0=eth0.pcap", "-o", "out", code=2)
        self.assertIn("link.pcap' is an input", err)
        self.assertEqual(os.path.getsize("eth0.pcap"), size)
        for _ in range(2):
            _, err = run("-c", config("r.conf", nat="log = eth1.pcap"), "-i", "eth0.pcap", "-o", "out", code=2)
            self.assertIn("eth1.pcap' would be the NAT's log and the capture of eth1", err)
            open("out/eth1.pcap", "wb").close()

    def test_the_most_threads_that_may_be_asked_for_are_had(self):
        self.capture("-n", "5000")
        for threads in ("257", "1024"):
            run("-c", config("r.conf"), "-i", "eth0.pcap", "--drop", "--threads", threads)

    def test_a_truncated_capture_is_routed_up_to_the_damage(self):
        self.capture("-n", "1000")
        os.truncate("eth0.pcap", os.path.getsize("eth0.pcap") - 10)
        for how in (("--serial",), ("--threads", "2", "--chunk", "64")):
            out, err = run("-c", config("r.conf"), "-i", "eth0.pcap", "-o", "out", *how, code=3)
            self.assertIn("eth0.pcap", err)
            self.assertRegex(out, r"all +999 ")
            self.assertEqual(len(packets("out/eth1.pcap")), 999)

    def test_an_input_that_is_cut_while_it_is_read_is_an_error(self):
        self.capture("-n", "200000", "--nics", "eth0,eth1")
        size = os.path.getsize("eth0.pcap")
        conf = config("r.conf")
        some = 24 + sum(16 + len(frame) for _, frame in packets("eth0.pcap")[:100])
        with open("eth0.pcap", "rb") as file:
            head = file.read(some)
        for how in ("--serial", "--threads=2"):
            for keep in (0, 4096 * 300 + 5, size - 10):
                shutil.copy("eth0.pcap", "cut.pcap")
                shutil.rmtree("out", ignore_errors=True)
                # nobody knows what the second input brings next, so the first has to wait for it
                router = subprocess.Popen(
                    [ROUTER, "-c", conf, "-i", "eth0=cut.pcap", "-i", "eth1=-", "-o", "out", how],
                    stdin=subprocess.PIPE, stdout=subprocess.PIPE, stderr=subprocess.PIPE)
                router.stdin.write(head)
                router.stdin.flush()
                end = time.monotonic() + 20
                while not os.path.exists("out") and time.monotonic() < end:
                    time.sleep(0.001)
                os.truncate("cut.pcap", keep)
                out, err = (text.decode() for text in router.communicate(timeout=60))
                self.assertEqual(router.returncode, 3, err)
                self.assertIn(f"'cut.pcap' was cut from {size} to {keep} bytes", err)
                self.assertIn("all ", out)
                packets("out/eth1.pcap")

    def test_output_that_cannot_be_written(self):
        self.capture("-n", "100")
        open("file", "wb").close()
        _, err = run("-c", config("r.conf"), "-i", "eth0.pcap", "-o", "file/out", code=5)
        self.assertIn("file/out", err)
        os.symlink("nowhere", "dangling")
        for name in ("file", "dangling"):
            _, err = run("-c", config("r.conf"), "-i", "eth0.pcap", "-o", name, code=5)
            self.assertIn(f"'{name}' is there already, and no directory", err)
            self.assertIn("hint: name a directory", err)
        self.assertEqual(os.path.getsize("file"), 0)

    def test_a_full_disk_leaves_a_valid_file(self):
        self.capture("-n", "20000")

        def limit():
            signal.signal(signal.SIGXFSZ, signal.SIG_IGN)
            resource.setrlimit(resource.RLIMIT_FSIZE, (500000, 500000))

        for how in ("--serial", "--threads=2"):
            shutil.rmtree("out", ignore_errors=True)
            out, err = run("-c", config("r.conf"), "-i", "eth0.pcap", "-o", "out", how, code=5,
                           preexec_fn=limit)
            self.assertIn("out/eth1.pcap", err)
            self.assertNotIn("missing", err)
            self.assertIn("unwritten", out)
            sent = packets("out/eth1.pcap")
            self.assertGreater(len(sent), 100)

    def test_a_signal_ends_the_input_and_what_was_read_is_written(self):
        self.capture("-n", "3000")
        with open("eth0.pcap", "rb") as file:
            data = file.read()
        for sig in (signal.SIGTERM, signal.SIGINT):
            shutil.rmtree("out", ignore_errors=True)
            router = subprocess.Popen([ROUTER, "-c", config("r.conf"), "-i", "eth0=-", "-o", "out"],
                                      stdin=subprocess.PIPE, stdout=subprocess.PIPE,
                                      stderr=subprocess.PIPE)
            router.stdin.write(data)
            router.stdin.flush()
            while not os.path.isdir("out"):
                pass
            router.send_signal(sig)
            router.stdin.close()
            out = router.stdout.read().decode()
            self.assertEqual(router.wait(timeout=60), 128 + sig, router.stderr.read())
            router.stdout.close()
            router.stderr.close()
            packets("out/eth1.pcap")
            self.assertIn("all ", out)

    def test_a_signal_ends_the_wait_for_input_too(self):
        self.capture("-n", "3000")
        with open("eth0.pcap", "rb") as file:
            data = file.read()
        for how in ("--serial", "--threads=2"):
            shutil.rmtree("out", ignore_errors=True)
            router = subprocess.Popen([ROUTER, "-c", config("r.conf"), "-i", "eth0=-", "-o", "out", how],
                                      stdin=subprocess.PIPE, stdout=subprocess.PIPE, stderr=subprocess.PIPE)
            router.stdin.write(data + data[24:50]) # and a part of one more packet
            router.stdin.flush()
            end = time.monotonic() + 20
            while time.monotonic() < end:
                with open(f"/proc/{router.pid}/status", encoding="ascii") as file:
                    caught = next(line for line in file if line.startswith("SigCgt"))
                if int(caught.split()[1], 16) >> (signal.SIGTERM - 1) & 1:
                    break
                time.sleep(0.001)
            time.sleep(0.3) # by now it has read all there is, and waits
            router.send_signal(signal.SIGTERM)
            self.assertEqual(router.wait(timeout=20), 128 + signal.SIGTERM)
            self.assertEqual(router.stderr.read(), b"")
            packets("out/eth1.pcap")
            for pipe in (router.stdin, router.stdout, router.stderr):
                pipe.close()


if __name__ == "__main__":
    unittest.main()
