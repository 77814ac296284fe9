#!/usr/bin/env python3
# SPDX-License-Identifier: GPL-2.0-or-later
"""iWARP is found without its start frames, and decoded from there on as with them.

usage: late.py PROGRAM FOLDER

Of each capture of FOLDER that begins with MPA's start frames everything up to the last of them is left
out. FPDUs of each connection must be listed as in the whole capture, all of them; of a connection with
too few to tell what it is, none.
"""

import json
import pathlib
import subprocess
import sys
import tempfile
from collections import defaultdict

sys.path.insert(0, str(pathlib.Path(__file__).resolve().parent.parent / "captures"))
import capfile  # noqa: E402

FEW = 3  # FPDUs that need no CRC to tell (RDA_IWARP_CONFIRM)
COLUMNS = ("opcode", "last", "payload_length", "stag", "tagged_offset", "queue", "msn", "mo")


def listing(program, path):
    run = subprocess.run([program, "--packets", "--format", "ndjson", path], stdout=subprocess.PIPE, check=True)
    records = [json.loads(line) for line in run.stdout.splitlines()]
    return [record for record in records if record["transport"] == "iwarp"]


def by_connection(records, first):
    """{connection's ends and its lines}: FPDUs behind a frame, as far as both captures can have them"""
    told = defaultdict(list)
    for record in records:
        if record["frame"] > first and "opcode" in record and record.get("first_frame", record["frame"]) > first:
            told[record["connection"]].append((record["frame"] - first, *map(record.get, COLUMNS)))
    return sorted(told.values())


def main():
    program, errors, checked = sys.argv[1], 0, 0
    with tempfile.TemporaryDirectory() as folder:
        for path in capfile.find(sys.argv[2]):
            whole = listing(program, path) if path.name.endswith(".a.pcap") else []
            starts = [record["frame"] for record in whole if "opcode" not in record]
            if not starts:
                continue
            given, late = list(capfile.read(path)), pathlib.Path(folder) / "late.pcap"
            capfile.write_pcap(late, given[0].link, [(f.time_ns, f.data, f.wire) for f in given[max(starts):]])
            want = [lines for lines in by_connection(whole, max(starts)) if len(lines) >= FEW]
            got = by_connection(listing(program, late), 0)
            got_many = [lines for lines in got if len(lines) >= FEW]
            checked += len(want)
            if want != got_many:
                errors += 1
                print(f"{path.name}: {[len(lines) for lines in want]} FPDUs, without the start {[len(lines) for lines in got]}")
    print(f"{checked} connections begun late, {errors} errors")
    sys.exit(1 if errors or not checked else 0)


if __name__ == "__main__":
    main()
