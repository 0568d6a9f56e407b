# SPDX-License-Identifier: MIT
"""Files made by an independent writer, read by leat's reader and by tcpdump; files written by leat,
read by an independent reader and by tcpdump. DUMP names the program of dump.c."""
import os
import random
import shutil
import subprocess
import sys
import tempfile
import unittest

import captures

DUMP = os.environ["DUMP"]
LINKS = {1: 0, 101: 1, 113: 2, 276: 3, 0: 4, 108: 5}


def frame(rng, size):
    """An Ethernet frame of an IPv4 UDP packet, which tcpdump can print in one line."""
    size = max(size, 42)
    ip = bytes.fromhex("45000000000000004011") + b"\0\0" + bytes([10, 0, 0, rng.randrange(256), 20, 0, 0, 1])
    ip = ip[:2] + (size - 14).to_bytes(2, "big") + ip[4:]
    udp = (4000).to_bytes(2, "big") + (5000).to_bytes(2, "big") + (size - 34).to_bytes(2, "big") + b"\0\0"
    return bytes(6) + bytes.fromhex("020000000001") + b"\x08\0" + ip + udp + rng.randbytes(size - 42)


def traffic(rng, n, start=None):
    ns = rng.randrange(2 * 10**18) if start is None else start
    packets = []
    for _ in range(n):
        data = frame(rng, rng.choice([42, 60, 61, 590, 1514, rng.randrange(42, 9000)]))
        packets.append(captures.Packet(data, ns, len(data) + rng.choice([0, 0, 4])))
        ns += rng.choice([0, 1, 999, 1000, 10**6, rng.randrange(10**9)])
    return packets


class Captures(unittest.TestCase):
    def setUp(self):
        self.rng = random.Random(self.id())
        self.dir = tempfile.mkdtemp(prefix="leat-captures-")
        self.addCleanup(shutil.rmtree, self.dir)

    def path(self, name, data=None):
        path = os.path.join(self.dir, name)
        if data is not None:
            with open(path, "wb") as file:
                file.write(data)
        return path

    def load(self, name):
        with open(self.path(name), "rb") as file:
            return file.read()

    def dump(self, *args, stdin=None, fails=None):
        run = subprocess.run([DUMP, *args], input=stdin, capture_output=True, check=False)
        self.assertEqual(run.returncode, 1 if fails else 0, run.stderr)
        if fails:
            self.assertIn(fails, run.stderr.decode())
        return [line.split(" ") for line in run.stdout.decode().splitlines()]

    def assertPackets(self, lines, packets, times, nics=None, link=0):
        self.assertEqual(len(lines), len(packets))
        for i, (line, p) in enumerate(zip(lines, packets)):
            nic = nics[i] if nics else "eth1"
            self.assertEqual(line, [nic, str(link), str(times[i]), str(len(p.data)), str(p.wire_len), p.data.hex()])

    def tcpdump_times(self, path):
        run = subprocess.run(["tcpdump", "-nn", "-tt", "--time-stamp-precision=nano", "-r", path],
                             capture_output=True, check=False)
        self.assertEqual(run.returncode, 0, run.stderr)
        times = [line.split(b" ")[0].decode() for line in run.stdout.splitlines() if line[:1].isdigit()]
        return [int(t.replace(".", "")) for t in times]

    def test_pcap_in_every_form_as_made_and_as_tcpdump_reads_it(self):
        for big in (False, True):
            for nano in (False, True):
                with self.subTest(big=big, nano=nano):
                    packets = traffic(self.rng, 200)
                    path = self.path("f.pcap", captures.pcap(packets, big, nano))
                    times = [p.ns if nano else p.ns // 1000 * 1000 for p in packets]
                    self.assertPackets(self.dump("-i", "eth1=" + path), packets, times)
                    self.assertEqual(self.tcpdump_times(path), times)

    def test_every_link_type_is_passed_on(self):
        for number, link in LINKS.items():
            packets = traffic(self.rng, 5)
            path = self.path("f.pcap", captures.pcap(packets, nano=True, link=number))
            self.assertPackets(self.dump("-i", "eth1=" + path), packets, [p.ns for p in packets], link=link)

    def random_pcapng(self, sections, resolutions):
        """The file, its packets, and for each its time and NIC."""
        file, packets, times, nics = captures.Pcapng(), [], [], []
        for _ in range(sections):
            file.section(self.rng.random() < 0.5, self.rng.choice([(), [(1, b"a comment"), (4, b"leat")]]))
            names = []
            for p in traffic(self.rng, 40):
                while not names or (len(names) < 20 and self.rng.random() < 0.2):
                    names.append(f"eth{self.rng.randrange(4)}")
                    offset = self.rng.choice([None, 0, -5, 10**9])
                    if offset and p.ns < offset * 10**9:
                        offset = None
                    file.interface(1, names[-1], self.rng.choice(resolutions), offset,
                                   more=self.rng.choice([(), [(3, b"what it is"), (0x8001, b"?")]]))
                if self.rng.random() < 0.2:
                    file.block(self.rng.choice([4, 5, 10, 0xBAD, 0x80000001]), self.rng.randbytes(self.rng.randrange(99) * 4))
                p.interface = self.rng.randrange(len(names))
                units, ns = file.units(p.ns, p.interface)
                if not 0 <= units < 2**64 or not -2**63 <= ns < 2**63:
                    continue
                options = self.rng.choice([(), [(1, b"a comment")], [(2, bytes(4)), (4, bytes(8))]])
                times.append(file.packet(p, self.rng.choice([6, 6, 2]), options))
                packets.append(p)
                nics.append(names[p.interface])
        return file.bytes(), packets, times, nics

    def test_pcapng_of_any_shape_as_made(self):
        resolutions = [None, 0, 3, 6, 9, 9, 12, 15, 0x80, 0x80 | 10, 0x80 | 20, 0x80 | 30, 0x80 | 32]
        total = 0
        for i in range(30):
            data, packets, times, nics = self.random_pcapng(1 + i % 4, resolutions)
            path = self.path("f.pcapng", data)
            self.assertPackets(self.dump("-b", str(1 + i * 3), path), packets, times, nics)
            total += len(packets)
        self.assertGreater(total, 1000)

    def test_pcapng_as_tcpdump_reads_it(self):
        # tcpdump reads one section with interfaces of one link type and snap length.
        for resolution in (None, 3, 6, 9, 0x80 | 10, 0x80 | 20, 0x80 | 30):
            for big in (False, True):
                file = captures.Pcapng()
                file.section(big)
                file.interface(1, "eth1", resolution)
                packets = traffic(self.rng, 50)
                times = [file.packet(p) for p in packets]
                path = self.path("f.pcapng", file.bytes())
                self.assertPackets(self.dump(path), packets, times)
                self.assertEqual(self.tcpdump_times(path), times)

    def test_interfaces_of_a_file_become_the_nics_that_the_user_says(self):
        file = captures.Pcapng()
        file.section(True)
        file.interface(1, "wlan0", 9)
        file.interface(1, "eth3", 9)
        file.interface(1, None, 9)
        packets = [captures.Packet(b"x" * 60, i, interface=i % 3) for i in range(9)]
        times = [file.packet(p) for p in packets]
        path = self.path("f.pcapng", file.bytes())
        lines = self.dump("-i", f"eth0={path}#wlan0", "-i", f"eth2={path}#2")
        self.assertPackets(lines, packets, times, ["eth0", "eth3", "eth2"] * 3)
        lines = self.dump("-i", f"eth0={path}#wlan0", fails="LT-INPUT-NIC")
        self.assertPackets(lines, packets[:2], times, ["eth0", "eth3"])

    def test_inputs_are_merged_by_time_whatever_their_forms(self):
        start = 1700000000 * 10**9
        a, b, c = (traffic(self.rng, 100, start) for _ in range(3))
        for p in b:
            p.ns = p.ns // 1000 * 1000
        file = captures.Pcapng()
        file.section(True)
        file.interface(1, None, 9)
        for p in c:
            file.packet(p)
        paths = [self.path("eth0.pcap", captures.pcap(a, nano=True)), self.path("eth1.pcap", captures.pcap(b, True)),
                 self.path("eth2.pcapng", file.bytes())]
        given = [(p, f"eth{i}") for i, packets in enumerate((a, b, c)) for p in packets]
        merged = sorted(given, key=lambda entry: entry[0].ns) # stable: ties in the order given
        for burst in ("1", "7", "256"):
            for order, args in ((merged, []), (given, ["-o", "given"])):
                lines = self.dump("-b", burst, *args, *paths)
                self.assertPackets(lines, [p for p, _ in order], [p.ns for p, _ in order], [n for _, n in order])
        lines = self.dump("-i", "eth0=-", *paths[1:], stdin=captures.pcap(a, nano=True))
        self.assertPackets(lines, [p for p, _ in merged], [p.ns for p, _ in merged], [n for _, n in merged])

    def test_what_is_written_is_what_was_read(self):
        for nano in (False, True):
            packets = traffic(self.rng, 100)
            path = self.path("eth1.pcap", captures.pcap(packets, True, nano))
            times = [p.ns if nano else p.ns // 1000 * 1000 for p in packets]
            for form in ("pcap", "pcapng"):
                self.dump("-w", self.path("out"), form, path)
                name = f"out/eth1.{form}"
                self.assertEqual(self.tcpdump_times(self.path(name)), times)
                if form == "pcap":
                    link, fine, again = captures.read_pcap(self.load(name))
                    self.assertEqual((link, fine), (1, nano))
                else:
                    interfaces, again = captures.read_pcapng(self.load(name))
                    self.assertEqual(interfaces, [(1, "eth1", 10**9 if nano else 10**6)])
                self.assertEqual([(p.data, p.wire_len, p.ns) for p in again],
                                 [(p.data, p.wire_len, t) for p, t in zip(packets, times)])
                self.assertEqual(captures.read_pcap(self.load("out/eth0.pcap"))[2], [])

    def test_c17_times_finer_than_microseconds_come_out_as_they_went_in(self):
        for resolution in (9, 12, 0x80 | 20, 0x80 | 30):
            file = captures.Pcapng()
            file.section()
            file.interface(1, "eth1", resolution)
            packets = traffic(self.rng, 50, self.rng.randrange(10**16))
            times = [file.packet(p) for p in packets]
            self.dump("-w", self.path("out"), "pcap", self.path("f.pcapng", file.bytes()))
            link, fine, again = captures.read_pcap(self.load("out/eth1.pcap"))
            self.assertTrue(fine)
            self.assertEqual([p.ns for p in again], times)

    def test_c19_offload_captures_with_total_length_zero_are_passed_on_whole(self):
        data = frame(self.rng, 60000)
        data = data[:16] + b"\0\0" + data[18:]
        path = self.path("eth1.pcap", captures.pcap([captures.Packet(data, 5)], nano=True))
        self.assertPackets(self.dump(path), [captures.Packet(data, 5)], [5])

    def test_tcpdump_finds_no_wrong_sum_in_frames_made_from_text(self):
        words = "tcp udp icmp ftp ftp-data ssh telnet smtp dns http https tls quic ntp sip rtp voip rtcp".split()
        lines = [f"eth1 10.0.0.{i:03} 20.0.0.1 {4000 + i} 5000 {word}" for i in range(3) for word in words]
        self.dump("-w", self.path("out"), "pcap", "-", stdin="\n".join(lines).encode())
        run = subprocess.run(["tcpdump", "-nn", "-vv", "-r", self.path("out/eth1.pcap")], capture_output=True, check=True)
        text = run.stdout.decode()
        self.assertEqual(text.count("10.0.0.2"), len(words), text)
        self.assertNotIn("bad", text)
        self.assertNotIn("incorrect", text)
        self.assertGreaterEqual(text.count("udp sum ok") + text.count("(correct)"), 3 * len(words) - 18)

    def test_a_cut_file_gives_what_is_before_and_what_is_written_of_it_is_valid(self):
        packets = traffic(self.rng, 10)
        data = captures.pcap(packets, nano=True)
        path = self.path("eth1.pcap", data[:-1])
        lines = self.dump("-w", self.path("out"), "pcap", path, fails="LT-INPUT-TRUNCATED")
        self.assertPackets(lines, packets[:9], [p.ns for p in packets])
        self.assertEqual(len(captures.read_pcap(self.load("out/eth1.pcap"))[2]), 9)


if __name__ == "__main__":
    if not shutil.which("tcpdump"):
        print("skipped: tcpdump is not installed")
        sys.exit(77)
    unittest.main()
