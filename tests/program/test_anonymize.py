#!/usr/bin/env python3
# SPDX-License-Identifier: GPL-2.0-or-later
"""--anonymize: nothing of the originals is left, and the same is found, in captures and in those that scenarios make."""
import functools
import ipaddress
import json
import os
import pathlib
import sys
import tempfile

import pcap
from program import CAPTURES, EVERY, ROOT, main, run, same, text

FOLDER = tempfile.TemporaryDirectory()
MADE = {}  # by path
OUT = pathlib.Path(FOLDER.name) / "out.pcapng"
ALL = sorted(CAPTURES.glob("*.pcap"))
# what is not the same: a stack that swaps the bytes of a READ's fields swaps those of others; and a tunnel that has the
# source port of a QP by chance keeps it, where the QP has another one
NOT_THE_SAME = {ROOT / "tests/scenarios/iwarp/swapped_read.scn",
                ROOT / "tests/scenarios/management/icmp_too_big_of_others.scn"}


def captured(path):
    """A capture, or that of a scenario, in a folder."""
    if path.suffix != ".scn":
        return path
    sys.path.insert(0, str(ROOT / "tests" / "scenarios"))
    import run as player
    capture = pathlib.Path(FOLDER.name) / f"{path.parent.name}_{path.stem}.pcap"
    player.play(path)[1].write(capture)
    return capture


@functools.cache
def told(path):
    return json.loads(text("--format=json", path))


def anonymous(path):
    """The bytes of the anonymous capture, and what JSON says of it."""
    if path not in MADE:
        result = run("--anonymize", OUT, path)
        same(result.returncode, 0, result.stderr.decode())
        MADE[path] = OUT.read_bytes(), json.loads(text("--format=json", OUT))
    return MADE[path]


def frames(path):
    """The bytes of a pcap's frames."""
    return (frame for _, _, frame, _ in pcap.frames(path.read_bytes()))


def test_the_same_is_found():
    """Findings, with their frames, counts, costs and proofs, and all numbers of all flows are those of the original."""
    def findings(report):
        return [{key: finding[key] for key in ("code", "severity", "proof", "connection", "flow", "count", "frames",
                                               "cost_ns", "explained_by")}
                for finding in report["findings"] if not finding["code"].startswith("U")] # about commands, which are lost

    def flows(report):
        """But for names: ports are made of QPNs."""
        return [[flow and {**flow, "source_port": None} for flow in connection["flows"]]
                for connection in report["connections"]]

    def counters(report):
        return sorted(json.dumps(host["counters"]) for host in report["hosts"])

    found = 0
    scenarios = set((ROOT / "tests/scenarios").rglob("*.scn"))
    assert NOT_THE_SAME < scenarios, NOT_THE_SAME
    for path in map(captured, [*ALL, *sorted(scenarios - NOT_THE_SAME)][::EVERY]):
        before, (_, after) = told(path), anonymous(path)
        assert "upper_layers" not in after, path.name
        same(findings(after), findings(before), path.name)
        same(flows(after), flows(before), path.name)
        same([connection["paired_by"] for connection in after["connections"]],
             [connection["paired_by"] for connection in before["connections"]], path.name)
        same(counters(after), counters(before), path.name)
        same(after["captures"][0]["icrc"], before["captures"][0]["icrc"], path.name)
        found += len(before["findings"])
    assert found > 500 // EVERY, found


def test_nothing_of_the_originals_is_left():
    """No address, as bytes or as text, no memory key, no MAC address and no piece of payload is in the file."""
    looked_for = 0
    for path in ALL[::EVERY]:
        before, (data, _) = told(path), anonymous(path)
        wanted = {}
        for host in before["hosts"]:
            if host["address"] and not host["address"].startswith("LID"):
                wanted[host["address"]] = ipaddress.ip_address(host["address"]).packed
                wanted[host["address"] + " as text"] = host["address"].encode()
        for key in before["memory_keys"]:
            number = int(key["key"], 16)
            if number > 0xffff:  # less is found in any file
                wanted["key " + key["key"]] = number.to_bytes(4, "big")
                wanted["key, turned " + key["key"]] = number.to_bytes(4, "little")
        for number, frame in enumerate(frames(path), 1):
            if frame[12:14] in (b"\x08\x00", b"\x86\xdd") and any(frame[6:12]):
                wanted["MAC " + frame[6:12].hex()] = frame[6:12]
            piece = frame[-24:-8]
            if len(frame) > 150 and len(set(piece)) > 7:
                wanted[f"payload of frame {number}"] = piece
        looked_for += len(wanted)
        left = [name for name, piece in wanted.items() if piece in data]
        same(left, [], path.name)
    assert looked_for > 1000 // EVERY, looked_for


def test_one_line_of_text_keeps_its_form():
    """What programs tell each other over TCP still ties QPs together; the QPNs in it are those of the packets."""
    before = told(CAPTURES / "roce_corrupt.a.pcap")
    _, after = anonymous(CAPTURES / "roce_corrupt.a.pcap")
    same(before["connections"][0]["paired_by"], "exchange")
    same(after["connections"][0]["paired_by"], "exchange")
    for old, new in zip(before["connections"][0]["endpoints"], after["connections"][0]["endpoints"]):
        assert old["qpn"] != new["qpn"] and old["address"] != new["address"], (old, new)


def test_the_same_bytes_give_the_same_file():
    """Pseudonyms are counted: no chance is in them. What comes from a pipe is the same too."""
    path = CAPTURES / "roce_cm_rping.a.pcap"
    first, _ = anonymous(path)
    same(run("--anonymize", OUT, path).returncode, 0)
    same(OUT.read_bytes() == first, True)
    same(run("--anonymize", OUT, "-", stdin=path.read_bytes()).returncode, 0)
    same(OUT.read_bytes() == first, True)


def test_what_is_lost_is_said():
    """Upper layers stand in payload: a word on stderr; one capture at a time."""
    result = run("--anonymize", OUT, CAPTURES / "ulp_nvme_roce.a.pcap")
    same(result.returncode, 0)
    assert b"commands of upper layers" in result.stderr, result.stderr
    result = run("--anonymize", OUT, CAPTURES / "roce_corrupt.a.pcap", CAPTURES / "roce_corrupt.a.pcap")
    same(result.returncode, 2)
    assert b"one capture" in result.stderr, result.stderr
    if os.path.exists("/dev/full"):
        result = run("--anonymize", "/dev/full", CAPTURES / "roce_corrupt.a.pcap")
        same(result.returncode, 2)


if __name__ == "__main__":
    main(sys.modules[__name__])
