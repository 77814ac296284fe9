#!/usr/bin/env python3
# SPDX-License-Identifier: GPL-2.0-or-later
"""How often TCP that is no iWARP is taken for it: made to be run by hand (docs/detection.md has its output).

usage: measure.py PROGRAM [--traffic FOLDER] [--megabytes N] [--streams N] [--seed N]
       measure.py PROGRAM --traffic FOLDER --check      fails when any of FOLDER's tcp_*.pcap is

Real traffic is made by traffic.py (as root), or was made before and lies in FOLDER. Of each capture are
looked at: all of it; all but its first third, so that connections begin in the middle; and its payloads
cut anew at random places into segments of 1 to 1448 bytes, in connections of 64 segments, since a place
where a segment begins is where FPDUs are looked for. The same is done with bytes of chance, and with such
as should be mistaken for FPDUs more easily. What is counted is connections that the program says are iWARP.
"""

import argparse
import json
import pathlib
import random
import struct
import subprocess
import sys
import tempfile

HERE = pathlib.Path(__file__).resolve().parent
sys.path.insert(0, str(HERE.parent / "captures"))
import capfile  # noqa: E402
import frames  # noqa: E402
import streams  # noqa: E402

MSS, SEGMENTS = 1448, 64  # segments of a connection


class Segments:
    """A capture of TCP connections, each from its middle."""

    def __init__(self, path):
        self.path, self.frames, self.connections = path, [], 0

    def connection(self, payloads, sequence):
        self.connections += 1
        source = b"\n" + struct.pack(">I", self.connections)[1:]
        for payload in payloads:
            head = struct.pack(">HHIIBBHHH", 40000, 443, sequence, 1, 5 << 4, 0x10, 500, 0, 0)
            packet = frames.ip4(head + payload, 6, source=source, destination=b"\n\xff\0\1")
            self.frames.append((1_000_000 * len(self.frames), frames.ethernet(packet, 0x0800), None))
            sequence = (sequence + len(payload)) % (1 << 32)

    def write(self):
        capfile.write_pcap(self.path, capfile.ETHERNET, [(time, data, len(data)) for time, data, _ in self.frames])


def detections(program, path):
    """(TCP segments with payload, connections that are iWARP)"""
    run = subprocess.run([program, "--format", "json", path], stdout=subprocess.PIPE, check=True)
    found = json.loads(run.stdout)["connections"]
    return sum(connection["transport"] == "iwarp" for connection in found)


def cut(chance, data, place):
    """64 segments of chance lengths, from a place in the data on."""
    pieces = []
    for _ in range(SEGMENTS):
        size = chance.choice((chance.randint(1, 64), chance.randint(64, MSS), MSS))
        piece = data[place:place + size]
        if not piece:
            break
        pieces.append(piece)
        place += size
    return pieces


def payloads(path):
    """The bytes of the capture's TCP segments, of each direction by itself, as they came."""
    directions = {}
    for frame, (key, _, length, _) in zip(tcp_frames(path), streams.segments(path)):
        if length:
            directions.setdefault(key, []).append(frame[-length:])
    return [b"".join(parts) for parts in directions.values()]


def tcp_frames(path):
    return (frame.data for frame in capfile.read(path) if len(frame.data) > 34 and frame.data[23] == 6)


# What chance gives, and what is more like an FPDU than that
ADVERSARIAL = {
    "chance": lambda chance: chance.randbytes(SEGMENTS * MSS),
    "zeros and ones": lambda chance: bytes(chance.choices((0, 1, 0x40, 0x80, 0xc1, 0xff), k=SEGMENTS * MSS)),
    "headers all along": lambda chance: b"".join(
        struct.pack(">HBBIQ", chance.randrange(65536), chance.choice((0xc1, 0x81)), chance.choice((0x40, 0x42)),
                    0, 0) for _ in range(SEGMENTS * MSS // 16)),
    "records of one length": lambda chance: (struct.pack(">HBB", 1436, 0xc1, 0x40) +
                                             chance.randbytes(MSS - 4)) * SEGMENTS,
}


def segmented(program, folder, chance, count, data_of):
    """(segments, connections, of which iWARP) of connections cut out of data"""
    total = [0, 0, 0]
    while count > 0:
        made = Segments(pathlib.Path(folder) / "cut.pcap")
        for _ in range(min(count, 1000)):
            data = data_of(chance)
            begin = chance.randrange(max(1, len(data) // 2))
            made.connection(cut(chance, data, begin), chance.randrange(1 << 32))
        made.write()
        count -= 1000
        total[0] += len(made.frames)
        total[1] += made.connections
        total[2] += detections(program, made.path)
    return total


def without_start(path, folder):
    """The capture without the first third of its frames."""
    given = list(capfile.read(path))
    late = pathlib.Path(folder) / "late.pcap"
    capfile.write_pcap(late, given[0].link, [(f.time_ns, f.data, f.wire) for f in given[len(given) // 3:]])
    return late


def main():
    parser = argparse.ArgumentParser(description=__doc__.split("\n", maxsplit=1)[0])
    parser.add_argument("program")
    parser.add_argument("--traffic", help="captures that traffic.py made")
    parser.add_argument("--megabytes", type=float, default=8, help="of each body")
    parser.add_argument("--streams", type=int, default=2000, help="cut of each kind of traffic")
    parser.add_argument("--seed", type=int, default=1)
    parser.add_argument("--check", action="store_true", help="few streams, and none made up; for ctest")
    options = parser.parse_args()
    chance, found = random.Random(options.seed), 0
    print("| traffic | what | connections | segments with payload | taken for iWARP |\n|---|---|---|---|---|")

    def tell(kind, what, connections, segments, iwarp):
        nonlocal found
        found += iwarp
        print(f"| {kind} | {what} | {connections} | {segments} | {iwarp} |", flush=True)

    with tempfile.TemporaryDirectory() as folder:
        traffic = pathlib.Path(options.traffic or folder)
        if not options.traffic:
            subprocess.run(["unshare", "-n", "-m", sys.executable, HERE / "traffic.py", traffic,
                            str(options.megabytes)], check=True)
        for path in sorted(traffic.glob("tcp_*.pcap" if options.check else "*.pcap")):
            late = without_start(path, folder)
            for what, capture in ("whole", path), ("without its start", late):
                keys = [key for key, _, length, _ in streams.segments(capture) if length]
                tell(path.stem, what, len({tuple(sorted((key[:2], key[2:]))) for key in keys}), len(keys),
                     detections(options.program, capture))
            data = [part for part in payloads(path) if len(part) > MSS]
            segments, connections, iwarp = segmented(
                options.program, folder, chance, 40 if options.check else options.streams,
                lambda chance, data=data: chance.choices(data, [len(part) for part in data])[0])
            tell(path.stem, "cut anew", connections, segments, iwarp)
        for name, make in ADVERSARIAL.items() if not options.check else ():
            segments, connections, iwarp = segmented(options.program, folder, chance, options.streams, make)
            tell(name, "made", connections, segments, iwarp)
    print(f"{found} taken for iWARP")
    return 1 if options.check and found else 0


if __name__ == "__main__":
    sys.exit(main())
