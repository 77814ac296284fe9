#!/usr/bin/env python3
# SPDX-License-Identifier: GPL-2.0-or-later
"""Compares every FPDU and start frame of iWARP with tshark, frame by frame.

usage: iwarp.py --program PATH CAPTURE|FOLDER...

For each capture it holds `rdma-analyze --packets --format ndjson` against what tshark's dissectors of
MPA, DDP and RDMAP show of the same frames: the same FPDUs in the same order, with the same values
(FIELDS). What is known to differ is in KNOWN, each with the reason.

Exit code 77 (skipped, for ctest): no tshark, or none of VERSIONS.
"""

import argparse
import json
import shutil
import subprocess
import sys
import tempfile
from collections import Counter

from tshark import SKIPPED, Tshark, captures_in

# ours: tshark's, and the records that have it
FIELDS = {
    "opcode": "iwarp_rdma.opcode",
    "tagged": "iwarp_ddp.tagged_flag",
    "last": "iwarp_ddp.last_flag",
    "stag": "iwarp_ddp.stag",
    "tagged_offset": "iwarp_ddp.tagged_offset",
    "queue": "iwarp_ddp.qn",
    "msn": "iwarp_ddp.msn",
    "mo": "iwarp_ddp.mo",
    "sink_stag": "iwarp_rdma.sinkstag",
    "sink_offset": "iwarp_rdma.sinkto",
    "source_stag": "iwarp_rdma.srcstag",
    "source_offset": "iwarp_rdma.srcto",
    "read_size": "iwarp_rdma.rdmardsz",
    "terminate_code": "iwarp_rdma.term_errcode",
    "mpa_revision": "iwarp_mpa.rev",
    "mpa_markers": "iwarp_mpa.marker_flag",
    "mpa_crc_wanted": "iwarp_mpa.crc_flag",
    "mpa_reject": "iwarp_mpa.rej_flag",
}
LENGTH, PRIVATE = "iwarp_mpa.ulpdulength", "iwarp_mpa.pdlength"
DEPTHS = 4 # bytes of private data that we tell apart, as tshark does since 4.6: the READ depths
VERSIONS = ("4.0.", "4.4.", "4.6.")
OTHER_CODES = ("iwarp_rdma.term_errcode_rdma", "iwarp_rdma.term_errcode_ddp_tagged",
               "iwarp_rdma.term_errcode_ddp_untagged", "iwarp_rdma.term_errcode_llp")

FPDU = "opcode tagged last stag tagged_offset length"

# (part of a capture's name, what tshark has nothing of): why
KNOWN = {
    ("iwarp_midstream", FPDU): "tshark knows a connection by its start frames only",
    ("iwarp_loss_data", FPDU): "tshark leaves out a segment that fills a gap in the stream",
}


def number(text):
    """tshark's text, or our value, as a number"""
    if text in ("True", "False"):
        return int(text == "True")
    return int(text, 0) if isinstance(text, str) else int(text)


def listing(program, path):
    """{frame: [record]} of iWARP"""
    run = subprocess.run([program, "--packets", "--format", "ndjson", str(path)], check=True,
                         stdout=subprocess.PIPE)
    frames = {}
    for line in run.stdout.splitlines():
        record = json.loads(line)
        if record["transport"] == "iwarp":
            frames.setdefault(record["frame"], []).append(record)
    return frames


def lengths(records):
    """Bytes of the FPDUs in the stream."""
    return [record["length"] for record in records if "opcode" in record]


def compare_frame(records, row, counts, depths):
    """(field, ours, tshark's) of what differs in a frame; depths: bytes that tshark leaves where they are"""
    for name, column in FIELDS.items():
        ours = [number(record[name]) for record in records if name in record]
        columns = (column,) if name != "terminate_code" else (column,) + OTHER_CODES
        theirs = [number(text) for column in columns for text in row.get(column, ())]
        counts["values"] += max(len(ours), len(theirs))
        if ours != theirs:
            yield name, ours, theirs
    theirs = [(2 + number(text) + 3 & ~3) + 4 for text in row.get(LENGTH, ())]
    if lengths(records) != theirs:
        yield "length", lengths(records), theirs
    ours = [record["payload_length"] + (depths if "ird" in record else 0)
            for record in records if "opcode" not in record]
    theirs = [number(text) for text in row.get(PRIVATE, ())]
    if ours != theirs:
        yield "private data", ours, theirs


def compare_capture(program, tshark, path, name, counts, used):
    """How many differences there are that KNOWN does not have; they are printed."""
    ours, failures = listing(program, path), 0
    rows, depths = tshark.frames(path), 0 if tshark.version().startswith("4.6.") else DEPTHS
    for frame in sorted(set(ours) | {frame for frame, row in rows.items()
                                     if LENGTH in row or PRIVATE in row}):
        counts["fpdus"] += len(ours.get(frame, ()))
        for what, mine, theirs in compare_frame(ours.get(frame, []), rows.get(frame, {}), counts,
                                                depths):
            known = next((key for key in KNOWN if key[0] in name and what in key[1].split()
                          and not theirs), None)
            used[known] += 1
            if not known:
                failures += 1
                print(f"{name}: frame {frame}: {what}: ours {mine}, tshark {theirs}")
    return failures


def main():
    parser = argparse.ArgumentParser(description=__doc__.split("\n", maxsplit=1)[0])
    parser.add_argument("--program", required=True)
    parser.add_argument("captures", nargs="+")
    options = parser.parse_args()
    if not shutil.which("tshark"):
        print("SKIP: tshark is not installed")
        return SKIPPED
    counts, used, failures = Counter(), Counter(), 0
    with tempfile.TemporaryDirectory() as home:
        columns = [*FIELDS.values(), *OTHER_CODES, LENGTH, PRIVATE]
        tshark = Tshark(columns, home)
        tshark.options += ["--disable-protocol", "nvme-tcp"] # which it takes port 4420 for
        if not tshark.version().startswith(VERSIONS):
            print(f"SKIP: tshark is {tshark.version()}; it is compared with {VERSIONS}")
            return SKIPPED
        for given in options.captures:
            for path, name in captures_in(given):
                if "iwarp" in name or "siw" in name:
                    failures += compare_capture(options.program, tshark, path, name, counts, used)
    for key, reason in KNOWN.items():
        if not used[key]:
            failures += 1
            print(f"KNOWN: no difference needs {key} any more: {reason}")
    print(f"{counts['fpdus']} FPDUs and start frames, {counts['values']} values compared with tshark: "
          f"{failures} differences that are not known")
    return 1 if failures or not counts["fpdus"] else 0


if __name__ == "__main__":
    sys.exit(main())
