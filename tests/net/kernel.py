# SPDX-License-Identifier: MIT
"""The Linux kernel as a router of packets given one by one: a network namespace with two veth pairs,
nft's source NAT and the kernel's forwarding. Needs the right to make namespaces, as root or within a
user namespace."""
import ctypes
import os
import select
import shutil
import socket
import struct
import subprocess
import sys
import time

from packets import address

IN_ADDRESS, IN_PEER = "198.18.0.1", "198.18.0.2"
OUT_ADDRESS, OUT_PEER = "198.18.1.1", "198.18.1.2"
EXTERNAL = "198.18.2.1"
LINKS_S = 20 # for links to come up, on the busiest machine
IN_MAC, IN_PEER_MAC = "02:00:00:00:00:11", "02:00:00:00:00:01"
OUT_MAC, OUT_PEER_MAC = "02:00:00:00:00:12", "02:00:00:00:00:02"
INSIDE6, OUTSIDE6 = "2001:db8:1::1", "2001:db8:2::1"

SETUP = """
set -e
sysctl -qw net.ipv4.ip_forward=1 net.ipv4.icmp_ratelimit=0 net.ipv6.conf.all.forwarding=1 \
	net.ipv4.conf.all.rp_filter=0 net.ipv4.conf.default.rp_filter=0 \
	net.ipv4.conf.all.send_redirects=0 net.ipv4.conf.default.send_redirects=0 \
	net.ipv6.conf.all.accept_dad=0 net.ipv6.conf.default.accept_dad=0 \
	net.ipv6.conf.all.addr_gen_mode=1 net.ipv6.conf.default.addr_gen_mode=1 net.ipv6.icmp.ratelimit=0
sysctl -qw net.ipv4.icmp_msgs_per_sec=1000000 net.ipv4.icmp_msgs_burst=1000000 || true
ip link set dev lo up
ip link set dev in0 address {in_mac} mtu {in_mtu}
ip link set dev out0 address {out_mac} mtu {out_mtu}
sysctl -qw net.ipv4.conf.in0.rp_filter=0 net.ipv4.conf.out0.rp_filter=0 \
	net.ipv4.conf.in0.send_redirects=0 net.ipv4.conf.out0.send_redirects=0
ip address add {in_address}/24 dev in0
ip address add {out_address}/24 dev out0
ip address add {external}/32 dev out0
ip link set dev in0 up
ip link set dev out0 up
ip neigh replace {in_peer} lladdr {in_peer_mac} dev in0 nud permanent
ip neigh replace {out_peer} lladdr {out_peer_mac} dev out0 nud permanent
ip route add default via {out_peer} dev out0
ip route add unreachable 203.0.113.0/24
ip route add blackhole 198.51.100.0/24
{routes}
{ipv6}
nft -f - <<'RULES'
{rules}
RULES
sysctl -qw net.netfilter.nf_conntrack_tcp_be_liberal=1 net.netfilter.nf_conntrack_checksum={checksum}
"""

# Links with a small MTU have no IPv6.
SETUP6 = """
ip address add {inside6}/64 dev in0 nodad
ip address add {outside6}/64 dev out0 nodad
ip neigh replace 2001:db8:1::2 lladdr {in_peer_mac} dev in0 nud permanent
ip neigh replace 2001:db8:2::2 lladdr {out_peer_mac} dev out0 nud permanent
ip -6 route add default via 2001:db8:2::2 dev out0
"""

# What comes to the router itself is dropped without an answer; what conntrack cannot place between
# inside and outside, and what begins outside, is not forwarded; the marks that end each step are left
# alone.
NAT_RULES = """
table ip leat {{
	chain marks {{
		type filter hook prerouting priority raw;
		ip saddr {{ {in_peer}, {out_peer} }} ip daddr {{ {in_peer}, {out_peer} }} notrack
	}}
	chain input {{
		type filter hook input priority filter; policy drop;
	}}
	chain forward {{
		type filter hook forward priority filter;
		iifname "in0" oifname "in0" accept
		ct state invalid drop
		iifname "out0" oifname "in0" ct state new drop
	}}
	chain sources {{
		type nat hook postrouting priority srcnat;
		oifname "out0" ip saddr {{ {nets} }} snat to {external}
	}}
}}
table ip6 leat {{
	chain input {{
		type filter hook input priority filter; policy drop;
	}}
}}
"""


def is_report(packet):
    """What a router tells its neighbours about itself: groups it listens to, solicitations."""
    return packet[8:10] == b"\xfe\x80" or (packet[6] == 0 and packet[24:26] == b"\xff\x02")


class Unavailable(Exception):
    """Why there is no kernel to compare with."""


def enter():
    """Starts this program again in a network namespace of its own; returns once there."""
    if os.environ.get("LEAT_NET_INSIDE"):
        return
    for tool in ("unshare", "nsenter", "ip", "nft", "sysctl"):
        if not shutil.which(tool):
            raise Unavailable(f"'{tool}' is not installed")
    how = ["unshare", "-n"] if os.geteuid() == 0 else ["unshare", "-Urn"]
    proof = subprocess.run(
        [*how, "sh", "-c", "ip link add dev leat0 type veth peer name leat1 && nft add table ip leat && "
         "unshare -n true"], capture_output=True, check=False)
    if proof.returncode != 0:
        raise Unavailable("namespaces, veth and nft are not all allowed here: " +
                          proof.stderr.decode().strip().split("\n")[-1])
    os.environ["LEAT_NET_INSIDE"] = "1"
    os.execvp(how[0], [*how, sys.executable, "-B", *sys.argv])


def run(*command, stdin=None):
    done = subprocess.run(command, input=stdin, capture_output=True, check=False)
    if done.returncode != 0:
        raise RuntimeError(f"{' '.join(command)}: {done.stderr.decode()}")


class Kernel:
    """A router that was just started: no connection is known to it."""

    def __init__(self, inside=("10.0.0.0/8",), nat=True, check=True, in_mtu=9000, out_mtu=1500, inside6=()):
        os.sched_setaffinity(0, {min(os.sched_getaffinity(0))})
        self.holder = subprocess.Popen(["unshare", "-n", "sleep", "infinity"], preexec_fn=die_with_parent)
        self.marks = 0
        self.sockets = {}
        try:
            self.wire()
            names = {
                "in_mac": IN_MAC, "out_mac": OUT_MAC, "in_mtu": in_mtu, "out_mtu": out_mtu, "in_address": IN_ADDRESS,
                "out_address": OUT_ADDRESS, "external": EXTERNAL, "in_peer": IN_PEER, "out_peer": OUT_PEER,
                "in_peer_mac": IN_PEER_MAC, "out_peer_mac": OUT_PEER_MAC, "inside6": INSIDE6, "outside6": OUTSIDE6,
                "checksum": int(check), "nets": ", ".join(inside),
                "routes": "\n".join(f"ip route add {net} via {IN_PEER} dev in0" for net in inside)}
            routes6 = "".join(f"ip -6 route add {net} via 2001:db8:1::2 dev in0\n" for net in inside6)
            names["ipv6"] = SETUP6.format(**names) + routes6 if min(in_mtu, out_mtu) >= 1280 else ""
            names["rules"] = NAT_RULES.format(**names) if nat else ""
            self.inside_run("sh", "-s", stdin=SETUP.format(**names).encode())
            self.listen()
        except Exception:
            self.close()
            raise

    def inside_run(self, *command, stdin=None):
        run("nsenter", "-t", str(self.holder.pid), "-n", *command, stdin=stdin)

    def wire(self):
        """The two links; what is ours of them has no address and says nothing of its own."""
        mine = os.readlink("/proc/self/ns/net")
        while os.readlink(f"/proc/{self.holder.pid}/ns/net") == mine:
            os.sched_yield()
        for ours, theirs, mac in (("lab-in", "in0", IN_PEER_MAC), ("lab-out", "out0", OUT_PEER_MAC)):
            run("ip", "link", "add", "dev", ours, "mtu", "9000", "type", "veth", "peer", "name", theirs,
                "netns", str(self.holder.pid))
            run("sysctl", "-qw", f"net.ipv6.conf.{ours}.disable_ipv6=1")
            run("ip", "link", "set", "dev", ours, "address", mac, "arp", "off", "up")

    def listen(self):
        for side, name in (("in", "lab-in"), ("out", "lab-out")):
            s = socket.socket(socket.AF_PACKET, socket.SOCK_RAW, socket.htons(3))
            s.bind((name, 0))
            s.setsockopt(socket.SOL_SOCKET, 33, 8 << 20) # SO_RCVBUFFORCE, where it is allowed
            s.setsockopt(263, 23, 1)                     # PACKET_IGNORE_OUTGOING
            s.setblocking(False)
            self.sockets[side] = s
        self.wait_for_links()

    def wait_for_links(self):
        """A new link sends nothing until the kernel gets round to activating it, each way on its own:
        marks go out until one of each way has come. From then on a lost one is an error."""
        end = time.monotonic() + LINKS_S
        for side, other in (("in", "out"), ("out", "in")):
            while True:
                self.sockets[side].send(self.frame(side, self.mark(side)))
                if select.select([self.sockets[other]], [], [], 0.02)[0] and self.drain(other):
                    break
                if time.monotonic() > end:
                    raise RuntimeError(f"no packet comes through from side '{side}'")
        # Marks that are still on their way, and what the kernel said meanwhile, are of no step.
        self.finish()

    def drain(self, side):
        """Whether a mark was among what has come."""
        found = False
        while True:
            try:
                frame = self.sockets[side].recv(65536)
            except BlockingIOError:
                return found
            found = found or frame[26:30] in (address(IN_PEER), address(OUT_PEER))

    def frame(self, side, packet):
        to, source = (IN_MAC, IN_PEER_MAC) if side == "in" else (OUT_MAC, OUT_PEER_MAC)
        kind = b"\x86\xdd" if packet[:1] and packet[0] >> 4 == 6 else b"\x08\0"
        return bytes.fromhex(to.replace(":", "")) + bytes.fromhex(source.replace(":", "")) + kind + packet

    def mark(self, side="in"):
        """A packet that is forwarded as it is to the other side; it holds its number."""
        self.marks += 1
        ends = (IN_PEER, OUT_PEER) if side == "in" else (OUT_PEER, IN_PEER)
        body = struct.pack(">HHHHQ", 9, 9, 16, 0, self.marks)
        head = struct.pack(">BBHHHBBH", 0x45, 0, 20 + len(body), 0, 0, 64, 17, 0) + address(ends[0]) + address(ends[1])
        total = sum(struct.unpack(">10H", head))
        total = (total & 0xFFFF) + (total >> 16)
        return head[:10] + struct.pack(">H", ~((total & 0xFFFF) + (total >> 16)) & 0xFFFF) + head[12:] + body

    def finish(self):
        """All frames that have come out until a mark, sent now, has: [(side, IP packet)]. One CPU works
        through everything in order, so that nothing of earlier packets comes after."""
        self.sockets["in"].send(self.frame("in", self.mark()))
        mark, out = struct.pack(">Q", self.marks), []
        for side in ("out", "in"):
            wait = side == "out"
            while True:
                try:
                    frame = self.sockets[side].recv(65536)
                except BlockingIOError:
                    if not wait:
                        break
                    if not select.select([self.sockets[side]], [], [], 5)[0]:
                        raise RuntimeError("the kernel lost a mark") from None
                    continue
                if frame[26:30] == address(IN_PEER) and frame[42:50] == mark:
                    wait = False
                elif frame[12:14] == b"\x08\0" or (frame[12:14] == b"\x86\xdd" and not is_report(frame[14:])):
                    out.append((side, frame[14:]))
        return out

    def give(self, side, packet):
        """Sends an IP packet in from a side and returns what comes out."""
        try:
            self.sockets[side].send(self.frame(side, bytes(packet)))
        except OSError as error:
            raise RuntimeError(f"cannot send {len(packet)} bytes: {error}") from error
        return self.finish()

    def close(self):
        for s in self.sockets.values():
            s.close()
        self.holder.kill()
        self.holder.wait()
        # The links went with the namespace; wait, as the next ones have the same names.
        for name in ("lab-in", "lab-out"):
            subprocess.run(["ip", "link", "del", "dev", name], capture_output=True, check=False)

    def __enter__(self):
        return self

    def __exit__(self, *_):
        self.close()


def die_with_parent():
    ctypes.CDLL(None).prctl(1, 9)
