#!/usr/bin/env python3
# SPDX-License-Identifier: GPL-2.0-or-later
"""However TCP carries it, RDMA is the same: random iWARP conversations in two shapes.

usage: shapes.py PROGRAM ROOT [--seeds N] [--seed N] [--keep FOLDER]

Each seed is a connection: start frames with or without CRCs, markers and READ depths, then bursts of
FPDUs of every opcode, some of them wrong. Once each burst is segments of 1448 bytes in order; once it is
cut anywhere, merged into segments of up to 40,000 bytes, sent twice in part with other cuts, and its
segments overtake each other, while those of all connections are mixed. FPDUs, messages and findings of
each connection must be equal, but for what is TCP's own (W26, W27, times and frames).
"""

import argparse
import json
import pathlib
import random
import re
import subprocess
import sys
import tempfile
from collections import defaultdict

import iwarp
from language import parse_line
from run import perform
from scene import Scene

OF_TCP = {"W26", "W27"}
COLUMNS = ("opcode", "name", "last", "payload_length", "stag", "tagged_offset", "queue", "msn", "mo", "mpa_crc", "ird")
OPENINGS = ("crc", "", "markers", "crc markers", "reply.markers crc", "ird=4 ord=4", "ird=2 ord=16 crc",
            "ird=4 ord=4 p2p rtr=write crc", "rev=0 crc")
FPDUS = ("iw_send bytes={small}", "iw_send bytes={big}", "iw_send bytes={small} more", "iw_send inv=0x1100 bytes={small}",
         "iw_write bytes={big}", "iw_write bytes={small} more", "iw_write bytes=0", "iw_immediate", "iw_read size={small}",
         "iw_read size={big} sink=0x5200", "iw_response", "iw_response bytes={small} more", "iw_atomic", "iw_answer")
FAULTS = ("damage", "padding=5a", "damage=marker", "dv=0", "reserved=3", "msn=77", "mo=5", "op=13", "rv=2")
segment = iwarp.put_segment  # the recorder takes its place


class Recorder(Scene):
    """Keeps what would be sent: (sender, sequence number, bytes, flags, acknowledgment)."""

    def __init__(self):
        super().__init__()
        self.events = []

    def keep(self, sender, sequence, payload, flags):
        self.events.append((sender, sequence, payload, flags, iwarp.stream_of(self, sender.peer).sequence))


def conversation(scene, index, chance):
    """Lines of a connection, performed; its events."""
    scene.events = []
    one, other = f"A{index}", f"B{index}"
    scene.connect(one, index, other, 10000 + index)

    def line(text):
        perform(scene, parse_line(0, text))

    line(f"{one} mpa {chance.choice(OPENINGS)}")
    opening = len(scene.events)
    for turn in range(chance.randint(2, 8)):
        for _ in range(chance.randint(1, 5)):
            verb = chance.choice(FPDUS).format(small=chance.randint(0, 90), big=chance.randint(1, 4000))
            fault = chance.choice(FAULTS) if chance.random() < 0.03 else ""
            line(f"{(one, other)[turn % 2]} {verb} {fault}")
    return scene.events[:opening], scene.events[opening:]


def bursts(events):
    """(sender, first sequence number, bytes, acknowledgment) of what a side sends in a row"""
    joined = []
    for sender, sequence, payload, _, acknowledgment in events:
        if joined and joined[-1][0] is sender:
            joined[-1][2] += payload
        else:
            joined.append([sender, sequence, payload, acknowledgment])
    return joined


def plain(burst):
    sender, sequence, payload, acknowledgment = burst
    return [(sender, sequence + at, payload[at:at + 1448], iwarp.ACK, acknowledgment)
            for at in range(0, len(payload), 1448)]


def cut(chance, burst):
    """The burst in other segments, some twice, some overtaken."""
    sender, sequence, payload, acknowledgment = burst
    largest, cuts, at = chance.choice((40, 300, 1448, 40000)), [], 0
    while at < len(payload):
        size = chance.randint(1, largest)
        cuts.append((at, at + size))
        if chance.random() < 0.1:
            again = chance.randint(0, at)
            cuts.append((again, again + chance.randint(1, largest)))
        at += size
    if chance.random() < 0.3:
        chance.shuffle(cuts)
    elif chance.random() < 0.5:
        for place in range(len(cuts) - 1):
            if chance.random() < 0.2:
                cuts[place], cuts[place + 1] = cuts[place + 1], cuts[place]
    return [(sender, sequence + low, payload[low:high], iwarp.ACK, acknowledgment) for low, high in cuts]


def write(path, connections, chance):
    """A capture of all: in order, or (with chance) in other shapes and mixed."""
    scene, lines = Scene(), []
    scene.advance(0)
    for opening, events in connections:
        parts = bursts(events)
        lines.append(opening + [one for part in parts for one in (cut(chance, part) if chance else plain(part))])
    while lines:
        source = chance.choice(lines) if chance else lines[0]
        if not source:
            lines.remove(source)
            continue
        sender, sequence, payload, flags, acknowledgment = source.pop(0)
        scene.advance(None)
        segment(scene, parse_line(0, "x"), sender, {}, sequence, payload, flags, acknowledgment=acknowledgment)
    scene.write(path)


def told(program, path):
    """{port of A: what the program says of the connection}"""
    def run(*options):
        return subprocess.run([program, *options, path], stdout=subprocess.PIPE, check=True).stdout
    document, said = json.loads(run("--format", "json")), defaultdict(lambda: defaultdict(list))
    ports = {}
    for connection in document["connections"]:
        ends = [(end["port"], flow) for end, flow in zip(connection["endpoints"], connection["flows"])]
        ports[connection["id"]] = min(ends, key=lambda end: end[0])[0]
        for port, flow in ends:
            counts = {kind: (row["count"], row["bytes"]) for kind, row in flow["messages"].items()}
            said[ports[connection["id"]]][f"messages of {port}"] = [counts, connection["seen"]["unbroken"]]
    for finding in document["findings"]:
        if finding["code"] not in OF_TCP and finding["connection"] is not None:
            text = re.sub(r"frames? \d+", "", finding["text"])
            said[ports[finding["connection"]]]["findings"].append(
                [finding["code"], finding["severity"], finding["count"], text])
    for record in map(json.loads, run("--packets", "--format", "ndjson").splitlines()):
        if record["transport"] is None:  # a segment that a finding is about: of TCP, not of messages
            continue
        said[ports[record["connection"]]][f"flow {record['flow']}"].append([record.get(name) for name in COLUMNS])
    for port in said:
        said[port]["findings"].sort()
    return said


def main():
    parser = argparse.ArgumentParser(description=__doc__.split("\n", maxsplit=1)[0])
    parser.add_argument("program")
    parser.add_argument("root")
    parser.add_argument("--seeds", type=int, default=300)
    parser.add_argument("--seed", type=int, default=1, help="the first")
    parser.add_argument("--keep", help="where the two captures are to stay")
    options = parser.parse_args()
    scene = Recorder()
    iwarp.put_segment = lambda scene, statement, sender, keys, sequence, payload, flags=iwarp.ACK, lost=False: \
        scene.keep(sender, sequence, payload, flags)
    iwarp.put_segments = lambda scene, statement, sender, keys, sequence, payload: \
        scene.keep(sender, sequence, payload, iwarp.ACK)
    seeds = range(options.seed, options.seed + options.seeds)
    connections = [conversation(scene, seed % 10000, random.Random(seed)) for seed in seeds]
    with tempfile.TemporaryDirectory() as folder:
        kept = pathlib.Path(options.keep or folder)
        write(kept / "plain.pcap", connections, None)
        write(kept / "cut.pcap", connections, random.Random(options.seed))
        want, got = told(options.program, kept / "plain.pcap"), told(options.program, kept / "cut.pcap")
    different = 0
    for seed in seeds:
        port = iwarp.PORT + seed % 10000
        for what in sorted(want[port].keys() | got[port].keys()):
            if want[port][what] != got[port][what]:
                different += 1
                print(f"seed {seed}: {what}:\n  plain {want[port][what]}\n  cut   {got[port][what]}")
    fpdus = sum(len(rows) for said in want.values() for what, rows in said.items() if what.startswith("flow"))
    findings = sum(len(said["findings"]) for said in want.values())
    print(f"{len(connections)} connections, {fpdus} FPDUs and start frames, {findings} findings: {different} differ")
    return 1 if different or len(want) != len(connections) or not findings else 0


if __name__ == "__main__":
    sys.exit(main())
