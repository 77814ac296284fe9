#!/usr/bin/env python3
# SPDX-License-Identifier: GPL-2.0-or-later
"""Many connections in one capture: all are there, memory is in proportion, and the report can be read.

    test_many.py PROGRAM ROOT GENERATOR
"""
import json
import pathlib
import re
import resource
import subprocess
import sys
import tempfile

from program import main, same, text

CONNECTIONS = 100_000
PACKETS = 17 * CONNECTIONS  # a message of 16 and its ACK, for some of them
MEMORY = 3 << 20  # kilobytes, with the sanitizers' share: without them it is below 1 GB


def test_connections():
    """Each connection and each packet is counted."""
    with tempfile.TemporaryDirectory() as folder:
        report = text(generated(folder, PACKETS, CONNECTIONS))
    assert f"{CONNECTIONS:,} connections" in report, report[:600]
    assert f"{PACKETS:,} RoCEv2" in report, report[:600]
    peak = resource.getrusage(resource.RUSAGE_CHILDREN).ru_maxrss
    assert peak < MEMORY, f"{peak} KB"


def generated(folder, *arguments):
    path = pathlib.Path(folder) / "many.pcap"
    with open(path, "wb") as out:
        subprocess.run([sys.argv[3], *map(str, arguments)], stdout=out, check=True)
    return path


def test_thousand():
    """Of a thousand the worst are listed, and one line is for the others; --all has each."""
    with tempfile.TemporaryDirectory() as folder:
        capture = generated(folder, 100_000, 1000, 17, 1)
        report, whole = text(capture), text("--all", capture)
        document = json.loads(text("--format", "json", capture))
        five = text("--top", "5", "--sort", "resent", capture)
        parts = {id: text("--connection", str(id), capture) for id in (50, 51)}
        one = json.loads("[" + ",".join(text("-p", "-F", "ndjson", "-C", "50", capture).splitlines()) + "]")
    assert len(report.splitlines()) <= 70, len(report.splitlines())
    bad = {finding["connection"] for finding in document["findings"] if finding["severity"] != "note"} - {None}
    assert f"1,000 connections, {len(bad)} with a problem\n" in report
    assert f"{1000 - len(bad)} without a problem: " in report
    listed = [int(id) for id in re.findall(r"^ +(\d+)  RC ", report, re.M)]
    same((len(listed), set(listed) - bad), (10, set()))
    same(len(re.findall(r"^ +(\d+)  RC ", whole, re.M)), 1000)
    same(whole.count(" warning S02"), sum(finding["code"] == "S02" for finding in document["findings"]))
    resent = {connection["id"]: sum(flow["retransmitted_packets"] for flow in connection["flows"])
              for connection in document["connections"]}
    listed = [int(id) for id in re.findall(r"^ +(\d+)  RC ", five, re.M)]
    same([resent[id] for id in listed], sorted(resent.values(), reverse=True)[:5])
    for id, part in parts.items():
        same("S02" in part, id in bad, id)
        same(set(re.findall(r"connection (\d+),", part)) - {str(id)}, set())
    same(len(one), sum(flow["packets"] for flow in document["connections"][50]["flows"]))


main(sys.modules[__name__])
