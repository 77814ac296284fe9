#!/usr/bin/env python3
# SPDX-License-Identifier: GPL-2.0-or-later
"""Rings of files that are being written (--follow), what is told while packets come (--every, --stream) and what is kept of
them (--save-on)."""
import json
import os
import pathlib
import signal
import subprocess
import sys
import tempfile

import pcap
from program import CAPTURES, PROGRAM, main, matches, run, same, text
from waiting import until

CAPTURE = CAPTURES / "roce_corrupt.a.pcap"


HEADER, RECORDS = pcap.records(CAPTURE.read_bytes())


def cut(begin, end):
    return HEADER + b"".join(RECORDS[begin:end])


def as_the_whole(printed, name, stopped):
    """A report of a ring as that of the capture that it was cut from."""
    return printed.replace(str(name), str(CAPTURE)).replace(f'"stopped":"{stopped}"', '"stopped":null')


class Follower:
    """The program on a ring; `lines` of --packets tell how far it has read."""

    def __init__(self, pattern, *arguments):
        self.out, self.err = (tempfile.TemporaryFile() for _ in range(2))
        self.process = subprocess.Popen([PROGRAM, "--follow", pattern, *arguments], stdout=self.out, stderr=self.err)

    def printed(self):
        return os.pread(self.out.fileno(), 1 << 28, 0).decode()

    def errors(self):
        return os.pread(self.err.fileno(), 1 << 20, 0).decode()

    def until_frame(self, number):
        """Waits till the line of a frame is there; for ever, as ctest has a limit."""
        def came():
            assert self.process.poll() is None, self.errors()
            return f'"frame":{number},' in self.printed()

        until(came)

    def end(self, number=None):
        if number:
            self.process.send_signal(number)
        code = self.process.wait()
        return code, self.printed(), self.errors()


def test_whole_files():
    """Files that are there are read in the order of their packets, whatever their names; the report is that of the whole."""
    for ends in (["ring.pcap"], ["ring2.pcap", "ring0.pcap", "ring1.pcap"], [f"ring{9 - i}.pcap" for i in range(9)]):
        with tempfile.TemporaryDirectory() as folder:
            pattern = f"{folder}/ring*.pcap"
            cuts = [len(RECORDS) * i // len(ends) for i in range(len(ends) + 1)]
            for name, begin, end in zip(ends, cuts, cuts[1:]):
                (pathlib.Path(folder) / name).write_bytes(cut(begin, end))
            (pathlib.Path(folder) / "ring-empty.pcap").write_bytes(HEADER)
            (pathlib.Path(folder) / "ring-none.pcap").write_bytes(b"no capture")
            code, printed, errors = Follower(pattern, "-c", str(len(RECORDS)), "--format=json").end()
            same((code, errors), (0, ""))
            same(as_the_whole(printed, pattern, "count"), text("--format=json", CAPTURE), ends)


def last_frame(count):
    """The last frame among the first ones of which there is a line."""
    lines = text("-p", "--format=ndjson", "-c", str(count), CAPTURE).splitlines()
    return json.loads(lines[-1])["frame"]


def test_ring_wrapped():
    """Files that grow, in the middle of a record; names that are used again; a signal ends it."""
    with tempfile.TemporaryDirectory() as folder:
        pattern, names = f"{folder}/ring*", [pathlib.Path(folder) / f"ring{i}" for i in range(2)]
        follower = Follower(pattern, "-p", "--format=ndjson")
        step, at = 100, 0
        while at < len(RECORDS):
            name = names[at // step % 2]
            end = min(at + step, len(RECORDS))
            part = cut(at, end)
            with open(name, "wb") as file: # the same inode, as tcpdump has it
                for begin in range(0, len(part), 30011):
                    file.write(part[begin:begin + 30011])
                    file.flush()
            follower.until_frame(last_frame(end))
            at = end
        code, printed, errors = follower.end(signal.SIGTERM)
        same((code, errors), (0, ""))
        want = [json.loads(line) for line in text("-p", "--format=ndjson", CAPTURE).splitlines()]
        got = [json.loads(line) for line in printed.splitlines()]
        same([(line["frame"], line["time_ns"], line["connection"]) for line in got],
             [(line["frame"], line["time_ns"], line["connection"]) for line in want])


def kept_packets(kept):
    """How many packets --write has kept by now: each stands there whole. Before the first the file may have no bytes."""
    if not kept.exists() or not kept.stat().st_size:
        return 0
    return json.loads(run("--format=json", "--count-only", kept).stdout)["captures"][0]["packets"]


def test_overwritten():
    """A file that is overwritten before it was read to its end is said, and counts as dropped."""
    with tempfile.TemporaryDirectory() as folder:
        name = pathlib.Path(folder) / "ring0"
        name.write_bytes(cut(0, 600)[:-10]) # in the middle of a record
        kept = pathlib.Path(f"{folder}/kept")
        follower = Follower(f"{folder}/ring*", "--format=json", "-w", kept)
        until(lambda: kept_packets(kept) == 599)  # what was read is written when nothing comes for a while
        follower.process.send_signal(signal.SIGSTOP)
        with open(name, "wb") as file:
            file.write(cut(800, 900))
        follower.process.send_signal(signal.SIGCONT)
        until(lambda: "overwritten" in follower.errors() and kept_packets(kept) == 599 + 100)
        code, printed, errors = follower.end(signal.SIGINT)
        matches("ring0: it was overwritten before it was read to its end", errors)
        document = json.loads(printed)
        same((code, document["captures"][0]["packets"], document["captures"][0]["dropped"]), (0, 599 + 100, 1))
        same([connection["seen"]["unbroken"] for connection in document["connections"]], [False])


def test_nothing_there():
    """A ring without a file is waited for, and a signal or --duration ends that."""
    with tempfile.TemporaryDirectory() as folder:
        code, printed, errors = Follower(f"{folder}/ring*", "--duration", "200ms", "--format=json").end()
        same((code, errors, json.loads(printed)["captures"][0]["packets"]), (0, "", 0))


def test_every():
    """--every tells what is new, each finding once and more cases as more, and the report stays as it is."""
    want = text(CAPTURE)
    printed = text("--every", "10ms", CAPTURE)
    assert printed.endswith("\n" + want), printed[-500:]
    parts = " ".join(printed[:-len(want)].split())
    same(parts.count("new: error F01"), 1)
    matches(r"more: error F01 icrc-mismatch, proven, 10.10.0.1 > 10.10.0.2: \d+ cases \(\+\d+\)", parts)
    intervals = [json.loads(line) for line in text("--every", "10ms", "--format=ndjson", CAPTURE).splitlines()]
    intervals = [one for one in intervals if one["record"] == "interval"]
    assert len(intervals) > 5
    for before, after in zip(intervals, intervals[1:]):
        same(after["packets"]["count"] - before["packets"]["count"], after["packets"]["more"])
        assert after["time_ns"] - before["time_ns"] >= 10_000_000
    times = pcap.times(CAPTURE.read_bytes())
    # what came in each interval is what the capture has of that time
    for one in intervals:
        same(one["packets"]["count"],
             sum(time < one["time_ns"] for time in times), one)
    for options in (["--format=json"], ["-p"], ["--format=csv"]):
        same(run("--every", "10ms", *options, CAPTURE).returncode, 2)


def test_stream():
    """--stream: lines come while the pipe is open, and are those of the file but for what the end tells."""
    name = CAPTURES / "roce_cm_rping.a.pcap"
    header, its_records = pcap.records(name.read_bytes())
    process = subprocess.Popen([PROGRAM, "-p", "-l", "--format=ndjson", "-"], stdin=subprocess.PIPE, stdout=subprocess.PIPE)
    process.stdin.write(header)
    got = []
    told = [json.loads(line) for line in text("-p", "--format=ndjson", name).splitlines()]
    for number, record in enumerate(its_records, 1):
        process.stdin.write(record)
        process.stdin.flush()
        got += [json.loads(process.stdout.readline()) for line in told if line["frame"] == number]
    process.stdin.close()
    same((process.wait(), process.stdout.read()), (0, b""))
    for one, whole in zip(got, told):
        for late in ("notes", "findings", "file", "icrc"):
            one.pop(late, None), whole.pop(late, None)
        same(one, whole)


def test_save_on():
    """--save-on: the packets around the first finding, with its words on its frames; nothing for what is milder."""
    with tempfile.TemporaryDirectory() as folder:
        same(text("--save-on", "error", folder, CAPTURE), text(CAPTURE))
        same(os.listdir(folder), ["F01-21.pcapng"])
        saved = pathlib.Path(folder) / "F01-21.pcapng"
        assert b"F01 " in saved.read_bytes() # the comment
        assert any(one["code"] == "F01" for one in json.loads(text("--format=json", saved))["findings"])
        os.remove(saved)
        text("--save-on", "S03", folder, CAPTURE)
        same([name.split("-")[0] for name in os.listdir(folder)], ["S03"])
        same(run("--save-on", "error", f"{folder}/no/such", CAPTURE).returncode, 2)
        for wrong in (["X99", folder], ["error"], ["error", ""]):
            same(run("--save-on", *wrong, CAPTURE).returncode, 2, wrong)


main(sys.modules[__name__])
