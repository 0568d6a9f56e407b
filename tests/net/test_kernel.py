#!/usr/bin/env python3
# SPDX-License-Identifier: MIT
"""leat-router against the Linux kernel, packet by packet.

	test_kernel.py                        all cases of cases.py
	test_kernel.py CASE...                these
	test_kernel.py [--as-recorded] FILE|DIRECTORY...   captures, and what differs

With --as-recorded, checksums stay as they are in the capture, and neither side checks them. LEAT_ROUTER
names the program. Exit code 77 where namespaces, veth or nft are not allowed."""
import os
import subprocess
import sys
import tempfile
import unittest

import kernel

try:
    kernel.enter()
except kernel.Unavailable as reason:
    print(f"skipped: {reason}")
    sys.exit(77)

import cases     # noqa: E402  (in a namespace of its own from here on)
import compare   # noqa: E402
import recorded  # noqa: E402
import runs      # noqa: E402
import steps     # noqa: E402
from packets import Packet  # noqa: E402

MTU = 9000 # of both sides, for captures: they hold what cards cut or put together


def steps_of(function):
    script = cases.Script()
    function(script)
    return script.steps


class Cases(unittest.TestCase):
    """One test for each case, named after it; they are added below."""


def add_case(name, what, function, how):
    def test(self):
        compare.check(steps_of(function), cases.INSIDE, **how)
    test.__doc__ = f"{name}: {what}"
    setattr(Cases, "test_" + name.replace("-", "_"), test)


class Generated(unittest.TestCase):
    """Traffic of tools/make-capture, both ways, several flows of each kind."""

    def test_calls_files_pages_and_pings(self):
        maker = os.environ.get("MAKE_CAPTURE", os.path.join(runs.HERE, "../../build-dev/tools/make-capture"))
        with tempfile.TemporaryDirectory(prefix="leat-net-") as directory:
            subprocess.run([maker, "-n", "1500", "-f", "40", "--hosts", "7", "--both", "--life", "100", "-s", "23",
                            "-o", directory], check=True)
            packets = []
            for name in ("eth0.pcap", "eth1.pcap"):
                with open(os.path.join(directory, name), "rb") as file:
                    packets += runs.captures.read_pcap(file.read())[2]
        script = cases.Script()
        for p in sorted(packets, key=lambda p: p.ns):
            script.add(p.data[14:])
        needed, _ = compare.check(script.steps, cases.INSIDE)
        self.assertEqual(needed, {})


class Comparison(unittest.TestCase):
    """The comparison itself notices what it is there for."""

    @classmethod
    def setUpClass(cls):
        cls.steps = steps_of(cases.udp_both_ways) + steps_of(cases.too_big_outward)[:3]
        for number, step in enumerate(cls.steps):
            step.number = number
        cls.ports = runs.through_kernel(cls.steps, inside=cases.INSIDE, out_mtu=600)

    def setUp(self):
        for step in self.steps:
            step.out["leat"] = list(step.out["kernel"])
        compare.compare(self.steps, self.ports, self.ports)

    def assertNoticed(self, text):
        with self.assertRaisesRegex(compare.Difference, text):
            compare.compare(self.steps, self.ports, self.ports)

    def test_a_packet_that_is_missing(self):
        self.steps[1].out["leat"] = []
        self.assertNoticed("step 1")

    def test_a_packet_too_many(self):
        self.steps[2].out["leat"] *= 2
        self.assertNoticed("step 2")

    def test_the_wrong_side(self):
        side, data = self.steps[0].out["leat"][0]
        self.steps[0].out["leat"] = [("in" if side == "out" else "out", data)]
        self.assertNoticed("step 0")

    def test_any_byte_that_differs(self):
        side, data = self.steps[0].out["leat"][0]
        for at in range(len(data)):
            if at in (4, 5): # the identification may differ, but not without the sum
                continue
            other = bytearray(data)
            other[at] ^= 1
            self.steps[0].out["leat"] = [(side, bytes(other))]
            self.assertNoticed("step 0")

    def test_a_time_to_live_that_was_not_counted_down(self):
        side, data = self.steps[0].out["leat"][0]
        packet = Packet(data)
        packet.set_bytes(8, bytes([packet.ttl + 1, packet.protocol]))
        self.steps[0].out["leat"] = [(side, bytes(packet.data))]
        self.assertNoticed("step 0")

    def test_a_fragment_that_is_missing(self):
        step = next(step for step in self.steps if len(step.out["leat"]) > 1)
        del step.out["leat"][1]
        self.assertNoticed(f"step {step.number}")

    def test_one_port_for_two_hosts(self):
        ports = steps.Ports()
        ports.back = {key: set(found) for key, found in self.ports.back.items()}
        next(iter(ports.back.values())).add((b"\x0a\0\0\x09", 9))
        with self.assertRaisesRegex(compare.Difference, "leat-router gave external port"):
            compare.compare(self.steps, self.ports, ports)

    def test_an_inside_source_outside(self):
        self.steps[0].out["leat"] = [("out", self.steps[0].data)]
        self.assertIs(compare.leaks(self.steps, cases.INSIDE, "leat"), self.steps[0])


def files_of(paths):
    for path in paths:
        if os.path.isdir(path):
            for directory, _, names in sorted(os.walk(path)):
                yield from (os.path.join(directory, name) for name in sorted(names))
        else:
            yield path


def compare_captures(paths, fill):
    """A line for each capture; True if none differs."""
    counts, seen = {"equal": 0, "differs": 0, "left out": 0}, {}
    for path in files_of(paths):
        try:
            found, inside, others = recorded.load(path, fill)
            needed = {}
            compare.check(found, inside, needed, check=fill, in_mtu=MTU, out_mtu=MTU)
            result, text = "equal", f"{len(found)} packets, {others} others not compared"
            if needed:
                text += "; " + ", ".join(f"{name} {n}" for name, n in sorted(needed.items()))
            for name, n in needed.items():
                seen[name] = seen.get(name, 0) + n
        except recorded.Unusable as reason:
            result, text = "left out", str(reason)
        except (compare.Difference, RuntimeError) as difference:
            result, text = "differs", str(difference)
        counts[result] += 1
        print(f"{result}: {path}: {text}", flush=True)
    print(", ".join(f"{n} {what}" for what, n in counts.items()))
    for name, what, _ in compare.RULES:
        if name in seen:
            print(f"allowed {seen[name]} times: {what}")
    return counts["differs"] == 0 and counts["equal"] > 0


for case in cases.CASES:
    add_case(*case)

if __name__ == "__main__":
    arguments = sys.argv[1:]
    as_recorded = "--as-recorded" in arguments
    arguments = [a for a in arguments if a != "--as-recorded"]
    if any(os.path.exists(a) for a in arguments):
        sys.exit(0 if compare_captures(arguments, not as_recorded) else 1)
    sys.argv[1:] = ["Cases.test_" + a.replace("-", "_") for a in arguments]
    unittest.main()
