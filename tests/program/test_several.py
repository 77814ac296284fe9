#!/usr/bin/env python3
# SPDX-License-Identifier: GPL-2.0-or-later
"""Several files: parts of one capture, taps of the same traffic, unrelated ones; --tap, --each."""
import collections
import gzip
import json
import pathlib
import random
import re
import struct
import sys
import tempfile

import pcap
import pcapng
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


def test_parts_in_other_files():
    """Parts as pcapng, compressed ones, and both: the document of the whole as a file like that."""
    capture = CAPTURES / "roce_loss_burst.a.pcap"
    with tempfile.TemporaryDirectory() as folder:
        packed, blocks, mixed = [], [], []
        for number, part in enumerate(cut(folder, capture, 40)):
            packed.append(part.with_suffix(".pcap.gz"))
            packed[-1].write_bytes(gzip.compress(part.read_bytes()))
            blocks.append(part.with_suffix(".pcapng"))
            pcapng_of(blocks[-1], part)
            mixed.append((part, packed[-1], blocks[-1])[number % 3])
        whole = pathlib.Path(folder) / "whole.pcapng"
        pcapng_of(whole, capture)
        for parts, like in ((packed, capture), (blocks, whole), (mixed, capture)):
            assert len(parts) > 3
            random.Random(1).shuffle(parts)
            together = of(*parts)
            same([tap["relation"] for tap in together["taps"]], ["continuation"])
            same(without_files(together), without_files(of(like)), parts[0].suffix)


def test_packets_of_parts():
    """--packets too, and the frames are numbered through."""
    capture = CAPTURES / "roce_loss_single.a.pcap"
    with tempfile.TemporaryDirectory() as folder:
        parts = cut(folder, capture, 50)
        same(text("--packets", *parts[::-1]), text("--packets", capture))


OF_WHERE = ("id", "connection", "tap", "file", "host", "explained_by", "request_frame", "answer_frame", "worked_frame",
            "other_worked_frame", "invalidated_frame", "registered_frame")


def without_where(value):
    """Without what tells which of several files, connections or findings it is."""
    if isinstance(value, dict):
        return {key: without_where(part) for key, part in value.items() if key not in OF_WHERE}
    return [without_where(part) for part in value] if isinstance(value, list) else value


def listed(documents, key):
    return collections.Counter(json.dumps(without_where(item), sort_keys=True) for document in documents for item in document[key])


def judged(documents):
    return collections.Counter((finding["code"], finding["proof"], finding["count"], finding["text"], finding["connection"] is None)
                               for document in documents for finding in document["findings"])


def test_unrelated():
    """All captures of the client's side at once: each has the connections, memory keys and findings that it has alone."""
    assert len(ALONE) >= 95, len(ALONE)
    alone = [of(file) for file in ALONE]
    together = of(*ALONE)
    same({tap["relation"] for tap in together["taps"]}, {"unrelated"})
    same([capture["file"] for capture in together["captures"]], list(map(str, ALONE)))
    for key in ("connections", "memory_keys"):
        same(listed([together], key) - listed(alone, key), collections.Counter(), f"{key} of no capture alone")
        same(listed(alone, key) - listed([together], key), collections.Counter(), f"{key} of one that are not told")
    same(judged([together]), judged(alone))
    each = json.loads(text("--each", "--format", "json", *map(str, ALONE)))
    same([line["file"] for line in each["files"]], list(map(str, ALONE)))
    for file, report, own in zip(ALONE, each["reports"], alone):
        same(report, own, file.name)


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


def records(capture):
    """(ns, record bytes, captured, on the wire) of a little endian pcap."""
    data, at = capture.read_bytes(), 24
    scale = 1 if data[:4] == b"\x4d\x3c\xb2\xa1" else 1000
    while at < len(data):
        seconds, part, captured, wire = struct.unpack_from("<IIII", data, at)
        yield seconds * 10**9 + part * scale, data[at + 16:at + 16 + captured], wire
        at += 16 + captured


def pcapng_of(path, *captures):
    """One file with an interface for each, in order of time, as `mergecap -I none` makes it."""
    def block(kind, body):
        size = 12 + len(body)
        return struct.pack("<II", kind, size) + body + struct.pack("<I", size)

    nanoseconds = struct.pack("<HHB3xHH", 9, 1, 9, 0, 0)
    frames = sorted(((time, interface, frame, wire) for interface, capture in enumerate(captures)
                     for time, frame, wire in records(capture)), key=lambda frame: frame[0])
    with path.open("wb") as file:
        file.write(block(0x0a0d0d0a, struct.pack("<IHHq", 0x1a2b3c4d, 1, 0, -1)))
        for _ in captures:
            file.write(block(1, struct.pack("<HHI", 1, 0, 262144) + nanoseconds))
        for time, interface, frame, wire in frames:
            head = struct.pack("<IIIII", interface, time >> 32, time & 0xffffffff, len(frame), wire)
            file.write(block(6, head + frame + bytes(-len(frame) % 4)))


def without_places(value, names):
    """Without frames' numbers, and with these names in place of others."""
    if isinstance(value, dict):
        return {key: without_places(part, names) for key, part in value.items()
                if not re.search("frame|file|captures|interface|slowest", key)}
    if isinstance(value, list):
        return [without_places(part, names) for part in value]
    for name, other in names.items():
        value = value.replace(name, other) if isinstance(value, str) else value
    return value


def test_interfaces_are_taps():
    """Two ends as two interfaces of one pcapng: told like two files; those with traffic of their own stay one capture."""
    with tempfile.TemporaryDirectory() as folder:
        merged = pathlib.Path(folder) / "merged.pcapng"
        for name in ("roce_taps_loss_data", "roce_taps_loss_acks", "roce_taps_rc_drift"):
            a, b = (CAPTURES / "taps" / f"{name}.{side}.pcap" for side in "ab")
            pcapng_of(merged, a, b)
            for reader in ("pcap", "auto"):
                one, two = of("--reader", reader, merged), of(a, b)
                same([tap["relation"] for tap in one["taps"]], ["same_traffic"] * 2)
                same([(capture["file"], capture["interface"]) for capture in one["captures"]],
                     [(str(merged), 0), (str(merged), 1)])
                names = {f"{merged.name}, interface 0": a.name, f"{merged.name}, interface 1": b.name}
                for key in ("taps", "connections", "findings", "hosts"):
                    same(without_places(one[key], names), without_places(two[key], {}), f"{name}: {key}")
            numbers = [json.loads(line)["frame"] for line in text("--packets", "--format", "ndjson", str(merged)).splitlines()]
            total = len(list(records(a))) + len(list(records(b)))
            assert len(set(numbers)) == len(numbers) and max(numbers) <= total, name
        pcapng_of(merged, a, CAPTURES / "roce_loss_burst.a.pcap")
        document = of(merged)
        same(len(document["captures"]), 1)
        assert "interface" not in document["captures"][0] and "taps" not in document
        same(len(document["connections"]), len(of(a)["connections"]) + 1)


def test_one_direction_at_one_tap():
    """A tap that sees one direction only is not the one whose view is told."""
    ends = [CAPTURES / "taps" / f"roce_taps_loss_acks.{side}.pcap" for side in "ab"]
    with tempfile.TemporaryDirectory() as folder:
        half = pathlib.Path(folder) / "half.pcap"
        for end, sender in ((0, b"\x0a\x0a\0\x01"), (0, b"\x0a\x0a\0\x02"), (1, b"\x0a\x0a\0\x01"), (1, b"\x0a\x0a\0\x02")):
            header, frames = pcap.records(ends[end].read_bytes())
            half.write_bytes(header + b"".join(frame for frame in frames if frame[16 + 26:16 + 30] == sender))
            document = of(*(half if index == end else path for index, path in enumerate(ends)))
            same([connection["seen"]["both_directions"] for connection in document["connections"]], [True])


def one_way(path, capture, sender):
    """What one host sent, of a capture."""
    header, frames = pcap.records(capture.read_bytes())
    path.write_bytes(header + b"".join(frame for frame in frames if frame[16 + 26:16 + 30] == sender))


def test_halves():
    """Two files with one direction each are told as what they may be; of a tap that shows nothing of a direction it is
    not said that all of it was lost."""
    a, b = (CAPTURES / "taps" / f"roce_taps_loss_acks.{side}.pcap" for side in "ab")
    with tempfile.TemporaryDirectory() as folder:
        there, back = (pathlib.Path(folder) / name for name in ("there.pcap", "back.pcap"))
        one_way(there, a, b"\x0a\x0a\0\x01")
        one_way(back, a, b"\x0a\x0a\0\x02")
        words = " ".join(text(str(there), str(back)).split())
        assert "two halves of one capture" in words, words[:400]
        assert "two halves" not in text(str(a), str(b))
        one_way(there, b, b"\x0a\x0a\0\x01")
        words = " ".join(text(str(a), str(there)).split())
        assert "128 lost, or the second shows the other way only" in words, words[:400]


def two_ends(folder, name="roce_taps_rc_drift"):
    """One pcapng with an interface for each end."""
    path = pathlib.Path(folder) / "merged.pcapng"
    pcapng_of(path, *(CAPTURES / "taps" / f"{name}.{side}.pcap" for side in "ab"))
    return path


def test_interfaces_annotated():
    """Each frame has the findings of the report that tells interfaces as taps, and no other comment."""
    with tempfile.TemporaryDirectory() as folder:
        merged, out, words = two_ends(folder), pathlib.Path(folder) / "out.pcapng", {}
        for finding in of(merged)["findings"]:
            for frame in finding["frames"]:
                words.setdefault(frame, []).append(
                    f"{finding['code']} {finding['check']} ({finding['severity']}): {finding['text']}".encode())
        same(run("--annotate", out, merged).returncode, 0)
        blocks = [block for block in pcapng.blocks_of(out.read_bytes(), "<") if block[:4] == struct.pack("<I", 6)]
        told = {}
        for number, block in enumerate(blocks, 1):
            at = 28 + (struct.unpack("<I", block[20:24])[0] + 3) // 4 * 4
            comments = [value for code, value in pcapng.options_of("<", block[at:-4]) if code == 1]
            if comments:
                told[number] = comments
        same(told, words)
        assert words


def test_interfaces_anonymized():
    """They are taps in the new file too, and the same is found of the same frames."""
    with tempfile.TemporaryDirectory() as folder:
        for name in ("roce_taps_rc_drift", "roce_taps_loss_data"):
            merged, out = two_ends(folder, name), pathlib.Path(folder) / "out.pcapng"
            same(run("--anonymize", out, merged).returncode, 0)
            before, after = of(merged), of(out)
            same([tap["relation"] for tap in after["taps"]], ["same_traffic"] * 2)
            for told in (before, after):
                told["hops"] = [{key: hop[key] for key in ("flow", "packets", "lost", "reordered", "appeared", "delay_ns")}
                                for connection in told["connections"] for hop in connection["hops"]]
                told["found"] = [{key: finding[key] for key in ("code", "proof", "connection", "count", "frames", "file")}
                                 for finding in told["findings"]]
            same(after["hops"], before["hops"], name)
            same(after["found"], before["found"], name)


def test_interfaces_extracted():
    """The frames of a connection at all interfaces, set up included: the same is told of it, hops too."""
    with tempfile.TemporaryDirectory() as folder:
        for name in ("roce_taps_rc_drift", "roce_taps_loss_data"):
            merged, out = two_ends(folder, name), pathlib.Path(folder) / "out.pcapng"
            before = of(merged)
            for connection in before["connections"]:
                same(run("--extract", str(connection["id"]), out, merged).returncode, 0)
                after = of(out)
                same([tap["relation"] for tap in after["taps"]], ["same_traffic"] * 2)
                one, = after["connections"]
                for key in ("endpoints", "paired_by"):
                    same(one[key], connection[key], key)
                hops = [[(hop["flow"], hop["packets"], hop["lost"], hop["appeared"]) for hop in of["hops"]] for of in (one, connection)]
                same(*hops)
                same([flow["packets"] for flow in one["flows"]], [flow["packets"] for flow in connection["flows"]])


def test_interfaces_of_a_named_tap():
    """--tap of a file whose interfaces are taps: each of them is one, through all files of that name."""
    with tempfile.TemporaryDirectory() as folder:
        merged = two_ends(folder)
        whole = of("--tap", f"switch={merged}")
        same([(tap["name"], tap["relation"]) for tap in whole["taps"]],
             [("switch, interface 0", "same_traffic"), ("switch, interface 1", "same_traffic")])
        blocks = list(pcapng.blocks_of(merged.read_bytes(), "<"))
        head, frames = blocks[:3], blocks[3:]
        parts = []
        for number in range(3):
            parts.append(pathlib.Path(folder) / f"ring{number}.pcapng")
            parts[-1].write_bytes(b"".join(head + frames[number * len(frames) // 3:(number + 1) * len(frames) // 3]))
        together = of(*(word for part in (parts[0], parts[2], parts[1]) for word in ("--tap", f"switch={part}")))
        same([(tap["name"], len(tap["captures"])) for tap in together["taps"]],
             [("switch, interface 0", 3), ("switch, interface 1", 3)])
        for key in ("connections", "findings", "hosts"):
            same(without_places(together[key], {}), without_places(whole[key], {}), key)
        alone = of("--tap", f"one={CAPTURES / 'taps/roce_taps_rc_drift.a.pcap'}")
        assert "taps" not in alone


def test_each():
    """What --each says last, and its exit codes."""
    files = [str(CAPTURES / name) for name in ("roce_loss_burst.a.pcap", "roce_loss_single.a.pcap")]
    assert text("--each", *files).splitlines()[-1].endswith(files[1])
    same(run("--each", "--fail-on=warning", *files).returncode, 1)
    same(run("--each", *files, "/nonexistent").returncode, 2)
    same(run("--each", "--html=x", *files).returncode, 2)


main(sys.modules[__name__])
