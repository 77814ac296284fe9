#!/usr/bin/env python3
# SPDX-License-Identifier: GPL-2.0-or-later
"""The first sentences of the report, held against what the JSON says of the same capture."""
import functools
import json
import pathlib
import re
import sys
import tempfile

from pcap import part, records
from program import ROOT, main, matches, run, same, text

CAPTURES = sorted(ROOT.glob("captures/*.pcap")) + sorted(ROOT.glob("captures/made/*.pcap*"))


@functools.cache
def told(path):
    return json.loads(run("--format", "json", path).stdout)


@functools.cache
def verdict(path, stdin=None):
    """The first paragraph, on one line; before it: what the captures can tell, where there is RDMA in them."""
    paragraphs = run(path, stdin=stdin).stdout.decode().split("\n\n")
    quality = paragraphs[0].startswith(("This capture can", "These captures can"))
    return " ".join(paragraphs[quality].split())


def counted(count, what):
    return f"{count:,} {what}{'' if count == 1 else 's'}"


def test_good():
    """Nothing above a note: how much was looked at, and of what nobody says that it came."""
    tried = silent = 0
    for path in CAPTURES:
        document = told(path)
        packets = sum(document["captures"][0]["rdma_packets"].values())
        if not packets or any(finding["severity"] != "note" for finding in document["findings"]):
            continue
        want = (f"Nothing wrong was found in {counted(packets, 'RDMA packet')} of "
                f"{counted(len(document['connections']), 'connection')}.")
        same(verdict(path)[:len(want)], want, path)
        unacknowledged = any(one["service"] in ("UD", "UC") for one in document["connections"])
        same("Nothing acknowledges the packets of" in verdict(path), unacknowledged, path)
        tried, silent = tried + 1, silent + unacknowledged
    assert tried > 20 and silent > 1, (tried, silent)


def test_time():
    """Behind that, where the time of the connection with most data went, if T13 says so of any."""
    tried = 0
    for path in CAPTURES:
        document = told(path)
        said = [finding for finding in document["findings"] if finding["code"] == "T13"]
        if any(finding["severity"] != "note" for finding in document["findings"]) or not document["connections"]:
            continue
        if not said:
            assert "as it seems: " not in verdict(path), path
            continue
        sizes = [sum(flow["payload_bytes"] for flow in one["flows"] if flow) for one in document["connections"]]
        most = max(said, key=lambda finding: sizes[finding["connection"]])
        matches(r"Nothing wrong was found .*[.] (Its time|The time of connection \d+, \S+ to \S+), as it seems: "
                + re.escape(" ".join(most["text"].split())), verdict(path))
        tried += 1
    assert tried > 10, tried


def test_one_packet():
    """In the singular."""
    path = ROOT / "captures/roce_rc_allops.a.pcap"
    request = json.loads(text("--packets", "--format", "ndjson", path).splitlines()[0])
    same(verdict("-", stdin=part(path.read_bytes(), request["frame"] - 1, request["frame"])),
         "Nothing wrong was found in 1 RDMA packet of 1 connection. But only one direction of it was "
         "captured: what the other end answered is not known.")


def test_link_type():
    """Of a link type that nobody knows here that is said, with its number."""
    data = bytearray((ROOT / "captures/roce_loss_single.a.pcap").read_bytes())
    data[20:22] = (147).to_bytes(2, "little")
    printed = " ".join(text("-", stdin=bytes(data)).split())
    matches("RDMA none: .* 433 frames could not be decoded, as their link type is not known here: LINKTYPE 147[.] ", printed)


def cut_to(length, protocols=(6, 17)):
    """A capture of two directions, of whose frames (of these protocols of IP) a snap length left so much."""
    header, all_records = records((ROOT / "captures/roce_loss_single.a.pcap").read_bytes())
    return header + b"".join(record if record[16 + 23] not in protocols else
                             record[:8] + min(length, len(record) - 16).to_bytes(4, "little") + record[12:16 + length]
                             for record in all_records)


def test_cut():
    """Where the snap length left too little to know a connection, or whether it is RDMA at all, nothing is said to be right."""
    same(verdict("-", stdin=cut_to(42)),
         "Nothing can be told of 394 RDMA packets: the connection of none can be read. 433 packets were cut by the snap length: "
         "capture at least 128 bytes of each.")
    matches("RDMA not known: every frame was cut by the snap length before what would tell[.] Capture at least 128 bytes of each[.] ",
            " ".join(text("-", stdin=cut_to(30)).split()))
    matches("RDMA none: .* 394 of 433 frames were cut by the snap length before what would tell: capture at least 128 bytes of "
            "each[.] 39 packets are TCP", " ".join(text("-", stdin=cut_to(40, protocols=(17,))).split()))


def test_others():
    """On how many other connections the same was found: each counts once."""
    tried = 0
    for path in CAPTURES:
        findings = told(path)["findings"]
        if not findings or findings[0]["severity"] == "note":
            continue
        first = findings[0]
        others = {finding["connection"] for finding in findings
                  if (finding["code"], finding["severity"]) == (first["code"], first["severity"])}
        others -= {first["connection"], None}
        said = f"The same on {counted(len(others), 'other connection')}." in verdict(path)
        same(said, bool(others), path)
        tried += said
    assert tried, tried


BOTH_WAYS = """# Three connections, of which each has the same in both directions
qp A2=0x21 B2=0x22
qp A3=0x31 B3=0x32
A send 10 resv7=5
A2 send 10 resv7=5
A3 send 10 resv7=5
B send 10 resv7=5
B2 send 10 resv7=5
B3 send 10 resv7=5
"""


def test_others_by_name():
    """A connection of which both directions have the same is named once."""
    sys.path.insert(0, str(ROOT / "tests/scenarios"))
    import run as player
    with tempfile.TemporaryDirectory() as folder:
        scenario, capture = pathlib.Path(folder) / "both.scn", pathlib.Path(folder) / "both.pcap"
        scenario.write_text(BOTH_WAYS)
        player.play(scenario)[1].write(capture)
        matches(" F10 .* Frame 1 The same on 2 other connections: 1, 2[.]", " ".join(text(capture).split()))


def test_more_suspected():
    """That beside what is proven of a connection more of it is suspected; the findings then tell it with its own head."""
    tried = 0
    for path in [*CAPTURES, ROOT / "captures/taps/roce_taps_loss_data.b.pcap"]:
        findings = told(path)["findings"]
        first = next((finding for finding in findings if finding["severity"] != "note"), None)
        if not first or first["explained_by"]:
            continue
        alike = [finding for finding in findings if finding["proof"] == "suspected" and all(
            finding[key] == first[key] for key in ("code", "severity", "connection", "flow"))]
        more = bool(alike) and first["proof"] == "proven"
        sentence = " ".join(first["text"].split())
        assert sentence in verdict(path), path
        same(f"{sentence} More of it is suspected." in verdict(path), more, path)
        if more:
            matches(rf".*\n  {first['severity']} {first['code']} {first['check']}, suspected: ", run(path).stdout.decode())
            tried += 1
    assert tried, tried


def test_who():
    """From whom to whom, as the JSON has it; the number of the connection where there are several."""
    tried = 0
    for path in CAPTURES:
        document = told(path)
        first = next((finding for finding in document["findings"] if finding["severity"] != "note"), None)
        if not first or first["connection"] is None or first["flow"] is None or first["explained_by"]:
            continue
        connection = document["connections"][first["connection"]]
        ends = [end["address"] for end in connection["endpoints"]]
        who = f"{ends[first['flow']]} to {ends[1 - first['flow']]}: "
        if len(document["connections"]) > 1:
            who = f"Connection {first['connection']}, {who}"
        same(verdict(path)[:len(who)], who, path)
        tried += 1
    assert tried > 5, tried


def test_more():
    """What is more than two is announced."""
    tried = 0
    for path in CAPTURES:
        findings = told(path)["findings"]
        weight = {"note": 0, "warning": 1, "error": 2}
        problems = {finding["code"] for finding in findings if finding["severity"] != "note" and (
            not finding.get("explained_by") or
            weight[finding["severity"]] > weight[findings[finding["explained_by"]["finding"]]["severity"]])}
        more = len(problems) - 2
        said = f" And {counted(more, 'more problem')}, below."
        same(verdict(path).endswith(said), more > 0, path)
        tried += more > 0
    assert tried, tried


main(sys.modules[__name__])
