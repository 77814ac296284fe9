# SPDX-License-Identifier: GPL-2.0-or-later
"""The stage of a scenario: hosts, QPs and what they have sent, the clock, and the capture so far.

A QP is named by its host's letter and a number that may be left out: A, A2, B. The peer of a QP
is the other one of the `qp` line that declares it.
"""

import bisect
import ipaddress
import pathlib
import re
import struct
import sys
from dataclasses import dataclass, field

import packet

sys.path.insert(0, str(pathlib.Path(__file__).resolve().parent.parent / "captures"))
import capfile  # noqa: E402

WRAP = 1 << 24
OVERTAKEN_MOST = 64  # PSNs that are left out at once, and may pass late; a wider hole is none of lateness


@dataclass
class Host:
    name: str
    ip: dict
    gid: bytes
    mac: bytes
    lid: int
    ip_id: int = 0x1000
    gsi_psn: int = 0

    def next_ip_id(self):
        """The next IP identification."""
        self.ip_id += 1
        return self.ip_id - 1


def make_host(name):
    number = ord(name) - ord("A") + 1
    return Host(name, {4: bytes([192, 0, 2, number]),
                       6: ipaddress.ip_address(f"2001:db8::{number:x}").packed},
                ipaddress.ip_address(f"fe80::2c9:300:a:{number:x}").packed,
                bytes([2, 0, 0, 0, 0, number]), number)


@dataclass
class Message:
    """A request as it was first sent: widened PSNs, and what its packets say."""
    begin: int
    end: int
    counted_at: int  # the PSN from which on the responder's MSN counts it
    kind: int
    fields: dict
    size: int


@dataclass
class Qp:
    name: str
    host: Host
    number: int
    peer: "Qp" = None
    service: str = "rc"
    sport: int = None
    set_ups: int = 0
    newest: int = None  # the highest PSN that it asked with, widened
    messages: list = field(default_factory=list)
    counted: list = field(default_factory=list)  # the counted_at of all messages, sorted
    sent: dict = field(default_factory=dict)  # PSN: fields of the latest packet with it
    next: int = None  # the first PSN behind all that was sent, widened
    overtaken: dict = field(default_factory=dict)  # PSN: the identification of what others overtook

    def restart(self):
        self.newest, self.messages, self.counted, self.sent = None, [], [], {}
        self.next, self.overtaken = None, {}

    def note(self, psn, fields):
        """The latest packet with a PSN; `sent` is in the order of the latest sending."""
        self.sent.pop(psn, None)
        self.sent[psn] = fields

    def ask(self, message):
        self.messages.append(message)
        self.newest = max(self.newest or 0, message.end)
        bisect.insort(self.counted, message.counted_at)

    def ip_id_of(self, psn, end):
        """The IP identification of a request, by the order of sending: PSNs that a new one leaves
        out were sent before it, and have theirs when they pass late."""
        if psn in self.overtaken:
            return self.overtaken.pop(psn)
        begin = self.widen(psn)
        if self.next is not None and 0 < begin - self.next < OVERTAKEN_MOST:
            for left_out in range(self.next, begin):
                self.overtaken[left_out % WRAP] = self.host.next_ip_id()
        self.next = max(self.next or 0, self.widen(end) + 1)
        return self.host.next_ip_id()

    def widen(self, psn):
        near = self.newest if self.newest is not None else WRAP + psn
        return near + ((psn - near + WRAP // 2) % WRAP - WRAP // 2)

    def message_at(self, psn):
        """The latest message that a PSN belongs to; None."""
        wide = self.widen(psn)
        if self.newest is None or wide > self.newest:
            return None
        return next((m for m in reversed(self.messages) if m.begin <= wide <= m.end), None)

    def completed(self, psn, this_one):
        """The messages that are done when a response has this PSN."""
        return bisect.bisect_left(self.counted, self.widen(psn) + (1 if this_one else 0))


class Scene:
    def __init__(self):
        self.hosts, self.qps = {}, {}
        self.mtu, self.link, self.version = 1024, "rocev2", 4
        self.service = None
        self.now_ns, self.step_ns, self.gap_ns, self.resolution_ns = None, 10_000, 1_000, 1
        self.start_ns = 1_700_000_000 * 1_000_000_000
        self.defaults = {}  # of packets, by host, or None for all
        self.frames = []  # (time, bytes, length on the wire, interface)
        self.labels = {}  # name: [(PSN, frame number)]
        self.latest = None  # what `copy` makes again
        self.ip_id = 0x1000  # of TCP segments
        self.pcapng, self.drops, self.snaplen, self.options = False, None, None, []
        self.cooked = False  # as a capture of "any" on Linux
        self.tcp = {}  # sequence numbers; of iWARP (iwarp.py) the streams
        self.mss, self.set_ups = 1448, 0
        self.sent, self.ulpdus = {}, {}  # of iWARP, by label
        self.connect("A", 0x11, "B", 0x12)

    # ---- hosts and QPs ----

    def host(self, name):
        if not re.fullmatch("[A-Z]", name):
            raise ValueError(f"{name}: a host's name is one capital letter")
        return self.hosts.setdefault(name, make_host(name))

    def qp(self, name):
        if name not in self.qps:
            raise ValueError(f"{name} is no QP; declare it: qp {name}=0x21 B2=0x22")
        return self.qps[name]

    def is_qp(self, name):
        return re.fullmatch(r"[A-Z]\d*", name) is not None

    def connect(self, one, one_number, other, other_number):
        pair = [Qp(name, self.host(name[0]), number)
                for name, number in ((one, one_number), (other, other_number))]
        pair[0].peer, pair[1].peer = pair[1], pair[0]
        for qp in pair:
            self.qps[qp.name] = qp

    def address(self, name):
        """As the program prints it."""
        host = self.host(name)
        packed = host.ip[self.version] if self.link == "rocev2" else host.gid
        if self.link == "infiniband":
            return f"LID {host.lid}"
        return str(ipaddress.ip_address(packed))

    # ---- time and frames ----

    def advance(self, time_ns, default_ns=None):
        """Goes on by what the line says, else by the step; the first line is the start."""
        if self.now_ns is None:
            self.now_ns = self.start_ns + (time_ns or 0)
            return
        if time_ns is None:
            time_ns = self.step_ns if default_ns is None else default_ns
        self.now_ns += time_ns

    def put(self, data, lost=False, cut=None, interface=0, psn=None, label=None):
        """A frame on the wire; `lost` ones are not in the capture."""
        if lost:
            return
        cut = min(x for x in (cut, self.snaplen, len(data)) if x is not None)
        time_ns = self.now_ns // self.resolution_ns * self.resolution_ns
        self.frames.append((time_ns, data[:cut], len(data), interface))
        if label:
            self.labels.setdefault(label, []).append((psn, len(self.frames)))

    def send(self, source, destination, fields, lost=False, label=None):
        """A packet from one QP to another; fields that are not given have their defaults. `last` is
        the last PSN that a new request takes."""
        fields = {"dest_qp": destination.number, "src_qp": source.number, "pkey": 0xFFFF,
                  "sport": self.source_port(source, fields["opcode"]), "ack_req": 0,
                  **self.defaults.get(None, {}), **self.defaults.get(source.host.name, {}),
                  **fields}
        last = fields.pop("last", None)
        if "ip_id" not in fields:
            fields["ip_id"] = (source.host.next_ip_id() if last is None
                               else source.ip_id_of(fields["psn"], last))
        self.latest = source.host, destination.host, fields
        self.emit(source.host, destination.host, fields, lost, label)
        return fields

    def emit(self, source, destination, fields, lost=False, label=None):
        data = packet.frame(self.link, self.version, source, destination, fields)
        self.put(data, lost, fields.get("cut"), fields.get("interface", 0), fields.get("psn"), label)

    def source_port(self, qp, opcode):
        if opcode >> 5 == packet.SERVICES["ud"]:
            return packet.source_port_of_ud(qp.number)
        return qp.sport or packet.source_port_of_qps(qp.number, qp.peer.number)

    def frame_number(self, name):
        """Of 5, label, label@PSN, label+1 (the next frame)."""
        if isinstance(name, int):
            return name
        name, _, further = name.partition("+")
        label, _, psn = name.partition("@")
        if label not in self.labels:
            raise ValueError(f"no frame of the capture has the label {label}")
        found = [number for at, number in self.labels[label] if not psn or at == int(psn, 0)]
        if not found:
            raise ValueError(f"{label} has no packet with PSN {psn}")
        return found[0] + int(further or 0)

    # ---- the file ----

    def write(self, path):
        link = capfile.INFINIBAND if self.link.startswith("infiniband") else capfile.ETHERNET
        if self.cooked:
            capfile.write_pcap(path, LINUX_SLL2, [(time, cooked(data, i), wire + 6) for time, data, wire, i in self.frames])
            return
        if self.pcapng:
            interfaces = 1 + max((frame[3] for frame in self.frames), default=0)
            capfile.write_pcapng(path, [link] * interfaces,
                                 [(i, time, data, wire) for time, data, wire, i in self.frames])
            if self.drops is not None:
                with open(path, "ab") as stream:
                    stream.write(statistics_block(self.drops, self.now_ns or self.start_ns))
        else:
            capfile.write_pcap(path, link, [frame[:3] for frame in self.frames])


LINUX_SLL2 = 276


def cooked(data, interface):
    """An Ethernet frame as an interface of the host shows it in a capture of "any"."""
    return data[12:14] + struct.pack(">HIHBB", 0, interface + 2, 1, 0, 6) + data[6:12] + bytes(2) + data[14:]


def statistics_block(drops, time_ns):
    """pcapng's block type 5, with isb_ifdrop."""
    options = struct.pack("<HHQHH", 5, 8, drops, 0, 0)
    return capfile.block(5, struct.pack("<III", 0, time_ns >> 32, time_ns & 0xFFFFFFFF) + options)
