#!/usr/bin/env python3
# SPDX-License-Identifier: GPL-2.0-or-later
"""Whether senders slow down when they are told to, where that is known: senders, a switch that marks, and a receiver whose
NIC sends CNPs, in virtual time.

usage: dcqcn.py PROGRAM [NAME]       NAME: only this one, and its capture is kept as NAME.pcap

Senders follow DCQCN as published (Zhu et al., Congestion Control for Large-Scale RDMA Deployments, SIGCOMM 2015, with the
parameters of its section 5.3), or do not react, or cut by 0.5 % a CNP, or have little to send. Marks are made by a queue
that fills (RED), or in one packet of five while the schedule says so. The capture is taken at the receiver. The program
must say of each sender what it does, and of the receiver by what its CNPs are paced; where all is right, nothing.
"""

import collections
import heapq
import json
import pathlib
import random
import struct
import subprocess
import sys
import tempfile

import capfile
from frames import checksum
from icrc import icrc, masked_routing

US, MS = 1_000, 1_000_000
BEGIN = 1_700_000_000 * 10 ** 9
LINE = 25_000_000_000  # bit/s of each sender's link
WAY_NS = 2 * US  # from a sender to the switch, and from there to the receiver
PAYLOAD, MESSAGE = 1024, 64  # bytes of a packet, packets of a message
SNAPLEN = 96
# of the paper, section 5.3, but for the byte counter, which needs longer captures than these
G, TIMER_NS, STAGES, ADDITIVE = 1 / 256, 55 * US, 5, 40_000_000
CNP_NS = 50 * US
WRITE_FIRST, WRITE_MIDDLE, WRITE_LAST, ACK, CNP = 0x06, 0x07, 0x08, 0x11, 0x81


def frame(source, destination, opcode, dest_qp, psn, extended=b"", payload=0, ecn=2, ident=0, sport=0xC000, dscp=26):
    """(bytes up to the snap length, length on the wire)"""
    length = 12 + len(extended) + payload + 4
    becn = opcode == CNP
    bth = struct.pack(">BBHII", opcode, 0, 0xFFFF, becn << 30 | dest_qp, (opcode in (WRITE_LAST,)) << 31 | psn)
    udp = struct.pack(">HHHH", sport, 4791, 8 + length, 0)
    ip = struct.pack(">BBHHHBBH4s4s", 0x45, dscp << 2 | ecn, 28 + length, ident & 0xFFFF, 0x4000, 64, 17, 0,
                     bytes([10, 0, 0, source]), bytes([10, 0, 0, destination]))
    ip = ip[:10] + struct.pack(">H", checksum(ip)) + ip[12:]
    ethernet = bytes([2, 0, 0, 0, 0, destination, 2, 0, 0, 0, 0, source]) + b"\x08\x00"
    body = ethernet + ip + udp + bth + extended
    if not payload:
        body += icrc(masked_routing("ip4", ip + udp), bth + extended)
        return body, len(body)
    return (body + bytes(max(0, SNAPLEN - len(body))))[:SNAPLEN], len(body) + payload + 4


class Sender:
    """One QP. how: "law", "none", or the part that a CNP cuts off; burst: it posts so many messages at a time, each `every`
    ns and later; else it always has more to send."""

    def __init__(self, host, qp, how, burst=0, every=0):
        self.host, self.qp, self.how, self.burst, self.every = host, qp, how, burst, every
        self.rate, self.target, self.alpha = LINE, LINE, 1.0
        self.begin = 0x10000 * qp  # so that ACKs tell whose they are
        self.psn, self.left = self.begin, 0
        self.timer = self.alpha_timer = None
        self.stage = 0
        self.cnps = 0

    def notified(self, now):
        self.cnps += 1
        if self.how == "law":
            self.target = self.rate
            self.rate *= 1 - self.alpha / 2
            self.alpha = (1 - G) * self.alpha + G
            self.timer, self.alpha_timer, self.stage = now + TIMER_NS, now + TIMER_NS, 0
        elif self.how != "none":
            self.rate *= 1 - self.how

    def advance(self, now):
        """What its timers do up to now."""
        while self.alpha_timer is not None and self.alpha_timer <= now:
            self.alpha *= 1 - G
            self.alpha_timer += TIMER_NS
        while self.timer is not None and self.timer <= now:
            self.stage += 1
            if self.stage > STAGES:
                self.target = min(LINE, self.target + ADDITIVE)
            self.rate = (self.rate + self.target) / 2
            self.timer += TIMER_NS
        self.rate = max(self.rate, 10_000_000)


class World:
    """marks: the part of packets that are marked, by time; None: as the queue in front of `port` bit/s has it."""

    def __init__(self, senders, last_ns, pacing="qp", marks=None, port=LINE, notifies=True, cnp_dscp=48, seed=1,
                 at_sender=False, from_ns=0):
        self.senders, self.last, self.pacing, self.marks, self.port = senders, last_ns, pacing, marks, port
        self.notifies, self.cnp_dscp, self.at_sender, self.begin = notifies, cnp_dscp, at_sender, from_ns
        self.random, self.frames, self.events, self.count = random.Random(seed), [], [], 0
        self.queue_free, self.latest_cnp, self.ident = 0, {}, 0

    def at(self, time, what, *arguments):
        self.count += 1
        heapq.heappush(self.events, (time, self.count, what, arguments))

    def put(self, time, captured):
        if time >= self.begin:
            self.frames.append((BEGIN + time, *captured))

    def packet_ns(self, bits, rate):
        return max(1, round(bits * 10 ** 9 / rate))

    def send(self, now, sender):
        sender.advance(now)
        if sender.burst and sender.left == 0:
            sender.left = sender.burst * MESSAGE
        place = (sender.psn - sender.begin) % MESSAGE
        opcode = WRITE_FIRST if place == 0 else WRITE_LAST if place == MESSAGE - 1 else WRITE_MIDDLE
        extended = struct.pack(">QII", sender.host << 32 | sender.qp << 20, sender.host << 8 | sender.qp,
                               MESSAGE * PAYLOAD) if place == 0 else b""
        self.at(now + WAY_NS, self.queue, sender, opcode, sender.psn, extended)
        if self.at_sender:
            self.put(now, frame(sender.host, 1, opcode, 0x1000 + sender.qp, sender.psn, extended, PAYLOAD, 2, sender.psn))
        sender.psn += 1
        pause = self.packet_ns(8 * (PAYLOAD + 62 + len(extended)), sender.rate)
        if sender.burst:
            sender.left -= 1
            pause = self.packet_ns(8 * (PAYLOAD + 62), LINE) if sender.left else sender.every
        self.at(now + pause, self.send, sender)

    def is_marked(self, now, waits_ns):
        if self.marks:
            return self.random.random() < self.marks(now)
        queue = waits_ns * self.port / 8e9  # RED: from 5 KB to 200 KB up to 1 %, all behind that
        return queue > 200_000 or self.random.random() < 0.01 * (queue - 5_000) / 195_000

    def queue(self, now, sender, opcode, psn, extended):
        waits = max(0, self.queue_free - now)
        ecn = 3 if self.is_marked(now, waits) else 2
        self.queue_free = now + waits + self.packet_ns(8 * (PAYLOAD + 62 + len(extended)), self.port)
        self.at(self.queue_free + WAY_NS, self.arrive, sender, opcode, psn, extended, ecn)

    def arrive(self, now, sender, opcode, psn, extended, ecn):
        if not self.at_sender:
            self.put(now, frame(sender.host, 1, opcode, 0x1000 + sender.qp, psn, extended, PAYLOAD, ecn, psn))
        if opcode == WRITE_LAST:
            answer = now + 1 * US
            aeth = struct.pack(">I", 0x1F << 24 | (psn + 1 - sender.begin) // MESSAGE)
            self.back(answer, frame(1, sender.host, ACK, sender.qp, psn, aeth, 0, 2, self.next_ident()))
        if ecn == 3 and self.notifies:
            key = {"qp": (sender.host, sender.qp), "pair": sender.host, "port": 0}[self.pacing]
            if now - self.latest_cnp.get(key, -CNP_NS) >= CNP_NS:
                self.latest_cnp[key] = now
                sent = now + 1 * US + self.random.randrange(500)
                self.back(sent, frame(1, sender.host, CNP, sender.qp, 0, bytes(16), 0, 2, self.next_ident(), 0,
                                      self.cnp_dscp))
                self.at(sent + 2 * WAY_NS, lambda at, one: (one.advance(at), one.notified(at)), sender)

    def back(self, time, captured):
        self.put(time + (2 * WAY_NS if self.at_sender else 0), captured)

    def next_ident(self):
        self.ident += 1
        return self.ident

    def run(self):
        for i, sender in enumerate(self.senders):
            self.at(i * 137, self.send, sender)
        while self.events and self.events[0][0] < self.last:
            now, _, what, arguments = heapq.heappop(self.events)
            what(now, *arguments)
        self.frames.sort(key=lambda one: one[0])
        return self


def fifth(begin, *rest):
    """One packet of five is marked from `begin` to the next, and so on."""
    ends = [begin, *rest]
    return lambda now: 0.2 if sum(now >= end for end in ends) % 2 else 0.0


def alone(how, **more):
    return [Sender(2, 0x11, how, **more)]


def mean_cut(least, most):
    return lambda told: all(least <= one["mean_cut_ppm"] <= most for one in told)


def halves(told):
    """alpha is 1 at first, and the first stage of recovery comes after 55 us."""
    first, back = told[0]["first_cuts"][0], told[0]["half_back_ns"]
    return abs(first["rate_after"] / first["rate_before"] - 0.5) < 0.01 and 55 * US <= back["p50"] <= 220 * US


# name -> the world; warnings that must be told; what must hold of `slowdowns`
ROWS = {
    "no_reaction": (lambda: World(alone("none"), 12 * MS, marks=fifth(1 * MS)), {"G06": 1}, mean_cut(-200, 200)),
    "law": (lambda: World(alone("law"), 12 * MS, marks=fifth(1 * MS, 2 * MS, 7 * MS, 8 * MS)), {}, halves),
    "law_two_to_one": (lambda: World([Sender(2, 0x11, "law"), Sender(3, 0x11, "law")], 12 * MS), {}, None),
    "law_incast": (lambda: World([Sender(2 + i, 0x11, "law") for i in range(8)], 12 * MS), {}, None),
    "law_incast_under_way": (lambda: World([Sender(2 + i, 0x11, "law") for i in range(8)], 16 * MS, from_ns=5 * MS), {}, None),
    "weak": (lambda: World(alone(0.005), 12 * MS, marks=fifth(1 * MS)), {"G18": 1}, mean_cut(4_500, 5_500)),
    "weak_at_sender": (lambda: World(alone(0.005), 12 * MS, marks=fifth(1 * MS), at_sender=True), {"G18": 1},
                       mean_cut(4_500, 5_500)),
    "per_port": (lambda: World([Sender(2 + i, 0x11, "law") for i in range(4)], 12 * MS, pacing="port"), {}, None),
    "per_pair": (lambda: World([Sender(2 + i % 2, 0x11 + i, "law") for i in range(4)], 12 * MS, pacing="pair"), {}, None),
    "per_qp": (lambda: World([Sender(2, 0x11 + i, "law") for i in range(4)], 12 * MS,
                             marks=lambda now: 0.8 if now % (3 * MS) > 2600 * US else 0.0), {}, None),
    "little_to_send": (lambda: World(alone("law", burst=1, every=100 * US), 15 * MS, marks=fifth(1 * MS)), {}, None),
    "bursts": (lambda: World(alone("none", burst=4, every=400 * US), 15 * MS, marks=fifth(1 * MS)), {}, None),
    "default_class": (lambda: World(alone("law"), 4 * MS, marks=fifth(1 * MS, 2 * MS), cnp_dscp=0), {"G20": 1}, None),
    "never_notified": (lambda: World(alone("none"), 4 * MS, marks=fifth(1 * MS), notifies=False), {"G02": 1}, None),
}


# who shares what: four hosts; two of two QPs each; one of four QPs
PACED = {"per_port": "port", "per_pair": "pair", "per_qp": "qp", "law_incast": "qp_or_pair", "weak": None, "law": None}


def wrong(program, name, folder):
    make, warnings, holds = ROWS[name]
    path = pathlib.Path(folder) / f"{name}.pcap"
    capfile.write_pcap(path, 1, make().run().frames)
    document = json.loads(subprocess.run([program, "--format", "json", path], stdout=subprocess.PIPE, check=True).stdout)
    told = collections.Counter(finding["code"] for finding in document["findings"] if finding["severity"] != "note")
    if told != warnings:
        yield f"told is {dict(told)}, and not {warnings}"
    paced = [one["paced_by"] for one in document["cnp_pacing"]] if document.get("cnp_pacing") else []
    if name in PACED and paced != [PACED[name]]:
        yield f"paced by {paced}: {document.get('cnp_pacing')}"
    if holds and not holds(document["slowdowns"]):
        yield f"so it is not: {document['slowdowns']}"


def main(program, only=None):
    bad = 0
    with tempfile.TemporaryDirectory() as folder:
        for name in ROWS:
            if only in (None, name):
                for line in wrong(program, name, "." if only else folder):
                    print(f"{name}: {line}")
                    bad += 1
    print(f"{len(ROWS)} worlds, {bad} faults")
    return bad > 0


if __name__ == "__main__":
    sys.exit(main(*sys.argv[1:]))
