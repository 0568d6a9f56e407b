# SPDX-License-Identifier: MIT
"""The same packets through the kernel and through leat-router, and what came out compared.

A capture becomes a list of steps: an IP packet, and the side that it comes in from. What went to an
inside address is sent to the external one instead, at the port that each of the two routers gave.
Ports may differ, as long as each router tells its inside endpoints apart; identifications, too, of
packets that may be fragmented. What else may differ is in RULES, each with its reason."""
import ipaddress
import os
import subprocess
import sys
import tempfile

import kernel
from packets import ICMP, TCP, UDP, Packet, address, reassemble

HERE = os.path.dirname(os.path.abspath(__file__))
LEAT_ROUTER = os.environ.get("LEAT_ROUTER", os.path.join(HERE, "../../build-dev/bin/leat-router"))
sys.path.insert(0, os.path.join(HERE, "../router"))
import captures  # noqa: E402  (beside the router's other tests)

EXTERNAL = address(kernel.EXTERNAL)
NOBODYS = 9
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
{routes}

[nat]
address = {external}
mapping = symmetric
keep-parity = no
keep-range = no
unknown-protocols = map

[router]
icmp-errors = unlimited
"""


class Step:
    """A packet on its way in, and what came out of each router: {"kernel": [(side, bytes)], ...}."""

    def __init__(self, number, data, side, inside=None):
        self.number, self.data, self.side = number, bytes(data), side
        self.inside = inside # the address that it was sent to, where that is now the external one
        self.out = {}

    @property
    def packet(self):
        return Packet(self.data)

    def __repr__(self):
        version = self.data[0] >> 4 if self.data else 0
        what = self.packet if version == 4 else f"IPv{version} of {len(self.data)} bytes"
        return f"step {self.number} ({self.side}): {what}"


def flow_key(packet, outbound):
    """Protocol and remote end and inside port of a packet: what a mapping is found by."""
    mine, other = ("src", "dst") if outbound else ("dst", "src")
    remote = packet.dst if outbound else packet.src
    other_port = None if packet.protocol == ICMP else packet.port(other)
    return packet.protocol, remote, other_port, packet.port(mine)


class Ports:
    """What one router translated: inside endpoints to external ports and back."""

    def __init__(self):
        self.out, self.back = {}, {}

    def learn_all(self, sent, frames):
        """From what came out of a packet from inside."""
        for side, data in reassembled(frames) + frames:
            if side == "out" and data[0] >> 4 == 4:
                self.learn(sent, Packet(data))

    def learn(self, sent, packet):
        if sent.bad or packet.src != EXTERNAL or packet.protocol != sent.protocol or packet.is_error:
            return
        if packet.port("src") is None or sent.port("src") is None:
            return
        protocol, remote, remote_port, port = flow_key(sent, True)
        self.out[protocol, sent.src, port, remote, remote_port] = packet.port("src")
        self.back.setdefault((protocol, packet.port("src"), remote, remote_port), set()).add((sent.src, port))

    def external(self, protocol, inside, port, remote, remote_port):
        """What to answer to. Who was never sent to does not hit the port that another one was given."""
        found = self.out.get((protocol, inside, port, remote, remote_port))
        if found is None:
            return NOBODYS if (protocol, port, remote, remote_port) in self.back else port
        return found

    def inside(self, protocol, port, remote, remote_port):
        found = self.back.get((protocol, port, remote, remote_port))
        return next(iter(found)) if found and len(found) == 1 else None

    def shared(self):
        """External endpoints that stand for several inside ones towards the same remote end."""
        return {key: found for key, found in self.back.items() if len(found) > 1}


def to_external(step, ports):
    """The packet of a step as it reaches the router: to its external address and port."""
    packet = step.packet
    if step.inside is None or packet.bad:
        return step.data
    tail = step.data[len(packet.data):]
    if packet.port("dst") is not None and not packet.is_fragment or packet.has_ports:
        protocol, remote, remote_port, port = flow_key(packet, False)
        packet.set_port("dst", ports.external(protocol, step.inside, port, remote, remote_port))
    inner = packet.quoted()
    packet.set_address("dst", EXTERNAL)
    if inner and inner.src == step.inside:
        if inner.port("src") is not None:
            protocol, remote, remote_port, port = flow_key(inner, True)
            inner.set_port("src", ports.external(protocol, step.inside, port, remote, remote_port))
        inner.set_address("src", EXTERNAL)
        packet.replace_quoted(inner)
    return bytes(packet.data) + tail


def through_kernel(steps, **how):
    """Fills in step.out["kernel"] and returns the ports that the kernel gave."""
    ports, parts = Ports(), {}
    with kernel.Kernel(**how) as router:
        for step in steps:
            step.out["kernel"] = router.give(step.side, to_external(step, ports))
            if step.side == "in":
                ports.learn_all(whole(step.packet, parts), step.out["kernel"])
    return ports


def whole(packet, parts):
    """The packet, or what it completes: the kernel reassembles before it translates."""
    if packet.bad or not packet.is_fragment:
        return packet
    key = packet.src, packet.dst, packet.protocol, packet.ident
    found = parts.setdefault(key, [])
    found.append(packet)
    done = reassemble(found)
    if done:
        del parts[key]
    return done or packet


def ether(packet):
    kind = b"\x86\xdd" if packet[:1] and packet[0] >> 4 == 6 else b"\x08\0"
    return bytes.fromhex("020000000011020000000001") + kind + packet


def run_router(steps, ports, inside, directory, in_mtu=9000, out_mtu=1500, inside6=(), extra="", args=()):
    """One run of leat-router over all steps; its output by step."""
    ipv6 = min(in_mtu, out_mtu) >= 1280
    names = {
        "in_address": kernel.IN_ADDRESS, "out_address": kernel.OUT_ADDRESS, "external": kernel.EXTERNAL,
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


def canonical(data, ports, step):
    """What came out with inside endpoints instead of external ones, and without what may differ."""
    if data[0] >> 4 != 4:
        return canonical6(data)
    packet = Packet(data)
    if packet.bad:
        return b"bad: " + data
    wrong = packet.wrong_sum()
    if wrong and (step is None or (not step.packet.bad and step.packet.wrong_sum() is None)):
        return f"wrong {wrong} checksum in ".encode() + data
    if packet.src == EXTERNAL:
        to_inside(packet, ports)
    inner = packet.quoted()
    if inner and inner.dst == EXTERNAL:
        if inner.port("dst") is not None:
            protocol, remote, remote_port, port = flow_key(inner, False)
            found = ports.inside(protocol, port, remote, remote_port)
            if found:
                inner.set_port("dst", found[1])
                inner.set_address("dst", found[0])
        packet.replace_quoted(inner)
    if born_here(packet, step):
        return own_error(packet)
    packet.set_bytes(4, b"\0\0")
    return bytes(packet.data)


def to_inside(packet, ports):
    if packet.port("src") is None:
        return
    protocol, remote, remote_port, port = flow_key(packet, True)
    found = ports.inside(protocol, port, remote, remote_port)
    if found:
        packet.set_port("src", found[1])
        packet.set_address("src", found[0])


def born_here(packet, step):
    """An ICMP error of the router itself, from whichever of its addresses; what an inside host says has
    the external address, too."""
    if not packet.is_error:
        return False
    said_inside = step is not None and step.side == "in" and not step.packet.bad and step.packet.is_error
    own = {address(kernel.IN_ADDRESS), address(kernel.OUT_ADDRESS)} | (set() if said_inside else {EXTERNAL})
    return packet.src in own


def own_error(packet):
    """Of an error that the router makes: to whom, what, and the header and 8 bytes of what it is about.
    Which of its addresses it comes from, how much more is quoted, and the header's other fields, are a
    router's choice."""
    inner = packet.quoted()
    head = packet.dst + packet.l4[:2] + (packet.l4[6:8] if packet.l4[:2] == b"\3\4" else b"")
    if inner is None:
        return head + b"nothing quoted"
    return head + bytes(inner.data[:inner.header_len + 8])


def canonical6(data):
    if data[6] != 58 or len(data) < 48 or data[40] >= 128:
        return data
    return data[8:40] + data[40:42] + (data[44:48] if data[40] == 2 else b"") + data[48:48 + 40 + 8]


def reassembled(frames):
    """Whole packets out of fragments; others as they are. What is not complete is left out."""
    out, parts = [], {}
    for side, data in frames:
        packet = Packet(data) if data[0] >> 4 == 4 else None
        if packet is None or packet.bad or not packet.is_fragment:
            out.append((side, data))
        else:
            key = side, packet.src, packet.dst, packet.protocol, packet.ident
            parts.setdefault(key, []).append(packet)
    for key, found in parts.items():
        whole = reassemble(found)
        if whole:
            out.append((key[0], bytes(whole.data)))
    return out


class Difference(Exception):
    """Two routers that do not agree, and where."""


def show(frames):
    if not frames:
        return "    nothing"
    lines = []
    for side, data in frames:
        what = repr(Packet(data)) if data[:1] and data[0] >> 4 == 4 else data[:64].hex()
        lines.append(f"    {side}: {what}")
    return "\n".join(lines)


def as_text(found):
    return "\n".join(f"    {side}: {data[:96].hex()}" for side, data in found) or "    nothing"


# What may differ, and why: name, what it means, and when it is so, from a step and what came out of
# the kernel and of leat-router.
RULES = []


def rule(what):
    def add(function):
        RULES.append((function.__name__.replace("_", "-"), what, function))
        return function
    return add


@rule("the kernel writes the checksum of ICMP data that sum up to nothing as 0 instead of 0xffff")
def kernel_sums_nothing_to_zero(step, kernels, leats):
    if len(kernels) != 1 or len(leats) != 1 or kernels[0][0] != leats[0][0] or kernels[0][1][0] >> 4 != 4:
        return False
    theirs, ours = Packet(kernels[0][1]), Packet(leats[0][1])
    if theirs.protocol != ICMP or theirs.wrong_sum() != "ICMP" or ours.wrong_sum():
        return False
    theirs.data[22:24] = ours.data[22:24]
    return theirs.data == ours.data


def to_ordinary(data):
    return [octet not in (0, *range(240, 255)) for octet in (data[12], data[16])] == [True, True]


@rule("the kernel takes addresses of 0.0.0.0/8, 240.0.0.0/4 and :: for ordinary ones, RFC 1812 5.3.7 and RFC 4291 "
      "do not")
def kernel_routes_martians(step, kernels, leats):
    if step.data[0] >> 4 == 6:
        return not leats and bytes(step.data[24:40]) == bytes(16)
    return not leats and not to_ordinary(step.data)


@rule("to who sends to a link-local address beyond its link the kernel says that there is no route, leat-router nothing")
def kernel_answers_link_local(step, kernels, leats):
    return (step.data[0] >> 4 == 6 and not leats and step.data[24:26] == b"\xfe\x80" and len(kernels) == 1 and
            kernels[0][1][40:41] == b"\1")


@rule("the kernel writes its address or the time into options that ask for it; leat-router leaves options alone")
def kernel_fills_in_options(step, kernels, leats):
    packet = step.packet
    if packet.bad or len(kernels) != 1 or len(leats) != 1 or kernels[0][0] != leats[0][0]:
        return False
    theirs, ours = Packet(kernels[0][1]), Packet(leats[0][1])
    if theirs.header_len == 20 or theirs.header_len != ours.header_len:
        return False
    if not {7, 0x44} & set(packet.data[20:packet.header_len]):
        return False
    return theirs.data[theirs.header_len:] == ours.data[ours.header_len:] and theirs.data[12:20] == ours.data[12:20]


@rule("the kernel answers malformed options with an ICMP error, leat-router drops or forwards the packet")
def kernel_complains_about_options(step, kernels, leats):
    if step.packet.bad or step.packet.header_len == 20 or len(kernels) != 1:
        return False
    error = Packet(kernels[0][1])
    return error.is_error and error.l4[0] == 12


@rule("the kernel drops transport headers whose own lengths do not fit, leat-router translates them as they are")
def kernel_checks_transport_lengths(step, kernels, leats):
    packet = step.packet
    if kernels or len(leats) != 1 or packet.bad or packet.is_fragment:
        return False
    l4 = packet.l4
    if packet.protocol == TCP and len(l4) >= 20:
        return not 20 <= (l4[12] >> 4) * 4 <= len(l4)
    if packet.protocol == UDP and len(l4) >= 8:
        length = int.from_bytes(l4[4:6], "big")
        return length < 8 or length > len(l4)
    return False


@rule("of TCP flags that mean nothing in a packet whose time has run out, the kernel minds the time first")
def kernel_minds_time_first(step, kernels, leats):
    packet = step.packet
    if leats or len(kernels) != 1 or packet.bad or packet.protocol != TCP or packet.ttl > 1 or len(packet.l4) < 20:
        return False
    flags = packet.l4[13]
    nothing = not flags & 0x17 or (flags & 2 and flags & 5) or flags & 0x17 == 1
    return bool(nothing) and Packet(kernels[0][1]).l4[:2] == b"\x0b\0"


@rule("the kernel drops TCP segments that do not fit the state in which it sees the connection")
def kernel_follows_tcp(step, kernels, leats):
    packet = step.packet
    return (not kernels and len(leats) == 1 and not packet.bad and packet.protocol == TCP and
            not packet.is_fragment and leats[0][0] != step.side and len(packet.l4) >= 20)


def compare(steps, kernel_ports, leat_ports, seen=None):
    """Raises a Difference, or counts in `seen` the rules that were needed."""
    seen = {} if seen is None else seen
    for name, ports in (("the kernel", kernel_ports), ("leat-router", leat_ports)):
        for key, found in ports.shared().items():
            raise Difference(f"{name} gave external port {key[1]} to {sorted(found)} towards the same remote end")
    fragments = {"kernel": [], "leat": []}
    for step in steps:
        packet = step.packet
        if step.data[0] >> 4 == 4 and not packet.bad and packet.is_fragment:
            # The kernel's come out together, some under the same identification as others.
            fragments["kernel"] += reassembled(step.out["kernel"])
            fragments["leat"] += step.out["leat"]
            continue
        compare_step(step, kernel_ports, leat_ports, seen)
    kernels, leats = (sorted((side, canonical(data, ports, None)) for side, data in reassembled(fragments[who]))
                      for who, ports in (("kernel", kernel_ports), ("leat", leat_ports)))
    if kernels != leats:
        only_kernel = [entry for entry in kernels if entry not in leats]
        only_leat = [entry for entry in leats if entry not in kernels]
        raise Difference(f"fragments: {len(kernels)} packets of the kernel, {len(leats)} of leat-router\n"
                         f"  only the kernel\n{as_text(only_kernel)}\n  only leat-router\n{as_text(only_leat)}")
    return seen


def compare_step(step, kernel_ports, leat_ports, seen):
    kernels = sorted((side, canonical(data, kernel_ports, step)) for side, data in reassembled(step.out["kernel"]))
    leats = sorted((side, canonical(data, leat_ports, step)) for side, data in reassembled(step.out["leat"]))
    if kernels == leats:
        return
    for name, _, allows in RULES:
        if allows(step, step.out["kernel"], step.out["leat"]):
            seen[name] = seen.get(name, 0) + 1
            return
    raise Difference(f"{step}\n  kernel\n{show(step.out['kernel'])}\n  leat-router\n{show(step.out['leat'])}\n"
                     f"  without what may differ, kernel\n{as_text(kernels)}\n  leat-router\n{as_text(leats)}")


def leaks(steps, inside, who):
    """Steps whose output outside still has an inside source."""
    nets = [ipaddress.ip_network(net) for net in inside]
    for step in steps:
        for side, data in step.out[who]:
            if side == "out" and data[0] >> 4 == 4:
                source = ipaddress.ip_address(bytes(data[12:16]))
                if any(source in net for net in nets):
                    return step
    return None


def check(steps, inside, seen=None, extra="", **how):
    """Both routers, and the comparison. Returns the rules that were needed and leat-router's report."""
    kernel_how = dict(how, inside=inside)
    kernel_ports = through_kernel(steps, **kernel_how)
    how.pop("check", None)
    leat_ports, report = through_router(steps, inside=inside, extra=extra, **how)
    leak = leaks(steps, inside, "leat")
    if leak:
        raise Difference(f"{leak}\n  leaves with its inside source\n{show(leak.out['leat'])}")
    return compare(steps, kernel_ports, leat_ports, seen), report
