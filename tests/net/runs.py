# SPDX-License-Identifier: MIT
"""The steps through the kernel, and through leat-router. LEAT_ROUTER names the program."""
import os
import subprocess
import sys
import tempfile

import kernel
from steps import Ports, to_external, whole

HERE = os.path.dirname(os.path.abspath(__file__))
LEAT_ROUTER = os.environ.get("LEAT_ROUTER", os.path.join(HERE, "../../build-dev/bin/leat-router"))
sys.path.insert(0, os.path.join(HERE, "../router"))
import captures  # noqa: E402  (beside the router's other tests)

STEP_NS = 100_000
START_NS = 1_700_000_000_000_000_000

CONF = """
[interface in0]
address = {in_address}/24
{in6}side = inside
mtu = {in_mtu}

[interface out0]
address = {out_address}/24
{out6}side = outside
mtu = {out_mtu}

[routes]
route = default {out_peer} out0
route = 203.0.113.0/24 unreachable
route = 198.51.100.0/24 blackhole
{routes}

{nat}
[router]
icmp-errors = unlimited
"""

NAT = """[nat]
address = {external}
mapping = symmetric
keep-parity = no
keep-range = no
unknown-protocols = map

"""


def through_kernel(steps, **how):
    """Fills in step.out["kernel"] and returns the ports that the kernel gave."""
    ports, parts = Ports(), {}
    with kernel.Kernel(**how) as router:
        for step in steps:
            step.out["kernel"] = router.give(step.side, to_external(step, ports))
            if step.side == "in":
                ports.learn_all(whole(step.packet, parts), step.out["kernel"])
    return ports


def ether(packet):
    kind = b"\x86\xdd" if packet[:1] and packet[0] >> 4 == 6 else b"\x08\0"
    return bytes.fromhex("020000000011020000000001") + kind + packet


def run_router(steps, ports, inside, directory, in_mtu=9000, out_mtu=1500, inside6=(), extra="", args=(),
               nat=True):
    """One run of leat-router over all steps; its output by step."""
    ipv6 = min(in_mtu, out_mtu) >= 1280
    names = {
        "in_address": kernel.IN_ADDRESS, "out_address": kernel.OUT_ADDRESS, "nat": NAT.format(external=kernel.EXTERNAL) if nat else "",
        "out_peer": kernel.OUT_PEER, "in_mtu": in_mtu, "out_mtu": out_mtu,
        "in6": f"address = {kernel.INSIDE6}/64\n" if ipv6 else "",
        "out6": f"address = {kernel.OUTSIDE6}/64\n" if ipv6 else "",
        "routes": "\n".join([f"route = {net} {kernel.IN_PEER} in0" for net in inside] +
                            [f"route = {net} 2001:db8:1::2 in0" for net in inside6] +
                            ["route = ::/0 2001:db8:2::2 out0"] * ipv6)}
    conf = os.path.join(directory, "router.conf")
    with open(conf, "w", encoding="ascii") as file:
        file.write(CONF.format(**names) + extra)
    command = [LEAT_ROUTER, "-c", conf, "-o", os.path.join(directory, "out"), *args]
    for side in ("in", "out"):
        packets = [captures.Packet(ether(to_external(step, ports)), START_NS + step.number * STEP_NS)
                   for step in steps if step.side == side]
        path = os.path.join(directory, f"{side}.pcap")
        with open(path, "wb") as file:
            file.write(captures.pcap(packets, nano=True))
        command += ["-i", f"{side}0={path}"]
    done = subprocess.run(command, capture_output=True, check=False)
    if done.returncode != 0:
        raise RuntimeError(f"leat-router: exit code {done.returncode}: {done.stderr.decode()}{done.stdout.decode()}")
    out = {step.number: [] for step in steps}
    for side in ("in", "out"):
        with open(os.path.join(directory, "out", f"{side}0.pcap"), "rb") as file:
            for p in captures.read_pcap(file.read())[2]:
                out[(p.ns - START_NS) // STEP_NS].append((side, p.data[14:]))
    return out, done.stdout.decode()


def through_router(steps, **how):
    """Fills in step.out["leat"], once the ports that it gave are known to those who answer."""
    ports = Ports()
    for _ in range(4):
        with tempfile.TemporaryDirectory(prefix="leat-net-") as directory:
            out, report = run_router(steps, ports, directory=directory, **how)
        again = Ports()
        for step in steps:
            step.out["leat"] = out[step.number]
            if step.side == "in":
                again.learn_all(step.packet, out[step.number])
        if again.out == ports.out or all(again.external(*key) == ports.external(*key) for key in again.out):
            return again, report
        ports = again
    raise RuntimeError("leat-router gives other ports in every run")
