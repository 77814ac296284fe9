#!/usr/bin/env python3
# SPDX-License-Identifier: GPL-2.0-or-later
"""Holds what the program counts in the recorded captures against the kernel's own counters.

usage: truth.py PROGRAM FOLDER

For each RoCE capture of FOLDER/truth.json: the packets of each host that the program lists must be as
many as that host's rxe device sent, less those that were dropped before the tap, and no more than
arrived at the other where nothing was lost behind the tap. Of roce_corrupt the frames with a bad ICRC
must be as many as the receiver threw away.
"""

import json
import pathlib
import subprocess
import sys
from collections import Counter

HOSTS = {"10.10.0.1": "a", "fd00:10::1": "a", "10.10.0.2": "b", "fd00:10::2": "b"}
# the network itself multiplied packets behind the sender, so there are more than it sent
MULTIPLIED = {"roce_duplicate_ack": {"b": 7}}


def listing(program, path):
    run = subprocess.run([program, "--packets", "--format", "ndjson", path],
                         stdout=subprocess.PIPE, check=True)
    return [json.loads(line) for line in run.stdout.splitlines()]


def errors_of(name, truth, packets):
    """What does not agree in one capture, as text."""
    seen, counters = Counter(HOSTS[packet["source"]] for packet in packets), truth["counters"]
    for host in "ab":
        sent = counters[host].get("sent_pkts", 0)
        sent -= truth.get("dropped", {}).get("before_tap_leaving", {}).get(host, 0)
        sent += MULTIPLIED.get(name, {}).get(host, 0)
        if seen[host] != sent:
            yield f"{seen[host]} packets of host {host}, which sent {sent}"
    bad = Counter(HOSTS[packet["source"]] for packet in packets if packet["icrc"] == "bad")
    wanted = Counter()
    if name == "roce_corrupt":
        wanted["a"] = counters["a"]["sent_pkts"] - counters["b"]["rcvd_pkts"]
    if bad != wanted:
        yield f"bad ICRC in {dict(bad)}, thrown away by the receiver {dict(wanted)}"


def main():
    program, folder = sys.argv[1], pathlib.Path(sys.argv[2])
    truths = json.loads((folder / "truth.json").read_text(encoding="utf-8"))
    errors = checked = 0
    for path in sorted(folder.glob("*.pcap")):
        name = path.name.split(".")[0]
        counters = truths[name]["counters"]
        if "sent_pkts" not in counters["a"] and "sent_pkts" not in counters["b"]:
            continue  # iWARP, or nothing but TCP
        checked += 1
        for error in errors_of(name, truths[name], listing(program, path)):
            errors += 1
            print(f"{path.name}: {error}")
    print(f"{checked} captures agree with the kernel's counters" if not errors else f"{errors} errors")
    sys.exit(1 if errors or not checked else 0)


if __name__ == "__main__":
    main()
