#!/usr/bin/env python3
# SPDX-License-Identifier: GPL-2.0-or-later
"""What the kernel counted in each recorded RoCE capture, beside what the program says: docs/results.md.
The table of iWARP in it is made in results_iwarp.py, that of the faults in faults.py.

usage: results.py PROGRAM ROOT [FOLDER]     check the rows of FOLDER's captures (default: captures/)
       results.py PROGRAM ROOT FOLDER write  write docs/results.md from all captures of FOLDER

A row has the pairs that are not 0 on both sides, kernel/program; where they differ, DIFFERENT says why, and
a difference without a reason, or a reason without a difference, is an error. The last column has the codes
of the findings above a note. What stands from BY_HAND on is kept as it is.
"""

import collections
import json
import pathlib
import subprocess
import sys

import faults
import results_iwarp

HOSTS = {"10.10.0.1": "A", "fd00:10::1": "A", "10.10.0.2": "B", "fd00:10::2": "B"}

# the kernel's counter (rxe hw_counters), the program's, what the row calls it
COUNTERS = [
    ("duplicate_request", "duplicate_request", "duplicates"),
    ("out_of_seq_request", "nak_seq_sent", "NAK sent"),
    ("rcvd_seq_err", "packet_seq_err", "NAK received"),
    ("send_rnr_err", "rnr_nak_sent", "RNR sent"),
    ("rcvd_rnr_err", "rnr_nak_received", "RNR received"),
    ("retry_exceeded_err", "retry_exceeded", "gave up"),
]

DIFFERENT = json.loads((pathlib.Path(__file__).parent / "differences.json").read_text(encoding="utf-8"))


def report(program, path):
    run = subprocess.run([program, "--format", "json", path], stdout=subprocess.PIPE, check=True)
    return json.loads(run.stdout)


def flows_of(found, host):
    return [flow for connection in found["connections"]
            for endpoint, flow in zip(connection["endpoints"], connection["flows"])
            if HOSTS.get(endpoint["address"]) == host]


def total(flows, *keys):
    """The sum of a number of each flow; None when it is known of none."""
    numbers = []
    for flow in flows:
        for key in keys:
            flow = flow[key]
        numbers.append(flow)
    known = [number for number in numbers if number is not None]
    return sum(known) if known else None


def pairs(name, truth, found):
    """(what is counted, kernel's number, program's) for each number that is not 0 on both sides"""
    counters = {HOSTS.get(host["address"]): host["counters"] for host in found["hosts"]}
    dropped = truth.get("dropped", {})
    for host in "AB":
        kernel, ours = truth["counters"][host.lower()], counters.get(host, {})
        flows = flows_of(found, host)
        runs = sum(total([flow], "resends", key) or 0 for flow in flows
                   for key in ("after_nak", "after_timeout", "after_implied_nak", "unexplained"))
        rows = [(f"{host} retries", kernel.get("completer_retry_err", 0), runs)]
        rows += [(f"{host} {words}", kernel.get(theirs, 0), ours.get(mine, 0))
                 for theirs, mine, words in COUNTERS]
        before = dropped.get("before_tap_leaving", {}).get(host.lower(), 0)
        behind = dropped.get("behind_tap_entering", {}).get("b" if host == "A" else "a", 0)
        if name == "roce_corrupt" and host == "A":
            behind = truth["counters"]["a"]["sent_pkts"] - truth["counters"]["b"]["rcvd_pkts"]
        rows += [(f"{host} lost before", before, total(flows, "lost", "before_tap")),
                 (f"{host} lost behind", behind, total(flows, "lost", "after_tap"))]
        yield from (row for row in rows if row[1] or row[2])


def row_of(name, tap, truth, found, used, errors):
    cells, reasons = [], []
    for what, kernel, ours in pairs(name, truth, found):
        said = "?" if ours is None else ours
        cells.append(f"{what} {kernel}/{said}")
        reason = DIFFERENT.get(name, {}).get(what)
        if kernel == ours:
            continue
        used.add((name, what))
        if not reason:
            errors.append(f"{name}.{tap}: {what}: the kernel says {kernel}, the program {said}")
        elif reason not in reasons:
            reasons.append(reason)
    heavy = collections.Counter(f["code"] for f in found["findings"] if f["severity"] != "note")
    codes = " ".join(heavy)
    return f"| {name} | {tap.upper()} | {', '.join(cells)} | {'; '.join(reasons)} | {codes} |"


def reports_of(program, folder):
    """{(capture, tap): what the program says}"""
    return {tuple(path.name.split(".")[:2]): report(program, path) for path in sorted(folder.glob("*.pcap"))}


def rows_of(root, reports, errors):
    known, used, names = faults.truths(root), set(), set()
    for (name, tap), found in reports.items():
        if name not in known or not any(capture["rdma_packets"]["rocev2"]
                                        for capture in found["captures"]):
            continue
        names.add(name)
        yield (name, tap), row_of(name, tap, known[name], found, used, errors)
    for name in names:
        errors += [f"{name}: {what}: there is a reason, and no difference"
                   for what in DIFFERENT.get(name, {}) if (name, what) not in used]


HEAD = """# Results

Recorded between two hosts, A and B, with Linux's rxe; the kernel's counters are the truth. Tap: the host on which
the capture was taken. Each pair is the kernel's number, then the program's; numbers that are 0 on both sides are
left out. "Lost before" is before the capture point, "behind" behind it; what the program says of the latter is
what is proven, a lower bound. Codes: findings above a note ([checks.md](checks.md)). Made and held to by
tests/captures/results.py; where the numbers differ, the fourth column says why.

| capture | tap | kernel/program | why they differ | findings |
|---|---|---|---|---|
"""


BY_HAND = "## Where a capture cannot tell"  # from here on docs/results.md is written by hand, and kept


def by_hand(document):
    old = document.read_text(encoding="utf-8") if document.exists() else ""
    return old[old.index(BY_HAND):] if BY_HAND in old else ""


def main():
    program, root = sys.argv[1], pathlib.Path(sys.argv[2])
    folder = pathlib.Path(sys.argv[3]) if len(sys.argv) > 3 else root / "captures"
    document, errors = root / "docs/results.md", []
    reports = reports_of(program, folder)
    rows, iwarp = dict(rows_of(root, reports, errors)), results_iwarp.rows_of(reports, errors)
    if len(sys.argv) > 4:
        text = HEAD + "".join(row + "\n" for row in rows.values())
        text += results_iwarp.HEAD + "".join(row + "\n" for row in iwarp.values())
        text += faults.HEAD + "".join(row + "\n" for row in faults.rows())
        document.write_text(text + by_hand(document), encoding="utf-8")
    rows |= iwarp
    written = set(document.read_text(encoding="utf-8").splitlines())
    errors += [f"docs/results.md has not: {row}" for row in [*rows.values(), *faults.rows()]
               if row not in written]
    print("\n".join(errors))
    print(f"{len(rows)} captures, {len(errors)} errors")
    sys.exit(1 if errors or not rows else 0)


if __name__ == "__main__":
    main()
