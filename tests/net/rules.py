# SPDX-License-Identifier: MIT
"""What may differ between the kernel and leat-router, and why. A rule is true of a step, and of what came
out of the kernel and of leat-router, if that is so because of it."""
from packets import ICMP, TCP, UDP, Packet

RULES = [] # (name, what it means, function)

def rule(what):
    def add(function):
        RULES.append((function.__name__.replace("_", "-"), what, function))
        return function
    return add


@rule("the kernel writes the checksum of ICMP data that sum up to nothing as 0 instead of 0xffff")
def kernel_sums_nothing_to_zero(step, kernels, ours):
    if len(kernels) != 1 or len(ours) != 1 or kernels[0][0] != ours[0][0] or kernels[0][1][0] >> 4 != 4:
        return False
    theirs, mine = Packet(kernels[0][1]), Packet(ours[0][1])
    if theirs.protocol != ICMP or theirs.wrong_sum() != "ICMP" or mine.wrong_sum():
        return False
    theirs.data[22:24] = mine.data[22:24]
    return theirs.data == mine.data


def to_ordinary(data):
    return [octet not in (0, *range(240, 255)) for octet in (data[12], data[16])] == [True, True]


@rule("the kernel takes addresses of 0.0.0.0/8, 240.0.0.0/4 and :: for ordinary ones, RFC 1812 5.3.7 and RFC 4291 "
      "do not")
def kernel_routes_martians(step, kernels, ours):
    if step.data[0] >> 4 == 6:
        return not ours and bytes(step.data[24:40]) == bytes(16)
    return not ours and not to_ordinary(step.data)


@rule("to who sends to a link-local address beyond its link the kernel says that there is no route, leat-router nothing")
def kernel_answers_link_local(step, kernels, ours):
    return (step.data[0] >> 4 == 6 and not ours and step.data[24:26] == b"\xfe\x80" and len(kernels) == 1 and
            kernels[0][1][40:41] == b"\1")


@rule("the kernel writes its address or the time into options that ask for it; leat-router leaves options alone")
def kernel_fills_in_options(step, kernels, ours):
    packet = step.packet
    if packet.bad or len(kernels) != 1 or len(ours) != 1 or kernels[0][0] != ours[0][0]:
        return False
    theirs, mine = Packet(kernels[0][1]), Packet(ours[0][1])
    if theirs.header_len == 20 or theirs.header_len != mine.header_len:
        return False
    if not {7, 0x44} & set(packet.data[20:packet.header_len]):
        return False
    return theirs.data[theirs.header_len:] == mine.data[mine.header_len:] and theirs.data[12:20] == mine.data[12:20]


@rule("the kernel answers malformed options with an ICMP error, leat-router drops or forwards the packet")
def kernel_complains_about_options(step, kernels, ours):
    if step.packet.bad or step.packet.header_len == 20 or len(kernels) != 1:
        return False
    error = Packet(kernels[0][1])
    return error.is_error and error.l4[0] == 12


@rule("the kernel drops transport headers whose own lengths do not fit, leat-router translates them as they are")
def kernel_checks_transport_lengths(step, kernels, ours):
    packet = step.packet
    if kernels or len(ours) != 1 or packet.bad or packet.is_fragment:
        return False
    l4 = packet.l4
    if packet.protocol == TCP and len(l4) >= 20:
        return not 20 <= (l4[12] >> 4) * 4 <= len(l4)
    if packet.protocol == UDP and len(l4) >= 8:
        length = int.from_bytes(l4[4:6], "big")
        return length < 8 or length > len(l4)
    return False


@rule("of TCP flags that mean nothing in a packet whose time has run out, the kernel minds the time first")
def kernel_minds_time_first(step, kernels, ours):
    packet = step.packet
    if ours or len(kernels) != 1 or packet.bad or packet.protocol != TCP or packet.ttl > 1 or len(packet.l4) < 20:
        return False
    flags = packet.l4[13]
    nothing = not flags & 0x17 or (flags & 2 and flags & 5) or flags & 0x17 == 1
    return bool(nothing) and Packet(kernels[0][1]).l4[:2] == b"\x0b\0"


@rule("the kernel drops TCP segments that do not fit the state in which it sees the connection")
def kernel_follows_tcp(step, kernels, ours):
    packet = step.packet
    return (not kernels and len(ours) == 1 and not packet.bad and packet.protocol == TCP and
            not packet.is_fragment and ours[0][0] != step.side and len(packet.l4) >= 20)
