#!/usr/bin/env python3
# SPDX-License-Identifier: GPL-2.0-or-later
"""Collectives in virtual time, one host of which may be late: what they are, and who is late, must be told.

usage: collectives.py PROGRAM [SEED]      SEED: only this one, and its capture is kept as collective.pcap

Each seed draws a shape (ring, tree, all-to-all, two rings that go opposite ways), 3 to 16 ranks, 3 to 10 steps, the QPs of a pair, how a step is
sent (a WRITE with immediate data, with WRITEs before it, or a SEND), how long hosts and the network take, jitter
of both, and a host that is late in each step, or none. A host begins a step when its inputs are there, as the
shape wants it: of a ring that of the step before, of a tree (up, then down) those of its children, or its parent's,
of an all-to-all those of all others. The capture is made at a switch.
"""

import json
import pathlib
import random
import subprocess
import sys
import tempfile

import capfile
from frames import aeth, ethernet, reth, rocev2_ip4, transport

SEEDS = 200
US, MS = 1_000, 1_000_000
SEND_ONLY, WRITE_ONLY, WRITE_ONLY_IMM, ACK = 0x04, 0x0A, 0x0B, 0x11


def address(rank):
    return bytes([10, 0, 1, rank + 1])


class Collective:
    """Ranks, their wires, and when each rank has what it waits for."""

    def __init__(self, seed):
        self.random = random.Random(seed)
        draw = self.random
        self.shape = draw.choice(("ring", "tree", "all_to_all", "rings"))
        self.ranks, self.steps = draw.randint(4 if self.shape == "rings" else 3, 16), draw.randint(3, 10)
        self.kind = draw.choice(("imm", "writes", "send"))
        self.qps = draw.choice((1, 1, 2))
        self.host_ns, self.wire_ns = draw.randint(2, 20) * US, draw.randint(1, 10) * US
        self.jitter = draw.choice((0, 0.2, 1))  # of the host's time; exponential
        self.late = draw.choice((None, draw.randrange(self.ranks)))
        # well above what jitter does
        self.late_ns = draw.randint(15, 100) * (self.host_ns + self.wire_ns)
        self.frames, self.psns = [], {}
        self.other = [0, *range(self.ranks - 1, 0, -1)]
        self.parent = [None] + [draw.randrange(i) if draw.random() < 0.3 else (i - 1) // 2 for i in range(1, self.ranks)]

    def think(self, rank, first=False):
        """How long a host takes from its input to its output."""
        usual = self.host_ns * (1 + self.random.expovariate(1) * self.jitter)
        return int(usual) + (self.late_ns if rank == self.late and not first else 0)

    def put(self, time_ns, source, destination, packet):
        self.frames.append((time_ns, len(self.frames), ethernet(rocev2_ip4(
            packet, ident=len(self.frames) & 0xFFFF, source=address(source), destination=address(destination)))))

    def send(self, source, destination, at):
        """A step: its packets pass the switch half-way. Returns when the other host has it."""
        way = self.wire_ns + int(self.wire_ns * 0.3 * self.random.random())
        passes = at + way // 2
        for qp in range(self.qps):
            number = 0x1000 + 256 * source + 16 * destination + qp
            psn, msn = self.psns.get(number, (977 * number % 0x800000, 0))
            packets = {"imm": [WRITE_ONLY_IMM], "writes": [WRITE_ONLY, WRITE_ONLY, WRITE_ONLY_IMM],
                       "send": [SEND_ONLY]}[self.kind]
            for opcode in packets:
                extended = b"" if opcode == SEND_ONLY else reth(dmalen=64)
                extended += bytes(4) if opcode == WRITE_ONLY_IMM else b""
                self.put(passes, source, destination, transport(opcode, extended, bytes(64), psn=psn, dest_qp=number,
                                                                ack_req=int(opcode == packets[-1])))
                psn, msn, passes = psn + 1, msn + 1, passes + 200
            self.psns[number] = (psn, msn)
            self.put(passes + way, destination, source, transport(ACK, aeth(msn=msn), psn=psn - 1,
                                                                  dest_qp=0x9000 + number))
        return passes + way // 2

    def ring(self):
        there, starts = [0] * self.ranks, [0] * self.ranks
        for step in range(self.steps):
            starts = [max(there[rank], starts[rank] + US) + self.think(rank, step == 0) for rank in range(self.ranks)]
            for rank in range(self.ranks):
                there[(rank + 1) % self.ranks] = self.send(rank, (rank + 1) % self.ranks, starts[rank])

    def rings(self):
        """Two channels: a ring, and one in another order that shares no way with it; their steps do not wait for each other."""
        for order in ([*range(self.ranks)], self.other):
            there, starts = [0] * self.ranks, [0] * self.ranks
            after = {rank: order[(i + 1) % self.ranks] for i, rank in enumerate(order)}
            for step in range(self.steps):
                starts = [max(there[rank], starts[rank] + US) + self.think(rank, step == 0) for rank in range(self.ranks)]
                for rank in range(self.ranks):
                    there[after[rank]] = self.send(rank, after[rank], starts[rank])

    def tree(self):
        children = [[c for c in range(self.ranks) if self.parent[c] == r] for r in range(self.ranks)]
        down = [0] * self.ranks
        for step in range(self.steps):
            up = [0] * self.ranks
            for rank in reversed(range(1, self.ranks)):
                ready = max([up[child] for child in children[rank]] + [down[rank]])
                up[rank] = self.send(rank, self.parent[rank],
                                     ready + self.think(rank, step == 0 and not children[rank]))
            down[0] = max(up[child] for child in children[0])
            for rank in range(self.ranks):
                at = down[rank] + (self.think(rank) if children[rank] else 0)
                for child in children[rank]:
                    down[child] = self.send(rank, child, at)
                    at += 500

    def all_to_all(self):
        there, done = [0] * self.ranks, [0] * self.ranks
        for step in range(self.steps):
            arrived = [0] * self.ranks
            for rank in range(self.ranks):
                at = max(there[rank], done[rank]) + self.think(rank, step == 0)
                for i in range(1, self.ranks):
                    other = (rank + i) % self.ranks
                    arrived[other] = max(arrived[other], self.send(rank, other, at))
                    at += 300
                done[rank] = at + US
            there = arrived

    def write(self, path):
        {"ring": self.ring, "rings": self.rings, "tree": self.tree, "all_to_all": self.all_to_all}[self.shape]()
        begin = 1_700_000_000 * 10 ** 9
        capfile.write_pcap(path, 1, [(begin + at, frame) for at, _, frame in sorted(self.frames)])

    def __str__(self):
        late = "nobody is late" if self.late is None else f"{self.late} is late by {self.late_ns}"
        return f"{self.shape} of {self.ranks}, {self.steps} steps of {self.qps} {self.kind}, jitter {self.jitter}; {late}"


def text(rank):
    return ".".join(str(byte) for byte in address(rank))


def check(program, seed, path):
    """What is wrong, or None."""
    made = Collective(seed)
    made.write(path)
    document = json.loads(subprocess.run([program, "--format", "json", path], stdout=subprocess.PIPE,
                                         check=True).stdout)
    told = document.get("collectives", [])
    named = [finding["arguments"]["late"] for finding in document["findings"] if finding["code"] == "T14"]
    count = 2 if made.shape == "rings" else 1
    want = [] if made.late is None else [text(made.late)]
    if [one["shape"] for one in told] != [made.shape.removesuffix("s")] * count or told[0]["hosts"] != made.ranks or \
            told[0]["steps"] != made.steps:
        return f"{seed}: {made}: told is {[(one['shape'], one['hosts'], one['steps']) for one in told]}"
    if named != want:
        return f"{seed}: {made}: late is said to be {named or 'nobody'}: {told[0]}"
    return None


def main():
    program, only = sys.argv[1], sys.argv[2:]
    if only:
        print(check(program, int(only[0]), "collective.pcap") or "holds")
        return 0
    with tempfile.TemporaryDirectory() as folder:
        path = pathlib.Path(folder) / "collective.pcap"
        wrong = [what for what in (check(program, seed, path) for seed in range(SEEDS)) if what]
    print("\n".join(wrong))
    print(f"{SEEDS - len(wrong)} of {SEEDS} collectives are told rightly")
    return bool(wrong)


if __name__ == "__main__":
    sys.exit(main())
