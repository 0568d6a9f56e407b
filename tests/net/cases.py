# SPDX-License-Identifier: MIT
"""Captures of our own, each for a line of the behaviour that RFCs ask of a router and a NAT. A case is a
function that adds packets to a list; its first line says what it is for."""
import random
import struct

from packets import (FRAGMENT, HOP_BY_HOP, ICMP, NOTHING, OPTIONS, ROUTING, TCP, UDP, Packet, address, address6, dotted,
                     echo, extended, fragments, icmp, icmp6, ip, ip6, tcp, tcp6, udp, udp6)
from steps import Step

HOST, OTHER, THIRD = "10.1.2.3", "10.1.2.4", "10.200.0.1"
SERVER, SECOND, HOP = "93.184.216.34", "20.0.0.1", "80.1.1.1"
HOST6, OTHER6, SERVER6 = "2001:db8:100::5", "2001:db8:100:7::9", "2a00:1450::1"
INSIDE, INSIDE6 = ("10.0.0.0/8",), ("2001:db8:100::/48",)
CASES = []


class Script:
    """The steps of a case. Packets from inside hosts come in inside, all others outside, where those to
    inside hosts go to the external address instead."""

    def __init__(self):
        self.steps = []

    def add(self, *packets, side=None, raw=False):
        for packet in packets:
            data = bytes(packet.data) if isinstance(packet, Packet) else packet
            if data[0] >> 4 == 6:
                where = "in" if data[8:14] == address6("2001:db8:100::")[:6] else "out"
                self.steps.append(Step(len(self.steps), data, side or where))
                continue
            inside_source = data[12:13] == b"\x0a"
            inside = data[16:20] if data[16:17] == b"\x0a" and not inside_source and not raw else None
            where = side or ("in" if inside_source else "out")
            self.steps.append(Step(len(self.steps), data, where, inside))


def case(**how):
    def add(function):
        CASES.append((function.__name__.replace("_", "-"), function.__doc__.strip(), function, dict(how, inside6=INSIDE6)))
        return function
    return add


def changed(packet, at, new, fill=False):
    """A packet with other bytes in it, whose sums are wrong then unless filled in."""
    data = bytearray(packet.data)
    data[at:at + len(new)] = new
    out = Packet(bytes(data))
    out.data = data
    if fill:
        out.fill_checksums()
    return out


def quoting(packet, kind, code, src=HOP, length=None, rest=b"\0\0\0\0", **how):
    """An ICMP error about a packet, to where that came from."""
    quoted = bytes(packet.data)[:length or packet.header_len + 8]
    return icmp(src, dotted(packet.src), kind, code, rest, quoted, **how)


@case()
def udp_both_ways(s):
    """UDP is translated and answered; RFC 4787 REQ-1 as seen from one destination"""
    for i in range(5):
        s.add(udp(HOST, 4000, SERVER, 53, b"question %d" % i, ident=i))
        s.add(udp(SERVER, 53, HOST, 4000, b"answer %d" % i, ident=i))
    s.add(udp(HOST, 4000, SECOND, 53), udp(SECOND, 53, HOST, 4000))
    s.add(udp(HOST, 53, SERVER, 53), udp(SERVER, 53, HOST, 53))
    s.add(udp(HOST, 65535, SERVER, 65535), udp(SERVER, 65535, HOST, 65535))


@case()
def udp_of_every_length(s):
    """Lengths odd and even, none at all, up to what a packet holds; C9"""
    for length in (0, 1, 2, 3, 7, 17, 100, 1471, 1472):
        s.add(udp(HOST, 4000, SERVER, 53, bytes(range(256)) * 6 if length > 1500 else bytes(length)))
        s.add(udp(SERVER, 53, HOST, 4000, bytes([255]) * length))


@case()
def c3_udp_without_checksum(s):
    """A UDP checksum of 0 stays 0; RFC 768"""
    s.add(udp(HOST, 4000, SERVER, 53, check=False), udp(SERVER, 53, HOST, 4000, check=False))


@case()
def c4_udp_checksum_that_becomes_zero(s):
    """A computed 0 is written as 0xffff; RFC 768, RFC 1624"""
    for _ in range(3):
        # As the router will send it, it sums up to 0: the payload is chosen for that.
        translated = udp("198.18.2.1", 4000, SERVER, 53, b"\0\0ab")
        check = struct.unpack_from(">H", translated.l4, 6)[0]
        s.add(udp(HOST, 4000, SERVER, 53, struct.pack(">H", check) + b"ab"))
    s.add(udp(SERVER, 53, HOST, 4000, b"\0\0ab"))


@case()
def c5_zero_data(s):
    """Data of all zeros or ones, where sums of +0 and -0 meet; RFC 1624"""
    for fill in (b"\0", b"\xff"):
        s.add(echo(HOST, SERVER, 0, seq=0, payload=fill * 40), echo(SERVER, HOST, 0, seq=0, reply=True, payload=fill * 40))
        s.add(udp(HOST, 4000, SERVER, 53, fill * 40), udp(SERVER, 53, HOST, 4000, fill * 40))


@case()
def tcp_from_syn_to_fin(s):
    """A connection opens, talks and closes; RFC 5382 REQ-2"""
    s.add(tcp(HOST, 4000, SERVER, 80, "S", 100, options=b"\2\4\5\xb4"), tcp(SERVER, 80, HOST, 4000, "SA", 500, 101))
    s.add(tcp(HOST, 4000, SERVER, 80, "A", 101, 501))
    s.add(tcp(HOST, 4000, SERVER, 80, "PA", 101, 501, b"GET"), tcp(SERVER, 80, HOST, 4000, "PA", 501, 104, b"x"))
    s.add(tcp(HOST, 4000, SERVER, 80, "FA", 104, 502), tcp(SERVER, 80, HOST, 4000, "A", 502, 105))
    s.add(tcp(SERVER, 80, HOST, 4000, "FA", 502, 105), tcp(HOST, 4000, SERVER, 80, "A", 105, 503))
    s.add(tcp(HOST, 4000, SERVER, 80, "S", 9000), tcp(SERVER, 80, HOST, 4000, "SA", 9500, 9001))


@case()
def tcp_simultaneous_open(s):
    """Both sides send SYN; RFC 5382 REQ-2; C13"""
    s.add(tcp(HOST, 4000, SERVER, 4001, "S", 100), tcp(SERVER, 4001, HOST, 4000, "S", 500))
    s.add(tcp(HOST, 4000, SERVER, 4001, "SA", 100, 501), tcp(SERVER, 4001, HOST, 4000, "SA", 500, 101))
    s.add(tcp(HOST, 4000, SERVER, 4001, "A", 101, 501), tcp(SERVER, 4001, HOST, 4000, "PA", 501, 101, b"data"))


@case()
def tcp_in_the_middle(s):
    """A capture that begins within a connection"""
    s.add(tcp(HOST, 4000, SERVER, 80, "PA", 101, 501, b"GET"), tcp(SERVER, 80, HOST, 4000, "PA", 501, 104, b"200"))
    s.add(tcp(HOST, 4001, SERVER, 80, "A", 101, 501), tcp(SERVER, 80, HOST, 4001, "FA", 501, 101))


@case()
def c11_reset_then_data(s):
    """What is in flight when a connection is reset; RFC 7857 section 2"""
    s.add(tcp(HOST, 4000, SERVER, 80, "S", 100), tcp(SERVER, 80, HOST, 4000, "SA", 500, 101))
    s.add(tcp(HOST, 4000, SERVER, 80, "A", 101, 501), tcp(HOST, 4000, SERVER, 80, "RA", 101, 501))
    s.add(tcp(SERVER, 80, HOST, 4000, "PA", 501, 101, b"late"))


@case()
def tcp_flags_that_mean_nothing(s):
    """Scans: no flag, all flags, SYN with FIN or RST; never out with an inside source"""
    for i, flags in enumerate(("", "FPU", "SF", "SR", "FSRPAU", "F", "U", "P")):
        s.add(tcp(HOST, 4000 + i, SERVER, 80, flags))
    s.add(tcp(HOST, 4100, SERVER, 80, "R"), tcp(HOST, 4101, SERVER, 80, "RA"))


@case()
def c12_again_from_time_wait(s):
    """The same ends open again after a close; a new connection"""
    for start in (100, 100000):
        s.add(tcp(HOST, 4000, SERVER, 80, "S", start), tcp(SERVER, 80, HOST, 4000, "SA", start + 5, start + 1))
        s.add(tcp(HOST, 4000, SERVER, 80, "A", start + 1, start + 6), tcp(HOST, 4000, SERVER, 80, "FA", start + 1, start + 6))
        s.add(tcp(SERVER, 80, HOST, 4000, "FA", start + 6, start + 2), tcp(HOST, 4000, SERVER, 80, "A", start + 2, start + 7))


@case()
def icmp_queries(s):
    """Identifiers are translated; RFC 5508 REQ-1"""
    for i in range(3):
        s.add(echo(HOST, SERVER, 77, seq=i), echo(SERVER, HOST, 77, seq=i, reply=True))
    s.add(echo(OTHER, SERVER, 78), echo(SERVER, OTHER, 78, reply=True))
    s.add(icmp(HOST, SERVER, 13, 0, b"\0\5\0\1", bytes(12)), icmp(SERVER, HOST, 14, 0, b"\0\5\0\1", bytes(12)))
    s.add(echo(HOST, SERVER, 0, payload=b""), echo(SERVER, HOST, 0, payload=b"", reply=True))
    s.add(echo(HOST, SERVER, 65535, payload=b"x"), echo(SERVER, HOST, 65535, payload=b"x", reply=True))


@case()
def icmp_answers_that_nobody_asked_for(s):
    """Replies without a question, from either side"""
    s.add(echo(HOST, SERVER, 99, reply=True), icmp(HOST, SERVER, 14, 0, b"\0\5\0\1", bytes(12)))
    s.add(echo(SERVER, HOST, 99, reply=True))


@case()
def ports_that_are_taken(s):
    """Two hosts with the same port to the same end, answered apart; RFC 4787 REQ-3, RFC 5508 REQ-1"""
    for host in (HOST, OTHER, THIRD):
        s.add(udp(host, 4000, SERVER, 53, host.encode()), tcp(host, 4000, SERVER, 80, "S"), echo(host, SERVER, 77))
    for host in (THIRD, HOST, OTHER):
        s.add(udp(SERVER, 53, host, 4000, host.encode()), tcp(SERVER, 80, host, 4000, "SA", 5, 1001))
        s.add(echo(SERVER, host, 77, reply=True))


@case()
def from_outside_unasked(s):
    """Nothing comes in that no host has asked for; RFC 4787 REQ-8"""
    s.add(udp(SERVER, 53, HOST, 4000), tcp(SERVER, 80, HOST, 4000, "S"), tcp(SERVER, 80, HOST, 4000, "A"))
    s.add(echo(SERVER, HOST, 5))
    s.add(udp(HOST, 4000, SERVER, 53))
    s.add(udp(SERVER, 54, HOST, 4000), udp(SECOND, 53, HOST, 4000), tcp(SERVER, 53, HOST, 4000, "S"))


@case()
def from_outside_straight_to_an_inside_address(s):
    """What is addressed to an inside host by somebody outside"""
    s.add(udp(HOST, 4000, SERVER, 53))
    s.add(udp(SERVER, 53, HOST, 4000), raw=True)
    s.add(echo(SERVER, HOST, 5), raw=True)


def asked(s):
    """Packets that have passed, for errors to be about."""
    sent = [udp(HOST, 4000, SERVER, 53, b"a longer question", ident=7), tcp(HOST, 4001, SERVER, 80, "S", 100),
            echo(HOST, SERVER, 77)]
    s.add(*sent)
    return sent


@case()
def icmp_errors_from_outside(s):
    """Errors about translated packets reach who sent them; RFC 5508 REQ-3, 4; C6"""
    for packet in asked(s):
        for kind, code in ((3, 0), (3, 1), (3, 3), (3, 13), (11, 0), (11, 1), (12, 0), (4, 0)):
            s.add(quoting(packet, kind, code))
        s.add(quoting(packet, 3, 4, rest=struct.pack(">HH", 0, 1400)), quoting(packet, 3, 3, src=SERVER))


@case()
def icmp_errors_that_quote_more(s):
    """All of the packet, a part of it, or extensions behind it (RFC 4884); RFC 5508 REQ-3d"""
    for packet in asked(s):
        for length in (28, 29, 36, 40, 44, len(packet.data)):
            s.add(quoting(packet, 3, 3, length=length))
        extended = bytes(packet.data).ljust(128, b"\0") + bytes.fromhex("2000 0000 0008 0101 0001 0001".replace(" ", ""))
        s.add(icmp(HOP, HOST, 11, 0, b"\0\x20\0\0", extended))


@case()
def icmp_errors_about_packets_with_options(s):
    """The quoted header may be longer; RFC 5508 REQ-3b"""
    packet = udp(HOST, 4000, SERVER, 53, options=b"\1" * 11 + b"\0")
    s.add(packet)
    s.add(quoting(packet, 3, 3), quoting(packet, 11, 0, length=len(packet.data)))


@case()
def icmp_errors_that_are_damaged(s):
    """Quotes too short, of nothing, with wrong sums, about packets that nobody sent; RFC 5508 REQ-3"""
    packet = asked(s)[0]
    s.add(icmp(HOP, HOST, 3, 3, payload=bytes(packet.data)[:20]), icmp(HOP, HOST, 3, 3, payload=b""))
    s.add(icmp(HOP, HOST, 3, 3, payload=bytes(packet.data)[:12]), icmp(HOP, HOST, 3, 3, payload=bytes(packet.data)[:24]))
    s.add(quoting(udp(HOST, 4999, SERVER, 53), 3, 3), quoting(udp(HOST, 4000, SECOND, 53), 3, 3))


@case()
def icmp_errors_from_inside(s):
    """A host complains about what reached it: the quote is of what its peer sent; RFC 5508 REQ-5"""
    asked(s)
    answers = [udp(SERVER, 53, HOST, 4000, b"an answer"), tcp(SERVER, 80, HOST, 4001, "SA", 5, 101),
               echo(SERVER, HOST, 77, reply=True)]
    s.add(*answers)
    for packet in answers:
        s.add(quoting(packet, 3, 3, src=HOST), quoting(packet, 3, 2, src=HOST, length=len(packet.data)))
        s.add(quoting(packet, 11, 0, src=THIRD))
    s.add(quoting(udp(SECOND, 1, HOST, 2), 3, 3, src=HOST))


@case()
def icmp_messages_of_other_kinds(s):
    """Redirects, solicitations, and types that nobody knows"""
    packet = asked(s)[0]
    s.add(quoting(packet, 5, 1, rest=address(HOP)))
    for kind in (5, 9, 10, 15, 16, 17, 18, 30, 42, 255):
        s.add(icmp(HOST, SERVER, kind, 0, b"\0\5\0\1", bytes(20)))


@case()
def time_to_live(s):
    """0 and 1 end here, with an error; RFC 1812 5.3.1"""
    s.add(udp(HOST, 4000, SERVER, 53))
    for ttl in (0, 1, 2, 255):
        s.add(udp(HOST, 4000, SERVER, 53, ttl=ttl), udp(SERVER, 53, HOST, 4000, ttl=ttl))
        s.add(tcp(HOST, 4002, SERVER, 80, "S", ttl=ttl), echo(HOST, SERVER, 5, ttl=ttl))
    s.add(udp(OTHER, 4000, SERVER, 53, ttl=1))


@case()
def no_errors_about(s):
    """Errors, later fragments, broadcasts and groups: in silence; RFC 1812 4.3.2.7"""
    packet = asked(s)[0]
    s.add(quoting(packet, 3, 3, ttl=1))
    for piece in fragments(udp(HOST, 4000, SERVER, 53, bytes(2000)), 800)[1:]:
        s.add(changed(piece, 8, b"\1", fill=True))
    s.add(udp(HOST, 4000, "224.0.0.251", 5353, ttl=1), udp(HOST, 4000, "255.255.255.255", 67))


@case(out_mtu=600)
def too_big_outward(s):
    """Longer than the output's MTU: fragmented, or an error that names it; RFC 1812 5.2.6, RFC 1191"""
    for length in (572, 573, 600, 1400, 3000):
        s.add(udp(HOST, 4000, SERVER, 53, bytes(range(250)) * 12, ident=length))
        s.add(udp(HOST, 4000, SERVER, 53, bytes(length), ident=length, flags=0))
        s.add(udp(HOST, 4000, SERVER, 53, bytes(length), ident=length, flags=2))
    s.add(tcp(HOST, 4001, SERVER, 80, "S"), tcp(HOST, 4001, SERVER, 80, "A", 1001, 1, bytes(1000), flags=2))
    s.add(echo(HOST, SERVER, 7, payload=bytes(1000)))


@case(in_mtu=700)
def too_big_inward(s):
    """The same for what comes back: the error quotes the external address; RFC 5508 REQ-4"""
    s.add(udp(HOST, 4000, SERVER, 53), tcp(HOST, 4001, SERVER, 80, "S"), echo(HOST, SERVER, 7))
    s.add(udp(SERVER, 53, HOST, 4000, bytes(1200)), udp(SERVER, 53, HOST, 4000, bytes(1200), flags=2))
    s.add(tcp(SERVER, 80, HOST, 4001, "SA", 5, 1001), tcp(SERVER, 80, HOST, 4001, "A", 6, 1001, bytes(1000), flags=2))
    s.add(echo(SERVER, HOST, 7, reply=True, payload=bytes(900), flags=2))


@case()
def fragments_in_order(s):
    """Fragments go through; who asks for reassembly gets it; RFC 4787 REQ-14"""
    for i, packet in enumerate((udp(HOST, 4000, SERVER, 53, bytes(range(200)) * 20, ident=11),
                                tcp(HOST, 4001, SERVER, 80, "PA", 5, 6, bytes(3000), ident=12),
                                echo(HOST, SERVER, 77, payload=bytes(4000), ident=13))):
        s.add(*fragments(packet, 1480 if i else 800))
    s.add(*fragments(udp(SERVER, 53, HOST, 4000, bytes(range(100)) * 30, ident=14), 1000))
    s.add(*fragments(echo(SERVER, HOST, 77, reply=True, payload=bytes(3000), ident=15), 1480))


@case()
def fragments_out_of_order(s):
    """The last one first, two packets mixed; RFC 4787 REQ-14"""
    one = fragments(udp(HOST, 4000, SERVER, 53, bytes(range(200)) * 20, ident=21), 800)
    other = fragments(udp(OTHER, 4000, SERVER, 53, bytes(range(199, -1, -1)) * 20, ident=21), 800)
    s.add(*reversed(one))
    s.add(*(p for pair in zip(other[::-1], fragments(udp(HOST, 4000, SERVER, 53, bytes(4000), ident=22), 800)) for p in pair))
    s.add(*reversed(fragments(udp(SERVER, 53, HOST, 4000, bytes(range(100)) * 30, ident=23), 1000)))


@case()
def fragments_that_lack_one(s):
    """The first, or one in between, never comes"""
    one = fragments(udp(HOST, 4000, SERVER, 53, bytes(4000), ident=31), 800)
    s.add(*one[1:])
    one = fragments(udp(HOST, 4001, SERVER, 53, bytes(4000), ident=32), 800)
    s.add(*one[:2], *one[3:])
    s.add(udp(HOST, 4000, SERVER, 53))


@case()
def headers_that_are_wrong(s):
    """Version, lengths and checksum; RFC 1812 5.2.2; C19"""
    good = udp(HOST, 4000, SERVER, 53, b"data" * 4)
    for byte in (b"\x55", b"\x35", b"\x44", b"\x40", b"\x4f"):
        s.add(changed(good, 0, byte), side="in")
    for length in (0, 1, 19, 21, 27, 45, 65535):
        data = bytearray(good.data)
        struct.pack_into(">H", data, 2, length)
        packet = Packet(bytes(data))
        packet.data = data
        packet.data[10:12] = b"\0\0"
        total = sum(struct.unpack(">10H", bytes(data[:20])))
        total = (total & 0xFFFF) + (total >> 16)
        packet.data[10:12] = struct.pack(">H", ~total & 0xFFFF)
        s.add(packet)
    s.add(changed(good, 10, b"\0\0"), changed(good, 8, b"\x3f"), changed(good, 12, b"\x0a\x01\x02\x05"))
    s.add(good)


@case()
def c8_padding_of_the_frame(s):
    """What Ethernet puts behind a short packet is none of it"""
    for pad in (b"\xff" * 6, b"leat" * 10):
        s.add(bytes(tcp(HOST, 4000, SERVER, 80, "S", 100).data) + pad)
        s.add(bytes(tcp(SERVER, 80, HOST, 4000, "SA", 5, 101).data) + pad)
        s.add(bytes(udp(HOST, 4000, SERVER, 53, b"").data) + pad)


@case()
def martians(s):
    """Addresses that no packet on a wire has; RFC 1812 5.3.7"""
    for source in ("0.0.0.0", "0.1.2.3", "127.0.0.1", "127.255.0.1", "224.0.0.1", "239.1.1.1", "240.0.0.1", "255.255.255.255"):
        s.add(udp(source, 4000, SERVER, 53), side="in")
    for to in ("0.0.0.0", "0.1.2.3", "127.0.0.1", "127.1.1.1", "240.0.0.1", "255.255.255.255", "224.0.0.1", "239.255.255.250"):
        s.add(udp(HOST, 4000, to, 53))


@case()
def broadcasts(s):
    """To all hosts of a network that is ours; RFC 2644"""
    s.add(udp(HOST, 4000, "198.18.1.255", 53), udp(HOST, 4000, "198.18.0.255", 53))
    s.add(udp(SERVER, 53, "198.18.0.255", 4000), side="out")


@case()
def to_the_router_itself(s):
    """Its own addresses, in and out"""
    s.add(udp(HOST, 4000, "198.18.0.1", 53), echo(HOST, "198.18.0.1", 5), echo(HOST, "198.18.1.1", 5))
    s.add(udp(SERVER, 53, "198.18.1.1", 53), tcp(SERVER, 80, "198.18.2.1", 9, "S"), side="out")


@case()
def routes_that_lead_nowhere(s):
    """Unreachable is said, a blackhole is silent; RFC 1812 5.2.7.1"""
    for to in ("203.0.113.9", "198.51.100.9"):
        s.add(udp(HOST, 4000, to, 53), tcp(HOST, 4000, to, 80, "S"), echo(HOST, to, 5), udp(HOST, 4000, to, 53, ttl=1))
    s.add(udp(SERVER, 53, "203.0.113.9", 4000), side="out")


@case()
def options_are_kept(s):
    """Alerts and unknown ones pass; source routes do not; RFC 1812 5.3.13"""
    for options in (b"\1\1\1\1", b"\x94\4\0\0", b"\x55\4\1\2", b"\0\0\0\0"):
        s.add(udp(HOST, 4000, SERVER, 53, options=options), udp(SERVER, 53, HOST, 4000, options=options))
    for kind in (131, 137):
        s.add(udp(HOST, 4000, SERVER, 53, options=bytes([kind, 7, 4]) + address(SECOND) + b"\0"))


@case()
def options_to_be_filled_in(s):
    """Record route and timestamps, with room and without; RFC 1812 5.3.13.4, 5.3.13.5"""
    s.add(udp(HOST, 4000, SERVER, 53, options=b"\7\x0b\4" + bytes(9)), udp(HOST, 4000, SERVER, 53, options=b"\7\7\x08" + bytes(5)))
    s.add(udp(HOST, 4000, SERVER, 53, options=b"\x44\x0c\5\0" + bytes(8)))


@case()
def options_that_are_wrong(s):
    """Lengths that do not fit"""
    for options in (b"\x94\1\0\0", b"\x94\5\0\0", b"\x94\0\0\0", b"\1\1\1\x94"):
        s.add(udp(HOST, 4000, SERVER, 53, options=options))


@case()
def other_protocols(s):
    """Neither TCP, UDP nor ICMP: addresses only"""
    for protocol in (47, 50, 51, 4, 41, 253):
        body = bytes(4) + bytes(range(20)) # as GRE of version 0
        s.add(ip(HOST, SERVER, protocol, body), ip(SERVER, HOST, protocol, body))


@case()
def service_bits(s):
    """DSCP and ECN are left as they are"""
    for tos in (0xB8, 0x03, 0x02, 0xFF):
        s.add(udp(HOST, 4000, SERVER, 53, tos=tos), udp(SERVER, 53, HOST, 4000, tos=tos))


@case()
def within_the_inside(s):
    """From one inside host to another: forwarded as it is"""
    s.add(udp(HOST, 4000, OTHER, 53), tcp(OTHER, 1, HOST, 2, "S"), echo(HOST, THIRD, 7), side="in")


@case()
def headers_that_are_cut(s):
    """Packets that end within the header of their transport"""
    for protocol in (TCP, UDP, ICMP):
        for length in (0, 1, 4, 7):
            s.add(ip(HOST, SERVER, protocol, bytes(range(16, 24))[:length]))
    s.add(ip(HOST, SERVER, TCP, bytes(19)), ip(HOST, SERVER, TCP, b"\0\1\0\2" + bytes(8) + b"\x40\2" + bytes(6)))
    s.add(ip(HOST, SERVER, TCP, b"\0\1\0\2" + bytes(8) + b"\xf0\2" + bytes(6)))
    s.add(ip(HOST, SERVER, UDP, b"\0\1\0\2\0\7\0\0data"), ip(HOST, SERVER, UDP, b"\0\1\0\2\0\x20\0\0data"))


@case(check=False)
def wrong_transport_checksums(s):
    """A router does not check them, a NAT keeps them as wrong as they were"""
    good = udp(HOST, 4000, SERVER, 53, b"data")
    s.add(changed(good, 26, b"\x12\x34"), changed(tcp(HOST, 4001, SERVER, 80, "S"), 36, b"\x12\x34"))
    s.add(changed(echo(HOST, SERVER, 7), 22, b"\x12\x34"))


@case(nat=False, out_mtu=1000)
def routing_alone(s):
    """Without a NAT packets go as they came, from whatever source but the router itself; RFC 1812 5.3"""
    rng = random.Random(7)
    ends = (HOST, OTHER, THIRD, SERVER, SECOND, "198.18.0.2", "198.18.1.2")
    for i in range(200):
        src = rng.choice((*ends, "198.18.0.1", "198.18.1.1"))
        dst, data = rng.choice(ends), rng.randbytes(rng.choice((0, 1, 100, 900)))
        how = {"ident": i, "ttl": rng.choice((64, 64, 64, 0, 1, 2)), "flags": rng.choice((0, 2))}
        packet = rng.choice((
            lambda: udp(src, i, dst, 53, data, **how), lambda: tcp(src, i, dst, 80, rng.choice(("S", "", "FPU", "R"))),
            lambda: icmp(src, dst, rng.choice((0, 3, 5, 8, 11, 12, 30)), 0, payload=data, **how),
            lambda: ip(src, dst, rng.choice((47, 50, 132, 253)), data, **how)))()
        s.add(packet, side=rng.choice(("in", "out")), raw=True)
    s.add(udp(HOST, 4000, SERVER, 53, bytes(3000), ident=998), side="in", raw=True)


@case()
def ipv6_both_ways(s):
    """IPv6 is routed and not translated"""
    s.add(udp6(HOST6, 4000, SERVER6, 53), udp6(SERVER6, 53, HOST6, 4000), tcp6(HOST6, 4001, SERVER6, 80))
    s.add(icmp6(HOST6, SERVER6, 128), icmp6(SERVER6, HOST6, 129), udp6(HOST6, 4000, OTHER6, 53), tcp6(SERVER6, 80, HOST6, 1))
    s.add(udp6(HOST6, 4000, SERVER6, 53, label=0x0B812345))
    s.add(ip6(HOST6, SERVER6, 253, bytes(20)), ip6(HOST6, SERVER6, NOTHING, b""), ip6(HOST6, SERVER6, 50, bytes(20)))


@case()
def ipv6_hop_limit(s):
    """0 and 1 end here, with an error; RFC 8200 section 3"""
    for hops in (0, 1, 2, 255):
        s.add(udp6(HOST6, 4000, SERVER6, 53, hops=hops), udp6(SERVER6, 53, HOST6, 4000, hops=hops))
        s.add(icmp6(HOST6, SERVER6, 128, hops=hops))
    s.add(extended(udp6(HOST6, 4000, SERVER6, 53, hops=1), (FRAGMENT, b"\0\0\x10\0\0\0\1"))) # RFC 4443 2.4: told, too
    quoted = udp6(HOST6, 4000, SERVER6, 53)
    s.add(icmp6(SERVER6, HOST6, 3, 0, bytes(4), quoted, hops=1), icmp6(SERVER6, HOST6, 1, 4, bytes(4), quoted))


@case(out_mtu=1400)
def ipv6_too_big(s):
    """Never fragmented on the way: packet too big; RFC 8200 section 5"""
    for length in (1352, 1353, 3000):
        s.add(udp6(HOST6, 4000, SERVER6, 53, bytes(length)))
    s.add(icmp6(HOST6, SERVER6, 128, payload=bytes(2000)), udp6(SERVER6, 53, HOST6, 4000, bytes(1300)))


@case()
def ipv6_extension_headers(s):
    """Known ones, unknown ones, and chains of them"""
    packet = udp6(HOST6, 4000, SERVER6, 53)
    pad, alert = b"\0\1\4\0\0\0\0", b"\0\5\2\0\0\1\0"
    for chain in (((HOP_BY_HOP, pad),), ((HOP_BY_HOP, alert),), ((OPTIONS, pad),), ((OPTIONS, pad), (OPTIONS, pad)),
                  ((HOP_BY_HOP, pad), (OPTIONS, pad)), ((ROUTING, b"\0\4\0\0\0\0\0"),),
                  ((FRAGMENT, b"\0\0\0\0\0\0\1"),), ((FRAGMENT, b"\0\0\1\0\0\0\1"),), ((FRAGMENT, b"\0\0\x10\0\0\0\1"),)):
        s.add(extended(packet, *chain))


@case()
def ipv6_extension_headers_that_do_not_fit(s):
    """Too many, too long, cut, or out of order: their receiver minds, not a router; RFC 8200 section 4"""
    packet = udp6(HOST6, 4000, SERVER6, 53)
    pad = b"\0\1\4\0\0\0\0"
    s.add(extended(packet, *[(OPTIONS, pad)] * 10), extended(packet, (OPTIONS, pad), (HOP_BY_HOP, pad)))
    for kind in (OPTIONS, ROUTING, FRAGMENT, 51):
        s.add(extended(packet, (kind, b"\xff" + pad[1:])))
        for length in (0, 1, 7):
            s.add(ip6(HOST6, SERVER6, kind, bytes(length)))
    s.add(extended(packet, (HOP_BY_HOP, b"\xff" + pad[1:])), ip6(HOST6, SERVER6, HOP_BY_HOP, bytes(7)))


@case()
def ipv6_hop_by_hop_options_that_nobody_knows(s):
    """The two highest bits say what to do about it; RFC 8200 section 4.2"""
    packet = udp6(HOST6, 4000, SERVER6, 53)
    for kind in (0x1E, 0x3E, 0x5E, 0x9E, 0xDE):
        s.add(extended(packet, (HOP_BY_HOP, bytes([0, kind, 4, 0, 0, 0, 0]))))
        s.add(extended(packet, (HOP_BY_HOP, bytes([0, 5, 2, 0, 0, 0, kind, 0, 1, 4, 0, 0, 0, 0, 0]))))
    s.add(extended(udp6(HOST6, 4000, SERVER6, 53, hops=1), (HOP_BY_HOP, bytes([0, 0x9E, 4, 0, 0, 0, 0]))))
    s.add(extended(packet, (HOP_BY_HOP, bytes([0, 1, 5, 0, 0, 0, 0]))))
    s.add(extended(packet, (OPTIONS, bytes([0, 0x9E, 4, 0, 0, 0, 0]))))


@case()
def ipv6_lengths(s):
    """Longer than the frame, and shorter"""
    packet = udp6(HOST6, 4000, SERVER6, 53, bytes(20))
    s.add(udp6(HOST6, 4000, SERVER6, 53, bytes(20), length=29), udp6(HOST6, 4000, SERVER6, 53, bytes(20), length=1000))
    s.add(packet + b"padding", packet[:40], packet[:39], ip6(HOST6, SERVER6, UDP, b"\0\1\0"))


@case()
def ipv6_scopes(s):
    """Addresses that stay where they are; RFC 4291, RFC 4007"""
    for source in ("::", "::1", "ff02::1", "fe80::5"):
        s.add(udp6(source, 4000, SERVER6, 53), side="in")
    for to in ("::", "::1", "ff02::1", "ff0e::1", "fe80::9", "2001:db8:1::1", "2001:db8:2::1"):
        s.add(udp6(HOST6, 4000, to, 53))


@case()
def a_long_mix(s):
    """Hosts, servers and protocols at random"""
    rng = random.Random(23)
    hosts = [f"10.{i}.0.{i + 1}" for i in range(12)]
    servers = [f"20.{i}.1.1" for i in range(6)]
    open_flows = []
    for i in range(1200):
        if open_flows and rng.random() < 0.6:
            host, port, server, server_port, kind = rng.choice(open_flows)
        else:
            host, port = rng.choice(hosts), rng.choice((1024, 4000, 4001, rng.randrange(1024, 65536)))
            server, server_port, kind = rng.choice(servers), rng.choice((53, 80, 443)), rng.choice((UDP, TCP, ICMP))
            open_flows.append((host, port, server, server_port, kind))
            if kind == TCP:
                s.add(tcp(host, port, server, server_port, "S", i, ident=i))
                s.add(tcp(server, server_port, host, port, "SA", i, i + 1, ident=i))
                continue
        back = rng.random() < 0.45
        ends = (server, server_port, host, port) if back else (host, port, server, server_port)
        data = rng.randbytes(rng.choice((0, 1, 20, 511, 1400)))
        if kind == UDP:
            s.add(udp(*ends, data, ident=i, ttl=rng.choice((64, 64, 64, 1))))
        elif kind == TCP:
            s.add(tcp(*ends, "A", i, i, data, ident=i))
        else:
            s.add(echo(ends[0], ends[2], port, seq=i & 0xFFFF, reply=back, payload=data, ident=i))
