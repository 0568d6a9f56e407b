# SPDX-License-Identifier: MIT
"""IPv4 packets as bytes: what they say, how they are changed, and how they are made. Written from the
RFCs alone, with nothing of leat's."""
import ipaddress
import struct

ICMP, TCP, UDP = 1, 6, 17
ICMP_ERRORS = {3, 4, 5, 11, 12}
ICMP_QUERIES = {0: 8, 8: 8, 13: 13, 14: 13, 15: 15, 16: 15, 17: 17, 18: 17}


def address(text):
    return bytes(int(part) for part in text.split("."))


def dotted(raw):
    return ".".join(str(octet) for octet in raw)


def add(data, start=0):
    """The ones' complement sum of 16-bit words, an odd last byte with a zero to its right."""
    total = start + sum(struct.unpack(f">{len(data) // 2}H", data[:len(data) & ~1]))
    if len(data) % 2:
        total += data[-1] << 8
    while total >> 16:
        total = (total & 0xFFFF) + (total >> 16)
    return total


def updated(check, old, new):
    """A checksum after `old` became `new` (RFC 1624, equation 3)."""
    total = (~check & 0xFFFF) + (~add(old) & 0xFFFF) + add(new)
    while total >> 16:
        total = (total & 0xFFFF) + (total >> 16)
    return ~total & 0xFFFF


class Packet:
    """An IPv4 packet, trimmed to its total length. `bad` says why it is none."""

    def __init__(self, data):
        self.bad = None
        if len(data) < 20 or data[0] >> 4 != 4:
            self.bad = "version"
        elif data[0] & 15 < 5 or len(data) < (data[0] & 15) * 4:
            self.bad = "header length"
        elif not (data[0] & 15) * 4 <= struct.unpack_from(">H", data, 2)[0] <= len(data):
            self.bad = "total length"
        self.data = bytearray(data if self.bad else data[:struct.unpack_from(">H", data, 2)[0]])

    @property
    def header_len(self):
        return (self.data[0] & 15) * 4

    src = property(lambda self: bytes(self.data[12:16]))
    dst = property(lambda self: bytes(self.data[16:20]))
    protocol = property(lambda self: self.data[9])
    ttl = property(lambda self: self.data[8])
    ident = property(lambda self: struct.unpack_from(">H", self.data, 4)[0])

    @property
    def offset(self):
        """Where its data belong in the datagram, in bytes."""
        return (struct.unpack_from(">H", self.data, 6)[0] & 0x1FFF) * 8

    more = property(lambda self: bool(self.data[6] & 0x20))
    dont_fragment = property(lambda self: bool(self.data[6] & 0x40))

    @property
    def is_fragment(self):
        return self.more or self.offset > 0

    @property
    def l4(self):
        return bytes(self.data[self.header_len:])

    @property
    def has_ports(self):
        return self.offset == 0 and self.protocol in (TCP, UDP) and len(self.l4) >= 8

    @property
    def is_query(self):
        return self.offset == 0 and self.protocol == ICMP and len(self.l4) >= 8 and self.l4[0] in ICMP_QUERIES

    @property
    def is_error(self):
        return self.offset == 0 and self.protocol == ICMP and len(self.l4) >= 8 and self.l4[0] in ICMP_ERRORS

    def port(self, which):
        """"src" or "dst" port; of an ICMP query its identifier, for both; None: has none."""
        if self.has_ports:
            return struct.unpack_from(">H", self.l4, 0 if which == "src" else 2)[0]
        if self.is_query:
            return struct.unpack_from(">H", self.l4, 4)[0]
        return None

    def quoted(self):
        """The packet in an ICMP error, which may be cut, or None."""
        inner = Quoted(self.l4[8:]) if self.is_error else None
        return inner if inner and not inner.bad else None

    # Changes keep right checksums right and wrong ones wrong by the same difference.

    def set_bytes(self, at, new):
        """Changes bytes of the IP header."""
        self.fix(10, at, new)

    def fix(self, check_at, at, new):
        """Writes `new` at `at`, which is even, and updates the checksum at check_at."""
        old = bytes(self.data[at:at + len(new)])
        check = struct.unpack_from(">H", self.data, check_at)[0]
        self.data[at:at + len(new)] = new
        struct.pack_into(">H", self.data, check_at, updated(check, old, bytes(new)))

    def l4_check_at(self):
        """Where the checksum is that covers addresses or ports; None: there is none here."""
        place = {TCP: 16, UDP: 6}.get(self.protocol)
        if place is None or self.offset > 0 or len(self.l4) < place + 2:
            return None
        at = self.header_len + place
        if self.protocol == UDP and self.data[at:at + 2] == b"\0\0":
            return None
        return at

    def follow(self, old, new):
        """The transport's checksum after `old` became `new` in what it covers."""
        at = self.l4_check_at()
        if at is None:
            return
        check = updated(struct.unpack_from(">H", self.data, at)[0], old, new)
        if self.protocol == UDP and check == 0:
            check = 0xFFFF
        struct.pack_into(">H", self.data, at, check)

    def set_address(self, which, new):
        at = 12 if which == "src" else 16
        old = bytes(self.data[at:at + 4])
        self.set_bytes(at, new)
        self.follow(old, bytes(new))

    def set_port(self, which, port):
        new = struct.pack(">H", port)
        if self.is_query:
            self.fix(self.header_len + 2, self.header_len + 4, new)
        elif self.has_ports:
            at = self.header_len + (0 if which == "src" else 2)
            old = bytes(self.data[at:at + 2])
            self.data[at:at + 2] = new
            self.follow(old, new)

    def replace_quoted(self, inner):
        """Puts a changed packet back into an ICMP error, whose checksum follows."""
        at = self.header_len + 8
        new = bytes(inner.data)
        if len(new) % 2:
            new += bytes(self.data[at + len(new):at + len(new) + 1])
        self.fix(self.header_len + 2, at, new)

    def fill_checksums(self):
        """As the sender's card would have filled them in."""
        self.data[10:12] = b"\0\0"
        struct.pack_into(">H", self.data, 10, ~add(bytes(self.data[:self.header_len])) & 0xFFFF)
        if self.is_fragment:
            return
        at = {TCP: 16, UDP: 6, ICMP: 2}.get(self.protocol)
        if at is None or len(self.l4) < at + 2 or (self.protocol == UDP and self.l4[6:8] == b"\0\0"):
            return
        struct.pack_into(">H", self.data, self.header_len + at, 0)
        check = ~add(self.l4, self.pseudo()) & 0xFFFF
        if self.protocol == UDP and check == 0:
            check = 0xFFFF
        struct.pack_into(">H", self.data, self.header_len + at, check)

    def pseudo(self):
        if self.protocol == ICMP:
            return 0
        return add(self.src + self.dst, self.protocol + len(self.l4))

    def wrong_sum(self):
        """Which checksum is wrong, or None. Fragments have only the header's."""
        if add(bytes(self.data[:self.header_len])) != 0xFFFF:
            return "IP"
        if self.is_fragment:
            return None
        name = {TCP: "TCP", UDP: "UDP", ICMP: "ICMP"}.get(self.protocol)
        if name is None or len(self.l4) < 8 or (self.protocol == UDP and self.l4[6:8] == b"\0\0"):
            return None
        return None if add(self.l4, self.pseudo()) == 0xFFFF else name

    def __repr__(self):
        text = f"{dotted(self.src)} > {dotted(self.dst)} protocol {self.protocol} ttl {self.ttl}"
        if self.port("src") is not None:
            text += f" ports {self.port('src')} {self.port('dst')}"
        if self.protocol == ICMP and len(self.l4) >= 2:
            text += f" icmp {self.l4[0]}/{self.l4[1]}"
        if self.is_fragment:
            text += f" id {self.ident} at {self.offset}{'+' if self.more else ''}"
        return text + f" length {len(self.data)}"


class Quoted(Packet):
    """The beginning of a packet, as an ICMP error quotes it: its total length may be beyond."""

    def __init__(self, data):
        super().__init__(data)
        if self.bad == "total length" and len(data) >= (data[0] & 15) * 4:
            self.bad = None

    # Eight bytes are all that must be quoted: enough for ports, and for the checksum of UDP only.


def ip(src, dst, protocol, payload, ttl=64, ident=1, flags=0, offset=0, options=b"", tos=0):
    """A packet with right checksums. flags: 2 don't fragment, 1 more fragments."""
    head_len = 20 + len(options)
    head = struct.pack(">BBHHHBBH", 0x40 | head_len // 4, tos, head_len + len(payload), ident,
                       flags << 13 | offset // 8, ttl, protocol, 0) + address(src) + address(dst) + options
    packet = Packet(head + payload)
    packet.fill_checksums()
    return packet


def udp(src, sport, dst, dport, payload=b"leat", check=True, **how):
    body = struct.pack(">HHHH", sport, dport, 8 + len(payload), 1 if check else 0) + payload
    return ip(src, dst, UDP, body, **how)


def tcp(src, sport, dst, dport, letters, seq=1000, ack=0, payload=b"", options=b"", window=65535, **how):
    """letters: of FSRPAU, its flags."""
    bits = sum({"F": 1, "S": 2, "R": 4, "P": 8, "A": 16, "U": 32}[letter] for letter in letters)
    body = struct.pack(">HHIIBBHHH", sport, dport, seq, ack, (20 + len(options)) // 4 << 4, bits, window, 0, 0)
    return ip(src, dst, TCP, body + options + payload, **how)


def icmp(src, dst, kind, code, rest=b"\0\0\0\0", payload=b"", **how):
    return ip(src, dst, ICMP, struct.pack(">BBH", kind, code, 0) + rest + payload, **how)


def echo(src, dst, number, seq=1, reply=False, payload=b"leat" * 14, **how):
    return icmp(src, dst, 0 if reply else 8, 0, struct.pack(">HH", number, seq), payload, **how)


def reassemble(parts):
    """The packet that fragments of one identification make, or None if they do not make one."""
    parts = sorted(parts, key=lambda p: p.offset)
    body = b""
    for p in parts:
        if p.offset != len(body):
            return None
        body += p.l4
    if parts[-1].more or len(body) > 65515:
        return None
    head = bytearray(parts[0].data[:parts[0].header_len])
    struct.pack_into(">HHH", head, 2, len(head) + len(body), parts[0].ident, head[6] << 8 & 0x4000)
    struct.pack_into(">H", head, 10, 0)
    struct.pack_into(">H", head, 10, ~add(bytes(head)) & 0xFFFF)
    return Packet(bytes(head) + body)


def fragments(packet, size):
    """The packet cut into fragments of `size` bytes of data, a multiple of 8."""
    body, out = packet.l4, []
    for at in range(0, len(body), size):
        data = bytearray(packet.data[:packet.header_len]) + body[at:at + size]
        more = 0x2000 if at + size < len(body) else 0
        struct.pack_into(">HHH", data, 2, len(data), packet.ident, more | at // 8)
        piece = Packet(bytes(data))
        piece.fill_checksums()
        out.append(piece)
    return out


# IPv6.

ICMP6, HOP_BY_HOP, ROUTING, FRAGMENT, OPTIONS, NOTHING = 58, 0, 43, 44, 60, 59


def address6(text):
    return ipaddress.ip_address(text).packed


def ip6(src, dst, following, payload, hops=64, length=None, label=0):
    """A packet of IPv6; `following` is what its payload begins with."""
    head = struct.pack(">IHBB", 6 << 28 | label, len(payload) if length is None else length, following, hops)
    return head + address6(src) + address6(dst) + payload


def sum6(src, dst, protocol, body):
    return ~add(body, add(address6(src) + address6(dst) + struct.pack(">II", len(body), protocol))) & 0xFFFF


def udp6(src, sport, dst, dport, payload=b"leat", **how):
    body = struct.pack(">HHHH", sport, dport, 8 + len(payload), 0) + payload
    body = body[:6] + struct.pack(">H", sum6(src, dst, UDP, body) or 0xFFFF) + body[8:]
    return ip6(src, dst, UDP, body, **how)


def tcp6(src, sport, dst, dport, **how):
    body = struct.pack(">HHIIBBHHH", sport, dport, 1000, 0, 0x50, 2, 65535, 0, 0)
    body = body[:16] + struct.pack(">H", sum6(src, dst, TCP, body)) + body[18:]
    return ip6(src, dst, TCP, body, **how)


def icmp6(src, dst, kind, code=0, rest=b"\0\7\0\1", payload=b"leat", **how):
    body = struct.pack(">BBH", kind, code, 0) + rest + payload
    body = body[:2] + struct.pack(">H", sum6(src, dst, ICMP6, body)) + body[4:]
    return ip6(src, dst, ICMP6, body, **how)


def extended(packet, *headers):
    """The packet with extension headers, each (its number, its body without the first byte)."""
    following, chain = packet[6], b""
    for number, body in reversed(headers):
        chain = bytes([following]) + body + chain
        following = number
    payload = chain + packet[40:]
    return packet[:4] + struct.pack(">H", len(payload)) + bytes([following]) + packet[7:40] + payload
