#!/usr/bin/env python3
# SPDX-License-Identifier: GPL-2.0-or-later
"""Holds the program to the findings that name the fault of each recorded capture: faults.json.

usage: faults.py PROGRAM ROOT [FOLDER]     the captures of FOLDER (default: captures/)

A capture with a fault has the findings of its row: code, severity, proof, and the first frame at each
tap. One without a fault, whose hosts counted no retry, has none above a note.
"""

import json
import pathlib
import subprocess
import sys

FAULTS = json.loads((pathlib.Path(__file__).parent / "faults.json").read_text(encoding="utf-8"))
# what the kernel counts when anything had to be done again
RETRIES = ["completer_retry_err", "duplicate_request", "out_of_seq_request", "rcvd_seq_err",
           "send_rnr_err", "rcvd_rnr_err", "retry_exceeded_err"]

HEAD = """
## What names each fault

Captures into which a fault was put, and the findings that name it; held to by tests/captures/faults.py, with the
first frame of each. "Nothing": no finding above a note, because no packet shows it.

| capture | fault | named by | why |
|---|---|---|---|
"""


def findings(program, path):
    run = subprocess.run([program, "--format", "json", path], stdout=subprocess.PIPE, check=True)
    return json.loads(run.stdout)["findings"]


def words(finding):
    return (f"{finding['code']} {finding['severity']} {finding['proof']}"
            f" in frame {(finding['frames'] or ['none'])[0]}")


def missing(fault, tap, found):
    """The findings that should name the fault, and are not there."""
    there = {words(finding) for finding in found}
    for code, severity, proof, frames in fault["named"]:
        wanted = f"{code} {severity} {proof} in frame {frames.get(tap)}"
        if wanted not in there:
            yield f"no {wanted}; there are {', '.join(sorted(there)) or 'none'}"
    if not fault["named"]:
        yield from above_note(found)


def above_note(found):
    return [f"{words(finding)}, where nothing is wrong: {finding['text']}" for finding in found
            if finding["severity"] != "note"]


def rows():
    """docs/results.md has these: name, its fault, what names it, why that, or why nothing does."""
    for name, fault in sorted(FAULTS.items()):
        named = ", ".join(f"{code} ({severity}, {proof})" for code, severity, proof, _ in fault["named"])
        yield f"| {name} | {fault['fault']} | {named or 'nothing'} | {fault.get('why', '')} |"


def truths(root):
    known = json.loads((root / "captures/truth.json").read_text(encoding="utf-8"))
    others = root / "tests/captures/truth_of_others.json"
    return known | json.loads(others.read_text(encoding="utf-8"))


def main():
    program, root = sys.argv[1], pathlib.Path(sys.argv[2])
    folder = pathlib.Path(sys.argv[3]) if len(sys.argv) > 3 else root / "captures"
    known, errors, faulty, clean = truths(root), [], 0, 0
    for path in sorted(folder.glob("*.pcap")):
        name, tap = path.name.split(".")[:2]
        if name in FAULTS:
            faulty += 1
            errors += [f"{path.name}: {what}" for what in missing(FAULTS[name], tap, findings(program, path))]
        elif "roce" in name and name in known and not any(
                known[name]["counters"][host].get(counter) for host in "ab" for counter in RETRIES):
            clean += 1
            errors += [f"{path.name}: {what}" for what in above_note(findings(program, path))]
    print("\n".join(errors))
    print(f"{faulty} captures with a fault, {clean} without, {len(errors)} errors")
    sys.exit(1 if errors or not faulty or not clean else 0)


if __name__ == "__main__":
    main()
