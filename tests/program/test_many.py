#!/usr/bin/env python3
# SPDX-License-Identifier: GPL-2.0-or-later
"""A hundred thousand connections in one capture: all are there, and memory is in proportion.

    test_many.py PROGRAM ROOT GENERATOR
"""
import pathlib
import resource
import subprocess
import sys
import tempfile

from program import main, text

CONNECTIONS = 100_000
PACKETS = 17 * CONNECTIONS  # a message of 16 and its ACK, for some of them
MEMORY = 3 << 20  # kilobytes, with the sanitizers' share: without them it is below 1 GB


def test_connections():
    """Each connection is listed, each packet counted."""
    with tempfile.TemporaryDirectory() as folder:
        capture = pathlib.Path(folder) / "many.pcap"
        with open(capture, "wb") as out:
            subprocess.run([sys.argv[3], str(PACKETS), str(CONNECTIONS)], stdout=out, check=True)
        report = text(capture)
    assert f"{CONNECTIONS:,} connections" in report, report[:600]
    assert f"{PACKETS:,} RoCEv2" in report, report[:600]
    peak = resource.getrusage(resource.RUSAGE_CHILDREN).ru_maxrss
    assert peak < MEMORY, f"{peak} KB"


main(sys.modules[__name__])
