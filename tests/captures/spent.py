#!/usr/bin/env python3
# SPDX-License-Identifier: GPL-2.0-or-later
"""Where the time went: of every direction in every capture, all causes together are the time from the
connection's first packet to its last, and a host's and a capture's are the sums of theirs.

usage: spent.py PROGRAM FOLDER...
"""

import json
import pathlib
import subprocess
import sys


def report(program, path):
    run = subprocess.run([program, "--format", "json", path], stdout=subprocess.PIPE, check=True)
    return json.loads(run.stdout)


def span(connection):
    seen = [flow for flow in connection["flows"] if flow["packets"]]
    return max(flow["last_time_ns"] for flow in seen) - min(flow["first_time_ns"] for flow in seen)


def plus(sums, time):
    for cause, ns in time.items():
        sums[cause] = sums.get(cause, 0) + ns


def wrong(document):
    """What does not add up; and how many directions were looked at."""
    all_of, hosts, count, said = {}, {}, 0, []
    for connection in document["connections"]:
        for side, flow in enumerate(connection["flows"]):
            time = flow["spent_ns"]
            if time is None:
                continue
            count += 1
            causes = sum(ns for cause, ns in time.items() if cause != "total")
            if not causes == time["total"] == span(connection) or min(time.values()) < 0:
                said.append(f"connection {connection['id']}, side {side}: {causes} ns of causes in {time['total']}, "
                            f"and it lasts {span(connection)}")
            if any(time[f"after_{trigger}"] > flow["stalled"][trigger]
                   for trigger in ("timeout", "rnr", "nak", "implied_nak")):
                said.append(f"connection {connection['id']}, side {side}: more is lost than it stood still")
            if flow["request_packets"]:
                plus(all_of, time)
                plus(hosts.setdefault(connection["endpoints"][side]["address"], {}), time)
    for host in document["hosts"]:
        if (host["spent_ns"] or {}) != hosts.get(host["address"], {}):
            said.append(f"host {host['address']}: {host['time_ns']} is not {hosts.get(host['address'])}")
    if len(document["captures"]) == 1 and (document["captures"][0]["spent_ns"] or {}) != all_of:
        said.append(f"capture: {document['captures'][0]['time_ns']} is not {all_of}")
    return said, count


def main(program, *folders):
    bad = files = directions = 0
    for folder in folders:
        for path in sorted(pathlib.Path(folder).glob("*.pcap*")):
            said, count = wrong(report(program, path))
            files += count > 0
            directions += count
            bad += len(said)
            for line in said:
                print(f"{path.name}: {line}")
    print(f"{directions} directions in {files} captures add up" if not bad else f"{bad} do not add up")
    return bad > 0 or directions == 0


if __name__ == "__main__":
    sys.exit(main(*sys.argv[1:]))
