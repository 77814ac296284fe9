#!/usr/bin/env python3
# SPDX-License-Identifier: GPL-2.0-or-later
"""--annotate: each frame that a finding lists has its words as a comment, and nothing else changes."""
import json
import pathlib
import shutil
import struct
import subprocess
import sys
import tempfile

import pcap
from pcapng import block, blocks_of, option, options_of
from program import CAPTURES, main, run, same, text

FOLDER = pathlib.Path(tempfile.mkdtemp())
OUT = FOLDER / "out.pcapng"
CAPTURE = CAPTURES / "roce_corrupt.a.pcap"
HAD_COMMENTS = {2, 22} # frames: one of no finding, one of a finding; the block that nobody knows is frame 1


def frames():
    """(nanoseconds, length on the wire, bytes) of each frame of the capture"""
    for _, time, frame, wire in pcap.frames(CAPTURE.read_bytes()):
        yield time, wire, frame


def head(order, section_length):
    """A section, an interface of nanoseconds with a name, and a block that nobody knows."""
    return [block(order, 0x0a0d0d0a, struct.pack(order + "IHHq", 0x1a2b3c4d, 1, 0, section_length)),
            block(order, 1, struct.pack(order + "HHI", 1, 0, 0) + option(order, 9, b"\x09") +
                  option(order, 2, b"an interface") + bytes(4)), block(order, 0x0bad, b"whatever it is..")]


def pcapng(order):
    """The capture as pcapng in either byte order, with names, a comment and options of its own; its section has a length."""
    blocks = []
    for number, (time, wire, data) in enumerate(frames(), 2):
        body = struct.pack(order + "IIIII", 0, time >> 32, time & 0xffffffff, len(data), wire)
        body += data + bytes(-len(data) % 4)
        if number in HAD_COMMENTS:
            body += option(order, 1, b"there before") + bytes(4)
        blocks.append(block(order, 6, body))
    rest = head(order, -1)[1:] + blocks
    return head(order, sum(len(block) for block in rest))[:1] + rest


def simple(order):
    """The same without times, in blocks that have no room for options."""
    return head(order, -1) + [block(order, 3, struct.pack(order + "I", wire) + data) for _, wire, data in frames()]


def wanted(path):
    """{frame: the words of the findings that list it}"""
    words = {}
    for finding in json.loads(text("--format=json", path))["findings"]:
        for frame in finding["frames"]:
            words.setdefault(frame, []).append(
                f"{finding['code']} {finding['check']} ({finding['severity']}): {finding['text']}".encode())
    return words


def test_of_a_pcapng_nothing_else_changes():
    """Blocks without a comment are the same bytes; those with one have it before what they had. The section's length, which
    is another now, is not told any more."""
    for order in "<>":
        path = FOLDER / "in.pcapng"
        before = pcapng(order)
        path.write_bytes(b"".join(before))
        same(run("--annotate", OUT, path).returncode, 0)
        after = list(blocks_of(OUT.read_bytes(), order))
        words = wanted(path)
        assert HAD_COMMENTS & words.keys() and HAD_COMMENTS - words.keys(), sorted(words)
        same(len(after), len(before))
        same(after[0], head(order, -1)[0])
        frame = 0
        for old, new in zip(before[1:], after[1:]):
            kind = struct.unpack(order + "I", old[:4])[0]
            frame += kind in (6, 0x0bad)
            if kind != 6 or frame not in words:
                same(new == old, True, f"block of kind {kind} behind frame {frame}")
                continue
            data = 28 + (struct.unpack(order + "I", old[20:24])[0] + 3) // 4 * 4
            same(new[8:data], old[8:data])
            same(list(options_of(order, new[data:-4])),
                 [(1, comment) for comment in words[frame]] + list(options_of(order, old[data:-4])), frame)


def test_a_block_without_options_stays_as_it_is():
    """Simple packet blocks have no room for a comment."""
    for order in "<>":
        path = FOLDER / "in.pcapng"
        path.write_bytes(b"".join(simple(order)))
        same(run("--annotate", OUT, path).returncode, 0)
        assert wanted(path)
        same(OUT.read_bytes() == path.read_bytes(), True, order)


def test_a_pcap_becomes_pcapng_with_the_same_report():
    """All that JSON says but the name is the same; tshark sees the comments."""
    for path in (CAPTURE, CAPTURES / "iwarp_rping.a.pcap"):
        same(run("--annotate", OUT, path).returncode, 0)
        reports = [json.loads(text("--format=json", one)) for one in (path, OUT)]
        for report in reports:
            report["captures"][0]["file"] = ""
        same(reports[0] == reports[1], True, path.name)
    same(run("--annotate", OUT, CAPTURE).returncode, 0)
    if shutil.which("tshark"):
        lines = subprocess.run(["tshark", "-r", OUT, "-Y", "frame.comment", "-T", "fields", "-e", "frame.number"],
                               capture_output=True, text=True).stdout.split()
        same([int(line) for line in lines], sorted(wanted(CAPTURE)))


if __name__ == "__main__":
    main(sys.modules[__name__])
