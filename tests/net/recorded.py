# SPDX-License-Identifier: MIT
"""Any capture as steps for the comparison: whatever its format and link type, its IPv4 packets, each
with the side that it comes from. tcpdump reads the formats, so that leat's reader is not its own judge."""
import ipaddress
import subprocess

from packets import Packet, reassemble
from runs import captures
from steps import Step

PRIVATE = ("10.0.0.0/8", "172.16.0.0/12", "192.168.0.0/16")


class Unusable(Exception):
    """Why a capture cannot be compared."""


def network_layer(link, data):
    """The packet behind the link header and VLAN tags, or None if it is not IPv4."""
    at = {1: 12, 113: 14}.get(link)
    if at is not None:
        while data[at:at + 2] in (b"\x81\0", b"\x88\xa8", b"\x91\0"):
            at += 4
        return data[at + 2:] if data[at:at + 2] == b"\x08\0" else None
    if link in (101, 12, 14, 228):
        return data if data[:1] and data[0] >> 4 == 4 else None
    if link == 276:
        return data[20:] if data[:2] == b"\x08\0" else None
    if link in (0, 108):
        return data[4:] if data[:4] in (b"\2\0\0\0", b"\0\0\0\2") else None
    raise Unusable(f"link type {link} is not routed")


def is_in(raw, nets):
    return any(ipaddress.ip_address(bytes(raw)) in net for net in nets)


def choose_inside(packets):
    """Private addresses, if some packet crosses between them and others; else the first source."""
    private = [ipaddress.ip_network(net) for net in PRIVATE]
    for packet in packets:
        if is_in(packet.src, private) != is_in(packet.dst, private) and packet.dst[0] < 224:
            return PRIVATE
    for packet in packets:
        if packet.src[0] not in (0, 127) and packet.src[0] < 224:
            return (f"{ipaddress.ip_address(packet.src)}/32",)
    raise Unusable("no IPv4 packet with an ordinary source")


def fill_checksums(packets):
    """Of whole packets, and of those that fragments make, whose sum is in the first of them."""
    parts = {}
    for packet in packets:
        packet.fill_checksums()
        if not packet.is_fragment:
            continue
        key = packet.src, packet.dst, packet.protocol, packet.ident
        parts.setdefault(key, []).append(packet)
        whole = reassemble(parts[key])
        if whole:
            first = min(parts.pop(key), key=lambda p: p.offset)
            whole.fill_checksums()
            first.data[first.header_len:] = whole.data[whole.header_len:whole.header_len + len(first.l4)]


def load(path, fill=True, limit=2000):
    """(steps, inside networks, how many packets were left out). With `fill`, checksums that the sender's
    card would have made are filled in."""
    done = subprocess.run(["tcpdump", "-r", path, "-w", "-"], capture_output=True, check=False)
    if len(done.stdout) < 24:
        raise Unusable("tcpdump cannot read it: " + done.stderr.decode().strip().split("\n")[-1])
    link, _, frames = captures.read_pcap(done.stdout)
    found = []
    for frame in frames:
        data = network_layer(link & 0xFFFF, frame.data)
        if data is not None and len(frame.data) == frame.wire_len:
            found.append(data)
    packets = list(map(Packet, found))
    good = [p for p in packets if not p.bad]
    if fill:
        fill_checksums(good)
    inside = choose_inside(good)
    nets = [ipaddress.ip_network(net) for net in inside]
    steps = []
    for packet, data in zip(packets, found):
        if len(steps) == limit:
            break
        if packet.bad:
            if data:
                steps.append(Step(len(steps), data, "in"))
            continue
        if len(packet.data) > 8900: # longer than the links here carry
            continue
        if fill:
            data = bytes(packet.data) + data[len(packet.data):]
        if is_in(packet.src, nets):
            steps.append(Step(len(steps), data, "in"))
        elif is_in(packet.dst, nets):
            steps.append(Step(len(steps), data, "out", packet.dst))
    if not steps:
        raise Unusable("none of its packets is between inside and outside")
    return steps, inside, len(frames) - len(steps)
