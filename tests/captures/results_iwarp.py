# SPDX-License-Identifier: GPL-2.0-or-later
"""What the tools that made the iWARP captures printed, beside what the program says: the second table
of docs/results.md, which results.py writes and checks.

iwarp_operations.json has for each capture what the tool asked for ("A WRITE": messages, bytes), and for
each number that the program has otherwise, why.
"""

import collections
import json
import pathlib

OPERATIONS = json.loads((pathlib.Path(__file__).parent / "iwarp_operations.json").read_text(encoding="utf-8"))
HOSTS = {"10.10.0.1": "A", "10.10.0.2": "B"}
KINDS = {"send": "SEND", "write": "WRITE", "read": "READ", "atomic": "atomic"}

HEAD = """
## iWARP

Recorded with Linux's siw. What the tools that made the traffic asked for and printed is the truth: of each host the
messages, and their bytes in brackets, tool/program. A difference has its reason in the fourth column.

| capture | tap | tool/program | why they differ | findings |
|---|---|---|---|---|
"""


def operations(found):
    """{"A WRITE": [messages, bytes]} of what the program says"""
    totals = collections.defaultdict(lambda: [0, 0])
    for connection in found["connections"]:
        if connection["transport"] != "iwarp":
            continue
        for endpoint, flow in zip(connection["endpoints"], connection["flows"]):
            for kind, words in KINDS.items():
                total = totals[f"{HOSTS[endpoint['address']]} {words}"]
                total[0] += flow["messages"][kind]["count"]
                total[1] += flow["messages"][kind]["bytes"]
    return totals


def row_of(name, tap, found, errors):
    truth, ours = OPERATIONS[name], operations(found)
    why = truth.get("why", {})
    cells, reasons = [], [why["findings"]] if "findings" in why else []
    for what in [f"{host} {words}" for host in "AB" for words in KINDS.values()]:
        tool, mine = truth["tool"].get(what, [0, 0]), ours.get(what, [0, 0])
        if tool == mine == [0, 0]:
            continue
        cells.append(f"{what} {tool[0]}/{mine[0]} ({tool[1]}/{mine[1]})")
        if (tool == mine) == (what in why):
            errors.append(f"{name}.{tap}: {what}: the tool says {tool}, the program {mine}; "
                          f"the reason: {why.get(what)}")
        elif what in why and why[what] not in reasons:
            reasons.append(why[what])
    codes = dict.fromkeys(f["code"] for f in found["findings"] if f["severity"] != "note")
    return f"| {name} | {tap.upper()} | {', '.join(cells)} | {'; '.join(reasons)} | {' '.join(codes)} |"


def rows_of(reports, errors):
    """{(capture, tap): row}; reports is {(capture, tap): the program's}"""
    rows = {}
    for (name, tap), found in reports.items():
        if any(connection["transport"] == "iwarp" for connection in found["connections"]):
            if name in OPERATIONS:
                rows[name, tap] = row_of(name, tap, found, errors)
            else:
                errors.append(f"{name}: iwarp_operations.json does not say what its tool did")
    return rows
