#!/usr/bin/env python3
# SPDX-License-Identifier: GPL-2.0-or-later
"""How long pause frames hold a link, where that is known: ports that ask their neighbours to stop for so many quanta, again
before these are over, or to go on, on links of 10 to 800 Gbit/s.

usage: pauses.py PROGRAM

Each link is stepped through in time as a MAC does it (IEEE 802.3 annex 31B): a timer for each priority, that a frame sets. The
program must find the time held, and the longest without a pause, within 1 %.
"""

import json
import pathlib
import random
import struct
import subprocess
import sys
import tempfile

import capfile
import dcqcn

BEGIN = 1_700_000_000 * 10 ** 9
SPEEDS = [None, 10, 25, 40, 50, 100, 200, 400, 800]  # Gbit/s; None: not told, 100
PLAIN = 8  # among the priorities: all of them


class Timer:
    """Of one sender and priority."""

    def __init__(self):
        self.until, self.since, self.latest = 0, 0, 0
        self.held = self.longest = self.pauses = self.releases = 0

    def pass_to(self, now):
        """Up to now."""
        upto = min(self.until, now)
        if upto > self.latest:
            self.held += upto - self.latest
            self.longest = max(self.longest, upto - self.since)
        self.latest = now

    def set(self, now, quanta, gbits):
        self.pass_to(now)
        if not quanta or now > self.until or not self.pauses:
            self.since = now
        self.until = now + quanta * 512 / gbits
        self.pauses += quanta > 0
        self.releases += quanta == 0


def frame(sender, priorities, quanta):
    mac = bytes([2, 0, 0, 0, 0xFF, sender])
    if PLAIN in priorities:
        body = struct.pack(">HH", 1, quanta)
    else:
        body = struct.pack(">HH8H", 0x0101, sum(1 << i for i in priorities),
                           *(quanta if i in priorities else 0 for i in range(8)))
    return (bytes.fromhex("0180c2000001") + mac + b"\x88\x08" + body).ljust(60, b"\0")


def make(path, seed, gbits):
    """Returns the timers by sender and priority."""
    draw = random.Random(seed)
    now, frames, timers = 0, [], {}
    for _ in range(400):
        sender, priorities = draw.randrange(3), draw.choice([[3], [3, 4], [5], [PLAIN]])
        quanta = draw.choice([0xFFFF, 0xFFFF, 0x1000, draw.randrange(1, 0xFFFF), 0])
        for i in priorities:
            timers.setdefault((sender, i), Timer()).set(now, quanta, gbits)
        frames.append((BEGIN + now, frame(sender, priorities, quanta)))
        now += int(draw.choice([0.1, 0.5, 1, 3]) * draw.random() * 0xFFFF * 512 / gbits) + 1
    capfile.write_pcap(path, 1, frames)
    for timer in timers.values():
        timer.pass_to(frames[-1][0] - BEGIN)
    return timers


def wrong(program, path, gbits, timers):
    speed = ["--link-speed", str(gbits)] if gbits else []
    told = json.loads(subprocess.run([program, *speed, "--format", "json", path], stdout=subprocess.PIPE,
                                     check=True).stdout)["pauses"]
    if len(told) != len(timers):
        yield f"{len(told)} senders and priorities of {len(timers)}"
    for one in told:
        timer = timers[int(one["sender"][-2:], 16), PLAIN if one["priority"] is None else one["priority"]]
        if (one["pauses"], one["releases"], one["link_gbits"]) != (timer.pauses, timer.releases, gbits or 100):
            yield f"{one}: {timer.pauses} pauses, {timer.releases} releases"
        if abs(one["held_ns"] - timer.held) > 0.01 * timer.held or abs(one["longest_ns"] - timer.longest) > 0.01 * timer.longest:
            yield f"{one}: held {timer.held:.0f} ns, {timer.longest:.0f} at most"


PACE = 800  # ns from packet to packet
LONG = 200  # packets of a message
WORLDS = 8
SENDERS = {1: (3, True), 2: (3, True), 3: (4, True), 4: (3, False)}  # priority; whether it is behind the port that asks


def stops_of(draw):
    """From when until when the port stops priority 3."""
    stops, now = [], 20_000
    while now < 4_000_000:
        span = draw.randrange(30_000, 250_000)
        stops.append((now, now + span))
        now += span + draw.randrange(40_000, 400_000)
    return stops


def packet(sender, number, priority):
    """One of its messages of LONG packets."""
    at = number % LONG
    opcode = dcqcn.WRITE_FIRST if at == 0 else dcqcn.WRITE_LAST if at == LONG - 1 else dcqcn.WRITE_MIDDLE
    reth = struct.pack(">QII", number << 12, 0x1234, 1024 * LONG) if at == 0 else b""
    return dcqcn.frame(sender, 9, opcode, 0x10 + sender, number, reth, 1024, ident=number, dscp=priority << 3)


def ack(sender, number, priority):
    aeth = struct.pack(">I", 0x1F << 24 | number // LONG + 1)
    return dcqcn.frame(9, sender, dcqcn.ACK, 0x20 + sender, number, aeth, dscp=priority << 3)


def send(sender, stops, out, draw):
    """Its packets, for 4.2 ms, with rests of its host in long messages. Returns how long the port held it inside messages."""
    priority, behind = SENDERS[sender]
    stops = stops if behind and priority == 3 else []
    now, held, number = 1_000 * sender, 0, 0
    while now < 4_200_000:
        begin, end = next(((begin, end) for begin, end in stops if end > now), (now + 1, 0))
        if begin <= now:
            held += end + 500 - max(now - PACE, begin) if number % LONG else 0
            now = end + 500
        out.append((now, *packet(sender, number, priority)))
        if number % LONG == LONG - 1:
            out.append((now + PACE // 2, *ack(sender, number, priority)))
        rest = draw.randrange(5_000, 35_000) if number % LONG == LONG // 2 else 0
        number, now = number + 1, now + PACE + rest
    return held


def wrongly_held(program, path, seed):
    """Senders behind a port that stops them and beside it; what is told of each against what it was."""
    draw = random.Random(seed)
    stops, out = stops_of(draw), []
    held = {sender: send(sender, stops, out, draw) for sender in SENDERS}
    for quanta, times in ((0xFFFF, (begin for begin, _ in stops)), (0, (end for _, end in stops))):
        out += [(at, frame(1, [3], quanta), 60) for at in times]
    out.sort(key=lambda one: one[0])
    capfile.write_pcap(path, 1, [(BEGIN + at, data, wire) for at, data, wire in out])
    told = json.loads(subprocess.run([program, "--format", "json", path], stdout=subprocess.PIPE, check=True).stdout)
    hosts = {one["host"]: one for pause in told["pauses"] for one in pause["held"]}
    for connection in told["connections"]:
        for side, end in enumerate(connection["endpoints"]):
            sender = int(end["address"].rsplit(".", 1)[1])
            spent = connection["flows"][side]["spent_ns"]
            if sender not in SENDERS or not spent:
                continue
            if abs(spent["held"] - held[sender]) > 0.01 * spent["total"]:
                yield f"sender {sender} was held {held[sender]} ns, told {spent['held']}"
            if (held[sender] > 0) != (end["address"] in hosts):
                yield f"sender {sender} was held {held[sender]} ns, and pauses tell {hosts}"
            held.pop(sender)
    for sender in held:
        yield f"sender {sender} is not told of"


def main(program):
    bad = held = 0
    with tempfile.TemporaryDirectory() as folder:
        path = pathlib.Path(folder) / "pauses.pcap"
        for seed, gbits in enumerate(SPEEDS * 3):
            timers = make(path, seed, gbits or 100)
            held += sum(timer.held for timer in timers.values())
            for line in wrong(program, path, gbits, timers):
                print(f"seed {seed}, {gbits} Gbit/s: {line}")
                bad += 1
        for seed in range(WORLDS):
            for line in wrongly_held(program, path, seed):
                print(f"senders, seed {seed}: {line}")
                bad += 1
    print(f"{3 * len(SPEEDS)} links, {WORLDS} worlds of senders, {bad} faults")
    return bad > 0 or held == 0


if __name__ == "__main__":
    sys.exit(main(sys.argv[1]))
