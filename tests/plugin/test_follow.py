#!/usr/bin/env python3
# SPDX-License-Identifier: GPL-2.0-or-later
"""Following a stream shows each byte of both directions once, in the order of the messages."""
import json
import re
import struct
import subprocess
import sys

from plugged import Tshark, arguments

# with resends of requests and responses, damaged packets, several connections, UD, every operation
CAPTURES = ["roce_loss_single.a.pcap", "roce_loss_resp_last.b.pcap", "roce_corrupt.a.pcap",
            "roce_cm_rping.a.pcap", "roce_ud_pingpong.a.pcap", "roce_rc_allops.a.pcap"]
SIMPLE = "roce_rc_send_small.a.pcap"


def follow(tshark, capture, streams):
    """The bytes of both directions of each stream."""
    asked = [word for stream in range(streams) for word in ("-z", f"follow,rdma,raw,{stream}")]
    printed = tshark.run("-n", "-2", "-q", "-r", capture, *asked)
    told = {}
    for part in printed.split("\nFollow: rdma,raw\n")[1:]:
        stream = int(re.search(r"^Filter: rdma.stream == (\d+)$", part, re.M)[1])
        lines = re.findall(r"^(\t?)([0-9a-f]+)$", part, re.M)
        told[stream] = [b"".join(bytes.fromhex(data) for tab, data in lines if bool(tab) == back)
                        for back in (False, True)]
    return [told[stream] for stream in range(streams)]


def check_lengths(options, tshark, name):
    """As many bytes as the program counts of each direction."""
    capture = tshark.copy(options.captures / name)
    document = json.loads(subprocess.run([options.program, "-F", "json", capture],
                                         capture_output=True, check=True).stdout)
    want = [[flow["payload_bytes"] if flow else 0 for flow in connection["flows"]]
            for connection in document["connections"]]
    got = [[len(data) for data in both] for both in follow(tshark, capture, len(want))]
    if got != want:
        print(f"{name}: got {got} bytes of each direction, want {want}")
    return got != want


def records(capture):
    """The header of a pcap file, and its records."""
    data, at, found = capture.read_bytes(), 24, []
    while at < len(data):
        end = at + 16 + struct.unpack_from("<I", data, at + 8)[0]
        found.append(data[at:end])
        at = end
    return data[:24], found


def check_order(options, tshark):
    """A packet that comes late goes to its place; one that comes twice is there once."""
    capture = tshark.copy(options.captures / SIMPLE)
    head, packets = records(capture)
    want = follow(tshark, capture, 1)
    # two that follow one another in the same direction, both with payload of RoCEv2
    large = [i for i, packet in enumerate(packets) if packet[16 + 36:16 + 38] == b"\x12\xb7"
             and len(packet) > 16 + 100]
    late = next(i for i, j in zip(large, large[1:]) if j == i + 1
                and packets[i][16 + 26:16 + 34] == packets[j][16 + 26:16 + 34])
    mixed = [*packets[:late], packets[late + 1], packets[late], packets[late + 1],
             *packets[late + 2:]]
    capture.write_bytes(head + b"".join(mixed))
    got = follow(tshark, capture, 1)
    if got != want or not want[0][0]:
        print(f"{SIMPLE}, frames {late + 1} and {late + 2} exchanged: {len(got[0][0])} bytes, "
              f"want {len(want[0][0])} in the same order")
    return got != want or not want[0][0]


def main():
    options = arguments()
    tshark = Tshark(options)
    failed = sum(check_lengths(options, tshark, name) for name in CAPTURES)
    failed += check_order(options, tshark)
    print(f"{len(CAPTURES)} captures followed, {failed} wrong")
    sys.exit(1 if failed else 0)


if __name__ == "__main__":
    main()
