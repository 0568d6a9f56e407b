# SPDX-License-Identifier: MIT
"""What came out of both routers, compared. Ports may differ, as long as each router tells its inside
endpoints apart; identifications, too, of packets that may be fragmented; fragments are compared as what
they make together. What else may differ is in rules.py."""
import ipaddress

import kernel
import runs
from packets import Packet, address
from rules import RULES
from steps import EXTERNAL, flow_key, reassembled


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
    return data[8:40] + data[40:42] + (data[44:48] if data[40] in (2, 4) else b"") + data[48:48 + 40 + 8]


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
    kernels, ours = (sorted((side, canonical(data, ports, None)) for side, data in reassembled(fragments[who]))
                      for who, ports in (("kernel", kernel_ports), ("leat", leat_ports)))
    if kernels != ours:
        only_kernel = [entry for entry in kernels if entry not in ours]
        only_leat = [entry for entry in ours if entry not in kernels]
        raise Difference(f"fragments: {len(kernels)} packets of the kernel, {len(ours)} of leat-router\n"
                         f"  only the kernel\n{as_text(only_kernel)}\n  only leat-router\n{as_text(only_leat)}")
    return seen


def compare_step(step, kernel_ports, leat_ports, seen):
    kernels = sorted((side, canonical(data, kernel_ports, step)) for side, data in reassembled(step.out["kernel"]))
    ours = sorted((side, canonical(data, leat_ports, step)) for side, data in reassembled(step.out["leat"]))
    if kernels == ours:
        return
    for name, _, allows in RULES:
        if allows(step, step.out["kernel"], step.out["leat"]):
            seen[name] = seen.get(name, 0) + 1
            return
    raise Difference(f"{step}\n  kernel\n{show(step.out['kernel'])}\n  leat-router\n{show(step.out['leat'])}\n"
                     f"  without what may differ, kernel\n{as_text(kernels)}\n  leat-router\n{as_text(ours)}")


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
    kernel_ports = runs.through_kernel(steps, **kernel_how)
    how.pop("check", None)
    leat_ports, report = runs.through_router(steps, inside=inside, extra=extra, **how)
    leak = leaks(steps, inside, "leat") if how.get("nat", True) else None
    if leak:
        raise Difference(f"{leak}\n  leaves with its inside source\n{show(leak.out['leat'])}")
    return compare(steps, kernel_ports, leat_ports, seen), report
