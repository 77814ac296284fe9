#!/usr/bin/env python3
# SPDX-License-Identifier: GPL-2.0-or-later
"""Memory is bounded by the limits of docs/architecture.md, whatever TCP does; what hits one is counted.

usage: flood.py PROGRAM

Makes captures that would need much if nothing were bounded, and allows the program so much memory as the
limits come to (RLIMIT_DATA; not where sanitizers need their own): SYNs of 300,000 ports; connections that ask for MPA and go no further; more than 64 MiB of segments
behind gaps that nobody fills; connections that look a little like iWARP, and the longest lengths.
"""

import json
import pathlib
import resource
import struct
import subprocess
import sys
import tempfile

sys.path.insert(0, str(pathlib.Path(__file__).resolve().parent.parent / "captures"))
import capfile  # noqa: E402
import frames  # noqa: E402

SANITIZED = b"__asan_init" in pathlib.Path(sys.argv[1]).read_bytes()
REQUEST = b"MPA ID Req Frame\0\1\0\0"
SYN, ACK, MIB = 2, 16, 1 << 20


def segment(index, sequence, payload=b"", flags=ACK):
    """Of connection number `index`."""
    source = b"\n" + struct.pack(">I", index // 60000 + 1)[1:]
    head = struct.pack(">HHIIBBHHH", 1024 + index % 60000, 7000, sequence % (1 << 32), 0, 5 << 4, flags, 500, 0, 0)
    return frames.ethernet(frames.ip4(head + payload, 6, source=source, destination=b"\n\xff\0\1"), 0x0800)


def write(path, packets):
    capfile.write_pcap(path, capfile.ETHERNET, ((1000 * i, data, len(data)) for i, data in enumerate(packets)))


def run(program, path, most, threads):
    """The program's document; None when it did not get along with so many MiB."""
    def limit():
        if most:
            resource.setrlimit(resource.RLIMIT_DATA, (most * MIB, most * MIB))
    # with less than 4G, limits that are shares of it come first
    result = subprocess.run([program, "--format", "json", "--memory", "4G", "-j", str(threads), path], stdout=subprocess.PIPE,
                            stderr=subprocess.DEVNULL, preexec_fn=limit, check=False)
    return json.loads(result.stdout) if result.returncode == 0 else None


def syns():
    return (segment(i, i, flags=SYN) for i in range(300000))


def requests():
    return (segment(i, 1000, REQUEST) for i in range(20000))


def gaps():
    """Of each of 80 connections 1 MB behind a byte that never comes."""
    for index in range(80):
        yield segment(index, 1000, REQUEST)
    for place in range(17):
        for index in range(80):
            yield segment(index, 1000 + len(REQUEST) + 1 + place * 60000, bytes(60000))


def candidates():
    """The first FPDU is longer than its segment: the second is waited for, in vain."""
    return (segment(i, 1000, b"\xff\xf0\xc1\x40" + bytes(60000)) for i in range(2000))


def lengths():
    yield segment(0, 1000, REQUEST[:18] + b"\xff\xff")
    for i in range(100000):
        yield segment(0, 1000 + len(REQUEST) + i, b"\xff")


# what is made, MiB that it may take, and a counter that must have moved. While the program reads, it puts a quarter of
# what it may take by for the report (shortage.h)
FLOODS = ((syns, 16, None), (requests, 112, None), (gaps, 100, "gaps_given_up"), (candidates, 36, None),
          (lengths, 16, None))


# MiB that another thread may take, for its stack and batches: its engine has the limits of one
THREAD = 4


def flood(make, path, most, counter, threads):
    """How much is wrong."""
    name = f"{make.__name__} -j {threads}"
    document = run(sys.argv[1], path, None if SANITIZED else most, threads)
    if document is None:
        print(f"{name}: needs more than {most} MiB")
        return 1
    capture = document["captures"][0]
    print(f"{name}: {capture['packets']} packets, {len(document['connections'])} connections, {most} MiB are enough")
    if counter and not capture[counter]:
        print(f"{name}: {counter} does not tell of it")
        return 1
    return 0


def main():
    errors = 0
    with tempfile.TemporaryDirectory() as folder:
        path = str(pathlib.Path(folder) / "flood.pcap")
        for make, most, counter in FLOODS:
            write(path, make())
            for threads in (1, 2):
                errors += flood(make, path, most + (threads - 1) * THREAD, counter, threads)
    return 1 if errors else 0


if __name__ == "__main__":
    sys.exit(main())
