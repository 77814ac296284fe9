#!/usr/bin/env python3
# SPDX-License-Identifier: GPL-2.0-or-later
"""Every byte of the iWARP streams of captures is explained, to the last FPDU.

usage: streams.py PROGRAM FOLDER|CAPTURE...

The payload of each TCP direction is counted here, from the frames, whatever came twice or out of order
once. Start frames, FPDUs and markers that the program lists must be as many bytes: not one less, which
would be a stream that was given up, nor one more. What was not captured is counted by itself, and the
program must say that it is missing.
"""

import ipaddress
import json
import pathlib
import struct
import subprocess
import sys
from collections import defaultdict

import capfile

TCP, MARKER, MARKER_EVERY = 6, 4, 512
SYN = 2


def run(program, path, *options):
    return subprocess.run([program, *options, path], stdout=subprocess.PIPE, check=True).stdout


def segments(path):
    """((source, port, destination, port), sequence, payload bytes, SYN) of each TCP segment; IPv4 and 6."""
    for frame in capfile.read(path):
        data, kind = frame.data, struct.unpack_from(">H", frame.data, 12)[0] if len(frame.data) > 14 else 0
        if frame.link != capfile.ETHERNET or kind not in (0x0800, 0x86DD):
            continue
        if kind == 0x0800:
            protocol, length = data[23], struct.unpack_from(">H", data, 16)[0] - (data[14] & 15) * 4
            source, destination, at = data[26:30], data[30:34], 14 + (data[14] & 15) * 4
        else:
            protocol, length = data[20], struct.unpack_from(">H", data, 18)[0]
            source, destination, at = data[22:38], data[38:54], 54
        if protocol != TCP:
            continue
        sport, dport, sequence, _, offset, flags = struct.unpack_from(">HHIIBB", data, at)
        ends = [str(ipaddress.ip_address(address)) for address in (source, destination)]
        yield (ends[0], sport, ends[1], dport), sequence, length - (offset >> 4) * 4, bool(flags & SYN)


def streams(path):
    """{direction: (bytes that were captured, bytes missing between them)}"""
    begins, ranges = {}, defaultdict(set)
    for key, sequence, length, syn in segments(path):
        begin = begins.setdefault(key, sequence)
        offset = (sequence - begin + syn + (1 << 31)) % (1 << 32) - (1 << 31)
        if length:
            ranges[key].add((offset, offset + length))
    counted = {}
    for key, given in ranges.items():
        have = missing = 0
        end = min(given)[0]
        for low, high in sorted(given):
            missing += max(0, low - end)
            have += max(0, high - max(low, end))
            end = max(end, high)
        counted[key] = have, missing
    return counted


def explained(records):
    """{(connection, flow): bytes of what the program lists, markers too}"""
    lengths, starts, markers = defaultdict(int), defaultdict(int), {}
    for record in records:
        key = record["connection"], record["flow"]
        lengths[key] += record["length"]
        if "mpa_markers" in record:  # what a side wants is in what the other sends
            starts[key] += record["length"]
            markers[key[0], 1 - key[1]] = record["mpa_markers"]
    for key, length in lengths.items():
        between = length - starts[key]
        if markers.get(key):
            lengths[key] += -(-between // (MARKER_EVERY - MARKER)) * MARKER
    return lengths


def errors_of(program, path, counts):
    document = json.loads(run(program, path, "--format", "json"))
    records = [json.loads(line) for line in run(program, path, "--packets", "--format", "ndjson").splitlines()]
    listed = explained([record for record in records if record["transport"] == "iwarp"])
    captured = streams(path)
    for connection in document["connections"]:
        if connection["transport"] != "iwarp":
            continue
        for side, endpoint in enumerate(connection["endpoints"]):
            other = connection["endpoints"][1 - side]
            key = endpoint["address"], endpoint["port"], other["address"], other["port"]
            have, missing = captured.get(key, (0, 0))
            ours = listed.get((connection["id"], side), 0)
            counts["streams"] += have > 0
            counts["bytes"] += have
            if have != ours:
                yield f"{key}: {have} bytes in the stream, {ours} explained"
            if bool(missing) == connection["seen"]["unbroken"]:
                yield f"{key}: {missing} bytes are missing, and the program says unbroken={not missing}"


def main():
    program, errors, counts = sys.argv[1], 0, defaultdict(int)
    for given in sys.argv[2:]:
        for path in capfile.find(given):
            if not path.name.endswith(".json"):
                for error in errors_of(program, path, counts):
                    errors += 1
                    print(f"{pathlib.Path(path).name}: {error}")
    print(f"{counts['bytes']} bytes in {counts['streams']} streams of iWARP: {errors} errors")
    sys.exit(1 if errors or not counts["streams"] else 0)


if __name__ == "__main__":
    main()
