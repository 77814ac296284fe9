#!/usr/bin/env python3
# SPDX-License-Identifier: GPL-2.0-or-later
"""--memory holds, whatever a capture has without end, and the program tells what it gave up.

usage: memory.py PROGRAM [PACKETS] [SIZE_MIB] [JOBS...]

Captures of hosts, QPs, memory keys and communication IDs of which each packet has a new one. The peak of
memory beyond that of an empty capture is at most the size and a tenth of it; the exit code is 0.
"""

import json
import pathlib
import random
import struct
import subprocess
import sys
import tempfile

sys.path.insert(0, str(pathlib.Path(__file__).resolve().parent.parent / "captures"))
import capfile  # noqa: E402
import frames  # noqa: E402

MIB = 1 << 20
SEND, WRITE, UD_SEND = 4, 10, 0x64
# runs a command; prints the peak of its memory in KiB behind what it says
MEASURE = ("import resource, subprocess, sys; code = subprocess.call(sys.argv[1:]); "
           "print(resource.getrusage(resource.RUSAGE_CHILDREN).ru_maxrss, file=sys.stderr); sys.exit(code)")


def roce(opcode, qp, psn, rest, source, destination):
    bth = struct.pack(">BBHII", opcode, 0x40, 0xffff, qp & 0xffffff, psn & 0xffffff)
    body = bth + rest + bytes(4)
    udp = struct.pack(">HHHH", 49152 + qp % 16384, 4791, 8 + len(body), 0)
    return frames.ethernet(frames.ip4(udp + body, 17, source=source, destination=destination), 0x0800)


def host(number):
    return struct.pack(">I", 0x0a000000 + number)


def hosts(count, random_of):
    return (roce(SEND, 0x100, i, bytes(16), host(i), host(0x800000 + random_of.randrange(1 << 22)))
            for i in range(count))


def qps(count, random_of):
    return (roce(WRITE, i * 0x9e3779, random_of.randrange(1 << 24), struct.pack(">QII", 4096, 7, 64) +
                 bytes(64), host(1), host(2)) for i in range(count))


def keys(count, _):
    return (roce(WRITE, 0x100, i, struct.pack(">QII", 4096 * i, i, 64) + bytes(64), host(1), host(2))
            for i in range(count))


def ids(count, _):
    """REQs, each of another conversation."""
    for i in range(count):
        mad = struct.pack(">BBBBHHQHHI", 1, 7, 2, 3, 0, 0, i, 0x10, 0, 0)
        request = struct.pack(">IIQQIIIII", i + 1, 0, 0x1060000 + 4791, 1, 0, 0, (i & 0xffffff) << 8, 0, 0)
        deth = struct.pack(">II", 0x80010000, 1)
        yield roce(UD_SEND, 1, i, deth + (mad + request).ljust(256, b"\0"), host(1), host(2))


def run(program, path, *options):
    """Exit code, MiB at most, and the document."""
    result = subprocess.run([sys.executable, "-c", MEASURE, program, *options, "--format", "json", path],
                            stdout=subprocess.PIPE, stderr=subprocess.PIPE, check=False)
    return result.returncode, int(result.stderr.split()[-1]) / 1024, json.loads(result.stdout)


def write(path, packets):
    capfile.write_pcap(path, capfile.ETHERNET, ((1000 * i, data, len(data)) for i, data in enumerate(packets)))


def main():
    program = sys.argv[1]
    count = int(sys.argv[2]) if len(sys.argv) > 2 else 60000
    size = int(sys.argv[3]) if len(sys.argv) > 3 else 64
    jobs = sys.argv[4:] or ["1", "2"]
    sanitized = b"__asan_init" in pathlib.Path(program).read_bytes()
    errors = 0
    with tempfile.TemporaryDirectory() as folder:
        path = str(pathlib.Path(folder) / "memory.pcap")
        write(path, ())
        empty = run(program, path)[1]
        for make in (hosts, qps, keys, ids):
            write(path, make(count, random.Random(1)))
            for threads in jobs:
                code, peak, document = run(program, path, "--memory", f"{size}M", "-j", threads)
                closed = document.get("closed_early", [{"connections": 0}])[0]["connections"]
                name = f"{make.__name__} -j {threads}"
                print(f"{name}: {peak - empty:.0f} MiB of {size}, {closed} closed early, "
                      f"{len(document['connections'])} connections, {len(document['memory_keys'])} keys, "
                      f"{len(document['conversations'])} conversations")
                if code != 0:
                    errors += 1
                    print(f"{name}: exit code {code}")
                if not sanitized and peak - empty > 1.1 * size:
                    errors += 1
                    print(f"{name}: more than {size} MiB and a tenth")
                if make in (hosts, qps) and closed + len(document["connections"]) != count:
                    errors += 1
                    print(f"{name}: of {count} connections {closed} were closed, {len(document['connections'])} are "
                          "told")
                if make in (hosts, qps) and not closed:
                    errors += 1
                    print(f"{name}: nothing was closed: the test is too small")
    return 1 if errors else 0


if __name__ == "__main__":
    sys.exit(main())
