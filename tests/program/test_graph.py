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


def test_form():
    """80 columns, no blanks at the end, ASCII where it is asked for, each direction by itself."""
    for what in ("psn", "outstanding", "goodput", "latency"):
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
