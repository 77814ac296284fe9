#!/usr/bin/env python3
# SPDX-License-Identifier: GPL-2.0-or-later
"""While the program reads, it has given up what it says; unit/sandbox tries what is forbidden then."""
import os
import pathlib
import subprocess
import sys
import tempfile

from program import CAPTURES, PROGRAM, main, same, text
from waiting import is_asleep, status, took_all, until

VERSION = text("--version")
CAPTURE = (CAPTURES / "roce_corrupt.a.pcap").read_bytes()


def given_up(process):
    """What of the rows of /proc/PID/status another process has more of than this one: a test may stand in a sandbox itself."""
    its, own = status(process.pid), status(os.getpid())
    return {row: int(its[row]) - int(own[row]) for row in ("NoNewPrivs", "Seccomp_filters")}


def while_reading(*options):
    """What is given up once packets of the standard input were read."""
    with subprocess.Popen([PROGRAM, *options, "-"], stdin=subprocess.PIPE, stdout=subprocess.DEVNULL,
                          stderr=subprocess.DEVNULL) as process:
        process.stdin.write(CAPTURE[:len(CAPTURE) // 2])
        process.stdin.flush()
        until(lambda: took_all(process))
        found = given_up(process)
        process.stdin.close()
        process.wait()
    return found


def while_reading_each():
    """The same of the second of two files that are reported on one by one: it is a pipe, and half of it was written."""
    with tempfile.TemporaryDirectory() as folder:
        first, second = pathlib.Path(folder, "first"), pathlib.Path(folder, "second")
        first.write_bytes(CAPTURE)
        os.mkfifo(second)
        with subprocess.Popen([PROGRAM, "--each", first, second], stdout=subprocess.DEVNULL) as process:
            with open(second, "wb") as writer: # opens when the program does
                writer.write(CAPTURE[:len(CAPTURE) // 2])
                writer.flush()
                until(lambda: is_asleep(process))
                found = given_up(process)
            process.wait()
    return found


def wanted(holds):
    return {"NoNewPrivs": int(holds), "Seccomp_filters": int(holds and "seccomp" in VERSION)}


def test_default():
    """New privileges and system calls are given up without being asked for."""
    same(while_reading(), wanted(True))


def test_each():
    """Once, and for all files, where each has a report."""
    same(while_reading_each(), wanted(True))


def test_without():
    """--no-sandbox leaves it out."""
    same(while_reading("--no-sandbox"), wanted(False))


if "gives up" not in VERSION:
    print("skipped: this system has no Landlock and no seccomp, or this build has sanitizers")
    sys.exit(77)
main(sys.modules[__name__])
