# SPDX-License-Identifier: MIT
"""Capture files written and read from their specifications alone, with nothing of leat's: pcap in
both byte orders and resolutions, pcapng with any sections, interfaces and units of time."""
import struct


class Packet:
    """What a file is to say: seconds are a whole number of nanoseconds or finer, as (units, per_s)."""

    def __init__(self, data, ns, wire_len=None, interface=0):
        self.data, self.ns, self.interface = data, ns, interface
        self.wire_len = len(data) if wire_len is None else wire_len


def pcap(packets, big=False, nano=False, link=1, snaplen=262144):
    e = ">" if big else "<"
    out = [struct.pack(e + "IHHiIII", 0xA1B23C4D if nano else 0xA1B2C3D4, 2, 4, 0, 0, snaplen, link)]
    for p in packets:
        sec, rest = divmod(p.ns, 10**9)
        out.append(struct.pack(e + "IIII", sec, rest if nano else rest // 1000, len(p.data), p.wire_len))
        out.append(p.data)
    return b"".join(out)


def read_pcap(data):
    magic = {b"\xd4\xc3\xb2\xa1": ("<", 1000), b"\xa1\xb2\xc3\xd4": (">", 1000),
             b"\x4d\x3c\xb2\xa1": ("<", 1), b"\xa1\xb2\x3c\x4d": (">", 1)}[data[:4]]
    e, scale = magic
    link = struct.unpack_from(e + "I", data, 20)[0]
    at, packets = 24, []
    while at < len(data):
        sec, rest, caplen, wire_len = struct.unpack_from(e + "IIII", data, at)
        assert at + 16 + caplen <= len(data), "the last record is cut"
        packets.append(Packet(data[at + 16:at + 16 + caplen], sec * 10**9 + rest * scale, wire_len))
        at += 16 + caplen
    return link, scale == 1, packets


def pad(data):
    return data + bytes(-len(data) % 4)


class Pcapng:
    """A file in the making: section(), interface(), packet() append blocks."""

    def __init__(self):
        self.out, self.e, self.resolutions = [], "<", []

    def block(self, kind, body):
        n = 12 + len(body)
        assert n % 4 == 0
        self.out.append(struct.pack(self.e + "II", kind, n) + body + struct.pack(self.e + "I", n))

    def options(self, options):
        if not options:
            return b""
        body = b"".join(struct.pack(self.e + "HH", code, len(v)) + pad(v) for code, v in options)
        return body + struct.pack(self.e + "HH", 0, 0)

    def section(self, big=False, options=()):
        self.e, self.resolutions = ">" if big else "<", []
        self.block(0x0A0D0D0A, struct.pack(self.e + "IHHq", 0x1A2B3C4D, 1, 0, -1) + self.options(options))

    def interface(self, link=1, name=None, tsresol=None, tsoffset=None, snaplen=0, more=()):
        options = list(more)
        if name is not None:
            options.append((2, name.encode()))
        if tsresol is not None:
            options.append((9, bytes([tsresol])))
        if tsoffset is not None:
            options.append((14, struct.pack(self.e + "q", tsoffset)))
        resol = 6 if tsresol is None else tsresol
        per_second = 2**(resol & 127) if resol & 128 else 10**resol
        self.resolutions.append((per_second, tsoffset or 0))
        self.block(1, struct.pack(self.e + "HHI", link, 0, snaplen) + self.options(options))

    def units(self, ns, interface):
        """The time stamp for a time in ns, and the ns that it then stands for, rounded down."""
        per_second, offset = self.resolutions[interface]
        units = (ns - offset * 10**9) * per_second // 10**9
        return units, units * 10**9 // per_second + offset * 10**9

    def packet(self, p, kind=6, options=()):
        units, ns = self.units(p.ns, p.interface)
        head = struct.pack(self.e + ("I" if kind == 6 else "HH"), *((p.interface,) if kind == 6 else (p.interface, 9)))
        self.block(kind, head + struct.pack(self.e + "IIII", units >> 32, units & 0xFFFFFFFF, len(p.data), p.wire_len) +
                   pad(p.data) + self.options(options))
        return ns

    def bytes(self):
        return b"".join(self.out)


def read_pcapng(data):
    """(interfaces, packets) of a file of one section, as (link, name, per_second)."""
    at, interfaces, packets, e = 0, [], [], "<"
    while at < len(data):
        kind, n = struct.unpack_from(e + "II", data, at)
        if kind == 0x0A0D0D0A:
            e = "<" if data[at + 8:at + 12] == b"\x4d\x3c\x2b\x1a" else ">"
            n = struct.unpack_from(e + "I", data, at + 4)[0]
        assert n >= 12 and n % 4 == 0 and at + n <= len(data), "a block is cut"
        assert struct.unpack_from(e + "I", data, at + n - 4)[0] == n, "a block's lengths differ"
        body = data[at + 8:at + n - 4]
        if kind == 1:
            link, name, per_second, o = struct.unpack_from(e + "H", body)[0], None, 10**6, 8
            while o < len(body):
                code, length = struct.unpack_from(e + "HH", body, o)
                value = body[o + 4:o + 4 + length]
                name = value.decode() if code == 2 else name
                if code == 9:
                    per_second = 2**(value[0] & 127) if value[0] & 128 else 10**value[0]
                o += 4 + (length + 3 & ~3)
            interfaces.append((link, name, per_second))
        elif kind == 6:
            interface, high, low, caplen, wire_len = struct.unpack_from(e + "IIIII", body)
            ns = (high << 32 | low) * 10**9 // interfaces[interface][2]
            packets.append(Packet(body[20:20 + caplen], ns, wire_len, interface))
        at += n
    return interfaces, packets
