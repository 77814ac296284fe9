#!/usr/bin/env python3
# SPDX-License-Identifier: GPL-2.0-or-later
"""Files that cannot be read, or not to their end."""
import json
import pathlib
import re
import sys
import tempfile

from program import CAPTURES, main, matches, run, same

CAPTURE = CAPTURES / "roce_cm_rping.a.pcap"


def check(path, arguments=()):
    """Runs the program on a bad file; returns its output and the message without the file name."""
    result = run(*arguments, path)
    same(result.returncode, 2, path)
    message = result.stderr.decode()
    matches(rf"\Ardma-analyze: {re.escape(str(path))}: [^\n]+\n\Z", message)
    return result.stdout.decode(), message.removeprefix(f"rdma-analyze: {path}: ")


def with_file(content, test):
    with tempfile.TemporaryDirectory() as folder:
        path = pathlib.Path(folder) / "bad.pcap"
        path.write_bytes(content)
        test(path)


def test_nothing_to_read():
    """What is no capture prints a reason and no report."""
    for content in (b"", b"no capture at all, but longer than any magic number\n" * 20):
        def unreadable(path):
            output, message = check(path)
            same(output, "")
            matches(r"\A(offset \d+: )?\S", message)
        with_file(content, unreadable)
    with tempfile.TemporaryDirectory() as folder:
        same(check(folder)[0], "")
        same(check(f"{folder}/missing")[0], "")


def test_truncated():
    """A file that ends inside a record: what comes before is reported, the offset is told."""
    data = CAPTURE.read_bytes()
    records, offset = [], 24
    while offset < len(data):
        records.append(offset)
        offset += 16 + int.from_bytes(data[offset + 8:offset + 12], "little")

    def truncated(path):
        output, message = check(path)
        matches(rf"\Aoffset {records[10]}: ", message)
        matches(r"Packets +10 ", output)
        matches(r"Damaged ", output)
        output, _ = check(path, ["--format", "json"])
        capture = json.loads(output)["captures"][0]
        same(capture["packets"], 10)
        same(capture["damaged_at"], records[10])
        assert capture["damage"]
        output, _ = check(path, ["--packets"])
        same(len(output.splitlines()), 10)

    with_file(data[:records[10] + 40], truncated)


def test_others_are_read():
    """A file that cannot be opened does not keep the next from being read."""
    result = run("--format", "json", "/no/such/file", CAPTURE)
    same(result.returncode, 2)
    captures = json.loads(result.stdout)["captures"]
    same([capture["file"] for capture in captures], [str(CAPTURE)])


def test_names_are_harmless():
    """A file name cannot talk to the terminal."""
    result = run("/no/such/\x1b[31mfile\nsecond line")
    same(result.returncode, 2)
    same(result.stderr.count(b"\n"), 1)
    assert b"\x1b" not in result.stderr


main(sys.modules[__name__])
