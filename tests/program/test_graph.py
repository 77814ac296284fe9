#!/usr/bin/env python3
# SPDX-License-Identifier: GPL-2.0-or-later
"""--graph: its scale is what the packets say, and what is drawn is there."""
import json
import re
import sys

from program import CAPTURES, main, run, same, text

LOSS = CAPTURES / "roce_loss_middle.a.pcap"


def drawn(what, *arguments):
    return text("--graph", what, *arguments)


def test_scale():
    """The ends of the scale are the least and the most of the packets."""
    packets = [json.loads(line) for line in text("-p", "-F", "ndjson", LOSS).splitlines()]
    psns = [packet["relative_psn"] for packet in packets if packet["relative_psn"] is not None]
    lines = drawn("psn", "--ascii", LOSS).splitlines()
    same((int(lines[1].split()[0]), int(lines[16].split()[0])), (max(psns), min(psns)))
    flight = max(packet["psns_in_flight"] or 0 for packet in packets)
    same(int(drawn("outstanding", LOSS).splitlines()[1].split()[0]), flight)


def test_marks():
    """Resends and NAKs are drawn where there are some, and the legend names what is drawn."""
    for arguments, resent, nak in ((["--ascii"], "#", "X"), ([], "\u25cf", "\u00d7")):
        picture, legend = drawn("psn", *arguments, LOSS).rsplit("\n", 2)[:2]
        assert resent in picture and nak in picture, picture
        assert f"{resent} resent" in legend and f"{nak} NAK" in legend, legend
    legend = drawn("psn", "--ascii", CAPTURES / "roce_rc_write_lat.a.pcap").splitlines()[-1]
    assert "sent" in legend and "NAK" not in legend, legend


def test_ledger():
    """The list has spent_ns of JSON, and the cells of the picture are about as many as each cause's share."""
    looks = {"=": "limited", ":": "waiting", "#": "sending", ".": "idle", "P": "paused", "N": "after_nak", "R": "after_rnr",
             "T": "after_timeout", "I": "after_implied_nak", "?": "unexplained", "C": "congestion"}
    causes = set()
    for path in (LOSS, CAPTURES / "roce_rnr_ok.a.pcap", CAPTURES / "roce_rc_write_bidir.a.pcap", CAPTURES / "roce_corrupt.a.pcap"):
        flows = [flow["spent_ns"] for flow in json.loads(text("-F", "json", path))["connections"][0]["flows"]
                 if flow["request_packets"]]
        graphs = drawn("ledger", "--ascii", path).split("Connection 0, ")[1:]
        same(len(graphs), len(flows), path)
        for graph, spent in zip(graphs, flows):
            told = {look: float(share) for look, share in re.findall(r"^ {11}(.) +([0-9.]+) %", graph, re.M)}
            want = {cause: ns for cause, ns in spent.items() if ns and cause != "total"}
            same({looks[look] for look in told}, set(want), path)
            cells = "".join(re.findall(r"\|(.*)$", graph, re.M))
            for look, share in told.items():
                exact = 100 * want[looks[look]] / spent["total"]
                assert abs(share - exact) <= 0.06, (path, look, share, exact)
                assert abs(100 * cells.count(look) / len(cells) - exact) < 4, (path, look, exact)
            causes |= set(want)
    assert causes >= {"idle", "sending", "waiting", "limited", "paused", "after_rnr", "after_nak", "after_timeout"}, causes
    picture = drawn("ledger", LOSS)
    assert "\u2593" in picture and "\u2593  92.6 %" in picture, picture
    assert "not known" in drawn("ledger", CAPTURES / "iwarp_rping.a.pcap")


def test_latency_is_that_of_the_report():
    """The top of the scale is the longest message of the report."""
    path = CAPTURES / "roce_rc_write_lat.a.pcap"
    flows = json.loads(text("-F", "json", path))["connections"][0]["flows"]
    longest = [flow["message_latency_ns"]["max"] for flow in flows if flow["message_latency_ns"]]
    tops = re.findall(r"how long messages took\n +([0-9.]+) (ns|us|ms|s) ", drawn("latency", "--ascii", path))
    units = {"ns": 1, "us": 1e3, "ms": 1e6, "s": 1e9}
    same(len(tops), len(longest))
    for (value, unit), want in zip(tops, longest):
        assert abs(float(value) * units[unit] / want - 1) < 0.01, (value, unit, want)


def test_form():
    """80 columns, no blanks at the end, ASCII where it is asked for, each direction by itself."""
    for what in ("psn", "outstanding", "goodput", "latency", "ledger"):
        for path in (LOSS, CAPTURES / "roce_rc_write_bidir.a.pcap", CAPTURES / "iwarp_rping.a.pcap"):
            count = len(json.loads(text("-F", "json", path))["connections"])
            chosen = ["-C", "0"] if count > 1 else []
            for picture in (drawn(what, *chosen, path), drawn(what, "--ascii", *chosen, path)):
                same([line for line in picture.splitlines() if len(line) > 80 or line.endswith(" ")], [], (what, path))
            assert picture.isascii()
    same(len(re.findall("^Connection", drawn("goodput", "-C", "0", CAPTURES / "ulp_nvme_roce.a.pcap"), re.M)), 2)


def test_none():
    """What has nothing to show says so; several connections need a choice."""
    assert "iWARP has none" in drawn("psn", CAPTURES / "iwarp_rping.a.pcap")
    result = run("--graph", "psn", CAPTURES / "ulp_nvme_roce.a.pcap")
    same(result.returncode, 2)
    assert b"--graph: which of 0 to 3?" in result.stderr, result.stderr
    same(run("--graph", "psn", "--packets", LOSS).returncode, 2)


main(sys.modules[__name__])
