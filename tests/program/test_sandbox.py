#!/usr/bin/env python3
# SPDX-License-Identifier: GPL-2.0-or-later
"""While the program reads, it has given up what it says; unit/sandbox tries what is forbidden then."""
import pathlib
import subprocess
import sys
import time

from program import PROGRAM, main, same, text

VERSION = text("--version")


def status_while_reading(*options):
    """Rows of /proc/PID/status while the program waits for its standard input."""
    with subprocess.Popen([PROGRAM, *options, "-"], stdin=subprocess.PIPE, stdout=subprocess.DEVNULL,
                          stderr=subprocess.DEVNULL) as process:
        asleep = 0
        while asleep < 20: # it waits for its input, and not in between for something else
            status = pathlib.Path(f"/proc/{process.pid}/status").read_text()
            rows = dict(line.split(":\t", 1) for line in status.splitlines() if ":\t" in line)
            asleep = asleep + 1 if rows["State"].startswith("S") else 0
            time.sleep(0.01)
        process.stdin.close()
        process.wait()
    return rows


def test_default():
    """New privileges and system calls are given up without being asked for."""
    rows = status_while_reading()
    same(rows["NoNewPrivs"], "1")
    if "seccomp" in VERSION:
        same(rows["Seccomp"], "2")


def test_without():
    """--no-sandbox leaves it out."""
    rows = status_while_reading("--no-sandbox")
    same(rows["NoNewPrivs"], "0")


if "gives up" not in VERSION:
    print("skipped: this system has no Landlock and no seccomp, or this build has sanitizers")
    sys.exit(77)
main(sys.modules[__name__])
