#!/usr/bin/env python3
# SPDX-License-Identifier: GPL-2.0-or-later
"""Where the time went, of recorded connections of which it is known what held them: perftest with a queue of so many
requests, or so many READs at a time, over a way of 0.1, 1 or 10 ms; and one that sends a few each 20 ms.

usage: recorded_time.py PROGRAM FOLDER      FOLDER has truth.json

The cause must have the largest part of the time, and T13 must tell how many requests of which kind were outstanding.
"""

import json
import pathlib
import subprocess
import sys


def report(program, path):
    run = subprocess.run([program, "--format", "json", path], stdout=subprocess.PIPE, check=True)
    return json.loads(run.stdout)


def spent(document):
    """Of the direction that asked most."""
    flows = [flow for connection in document["connections"] for flow in connection["flows"] if flow["spent_ns"]]
    time = dict(max(flows, key=lambda flow: flow["request_packets"])["spent_ns"])
    time.pop("total")
    return time


def wrong(document, truth):
    time = spent(document)
    most = max(time, key=time.get)
    told = [finding["arguments"] for finding in document["findings"] if finding["code"] == "T13"]
    if most != truth["cause"]:
        return f"most of the time was {most}, and not {truth['cause']}: {time}"
    if "requests" not in truth:
        return f"T13 tells of a limit: {told}" if any("requests" in arguments for arguments in told) else None
    if not any(arguments.get("requests") == truth["requests"] and arguments["kind"] == truth["kind"]
               for arguments in told):
        return f"T13 does not tell of {truth['requests']} {truth['kind']} outstanding: {told}"
    return None


def main(program, folder):
    folder = pathlib.Path(folder)
    failed = 0
    truths = json.loads((folder / "truth.json").read_text())
    for name, truth in truths.items():
        words = wrong(report(program, folder / f"{name}.pcap"), truth)
        if words:
            print(f"{name} ({truth['what']}): {words}")
            failed += 1
    if sorted(truths) != sorted(path.stem for path in folder.glob("*.pcap")):
        print("truth.json does not name the captures that are there")
        failed += 1
    print(f"{len(truths)} captures, {failed} wrong")
    return failed > 0


if __name__ == "__main__":
    sys.exit(main(*sys.argv[1:]))
