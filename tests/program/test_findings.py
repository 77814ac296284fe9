#!/usr/bin/env python3
# SPDX-License-Identifier: GPL-2.0-or-later
"""Findings of all captures: their form, their order, and the exit code of --fail-on."""
import json
import pathlib
import re
import subprocess
import sys
import tempfile

from program import EVERY, ROOT, main, run, same

SEVERITIES = ["error", "warning", "note"]
CAPTURES = sorted(ROOT.glob("captures/*.pcap")) + sorted(ROOT.glob("captures/made/*.pcap*"))
DOCUMENTS = {path: json.loads(run("--format", "json", path).stdout) for path in CAPTURES}
CHECKS = {row["code"]: row for row in json.loads(run("--list-checks=json").stdout)}


def test_form():
    """A sentence each, at most 16 frames that exist, and what the table of checks says."""
    for path, document in DOCUMENTS.items():
        frames = document["captures"][0]["packets"]
        for finding in document["findings"]:
            what = f"{path.name}: {finding}"
            row = CHECKS[finding["code"]]
            assert re.fullmatch(r"[A-Z0-9].*[.)]", finding["text"], re.S), what
            assert not re.search(r"\{\w*\}", finding["text"]), f"an argument is not given: {what}"
            cause = finding["explained_by"]
            assert cause is None or document["findings"][cause["finding"]]["code"] == cause["code"], what
            assert len(finding["frames"]) <= 16 and finding["count"] >= 1, what
            assert all(1 <= frame <= frames for frame in finding["frames"]), what
            assert len(set(finding["frames"])) == len(finding["frames"]), what
            assert (finding["check"], finding["reference"]) == (row["check"], row["reference"]), what
            assert finding["advice"] in [row["advice"], *row["advice_of_cases"]], what
            assert SEVERITIES.index(finding["severity"]) >= SEVERITIES.index(row["severity"]) \
                or row["severity"] == "note", what
            assert finding["proof"] == "suspected" or row["proof"] == "proven", what
            if finding["connection"] is not None:
                assert finding["connection"] < len(document["connections"]), what


def test_order():
    """By severity, then errors by proof and cost, others by cost and proof; but a cause goes before its effects."""
    for path, document in DOCUMENTS.items():
        keys = []
        causes = {finding["explained_by"]["finding"] for finding in document["findings"] if finding["explained_by"]}
        for index, finding in enumerate(document["findings"]):
            if finding["explained_by"]:
                assert finding["explained_by"]["finding"] < index, (path, finding)
            if finding["explained_by"] or index in causes:
                continue
            proof, cost = finding["proof"] != "proven", -(finding["cost_ns"] or 0)
            weight = (proof, cost) if finding["severity"] == "error" else (cost, proof)
            keys.append((SEVERITIES.index(finding["severity"]), *weight))
        same(keys, sorted(keys), path)


def test_fail_on():
    """1 when there is a finding at or above the level."""
    for path, document in list(DOCUMENTS.items())[::EVERY]:
        worst = min((SEVERITIES.index(finding["severity"]) for finding in document["findings"]),
                    default=3)
        for index, severity in enumerate(SEVERITIES):
            same(run("--fail-on", severity, path).returncode, int(worst <= index), (path, severity))
        same(run("--fail-on", "never", path).returncode, 0, path)


def test_checks_are_weighed_anew():
    """--check changes the severity of all findings of a check, their order and the exit code, or takes them away."""
    path = next(path for path in CAPTURES if path.name == "roce_loss_single.a.pcap")
    codes = {finding["code"]: finding["severity"] for finding in DOCUMENTS[path]["findings"]}
    for code in codes:
        for weight in SEVERITIES:
            findings = json.loads(run("--check", f"{code}={weight}", "--format", "json", path).stdout)["findings"]
            same({finding["code"]: finding["severity"] for finding in findings}, {**codes, code: weight})
            order = [SEVERITIES.index(finding["severity"]) for finding in findings if not finding["explained_by"]]
            same(order, sorted(order))
        left = json.loads(run("--check", f"{code}=off", "--format", "json", path).stdout)["findings"]
        same({finding["code"] for finding in left}, codes.keys() - {code})
    every = ",".join(f"{code}=off" for code in codes)
    same(run("--fail-on", "note", path).returncode, 1)
    same(run("--fail-on", "note", "--check", every, path).returncode, 0)


def test_no_heading_stands_alone():
    """A finding that is suspected for what else passed is no reason to speak of what the capture lacks."""
    scenarios = ROOT / "tests/scenarios"
    with tempfile.TemporaryDirectory() as folder:
        capture = pathlib.Path(folder) / "made.pcap"
        subprocess.run([sys.executable, scenarios / "run.py", "--keep", scenarios / "sequence/lost_or_copied_late.scn",
                        capture], check=True)
        report, document = run(capture).stdout.decode(), json.loads(run("--format", "json", capture).stdout)
    assert any(finding["code"] == "S01" and finding["proof"] == "suspected" for finding in document["findings"])
    assert "What this capture cannot tell" not in report, report


# findings about all packets of a kind: S03 counts how often a NAK was answered with resends
OF_A_KIND = {"S02", "S03", "S15", "S16", "F01"}
LISTED = 16  # of the frames of a finding
# whose cases are frames
CASES_ARE_FRAMES = {"S15", "F01", "G01"}


def test_notes_point_at_frames():
    """What a finding lists, the packets' records have in their notes; and the cases that it has no room to list."""
    counted = 0
    for path, document in DOCUMENTS.items():
        findings = document["findings"]
        want = {(frame, finding["code"]) for finding in findings for frame in finding["frames"]}
        cut = {finding["code"] for finding in findings
               if finding["count"] > len(finding["frames"]) or len(finding["frames"]) == LISTED}
        lines = run("--packets", "--format", "ndjson", path).stdout.splitlines()
        packets = [json.loads(line) for line in lines]
        got = {(packet["frame"], code) for packet in packets for code in packet["notes"]}
        same(want - got, set(), path)
        same({code for _, code in got - want} - OF_A_KIND - cut, set(), path)
        for code in cut & CASES_ARE_FRAMES:
            counted += 1
            told = [finding for finding in findings if finding["code"] == code]
            # what may be a copy is not counted as a resend, but stands among those that S15 points at
            ends = {(finding["connection"], finding["flow"]) for finding in told if code == "S15"}
            doubted = sum(finding["arguments"].get("doubted", 0) for finding in findings
                          if finding["code"] == "S02" and (finding["connection"], finding["flow"]) in ends)
            same(sum(code == other for _, other in got), sum(finding["count"] for finding in told) + doubted,
                 f"{path}: {code}")
    assert counted >= 2, counted


main(sys.modules[__name__])
