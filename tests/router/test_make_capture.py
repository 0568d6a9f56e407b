# SPDX-License-Identifier: MIT
"""What tools/make-capture makes: the same again from the same seed, in the shape asked for, with right
sums. MAKE_CAPTURE names the program, DUMP that of dump.c."""
import collections
import os
import shutil
import subprocess
import tempfile
import unittest

import captures

MAKE = os.environ["MAKE_CAPTURE"]
DUMP = os.environ["DUMP"]


def addresses(packet):
    """Source, destination, protocol and ports of an Ethernet frame of IPv4."""
    d = packet.data
    return d[26:30], d[30:34], d[23], int.from_bytes(d[34:36], "big"), int.from_bytes(d[36:38], "big")


def total(data, start=0):
    """The ones' complement sum of bytes; 0xffff if a checksum among them is right."""
    s = start + sum(int.from_bytes(data[i:i + 2].ljust(2, b"\0"), "big") for i in range(0, len(data), 2))
    while s >> 16:
        s = (s & 0xFFFF) + (s >> 16)
    return s


class MakeCapture(unittest.TestCase):
    def setUp(self):
        self.dir = tempfile.mkdtemp(prefix="leat-make-capture-")
        self.addCleanup(shutil.rmtree, self.dir)

    def make(self, *args, fails=None):
        run = subprocess.run([MAKE, "-o", self.dir, *args], capture_output=True, check=False)
        self.assertEqual(run.returncode, 2 if fails else 0, run.stderr)
        self.assertEqual(run.stdout, b"")
        if fails:
            self.assertIn(fails, run.stderr.decode())

    def load(self, name="eth0.pcap"):
        with open(os.path.join(self.dir, name), "rb") as file:
            return file.read()

    def packets(self, name="eth0.pcap"):
        return captures.read_pcap(self.load(name))[2]

    def test_the_same_seed_makes_the_same_bytes(self):
        self.make("-n", "5000", "--both")
        first, answers = self.load(), self.load("eth1.pcap")
        self.make("-n", "5000", "--both", "-s", "1")
        self.assertEqual((self.load(), self.load("eth1.pcap")), (first, answers))
        self.make("-n", "5000", "--both", "-s", "2")
        self.assertNotEqual(self.load(), first)

    def test_packets_are_counted_and_in_order_of_time(self):
        self.make("-n", "3000", "--both", "-R", "1000")
        both = self.packets() + self.packets("eth1.pcap")
        self.assertEqual(len(both), 3000)
        for name in ("eth0.pcap", "eth1.pcap"):
            times = [p.ns for p in self.packets(name)]
            self.assertEqual(times, sorted(times))
        span = max(p.ns for p in both) - min(p.ns for p in both)
        self.assertAlmostEqual(span / 3e9, 1, delta=0.05)

    def test_uniform_flows_are_as_many_as_asked_for(self):
        self.make("-n", "40000", "-f", "500", "-p", "uniform", "-l", "small", "-t", "udp,tcp")
        packets = self.packets()
        flows = collections.Counter(addresses(p) for p in packets)
        self.assertEqual(len(flows), 500)
        self.assertLess(max(flows.values()), 140) # 80 on average
        self.assertEqual({len(p.data) for p in packets}, {60})
        share = sum(n for (_, _, protocol, _, _), n in flows.items() if protocol == 17) / 40000
        self.assertAlmostEqual(share, 0.5, delta=0.1)

    def test_zipf_flows_have_the_popularity_of_their_rank(self):
        self.make("-n", "100000", "-f", "100", "-p", "zipf:1", "-t", "udp")
        counts = [n for _, n in collections.Counter(addresses(p) for p in self.packets()).most_common()]
        harmonic = sum(1 / i for i in range(1, 101))
        for rank in (1, 2, 5, 20):
            self.assertAlmostEqual(counts[rank - 1] * rank * harmonic / 100000, 1, delta=0.1)

    def test_imix_has_its_mean(self):
        self.make("-n", "30000", "-t", "udp")
        sizes = collections.Counter(len(p.data) for p in self.packets())
        self.assertEqual(set(sizes), {60, 590, 1514})
        mean = sum(size * n for size, n in sizes.items()) / 30000
        self.assertAlmostEqual(mean, (7 * 60 + 4 * 590 + 1514) / 12, delta=10)

    def test_every_sum_is_right(self):
        self.make("-n", "4000", "-f", "60", "--both", "--external", "192.0.2.1", "--life", "90")
        seen = set()
        for p in self.packets() + self.packets("eth1.pcap"):
            ip = p.data[14:14 + int.from_bytes(p.data[16:18], "big")]
            self.assertEqual(total(ip[:20]), 0xFFFF)
            pseudo = 0 if ip[9] == 1 else total(ip[12:20], ip[9] + len(ip) - 20)
            self.assertEqual(total(ip[20:], pseudo), 0xFFFF)
            seen.add(ip[9])
        self.assertEqual(seen, {1, 6, 17})

    def test_answers_come_from_the_peer_to_the_external_address(self):
        self.make("-n", "4000", "-f", "50", "--both", "--external", "192.0.2.1", "--inside", "172.16.0.0/12")
        out = {addresses(p) for p in self.packets()}
        for p in self.packets():
            self.assertEqual(p.data[26] << 8 | p.data[27] & 0xF0, 172 << 8 | 16)
        peers = {(to, protocol) for _, to, protocol, _, _ in out}
        for p in self.packets("eth1.pcap"):
            source, to, protocol, _, _ = addresses(p)
            self.assertEqual(to, bytes([192, 0, 2, 1]))
            self.assertIn((source, protocol), peers)

    def test_tcp_counts_its_bytes_in_both_directions(self):
        for kind in ("tcp", "http", "tls", "ftp"):
            self.make("-n", "400", "-f", "3", "--both", "-t", kind)
            merged = sorted(self.packets() + self.packets("eth1.pcap"), key=lambda p: p.ns)
            following = {}
            for p in merged:
                key, tcp = addresses(p), p.data[34:]
                seq, flags = int.from_bytes(tcp[4:8], "big"), tcp[13]
                self.assertEqual(following.get(key, seq), seq, kind)
                length = int.from_bytes(p.data[16:18], "big") - 40 + (flags & 3 != 0)
                following[key] = seq + length & 0xFFFFFFFF
                back = following.get((key[1], key[0], 6, key[4], key[3]))
                if flags & 16 and back is not None:
                    self.assertEqual(int.from_bytes(tcp[8:12], "big"), back, kind)

    def test_calls_say_where_their_media_go(self):
        self.make("-n", "2000", "-f", "4", "--both", "-t", "voip")
        media = set()
        for p in self.packets():
            text = p.data[42:]
            if text.startswith(b"INVITE"):
                port = int(text.split(b"m=audio ")[1].split(b" ")[0])
                self.assertIn(b"c=IN IP4 " + ".".join(map(str, p.data[26:30])).encode(), text)
                media.add((p.data[26:30], port))
        rtp = {(addresses(p)[0], addresses(p)[3]) for p in self.packets() if p.data[42] == 0x80 and p.data[43] == 0}
        self.assertEqual(rtp, media)
        self.assertEqual(len(media), 4)
        self.assertTrue(all(port % 2 == 0 for _, port in media))

    def test_peers_lie_within_the_routes(self):
        path = os.path.join(self.dir, "routes")
        with open(path, "w", encoding="ascii") as file:
            file.write("# routes\n198.51.100.0/24 via 192.0.2.9 eth1\n203.0.113.128/25\n10.0.0.0/8\n0.0.0.0/0\n2001:db8::/32\n")
        self.make("-n", "2000", "-f", "300", "-r", path)
        nets = {p.data[30:33] for p in self.packets()}
        self.assertEqual(nets, {bytes([198, 51, 100]), bytes([203, 0, 113])})

    def test_flows_end_and_others_begin(self):
        self.make("-n", "20000", "-f", "10", "-p", "uniform", "--life", "20", "--both", "-t", "tcp")
        flows = {addresses(p) for p in self.packets()}
        self.assertAlmostEqual(len(flows), 1000, delta=20)
        ends = sum(p.data[47] & 1 for p in self.packets())
        self.assertAlmostEqual(ends, 1000, delta=20)

    def test_other_forms_say_the_same(self):
        options = ["-n", "500", "--both", "--nics", "eth2,eth3"]
        self.make(*options)
        expected = self.packets("eth2.pcap")
        self.make(*options, "-F", "pcapng")
        interfaces, packets = captures.read_pcapng(self.load("eth2.pcapng"))
        self.assertEqual(interfaces, [(1, "eth2", 10**9)])
        self.assertEqual([(p.ns, p.data) for p in packets], [(p.ns, p.data) for p in expected])
        self.make(*options, "--micro")
        self.assertEqual([p.ns for p in self.packets("eth2.pcap")], [p.ns // 1000 * 1000 for p in expected])
        self.make(*options, "-F", "text")
        run = subprocess.run([DUMP, os.path.join(self.dir, "capture.txt")], capture_output=True, check=True)
        lines = [line.split() for line in run.stdout.decode().splitlines()]
        self.assertEqual(len(lines), 500)
        inside = [bytes.fromhex(line[5]) for line in lines if line[0] == "eth2"]
        self.assertEqual([d[26:34] for d in inside], [p.data[26:34] for p in expected])

    def test_bad_options_are_refused(self):
        self.make("-n", "-1", fails="--packets")
        self.make("-p", "gauss", fails="uniform or zipf")
        self.make("-l", "59", fails="--size")
        self.make("-t", "smoke", fails="no kind 'smoke'")
        self.make("-t", "udp=0", fails="no kind has a share")
        self.make("--inside", "10.0.0.0/31", fails="10.0.0.0/31")
        self.make("-F", "csv", fails="csv")
        self.make("--nics", "eth0", fails="INSIDE,OUTSIDE")
        self.make("-r", "/no/such/file", fails="/no/such/file")
        self.make("--no-such-option", fails="unrecognized")
        self.assertEqual(os.listdir(self.dir), [])


if __name__ == "__main__":
    unittest.main()
