# SPDX-License-Identifier: MIT
"""A capture as steps, each an IP packet and the side that it comes in from; and what a router does to
ports. What went to an inside address is sent to the external one instead, at the port that the router
gave, so that each router is asked in its own words."""
import kernel
from packets import ICMP, Packet, address, reassemble

EXTERNAL = address(kernel.EXTERNAL)
NOBODYS = 9


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
