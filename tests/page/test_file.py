#!/usr/bin/env python3
# SPDX-License-Identifier: GPL-2.0-or-later
"""The file that --html writes: its data, its policy, and that nothing in it comes from elsewhere."""
import base64
import hashlib
import os
import pathlib
import re
import shutil
import sys
import tempfile

import pages
from program import CAPTURES, main, run, same

CORRUPT = CAPTURES / "roce_corrupt.a.pcap"
KINDS = ("captures", "hosts", "connections", "conversations", "memory_keys", "findings", "slowest_messages")


def numbers(text):
    return [int(word or 0) for word in text.split(",")] if text else []


def test_the_report_is_that_of_json():
    """The page has the records of --format=json, all of them where there are few."""
    with tempfile.TemporaryDirectory() as folder:
        for name in ("roce_corrupt.a.pcap", "roce_cm_rping.a.pcap", "iwarp_rping.a.pcap"):
            page = pages.document(pages.make(folder, CAPTURES / name).read_text(), "report")
            told = pages.told(CAPTURES / name)
            for kind in KINDS:
                same(page[kind], told[kind], f"{name}: {kind}")
                same(page["counts"][kind], len(told[kind]), f"{name}: {kind}")


def test_timelines_add_up():
    """Payload of the slots, bars of latencies and marks come to the numbers of the report."""
    rare = 0
    with tempfile.TemporaryDirectory() as folder:
        for capture in sorted(CAPTURES.glob("roce_*.a.pcap"))[:12]:
            text = pages.make(folder, capture).read_text()
            report, timelines = (pages.document(text, name) for name in ("report", "timelines"))
            marks = [mark["name"] for mark in timelines["marks"]]
            for connection, line in zip(report["connections"], timelines["connections"]):
                same(line["id"], connection["id"])
                drawn = [[marks[mark] for mark in numbers(flow["points"]["mark"])] for flow in line["flows"]]
                assert all(len(marks) in (0, flow["points"]["count"]) for marks, flow in zip(drawn, line["flows"]))
                for side, (flow, chart) in enumerate(zip(connection["flows"], line["flows"])):
                    what = f"{capture.name} #{connection['id']} flow {side}"
                    for name in ("message_latency_ns", "ack_latency_ns"):
                        same(sum(numbers(chart[name]["count"])) if name in chart else 0,
                             flow[name]["count"] if flow[name] else 0, f"{what} {name}")
                    if connection["service"] == "RC" and flow["retransmitted_packets"] is not None:
                        same(drawn[side].count("resent"), flow["retransmitted_packets"], what)
                        same(drawn[1 - side].count("nak"), sum(flow["naks"].values()), what)
                        rare += drawn[side].count("resent") + drawn[1 - side].count("nak")
    assert rare > 20, rare


def test_bands_add_up():
    """Where the time went along time has, of each direction and cause, what the report has as spent_ns, on all captures."""
    known = 0
    with tempfile.TemporaryDirectory() as folder:
        for capture in sorted(CAPTURES.glob("*.pcap")) + sorted((CAPTURES / "made").glob("*.pcap*")):
            text = pages.make(folder, capture).read_text()
            report, timelines = (pages.document(text, name) for name in ("report", "timelines"))
            same({cause["name"] for cause in timelines["causes"]} | {"total"},
                 set(report["captures"][0]["spent_ns"] or {}) or {cause["name"] for cause in timelines["causes"]} | {"total"})
            for connection, line in zip(report["connections"], timelines["connections"]):
                for side, (flow, chart) in enumerate(zip(connection["flows"], line["flows"])):
                    spent = flow["spent_ns"] or {}
                    same({cause: sum(numbers(series)) for cause, series in chart["times"].items()},
                         {cause: ns for cause, ns in spent.items() if ns and cause != "total"},
                         f"{capture.name} #{connection['id']} flow {side}")
                    assert all(ns >= 0 for series in chart["times"].values() for ns in numbers(series))
                    known += bool(spent.get("total"))
    assert known > 100, known


def test_nothing_is_left_to_be_executed():
    """A file name that is markup, in scripts and in attributes, ends up as text in a document of data."""
    with tempfile.TemporaryDirectory() as folder:
        name = "<script>alert(1)<!--\"'><img src=x onerror=alert(2)>{{report}}.pcap".replace("/", "")
        capture = pathlib.Path(folder) / name
        shutil.copy(CORRUPT, capture)
        text = pages.make(folder, capture).read_text()
        same(pages.document(text, "report")["captures"][0]["file"], str(capture))
        for bad in ("<img", "alert(1)<!--", "<script>alert"):
            assert bad not in text, bad


def test_the_policy_allows_what_is_inside_and_nothing_else():
    """The hashes of the policy are those of the page's scripts and styles; there are no addresses to load from."""
    with tempfile.TemporaryDirectory() as folder:
        text = pages.make(folder, CORRUPT).read_text()
    policy = re.search(r'Content-Security-Policy" content="([^"]*)"', text)[1]
    allowed = dict(part.strip().split(" ", 1) for part in policy.split(";"))
    for tag, directive in (("script", "script-src"), ("style", "style-src")):
        inside = re.findall(rf"<{tag}>(.*?)</{tag}>", text, re.S)
        hashes = ["'sha256-" + base64.b64encode(hashlib.sha256(part.encode()).digest()).decode() + "'"
                  for part in inside]
        same(allowed[directive].split(), hashes, directive)
    same({name: allowed[name] for name in ("default-src", "base-uri", "form-action")},
         {"default-src": "'none'", "base-uri": "'none'", "form-action": "'none'"})
    assert not re.search(r"<(?:link|img|iframe|object|embed)\b|<script[^>]* src=|@import", text)


def test_it_is_written_whole_or_not_at_all():
    """A place that cannot be written to is told before anything is read, and exit code 2; no page of no capture."""
    with tempfile.TemporaryDirectory() as folder:
        for name in ("no/such/folder.html",):
            result = run("--html", pathlib.Path(folder) / name, CORRUPT)
            same(result.returncode, 2)
            assert name.encode() in result.stderr and not result.stdout, result
        result = run("--html", pathlib.Path(folder) / "page.html", pathlib.Path(folder) / "none.pcap")
        same(result.returncode, 2)
        same(os.listdir(folder), [])


def test_the_same_bytes_give_the_same_page():
    """No clock, no hash order: two runs write the same page; standard input and a file differ by the name only."""
    with tempfile.TemporaryDirectory() as folder:
        first = pages.make(folder, CORRUPT).read_bytes()
        same(pages.make(folder, CORRUPT).read_bytes() == first, True)
        piped = run("--html", pathlib.Path(folder) / "piped.html", "-", stdin=CORRUPT.read_bytes())
        same(piped.returncode, 0)
        text = (pathlib.Path(folder) / "piped.html").read_text()
        same(pages.document(text, "timelines"), pages.document(first.decode(), "timelines"))


if __name__ == "__main__":
    main(sys.modules[__name__])
