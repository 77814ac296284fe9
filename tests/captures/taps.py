#!/usr/bin/env python3
# SPDX-License-Identifier: GPL-2.0-or-later
"""Both ends of one traffic: what was lost between the taps, as a filter there counted it, and the clocks, as they were set.

    taps.py PROGRAM CAPTURES
"""
import json
import pathlib
import subprocess
import sys

PROGRAM, FOLDER = pathlib.Path(sys.argv[1]), pathlib.Path(sys.argv[2]) / "taps"


def of(*files):
    return json.loads(subprocess.run([PROGRAM, "--format", "json", *files], check=True, capture_output=True).stdout)


def proven(document):
    return {finding["code"] for finding in document["findings"] if finding["proof"] == "proven"}


def check(name, truth, sides):
    """Yields what is not as it was."""
    files = [FOLDER / f"{name}.{side}.pcap" for side in sides]
    alone = [of(file) for file in files]
    document = of(*files)
    sums = {"a_to_b": [0] * 4, "b_to_a": [0] * 4}
    for connection in document["connections"]:
        if connection["tap"] != str(FOLDER / f"{name}.a.pcap"): # the client's
            yield f"connection {connection['id']} is told as {connection['tap']} saw it"
        for hop in connection["hops"]:
            way = "a_to_b" if hop["from"].endswith(".a.pcap") else "b_to_a"
            numbers = (hop["packets"], hop["lost"], hop["duplicated"], hop["not_compared"] + hop["appeared"])
            sums[way] = [old + new for old, new in zip(sums[way], numbers)]
            if hop["delay_ns"]["max"] + hop["delay_error_ns"] < 0:
                yield f"{way}: {hop['delay_ns']} +- {hop['delay_error_ns']}"
    for way, was in truth["between_taps"].items():
        if sums[way] != [was["offered"], was["dropped"], was["duplicated"], 0]:
            yield f"{way}: {sums[way]}, {was}"
    if len(document["connections"]) != len(alone[0]["connections"]):
        yield f"{len(document['connections'])} connections"
    if not proven(document) <= proven(alone[0]) | proven(alone[1]):
        yield f"proven of both and of neither: {proven(document)}"
    ppm = truth.get("clock", {}).get("b", {}).get("ppm", 0)
    drift = document["taps"][1]["drift_ppm"]
    if sides == "ba": # a's clock against b's
        ppm = (1 / (1 + ppm / 1e6) - 1) * 1e6
    if not drift["min"] <= ppm <= drift["max"] or drift["max"] - drift["min"] > 2000:
        yield f"drift {drift}, and it was {ppm}"
    offset = document["taps"][1]["clock_offset_ns"]
    if not offset["min"] < offset["max"]:
        yield f"offset {offset}"


def main():
    truth = json.loads((FOLDER / "truth.json").read_text())
    wrong = [f"{name} ({sides}): {what}" for name, was in truth.items() for sides in ("ab", "ba")
             for what in check(name, was, sides)]
    print("\n".join(wrong) or f"{len(truth)} pairs, in both orders")
    sys.exit(1 if wrong or not truth else 0)


main()
