#!/usr/bin/env python3
# SPDX-License-Identifier: GPL-2.0-or-later
"""The program starts without libwiretap, and finds the module that has it where it is installed."""
import pathlib
import shutil
import subprocess
import sys
import tempfile

from program import CAPTURES, PROGRAM, main, same

MODULE = PROGRAM.parent / "rdma-analyze-wiretap.so"
CAPTURE = CAPTURES / "roce_corrupt.a.pcap"
# what libwiretap alone reads (snoop), and what libpcap reads too (pcapng)
SNOOP_HEADER = b"snoop\0\0\0" + (2).to_bytes(4, "big") + (4).to_bytes(4, "big")


def words(number):
    return number.to_bytes(4, "big")


def snoop_of(capture):
    """A capture of Ethernet in the format of RFC 1761."""
    data = capture.read_bytes()
    order = "little" if data[:4] in (b"\xd4\xc3\xb2\xa1", b"\x4d\x3c\xb2\xa1") else "big"
    out, at, nanoseconds = [SNOOP_HEADER], 24, data[:4] in (b"\x4d\x3c\xb2\xa1", b"\xa1\xb2\x3c\x4d")
    while at < len(data):
        seconds, part, kept, wire = (int.from_bytes(data[at + i : at + i + 4], order) for i in (0, 4, 8, 12))
        frame = data[at + 16 : at + 16 + kept]
        padding = -kept % 4
        out.append(words(wire) + words(kept) + words(24 + kept + padding) + words(0) + words(seconds)
                   + words(part // 1000 if nanoseconds else part) + frame + bytes(padding))
        at += 16 + kept
    return b"".join(out)


def answer(program, *arguments):
    return subprocess.run([program, *arguments], capture_output=True, text=True)


def place(folder):
    """A copy of the program in FOLDER/bin."""
    target = pathlib.Path(folder, "bin")
    target.mkdir()
    shutil.copy(PROGRAM, target)
    return target / PROGRAM.name


def test_without_module():
    """Without the module a pcap is read as ever; what needs libwiretap is refused with the reason."""
    with tempfile.TemporaryDirectory() as folder:
        program = place(folder)
        same(answer(program, CAPTURE).stdout, answer(PROGRAM, CAPTURE).stdout)
        snoop = pathlib.Path(folder, "capture.snoop")
        snoop.write_bytes(snoop_of(CAPTURE))
        refused = answer(program, snoop)
        same(refused.returncode, 2)
        assert "libwiretap" in refused.stderr and str(snoop) in refused.stderr, refused.stderr
        refused = answer(program, "--reader=wiretap", CAPTURE)
        same(refused.returncode, 2)
        assert "libwiretap" in refused.stderr, refused.stderr


def installed_module(folder, program):
    """Where the program says that it looks for the module."""
    said = answer(program, "--reader=wiretap", CAPTURE).stderr
    path = next(word for word in said.replace(": ", " ").split() if word.endswith(MODULE.name))
    assert path.startswith(folder), said
    return pathlib.Path(path)


def test_installed():
    """Below one prefix, wherever that is, the program finds its module."""
    with tempfile.TemporaryDirectory() as folder:
        program = place(folder)
        module = installed_module(folder, program)
        module.parent.mkdir(parents=True)
        shutil.copy(MODULE, module)
        snoop = pathlib.Path(folder, "capture.snoop")
        snoop.write_bytes(snoop_of(CAPTURE))
        found = answer(program, "--format=csv", snoop)
        same(found.stderr, "")
        assert "roce" in found.stdout.lower() or "10.10.0.1" in found.stdout, found.stdout


def test_other_version():
    """A module of another version is not used: structs differ."""
    with tempfile.TemporaryDirectory() as folder:
        program = place(folder)
        version = answer(program, "--version").stdout.split()[1].encode()
        data = MODULE.read_bytes()
        assert data.count(version + b"\0") == 1, data.count(version + b"\0")
        (program.parent / MODULE.name).write_bytes(data.replace(version + b"\0", b"9" * len(version) + b"\0"))
        refused = answer(program, "--reader=wiretap", CAPTURE)
        same(refused.returncode, 2)
        assert "version 999" in refused.stderr, refused.stderr


if not MODULE.exists():
    print(f"skipped: built without libwiretap (no {MODULE.name})")
    sys.exit(77)
main(sys.modules[__name__])
