#!/usr/bin/env python3
# SPDX-License-Identifier: GPL-2.0-or-later
"""Several files: parts of one capture, taps of the same traffic, unrelated ones; --tap, --each."""
import json
import pathlib
import random
import struct
import sys
import tempfile

import pcap
from program import CAPTURES, main, run, same, text

PAIRS = sorted(path for path in CAPTURES.glob("*.a.pcap") if path.with_name(path.name.replace(".a.", ".b.")).exists())
ALONE = sorted(CAPTURES.glob("*.a.pcap"))
CUT = ("roce_loss_burst", "roce_loss_single", "iwarp_allops", "roce_loss_read_req_seen", "roce_cm_rping", "roce_corrupt")


def of(*arguments):
    return json.loads(text("--format", "json", *map(str, arguments)))


def cut(folder, capture, frames):
    """The parts of a capture, as `editcap -c` makes them, so many frames each."""
    header, records = pcap.records(capture.read_bytes())
    parts = []
    for i in range(0, len(records), frames):
        part = pathlib.Path(folder) / f"part_{i // frames:05d}_20261120{i // frames:06d}.pcap"
        part.write_bytes(header + b"".join(records[i:i + frames]))
        parts.append(part)
    return parts


def without_files(document):
    return {key: value for key, value in document.items() if key not in ("captures", "taps")}


def test_parts_are_the_whole():
    """In any order, with any number of threads, of any size: the document of the whole."""
    for name, frames in ((name, frames) for name in CUT for frames in (7, 40)):
        capture = CAPTURES / f"{name}.a.pcap"
        with tempfile.TemporaryDirectory() as folder:
            parts = cut(folder, capture, frames)
            whole = of(capture)
            random.Random(frames).shuffle(parts)
            together = of(*parts)
            same(without_files(together), without_files(whole), f"{name} in parts of {frames}")
            same(sum(part["packets"] for part in together["captures"]), whole["captures"][0]["packets"])
            same(without_files(of("-j3", *parts)), without_files(whole), f"{name}, three threads")
            same([tap["relation"] for tap in together["taps"]], ["continuation"])
            same([part["file"] for part in together["captures"]], sorted(map(str, parts)))
            same(list(together)[:2], ["schema", "taps"])


def test_packets_of_parts():
    """--packets too, and the frames are numbered through."""
    capture = CAPTURES / "roce_loss_single.a.pcap"
    with tempfile.TemporaryDirectory() as folder:
        parts = cut(folder, capture, 50)
        same(text("--packets", *parts[::-1]), text("--packets", capture))


def test_unrelated():
    """Each file has the connections and findings that it has alone."""
    alone = [of(file) for file in ALONE]
    together = of(*ALONE)
    for key in ("connections", "memory_keys"):
        same(len(together[key]), sum(len(one[key]) for one in alone), key)
    same({tap["relation"] for tap in together["taps"]}, {"unrelated"})
    same([len(one["connections"]) for one in alone],
         [sum(connection["first"] == index for connection in placed(together)) for index in range(len(ALONE))])
    each = json.loads(text("--each", "--format", "json", *map(str, ALONE)))
    same([len(report["connections"]) for report in each["reports"]], [len(one["connections"]) for one in alone])
    same(each["reports"][0], alone[0])
    same([line["file"] for line in each["files"]], list(map(str, ALONE)))


def placed(document):
    """Of each connection the file: that in whose time it lies."""
    spans = [(capture["first_time_ns"], capture["first_time_ns"] + capture["duration_ns"])
             for capture in document["captures"]]
    for connection in document["connections"]:
        first = min(flow["first_time_ns"] for flow in connection["flows"] if flow["first_time_ns"])
        yield {"first": next(i for i, (begin, end) in enumerate(spans) if begin <= first <= end)}


def proven(document):
    return {finding["code"] for finding in document["findings"] if finding["proof"] == "proven"}


def test_taps_prove_nothing_more():
    """Both files of a pair, in either order: nothing is proven that neither says alone."""
    assert len(PAIRS) > 6, PAIRS
    for a in PAIRS:
        b = a.with_name(a.name.replace(".a.", ".b."))
        either = proven(of(a)) | proven(of(b))
        for files in ((a, b), (b, a)):
            document = of(*files)
            same([tap["relation"] for tap in document["taps"]], ["same_traffic"] * 2, a.name)
            assert proven(document) <= either, f"{a.name}: {proven(document) - either}"


def test_tap_names():
    """--tap says what is to be believed."""
    one, two = CAPTURES / "roce_loss_burst.a.pcap", CAPTURES / "roce_err_peer_gone.a.pcap"
    document = of("--tap", f"left={one}", "--tap", f"right={two}")
    same([(tap["name"], tap["relation"], tap["captures"]) for tap in document["taps"]],
         [("left", "same_traffic", [0]), ("right", "same_traffic", [1])])
    document = of("--tap", f"left={two}", "--tap", f"left={one}")
    same([(tap["name"], tap["relation"], tap["captures"]) for tap in document["taps"]],
         [("left", "continuation", [0, 1])])
    same([capture["file"] for capture in document["captures"]], [str(one), str(two)])
    result = run("--tap", "left", str(one))
    same(result.returncode, 2)
    same(result.stderr.decode(), 'rdma-analyze: --tap: "left" is no NAME=FILE (--help tells more)\n')


def test_a_clock_that_was_set():
    """Where no line fits the times of both taps, that is the reason that is given, by the name of the tap."""
    a, b = (CAPTURES / "taps" / f"roce_taps_rc_drift.{side}.pcap" for side in "ab")
    with tempfile.TemporaryDirectory() as folder:
        late, data = pathlib.Path(folder) / "late.pcap", bytearray(b.read_bytes())
        order = "<" if data[0] in (0xd4, 0x4d) else ">"
        at, number = 24, 0
        while at < len(data):
            seconds, _, length = struct.unpack_from(f"{order}III", data, at)
            number += 1
            if number > 500: # the second half is an hour later
                struct.pack_into(f"{order}I", data, at, seconds + 3600)
            at += 16 + length
        late.write_bytes(data)
        document = of(a, late)
        same(document["taps"][1]["clock_offset_ns"], {"min": None, "max": None})
        text = " ".join(run(a, late).stdout.decode().split())
        assert "its clock is not known against that of" in text, text
        assert "it was set, or does not run evenly." in text, text


def test_each():
    """What --each says last, and its exit codes."""
    files = [str(CAPTURES / name) for name in ("roce_loss_burst.a.pcap", "roce_loss_single.a.pcap")]
    assert text("--each", *files).splitlines()[-1].endswith(files[1])
    same(run("--each", "--fail-on=warning", *files).returncode, 1)
    same(run("--each", *files, "/nonexistent").returncode, 2)
    same(run("--each", "--html=x", *files).returncode, 2)


main(sys.modules[__name__])
