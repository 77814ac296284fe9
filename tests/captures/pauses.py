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
    print(f"{3 * len(SPEEDS)} links, {bad} faults")
    return bad > 0 or held == 0


if __name__ == "__main__":
    sys.exit(main(sys.argv[1]))
