#!/usr/bin/env python3
# SPDX-License-Identifier: GPL-2.0-or-later
"""Checks the ICRC and VCRC of every frame of captures, and the program's verdicts with it.

usage: icrc.py [--program PATH] CAPTURE|FOLDER...

It walks the frames by itself and computes with zlib, so it shares neither a line nor a library with
the program (ISA-L). The program's verdict must be
    good            where computed and stored value are equal
    bad or absent   where they differ (which of the two needs more than one frame to tell)
    not_checkable   where the capture cut the packet, or it is raw, a fragment, or contradicts itself
and a frame that only one of the two takes for RDMA is an error.
"""

import argparse
import json
import pathlib
import struct
import subprocess
import sys
import zlib
from collections import Counter, namedtuple

sys.path.insert(0, str(pathlib.Path(__file__).resolve().parent.parent / "captures"))
import capfile  # noqa: E402

ROCEV2_PORT, VXLAN_PORTS, GENEVE_PORT = 4791, (4789, 8472), 6081
UDP, IP4_IN_IP, IP6_IN_IP, GRE, MPLS_IN_IP, BTH = 17, 4, 41, 47, 137, 27
HOP_BY_HOP, ROUTING, FRAGMENT, DESTINATION = 0, 43, 44, 60
FLUSH = 0x1C
MAX_ENCAPSULATIONS = 8
SHOWN_PER_CAPTURE = 5

# routing: where the bytes that the ICRC covers begin; bth: None in a raw packet; end: behind the ICRC,
# by the packet's own length; lrh: where native InfiniBand's LRH begins, else None; whole: no fragment
Packet = namedtuple("Packet", "kind routing bth end lrh whole")


class Unchecked(Exception):
    """An RDMA packet whose CRCs cannot be found: a length claims more than there was."""


class NotRdma(Exception):
    """The frame holds no RDMA packet."""


# ---- the CRCs -----------------------------------------------------------------------------------

def icrc(routing, transport, more=b""):
    """The 4 bytes of the ICRC: routing headers as masked_routing() leaves them, then the BTH and all
    that follows, the pad included."""
    transport = transport[:4] + b"\xff" + transport[5:]  # FECN, BECN, reserved: switches set them
    return struct.pack("<I", zlib.crc32(routing + transport + more))


def masked_routing(kind, routing):
    """The routing headers with ones where a switch or router may write."""
    if kind == "lrh":  # switches remap the VL
        return bytes([routing[0] | 0xF0]) + routing[1:]
    ones = b"\xff" * 8  # stands for an LRH
    if kind == "ip4":  # TOS, TTL, checksum; the UDP header is the last 8 bytes, and its checksum
        masked = bytearray(routing)
        masked[1] = masked[8] = masked[10] = masked[11] = masked[-1] = masked[-2] = 0xFF
        return ones + bytes(masked)
    masked = bytearray(routing)  # IPv6 and GRH: class, flow label, hop limit
    masked[0] |= 0x0F
    masked[1] = masked[2] = masked[3] = masked[7] = 0xFF
    if kind == "ip6":
        masked[-1] = masked[-2] = 0xFF
    return ones + bytes(masked)


def _vcrc_table():
    table = []
    for byte in range(256):
        for _ in range(8):
            byte = byte >> 1 ^ (0xD008 if byte & 1 else 0)
        table.append(byte)
    return table


VCRC_TABLE = _vcrc_table()


def vcrc(data):
    """The 2 bytes of the VCRC: CRC-16, polynomial 0x100B, reflected, over LRH to ICRC."""
    crc = 0xFFFF
    for byte in data:
        crc = crc >> 8 ^ VCRC_TABLE[(crc ^ byte) & 0xFF]
    return struct.pack("<H", crc ^ 0xFFFF)


# ---- from the frame's first byte to the BTH -----------------------------------------------------

class Walk:
    """Follows one frame down to its BTH; IndexError or struct.error where the capture ends first."""

    def __init__(self, frame):
        self.data, self.end = frame.data, frame.wire
        self.encapsulations, self.whole = 0, True

    def be16(self, offset):
        return struct.unpack_from(">H", self.data, offset)[0]

    def limit(self, end):
        if end > self.end:
            raise Unchecked
        self.end = end

    def enter(self):
        self.encapsulations += 1
        if self.encapsulations > MAX_ENCAPSULATIONS:
            raise NotRdma

    def link(self, link):
        if link == capfile.ETHERNET:
            return self.ethernet(0)
        if link in (capfile.NULL, capfile.LOOP):
            family = [byte for byte in self.data[:4] if byte]
            if family == [2]:
                return self.ip4(4)
            return self.ip6(4) if family in ([10], [23], [24], [28], [30]) else self.stop()
        if link == capfile.SLL:
            return self.ethertype(self.be16(14), 16)
        if link == capfile.SLL2:
            return self.ethertype(self.be16(0), 20)
        if link == capfile.ERF:
            return self.erf()
        if link == capfile.INFINIBAND:
            return self.lrh(0)
        if link in (capfile.IPV4, capfile.IPV6, capfile.RAW):
            return self.ip(0)
        return self.stop()

    def stop(self):
        raise NotRdma

    def erf(self):
        kind, offset = self.data[8], 16
        more = kind & 0x80
        while more:
            more = self.data[offset] & 0x80
            offset += 8
        if kind & 0x7F == 21:
            return self.lrh(offset)
        if kind & 0x7F in (2, 11, 16, 20):
            return self.ethernet(offset + 2)
        return self.ip(offset) if kind & 0x7F in (22, 23) else self.stop()

    def ethernet(self, offset):
        return self.ethertype(self.be16(offset + 12), offset + 14)

    def ethertype(self, kind, offset):
        while kind in (0x8100, 0x88A8, 0x9100):
            kind, offset = self.be16(offset + 2), offset + 4
        if kind in (0x8847, 0x8848):
            return self.mpls(offset)
        step = {0x0800: self.ip4, 0x86DD: self.ip6, 0x8915: self.grh, 0x6558: self.ethernet}
        return step.get(kind, lambda _: self.stop())(offset)

    def mpls(self, offset):
        while not self.data[offset + 2] & 1:
            offset += 4
        offset += 4
        self.enter()
        version = self.data[offset] >> 4
        if version == 0:  # a pseudowire's control word
            return self.ethernet(offset + 4)
        return self.ip(offset) if version in (4, 6) else self.stop()

    def ip(self, offset):
        return self.ip6(offset) if self.data[offset] >> 4 == 6 else self.ip4(offset)

    def ip4(self, offset):
        header = (self.data[offset] & 15) * 4
        self.limit(offset + (self.be16(offset + 2) or self.end - offset))
        fragment = self.be16(offset + 6) & 0x3FFF
        self.whole = self.whole and not fragment
        if fragment & 0x1FFF:
            raise NotRdma
        return self.protocol(self.data[offset + 9], offset, offset + header, "ip4")

    def ip6(self, offset):
        start, kind, offset = offset, self.data[offset + 6], offset + 40
        self.limit(offset + (self.be16(start + 4) or self.end - offset))
        while kind in (HOP_BY_HOP, ROUTING, FRAGMENT, DESTINATION):
            length = 8 if kind == FRAGMENT else 8 + 8 * self.data[offset + 1]
            if kind == FRAGMENT:
                fragment = self.be16(offset + 2) & 0xFFF9
                self.whole = self.whole and not fragment
                if fragment & 0xFFF8:
                    raise NotRdma
            kind, offset = self.data[offset], offset + length
        return self.protocol(kind, start, offset, "ip6")

    def protocol(self, kind, l3, offset, routing):
        if kind == UDP:
            port = self.be16(offset + 2)
            if port == ROCEV2_PORT:
                return self.bth(routing, l3, offset + 8)
            return self.overlay(port, offset + 8)
        if kind == GRE:
            return self.gre(offset)
        if kind == MPLS_IN_IP:
            return self.mpls(offset)
        if kind in (IP4_IN_IP, IP6_IN_IP):
            self.enter()
            return self.ip4(offset) if kind == IP4_IN_IP else self.ip6(offset)
        return self.stop()

    def overlay(self, port, offset):
        if port in VXLAN_PORTS and self.be16(offset) & 0x0800:
            self.enter()
            return self.ethernet(offset + 8)
        if port == GENEVE_PORT:
            self.enter()
            options = (self.data[offset] & 0x3F) * 4
            return self.ethertype(self.be16(offset + 2), offset + 8 + options)
        return self.stop()

    def gre(self, offset):
        flags, kind = self.data[offset], self.be16(offset + 2)
        offset += 4 + 4 * (flags >> 7) + 4 * (flags >> 5 & 1) + 4 * (flags >> 4 & 1)
        self.enter()
        if kind == 0x88BE:  # ERSPAN I has no header of its own, and GRE then no sequence number
            return self.ethernet(offset + (8 if flags & 0x10 else 0))
        if kind == 0x22EB:
            is_ip = self.be16(offset + 10) >> 10 & 31 == 2
            offset += 20 if self.data[offset + 11] & 1 else 12
            return self.ip(offset) if is_ip else self.ethernet(offset)
        return self.ethertype(kind, offset)

    def lrh(self, offset):
        self.limit(offset + (self.be16(offset + 4) & 0x7FF) * 4)
        following = self.data[offset + 1] & 3
        if following == 2:
            return self.bth("lrh", offset, offset + 8, offset)
        if following == 3:
            return self.grh(offset + 8, offset)
        return Packet("raw", offset, None, self.end, offset, self.whole)  # no ICRC

    def grh(self, offset, lrh=None):
        self.limit(offset + 40 + self.be16(offset + 4))
        if self.data[offset + 6] != BTH:
            raise Unchecked
        return self.bth("grh", offset, offset + 40, lrh)

    def bth(self, kind, routing, offset, lrh=None):
        return Packet(kind, routing, offset, self.end, lrh, self.whole)


# ---- verdicts -----------------------------------------------------------------------------------

def check(frame):
    """(ICRC, VCRC) of a frame: "good", "bad", "not_checkable", or None where there is none."""
    try:
        packet = Walk(frame).link(frame.link)
    except (NotRdma, IndexError, struct.error):
        return None, None
    except Unchecked:
        return "not_checkable", None
    return check_icrc(packet, frame.data), check_vcrc(packet, frame.data)


def check_icrc(packet, data):
    if packet.bth is None or not packet.whole or len(data) < packet.end or packet.end < packet.bth + 16:
        return "not_checkable"
    end = packet.end - 4
    routing = masked_routing(packet.kind, data[packet.routing:packet.bth])
    transport, stored = data[packet.bth:end], data[end:packet.end]
    good = stored == icrc(routing, transport)
    if transport[0] & 0x1F == FLUSH:  # Linux 6.12 feeds its transport headers to the CRC twice
        good = good or stored == icrc(routing, transport, transport)
    return "good" if good else "bad"


def check_vcrc(packet, data):
    if packet.lrh is None or len(data) < packet.end + 2:
        return None
    stored = data[packet.end:packet.end + 2]
    return "good" if vcrc(data[packet.lrh:packet.end]) == stored else "bad"


def output_of(program, path, *options):
    run = subprocess.run([program, *options, path], stdout=subprocess.PIPE, check=True)
    return run.stdout


def verdicts_of_program(program, path):
    """{frame: verdict} as the program prints them."""
    verdicts = {}
    for line in output_of(program, path, "--packets", "--format", "ndjson").splitlines():
        record = json.loads(line)
        if record.get("icrc") is not None:
            verdicts[record["frame"]] = record["icrc"]
    return verdicts


def compare_vcrc(path, program, totals):
    """Of the VCRC the program prints only how many were good and bad."""
    summary = json.loads(output_of(program, path, "--format", "json"))["captures"][0]["vcrc"]
    for verdict in ("good", "bad"):
        if summary[verdict] != totals["vcrc " + verdict]:
            yield (f"{path}: {totals['vcrc ' + verdict]} VCRC {verdict} here, "
                   f"{summary[verdict]} in the program")


def compare(path, program, totals):
    """The errors of one capture, as text."""
    verdicts = verdicts_of_program(program, path) if program else {}
    for frame in capfile.read(path):
        computed, variant = check(frame)
        given = verdicts.get(frame.number)
        if computed:
            totals["icrc " + computed] += 1
        if variant:
            totals["vcrc " + variant] += 1
        if program and {"absent": "bad"}.get(given, given) != computed:
            yield f"{path}: frame {frame.number}: ICRC {computed} here, {given} in the program"
    if program:
        yield from compare_vcrc(path, program, totals)


def main():
    parser = argparse.ArgumentParser(description=__doc__.split("\n", maxsplit=1)[0])
    parser.add_argument("--program", help="rdma-analyze, to compare its verdicts")
    parser.add_argument("captures", nargs="+", type=pathlib.Path)
    options = parser.parse_args()
    errors, everything = 0, Counter()
    for given in options.captures:
        for path in capfile.find(given):
            totals, here = Counter(), 0
            for error in compare(path, options.program, totals):
                here += 1
                if here <= SHOWN_PER_CAPTURE:
                    print(error)
            errors += here
            everything += totals
            if totals:
                print(f"{path.name}: " + ", ".join(f"{n} {k}" for k, n in sorted(totals.items())))
    print("all: " + ", ".join(f"{n} {k}" for k, n in sorted(everything.items())) +
          (f"; {errors} verdicts differ from the program's" if options.program else ""))
    sys.exit(1 if errors or not everything else 0)


if __name__ == "__main__":
    main()
