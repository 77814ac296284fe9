#!/usr/bin/env python3
# SPDX-License-Identifier: GPL-2.0-or-later
"""Holds the program to honesty: what a capture lacks is not what the network did.

usage: poorer.py PROGRAM FOLDER [SEEDS]

From each capture in which nothing is wrong a twenty-fifth of the frames is taken out at random, and
of each its beginning is cut off. Nothing above a note may be said of them then, but for Q (which tells
of the capture itself) and what ALLOWED lists.
"""
import json
import pathlib
import random
import subprocess
import sys
import tempfile

import capfile

SEEDS = 4
ONE_IN = 25
# What cannot be told from a hole of the capture, by what it may be said as.
ALLOWED = {
    ("S01", "warning", "suspected"): "a UC packet that is missing is missed by the receiver or here",
    ("S12", "warning", "suspected"): "the READ that asked for it is missing",
    ("T04", "warning", "suspected"): "a later ACK stands for one that is missing, and is late for it",
    ("M10", "warning", "proven"): "the answer to the last request is missing",
    ("M03", "error", "proven"): "what made the refusal a good one was before the capture",
}


def said(program, path):
    run = subprocess.run([program, "--format", "json", path], capture_output=True, check=True)
    return {(finding["code"], finding["severity"], finding["proof"])
            for finding in json.loads(run.stdout)["findings"]
            if finding["severity"] != "note" and not finding["code"].startswith("Q")}


def poorer(frames, seed):
    """-> how, and the frames that are left"""
    rng = random.Random(seed)
    if seed % 2:
        first = rng.randrange(len(frames))
        return f"from frame {first + 1}", frames[first:]
    return f"thinned by seed {seed}", [frame for frame in frames if rng.randrange(ONE_IN)]


def main():
    program, folder = sys.argv[1], pathlib.Path(sys.argv[2])
    seeds = int(sys.argv[3]) if len(sys.argv) > 3 else SEEDS
    tried = wrong = 0
    with tempfile.TemporaryDirectory() as scratch:
        made = pathlib.Path(scratch) / "poorer.pcap"
        for path in sorted(folder.glob("*.pcap")):
            if said(program, path):
                continue
            frames = list(capfile.read(path))
            for seed in range(seeds):
                how, left = poorer(frames, seed)
                if not left:
                    continue
                capfile.write_pcap(made, left[0].link,
                                   [(frame.time_ns, frame.data, frame.wire) for frame in left])
                tried += 1
                for finding in sorted(said(program, made) - set(ALLOWED)):
                    wrong += 1
                    print(f"{path.name}, {how}: {' '.join(finding)}")
    print(f"{tried} poorer captures, {wrong} findings that they do not bear")
    return 1 if wrong or not tried else 0


if __name__ == "__main__":
    sys.exit(main())
