#!/usr/bin/env python3
# SPDX-License-Identifier: GPL-2.0-or-later
"""--explain: each line of explain_rows.tsv is joined with the right connection and frame; mistakes, limits, untrusted lines."""
import json
import pathlib
import sys
import tempfile

import wire
from program import CAPTURES, ROOT, main, matches, run, same, text

FOLDER = tempfile.TemporaryDirectory()
GONE = CAPTURES / "roce_err_peer_gone.a.pcap"
ROWS = [line.split("\t") for line in (ROOT / "tests/program/explain_rows.tsv").read_text().splitlines()
        if not line.startswith("#")]


def file(name, content):
    path = pathlib.Path(FOLDER.name) / name
    path.write_bytes(content if isinstance(content, bytes) else content.encode())
    return str(path)


def document(capture, *arguments):
    return json.loads(text("--format", "json", *arguments, CAPTURES / f"{capture}.pcap"))


def explained(capture, *lines):
    return document(capture, *(word for line in lines for word in ("--explain", line)))["explained"]


def seen(capture):
    return list(wire.packets(CAPTURES / f"{capture}.pcap"))


def refusal(asked, answers):
    """The last NAK that refuses, and the first packet that it is about."""
    nak = [packet for packet in answers if wire.is_refusal(packet)][-1]
    return nak, next((packet for packet in asked if packet.psn == nak.psn), None)


def filled(line, capture):
    """The line with what the placeholders stand for in this capture: read off the wire, of RC."""
    packets = seen(capture)
    a, b = (next((packet.dest_qp for packet in packets if packet.destination[-1] == last), 0) for last in (1, 2))
    asked, answers = wire.asked_of(packets, next((p.source for p in packets if p.memory), b""))
    address, key = next((packet.memory for packet in asked if packet.memory), (0, 0))
    if any(map(wire.is_refusal, answers)) and refusal(asked, answers)[1].memory:
        address, key = refusal(asked, answers)[1].memory
    values = {"A": f"{a:x}", "B": f"{b:x}", "A4": f"{a:04x}", "B4": f"{b:04x}", "A6": f"{a:06x}", "Adec": str(a),
              "Abytes": " ".join(f"{a:06x}"[i:i + 2] for i in (0, 2, 4)), "key": f"0x{key:08x}", "keydec": str(key),
              "va": f"0x{address:x}"}
    for name, value in values.items():
        line = line.replace("{" + name + "}", value)
    return line


NAKS = {9: 0x61, 10: 0x62, 11: 0x63}


def wanted(capture, outcome, status):
    """What the packets of a capture of one RC connection say, by their bytes alone: {member of the candidate: its value}"""
    packets = seen(capture)
    askers = sorted({packet.source for packet in packets if wire.is_request(packet)})
    assert askers, capture
    asked, answers = wire.asked_of(packets, askers[0]) # of two that ask the one with the lower address: the logs are its own
    if outcome == "refused":
        nak, request = refusal(asked, answers)
        same(NAKS.get(status, nak.syndrome), nak.syndrome, "what the status means")
        return {"nak_frame": nak.frame, "request_first_frame": request.frame if request else None}
    positive = [packet for packet in answers if wire.is_positive(packet)]
    acknowledged = next((packet for packet in positive if packet.psn == positive[-1].psn), None) # the first that said so
    if outcome == "all_answered":
        return {"acknowledged_psn": acknowledged.psn, "acknowledged_frame": acknowledged.frame, "request_last_frame": None}
    if outcome == "nothing_asked": # by the other one
        same(len(askers), 1)
        return {"last_heard_frame": asked[-1].frame, "request_last_frame": None, "acknowledged_frame": None}
    base = positive[-1].psn if positive else asked[0].psn - 1
    left = [packet for packet in asked if 0 < (packet.psn - base) % 2**24 < 2**23]
    oldest = min(left, key=lambda packet: (packet.psn - base) % 2**24).psn
    sent = [packet.frame for packet in asked if packet.psn == oldest]
    heard = [packet.frame for packet in packets if packet.destination == askers[0]]
    assert len(sent) > 1
    return {"acknowledged_psn": acknowledged and acknowledged.psn, "acknowledged_frame": acknowledged and acknowledged.frame,
            "request_psn": oldest, "request_first_frame": sent[0], "request_last_frame": sent[-1], "request_sent": len(sent),
            "last_heard_frame": heard[-1] if heard else None}


def test_rows():
    """explain_rows.tsv: what is told is what the packets say; a line without a match says so."""
    assert len(ROWS) >= 30, len(ROWS)
    on_the_wire = 0
    for program, capture, line, match, connections, side, outcome, frame in ROWS:
        line = filled(line, capture)
        found, = explained(capture, line)
        what = f"{line} on {capture}"
        same(found["match"], match, what)
        same(",".join(str(c["connection"]) for c in found["candidates"]) or "-", connections, what)
        same(bool(found["why"]), connections == "-", what)
        if connections == "-":
            printed = " ".join(text("--explain", line, CAPTURES / f"{capture}.pcap").split())
            assert " ".join(found["why"].split()).lower() in printed.lower(), (found, printed)
            continue
        candidate = found["candidates"][0]
        same((str(candidate["flow"]), candidate["outcome"]), (side, outcome), what)
        told = (candidate["nak_frame"] or candidate["request_last_frame"] or candidate["acknowledged_frame"] or
                candidate["last_heard_frame"])
        same(str(told), frame, what)
        if outcome == "not_followed":
            continue
        on_the_wire += 1
        want = wanted(capture, outcome, found["status"])
        same({key: candidate[key] for key in want}, want, what)
    assert on_the_wire >= 30, on_the_wire


def test_text():
    """As it is read at three in the morning."""
    printed = text("--explain", "rxe0: qp#404 make_send_cqe: non-flush error status = 12", GONE)
    flat = " ".join(printed.split())
    for told in ("Linux rxe: QP 0x000194, status 12; transport retry counter exceeded: the request was sent as often as allowed, "
                 "and never acknowledged",
                 "Connection 0: 10.10.0.1 QP 0x000194 to 10.10.0.2 QP 0x00053a (known by its QP).",
                 "Acknowledged last: PSN 75384, by frame 18 (",
                 "Not acknowledged: RC RDMA WRITE First, PSN 75385 (r_key 0x00008159, address 0x7f23a1583000), sent 4 times, first in frame 26 (",
                 "10.10.0.2 was silent on this connection from frame 20 (23:48:15.950144715) on, for 56.5 ms up to the last packet "
                 "that was sent to it."):
        assert told in flat, (told, printed)
    matches(r"^Lines of logs, and what this capture has of them\n  rxe0: qp#404", printed)
    assert "Nothing of it in this capture has r_key 0x0000dead." in " ".join(
        text("--explain", "RC QP 0x194 [rkey 0xdead]", GONE).split())


def test_several():
    """Of connections that fit alike none is chosen: all are told, up to 8, and the others are counted."""
    capture = "roce_cm_ucmatose.a"
    found, = explained(capture, "connection to 10.10.0.2:7471 closed")
    connections = [c for c in document(capture)["connections"] if c["service"] == "RC"]
    assert len(connections) > 1
    same(found["match"], "several")
    same(len(found["candidates"]) + found["more_candidates"], len(connections))
    assert len(found["candidates"]) <= 8
    assert "connections fit alike" in text("--explain", "to 10.10.0.2 closed", CAPTURES / f"{capture}.pcap")
    qpn = connections[-1]["endpoints"][0]["qpn"]
    found, = explained(capture, f"10.10.0.2 qp_num={qpn}")
    same([c["connection"] for c in found["candidates"]], [connections[-1]["id"]])


def test_time():
    """A time with its zone chooses among connections that are alike; one without a zone is not used."""
    found, = explained("roce_err_peer_gone.a", "[1795218496.016035] 10.10.0.2 retry")
    assert "time_ns" in found["candidates"][0]["by"], found
    same([item["kind"] for item in explained("roce_err_peer_gone.a", "2026-11-20 23:48:15.95 qp 0x194")[0]["found"]], ["qpn"])
    same([item["words"] for item in explained("roce_err_peer_gone.a", "2026-11-20T23:48:15.95+00:00 qp 0x194")[0]["found"]],
         ["time 2026-11-20 23:48:15.950000000 UTC", "QP 0x000194"])


def test_files():
    """Lines of a file and of standard input; those with nothing to find are counted."""
    lines = "first line\n\nrxe0: qp#404 failed\r\nlast without an end"
    for argument, given in ((f"@{file('log', lines)}", None), ("@-", lines.encode())):
        result = run("--explain", argument, GONE, stdin=given)
        same((result.returncode, result.stderr), (0, b""))
        printed = result.stdout.decode()
        assert "  rxe0: qp#404 failed\n" in printed and "first line" not in printed, printed
        assert "  2 other lines have nothing in them that a capture could hold\n" in printed, printed
    found = explained("roce_err_peer_gone.a", f"@{file('log', lines)}")
    same([(f["line"], f["match"]) for f in found], [(1, "nothing_to_find"), (3, "one"), (4, "nothing_to_find")])
    result = run("--explain", f"@{FOLDER.name}/none", GONE)
    same((result.returncode, result.stdout), (2, b""))
    matches("rdma-analyze: --explain: .*/none: No such file or directory\n", result.stderr.decode())


def test_exit_code():
    """What lines are about changes no exit code: 0 also where nothing fits."""
    for line in ("qp 0x194", "qp 0x999", "nothing", ""):
        same(run("--explain", line, GONE).returncode, 0, line)
    for options in (("--packets",), ("--format", "csv"), ("--each",)):
        same(run("--explain", "qp 0x194", *options, GONE).returncode, 2, options)
    result = run("--explain", "@-", "-", stdin=b"")
    same((result.returncode, result.stderr.split(b" (")[0]), (2, b"rdma-analyze: --explain @-: standard input has the capture"))


def test_untrusted():
    """Nothing of a line reaches a terminal as it is; long lines and long files are cut, as is said."""
    evil = b"\x1b]0;x\x07\xff\xfe qp 0x194 \x1b[31m\x08\x7f"
    log = file("evil", evil + b"\n" + b"A" * 5000 + b" qp 0x194\n")
    result = run("--explain", f"@{log}", GONE)
    same((result.returncode, result.stderr), (0, b""))
    assert all(c == 10 or 32 <= c < 127 for c in result.stdout), result.stdout
    found = explained("roce_err_peer_gone.a", f"@{log}")
    same([f["match"] for f in found], ["one", "nothing_to_find"]) # the second QP is behind what is looked at
    assert all(len(f["text"]) <= 4096 and f["text"].isprintable() for f in found)
    many = document("roce_err_peer_gone.a", "--explain", f"@{file('many', 'qp 0x194' + chr(10) * 1 + 'qp 0x194' + chr(10) + 1200 * ('qp 0x194' + chr(10)))}")
    same(len(many["explained"]), 1000)
    assert "  202 more lines were not looked at\n" in text("--explain", f"@{FOLDER.name}/many", GONE)


def test_database():
    """What was found in a line, and each candidate, is a row."""
    import sqlite3
    base = pathlib.Path(FOLDER.name) / "run.db"
    text("--sqlite", base, "--explain", "qp 0x194 status 12", GONE)
    with sqlite3.connect(base) as connection:
        same(connection.execute("SELECT kind FROM explained_value ORDER BY position").fetchall(), [("qpn",), ("status",)])
        same(connection.execute("SELECT connection, outcome, request_sent FROM explained_candidate").fetchall(),
             [(0, "sent_again_and_unanswered", 4)])


main(sys.modules[__name__])
