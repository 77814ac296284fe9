#!/usr/bin/env python3
# SPDX-License-Identifier: GPL-2.0-or-later
"""--memory holds, whatever a capture has without end, and the program tells what it gave up.

usage: memory.py PROGRAM [PACKETS] [SIZE_MIB] [JOBS...]

Captures of hosts, QPs, memory keys and communication IDs of which each packet has a new one. The peak of
memory beyond that of an empty capture is at most the size and a tenth of it; the exit code is 0. Where
connections go, those of two taps are told apart all the same, and lines of packets have numbers of their own.
"""

import json
import pathlib
import random
import re
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


def write(path, packets, later=0):
    capfile.write_pcap(path, capfile.ETHERNET, ((1000 * i + later, data, len(data))
                                                for i, data in enumerate(packets)))


def two_taps(program, folder, count, size):
    """Of each packet, and so of each connection, two taps; some are closed at each. Messages of what is wrong."""
    paths = [str(pathlib.Path(folder) / f"tap{i}.pcap") for i in range(2)]
    for i, path in enumerate(paths):
        write(path, qps(count, random.Random(1)), 5000 * i)
    result = subprocess.run([program, "--memory", f"{size}M", "--format", "json", *paths],
                            stdout=subprocess.PIPE, stderr=subprocess.PIPE, check=False)
    if result.returncode != 0:
        return [f"two taps: exit code {result.returncode}"]
    document = json.loads(result.stdout)
    closed = document.get("closed_early", [{"connections": 0}])[0]["connections"]
    told = len(document["connections"])
    errors = []
    print(f"two taps: {closed} closed early, {told} connections")
    if len(document["taps"]) != 2 or not closed:
        errors.append(f"two taps: {len(document['taps'])} taps, {closed} closed: the test is too small")
    if closed + 2 * told != 2 * count:
        errors.append(f"two taps: of 2 times {count} connections {closed} were closed, and 2 times {told} are told")
    return errors


def lines(program, path, count, size):
    """Each packet has a connection of its own, whichever are closed. Messages of what is wrong."""
    result = subprocess.run([program, "--memory", f"{size}M", "--packets", "--stream", "--format", "ndjson", path],
                            stdout=subprocess.PIPE, stderr=subprocess.PIPE, check=False)
    numbers = [json.loads(line).get("connection") for line in result.stdout.splitlines()]
    numbers = [number for number in numbers if number is not None]
    if result.returncode == 0 and numbers[:count] == list(range(count)):
        return []
    return [f"lines: exit code {result.returncode}, {len(set(numbers))} connections of {count}"]


def keys_told(program, path, *options):
    """How many keys the text lists, and how many uses of others it says there were: each packet here uses a key once."""
    printed = subprocess.run([program, *options, "--keys", path], stdout=subprocess.PIPE, check=False).stdout.decode()
    listed, others = (re.search(pattern, printed) for pattern in (
        r"(?m)^([\d,]+) memory keys?, by connection", r"(?m)^There were too many memory keys to follow all: ([\d,]+) requests used others"))
    return [int(found[1].replace(",", "")) if found else 0 for found in (listed, others)]


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
                if make is keys:
                    listed, others = keys_told(program, path, "--memory", f"{size}M", "-j", threads)
                    if (listed, listed + others) != (len(document["memory_keys"]), count) or not others:
                        errors += 1
                        print(f"{name}: of {count} keys {listed} are told, and {others} uses of others")
                    if document.get("not_kept", [{}])[0].get("memory_key_requests") != others:
                        errors += 1
                        print(f"{name}: not_kept {document.get('not_kept')}, and text says {others}")
                if make is ids and not 0 < len(document["conversations"]) < count:
                    errors += 1
                    print(f"{name}: the test is too small")
                others = document.get("not_kept", [{}])[0].get("conversation_messages")
                if make is ids and len(document["conversations"]) + (others or 0) != count:
                    errors += 1
                    print(f"{name}: of {count} conversations {others} are told to be left out")
                if make in (hosts, qps) and not closed:
                    errors += 1
                    print(f"{name}: nothing was closed: the test is too small")
        write(path, qps(count, random.Random(1)))
        for message in two_taps(program, folder, count, size) + lines(program, path, count, size):
            errors += 1
            print(message)
    return 1 if errors else 0


if __name__ == "__main__":
    sys.exit(main())
